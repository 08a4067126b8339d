// Two numbers: the regions of the tree so far, with the points, cut by cut.

const PLANE = { width: 640, height: 400, left: 58, bottom: 44, top: 10, right: 10 };

const isPlane = (table) => table.columns.length === 2 && table.columns.every((column) => column.isNumber && column.values.length > 1);

/** Return the edges of the region of a node: from and to, along each of the two columns. */
function regionOf(table, node) {
  if (!node.parent) return [[-Infinity, Infinity], [-Infinity, Infinity]];
  const region = regionOf(table, node.parent), { query } = node.parent.asks;
  if (query.kind !== "below") return region;
  const { values } = table.columns[query.column], pivot = pivotBetween(values[query.low], values[query.code]);
  region[query.column][node.answer === 0 ? 1 : 0] = pivot;
  return region;
}

function planeView(page, isPrinted = false) {
  const { table } = page, [across, up] = table.columns, margin = 14;
  const x = scaleOf(across.values, PLANE.left + margin, PLANE.width - PLANE.right - margin);
  const y = scaleOf(up.values, PLANE.height - PLANE.bottom - margin, PLANE.top + margin);
  const clip = (value, low, high) => Math.min(Math.max(value, low), high);
  const boxOf = (node) => {
    const [[west, east], [south, north]] = regionOf(table, node);
    const left = clip(x(west), PLANE.left, PLANE.width - PLANE.right), right = clip(x(east), PLANE.left, PLANE.width - PLANE.right);
    const top = clip(y(north), PLANE.top, PLANE.height - PLANE.bottom), bottom = clip(y(south), PLANE.top, PLANE.height - PLANE.bottom);
    return { x: left.toFixed(1), y: top.toFixed(1), width: (right - left).toFixed(1), height: (bottom - top).toFixed(1) };
  };
  const ends = [...layOut(page).places.values()].map((place) => place.node).filter((node) => !childrenShown(page, node).length);
  const here = page.isLast ? null : page.nodes[page.step];
  return make("figure", { class: "plane-figure" }, drawn("svg", { class: "plot plane", viewBox: `0 0 ${PLANE.width} ${PLANE.height}`, role: "img", "aria-label": `${counted(ends.length, "region")} of ${across.name} and ${up.name}` },
    drawn("g", { class: "regions" }, ends.map((node) => tinted(drawn("rect", { class: statusOf(page, node), ...boxOf(node) }), table, node.guess))),
    here ? drawn("rect", { class: "here", ...boxOf(here) }) : null, here && !isPrinted ? cutLine(page, here, boxOf(here), x, y) : null,
    drawn("g", { class: "points" }, table.labels.map((label, row) => pointOf(table, row, x, y))),
    drawn("text", { x: (PLANE.left + PLANE.width) / 2, y: PLANE.height - 10, "text-anchor": "middle" }, across.name),
    [0, across.values.length - 1].map((code, place) => drawn("text", { x: x(across.values[code]), y: PLANE.height - 10 - 16, "text-anchor": place ? "end" : "start" }, cellWords(across, code))),
    [0, up.values.length - 1].map((code) => drawn("text", { x: PLANE.left - 6, y: y(up.values[code]) + 4, "text-anchor": "end" }, cellWords(up, code))),
    drawn("text", { transform: `translate(15 ${PLANE.height / 2 - 10}) rotate(-90)`, "text-anchor": "middle" }, up.name)));
}

function pointOf(table, row, x, y) {
  const [across, up] = table.columns;
  if (across.codes[row] === MISSING || up.codes[row] === MISSING) return null;
  return tinted(drawn("circle", { "data-row": row, cx: x(across.values[across.codes[row]]).toFixed(1), cy: y(up.values[up.codes[row]]).toFixed(1), r: table.labels.length > 150 ? 3 : 5 }), table, table.labels[row]);
}

/** Return the cut that the chosen question makes through the region of a node. */
function cutLine(page, node, box, x, y) {
  const scored = page.selectedAt(node);
  if (!scored || scored.query.kind !== "below" || !node.asks) return null;
  const { values } = page.table.columns[scored.query.column], pivot = pivotBetween(values[scored.query.low], values[scored.query.code]);
  const d = scored.query.column === 0 ? `M${x(pivot)} ${box.y}v${box.height}` : `M${box.x} ${y(pivot)}h${box.width}`;
  return drawn("path", { class: "pivot", d });
}
