// The card of a node: its question or prediction, its rows as a picture, its classes counted.

const CARD = 200, PAD = 11; // pixels across, and inside
const HEAD = 22, LINE = 17, BAR = 10, BARS = 32, MARK = 9, LABELS = 24; // how high its parts are
const SMALL = 12, NAME = 14; // sizes of letters; none is smaller on the screen
const ISOLATE = "\u2068", END_OF_ISOLATE = "\u2069"; // around names, which may be read from right to left

const ruler = document.createElement("canvas").getContext("2d");
const family = getComputedStyle(document.documentElement).fontFamily;

function widthOf(text, size, isBold) {
  ruler.font = `${isBold ? "bold " : ""}${size}px ${family}`;
  return ruler.measureText(text).width;
}

// A text that has room: its middle gives way to dots, or its end, but for “or missing” and a share.
function fitted(text, room, size, { isBold = false, atEnd = false } = {}) {
  if (widthOf(text, size, isBold) <= room) return text;
  const [kept] = text.match(atEnd ? / or missing$/ : / [<>]?\d+ %$/) ?? [""];
  const signs = Array.from(kept ? text.slice(0, -kept.length) : text);
  const cut = (n) => {
    const last = atEnd ? 0 : Math.floor(n / 2.5);
    return `${signs.slice(0, n - last).join("")}…${last ? signs.slice(-last).join("") : ""}${kept}`;
  };
  let low = 1, high = signs.length - 1; // the longest that has room
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (widthOf(cut(middle), size, isBold) <= room) low = middle;
    else high = middle - 1;
  }
  return cut(low);
}

// As much of the beginning of a text as has room, up to where a word ends if that is not too short.
function begun(text, room) {
  if (widthOf(text, NAME, true) <= room) return text;
  const signs = Array.from(text);
  let n = signs.length;
  while (n > 1 && widthOf(signs.slice(0, n).join(""), NAME, true) > room) n -= 1;
  const first = signs.slice(0, n).join(""), word = first.match(/^.*[\s_.\-/]/s)?.[0] ?? "";
  return word.length > first.length / 2 ? word : first;
}

class Cards {
  constructor(view) {
    this.view = view;
  }

  isLeaf(node) {
    return this.view.tree.feature[node] < 0;
  }

  height(node) {
    const { asked, bins, classes, leaf } = this.view;
    let high = HEAD + 8 + LINE * (this.headLines(node).length - 1);
    if (asked[node]) high += BARS + MARK;
    if (bins?.[node]) high += LABELS + 5;
    else if (classes && !asked[node]) high += BAR + 5;
    high += LINE; // classes counted, or what a number is
    return high + LINE * this.leafLines(leaf[node]).length + 6;
  }

  // What is known of a leaf, in one line or in two.
  leafLines(told) {
    if (!told) return [];
    return widthOf(told, SMALL) <= CARD - 2 * PAD ? [told] : told.split(" · ");
  }

  head(node) {
    const { tree, features, says } = this.view;
    return this.isLeaf(node) ? says[node] : `${features[tree.feature[node]].name} ?`;
  }

  // A number without how sure it is, where both have no room: cut in the middle it would be another one.
  said(node, room, size, isBold) {
    const says = this.view.says[node], isCut = widthOf(says, size, isBold) > room;
    return isCut && this.view.guess ? says.split(/, | ±/)[0] : says;
  }

  // The question or the prediction, in two lines if it is long; beside the last stand its rows.
  headLines(node) {
    const { rows, rivals } = this.view, head = this.head(node), room = CARD - 2 * PAD;
    const last = room - widthOf(`${rivals[node] ? "⚠ " : ""}n ${rows[node].toLocaleString("en")}`, SMALL) - 8;
    if (widthOf(head, NAME, true) <= last) return [head];
    const first = begun(head, room);
    return [first, fitted(head.slice(first.length).trim(), last, NAME, { isBold: true })];
  }

  // The answer that leads to a node, without the name of the column.
  answer(node) {
    const { tree, features, answer, parents } = this.view;
    return node ? answer[node].slice(features[tree.feature[parents[node]]].name.length + 1) : "";
  }

  inFull(node) {
    const { answer, says, rows, rivals } = this.view;
    const told = [`${says[node]} (${rowsWord(rows[node])})`];
    if (answer[node]) told.unshift(answer[node]);
    if (!this.isLeaf(node)) told.push(`asks: ${this.head(node)}`);
    if (rivals[node]) told.push(rivals[node]);
    return told.join("\n");
  }

  // A group whose upper left corner is that of the card; far away it has no words.
  draw(node, scale) {
    const high = this.height(node), group = drawn("g", { class: this.isLeaf(node) ? "leaf" : "branch", "data-node": node });
    group.append(drawn("title", {}, this.inFull(node)));
    group.append(drawn("rect", { class: "card", width: CARD, height: high, rx: 9 }));
    if (scale >= 1) this.whole(group, node);
    else if (scale >= BLOCKS) this.brief(group, node, high, scale);
    return group;
  }

  // A tree that is smaller than it should be: letters keep their size, and fewer of them have room.
  brief(group, node, high, scale) {
    const { view } = this, size = SMALL / scale, room = CARD - PAD, x = PAD / 2, top = size * 1.6, tall = high - size * 3.2;
    const head = this.isLeaf(node) ? this.said(node, room, size, true) : this.head(node);
    group.append(words(fitted(head, room, size, { isBold: true }), x, size * 1.25, { class: "name", "font-size": size, "font-weight": 700 }));
    this.answerAbove(group, node, size);
    if (view.asked[node]) group.append(askedPicture(view, node, x, top, room, tall - MARK));
    else if (view.bins?.[node]) group.append(labelPicture(view, node, x, top, room, tall));
    else if (view.classes) group.append(shareBar(view, node, x, top, room, Math.max(Math.min(tall, BAR / scale), 3)));
    let told = `n ${view.rows[node].toLocaleString("en")}`;
    for (const part of view.leaf[node]?.split(" · ") ?? []) if (part && widthOf(`${told} · ${part}`, size) <= room) told += ` · ${part}`;
    group.append(words(told, x, high - size * 0.45, { "font-size": size }));
    if (view.rivals[node]) group.append(words("⚠", CARD - x, high - size * 0.45, { class: "unstable", "text-anchor": "end", "font-size": size }));
  }

  answerAbove(group, node, size) {
    const answer = this.answer(node);
    if (answer) group.append(words(this.roomy(node, answer, CARD + 26, size), 2, -5, { class: "answer", "font-size": size, "font-weight": 600 }));
  }

  // An answer that has room; a number that has lost its last digits would be another one.
  roomy(node, answer, room, size) {
    const { tree, features, parents } = this.view, above = parents[node];
    const isNumber = tree.query_kind[above] === BELOW && !features[tree.feature[above]].choices;
    if (isNumber && widthOf(answer, size, true) > room) return answer.replace(/ or missing$/, ", missing");
    return isNumber ? answer : fitted(answer, room, size, { isBold: true, atEnd: true });
  }

  whole(group, node) {
    const { view } = this, room = CARD - 2 * PAD;
    const n = `n ${view.rows[node].toLocaleString("en")}`, lines = this.headLines(node), last = HEAD + LINE * (lines.length - 1);
    lines.forEach((line, each) => group.append(words(line, PAD, HEAD + LINE * each, { class: "name", "font-size": NAME, "font-weight": 700 })));
    if (view.rivals[node]) group.append(words("⚠", CARD - PAD - widthOf(n, SMALL) - 5, last, { class: "unstable", "text-anchor": "end" }));
    group.append(words(n, CARD - PAD, last, { "text-anchor": "end" }));
    this.answerAbove(group, node, 13);
    let y = last + 8;
    if (view.asked[node]) {
      group.append(askedPicture(view, node, PAD, y, room, BARS));
      y += BARS + MARK;
    }
    if (view.bins?.[node]) {
      group.append(labelPicture(view, node, PAD, y, room, LABELS));
      y += LABELS + 5;
    } else if (view.classes && !view.asked[node]) {
      group.append(shareBar(view, node, PAD, y, room, BAR));
      y += BAR + 5;
    }
    if (view.classes) this.counts(group, node, y + 13, room);
    else group.append(words(fitted(this.isLeaf(node) ? "" : this.said(node, room, SMALL), room, SMALL), PAD, y + 13));
    this.leafLines(view.leaf[node]).forEach((line, each) => group.append(words(fitted(line, room, SMALL), PAD, y + 13 + LINE * (each + 1))));
  }

  // All classes by name; else by their colour; else as many as there is room for, and how many more.
  counts(group, node, y, room) {
    const { counts, classes, colors, place } = this.view, all = counts[node];
    const named = all.map(([code, n]) => ({ code, text: `${ISOLATE}${classes[code]}${END_OF_ISOLATE}: ${n.toLocaleString("en")}` }));
    const isColored = ([code]) => classes.length <= colors.length || place[code] < colors.length - 1;
    const bare = all.filter(isColored).map(([code, n]) => ({ code, text: n.toLocaleString("en") }));
    const wide = (told) => told.reduce((sum, { text }) => sum + 12 + widthOf(text, SMALL) + 9, -9);
    let told = wide(named) <= room ? named : bare, rest = all.more + all.length - told.length;
    const more = () => (rest ? `+${rest} more` : "");
    while (told.length > 1 && wide(told) + (rest ? widthOf(more(), SMALL) + 9 : 0) > room) {
      told = told.slice(0, -1);
      rest += 1;
    }
    let x = PAD;
    for (const { code, text } of told) {
      group.append(drawn("rect", { x, y: y - 9, width: 8, height: 9, fill: colors[place[code]] }), words(text, x + 12, y));
      x += 12 + widthOf(text, SMALL) + 9;
    }
    if (rest) group.append(words(more(), CARD - PAD, y, { "text-anchor": "end" }));
  }

  color(node) {
    const { classes, colors, place, said } = this.view;
    return classes ? colors[place[said[node]]] : "var(--right)";
  }

  // The purer, or the greater the number, the stronger.
  strength(node) {
    const { classes, shares, said, guess, range } = this.view;
    if (classes) return 0.25 + 0.7 * shares[node][said[node]];
    return guess ? 0.12 + 0.78 * placeIn(range, guess[node]) : 0.4;
  }
}

function words(text, x, y, attributes = {}) {
  return drawn("text", { x, y, ...attributes }, text);
}

function placeIn([low, high], value) {
  const span = high / 2 - low / 2; // the whole may be beyond all numbers
  return span > 0 ? Math.min(Math.max((value / 2 - low / 2) / span, 0), 1) : 0.5;
}
