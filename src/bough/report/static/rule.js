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
    sql: told.map((each) => sql[each]).join(" AND ") || "TRUE",
  };
}

function labelsOf({ rows, classes, shares, says }, node) {
  if (!classes) return `${rowsWord(rows[node])}: ${says[node]}`;
  const order = classes.map((_, code) => code).filter((code) => shares[node][code] > 0);
  order.sort((one, other) => shares[node][other] - shares[node][one]);
  const told = order.slice(0, 6).map((code) => `${classes[code]} ${shareWord(shares[node][code])}`);
  return `${rowsWord(rows[node])}: ${told.join(", ")}`;
}

function rowsWord(n) {
  return n === 1 ? "1 row" : `${n.toLocaleString("en")} rows`;
}
