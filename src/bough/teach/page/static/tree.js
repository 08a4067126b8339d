// Draws the tree so far: nodes that were looked at, and dashed ones that wait.

const CARD = { least: 6.4, most: 11.5, height: 4.1, gap: 1.5, between: 0.75, smallest: 0.8 };

/** Return what stands on a node at this step. */
function statusOf(page, node) {
  if (page.isLast) return node.asks && node.depth < page.depth ? "asks" : "leaf";
  if (node.id > page.step) return "waiting";
  if (!page.isRevealed(node)) return "hidden";
  return node.asks ? "asks" : "leaf";
}

/** Return the children that can be seen at this step. */
function childrenShown(page, node) {
  return statusOf(page, node) === "asks" ? node.children.map((id) => page.nodes[id]) : [];
}

/** Give every node that can be seen its place: a column for its depth, and a line. */
function layOut(page) {
  const places = new Map();
  let line = 0;
  const visit = (node) => {
    const below = childrenShown(page, node).map(visit);
    const place = { node, line: below.length ? (below[0].line + below.at(-1).line) / 2 : line++ };
    places.set(node.id, place);
    return place;
  };
  visit(page.nodes[0]);
  return { places, lines: line, columns: Math.max(...[...places.values()].map((place) => place.node.depth)) + 1 };
}

/** Return the tree as an element, as wide as there is room or as its cards need. */
function treeView(page, room) {
  const { places, lines, columns } = layOut(page), rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const least = columns * CARD.least + (columns - 1) * CARD.gap, scale = Math.min(Math.max((room / rem - 0.5) / least, CARD.smallest), 1), em = rem * scale;
  const fitting = (room / em - 0.5 - (columns - 1) * CARD.gap) / columns;
  const width = Math.min(Math.max(fitting, CARD.least), CARD.most);
  const left = (node) => node.depth * (width + CARD.gap), top = (place) => place.line * (CARD.height + CARD.between);
  const whole = { width: `${columns * width + (columns - 1) * CARD.gap}em`, height: `${lines * (CARD.height + CARD.between)}em`, fontSize: `${scale}rem` };
  const edges = draw("svg", { class: "edges", "aria-hidden": "true", width: parseFloat(whole.width) * em, height: parseFloat(whole.height) * em });
  const drawn = placed(make("div", { class: "tree" }, edges), whole);
  for (const place of places.values()) {
    if (place.node.parent) edges.append(edgeOf(place, places.get(place.node.parent.id), { left, top, width, em, whole: page.nodes[0].rows.length }));
    const card = cardOf(page, place.node, width);
    drawn.append(placed(card, { left: `${left(place.node)}em`, top: `${top(place)}em`, width: `${width}em`, height: `${CARD.height}em` }));
  }
  return drawn;
}

function edgeOf(place, parent, at) {
  const x = (at.left(parent.node) + at.width) * at.em, end = at.left(place.node) * at.em, half = (x + end) / 2;
  const y = (at.top(parent) + CARD.height / 2) * at.em, to = (at.top(place) + CARD.height / 2) * at.em;
  const width = 1.5 + 10 * Math.min(place.node.rows.length / at.whole, 1);
  return draw("path", { d: `M${x} ${y}C${half} ${y} ${half} ${to} ${end} ${to}`, "stroke-width": width.toFixed(1) });
}

function cardOf(page, node, width) {
  const { table } = page, status = statusOf(page, node), isHere = !page.isLast && node.id === page.step;
  const answer = node.parent ? answerWords(table, node.parent.asks.query)[node.answer] : "all rows";
  const says = { asks: () => `${table.columns[node.asks.query.column].name} ?`, leaf: () => guessWords(table, node.guess), waiting: () => guessWords(table, node.guess), hidden: () => "which question?" }[status]();
  const otherwise = status === "asks" ? page.asksOtherwise(node) : null;
  const spoken = `Node ${node.id}, ${trailWords(table, node)}, ${rowCount(node.rows.length)}: ${{ asks: "asks", leaf: "leaf, predicts", waiting: "waiting, predicts", hidden: "" }[status]} ${says}`;
  const onTop = node.isForced && status === "asks" ? "yours" : otherwise ? `${CRITERIA[page.criterion]} asks otherwise` : null;
  return make("button", {
    type: "button", class: `card ${status}${node.isForced ? " forced" : ""}`, title: `${trailWords(table, node)}: ${says}`,
    "aria-label": otherwise ? `${spoken}; ${CRITERIA[page.criterion]} would ask ${questionWords(table, otherwise.query)}` : spoken,
    "aria-current": isHere ? "step" : null, onclick: () => page.go(node.id),
  }, make("span", { class: "line" }, make("span", { class: "answer" }, answer), make("span", { class: "n" }, String(node.rows.length))),
  make("b", { class: says.length * 0.6 > width - 1.1 ? "says long" : "says" }, says), classBar(table, node.tally), onTop && make("span", { class: `chip ${node.isForced ? "own" : "other"}` }, onTop));
}
