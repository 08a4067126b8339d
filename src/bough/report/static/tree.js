// The drawing of the tree: folding, zoom, search, filter by rows, keys, and what a node says.

const MOST_OPEN = 23; // nodes of a tree that is shown whole at first
const LEAST_FIT = 0.7; // how small a tree is made to have room
const GAP = 14; // between boxes below each other
const MORE = 80; // room for how many nodes are folded
const ZOOM_STEP = 1.25, SMALLEST = 0.2, LARGEST_ZOOM = 3;

class Drawing {
  constructor(svg, report) {
    this.svg = svg;
    this.report = report;
    this.canvas = svg.parentElement;
    [, , this.width, this.height] = svg.getAttribute("viewBox").split(/[ ,]+/).map(Number);
    this.boxes = new Map(); // by node, in the order in which they are drawn
    this.least = 0; // rows that a node must have to be shown
    this.scale = 1;
    for (const group of svg.querySelectorAll(".nodes > g")) this.take(group);
    for (const edge of svg.querySelectorAll("[data-child]")) this.boxes.get(edge.dataset.child).edge = new Edge(edge);
    this.top = Math.min(...this.all.map((box) => box.y));
    this.beside = this.width - Math.max(...this.all.map((box) => box.x + box.width));
    this.legend = legendWidth(svg);
    this.above = Number(svg.querySelector(".nodes").getAttribute("transform").match(/,([\d.]+)/)[1]);
    this.below = this.height - Math.max(...this.all.map((box) => box.y + box.height));
    this.name();
    this.foldAtFirst();
    this.listen();
    this.focusable = this.root;
    this.root.group.tabIndex = 0;
    this.fit();
    this.reveal(this.root);
  }

  get all() {
    return [...this.boxes.values()];
  }

  get root() {
    return this.boxes.get("0");
  }

  take(group) {
    const [x, y] = group.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
    const card = group.querySelector(".card");
    const parent = this.boxes.get(group.dataset.parent) ?? null;
    const isNode = group.dataset.node !== undefined; // and not a sign for answers that are not drawn
    const node = isNode ? group.dataset.node : `more ${group.dataset.parent}`;
    const size = (name) => Number(card?.getAttribute(name) ?? 24);
    const box = {
      node, isNode, group, parent, x, y, height: size("height"), width: size("width"), children: [], isFolded: false,
      rows: isNode ? this.report.rows[node] : 0, label: group.querySelector("title")?.textContent ?? "", // read aloud
      depth: parent ? parent.depth + 1 : 1, drawnAt: y,
    };
    parent?.children.push(box);
    this.boxes.set(node, box);
  }

  // What a screen reader is told.
  name() {
    this.svg.setAttribute("role", "tree");
    this.svg.querySelector(".nodes").setAttribute("role", "presentation");
    for (const each of this.svg.querySelectorAll(".legend, .edges, .ground")) each.setAttribute("aria-hidden", "true");
    for (const box of this.all) {
      const { group, parent } = box;
      if (!box.isNode) {
        group.setAttribute("aria-hidden", "true");
        continue;
      }
      const siblings = parent ? parent.children.filter((each) => each.isNode) : [box];
      const about = {
        role: "treeitem", tabindex: -1, "aria-level": box.depth, "aria-setsize": siblings.length,
        "aria-posinset": siblings.indexOf(box) + 1, "aria-selected": "false",
      };
      for (const [key, value] of Object.entries(about)) group.setAttribute(key, value);
      if (box.children.length) box.handle = this.handle(box);
    }
  }

  // The sign at the right of a box that folds and unfolds what lies below.
  handle(box) {
    const sign = drawn("path"), more = drawn("text", { x: 15, y: 4 });
    const handle = drawn("g", { class: "handle", transform: `translate(${box.width},${box.height / 2})` }, drawn("circle", { r: 9 }), sign, more);
    box.group.append(handle);
    handle.addEventListener("click", (event) => {
      event.stopPropagation();
      this.fold(box, !box.isFolded);
    });
    return { sign, more };
  }

  // Opens the branches with most rows, as long as all that is shown has room.
  foldAtFirst() {
    for (const box of this.all) box.isFolded = box.children.length > 0 && this.boxes.size > MOST_OPEN;
    const open = this.root.isFolded ? [this.root] : [];
    while (open.length) {
      open.sort((one, other) => other.rows - one.rows);
      const box = open.shift();
      box.isFolded = false;
      this.place();
      if (box === this.root || Math.min(this.room.wide, this.room.high) >= LEAST_FIT) open.push(...box.children.filter((child) => child.isFolded));
      else box.isFolded = true;
    }
    this.place();
  }

  // How large the tree may be to have room; what is far too high is scrolled.
  get room() {
    const wide = this.canvas.clientWidth / this.across, high = 0.8 * innerHeight / this.high;
    return { wide, high };
  }

  fold(box, isFolded) {
    box.isFolded = isFolded && box.children.length > 0;
    this.place();
    this.focus(box);
  }

  foldAll(isFolded) {
    for (const box of this.all) box.isFolded = isFolded && box.children.length > 0 && box.depth > 1;
    this.place();
  }

  unfoldTo(box) {
    for (let above = box.parent; above; above = above.parent) above.isFolded = false;
  }

  isShown(box) {
    if (!box.parent) return true;
    return (!box.isNode || box.rows >= this.least) && !box.parent.isFolded && this.isShown(box.parent);
  }

  shown() {
    return this.all.filter((box) => this.isShown(box));
  }

  // Puts every box where it belongs: each branch beside its children, in a band that is its own.
  place() {
    const shown = this.shown(), isThere = new Set(shown);
    for (const box of [...shown].reverse()) {
      box.below = box.children.filter((child) => isThere.has(child));
      box.room = Math.max(box.height + GAP, box.below.reduce((sum, child) => sum + child.room, 0));
    }
    this.root.from = this.top - GAP / 2;
    for (const box of shown) {
      box.y = box.from + (box.room - box.height) / 2;
      let from = box.from + (box.room - box.below.reduce((sum, child) => sum + child.room, 0)) / 2;
      for (const child of box.below) {
        child.from = from;
        from += child.room;
      }
    }
    if (shown.length === this.boxes.size) for (const box of shown) box.y = box.drawnAt;
    for (const box of this.all) this.show(box, isThere.has(box));
    const right = Math.max(...shown.map((box) => box.x + box.width + (box.isFolded ? MORE : 0)));
    this.across = Math.max(right + this.beside, this.legend);
    this.high = Math.max(...shown.map((box) => box.y + box.height)) + this.below;
    this.zoom(this.scale);
  }

  show(box, isShown) {
    box.group.classList.toggle("gone", !isShown);
    box.edge?.path.classList.toggle("gone", !isShown);
    if (!isShown) return;
    box.group.setAttribute("transform", `translate(${box.x},${box.y})`);
    box.edge?.draw(box.parent.y + box.parent.height / 2, box.y + box.height / 2);
    if (!box.handle) return;
    box.group.setAttribute("aria-expanded", String(!box.isFolded));
    box.handle.sign.setAttribute("d", box.isFolded ? "M-4 0H4M0 -4V4" : "M-4 0H4");
    box.handle.more.textContent = box.isFolded ? `${this.report.below[box.node]} more` : "";
  }

  zoom(scale) {
    this.scale = Math.min(Math.max(scale, SMALLEST), LARGEST_ZOOM);
    this.svg.setAttribute("viewBox", `0 0 ${this.across} ${this.high}`);
    this.svg.setAttribute("width", Math.round(this.across * this.scale));
    this.svg.setAttribute("height", Math.round(this.high * this.scale));
  }

  fit() {
    const { wide, high } = this.room;
    this.zoom(Math.max(Math.min(wide, high < LEAST_FIT ? 1 : high, 1), LEAST_FIT));
  }

  // Scrolls to a box.
  reveal(box) {
    const { canvas, scale } = this;
    const left = (box.x + box.width / 2) * scale - canvas.clientWidth / 2;
    const top = (box.y + box.height / 2 + this.above) * scale - canvas.clientHeight / 2;
    canvas.scrollTo(left, top);
  }

  // Shows what a node says, and remembers it as the one that the keys start from.
  focus(box, isByHand = true) {
    this.focusable.group.tabIndex = -1;
    this.focusable.group.setAttribute("aria-selected", "false");
    this.focusable = box;
    box.group.tabIndex = 0;
    box.group.setAttribute("aria-selected", "true");
    if (isByHand) box.group.focus();
    this.onFocus?.(box.node);
  }

  // Lights up the nodes of a trail as far as they are drawn.
  light(nodes) {
    const on = new Set(nodes.map(String));
    for (const [node, box] of this.boxes) {
      if (on.has(node)) this.unfoldTo(box);
      box.group.classList.toggle("on", on.has(node));
      box.edge?.path.classList.toggle("on", on.has(node));
    }
    this.place();
    const last = this.boxes.get(nodes.map(String).filter((node) => this.boxes.has(node)).at(-1));
    this.focus(last, false);
    this.reveal(last);
  }

  // Marks the nodes whose words hold what is looked for, and returns how many there are.
  search(text) {
    const wanted = text.trim().toLowerCase();
    this.hits = [];
    for (const box of this.all) {
      const isHit = wanted !== "" && box.label.toLowerCase().includes(wanted);
      if (isHit) {
        this.hits.push(box);
        this.unfoldTo(box);
      }
      box.group.classList.toggle("hit", isHit);
      box.group.classList.toggle("dim", wanted !== "" && !isHit);
    }
    this.place();
    return this.hits.length;
  }

  nextHit() {
    const hits = this.hits?.filter((box) => this.isShown(box)) ?? [];
    if (hits.length) this.focus(hits[(hits.indexOf(this.focusable) + 1) % hits.length]);
  }

  filter(least) {
    this.least = least;
    this.place();
    if (!this.isShown(this.focusable)) this.focus(this.root, false);
  }

  listen() {
    this.svg.addEventListener("keydown", (event) => this.press(event));
    for (const box of this.all) {
      if (!box.isNode) continue;
      box.group.addEventListener("click", () => this.focus(box));
      box.group.addEventListener("dblclick", () => this.fold(box, !box.isFolded));
      box.group.addEventListener("focus", () => box !== this.focusable && this.focus(box, false));
    }
    this.canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoom(this.scale * (event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP));
    }, { passive: false });
    this.pan();
  }

  pan() {
    let from = null;
    this.canvas.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "mouse" || event.button !== 0 || event.target.closest("[data-node]")) return;
      from = { x: event.clientX + this.canvas.scrollLeft, y: event.clientY + this.canvas.scrollTop };
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (from) this.canvas.scrollTo(from.x - event.clientX, from.y - event.clientY);
    });
    for (const end of ["pointerup", "pointercancel"]) this.canvas.addEventListener(end, () => { from = null; });
  }

  press(event) {
    const here = this.focusable;
    const shown = this.shown().filter((box) => box.isNode);
    const place = shown.indexOf(here);
    const below = here.children.filter((box) => shown.includes(box));
    const toggle = () => this.fold(here, !here.isFolded);
    const moves = {
      ArrowDown: () => shown[place + 1],
      ArrowUp: () => shown[place - 1],
      Home: () => shown[0],
      End: () => shown.at(-1),
      ArrowRight: () => (here.isFolded ? this.fold(here, false) : below[0]),
      ArrowLeft: () => (below.length ? this.fold(here, true) : here.parent),
      Enter: toggle,
      " ": toggle,
    };
    if (!moves[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const next = moves[event.key]();
    if (next) this.focus(next);
  }
}

// A new element of a picture.
function drawn(tag, attributes = {}, ...content) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...content);
  return element;
}

function legendWidth(svg) {
  const legend = svg.querySelector(".legend")?.getBBox();
  return legend ? legend.x + legend.width + 40 : 0;
}

// The line to a box; its form is kept when its ends move up or down.
class Edge {
  constructor(path) {
    this.path = path;
    this.numbers = path.getAttribute("d").match(/-?[\d.]+/g);
  }

  draw(from, to) {
    const [x0, , x1, , x2, , x3, , end] = this.numbers;
    this.path.setAttribute("d", `M${x0} ${from}C${x1} ${from} ${x2} ${to} ${x3} ${to}H${end}`);
  }
}
