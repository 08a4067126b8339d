// The rule of a node: what its rows have in common.

function parentsOf(tree) {
  const parents = tree.feature.map(() => -1);
  tree.first_child.forEach((_, node) => { for (const child of childrenOf(tree, node)) parents[child] = node; });
  return parents;
}

// How many nodes lie below each node.
function countsBelow(parents) {
  const below = parents.map(() => 0);
  for (let node = parents.length - 1; node > 0; node--) below[parents[node]] += below[node] + 1;
  return below;
}

// The nodes of a trail whose answers say it all: of several about one feature, those that a later one
// does not imply.
function telling(tree, parents, node) {
  const told = [], seen = new Set();
  for (; node > 0; node = parents[node]) {
    const above = parents[node];
    const side = tree.query_kind[above] === BELOW ? node - tree.first_child[above] : "values";
    const about = `${tree.feature[above]} ${side}`;
    if (!seen.has(about)) told.push(node);
    seen.add(about);
  }
  return told.reverse();
}

// A node in words: its rule, the same as SQL, its training and its test rows.
function aboutNode(report, node) {
  const { tree, answer, says, sql, test } = report;
  const told = telling(tree, report.parents, node);
  const grouped = (words) => (told.length > 1 && words.endsWith(" or missing") ? `(${words})` : words);
  const conditions = told.map((each) => grouped(answer[each])).join(" and ") || "all rows";
  return {
    rule: `${conditions} → ${says[node]}`,
    train: labelsOf(report, node),
    test: test[node] ?? "not known",
    asks: asksOf(report, node),
    sql: told.map((each) => sql[each]).join(" AND ") || "TRUE",
  };
}

function labelsOf({ rows, classes, counts, says }, node) {
  if (!classes) return `${rowsWord(rows[node])}: ${says[node]}`;
  const told = counts[node].map(([code, n]) => `${classes[code]}: ${n.toLocaleString("en")} (${shareWord(n / counts[node].all)})`);
  if (counts[node].more) told.push(`and ${counts[node].more} more classes`);
  return `${rowsWord(rows[node])} · ${told.join(", ")}`;
}

// What a question asks about, its rows by value, and what else might have been asked.
function asksOf({ tree, features, asked, rivals, classes, colors }, node) {
  const feature = features[tree.feature[node]], about = asked[node];
  if (!feature) return "";
  const told = [`Asks about ${feature.name}.`];
  if (about?.values) {
    const bins = binsOf(about, classes ? colors.length : 1).slice(0, 12);
    const name = (bin, place) => (bin.n > 1 ? `${bin.n} values` : feature.choices[about.values[place]]);
    told.push(`${bins.map((bin, place) => `${name(bin, place)}: ${bin.all.toLocaleString("en")}`).join(", ")}${2 * bins.length < about.places.length ? ", …" : "."}`);
  } else if (about && feature.kind === "number") told.push(`A bar is ${plainNumber(about.step)} wide; the first and the last hold all rows beyond.`);
  if (about?.missing) told.push(`${rowsWord(about.missing.reduce((sum, each) => sum + each, 0))} with a missing value (at the right).`);
  if (rivals[node]) told.push(`⚠ ${rivals[node]}.`);
  return told.join(" ");
}

function plainNumber(value) {
  return value.toLocaleString("en", { maximumSignificantDigits: 3 });
}

function rowsWord(n) {
  return n === 1 ? "1 row" : `${n.toLocaleString("en")} rows`;
}
