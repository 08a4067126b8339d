// What some rows say together. `mix` is how mixed they are, times how many they are.

class ClassTally {
  constructor(table, criterion) {
    this.labels = table.labels;
    this.criterion = criterion === "gain_ratio" ? "entropy" : criterion;
    this.counts = table.classes.map(() => 0);
    this.n = 0;
    this.most = 0;
    this.squares = 0;
    this.logarithms = 0n;
  }

  add(row) {
    const label = this.labels[row], count = this.counts[label]++;
    this.n++;
    if (this.criterion === "entropy") this.logarithms += timesLogarithm(count + 1) - timesLogarithm(count);
    this.squares += 2 * count + 1;
    this.most = Math.max(this.most, count + 1);
  }

  get mix() {
    if (!this.n) return 0n;
    if (this.criterion === "entropy") return timesLogarithm(this.n) - this.logarithms;
    if (this.criterion === "error") return ONE * BigInt(this.n - this.most);
    const n = BigInt(this.n);
    return (ONE * (n * n - BigInt(this.squares))) / n;
  }

  /** The commonest class, the first of those equally common. */
  get guess() { return this.counts.indexOf(this.most); }
  get right() { return this.most; }
  get isPure() { return this.most === this.n; }
}

class SquaredTally {
  constructor(table) {
    this.whole = table.whole;
    this.places = table.places;
    this.n = 0;
    this.sum = 0n;
    this.squares = 0n;
  }

  add(row) {
    const label = this.whole[row];
    this.n++;
    this.sum += label;
    this.squares += label * label;
  }

  get mix() {
    const n = BigInt(this.n);
    return this.n ? (ONE * (n * this.squares - this.sum * this.sum)) / n : 0n;
  }

  /** The mean. */
  get guess() { return quotient(this.sum, BigInt(this.n) << BigInt(this.places)); }
  get isPure() { return BigInt(this.n) * this.squares === this.sum * this.sum; }
  compare(other) { return sign(this.sum * BigInt(other.n) - other.sum * BigInt(this.n)); }
}

class AbsoluteTally extends SquaredTally {
  constructor(table) {
    super(table);
    this.sorted = [];
    this.away = 0n;
  }

  /** Add a row: the distances grow by how far it is from the labels in the middle. */
  add(row) {
    const label = this.whole[row];
    if (this.n) {
      const [low, high] = this.middle;
      this.away += label < low ? low - label : label > high ? label - high : 0n;
    }
    this.sorted.splice(this.placeOf(label), 0, label);
    super.add(row);
  }

  placeOf(label) {
    let low = 0, high = this.sorted.length;
    while (low < high) {
      const half = (low + high) >> 1;
      if (this.sorted[half] < label) low = half + 1;
      else high = half;
    }
    return low;
  }

  get middle() { return [this.sorted[(this.n - 1) >> 1], this.sorted[this.n >> 1]]; }
  get mix() { return ONE * this.away; }

  /** The middle of all medians. */
  get guess() {
    const [low, high] = this.middle;
    return quotient(low + high, 2n << BigInt(this.places));
  }

  compare(other) {
    const [low, high] = this.middle, [otherLow, otherHigh] = other.middle;
    return sign(low + high - otherLow - otherHigh) || super.compare(other);
  }
}

const sign = (number) => (number > 0n ? 1 : number < 0n ? -1 : 0);

const TALLIES = { squared_error: SquaredTally, absolute_error: AbsoluteTally };

function newTally(table, criterion) {
  return new (TALLIES[criterion] ?? ClassTally)(table, criterion);
}

function tallyOf(table, rows, criterion) {
  const tally = newTally(table, criterion);
  for (const row of rows) tally.add(row);
  return tally;
}

/** Return how mixed a tally is on average, as a double. */
function impurityOf(tally, mix = tally.mix) {
  if (!tally.n) return 0;
  const places = BigInt(tally.places ?? 0) * (tally instanceof AbsoluteTally ? 1n : 2n);
  return quotient(mix, (ONE * BigInt(tally.n)) << places);
}
