// Draws the tree so far: nodes that were looked at, and dashed ones that wait.

const CARD = { least: 7.4, most: 11.5, height: 4.1, gap: 1.5, between: 0.75 };

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
    const place = { node, line: 0 };
    places.set(node.id, place);
    const below = childrenShown(page, node).map(visit);
    place.line = below.length ? (below[0].line + below.at(-1).line) / 2 : line++;
    return place;
  };
  visit(page.nodes[0]);
  return { places, lines: line, columns: Math.max(...[...places.values()].map((place) => place.node.depth)) + 1 };
}

/** Return the tree as an element; lengths are in its own font size, which shrinks if there is little room. */
function treeView(page, room) {
  const { places, lines, columns } = layOut(page), least = columns * CARD.least + (columns - 1) * CARD.gap;
  const height = lines * (CARD.height + CARD.between);
  const scale = Math.min(Math.max(Math.min((room.width - 0.5) / least, room.height / height), room.smallest), 1);
  const fitting = ((room.width - 0.5) / scale - (columns - 1) * CARD.gap) / columns;
  const width = Math.min(Math.max(fitting, CARD.least), CARD.most), whole = columns * width + (columns - 1) * CARD.gap;
  const at = { left: (node) => node.depth * (width + CARD.gap), top: (place) => place.line * (CARD.height + CARD.between), width, n: page.nodes[0].rows.length };
  const edges = drawn("svg", { class: "edges", "aria-hidden": "true", viewBox: `0 0 ${whole} ${height}` });
  const view = placed(make("div", { class: "tree" }, edges), { width: `${whole}em`, height: `${height}em`, fontSize: `${scale}rem` });
  for (const place of places.values()) {
    if (place.node.parent) edges.append(edgeOf(place, places.get(place.node.parent.id), at));
    const card = cardOf(page, place.node, width);
    view.append(placed(card, { left: `${at.left(place.node)}em`, top: `${at.top(place)}em`, width: `${width}em`, height: `${CARD.height}em` }));
  }
  return view;
}

function edgeOf(place, parent, at) {
  const x = at.left(parent.node) + at.width, end = at.left(place.node), half = (x + end) / 2;
  const y = at.top(parent) + CARD.height / 2, to = at.top(place) + CARD.height / 2;
  return drawn("path", { d: `M${x} ${y}C${half} ${y} ${half} ${to} ${end} ${to}`, "stroke-width": 0.1 + 0.6 * Math.min(place.node.rows.length / at.n, 1) });
}

function cardOf(page, node, width) {
  const { table } = page, status = statusOf(page, node), isHere = !page.isLast && node.id === page.step;
  const answer = node.parent ? answerWords(table, node.parent.asks.query)[node.answer] : "all rows";
  const says = { asks: () => `${table.columns[node.asks.query.column].name} ?`, leaf: () => guessWords(table, node.guess), waiting: () => guessWords(table, node.guess), hidden: () => "which question?" }[status]();
  const otherwise = status === "asks" ? page.asksOtherwise(node) : null;
  const spoken = { asks: "rows, asks", leaf: "rows, a leaf, predicts", waiting: "rows, waiting, predicts", hidden: "rows" }[status];
  const onTop = node.isForced && status === "asks" ? "yours" : otherwise ? `${CRITERIA[page.criterion]} asks otherwise` : null;
  return make("button", {
    type: "button", class: `card ${status}${node.isForced ? " forced" : ""}`, title: `${trailWords(table, node)}: ${says}${otherwise ? `; ${CRITERIA[page.criterion]} asks ${questionWords(table, otherwise.query)}` : ""}`,
    "data-key": `card ${node.id}`,
    "aria-current": isHere ? "step" : null, onclick: () => page.go(node.id),
  }, make("span", { class: "line" }, make("span", { class: "answer" }, answer), make("span", { class: "n" }, String(node.rows.length))), make("span", { class: "sr" }, spoken),
  make("b", { class: says.length * 0.6 > width - 1.1 ? "says long" : "says" }, says), filled(classBar(table, node.tally), { "aria-hidden": "true" }, []), onTop && make("span", { class: `chip ${node.isForced ? "own" : "other"}` }, onTop));
}
