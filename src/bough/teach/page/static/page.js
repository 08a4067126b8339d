// Brings the page to life: controls, keys, links, print.

const SMALLEST_PRINT = 0.3;
const KEYS = { ArrowLeft: (page) => page.step - 1, ArrowRight: (page) => page.step + 1, Home: () => 0, End: (page) => page.nodes.length };

/** Return the classes in order of colour: all have one of their own, or the commonest of too many. */
function colorsOf(table) {
  if (table.classes.length <= 8) return table.classes.map((_, label) => label);
  const counts = tallyOf(table, table.labels.map((_, row) => row), "error").counts;
  const common = table.classes.map((_, label) => label).sort((one, other) => counts[other] - counts[one]).slice(0, 7).sort((one, other) => one - other);
  return table.classes.map((_, label) => (common.includes(label) ? common.indexOf(label) : 7));
}

function start() {
  const table = prepare(JSON.parse(byId("growth").textContent));
  table.colors = colorsOf(table);
  document.documentElement.classList.add("live");
  const page = new Steps(table, () => show(page));
  readAddress(page, location.hash);
  setUpTheme(byId("theme"));
  setUpControls(page);
  setUpPrint(page);
  addEventListener("hashchange", () => { if (location.hash !== addressOf(page)) { readAddress(page, location.hash); show(page); } });
  let width = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== width) { width = innerWidth; show(page); } });
  show(page);
}

function setUpControls(page) {
  const on = (id, event, react) => byId(id).addEventListener(event, react);
  on("first", "click", () => page.go(0));
  on("back", "click", () => page.go(page.step - 1));
  on("next", "click", () => page.go(page.step + 1));
  on("last", "click", () => page.go(page.nodes.length));
  on("step", "input", (event) => page.go(Number(event.target.value)));
  on("predict", "change", (event) => page.setPredicting(event.target.checked));
  on("grow", "click", () => page.growAnew(page.criterion));
  on("greedy", "click", () => { page.criterion = page.table.criterion; page.growAnew(page.table.criterion); });
  byId("criteria").append(...page.table.criteria.map((name) => make("label", {},
    make("input", { type: "radio", name: "criterion", value: name, onchange: () => page.setCriterion(name) }), CRITERIA[name])));
  addEventListener("keydown", (event) => {
    const isTyping = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName) && event.target.id !== "step";
    if (isTyping || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !KEYS[event.key]) return;
    event.preventDefault();
    page.go(KEYS[event.key](page));
  });
}

/** Show the step: whatever is there is made anew, and what had the focus has it again. */
function show(page) {
  const focused = document.activeElement, key = focused?.id || null, other = focused?.dataset?.key;
  const node = page.isLast ? null : page.nodes[page.step];
  byId("place").textContent = placeWords(page);
  byId("heading").textContent = headingWords(page);
  showControls(page);
  PLOT.width = CURVE.width = PLANE.width = Math.min(Math.max(byId("right").clientWidth - 24, 320), 640);
  byId("tree").replaceChildren(treeView(page, { width: byId("tree").clientWidth / remSize(), height: Infinity, smallest: 0.76 }));
  byId("plane").replaceChildren(...(isPlane(page.table) ? [planeView(page)] : []));
  byId("node").replaceChildren(...(node ? nodeView(page, node) : finishView(page)).flat(3).filter(Boolean));
  byId("rows").replaceChildren(node ? rowsView(page, node) : finishedRows(page));
  byId("table-head").textContent = page.table.labels.length > MOST_ROWS ? "Counts of rows" : page.isLast && page.table.classes.length ? "The rows; those it gets wrong are lit" : "The rows";
  byId("own").hidden = !page.isOwn;
  byId("compared").replaceChildren(...(page.isOwn ? [comparison(page)] : []));
  light(null);
  const again = key ? byId(key) : other ? [...document.querySelectorAll("[data-key]")].find((each) => each.dataset.key === other) : null;
  if (again && again !== document.activeElement) again.focus({ preventScroll: true });
  history.replaceState(null, "", addressOf(page));
  keepInView(byId("tree"), byId("tree").querySelector("[aria-current]"));
}

const remSize = () => parseFloat(getComputedStyle(document.documentElement).fontSize);

function showControls(page) {
  const slider = byId("step"), isOther = page.criterion !== page.growBy;
  slider.max = page.nodes.length;
  slider.value = page.step;
  slider.setAttribute("aria-valuetext", `${placeWords(page)}: ${headingWords(page)}`);
  byId("first").disabled = byId("back").disabled = page.step === 0;
  byId("next").disabled = byId("last").disabled = page.isLast;
  byId("predict").checked = page.isPredicting;
  for (const radio of document.querySelectorAll("[name=criterion]")) radio.checked = radio.value === page.criterion;
  byId("grow").hidden = !isOther;
  byId("grow").textContent = `Grow the tree by ${CRITERIA[page.criterion]}`;
  byId("grown-by").textContent = `grown by ${CRITERIA[page.growBy]}`;
  byId("marks").textContent = isOther ? marksWords(page) : "";
}

/** Return how many nodes would ask otherwise by the criterion that is shown. */
function marksWords(page) {
  const asking = page.nodes.filter((node) => node.asks && (page.isLast || node.id <= page.step) && page.isRevealed(node));
  const n = asking.filter((node) => page.asksOtherwise(node)).length;
  return `${CRITERIA[page.criterion]} would ask otherwise at ${n} of ${counted(asking.length, "node")} so far.`;
}

function keepInView(room, card) {
  if (!card) return;
  const top = card.offsetTop, left = card.offsetLeft;
  if (top < room.scrollTop || top + card.offsetHeight > room.scrollTop + room.clientHeight) room.scrollTop = top - room.clientHeight / 2 + card.offsetHeight / 2;
  if (left < room.scrollLeft || left + card.offsetWidth > room.scrollLeft + room.clientWidth) room.scrollLeft = left - room.clientWidth / 2 + card.offsetWidth / 2;
}

/** One step on each printed page: all are made when printing begins. */
function setUpPrint(page) {
  const printed = byId("printed");
  const fill = () => printed.replaceChildren(...printedSteps(page));
  addEventListener("beforeprint", fill);
  addEventListener("afterprint", () => printed.replaceChildren());
  matchMedia("print").addEventListener("change", (event) => { if (event.matches && !printed.children.length) fill(); });
}

function printedSteps(page) {
  const here = { step: page.step, depth: page.depth, selected: page.selected, isPredicting: page.isPredicting };
  page.selected = null;
  page.isPredicting = false;
  PLOT.width = CURVE.width = PLANE.width = 640;
  const found = Array.from({ length: page.nodes.length + 1 }, (_, step) => {
    page.step = step;
    page.depth = page.height;
    return printedStep(page, page.isLast ? null : page.nodes[step]);
  });
  Object.assign(page, here);
  return found;
}

/** Return a step for paper. What would not fit on one page is left out: a large tree, many rows. */
function printedStep(page, node) {
  const isWide = page.table.columns.length > 5, isAsking = Boolean(node?.asks);
  const height = isAsking ? Math.max(34 - 2 * page.table.columns.length, 14) : 44;
  const isSmall = layOut(page).lines * (CARD.height + CARD.between) * SMALLEST_PRINT <= height;
  return make("section", { class: "printed-step" }, make("p", { class: "facts" }, placeWords(page)), make("h2", {}, headingWords(page)),
    isSmall ? make("div", { class: "printed-tree" }, treeView(page, { width: 58, height, smallest: SMALLEST_PRINT })) : null,
    isPlane(page.table) ? planeView(page, true) : null,
    (node ? nodeView(page, node, true) : finishView(page, true)).flat(3).filter(Boolean),
    node && !(isWide && isAsking) ? rowsView(page, node, true) : null);
}

start();
