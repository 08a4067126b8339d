// The last step: the finished tree, cut at any depth, and its loss on the rows it was grown from.

const CURVE = { width: 560, height: 230, left: 62, right: 20, top: 14, bottom: 42 };

const lossWords = (table, loss) => (table.classes.length ? `${loss} of ${rowCount(table.labels.length)} wrong` : `mean loss ${figure(table, loss)}`);


function finishView(page, isPrinted = false) {
  const { table } = page, own = figuresOf(page.nodes), cut = cutAt(page.nodes, page.depth);
  const questions = cut.reduce((sum, node) => sum + node.rows.length * node.depth, 0) / table.labels.length;
  const said = `depth ${page.depth}: ${lossWords(table, own.losses[page.depth])}, ${counted(cut.length, "leaf", "leaves")}, ${figure(table, questions, 2)} questions on average`;
  return [
    make("p", { class: "lead" }, "The tree has ", make("b", {}, counted(own.leaves, "leaf", "leaves")), `, depth ${own.depth}, `, make("b", {}, figure(table, own.questions, 2)), " questions on average, ", make("b", {}, lossWords(table, own.losses.at(-1))), " on the rows it was grown from."),
    make("figure", {}, lossCurve(page, own), isPrinted ? null : make("figcaption", {}, make("label", {}, "Cut at ", make("input", { type: "range", id: "depth", min: 0, max: own.depth, value: page.depth, "aria-valuetext": said, oninput: (event) => page.cut(Number(event.target.value)) })), ` ${said}`)),
    make("p", { class: "muted" }, "This is the loss on rows that the tree has seen. How it does on new rows is another question, which these rows cannot answer."),
  ];
}

function lossCurve(page, own) {
  const { table } = page, most = Math.max(...own.losses) || 1;
  const x = (depth) => CURVE.left + (own.depth ? depth / own.depth : 0.5) * (CURVE.width - CURVE.left - CURVE.right);
  const y = (loss) => CURVE.top + (1 - loss / most) * (CURVE.height - CURVE.top - CURVE.bottom), ground = CURVE.height - CURVE.bottom;
  const points = own.losses.map((loss, depth) => [x(depth), y(loss)]);
  const every = Math.ceil((own.depth + 1) / 12);
  return drawn("svg", { class: "plot", viewBox: `0 0 ${CURVE.width} ${CURVE.height}`, role: "img", "aria-label": `Loss by depth: ${own.losses.map((loss, depth) => `${depth}: ${figure(table, loss, table.classes.length ? 0 : table.digits)}`).join(", ")}` },
    drawn("path", { class: "axis", d: `M${CURVE.left} ${CURVE.top}V${ground}H${CURVE.width - CURVE.right}` }),
    drawn("text", { x: CURVE.left - 8, y: CURVE.top + 5, "text-anchor": "end" }, figure(table, most, table.classes.length ? 0 : table.digits)), drawn("text", { x: CURVE.left - 8, y: ground + 4, "text-anchor": "end" }, "0"),
    drawn("text", { transform: `translate(16 ${(CURVE.top + ground) / 2}) rotate(-90)`, "text-anchor": "middle" }, table.classes.length ? "rows wrong" : "mean loss"),
    own.losses.map((_, depth) => (depth % every ? null : drawn("text", { x: x(depth), y: ground + 18, "text-anchor": "middle" }, String(depth)))),
    drawn("text", { x: (CURVE.left + CURVE.width) / 2, y: CURVE.height - 6, "text-anchor": "middle" }, "questions in a row (depth)"),
    drawn("path", { class: "line", d: `M${points.map((point) => point.map((each) => each.toFixed(1)).join(" ")).join("L")}` }),
    points.map(([left, top], depth) => drawn("circle", { class: depth === page.depth ? "chosen" : "", cx: left, cy: top, r: depth === page.depth ? 7 : 4 })));
}

/** Return the figures of the tree that the student has made beside those of the greedy one. */
function comparison(page) {
  const { table } = page, trees = [["your tree", figuresOf(page.nodes)], [`the greedy tree, by ${CRITERIA[table.criterion]}`, figuresOf(page.greedy)]];
  const last = table.classes.length ? "wrong" : "mean loss";
  return make("table", { class: "comparison" },
    make("thead", {}, make("tr", {}, make("td", {}), ["leaves", "depth", "questions on average", last].map((head) => make("th", { scope: "col", class: "number" }, head)))),
    make("tbody", {}, trees.map(([name, one]) => make("tr", {}, make("th", { scope: "row" }, name),
      [String(one.leaves), String(one.depth), one.questions.toFixed(2), figure(table, one.losses.at(-1), table.classes.length ? 0 : table.digits)].map((words) => make("td", { class: "number" }, words))))));
}
