// Where the page is: the step, the criterion, what was picked and what was forced.

class Steps {
  constructor(table, show) {
    this.table = table;
    this.show = show;
    this.picked = new Map();
    this.selected = null;
    this.greedy = grow(table, table.criterion);
  }

  get isLast() { return this.step === this.nodes.length; }
  get height() { return Math.max(...this.nodes.map((node) => node.depth)); }
  get isOwn() { return this.forced.size > 0 || this.growBy !== this.table.criterion; }

  regrow() {
    this.nodes = this.isOwn ? grow(this.table, this.growBy, this.forced) : this.greedy;
    this.selected = null;
  }

  isRevealed(node) { return !this.isPredicting || !node.asks || this.picked.has(node.path) || node.isForced; }

  go(step) {
    this.step = Math.min(Math.max(step, 0), this.nodes.length);
    this.selected = null;
    if (this.isLast) this.depth = this.height;
    this.show();
  }

  cut(depth) {
    this.depth = depth;
    this.show();
  }

  setCriterion(criterion) {
    this.criterion = criterion;
    this.show();
  }

  growAnew(criterion) {
    this.growBy = criterion;
    this.forced = new Map();
    this.picked = new Map();
    this.regrow();
    this.go(this.step);
  }

  setPredicting(isPredicting) {
    this.isPredicting = isPredicting;
    this.picked = new Map();
    this.selected = null;
    this.show();
  }

  select(column) {
    this.selected = { column };
    this.show();
  }

  choosePivot(each) {
    this.selected = { column: each.query.column, each };
    this.show();
  }

  /** Return a question about each column: what is asked, or the best one; none of the best while they are hidden. */
  candidates(node) {
    return this.table.columns.map((_, column) => {
      const found = this.questionAbout(node, column);
      return found ? scoredBy(this.table, node.questions, found, this.criterion) : null;
    });
  }

  questionAbout(node, column) {
    const found = node.questions.about(column, this.criterion);
    if (this.isRevealed(node) && column === node.asks.query.column) return this.byShown(node, node.asks);
    if (this.isRevealed(node) || found.length < 2) return node.questions.bestOf(found, this.criterion)[0];
    if (this.selected?.column === column && this.selected.each) return this.selected.each;
    return found[found.length >> 1];
  }

  selectedAt(node) {
    if (!node.asks) return null;
    const own = this.selected ? this.selected.each ?? this.questionAbout(node, this.selected.column) : null;
    const first = () => this.table.columns.map((_, column) => this.questionAbout(node, column)).find(Boolean);
    const each = own ?? (this.isRevealed(node) ? this.byShown(node, node.asks) : first());
    return scoredBy(this.table, node.questions, this.byShown(node, each), this.criterion);
  }

  /** Return a question with its gain by the criterion that is shown. */
  byShown(node, each) {
    const key = keyOf(each.query), { column } = each.query;
    return node.questions.about(column, this.criterion).find((one) => keyOf(one.query) === key) ?? node.questions.candidate(each.query, this.criterion);
  }

  nothingToAsk(node, column) {
    if (node.questions.asked.has(column)) return "asked already";
    const { codes } = node.questions.values(column);
    return codes.length ? `one value: ${cellWords(this.table.columns[column], codes[0])}` : "all missing";
  }

  /** Return what the shown criterion would ask, where it is not what is asked. */
  asksOtherwise(node) {
    if (this.criterion === this.growBy) return null;
    const best = node.questions.best(this.criterion)[0];
    return keyOf(best.query) === keyOf(node.asks.query) ? null : best;
  }

  /** Return for each column which other criteria would ask about it, and what, in words. */
  wanted(node) {
    const found = new Map();
    for (const criterion of this.table.criteria.filter((each) => each !== this.growBy)) {
      const { query } = node.questions.best(criterion)[0], { column } = query;
      if (keyOf(query) === keyOf(node.asks.query)) continue;
      const what = query.kind === "each" ? "this" : answerWords(this.table, query)[0];
      found.set(column, [...(found.get(column) ?? []), `${CRITERIA[criterion]} asks ${what}`]);
    }
    return found;
  }

  /** Take what the student has picked, and tell its rank and what it loses. */
  pick(node, scored) {
    const by = this.growBy, { questions } = node, tally = questions.tally(by);
    const score = (each) => (by === "gain_ratio" ? questions.ratio(each) : each.gain);
    const all = this.table.columns.map((_, column) => questions.bestOf(questions.about(column, by), by)[0]).filter(Boolean);
    const own = questions.about(scored.query.column, by).find((each) => keyOf(each.query) === scored.key);
    const slack = by === "gain_ratio" ? ONE / TIE : tally.mix / TIE, best = questions.best(by)[0];
    const others = all.filter((each) => each.query.column !== scored.query.column);
    const rank = 1 + others.filter((each) => score(each) > score(own) + slack).length;
    const value = (each) => (by === "gain_ratio" ? quotient(score(each), ONE) : impurityOf(tally, score(each)));
    const isBest = keyOf(best.query) === scored.key, lost = Math.max(value(best) - value(own), 0);
    this.picked.set(node.path, { isBest, lost: !isBest && lost > 0, words: this.verdict({ isBest, lost, rank, n: all.length, own, best, gain: value(own) }) });
    this.selected = null;
    this.show();
  }

  verdict({ isBest, lost, rank, n, own, best, gain }) {
    const words = (each) => questionWords(this.table, each.query), shown = figure(this.table, gain);
    const tally = [...this.picked.values()], score = `${tally.filter((each) => each.isBest).length + (isBest ? 1 : 0)} of ${tally.length + 1} found so far.`;
    const what = this.growBy === "gain_ratio" ? "has the ratio" : "gains";
    if (isBest) return `Yes: ${words(own)} ${what} ${shown}, the most. ${score}`;
    if (!lost) return `As good: ${words(own)} ${what} ${shown} too, but the tie goes to ${words(best)}. ${score}`;
    return `${words(own)} ${what} ${shown}: rank ${rank} of ${n}. ${words(best)} would have gained ${figure(this.table, lost)} more. ${score}`;
  }

  /** Force a question, or none any more; what was forced below it is gone. */
  askOtherwise(node, key) {
    for (const path of [...this.forced.keys()]) if (path === node.path || path.startsWith(node.path ? `${node.path}-` : "")) this.forced.delete(path);
    const best = node.questions.best(this.growBy)[0];
    if (key && key !== keyOf(best.query)) this.forced.set(node.path, key);
    const { path } = node;
    this.regrow();
    this.go(this.nodes.findIndex((each) => each.path === path));
  }
}
