// The table of rules: to its node, copied, and all of them.

function setUpRules(place, report, show) {
  const table = place.querySelector(".rules");
  const head = table.tHead.rows[0];
  head.append(make("th", { scope: "col", class: "live-only" }, make("span", { class: "sr" }, "to do")));
  for (const row of table.tBodies[0].rows) addButtons(row);
  table.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-do]");
    if (!button) return;
    const row = button.closest("tr");
    if (button.dataset.do === "show") show(Number(row.dataset.node));
    else copyWords(button, ruleWords(row), row.querySelector(".rule-words"));
  });
  const more = place.querySelector("[data-more]");
  more?.addEventListener("click", () => {
    table.tBodies[0].append(...otherRules(report, table));
    more.parentElement.remove();
  });
}

function addButtons(row) {
  const button = (what, words) => make("button", { type: "button", class: "quiet", "data-do": what }, words);
  row.append(make("td", { class: "whole" }, button("show", "In the tree"), " ", button("copy", "Copy")));
}

function ruleWords(row) {
  return `if ${row.querySelector(".rule-words").textContent} then ${row.cells[1].textContent.trim()}`;
}

// The rules of the leaves that are not in the table yet.
function otherRules(report, table) {
  const { tree, rows, tests } = report, { tBodies: [body], tHead } = table;
  const known = new Set([...body.rows].map((row) => Number(row.dataset.node)));
  const leaves = [...tree.feature.keys()].filter((node) => tree.feature[node] < 0 && !known.has(node));
  const hasCertainty = ["share", "spread"].includes(tHead.rows[0].cells[2].textContent);
  return leaves.sort((one, other) => rows[other] - rows[one]).map((node) => {
    const [rule, says] = aboutNode(report, node).rule.split(/ → (?=[^→]*$)/);
    const [, guess, certainty] = says.match(hasCertainty ? /^(.*?) ((?:±|<|>)? ?[\d.,e+-]+(?: %)?)$/ : /^(.*)()$/) ?? [says, says, ""];
    const number = (words) => make("td", { class: "number" }, words);
    const row = make("tr", { "data-node": node }, make("td", {}, make("bdi", { class: "rule-words" }, rule)), make("td", {}, make("bdi", {}, guess)));
    if (hasCertainty) row.append(number(certainty));
    row.append(number(rows[node].toLocaleString("en")));
    if (tests) row.append(number(tests[node]?.[2] ?? ""), number((tests[node]?.[0] ?? 0).toLocaleString("en")));
    addButtons(row);
    return row;
  });
}

// Copies words; where that is not allowed the place where they stand is selected.
async function copyWords(button, words, place) {
  try {
    await navigator.clipboard.writeText(words);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(place);
    button.textContent = "Selected";
  }
}
