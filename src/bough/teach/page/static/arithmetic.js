// The arithmetic as a book writes it: texts, and fractions that know their rows.

const MOST_TERMS = 8; // of distances that are written out
const fraction = (words, rows) => ({ words, rows });

/** Put something between parts. */
function between(parts, text) {
  return parts.flatMap((part, place) => (place ? [text, ...[part].flat()] : [part].flat()));
}

/** Return how the impurity of a node is worked out. */
function impurityParts(table, questions, criterion) {
  const tally = questions.tally(criterion), { rows } = questions, n = rows.length, sign = SIGNS[criterion];
  const impurity = impurityOf(tally), unit = sign === "H" ? " bit" : "";
  if (!table.classes.length) return distanceParts(table, questions, criterion, impurity);
  const some = tally.counts.flatMap((count, label) => (count ? [{ count, rows: rows.filter((row) => table.labels[row] === label) }] : []));
  if (sign === "E") {
    const most = some.find((each) => each.count === tally.most);
    return [`E = 1 ${MINUS} `, fraction(`${most.count}/${n}`, most.rows), ` = ${figure(table, impurity)}`];
  }
  if (some.length < 2) return [`${sign} = 0${unit}`];
  const shares = some.map((each) => each.count / n);
  if (sign === "G") {
    const { words, shown } = settled(table, shares.map((p) => p * p), (all) => 1 - all.reduce((sum, each) => sum + each, 0), impurity);
    const squares = some.map((each) => fraction(`(${each.count}/${n})²`, each.rows));
    return [`G = 1 ${MINUS} `, ...between(squares, ` ${MINUS} `), ` = 1 ${MINUS} ${words.join(` ${MINUS} `)} = ${shown}`];
  }
  const { words, shown } = settled(table, shares.map((p) => -p * Math.log2(p)), (all) => all.reduce((sum, each) => sum + each, 0), impurity);
  const terms = some.map((each) => fraction(`${each.count}/${n} lg ${each.count}/${n}`, each.rows));
  return [`H = ${MINUS}`, ...between(terms, ` ${MINUS} `), ` = ${words.join(" + ")} = ${shown}${unit}`];
}

/** Return the mean distance of numbers from their prediction, or that of the squares. */
function distanceParts(table, questions, criterion, impurity) {
  const { rows } = questions, { guess } = questions.tally(criterion), isSquared = criterion === "squared_error";
  const centre = figure(table, guess), what = isSquared ? `squared distances from the mean ${centre}` : `distances from the median ${centre}`;
  const head = `${SIGNS[criterion]} = mean of the ${what}`;
  if (impurity === 0) return [`${head} = 0`];
  const counts = new Map();
  for (const row of [...rows].sort((one, other) => table.labels[one] - table.labels[other])) counts.set(table.labels[row], (counts.get(table.labels[row]) ?? 0) + 1);
  const away = [...counts].map(([label, n]) => n * (isSquared ? (label - guess) ** 2 : Math.abs(label - guess)));
  const terms = away.length > MOST_TERMS ? [away.reduce((sum, each) => sum + each, 0)] : away;
  const { words, shown } = settled(table, terms, (all) => all.reduce((sum, each) => sum + each, 0) / rows.length, impurity);
  const top = words.length > 1 ? `(${words.join(" + ")})` : words[0];
  return [`${head} = `, fraction(`${top} / ${rows.length}`, rows), ` = ${shown}`];
}

/** Return how the remainder of a question is worked out. */
function remainderParts(table, scored) {
  const some = scored.answers.filter((answer) => answer.rows.length), n = scored.n;
  const combine = (all) => all.reduce((sum, each, place) => sum + (some[place].rows.length / n) * each, 0);
  const { words, shown } = settled(table, some.map((answer) => answer.impurity), combine, scored.remainder);
  const terms = some.map((answer, place) => [fraction(`${answer.rows.length}/${n}`, answer.rows), `·${words[place]}`]);
  return ["remainder = ", ...between(terms, " + "), ` = ${shown}`];
}

function gainParts(table, scored) {
  const { words, shown } = settled(table, [scored.impurity, scored.remainder], ([whole, left]) => whole - left, scored.gain);
  return [`gain = ${words[0]} ${MINUS} ${words[1]} = ${shown}`];
}

function ratioParts(table, scored) {
  const { words, shown } = settled(table, [scored.gain, scored.bits], ([gain, bits]) => gain / bits, scored.ratio);
  return [`gain ratio = gain / split entropy = ${words[0]} / ${words[1]} = ${shown}`];
}

/** Return a question with all that a criterion says of it, as doubles. */
function scoredBy(table, questions, each, criterion) {
  const tally = questions.tally(criterion), n = questions.rows.length;
  const words = answerWords(table, each.query);
  const answers = partsOf(table, each.query, questions.rows).map((rows, answer) => {
    const part = tallyOf(table, rows, criterion);
    return { words: words[answer], rows, tally: part, impurity: impurityOf(part), guess: rows.length ? part.guess : tally.guess };
  });
  const bits = quotient(questions.bits(each.query), ONE * BigInt(n)), gain = impurityOf(tally, each.gain);
  const score = criterion === "gain_ratio" ? quotient(questions.ratio(each), ONE) : gain;
  return {
    query: each.query, key: keyOf(each.query), n, answers, gain, bits, score,
    impurity: impurityOf(tally), remainder: impurityOf(tally, tally.mix - each.gain),
    ratio: bits ? gain / bits : 0,
    right: table.classes.length ? answers.reduce((sum, answer) => sum + answer.tally.right, 0) : null,
  };
}
