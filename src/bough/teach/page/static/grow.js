// Grows the tree of a table, node by node, as bough.reference does. A question may be forced.

const MOST_NODES = 5000;
const EQUAL = "all labels are equal";
const ALIKE = "no question tells these rows apart";
const NOTHING_LEFT = "every question has been asked";

/** Make a table ready to grow from: what the page holds of it is plain data. */
function prepare(data) {
  const table = { ...data };
  if (!table.classes.length) Object.assign(table, asIntegers(table.labels));
  return table;
}

/** Return all nodes in breadth-first order. `forced` has questions by the path to their node. */
function grow(table, criterion, forced = new Map()) {
  const nodes = [newNode(table, criterion, table.labels.map((_, row) => row), null, 0)];
  for (const node of nodes) { // the list grows while it is read
    ask(node, table, criterion, forced);
    if (!node.asks) continue;
    const parts = partsOf(table, node.asks.query, node.rows);
    if (nodes.length + parts.length > MOST_NODES) break;
    parts.forEach((part, answer) => {
      node.children.push(nodes.length);
      nodes.push(newNode(table, criterion, part, node, answer));
      nodes.at(-1).id = nodes.length - 1;
    });
  }
  return nodes;
}

function newNode(table, criterion, rows, parent, answer) {
  const asked = new Set(parent?.questions.asked);
  if (parent?.asks.query.kind === "each") asked.add(parent.asks.query.column);
  const questions = new NodeQuestions(table, rows, asked), tally = questions.tally(criterion);
  return {
    id: 0, parent, answer, rows, questions, tally,
    depth: parent ? parent.depth + 1 : 0,
    path: parent ? `${parent.path}${parent.path && "-"}${answer}` : "",
    guess: rows.length ? tally.guess : parent.guess,
    impurity: impurityOf(tally),
    asks: null, isForced: false, stops: "", children: [],
  };
}

function ask(node, table, criterion, forced) {
  node.stops = reasonToStop(node, table);
  if (node.stops) return;
  const tied = node.questions.best(criterion), wanted = forced.get(node.path);
  if (!tied.length) {
    node.stops = table.asksAll ? NOTHING_LEFT : ALIKE;
    return;
  }
  const own = wanted && node.questions.about(Number(wanted.split(".")[0]), criterion).find((each) => keyOf(each.query) === wanted);
  node.asks = own ?? tied[0];
  node.isForced = Boolean(own) && keyOf(tied[0].query) !== wanted;
}

function reasonToStop(node, table) {
  if (!node.rows.length) return "no row gives this answer";
  if (node.tally.isPure && !table.asksAll) return EQUAL;
  return node.depth === table.maxDepth ? `depth ${node.depth} is reached` : "";
}

/** Return the nodes at which rows end up if only so many questions may be asked. */
function cutAt(nodes, depth) {
  return nodes.filter((node) => node.depth === depth || (!node.asks && node.depth < depth));
}

/** Return what a finished tree is like: leaves, average number of questions, loss at every depth. */
function figuresOf(nodes) {
  const leaves = nodes.filter((node) => !node.asks), n = nodes[0].rows.length;
  const depth = Math.max(...nodes.map((node) => node.depth));
  const lossOf = (node) => (node.tally.right === undefined ? (node.rows.length * node.impurity) / n : node.rows.length - node.tally.right);
  const sum = (some, value) => some.reduce((all, each) => all + value(each), 0);
  return {
    leaves: leaves.length,
    depth,
    questions: sum(leaves, (node) => node.rows.length * node.depth) / n,
    losses: Array.from({ length: depth + 1 }, (_, cut) => sum(cutAt(nodes, cut), lossOf)),
  };
}
