// What is said about the node of a step: its labels, its arithmetic, its questions.

function headingWords(page) {
  if (page.isLast) return "The finished tree";
  return page.step ? trailWords(page.table, page.nodes[page.step]) : "All rows";
}

function placeWords(page) {
  const all = page.nodes.length + 1;
  return page.isLast ? `Step ${all} of ${all}` : `Step ${page.step + 1} of ${all} · node #${page.step}`;
}

/** Return the labels of a node as bars, and what it predicts. */
function labelsView(page, node) {
  const { table } = page, { tally } = node;
  const right = table.classes.length && node.rows.length ? `, ${tally.right}/${node.rows.length} right` : "";
  const guess = make("p", { class: "predicts" }, rowCount(node.rows.length), " · predict ", make("b", {}, guessWords(table, node.guess)), table.classes.length ? right : `, the ${page.criterion === "absolute_error" ? "median" : "mean"}`);
  if (!table.classes.length) return [guess];
  const most = Math.max(...tally.counts, 1), named = table.classes.map((name, label) => ({ name, label, count: tally.counts[label] }));
  const shown = named.length > 8 ? [...named].sort((one, other) => other.count - one.count).slice(0, 8) : named;
  return [guess, make("div", { class: "histogram" }, shown.map(({ name, label, count }) => make("div", { onmouseenter: () => light(node.rows.filter((row) => table.labels[row] === label)), onmouseleave: () => light(null) },
    make("span", { class: "name" }, name), make("span", { class: "room" }, placed(make("span", { class: colorOf(table, label) }), { width: `${(100 * count) / most}%` })), make("span", { class: "number" }, String(count)))))];
}

/** Return all that is said about a node that asks. */
function questionsView(page, node, isPrinted = false) {
  const { table } = page, scored = page.selectedAt(node), isOpen = page.isRevealed(node);
  const isNumber = table.columns[scored.query.column].isNumber, isAsked = scored.key === keyOf(node.asks.query);
  return [
    make("div", { class: "scroll", tabindex: isPrinted ? null : 0, role: "region", "aria-label": "Questions" }, candidateTable(page, node, isPrinted)),
    isOpen ? decisionLines(page, node) : make("p", { class: "lead" }, "Which question tells most about the label? Pick one."),
    make("div", { class: "detail" },
      make("h2", {}, questionWords(table, scored.query)),
      isNumber ? numberView(page, node, scored, isPrinted) : null,
      make("div", { class: "scroll", tabindex: isPrinted ? null : 0, role: "region", "aria-label": "Answers" }, answerTable(page, node, scored)),
      isOpen ? [formula(remainderParts(table, scored)), formula(gainParts(table, scored)), page.criterion === "gain_ratio" && scored.bits ? formula(ratioParts(table, scored)) : null] : null,
      isPrinted ? null : buttonsOf(page, node, scored, isOpen, isAsked)),
  ];
}

function buttonsOf(page, node, scored, isOpen, isAsked) {
  const words = questionWords(page.table, scored.query);
  if (!isOpen) return make("p", { class: "buttons" }, make("button", { type: "button", id: "pick", class: "strong", onclick: () => page.pick(node, scored) }, `Pick ${words}`));
  return make("p", { class: "buttons" },
    isAsked ? null : make("button", { type: "button", id: "otherwise", onclick: () => page.askOtherwise(node, scored.key) }, `Ask ${words} instead`),
    node.isForced ? make("button", { type: "button", onclick: () => page.askOtherwise(node, null) }, "Ask the best question here again") : null);
}

/** Return what decided: ties, what was picked, and what another criterion would ask. */
function decisionLines(page, node) {
  const { table } = page, lines = [], picked = page.picked.get(node.path);
  if (picked) lines.push(make("p", { class: `verdict ${picked.lost ? "lost" : "won"}`, role: "status" }, picked.words));
  const asks = questionWords(table, node.asks.query);
  if (node.isForced) lines.push(make("p", { class: "note" }, "You ask ", make("b", {}, asks), ` here; ${CRITERIA[page.growBy]} would ask ${questionWords(table, node.questions.best(page.growBy)[0].query)}.`));
  const otherwise = page.asksOtherwise(node);
  if (otherwise) lines.push(make("p", { class: "note other" }, `By ${CRITERIA[page.criterion]} this node would ask `, make("b", {}, questionWords(table, otherwise.query)), `, not ${asks}.`));
  const tie = tieWords(table, node.questions, page.criterion);
  if (tie) lines.push(make("p", { class: "note information" }, tie));
  return lines;
}

/** Return a whole step: heading, labels, arithmetic, questions or why there are none. */
function nodeView(page, node, isPrinted = false) {
  return [
    labelsView(page, node),
    node.rows.length && page.isRevealed(node) ? formula(impurityParts(page.table, node.questions, page.criterion)) : null,
    node.asks ? questionsView(page, node, isPrinted) : make("p", { class: "lead leaf-reason" }, make("b", {}, "Leaf: "), `${node.stops}${node.rows.length ? "" : `; the node above predicts ${guessWords(page.table, node.guess)}`}.`),
  ];
}
