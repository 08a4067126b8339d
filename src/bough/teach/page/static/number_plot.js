// A number: the gain of every pivot as a curve, the rows as points on a line, and a slider.

const PLOT = { width: 640, left: 44, right: 14, curve: 96, strip: 92, axis: 26 };

/** Return a scale from the values of some rows to places in the picture. */
function scaleOf(values, from, to) {
  const low = Math.min(...values), high = Math.max(...values), range = high - low || 1;
  return (value) => from + ((value - low) / range) * (to - from);
}

/** Return the better question at each pivot: missing rows go where they gain more. */
function pivotsTried(questions, column, criterion) {
  const best = new Map();
  for (const each of questions.about(column, criterion)) {
    if (each.query.kind !== "below") continue;
    const known = best.get(each.query.code);
    if (!known || each.gain > known.gain) best.set(each.query.code, each);
  }
  return [...best.values()];
}

/** Return the picture of a number at a node, with the chosen pivot. */
function numberView(page, node, scored, isPrinted = false) {
  const { table } = page, { column } = scored.query, tried = pivotsTried(node.questions, column, page.criterion);
  const { name, values, codes } = table.columns[column], rows = node.rows.filter((row) => codes[row] !== MISSING);
  if (!tried.length) return null;
  const x = scaleOf(rows.map((row) => values[codes[row]]), PLOT.left + 8, PLOT.width - PLOT.right - 8);
  const pivotOf = (query) => pivotBetween(values[query.low], values[query.code]);
  const chosen = Math.max(tried.findIndex((each) => each.query.code === scored.query.code), 0), isOpen = page.isRevealed(node);
  const height = PLOT.curve + PLOT.strip + PLOT.axis, pivot = x(pivotOf(tried[chosen].query));
  const picture = drawn("svg", { class: "plot", viewBox: `0 ${isOpen ? 0 : PLOT.curve} ${PLOT.width} ${height - (isOpen ? 0 : PLOT.curve)}`, role: "img", "aria-label": `${name}: ${counted(tried.length, "pivot")} tried on ${rowCount(rows.length)}` },
    isOpen ? gainCurve(page, node, tried, (query) => x(pivotOf(query)), chosen) : null,
    table.classes.length ? pointStrip(table, rows, (row) => x(values[codes[row]])) : pointCloud(page, node, scored, rows, (row) => x(values[codes[row]]), pivot),
    axisOf(rows.map((row) => values[codes[row]]), x, height, table.columns[column]),
    scored.query.kind === "below" ? drawn("path", { class: "pivot", d: `M${pivot} ${isOpen ? 6 : PLOT.curve}V${PLOT.curve + PLOT.strip}` }) : null);
  return make("figure", { class: "number-figure" }, picture, isPrinted ? null : pivotSlider(page, node, tried, chosen, isOpen));
}

function gainCurve(page, node, tried, place, chosen) {
  const gains = tried.map((each) => impurityOf(node.questions.tally(page.criterion), each.gain)), most = Math.max(...gains) || 1;
  const y = (gain) => PLOT.curve - 8 - (PLOT.curve - 24) * (Math.max(gain, 0) / most);
  const points = tried.map((each, number) => [place(each.query), y(gains[number])]);
  return drawn("g", { class: "curve" },
    drawn("path", { class: "axis", d: `M${PLOT.left} ${PLOT.curve - 8}H${PLOT.width - PLOT.right}` }),
    drawn("text", { x: PLOT.left - 6, y: 20, "text-anchor": "end" }, figure(page.table, most)), drawn("text", { x: PLOT.left - 6, y: PLOT.curve - 4, "text-anchor": "end" }, "0"),
    drawn("text", { x: PLOT.left - 6, y: 40, "text-anchor": "end" }, "gain"),
    drawn("path", { class: "line", d: `M${points.map((point) => point.map((each) => each.toFixed(1)).join(" ")).join("L")}` }),
    tried.length <= 60 ? points.map(([left, top]) => drawn("circle", { cx: left, cy: top, r: 3 })) : null,
    drawn("circle", { class: "chosen", cx: points[chosen][0], cy: points[chosen][1], r: 6 }));
}

/** Stack the rows on their values, as dots; where there are many the dots lie closer. */
function pointStrip(table, rows, place) {
  const size = rows.length > 150 ? 5 : rows.length > 60 ? 7 : 11, stacks = new Map();
  for (const row of [...rows].sort((one, other) => table.labels[one] - table.labels[other])) {
    const left = Math.round(place(row) / size) * size;
    stacks.set(left, [...(stacks.get(left) ?? []), row]);
  }
  const tallest = Math.max(...[...stacks.values()].map((stack) => stack.length));
  const step = Math.min(size, (PLOT.strip - size) / tallest), ground = PLOT.curve + PLOT.strip;
  return drawn("g", { class: "points" }, [...stacks].flatMap(([left, stack]) => stack.map((row, number) =>
    drawn("circle", { class: colorOf(table, table.labels[row]), "data-row": row, cx: left, cy: (ground - size / 2 - number * step).toFixed(1), r: (size / 2 - 0.4).toFixed(1) }))));
}

/** Show labels that are numbers above their values, and what each answer predicts. */
function pointCloud(page, node, scored, rows, place, pivot) {
  const { table } = page, y = scaleOf(rows.map((row) => table.labels[row]), PLOT.curve + PLOT.strip - 8, PLOT.curve + 8);
  const ends = [[PLOT.left, pivot], [pivot, PLOT.width - PLOT.right]];
  const guesses = scored.query.kind !== "below" ? [] : scored.answers.map((answer, side) => drawn("path", { class: "guess", d: `M${ends[side][0]} ${y(answer.guess)}H${ends[side][1]}` }));
  return drawn("g", { class: "points" }, rows.map((row) => tinted(drawn("circle", { "data-row": row, cx: place(row).toFixed(1), cy: y(table.labels[row]).toFixed(1), r: rows.length > 100 ? 2.5 : 4 }), table, table.labels[row])), guesses);
}

function axisOf(values, x, height, column) {
  const low = Math.min(...values), high = Math.max(...values), code = (value) => column.values.indexOf(value);
  const ends = low === high ? [low] : [low, high];
  return drawn("g", { class: "axis-words" },
    drawn("path", { class: "axis", d: `M${PLOT.left} ${height - PLOT.axis}H${PLOT.width - PLOT.right}` }),
    ends.map((value, place) => drawn("text", { x: x(value), y: height - 8, "text-anchor": place ? "end" : "start" }, cellWords(column, code(value)))),
    drawn("text", { x: PLOT.width / 2, y: height - 8, "text-anchor": "middle" }, column.name));
}

function pivotSlider(page, node, tried, chosen, isOpen) {
  const { table } = page, each = tried[chosen], words = questionWords(table, each.query);
  const gain = impurityOf(node.questions.tally(page.criterion), each.gain);
  const said = isOpen ? `${words}: gain ${figure(table, gain)}` : words;
  return make("figcaption", {}, make("label", {}, `Pivot ${chosen + 1} of ${tried.length} `,
    make("input", { type: "range", id: "pivot", min: 0, max: tried.length - 1, value: chosen, "aria-valuetext": said, oninput: (event) => page.choosePivot(tried[Number(event.target.value)]) })),
  make("b", {}, ` ${words}`), isOpen ? ` gains ${figure(table, gain)}` : "");
}
