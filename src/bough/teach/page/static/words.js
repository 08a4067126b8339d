// Numbers, questions and answers in words, as the terminal has them.

const CRITERIA = { entropy: "entropy", error: "error", gini: "Gini", gain_ratio: "gain ratio", squared_error: "squared error", absolute_error: "absolute error" };
const SIGNS = { entropy: "H", gain_ratio: "H", gini: "G", error: "E", squared_error: "V", absolute_error: "A" };
const MINUS = "\u2212";

const counted = (n, one, many = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
const rowCount = (n) => counted(n, "row");
const withoutZeros = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

/** Return a number with so many decimals; halves go to the even digit, as in the terminal. */
function fixed(value, places) {
  const up = value.toFixed(Math.min(places, 100)), doubled = Math.abs(value) * 2 ** (places + 1);
  const isHalf = Number.isSafeInteger(doubled) && doubled % 2 === 1;
  return isHalf && "13579".includes(up.at(-1)) ? (value * (1 - Number.EPSILON)).toFixed(places) : up;
}

/** Return a number with so many digits; whole numbers keep all of theirs. */
function numberWords(value, digits) {
  const exact = String(value);
  if (digits === undefined || value === 0 || /^-?\d+(\.\d)?$/.test(exact)) return exact.replace("-", MINUS);
  if (Math.abs(value) < 1e-4 || Math.abs(value) >= 1e15) return value.toExponential(Math.max(digits, 1) - 1).replaceAll("-", MINUS);
  const places = Math.max(digits - 1 - Math.floor(Math.log10(Math.abs(value))), 0);
  return withoutZeros(fixed(value, places)).replace("-", MINUS);
}

/** How impurities and gains are written: so many decimals, or digits where labels are numbers. */
function figure(table, value, digits = table.digits) {
  if (value === 0 || (table.classes.length && Math.abs(value) < 1e-12)) return "0";
  return table.classes.length ? fixed(value, digits).replace("-", MINUS) : numberWords(value, digits);
}

/** Return terms and a result so that whoever adds up what is shown gets what is shown. */
function settled(table, terms, combine, result) {
  let words = [], shown = "";
  for (let wanted = table.digits; wanted < table.digits + 8; wanted++) {
    shown = figure(table, result, wanted);
    for (let digits = wanted; digits < wanted + 8; digits++) {
      words = terms.map((term) => figure(table, term, digits));
      const read = words.map((each) => Number(each.replaceAll(MINUS, "-")));
      if (figure(table, Number(combine(read).toPrecision(14)), wanted) === shown) return { words, shown };
    }
  }
  return { words, shown };
}

const guessWords = (table, guess) => (table.classes.length ? table.classes[guess] : numberWords(guess, table.digits));

function cellWords(column, code) {
  if (code === MISSING) return "";
  return column.words.length ? column.words[code] : numberWords(column.values[code]);
}

/** Return the number halfway between two neighbours, but never the lower one. */
function pivotBetween(low, high) {
  const sum = low + high, middle = Number.isFinite(sum) ? sum / 2 : low / 2 + high / 2;
  return middle > low ? middle : high;
}

/** Return the pivot of a question as a person would work it out; true for the rows of the node. */
function pivotWords(column, query) {
  const low = column.values[query.low], high = column.values[query.code], pivot = pivotBetween(low, high);
  if (column.kind === "ordered") return column.choices[Math.ceil(pivot)];
  const whole = (code) => BigInt(column.wholes.length ? column.wholes[code] : column.values[code]);
  if (column.kind === "date") return momentBetween(whole(query.low), whole(query.code)) ?? column.words[query.code];
  if (column.wholes.length && Math.max(Math.abs(low), Math.abs(high)) > 2 ** 53) return String((whole(query.low) + whole(query.code) + 1n) >> 1n);
  const byHand = Number(pivot.toPrecision(12));
  const isShort = decimals(byHand) <= Math.max(decimals(low), decimals(high)) + 1;
  if (low < byHand && byHand <= high && isShort) return numberWords(byHand);
  for (let digits = 1; digits < 17; digits++) {
    const short = Number(pivot.toPrecision(digits));
    if (low < short && short <= high) return numberWords(short);
  }
  return numberWords(pivot);
}

/** Return the moment of the coarsest unit between two, in microseconds since 1970; of several, the middle one. */
function momentBetween(from, to) {
  for (const unit of MOMENTS) {
    const found = floored(from + to + unit, 2n * unit) * unit;
    if (from < found && found < to) return momentWords(found);
  }
  return null;
}

const MOMENTS = [86400000000n, 3600000000n, 60000000n, 1000000n, 100000n, 10000n, 1000n, 100n, 10n, 1n];
const floored = (above, below) => (above - (((above % below) + below) % below)) / below;

function momentWords(since) {
  const seconds = floored(since, 1000000n), rest = String(since - seconds * 1000000n).padStart(6, "0").replace(/0+$/, "");
  const text = new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace("T", " ");
  return rest ? `${text}.${rest}` : text.replace(/ 00:00:00$/, "");
}

const decimals = (value) => (String(value).includes("e") ? 99 : (String(value).split(".")[1] ?? "").length);

/** Return the answers, each to be read after the name of the column. */
function answerWords(table, query) {
  const column = table.columns[query.column];
  if (query.kind === "missing") return ["is missing", "is known"];
  if (query.kind === "each") {
    const found = query.groups.map(([code]) => `= ${cellWords(column, code)}`);
    return query.missing === null ? found : [...found, "is missing"];
  }
  const found = query.kind === "below"
    ? sides(column, pivotWords(column, query))
    : query.groups.map((group) => `= ${group.map((code) => cellWords(column, code)).join(", ")}`);
  return found.map((words, answer) => (answer === query.missing ? `${words} or missing` : words));
}

function sides(column, pivot) {
  if (column.kind === "ordered") return [`before ${pivot}`, `${pivot} or after`];
  return column.kind === "date" ? [`before ${pivot}`, `${pivot} or later`] : [`< ${pivot}`, `\u2265 ${pivot}`];
}

function questionWords(table, query) {
  const { name } = table.columns[query.column];
  return query.kind === "each" ? name : `${name} ${answerWords(table, query)[0]}`;
}

/** Return the answer that leads to a node, after the name of its column. */
function conditionWords(table, node) {
  if (!node.parent) return "all rows";
  const { query } = node.parent.asks;
  return `${table.columns[query.column].name} ${answerWords(table, query)[node.answer]}`;
}

function trailWords(table, node) {
  const trail = [];
  for (let here = node; here.parent; here = here.parent) trail.unshift(conditionWords(table, here));
  return trail.join(" and ") || "all rows";
}

const joined = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);

/** Return which questions are equally good, and why the first is asked; nothing if there is no tie. */
function tieWords(table, questions, criterion) {
  const tied = questions.best(criterion);
  const slack = questions.tally(criterion).mix / TIE;
  const first = tied[0], words = (each) => questionWords(table, each.query);
  const equal = criterion === "error" ? greatest(questions.all(criterion), (each) => each.gain, slack) : tied;
  const names = [...new Set([first, ...equal.filter((each) => each !== first)].map(words))];
  if (equal.length < 2 || names.length < 2) return "";
  const reasons = equal.length > tied.length ? [`${words(first)} has the larger Gini gain`] : [];
  if (tied.length > 1) reasons.push(orderWords(table, tied));
  const shown = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more`] : names;
  const gain = criterion === "gain_ratio" ? quotient(questions.ratio(first), ONE) : impurityOf(questions.tally(criterion), first.gain);
  const gains = criterion === "gain_ratio" ? "have the ratio" : "gain";
  return `Tie: ${joined(shown)} ${names.length === 2 ? "both" : "all"} ${gains} ${figure(table, gain)}; ${reasons.join(" and ")}.`;
}

/** Return the rule that puts the first of equally good questions before the others. */
function orderWords(table, tied) {
  const first = tied[0].query, differs = (what) => tied.some((each) => what(each.query) !== what(first));
  if (differs((query) => query.column)) {
    const n = new Set(tied.map((each) => each.query.column)).size;
    return `${table.columns[first.column].name} is the ${n === 2 ? "earlier" : "earliest"} column`;
  }
  if (differs((query) => query.kind)) return "a comparison comes before 'is missing'";
  if (differs((query) => query.code)) {
    const n = new Set(tied.map((each) => each.query.code)).size;
    return `${pivotWords(table.columns[first.column], first)} is the ${n === 2 ? "lower" : "lowest"} pivot`;
  }
  return differs((query) => String(query.groups)) ? "its list of values comes first" : "missing values go with the first answer";
}
