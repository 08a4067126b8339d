// The place in the page as a link: #step=7&criterion=gini

function readAddress(page, text) {
  const said = new URLSearchParams(text.replace(/^#/, "")), { table } = page;
  const criterion = (name) => (table.criteria.includes(said.get(name)) ? said.get(name) : table.criterion);
  page.growBy = criterion("grow");
  page.criterion = said.has("criterion") ? criterion("criterion") : page.growBy;
  page.isPredicting = said.get("predict") === "1";
  page.forced = new Map((said.get("ask") ?? "").split("~").filter((each) => each.includes(":")).map((each) => each.split(":")));
  page.regrow();
  const step = Number.parseInt(said.get("step"), 10) - 1, depth = Number.parseInt(said.get("depth"), 10);
  page.step = Number.isNaN(step) ? 0 : Math.min(Math.max(step, 0), page.nodes.length);
  page.depth = Number.isNaN(depth) ? page.height : Math.min(Math.max(depth, 0), page.height);
}

function addressOf(page) {
  const said = [`step=${page.step + 1}`];
  if (page.criterion !== page.growBy || page.growBy !== page.table.criterion) said.push(`criterion=${page.criterion}`);
  if (page.growBy !== page.table.criterion) said.push(`grow=${page.growBy}`);
  if (page.isPredicting) said.push("predict=1");
  if (page.isLast && page.depth !== page.height) said.push(`depth=${page.depth}`);
  if (page.forced.size) said.push(`ask=${[...page.forced].map((each) => each.join(":")).join("~")}`);
  return `#${said.join("&")}`;
}
