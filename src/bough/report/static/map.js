// A map of all nodes: a column for each depth, the whole tree from top to bottom.

const LOWEST = 2.6; // pixels, so that whole ones are enough to press it

class TreeMap {
  constructor(svg, up) {
    this.svg = svg;
    this.up = up; // the button that leads back
    this.root = 0;
    svg.setAttribute("preserveAspectRatio", "none");
    svg.addEventListener("click", (event) => this.pick(event));
    up.addEventListener("click", () => this.go(this.view.parents[this.root]));
    new ResizeObserver(() => this.view && this.go(this.root)).observe(svg);
  }

  show(view, cards) {
    this.view = view;
    this.cards = cards;
    this.last = null;
    this.leaves = view.rows.map((_, node) => (cards.isLeaf(node) ? 1 : 0));
    this.deep = view.rows.map(() => 0); // how many columns lie below
    for (let node = view.rows.length - 1; node > 0; node--) {
      const above = view.parents[node];
      this.leaves[above] += this.leaves[node];
      this.deep[above] = Math.max(this.deep[above], this.deep[node] + 1);
    }
    this.go(0);
  }

  // Children share the height of their parent by the root of their leaves, so that a leaf beside a
  // large branch can still be pressed.
  parts(node) {
    const children = childrenOf(this.view.tree, node), weigh = (child) => Math.sqrt(this.leaves[child]);
    const all = children.reduce((sum, child) => sum + weigh(child), 0);
    let from = 0;
    return children.map((child) => [child, from, from += weigh(child) / all]);
  }

  get across() {
    return Math.max(this.size.wide / (this.deep[this.root] + 1), 11);
  }

  // Shows a branch and all below it.
  go(node) {
    this.root = node;
    this.size = { wide: this.svg.clientWidth || 150, high: this.svg.clientHeight || 400 };
    this.up.disabled = node === 0;
    const { wide, high } = this.size, { across } = this, waiting = [[node, 0, 0, high]], shapes = [];
    this.boxes = new Map();
    while (waiting.length) {
      const [here, x, top, tall] = waiting.pop();
      if (x >= wide || tall < LOWEST) continue;
      const box = drawn("rect", { "data-at": here, x: x.toFixed(1), y: top.toFixed(1), width: (across - 1).toFixed(1), height: (tall - 0.6).toFixed(1), fill: this.cards.color(here), "fill-opacity": this.cards.strength(here) });
      this.boxes.set(here, box);
      shapes.push(box);
      for (const [child, from, to] of this.parts(here)) waiting.push([child, x + across, top + from * tall, (to - from) * tall]);
    }
    this.frame = drawn("rect", { class: "here", rx: 1 });
    this.svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    this.svg.replaceChildren(...shapes, this.frame);
    this.seen = new Map();
    if (this.last) this.mark(...this.last);
  }

  // The node at a place of the map.
  nodeAt(x, y) {
    const { high } = this.size;
    let node = this.root, top = 0, tall = high;
    for (let column = Math.floor(x / this.across); column > 0; column--) {
      const found = this.parts(node).find(([, , to]) => y < top + to * tall) ?? this.parts(node).at(-1);
      if (!found) break;
      node = found[0];
      [top, tall] = [top + found[1] * tall, (found[2] - found[1]) * tall];
    }
    return node;
  }

  // A branch that is pressed fills the map; the first column leads back.
  pick(event) {
    const box = this.svg.getBoundingClientRect(), { wide, high } = this.size;
    const node = this.nodeAt((event.clientX - box.left) * wide / box.width, (event.clientY - box.top) * high / box.height);
    const isBack = node === this.root && node > 0;
    this.onPick?.(node);
    if (isBack) this.go(this.view.parents[node]);
    else if (!this.cards.isLeaf(node)) this.go(node);
  }

  // Marks the node that is told of, those that are not folded away, and those that were found.
  mark(selected, shown, hits) {
    const isNew = this.last?.[0] !== selected; // else the map stays where somebody has led it
    this.last = [selected, shown, hits];
    if (isNew && !this.boxes.has(selected)) return this.go(selected ? this.view.parents[selected] : 0); // which shows it
    for (const [node, box] of this.boxes) {
      const name = hits.has(node) ? "hit" : shown.has(node) ? "" : "far";
      if (this.seen.get(node) !== name) box.setAttribute("class", name);
      this.seen.set(node, name);
    }
    const box = this.boxes.get(selected);
    for (const name of ["x", "y", "width", "height"]) this.frame.setAttribute(name, box?.getAttribute(name) ?? 0);
  }
}
