// The drawing of the tree: only what can be seen is drawn, and any node can be come to.

const BETWEEN = 40, APART = 11, ABOVE = 18; // pixels between columns, between cards, for answers
const EDGE = 14, HANDLE = 12; // around all; half the width of what folds
const BLOCKS = 0.55; // the scale below which there is no room for words
const LEAST = 0.55; // the scale of a tree that is shown whole at first
const AT_FIRST = 0.66; // of the window’s height that a tree takes at first; on a phone what is left of the screen
const ZOOM_STEP = 1.25, SMALLEST = 0.004, LARGEST_ZOOM = 3;
const THICKEST = 14;

class Canvas {
  // `host` is scrolled; `map` shows all nodes.
  constructor(host, map) {
    this.host = host;
    this.map = map;
    this.hits = [];
    this.edges = drawn("g", { class: "edges", "aria-hidden": "true" });
    this.far = drawn("g", { class: "far", "aria-hidden": "true" }); // nodes without words, drawn all at once
    this.nodes = drawn("g", { class: "nodes", role: "presentation" });
    this.svg = drawn("svg", { class: "bough-tree drawn", role: "tree", direction: "ltr", "font-size": SMALL }, this.edges, this.far, this.nodes);
    for (const still of host.querySelectorAll("svg")) still.classList.add("still"); // which is for paper
    host.append(this.svg);
    map.onPick = (node) => this.select(node);
    this.listen();
  }

  // Shows a tree: `view` is what `script_data` tells of it.
  show(view) {
    this.view = view;
    this.cards = new Cards(view);
    this.onLeast?.(this.least = 0); // rows that a node must have to be shown
    this.hits = [];
    this.isHit = new Set();
    this.lit = new Set();
    this.selected = 0;
    this.svg.setAttribute("aria-label", view.title);
    this.heights = view.rows.map((_, node) => this.cards.height(node));
    this.map.show(view, this.cards);
    this.foldAtFirst();
    this.select(0, { isQuiet: true });
    this.host.scrollTo(0, (this.high * this.scale - this.host.clientHeight) / 2);
  }

  children(node) {
    return childrenOf(this.view.tree, node);
  }

  // The height in which the root, in the middle of it, is on the first screen.
  roomAtFirst() {
    const left = innerHeight - this.host.getBoundingClientRect().top - scrollY;
    return Math.max(left, this.host.clientWidth < 600 ? 0 : AT_FIRST * innerHeight);
  }

  // Opens the branches with most rows, as long as all that is shown has room.
  foldAtFirst() {
    const { rows } = this.view, wide = this.host.clientWidth - 1, high = this.roomAtFirst() - 1;
    const scaleFor = () => Math.min(wide / this.wide, high / this.high);
    this.scale = 1;
    this.isOpen = rows.map((_, node) => !this.cards.isLeaf(node));
    this.place();
    if (scaleFor() < LEAST) {
      this.isOpen.fill(false);
      const waiting = [0];
      for (let tried = 0; waiting.length && tried < 60; tried++) {
        waiting.sort((one, other) => rows[other] - rows[one] || one - other);
        const node = waiting.shift();
        this.isOpen[node] = true;
        this.place();
        if (node && scaleFor() < 1) this.isOpen[node] = false;
        else waiting.push(...this.children(node).filter((child) => !this.cards.isLeaf(child)));
      }
      this.place();
    }
    this.zoom(Math.max(Math.min(scaleFor(), 1), this.order.length < 4 ? 1 : LEAST));
  }

  // Finds where each node belongs that is not folded: a branch beside the band of its children.
  place() {
    const { rows } = this.view, order = [], depth = new Map([[0, 0]]), waiting = [0];
    this.below = new Map();
    while (waiting.length) {
      const node = waiting.pop();
      order.push(node);
      const below = this.isOpen[node] ? this.children(node).filter((child) => rows[child] >= this.least) : [];
      this.below.set(node, below);
      for (let each = below.length; each--;) {
        depth.set(below[each], depth.get(node) + 1);
        waiting.push(below[each]);
      }
    }
    const room = new Map(), tall = (node) => this.heights[node] + APART + ABOVE;
    const inside = (node) => this.below.get(node).reduce((sum, child) => sum + room.get(child), 0);
    for (const node of [...order].reverse()) room.set(node, Math.max(tall(node), inside(node)));
    const from = new Map([[0, EDGE]]);
    this.at = new Map();
    this.wide = 0;
    for (const node of order) {
      const begin = from.get(node), x = EDGE + depth.get(node) * (CARD + BETWEEN);
      this.at.set(node, { x, y: begin + (room.get(node) - this.heights[node] + ABOVE - APART) / 2, depth: depth.get(node) });
      let next = begin + (room.get(node) - inside(node)) / 2;
      for (const child of this.below.get(node)) {
        from.set(child, next);
        next += room.get(child);
      }
      this.wide = Math.max(this.wide, x + CARD + EDGE + (this.isFolded(node) ? 60 : 4));
    }
    this.order = order;
    this.high = room.get(0) + 2 * EDGE;
  }

  isFolded(node) {
    return !this.isOpen[node] && !this.cards.isLeaf(node);
  }

  // Places all nodes anew and draws them.
  arrange() {
    this.place();
    this.zoom(this.scale);
  }

  zoom(scale, isKept = true) {
    const { host } = this, before = this.scale;
    const middle = [host.scrollLeft + host.clientWidth / 2, host.scrollTop + host.clientHeight / 2];
    this.scale = Math.min(Math.max(scale, SMALLEST), LARGEST_ZOOM);
    this.svg.setAttribute("viewBox", `0 0 ${this.wide} ${this.high}`);
    this.svg.setAttribute("width", this.wide * this.scale);
    this.svg.setAttribute("height", this.high * this.scale);
    if (isKept && before !== this.scale) host.scrollTo(...[host.clientWidth, host.clientHeight].map((size, each) => middle[each] * this.scale / before - size / 2));
    this.nodes.replaceChildren();
    this.render();
  }

  // Makes the whole tree, as far as it is unfolded, as small as it must be to be seen at once.
  fit() {
    const most = Math.max(this.host.clientHeight, Math.floor(0.78 * innerHeight));
    this.zoom(Math.min((this.host.clientWidth - 1) / this.wide, (most - 1) / this.high, 1), false);
  }

  // Draws what can be seen, and a little around it.
  render() {
    const { host, scale } = this, near = 150, kept = new Set([this.selected]), lines = [], isFar = scale < BLOCKS;
    const left = (host.scrollLeft - near) / scale, right = (host.scrollLeft + host.clientWidth + near) / scale;
    const top = (host.scrollTop - near) / scale, bottom = (host.scrollTop + host.clientHeight + near) / scale;
    const isSeen = (x0, x1, y0, y1) => x1 > left && x0 < right && y1 > top && y0 < bottom;
    for (const node of this.order) {
      const { x, y } = this.at.get(node), high = this.heights[node], middle = y + high / 2;
      if (!isFar && isSeen(x, x + CARD + 60, y - ABOVE, y + high)) kept.add(node);
      for (const child of this.below.get(node)) {
        const to = this.at.get(child), end = to.y + this.heights[child] / 2;
        if (isSeen(x + CARD, to.x, Math.min(middle, end), Math.max(middle, end))) lines.push([child, x + CARD, middle, to.x, end]);
      }
    }
    this.keep(kept);
    this.far.replaceChildren(...(isFar ? this.blocks() : []));
    this.edges.replaceChildren(...(isFar ? this.thin(lines) : this.thick(lines)));
    this.map.mark(this.selected, this.at, this.isHit);
  }

  // Draws some nodes, in the order in which a screen reader meets them, and removes all others.
  keep(kept) {
    const there = new Map([...this.nodes.children].map((group) => [Number(group.dataset.node), group]));
    for (const [node, group] of there) if (!kept.has(node) || !this.at.has(node)) group.remove();
    const focused = document.activeElement;
    let next = this.nodes.firstChild;
    for (const node of this.order) {
      if (!kept.has(node)) continue;
      const group = there.get(node) ?? this.draw(node), { x, y } = this.at.get(node);
      group.setAttribute("transform", `translate(${x},${y})`);
      if (group === next) next = next.nextSibling;
      else this.nodes.insertBefore(group, next);
      this.mark(node, group);
    }
    if (focused !== document.activeElement && focused?.isConnected) focused.focus({ preventScroll: true });
  }

  // All nodes as colours, a path for each.
  blocks() {
    const paths = new Map();
    for (const node of this.order) {
      const { x, y } = this.at.get(node), isHit = this.isHit.has(node);
      const key = isHit ? "" : `${this.cards.color(node)} ${this.cards.strength(node).toFixed(1)}`;
      paths.set(key, (paths.get(key) ?? "") + bar(x, y, CARD, this.heights[node]));
    }
    return [...paths].map(([key, d]) => drawn("path", key ? { fill: key.split(" ")[0], "fill-opacity": key.split(" ")[1], d } : { class: "hit", d }));
  }

  thick(lines) {
    const { view, scale } = this, most = view.rows[0] || 1;
    return lines.map(([child, ...ends]) => drawn("path", {
      "data-child": child, class: this.lit.has(child) ? "on" : "", "stroke-width": Math.max(THICKEST * view.rows[child] / most, 1.2 / Math.min(scale, 1)).toFixed(1), d: curve(...ends),
    }));
  }

  thin(lines) {
    const parts = { "": "", on: "" };
    for (const [child, ...ends] of lines) parts[this.lit.has(child) ? "on" : ""] += curve(...ends);
    return Object.entries(parts).map(([name, d]) => drawn("path", { class: name, "stroke-width": (name ? 3 : 1) / this.scale, d }));
  }

  // The node at a place of the window, or the nearest one; -1: none is near.
  nodeAt(event) {
    const box = this.svg.getBoundingClientRect(), x = (event.clientX - box.left) / this.scale, y = (event.clientY - box.top) / this.scale;
    let found = -1, least = 12 / this.scale;
    for (const node of this.order) {
      const at = this.at.get(node), aside = Math.max(at.x - x, x - at.x - CARD, 0), over = Math.max(at.y - y, y - at.y - this.heights[node], 0);
      if (aside + over < least) [found, least] = [node, aside + over];
    }
    return found;
  }

  draw(node) {
    const group = this.cards.draw(node, this.scale), { parents } = this.view;
    const siblings = node ? this.below.get(parents[node]) : [0];
    const about = { role: "treeitem", "aria-level": this.at.get(node).depth + 1, "aria-setsize": siblings.length, "aria-posinset": siblings.indexOf(node) + 1 };
    for (const [name, value] of Object.entries(about)) group.setAttribute(name, value);
    if (!this.cards.isLeaf(node) && this.scale >= BLOCKS) group.append(this.handle(node));
    return group;
  }

  mark(node, group) {
    group.setAttribute("tabindex", node === this.selected ? 0 : -1);
    group.setAttribute("aria-selected", String(node === this.selected));
    if (!this.cards.isLeaf(node)) group.setAttribute("aria-expanded", String(Boolean(this.isOpen[node])));
    group.classList.toggle("on", this.lit.has(node));
    group.classList.toggle("hit", this.isHit.has(node));
    group.classList.toggle("dim", this.isHit.size > 0 && !this.isHit.has(node));
  }

  // The sign at the right of a card that folds and unfolds what lies below.
  handle(node) {
    const half = HANDLE / Math.min(this.scale, 1), size = SMALL / Math.min(this.scale, 1);
    const more = this.isFolded(node) ? `+${this.view.below[node].toLocaleString("en")}` : "−";
    const wide = Math.max(2 * half, widthOf(more, size) + half);
    return drawn("g", { class: "handle", "aria-hidden": "true", transform: `translate(${CARD - half / 2},${this.heights[node] / 2})` },
      drawn("rect", { y: -half, width: wide, height: 2 * half, rx: half }),
      words(more, wide / 2, size / 3, { "text-anchor": "middle", "font-size": size }));
  }

  fold(node, isFolded) {
    if (this.cards.isLeaf(node)) return;
    this.isOpen[node] = !isFolded;
    this.nodes.replaceChildren();
    this.arrange();
    this.select(node);
  }

  foldAll(isFolded) {
    this.isOpen = this.view.rows.map((_, node) => !this.cards.isLeaf(node) && (!isFolded || node === 0));
    if (!isFolded) this.least = 0;
    this.arrange();
    this.select(isFolded ? 0 : this.selected, { hasFocus: false });
  }

  // Makes a node the one that is told of and that keys start from, and brings it into view.
  select(node, { isQuiet = false, hasFocus = !isQuiet } = {}) {
    const { parents, rows } = this.view;
    if (!this.at.has(node)) {
      for (let above = parents[node]; above >= 0; above = parents[above]) this.isOpen[above] = true;
      if (rows[node] < this.least) this.onLeast?.(this.least = 0);
      this.nodes.replaceChildren();
      this.place();
      this.selected = node;
      this.zoom(this.scale, false);
    }
    this.selected = node;
    if (!isQuiet) this.reveal(node);
    this.render();
    const group = this.group(node);
    if (hasFocus) group.focus({ preventScroll: true });
    if (hasFocus) group.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    this.onSelect?.(node);
  }

  group(node) {
    return this.nodes.querySelector(`[data-node="${node}"]`);
  }

  // Scrolls just as far as it takes to see a card with the answer above it.
  reveal(node) {
    const { host, scale } = this, { x, y } = this.at.get(node);
    const near = (from, size, at, room) => (at < from + 8 ? at - 8 : at + size > from + room - 8 ? Math.min(at + size + 8 - room, at - 8) : from);
    const left = near(host.scrollLeft, (CARD + 24) * scale, x * scale, host.clientWidth);
    const top = near(host.scrollTop, (this.heights[node] + ABOVE) * scale, (y - ABOVE) * scale, host.clientHeight);
    host.scrollTo({ left, top, behavior: "instant" });
  }

  // Lights up the nodes of a trail.
  light(nodes) {
    this.lit = new Set(nodes);
    this.select(nodes.at(-1), { hasFocus: false });
  }

  // Finds the nodes whose words hold what is looked for, among all there are.
  search(text) {
    if (!this.view) return;
    const wanted = text.trim().toLowerCase();
    this.index ??= new Map();
    if (!this.index.has(this.view)) this.index.set(this.view, this.view.rows.map((_, node) => this.cards.inFull(node).toLowerCase()));
    const said = this.index.get(this.view);
    this.hits = wanted ? preorder(this.view.tree).filter((node) => said[node].includes(wanted)) : [];
    this.isHit = new Set(this.hits);
    this.hit = -1;
    if (this.hits.length) this.next(1);
    else this.render();
  }

  // Goes to the next node that was found, or to the one before.
  next(step) {
    if (!this.hits.length) return;
    this.hit = (this.hit + step + this.hits.length) % this.hits.length;
    this.select(this.hits[this.hit], { hasFocus: false });
  }

  filter(least) {
    this.least = least;
    this.arrange();
    if (!this.at.has(this.selected)) this.select(0, { isQuiet: true });
  }

  listen() {
    const { host, svg } = this;
    const nodeOf = (event) => event.target.closest("[data-node]");
    const isHandle = (event) => event.target.closest(".handle");
    svg.addEventListener("keydown", (event) => this.press(event));
    svg.addEventListener("click", (event) => {
      const node = Number(nodeOf(event)?.dataset.node ?? (this.scale < BLOCKS ? this.nodeAt(event) : -1));
      if (node < 0) return;
      if (isHandle(event)) this.fold(node, Boolean(this.isOpen[node]));
      else this.select(node);
    });
    svg.addEventListener("focusin", (event) => {
      const node = Number(nodeOf(event)?.dataset.node ?? -1);
      if (node >= 0 && node !== this.selected) this.select(node, { hasFocus: false });
    });
    svg.addEventListener("dblclick", (event) => { if (nodeOf(event) && !isHandle(event)) this.fold(this.selected, Boolean(this.isOpen[this.selected])); });
    let isWaiting = false;
    host.addEventListener("scroll", () => {
      if (isWaiting) return;
      isWaiting = true;
      requestAnimationFrame(() => {
        isWaiting = false;
        this.render();
      });
    });
    host.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoom(this.scale * (event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP));
    }, { passive: false });
    addEventListener("resize", () => this.render());
    this.pan();
  }

  pan() {
    const { host } = this;
    let from = null;
    host.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "mouse" || event.button !== 0 || event.target.closest("[data-node]")) return;
      from = { x: event.clientX + host.scrollLeft, y: event.clientY + host.scrollTop };
      host.setPointerCapture(event.pointerId);
    });
    host.addEventListener("pointermove", (event) => { if (from) host.scrollTo(from.x - event.clientX, from.y - event.clientY); });
    for (const end of ["pointerup", "pointercancel"]) host.addEventListener(end, () => { from = null; });
  }

  press(event) {
    const here = this.selected, place = this.order.indexOf(here), below = this.below.get(here);
    const toggle = () => this.fold(here, Boolean(this.isOpen[here]));
    const moves = {
      ArrowDown: () => this.order[place + 1],
      ArrowUp: () => this.order[place - 1],
      Home: () => 0,
      End: () => this.order.at(-1),
      ArrowRight: () => (this.isFolded(here) ? toggle() : below[0]),
      ArrowLeft: () => (below.length ? toggle() : here ? this.view.parents[here] : undefined),
      Enter: toggle,
      " ": toggle,
    };
    if (!moves[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const next = moves[event.key]();
    if (next !== undefined) this.select(next);
  }
}

function curve(x0, y0, x1, y1) {
  const middle = ((x0 + x1) / 2).toFixed(0), [from, to] = [y0.toFixed(1), y1.toFixed(1)];
  return `M${x0} ${from}C${middle} ${from} ${middle} ${to} ${x1} ${to}`;
}

// All nodes, what lies below one right after it.
function preorder(tree) {
  const found = [], waiting = [0];
  while (waiting.length) {
    const node = waiting.pop();
    found.push(node);
    waiting.push(...childrenOf(tree, node).reverse());
  }
  return found;
}
