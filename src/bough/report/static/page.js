// Brings the page to life. Without it everything can be read, but not tried.

function start() {
  const report = JSON.parse(byId("report").textContent);
  const reports = { model: report, ...(report.simple && { simple: report.simple }) };
  for (const each of Object.values(reports)) prepare(each);
  document.documentElement.classList.add("live");
  setUpTheme(byId("theme"));
  const show = setUpViews(reports);
  for (const button of document.querySelectorAll("[data-show]")) {
    button.addEventListener("click", () => {
      show(button.dataset.show);
      document.querySelector(".switch .view:not([hidden]) button").focus();
    });
  }
  setUpThreshold(report.threshold);
  for (const table of document.querySelectorAll(".sortable")) setUpSorting(table);
}

function prepare(report) {
  report.tree.pivot = report.tree.pivot.map((pivot) => (typeof pivot === "string" ? BigInt(pivot) : pivot));
  report.said ??= report.guess;
  report.parents = parentsOf(report.tree);
  report.below = countsBelow(report.parents);
  unpack(report);
}

// Gives a function that shows one of the trees, and shows the first.
function setUpViews(reports) {
  const first = document.querySelector(".view:not([hidden])").dataset.view, questions = byId("questions"), canvas = setUpDrawing();
  let whatIf;
  const light = (nodes) => canvas.light(nodes);
  const show = (name) => {
    const report = reports[name];
    for (const each of document.querySelectorAll(".view")) each.hidden = each.dataset.view !== name;
    byId("n-nodes").textContent = report.rows.length.toLocaleString("en");
    byId("search").value = "";
    byId("search").dispatchEvent(new Event("input"));
    canvas.show(report);
    if (byId("what-if")) whatIf = new WhatIf(byId("what-if"), report, light, whatIf?.typed);
    if (questions) new TwentyQuestions(questions, report);
  };
  for (const [name, report] of Object.entries(reports)) {
    setUpRules(document.querySelector(`#rules .view[data-view="${name}"]`), report, (node) => {
      byId("tree").scrollIntoView();
      canvas.light([0, ...pathTo(report, node)]);
    });
  }
  for (const link of document.querySelectorAll("a.to-node")) {
    link.addEventListener("click", () => {
      show("model");
      canvas.light([0, ...pathTo(reports.model, Number(link.dataset.to))]);
    });
  }
  show(first);
  return show;
}

function setUpDrawing() {
  const canvas = new Canvas(document.querySelector(".canvas"), new TreeMap(byId("map"), byId("map-up")));
  const on = (id, event, react) => byId(id).addEventListener(event, react);
  const told = byId("found"), least = byId("least"), rows = byId("rows");
  const tellFound = () => {
    const { hits, hit } = canvas, isOff = !byId("search").value.trim();
    told.textContent = isOff ? "" : hits.length ? `${hit + 1} of ${hits.length.toLocaleString("en")}` : "none";
    byId("find-steps").hidden = isOff;
    byId("find-back").disabled = byId("find-next").disabled = hits.length === 0;
  };
  const go = (step) => {
    canvas.next(step);
    tellFound();
  };
  canvas.onSelect = (node) => tell(canvas.view, node);
  canvas.onLeast = () => {
    least.value = 0;
    rows.textContent = "0";
  };
  on("zoom-in", "click", () => canvas.zoom(canvas.scale * ZOOM_STEP));
  on("zoom-out", "click", () => canvas.zoom(canvas.scale / ZOOM_STEP));
  on("fit", "click", () => canvas.fit());
  on("unfold", "click", () => canvas.foldAll(false));
  on("fold", "click", () => canvas.foldAll(true));
  on("search", "input", (event) => {
    canvas.search(event.target.value);
    tellFound();
  });
  on("search", "keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    go(event.shiftKey ? -1 : 1);
  });
  on("find-next", "click", () => go(1));
  on("find-back", "click", () => go(-1));
  on("least", "input", () => {
    const wanted = canvas.view.supports[Number(least.value)];
    rows.textContent = wanted.toLocaleString("en");
    least.setAttribute("aria-valuetext", `${wanted} rows`);
    canvas.filter(wanted);
  });
  return canvas;
}

// What a node says: its rule, its training and test rows, and the rule as SQL.
function tell(report, node) {
  const about = aboutNode(report, Number(node));
  for (const name of ["rule", "train", "test", "sql", "asks"]) byId(`node-${name}`).textContent = about[name];
  byId("node-asks").hidden = !about.asks;
  const copy = byId("copy");
  copy.textContent = "Copy";
  copy.onclick = () => copyWords(copy, about.sql, byId("node-sql"));
}

start();
