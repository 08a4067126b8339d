// Brings the page to life. Without it everything can be read, but not tried.

function byId(id) {
  return document.getElementById(id);
}

function start() {
  const report = JSON.parse(byId("report").textContent);
  report.tree.pivot = report.tree.pivot.map((pivot) => (typeof pivot === "string" ? BigInt(pivot) : pivot));
  report.parents = parentsOf(report.tree);
  report.below = countsBelow(report.parents);
  document.documentElement.classList.add("live");
  setUpTheme(byId("theme"));
  const drawing = setUpDrawing(report);
  const whatIf = byId("what-if"), questions = byId("questions");
  if (whatIf) new WhatIf(whatIf, report, (nodes) => drawing.light(nodes));
  if (questions) new TwentyQuestions(questions, report);
  setUpThreshold(report.threshold);
  for (const table of document.querySelectorAll("table.sortable")) setUpSorting(table);
}

function setUpTheme(button) {
  const isDark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const show = () => { button.textContent = isDark() ? "Light" : "Dark"; };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    show();
  });
  show();
}

function setUpDrawing(report) {
  const drawing = new Drawing(document.querySelector("#tree .bough-tree"), report);
  const on = (id, event, react) => byId(id).addEventListener(event, react);
  const told = byId("found"), least = byId("least"), rows = byId("rows");
  drawing.onFocus = (node) => tell(report, node);
  on("zoom-in", "click", () => drawing.zoom(drawing.scale * ZOOM_STEP));
  on("zoom-out", "click", () => drawing.zoom(drawing.scale / ZOOM_STEP));
  on("fit", "click", () => drawing.fit());
  on("unfold", "click", () => drawing.foldAll(false));
  on("fold", "click", () => drawing.foldAll(true));
  on("search", "input", (event) => {
    const n = drawing.search(event.target.value);
    told.textContent = event.target.value.trim() ? `${n} found` : "";
  });
  on("search", "keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); drawing.nextHit(); } });
  const filter = () => {
    const wanted = report.supports[Number(least.value)];
    rows.textContent = wanted.toLocaleString("en");
    least.setAttribute("aria-valuetext", `${wanted} rows`);
    drawing.filter(wanted);
  };
  least.addEventListener("input", filter);
  filter();
  tell(report, 0);
  return drawing;
}

// What a node says: its rule, its training and test rows, and the rule as SQL.
function tell(report, node) {
  const about = aboutNode(report, Number(node));
  for (const name of ["rule", "train", "test", "sql"]) byId(`node-${name}`).textContent = about[name];
  const copy = byId("copy");
  copy.textContent = "Copy";
  copy.onclick = async () => {
    try {
      await navigator.clipboard.writeText(about.sql);
      copy.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(byId("node-sql"));
      copy.textContent = "Selected";
    }
  };
}

start();
