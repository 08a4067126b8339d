// The questions that a node may ask, one line for each column, and the answers of the chosen one.

/** Return a line for each column: its best question, how its answers part the rows, what it gains. */
function candidateTable(page, node, isPrinted = false) {
  const { table } = page, isOpen = page.isRevealed(node), found = page.candidates(node);
  const most = Math.max(...found.map((each) => each?.score ?? 0), 0), isRatio = page.criterion === "gain_ratio";
  const heads = ["question", "its answers", ...(isOpen ? [...(table.classes.length ? ["right"] : []), "remainder", isRatio ? "gain ratio" : "gain"] : [])];
  const wanted = isOpen ? page.wanted(node) : new Map();
  const lines = found.map((each, column) => {
    const name = table.columns[column].name;
    if (!each) return make("tr", { class: "nothing" }, make("th", { scope: "row" }, name), make("td", { colspan: heads.length - 1 }, page.nothingToAsk(node, column)));
    return candidateLine(page, node, each, { most, isOpen, isPrinted, others: wanted.get(column) ?? [] });
  });
  return make("table", { class: `candidates${isOpen ? "" : " closed"}` },
    make("thead", {}, make("tr", {}, heads.map((head, place) => make("th", { scope: "col", class: `${place > 1 ? "number" : ""}${head === "remainder" ? " left" : ""}` }, head)))),
    make("tbody", {}, lines));
}

function candidateLine(page, node, each, { most, isOpen, isPrinted, others }) {
  const { table } = page, { name } = table.columns[each.query.column];
  const isAsked = isOpen && node.asks.query.column === each.query.column, isSelected = page.selectedAt(node).query.column === each.query.column;
  const words = isOpen || each.query.kind === "each" ? questionWords(table, each.query) : name;
  const figures = isOpen ? [
    table.classes.length ? make("td", { class: "number" }, `${each.right}/${each.n}`) : null,
    make("td", { class: "number left" }, figure(table, each.remainder)),
    make("td", { class: "number gain" }, figure(table, each.score), gainBar(each.score, most)),
  ] : [];
  return make("tr", { class: `${isAsked ? "best" : ""}${isSelected && !isPrinted ? " selected" : ""}` },
    make("th", { scope: "row" },
      isPrinted ? [isAsked ? "▶ " : "", breakable(words, name)] : make("button", { type: "button", class: "pick", "data-key": `question ${each.query.column}`, "aria-pressed": String(isSelected), onclick: () => page.select(each.query.column) }, isAsked ? "▶\u00a0" : "", breakable(words, name)),
      others.map((words) => [" ", make("span", { class: "chip other" }, words)])),
    make("td", {}, mosaic(table, each)), figures);
}

const gainBar = (score, most) => make("span", { class: "meter", "aria-hidden": "true" }, placed(make("span"), { width: `${most > 0 ? (100 * Math.max(score, 0)) / most : 0}%` }));

/** Show all answers side by side, each as wide as it has rows, and in it the classes. */
function mosaic(table, each) {
  return make("div", { class: "mosaic" }, each.answers.filter((answer) => answer.rows.length).map((answer) => {
    const words = answer.words.replace(/^= /, "");
    return placed(make("span", { class: "answer", title: `${answer.words}: ${countWords(table, answer.tally)}` },
      table.classes.length ? classBar(table, answer.tally, `${words}: ${countWords(table, answer.tally)}`) : make("span", { class: "bar plain" }, guessWords(table, answer.guess)),
      make("span", { class: "words" }, answer.rows.length < 0.12 * each.n ? "\u00a0" : words)), { flexGrow: answer.rows.length });
  }));
}

/** Return the answers of a question: their rows, what they predict, how mixed they are. */
function answerTable(page, node, scored) {
  const { table } = page, isOpen = page.isRevealed(node), sign = SIGNS[page.criterion];
  const names = table.classes.length && table.classes.length <= 6 ? table.classes : [];
  const heads = [[table.columns[scored.query.column].name, ""], ...names.map((name) => [name, "number"]), ["predict", ""], ...(isOpen ? [[sign, "number"]] : []), ["share", "number"]];
  return make("table", { class: "answers" },
    make("thead", {}, make("tr", {}, heads.map(([head, kind]) => make("th", { scope: "col", class: kind }, head)))),
    make("tbody", {}, scored.answers.map((answer) => make("tr", { tabindex: null, onmouseenter: () => light(answer.rows), onmouseleave: () => light(null) },
      make("th", { scope: "row" }, answer.words.replace(/^= /, "")), names.map((_, label) => make("td", { class: "number" }, String(answer.tally.counts[label]))),
      make("td", {}, guessWords(table, answer.guess)), isOpen ? make("td", { class: "number" }, answer.rows.length ? figure(table, answer.impurity) : "–") : null,
      make("td", { class: "number" }, `${answer.rows.length}/${scored.n}`)))));
}
