// Elements of this page: bars, colours, words that may be broken. `elements.js` of the report makes them.

/** Place an element; a policy that allows no styles in the text of a page allows this. */
function placed(element, styles) {
  Object.assign(element.style, styles);
  return element;
}

/** Return the colour of a class; those without one of their own share the last. */
function colorOf(table, label) {
  return `color-${table.colors[label]}`;
}

/** Give a bar with a piece for each class or, where labels are numbers, for all rows. */
function classBar(table, tally, words) {
  const bar = make("span", { class: "bar", role: "img", "aria-label": words ?? countWords(table, tally) });
  if (!table.classes.length) bar.append(...(tally.n ? rangeBar(table, tally.guess) : []));
  else tally.counts.forEach((count, label) => {
    if (count) bar.append(placed(make("span", { class: colorOf(table, label) }), { flexGrow: count }));
  });
  return bar;
}

/** Return how far up the range of all labels a number is, from 0 to 1. */
function heightOf(table, value) {
  const low = Math.min(...table.labels), high = Math.max(...table.labels);
  return high > low ? (value - low) / (high - low) : 0.5;
}

function rangeBar(table, value) {
  const height = heightOf(table, value);
  return [placed(tinted(make("span"), table, value), { flexGrow: height }), placed(make("span", { class: "rest" }), { flexGrow: 1 - height })];
}

/** Give an element the colour of a label: that of its class, or one between blue and orange. */
function tinted(element, table, label) {
  if (table.classes.length) element.classList.add(colorOf(table, label));
  else element.style.setProperty("--color", `color-mix(in oklab, #e69f00 ${(100 * heightOf(table, label)).toFixed(0)}%, #0072b2)`);
  return element;
}

function countWords(table, tally) {
  if (!table.classes.length) return rowCount(tally.n);
  return tally.counts.map((count, label) => `${count} ${table.classes[label]}`).join(", ");
}

/** Return a question that may be broken after each underscore of its name, and before its pivot. */
function breakable(words, name) {
  const parts = name.split(/(?<=_)/).flatMap((part, place) => (place ? [make("wbr"), part] : [part]));
  const rest = words.slice(name.length).trim();
  return rest ? [...parts, " ", make("span", { class: "pivot-words" }, rest)] : parts;
}
