// What predicting a class from another probability on would do, by what mistakes cost.
function setUpThreshold(known) {
  const slider = byId("ratio"), says = byId("threshold-says"), worth = byId("worth");
  if (!slider || !known) return;
  const chart = document.querySelector("#threshold .chart"), mark = chart.querySelector("path.chosen");
  const left = Number(chart.dataset.left), [, , width] = chart.getAttribute("viewBox").split(" ").map(Number);
  const [, ...rest] = mark.getAttribute("d").match(/^M[\d.]+(.*)$/);
  let own = known.ratio; // of what mistakes cost the model, until the slider is moved
  const show = () => {
    const ratio = own ?? ratioAt(Number(slider.value)), threshold = 1 / (1 + ratio);
    worth.textContent = ratioWords(ratio);
    slider.setAttribute("aria-valuetext", ratioWords(ratio));
    mark.setAttribute("d", `M${(left + threshold * (width - 20 - left)).toFixed(1)}${rest[0]}`);
    says.textContent = thresholdWords(known, threshold);
  };
  slider.addEventListener("input", () => {
    own = null;
    show();
  });
  show();
}

// From a twentieth to twenty times, and as bad in the middle.
function ratioAt(step) {
  const size = Math.abs(step) < 1 ? 1 : Math.abs(step) <= 10 ? 1 + Math.abs(step) / 5 : 3 + (Math.abs(step) - 10) * 1.7;
  return step < 0 ? 1 / size : size;
}

function ratioWords(ratio) {
  if (ratio === 1) return "as bad as";
  const size = (ratio > 1 ? ratio : 1 / ratio).toFixed(1).replace(".0", "");
  return ratio > 1 ? `${size} times as bad as` : `1/${size} as bad as`;
}

function thresholdWords(known, threshold) {
  const per = (share) => `${(100 * share).toFixed(1)} %`.replace(" ", "\u00a0");
  const within = (low, high) => (low === undefined ? "" : ` (${(100 * low).toFixed(1)} – ${(100 * high).toFixed(1)})`);
  const level = known.levels.filter((each) => each[0] >= threshold - 1e-9).pop();
  const start = `Predict ${known.name} from ${per(threshold)} on: `;
  if (!level) return `${start}it never does, and finds none.`;
  const [, hits, alarms, low, high, least, most] = level, n = hits + alarms;
  const amount = (weight) => weight.toLocaleString("en", { maximumFractionDigits: 1 });
  return `${start}finds ${per(hits / known.totals[0])}${within(low, high)} of them, right ${per(hits / n)}${within(least, most)} of the time. ` +
    `${amount(alarms)} false ${alarms === 1 ? "alarm" : "alarms"} and ${amount(known.totals[0] - hits)} missed among ${amount(known.totals[0] + known.totals[1])} test rows.`;
}
