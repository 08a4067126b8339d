// The nearest change that flips a prediction, as bough.explain.flip finds it.

const YEAR = 365 * 24 * 60 * 60 * 1000000;
const MISSING_LAST = Number.MAX_VALUE; // a change from or to a missing value

// The leaf, the features that must change, and the words; null: no change flips it.
function nearestFlip(report, row, node) {
  const { tree, said, rows } = report;
  let best = null;
  tree.feature.forEach((feature, leaf) => {
    if (feature >= 0 || said[leaf] === said[node]) return;
    const path = pathTo(report, leaf);
    const changed = new Set(path.filter((each) => nextNode(tree, report.parents[each], row[askedAt(report, each)]) !== each).map((each) => askedAt(report, each)));
    if (best && changed.size > best.changed.size) return;
    let nearness = 0;
    for (const each of changed) nearness += changeTo(report, condition(report, path, each), each, row[each]);
    if (!(nearness < Infinity)) return;
    const found = { leaf, changed, path, nearness: Math.min(nearness, MISSING_LAST) };
    const order = best && (changed.size - best.changed.size || found.nearness - best.nearness || rows[best.leaf] - rows[leaf]);
    if (!best || order < 0) best = found;
  });
  return best && { ...best, words: flipWords(report, best, row) };
}

// The nodes below the root on the way to a node.
function pathTo({ parents }, node) {
  const path = [];
  for (; node > 0; node = parents[node]) path.push(node);
  return path.reverse();
}

function askedAt({ tree, parents }, node) {
  return tree.feature[parents[node]];
}

// What a path asks of one feature, as bough.explain.rules_and_conditions.Condition has it.
function condition({ tree, parents }, path, feature) {
  const found = { low: null, high: null, codes: null, mayBeKnown: true, mayBeMissing: true };
  for (const node of path) {
    const above = parents[node], first = tree.first_child[above];
    if (tree.feature[above] !== feature) continue;
    if (tree.query_kind[above] === IS_MISSING) {
      if (node === first) found.mayBeKnown = false;
      else found.mayBeMissing = false;
      continue;
    }
    if (tree.missing_child[above] !== node) found.mayBeMissing = false;
    if (tree.query_kind[above] === BELOW) {
      const pivot = tree.pivot[above];
      if (node === first && (found.high === null || pivot < found.high)) found.high = pivot;
      if (node !== first && (found.low === null || pivot > found.low)) found.low = pivot;
      continue;
    }
    const here = [];
    for (let place = tree.codes_start[above]; place < tree.codes_start[above + 1]; place++) {
      if (first + tree.answers[place] === node) here.push(tree.codes[place]);
    }
    found.codes = here.filter((code) => found.codes === null || found.codes.includes(code));
    if (!found.codes.length) found.mayBeKnown = false;
  }
  return found;
}

// How far a value is from meeting a condition; Infinity: nothing meets it.
function changeTo({ tree, features }, { low, high, codes, mayBeKnown, mayBeMissing }, number, value) {
  if (!mayBeKnown) return mayBeMissing && tree.missing !== "weigh" ? MISSING_LAST : Infinity;
  if (value === null || value === UNSEEN) return MISSING_LAST;
  const { kind, choices } = features[number];
  if (kind === "choice" || codes) return 1;
  const isBelow = low !== null && value < low, end = Number(isBelow ? low : high);
  const old = Number(value);
  if (kind === "ordered") return Math.abs((isBelow ? Math.ceil(end) : Math.ceil(end) - 1) - old) / Math.max(choices.length - 1, 1);
  const step = kind === "number" ? 0 : isBelow ? 0 : 1;
  const other = kind === "number" ? end : Math.ceil(end) - step;
  if (kind === "date") return Math.abs(other - old) / (Math.abs(other - old) + YEAR);
  const larger = Math.max(Math.abs(other), Math.abs(old));
  return larger ? Math.abs(other / larger - old / larger) : 0;
}

function flipWords(report, { leaf, changed, path }, row) {
  const told = telling(report.tree, report.parents, leaf).filter((node) => changed.has(askedAt(report, node)));
  const words = told.map((node) => {
    const { mayBeKnown } = condition(report, path, askedAt(report, node));
    return mayBeKnown ? report.answer[node].replace(/ or missing$/, "") : report.answer[node];
  });
  return `${words.join(" and ")} → ${report.says[leaf]}`;
}
