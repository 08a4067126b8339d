// The rows of a node in bins: by what its question asks about, and by their labels.

// The bins of a histogram: from which place to which, with its rows in all and of each class.
function binsOf({ places, counts }, width) {
  const found = [];
  for (let bin = 0; 2 * bin < places.length; bin++) {
    const of = counts.slice(bin * width, (bin + 1) * width);
    found.push({ from: places[2 * bin], n: places[2 * bin + 1], of, all: of.reduce((sum, each) => sum + each, 0) });
  }
  return found;
}

function bar(x, y, wide, high) {
  return `M${x.toFixed(1)} ${y.toFixed(1)}h${wide.toFixed(1)}v${high.toFixed(1)}h${(-wide).toFixed(1)}z`;
}

// What the question of a node asks about, as a histogram with a mark where it splits.
function askedPicture(view, node, x, y, wide, high) {
  const { asked, colors, classes, range } = view, about = asked[node];
  const bins = binsOf(about, classes ? colors.length : 1), group = drawn("g", { class: "bins", "aria-hidden": "true" });
  const end = Math.max(...bins.map((bin) => bin.from + bin.n), about.mark + 1), missing = about.missing?.reduce((sum, each) => sum + each, 0) ?? 0;
  const room = missing ? wide - 14 : wide, step = room / end, seam = about.step ? 0.4 : Math.min(1.5, step / 4);
  const tall = Math.max(...bins.map((bin) => bin.all / bin.n), missing ? missing / Math.max(end / 8, 1) : 0);
  const paths = colors.map(() => "");
  const stack = (of, left, across, n) => {
    let floor = y + high;
    of.forEach((count, each) => {
      const up = count / n / tall * high;
      if (count) paths[each] += bar(left, floor - up, across, up);
      floor -= up;
    });
  };
  const one = (share, left, across, opacity) => {
    const up = Math.max(share / tall * high, 1);
    group.append(drawn("path", { class: "number", "fill-opacity": opacity, d: bar(left, y + high - up, across, up) }));
  };
  bins.forEach((bin, place) => {
    const left = x + bin.from * step, across = bin.n * step - seam;
    if (classes) stack(bin.of, left, across, bin.n);
    else one(bin.all / bin.n, left, across, (0.2 + 0.8 * placeIn(range, about.means[place])).toFixed(2));
  });
  if (missing) {
    const across = Math.max(end / 8, 1), left = x + wide - 8;
    if (classes) stack(about.missing, left, 8, across);
    else one(missing / across, left, 8, 0.4);
  }
  paths.forEach((d, each) => { if (d) group.append(drawn("path", { fill: colors[each], d })); });
  group.append(drawn("path", { class: "axis", d: `M${x} ${y + high + 0.5}h${room}${missing ? `M${x + wide - 10} ${y + high + 0.5}h10` : ""}` }));
  if (about.mark) {
    const at = x + about.mark * step - seam / 2;
    group.append(drawn("path", { class: "split", d: `M${at} ${y - 2}V${y + high}` }));
    group.append(drawn("path", { class: "mark", d: `M${at} ${y + high + 1}l-4.5 7h9z` }));
  }
  return group;
}

// How the labels of a node lie, on an axis that all nodes share, and what it predicts; of scores the mean label.
function labelPicture(view, node, x, y, wide, high) {
  const about = view.bins[node], { first, step, end } = view.axis, bins = binsOf(about, 1);
  const group = drawn("g", { class: "bins labels", "aria-hidden": "true" }), floor = y + high - 6;
  const tall = Math.max(...bins.map((bin) => bin.all / bin.n)), across = wide / end;
  const d = bins.map((bin) => {
    const up = Math.max(bin.all / bin.n / tall * (high - 6), 0.8);
    return bar(x + bin.from * across, floor - up, bin.n * across - 0.4, up);
  });
  group.append(drawn("path", { class: "number", d: d.join("") }), drawn("path", { class: "axis", d: `M${x} ${floor + 0.5}h${wide}` }));
  const at = x + wide * placeIn([first, first + step * end], (view.middles ?? view.guess)[node]);
  group.append(drawn("path", { class: "mark", d: `M${at} ${floor + 1}l-3.5 5h7z` }));
  return group;
}

function shareBar({ counts, colors, place }, node, x, y, wide, high) {
  const group = drawn("g", { "aria-hidden": "true" }), of = colors.map(() => 0);
  for (const [code, n] of counts[node]) of[place[code]] += n;
  const all = counts[node].all;
  let left = x;
  of.forEach((n, each) => {
    if (n) group.append(drawn("rect", { x: left.toFixed(1), y, width: Math.max(n / all * wide, 0.3).toFixed(1), height: high, fill: colors[each] }));
    left += n / all * wide;
  });
  return group;
}

function dense(flat, length) {
  const all = Array(length).fill(0);
  let sum = 0;
  for (let each = 0; each < flat.length; each += 2) sum += all[flat[each]] = flat[each + 1];
  return all.map((each) => each / sum);
}

// Gives what cards are drawn from the names that scripts know.
function unpack(view) {
  const unpacked = ([mark, step, first, places, counts, means, values, missing], width) => ({
    mark, step, first, counts, means, values, missing: missing || null,
    places: places || Array.from({ length: 2 * counts.length / width }, (_, each) => (each % 2 ? 1 : each / 2)),
  });
  const width = view.colors.length || 1;
  for (const node in view.asked) view.asked[node] = unpacked(view.asked[node], width);
  for (const node in view.bins ?? {}) view.bins[node] = unpacked(view.bins[node], 1);
  if (view.tallies) view.shares = view.tallies.map((flat) => dense(flat, view.classes.length)); // of many classes
  view.counts = view.counts?.map((flat) => {
    const found = [];
    for (let each = 0; each + 1 < flat.length && flat[each] >= 0; each += 2) found.push([flat[each], flat[each + 1]]);
    const isCut = flat.length % 2; // then it ends with −1, how many classes there are more, and all rows
    found.more = isCut ? flat.at(-2) : 0;
    found.all = isCut ? flat.at(-1) : found.reduce((sum, [, n]) => sum + n, 0);
    if (found.length < 4) found.sort(([one], [other]) => one - other);
    return found;
  });
}
