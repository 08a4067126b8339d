// The rows of the table with those of the node lit; counts where there are too many rows.

const MOST_ROWS = 200;
const MANY_ROWS = 30;
const MOST_PRINTED = 16;

/** Return the table of rows, or counts. */
function rowsView(page, node, isPrinted = false) {
  const { table } = page, isFew = isPrinted ? node.rows.length <= MOST_PRINTED : table.labels.length <= MOST_ROWS;
  return isFew ? rowTable(page, node, isPrinted) : countTable(page, node);
}

function rowTable(page, node, isPrinted) {
  const { table } = page, here = new Set(node.rows), all = table.labels.map((_, row) => row);
  const isSorted = isPrinted || all.length > MANY_ROWS;
  const rows = isSorted ? [...node.rows, ...(isPrinted ? [] : all.filter((row) => !here.has(row)))] : all;
  const asked = page.isRevealed(node) && node.asks ? node.asks.query.column : null;
  const heads = table.columns.map((column, place) => make("th", { scope: "col", class: `${column.isNumber ? "number" : ""}${place === asked ? " asked" : ""}` }, column.name));
  return make("table", { class: "rows" },
    make("thead", {}, make("tr", {}, make("th", { scope: "col", class: "number" }, "row"), heads, make("th", { scope: "col" }, table.target))),
    make("tbody", {}, rows.map((row) => rowOf(table, row, here.has(row), asked))));
}

function rowOf(table, row, isHere, asked) {
  const cells = table.columns.map((column, place) =>
    make("td", { class: `${column.isNumber ? "number" : ""}${place === asked && isHere ? " asked" : ""}` }, cellWords(column, column.codes[row])));
  const label = table.classes.length
    ? [make("span", { class: `dot ${colorOf(table, table.labels[row])}` }), table.classes[table.labels[row]]]
    : numberWords(table.labels[row]);
  return make("tr", { class: isHere ? "here" : "away", "data-row": row }, make("td", { class: "number" }, String(row + 1)), cells, make("td", {}, label));
}

/** Return what a tree that is cut at this depth predicts for each row. */
function predictions(page) {
  const found = [];
  for (const node of cutAt(page.nodes, page.depth)) for (const row of node.rows) found[row] = node.guess;
  return found;
}

/** Return the rows of the finished tree: those that it gets wrong are lit; or how many they are. */
function finishedRows(page) {
  const { table } = page, said = predictions(page);
  const wrong = table.labels.flatMap((label, row) => (label === said[row] ? [] : [row]));
  if (table.labels.length <= MOST_ROWS) {
    const found = rowTable(page, { rows: wrong, asks: null }, false);
    found.tHead.rows[0].append(make("th", { scope: "col" }, "predicted"));
    for (const line of found.tBodies[0].rows) line.append(make("td", {}, guessWords(table, said[Number(line.dataset.row)])));
    return found;
  }
  return countTable(page, page.nodes[0], table.classes.length ? [["wrong", tallyOf(table, wrong, "error")]] : []);
}

/** Return how many rows of each class there are: in the table, here, and behind each answer. */
function countTable(page, node, more = answersOf(page, node)) {
  const { table } = page, columns = [["all rows", page.nodes[0].tally], ...more];
  const cell = (words) => make("td", { class: "number" }, words);
  const lines = table.classes.length
    ? table.classes.map((name, label) => make("tr", { "data-label": label }, make("th", { scope: "row" }, make("span", { class: `dot ${colorOf(table, label)}` }), name), columns.map(([, tally]) => cell(String(tally.counts[label])))))
    : [make("tr", {}, make("th", { scope: "row" }, "prediction"), columns.map(([, tally]) => cell(tally.n ? numberWords(tally.guess, table.digits) : "–")))];
  return make("table", { class: "counts" },
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, table.target), columns.map(([name]) => make("th", { scope: "col", class: "number" }, name)))),
    make("tbody", {}, lines, make("tr", { class: "sum" }, make("th", { scope: "row" }, "rows"), columns.map(([, tally]) => cell(tally.n.toLocaleString("en"))))));
}

function answersOf(page, node) {
  const scored = page.selectedAt(node), named = (answer) => `${page.table.columns[scored.query.column].name} ${answer.words}`;
  return [["this node", node.tally], ...(scored?.answers ?? []).slice(0, 6).map((answer) => [named(answer), answer.tally])];
}

/** Light some rows, in the table and among the points; none: all are as before. */
function light(rows) {
  const lit = new Set(rows ?? []);
  for (const each of document.querySelectorAll("[data-row]")) each.classList.toggle("lit", lit.has(Number(each.dataset.row)));
  document.documentElement.classList.toggle("lighting", lit.size > 0);
}

/** Return a formula, of which fractions light their rows. */
function formula(parts) {
  return make("p", { class: "formula" }, parts.map((part) => (typeof part === "string" ? part : make("button", {
    type: "button", class: "fraction", "aria-label": `${part.words}: light ${rowCount(part.rows.length)}`,
    onmouseenter: () => light(part.rows), onfocus: () => light(part.rows), onmouseleave: () => light(null), onblur: () => light(null), onclick: () => light(part.rows),
  }, part.words))));
}
