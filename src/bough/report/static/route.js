// Where a value leads: the rules of `answer` in core/query.hpp, in JavaScript.
//
// A row has a value for each feature: null is missing, UNSEEN a choice that the tree does not know, a
// choice its number, a number a Number, and an integer or a date in microseconds a BigInt, which
// JavaScript compares exactly with any Number.

const UNSEEN = "unseen";
const BELOW = 0, IS_MISSING = 3;

// The child that a value leads to; -1: none, the row stops here.
function nextNode(tree, node, value) {
  const kind = tree.query_kind[node], first = tree.first_child[node];
  if (kind === IS_MISSING) return first + (value === null ? 0 : 1);
  if (value === null) return tree.missing_child[node];
  if (value === UNSEEN) return -1;
  if (kind === BELOW) return first + (value < tree.pivot[node] ? 0 : 1);
  const place = tree.codes.indexOf(value, tree.codes_start[node]);
  return place < 0 || place >= tree.codes_start[node + 1] ? -1 : first + tree.answers[place];
}
