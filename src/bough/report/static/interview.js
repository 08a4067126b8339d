// Twenty questions: where a row may be of which only some is known, as in bough.interview.Standing.

// `known` maps features to values; `unknown` has features that stay unknown.
function standing(tree, known, unknown) {
  const mass = tree.feature.map(() => 0);
  const places = [], waiting = new Map();
  mass[0] = 1;
  mass.forEach((_, node) => {
    if (!mass[node]) return;
    const feature = tree.feature[node];
    const isOpen = feature >= 0 && !known.has(feature) && !unknown.has(feature);
    const isEvery = goesEveryWay(tree, node, known, unknown);
    const next = known.has(feature) && !isEvery ? nextNode(tree, node, known.get(feature)) : -1;
    if (next >= 0) mass[next] = mass[node];
    else if (isEvery) {
      for (const child of childrenOf(tree, node)) mass[child] = mass[node] * tree.flow[child];
    } else {
      places.push(node);
      if (isOpen) waiting.set(feature, (waiting.get(feature) ?? 0) + mass[node]);
    }
  });
  const most = Math.max(...waiting.values());
  const asked = Math.min(...[...waiting.keys()].filter((feature) => waiting.get(feature) === most));
  const asking = places.filter((node) => tree.feature[node] === asked && waiting.has(asked));
  asking.sort((one, other) => mass[other] - mass[one] || one - other);
  return { mass, places, asked: waiting.size ? asked : null, asking };
}

// Whether a row goes on in parts: what is asked stays unknown, or it is missing and such rows are weighed.
function goesEveryWay(tree, node, known, unknown) {
  const feature = tree.feature[node];
  if (unknown.has(feature)) return true;
  return tree.missing === "weigh" && known.get(feature) === null && tree.query_kind[node] !== IS_MISSING;
}

// How many questions may still be asked at most, if all are answered.
function mostLeft(tree, known, unknown, places) {
  const above = tree.feature.map(() => null); // the features to ask on the way to each node, as bits
  let all = 0n, most = 0;
  above[0] = 0n;
  above.forEach((_, node) => {
    const bits = above[node];
    if (bits === null) return;
    all |= bits;
    most = Math.max(most, countOf(bits));
    const feature = tree.feature[node];
    if (feature < 0) return;
    const isEvery = goesEveryWay(tree, node, known, unknown);
    if (known.has(feature) && !isEvery) {
      const next = nextNode(tree, node, known.get(feature));
      if (next >= 0) above[next] = bits;
      return;
    }
    const below = isEvery ? bits : bits | (1n << BigInt(feature));
    for (const child of childrenOf(tree, node)) above[child] = below;
  });
  return places.length === 1 ? most : countOf(all);
}

function countOf(bits) {
  return bits.toString(2).replaceAll("0", "").length;
}

function childrenOf(tree, node) {
  const first = tree.first_child[node];
  return Array.from({ length: tree.n_children[node] }, (_, place) => first + place);
}

// The mean of what the places say, weighed by how likely each is.
function meanOf({ mass, places }, value) {
  let sum = 0, total = 0;
  for (const node of places) {
    sum += mass[node] * value(node);
    total += mass[node];
  }
  return sum / total;
}

// The class to guess: the commonest, or the one of least expected cost; the first of equals.
function guessOf(shares, costs) {
  const cost = (guess) => shares.reduce((sum, each, code) => sum + each * costs[code][guess], 0);
  const loss = shares.map((share, guess) => (costs ? cost(guess) : -share));
  return loss.findIndex((each) => each <= Math.min(...loss) + 1e-12);
}
