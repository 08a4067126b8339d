// Try it: the what-if form and twenty questions.

const MOST_ANSWERS = 5; // of one question that its reason tells about
const MOST_BUTTONS = 8; // answers that have a button each; more are in a list

function hasChoices(feature) {
  return feature.kind === "choice" || feature.kind === "ordered";
}

// What a field says: the value, or undefined and why in words.
function readField(feature, field) {
  const text = field.value;
  if (hasChoices(feature)) return text === "" ? null : text === UNSEEN ? UNSEEN : Number(text);
  if (text.trim() === "") return null;
  return typedValue(feature.kind, text);
}

function field(feature, attributes, { isEmpty = "missing" } = {}) {
  if (!hasChoices(feature)) {
    const mode = feature.kind === "date" ? "text" : feature.kind === "integer" ? "numeric" : "decimal";
    return make("input", { type: "text", inputmode: mode, autocomplete: "off", placeholder: isEmpty, ...attributes });
  }
  return make("select", attributes,
    make("option", { value: "" }, isEmpty),
    ...feature.choices.map((choice, code) => make("option", { value: String(code) }, choice)),
    make("option", { value: UNSEEN }, "another value"));
}

class WhatIf {
  constructor(place, report, onTrail, typed = new Map()) {
    this.report = report;
    this.onTrail = onTrail;
    this.fields = new Map(report.fields.map((number) => [number, this.field(number)]));
    this.outcome = make("div", { class: "outcome", role: "status" });
    this.form = make("form", { class: "fields", onsubmit: (event) => event.preventDefault(), oninput: () => this.update() },
      ...[...this.fields.values()].map(({ row }) => row));
    const clear = make("button", { type: "button", onclick: () => { this.form.reset(); this.update(); } }, "Clear");
    const hint = make("p", { class: "muted" }, "Empty fields count as missing. ", clear);
    place.replaceChildren(make("div", {}, this.form, hint), this.outcome);
    for (const [number, { input }] of this.fields) input.value = typed.get(number) ?? input.value;
    this.update(false);
  }

  // What has been filled in, by feature.
  get typed() {
    return new Map([...this.fields].map(([number, { input }]) => [number, input.value]));
  }

  field(number) {
    const feature = this.report.features[number], id = `if-${number}`, hint = `${id}-hint`;
    const input = field(feature, { id, "aria-describedby": hint }, { isEmpty: hasChoices(feature) ? "" : rangeWord(feature) });
    const complaint = make("span", { id: hint, class: "complaint" });
    return { input, complaint, row: make("div", { class: "field" }, make("label", { for: id }, feature.name), input, complaint) };
  }

  update(isLit = true) {
    const { report } = this, row = report.features.map(() => null);
    let isWhole = true, isEmpty = true;
    for (const [number, { input, complaint }] of this.fields) {
      const feature = report.features[number], value = readField(feature, input);
      complaint.textContent = value === undefined ? HINTS[feature.kind] : outsideWord(feature, value, input.value);
      input.toggleAttribute("aria-invalid", value === undefined);
      if (value !== null) isEmpty = false;
      if (value === undefined) isWhole = false;
      else for (const [each, found] of valuesOf(report.features, number, value)) row[each] = found;
    }
    if (isEmpty) return this.outcome.replaceChildren(make("p", { class: "muted" }, "Fill in what you know: the prediction and its path appear here."));
    if (!isWhole) return this.outcome.replaceChildren(make("p", {}, "Some values cannot be read."));
    const now = standing(report.tree, new Map(row.entries()), new Set());
    const nodes = [...now.mass.keys()].filter((node) => now.mass[node] > 0);
    this.outcome.replaceChildren(...this.told(now, nodes, row));
    if (isLit) this.onTrail(nodes);
  }

  told(now, nodes, row) {
    const { says, answer, tree, features } = this.report, last = nodes.at(-1);
    const asked = features[tree.feature[last]];
    const told = [guessLine(this.report, now)];
    if (now.places.length > 1) {
      told.push(make("p", { class: "muted" }, `Missing values follow every branch. ${averageOf(now)}.`));
      return told;
    }
    told.push(...evidenceLines(this.report, last));
    if (asked) {
      const isMissing = row[tree.feature[last]] === null;
      const what = isMissing ? `Fill in ${asked.name} to go on.` : `It stops here: no training row had this value of ${asked.name}.`;
      told.push(make("p", {}, what));
    } else told.push(...flipLines(this.report, row, last));
    const gaps = nodes.slice(0, -1).map((node) => tree.feature[node]).filter((each) => row[each] === null);
    if (gaps.length) told.push(make("p", {}, `Empty, so taken as missing: ${[...new Set(gaps)].map((each) => features[each].name).join(", ")}.`));
    const steps = nodes.slice(1).map((node) => make("li", {}, `${answer[node]} → ${says[node]}`));
    if (steps.length) told.push(make("p", { class: "muted" }, "The path, from the first question on:"), make("ol", {}, ...steps));
    return told;
  }
}

// The rows that a prediction rests on: those it was learnt from, and what the test rows said.
function evidenceLines({ rows, tests, classes, shares, said }, node) {
  const [n, right, error] = tests?.[node] ?? [];
  const count = (each) => each.toLocaleString("en");
  const found = classes ? `; test: ${count(right ?? 0)} of ${count(n ?? 0)} right` : `; test: ${rowsWord(n ?? 0)}${error ? `, ${error}` : ""}`;
  const tested = n === undefined ? "" : n === 0 ? "; no test row came here" : right === null ? `; test: ${rowsWord(n)}, too few to say more` : found;
  const learnt = rowsWord(rows[node]).replace(/ (rows?)$/, " training $1");
  const words = classes ? `${shareWord(shares[node][said[node]])} of ${learnt}` : `Based on ${learnt}`;
  return [make("p", { class: "rests" }, `${words}${tested}.`)];
}

function flipLines(report, row, node) {
  const flip = report.said && nearestFlip(report, row, node);
  if (!flip) return [];
  return [make("p", { class: "flip" }, make("b", {}, report.classes ? "Would flip: " : "Nearest other prediction: "), flip.words)];
}

// From where to where the training rows lie, as a hint; empty: that is not known.
function rangeWord({ kind, ends }) {
  return ends ? ends.slice(0, kind === "date" ? 1 : 2).join(" to ") : "";
}

// That a value lies where no training row does.
function outsideWord({ range, ends }, value, text) {
  if (!range || value === null || value === UNSEEN || (value >= range[0] && value <= range[1])) return "";
  return `${text.trim()} is outside the training range (${ends[0]} to ${ends[1]}).`;
}

class TwentyQuestions {
  constructor(place, report) {
    this.report = report;
    this.history = []; // of { feature, values, words }; no values: not known
    this.place = make("div", { class: "interview", role: "status" });
    place.replaceChildren(this.place);
    this.show();
  }

  stand() {
    const known = new Map(), unknown = new Set();
    for (const { values } of this.history) values?.forEach((value, number) => known.set(number, value));
    for (const { feature } of this.history) if (!known.has(feature)) unknown.add(feature);
    return { known, unknown, ...standing(this.report.tree, known, unknown) };
  }

  say(feature, value, word) {
    const { features } = this.report, { name } = features[feature];
    const words = value === undefined ? `${name} is not known` : value === null ? `${name} is missing` : `${name} = ${word}`;
    this.history.push({ feature, values: value === undefined ? null : valuesOf(features, feature, value), words });
    this.show(true);
  }

  show(isByHand = false) {
    const now = this.stand();
    const isOver = now.asked === null;
    const said = this.history.map(({ words }) => make("li", {}, words));
    this.place.replaceChildren(
      ...(said.length && !isOver ? [make("ul", { class: "said" }, ...said)] : []),
      ...(isOver ? this.ended(now) : this.question(now)),
      this.controls(now, isOver));
    if (isByHand) this.place.querySelector("input, select, button")?.focus();
  }

  question(now) {
    const feature = this.report.features[now.asked], number = this.history.length + 1;
    const most = this.history.length + mostLeft(this.report.tree, now.known, now.unknown, now.places);
    const asked = make("p", { class: "question", id: "asked" }, `${number} of at most ${most}: `, make("strong", {}, `${feature.name}?`));
    const said = this.history.length ? [make("p", { class: "so-far" }, `${now.places.length > 1 ? averageOf(now) : `${rowsWord(this.report.rows[now.places[0]])} like this`}: ${verdict(this.report, now)}`)] : [];
    const why = make("details", { class: "why" }, make("summary", {}, "Why this question?"), make("p", {}, this.why(now)));
    return [...said, asked, hasChoices(feature) && this.choices(now).length <= MOST_BUTTONS ? this.buttons(now) : this.typed(now), why];
  }

  // What the answers to a question would say.
  why({ asked, asking: [node] }) {
    const { tree, features, answer, says, rows } = this.report, children = childrenOf(tree, node);
    const told = children.slice(0, MOST_ANSWERS).map((child) => `${answer[child]} → ${says[child]}`);
    if (children.length > MOST_ANSWERS) told.push(`${children.length - MOST_ANSWERS} more`);
    return `${features[asked].name} tells these ${rowsWord(rows[node])} apart: ${told.join(", ")}`;
  }

  // The prediction, why, and what would change it.
  ended(now) {
    const { report } = this, because = this.history.map(({ words }) => words).join(" and ");
    const told = [guessLine(report, now)];
    if (now.places.length === 1) told.push(...evidenceLines(report, now.places[0]));
    else told.push(make("p", { class: "rests" }, `${averageOf(now)}.`));
    if (because) told.push(make("p", { class: "because" }, `because ${because}`));
    const row = report.features.map((_, number) => now.known.get(number) ?? null);
    if (now.places.length === 1 && !now.unknown.size) told.push(...flipLines(report, row, now.places[0]));
    return told;
  }

  // The values that the nodes which ask know; all that there are if order matters.
  choices({ asked, asking }) {
    const { tree, features } = this.report, codes = new Set();
    for (const node of asking) for (let place = tree.codes_start[node]; place < tree.codes_start[node + 1]; place++) codes.add(tree.codes[place]);
    return codes.size ? [...codes].sort((one, other) => one - other) : features[asked].choices.map((_, code) => code);
  }

  buttons(now) {
    const { choices } = this.report.features[now.asked];
    const button = (value, words) => make("button", { type: "button", onclick: () => this.say(now.asked, value, words) }, words);
    return make("p", { class: "answers" }, ...this.choices(now).map((code) => button(code, choices[code])), button(UNSEEN, "Another value"));
  }

  typed({ asked }) {
    const feature = this.report.features[asked];
    const input = field(feature, { "aria-labelledby": "asked" }, { isEmpty: "" });
    const complaint = make("span", { class: "complaint" });
    const onsubmit = (event) => {
      event.preventDefault();
      const value = readField(feature, input);
      if (value === undefined || value === null) complaint.textContent = HINTS[feature.kind] ?? "Choose a value.";
      else this.say(asked, value, hasChoices(feature) ? input.selectedOptions[0].textContent : input.value.trim());
    };
    return make("form", { class: "answers", novalidate: "", onsubmit }, input, make("button", {}, "Answer"), complaint);
  }

  controls({ asked }, isOver) {
    const button = (words, onclick) => make("button", { type: "button", class: "quiet", onclick }, words);
    const all = isOver ? [] : [button("Don’t know", () => this.say(asked)), button("It is missing", () => this.say(asked, null))];
    if (this.history.length) {
      all.push(button("Back", () => { this.history.pop(); this.show(true); }));
      all.push(button("Start again", () => { this.history = []; this.show(true); }));
    }
    return make("p", { class: "controls" }, ...all);
  }
}

// What a prediction comes from that is no share of one node's rows.
function averageOf({ places }) {
  return `Average of ${places.length} branches, weighted by their training rows`;
}

function guessLine(report, now) {
  return make("p", { class: "guess" }, "→ ", make("strong", {}, verdict(report, now)));
}

// What the places where a row may be say together, in words.
function verdict(report, now) {
  if (now.places.length === 1) return report.says[now.places[0]];
  const { classes, shares, costs, guess, spread } = report;
  if (!classes && !guess) return "several predictions";
  if (classes) {
    const mean = classes.map((_, code) => meanOf(now, (node) => shares[node][code]));
    const best = guessOf(mean, costs);
    return `${classes[best]} ${shareWord(mean[best])}`;
  }
  const mean = meanOf(now, (node) => guess[node]);
  if (!spread) return `score ${mean > 0 ? "+" : ""}${numberWord(mean)}`;
  const square = meanOf(now, (node) => (spread[node] ?? Infinity) ** 2 + (guess[node] - mean) ** 2);
  return square < Infinity ? `${numberWord(mean)} ± ${numberWord(Math.sqrt(square))}` : numberWord(mean);
}

function shareWord(share) {
  if (share > 0 && share < 0.01) return "<1 %";
  if (share > 0.99 && share < 1) return ">99 %";
  return `${Math.round(100 * share)} %`;
}

// A number with three digits; the whole part is never shortened.
function numberWord(value) {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e15)) return value.toExponential(2);
  const decimals = size === 0 ? 0 : Math.max(2 - Math.floor(Math.log10(size)), 0);
  return Number(value.toFixed(decimals)).toLocaleString("en", { maximumFractionDigits: 20 });
}
