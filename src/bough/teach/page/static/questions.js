// The questions that some rows may be asked, in the order that decides ties, and what each gains.

const MISSING = -1;

/** Return the number of the answer that a row gives. */
function answerOf(table, query, row) {
  const code = table.columns[query.column].codes[row];
  if (query.kind === "missing") return code === MISSING ? 0 : 1;
  if (code === MISSING) return query.missing;
  if (query.kind === "below") return code < query.code ? 0 : 1;
  return query.groups.findIndex((group) => group.includes(code));
}

function answerCount(query) {
  return query.kind === "each" ? query.groups.length + (query.missing === null ? 0 : 1) : 2;
}

/** Return the rows of each answer. */
function partsOf(table, query, rows) {
  const parts = Array.from({ length: answerCount(query) }, () => []);
  for (const row of rows) parts[answerOf(table, query, row)].push(row);
  return parts;
}

/** Return a text that only this question has. */
function keyOf(query) {
  const groups = query.kind === "oneof" ? query.groups[0].join("-") : "";
  return [query.column, query.kind, query.code ?? groups, query.missing ?? ""].join(".");
}

/** Whatever the rows of one node may be asked, by any criterion. */
class NodeQuestions {
  constructor(table, rows, asked = new Set()) {
    this.table = table;
    this.rows = rows;
    this.asked = asked;
    this.known = new Map();
  }

  once(key, work) {
    if (!this.known.has(key)) this.known.set(key, work());
    return this.known.get(key);
  }

  tally(criterion) {
    return this.once(`tally ${criterion}`, () => tallyOf(this.table, this.rows, criterion));
  }

  /** Return the codes of a column in order, and whether a value is missing. */
  values(column) {
    return this.once(`values ${column}`, () => {
      const { codes } = this.table.columns[column];
      const found = new Set(this.rows.map((row) => codes[row]));
      const isMissing = found.delete(MISSING);
      return { codes: [...found].sort((one, other) => one - other), isMissing };
    });
  }

  /** Return the questions about a column with their gains, times the number of rows. */
  about(column, criterion) {
    return this.once(`about ${column} ${criterion}`, () => {
      if (this.table.asksAll && !this.table.columns[column].isNumber) return this.everyValue(column, criterion);
      const { codes, isMissing } = this.values(column);
      if (codes.length + isMissing < 2) return [];
      if (this.table.columns[column].isNumber) return this.pivots(column, criterion);
      const queries = this.table.categorical === "group"
        ? this.groups(column, criterion)
        : [{ column, kind: "each", groups: codes.map((code) => [code]), missing: isMissing ? codes.length : null }];
      return queries.map((query) => this.candidate(query, criterion));
    });
  }

  candidate(query, criterion) {
    const parts = partsOf(this.table, query, this.rows);
    const left = parts.reduce((sum, part) => sum + tallyOf(this.table, part, criterion).mix, 0n);
    return { query, gain: this.tally(criterion).mix - left };
  }

  /** Return the book's question: all values of the table, once on each way down. */
  everyValue(column, criterion) {
    if (this.asked.has(column)) return [];
    const { codes } = this.table.columns[column], all = [...new Set(codes)].sort((one, other) => one - other);
    const isMissing = all[0] === MISSING, groups = (isMissing ? all.slice(1) : all).map((code) => [code]);
    const query = { column, kind: "each", groups, missing: isMissing ? groups.length : null };
    return [this.candidate(query, criterion)];
  }

  /** Compare with every pivot; missing rows go with the first answer, then with the second. */
  pivots(column, criterion) {
    const { codes, isMissing } = this.values(column), cells = this.table.columns[column].codes;
    const byCode = new Map(codes.map((code) => [code, []])), missing = [];
    for (const row of this.rows) (byCode.get(cells[row]) ?? missing).push(row);
    const groups = codes.map((code) => byCode.get(code));
    const sides = isMissing ? [0, 1] : [null];
    const scans = sides.map((side) => [
      this.running(groups, side === 0 ? missing : [], criterion),
      this.running([...groups].reverse(), side === 1 ? missing : [], criterion),
    ]);
    const found = [], whole = this.tally(criterion).mix;
    for (let place = 1; place < codes.length; place++) {
      sides.forEach((side, number) => {
        const [up, down] = scans[number];
        const gain = whole - up[place - 1] - down[codes.length - place - 1];
        const query = { column, kind: "below", low: codes[place - 1], code: codes[place], missing: side };
        found.push({ query, gain });
      });
    }
    if (isMissing) found.push(this.candidate({ column, kind: "missing", missing: 0 }, criterion));
    return found;
  }

  /** Return how mixed the first group is, the first two, and so on. */
  running(groups, ahead, criterion) {
    const tally = tallyOf(this.table, ahead, criterion);
    return groups.map((group) => {
      for (const row of group) tally.add(row);
      return tally.mix;
    });
  }

  /** Put values into two groups: cuts of their order by label; the first value is in the first. */
  groups(column, criterion) {
    const { codes, isMissing } = this.values(column), cells = this.table.columns[column].codes;
    const tallies = new Map(codes.map((code) =>
      [code, tallyOf(this.table, this.rows.filter((row) => cells[row] === code), criterion)]));
    const found = new Map([[String(codes[0]), [codes[0]]]]);
    for (const compare of this.orders(criterion)) {
      const order = [...codes].sort((one, other) => compare(tallies.get(one), tallies.get(other)) || one - other);
      for (let cut = 1; cut < order.length; cut++) {
        const isFirst = order.slice(0, cut).includes(codes[0]);
        const side = (isFirst ? order.slice(0, cut) : order.slice(cut)).sort((one, other) => one - other);
        found.set(String(side), side);
      }
    }
    const pairs = [...found.values()].sort(inOrder).map((side) => [side, codes.filter((code) => !side.includes(code))]);
    const queries = pairs.filter((pair) => pair[1].length).flatMap((groups) =>
      (isMissing ? [0, 1] : [null]).map((missing) => ({ column, kind: "oneof", groups, missing })));
    return isMissing ? [...queries, { column, kind: "missing", missing: 0 }] : queries;
  }

  /** Return how values are ordered: by what they predict, or by the share of each class. */
  orders(criterion) {
    if (!this.table.classes.length) return [(one, other) => one.compare(other)];
    const { counts } = this.tally(criterion);
    const classes = counts.flatMap((count, label) => (count ? [label] : []));
    const ordering = classes.length === 2 ? classes.slice(1) : classes;
    return ordering.map((label) => (one, other) => one.counts[label] * other.n - other.counts[label] * one.n);
  }

  all(criterion) {
    return this.table.columns.flatMap((_, column) => this.about(column, criterion));
  }

  /** Return the best questions, all equally good: the first of them is asked. */
  best(criterion) {
    return this.once(`best ${criterion}`, () => {
      const found = this.all(criterion);
      const telling = found.filter((each) => this.tells(each.query));
      return this.bestOf(telling.length ? telling : found, criterion);
    });
  }

  /** Return whether a question has two answers with rows; only the book's may not. */
  tells(query) {
    if (!this.table.asksAll || query.kind !== "each") return true;
    const { codes, isMissing } = this.values(query.column);
    return codes.length + isMissing > 1;
  }

  bestOf(found, criterion) {
    if (!found.length) return [];
    const slack = this.tally(criterion).mix / TIE;
    if (criterion === "gain_ratio") return this.bestRatio(found, slack);
    const best = greatest(found, (each) => each.gain, slack);
    if (criterion !== "error" || best.length === 1) return best;
    return greatest(best, (each) => this.giniGain(each.query), this.tally("gini").mix / TIE);
  }

  /** Return the Gini gain, which decides between questions of the same error rate. */
  giniGain(query) {
    const gains = this.once(`gini of ${query.column}`, () =>
      new Map(this.about(query.column, "gini").map((each) => [keyOf(each.query), each.gain])));
    return gains.get(keyOf(query));
  }

  /** Return the best by gain ratio, as C4.5 has it: among columns with at least the average gain. */
  bestRatio(found, slack) {
    const sent = this.sent(found, slack);
    const sum = sent.reduce((all, each) => all + each.gain, 0n), n = BigInt(sent.length);
    const compared = sent.filter((each) => each.gain * n >= sum - slack * n);
    return greatest(compared, (each) => this.ratio(each), ONE / TIE);
  }

  sent(found, slack) {
    const byColumn = this.table.columns.map(() => []);
    for (const each of found) byColumn[each.query.column].push(each);
    return byColumn.filter((some) => some.length).map((some) => greatest(some, (each) => each.gain, slack)[0]);
  }

  /** Return how many bits the answers take, times the number of rows. */
  bits(query) {
    return this.once(`bits ${keyOf(query)}`, () => {
      const sizes = partsOf(this.table, query, this.rows).map((part) => part.length);
      return sizes.reduce((left, size) => left - timesLogarithm(size), timesLogarithm(this.rows.length));
    });
  }

  ratio(each) {
    const bits = this.bits(each.query);
    return bits ? (each.gain * ONE) / bits : 0n;
  }
}

/** Compare lists from the front; a list comes after what it begins with. */
function inOrder(one, other) {
  const place = one.findIndex((code, number) => code !== other[number]);
  if (place < 0) return one.length - other.length;
  return place < other.length ? one[place] - other[place] : 1;
}
