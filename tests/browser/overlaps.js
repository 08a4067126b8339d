// Pairs of texts that lie on each other, as far as they can be seen.
() => {
  const isClipping = (style) => [style.overflowX, style.overflowY].some((each) => each !== "visible");
  const seen = (node, box) => {
    let { left, top, right, bottom } = box;
    for (let each = node.parentElement; each && each !== document.documentElement; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (style.visibility === "hidden" || style.clipPath !== "none") return null;
      if (each instanceof SVGElement && !(each instanceof SVGSVGElement)) continue;
      if (!isClipping(style)) continue;
      const around = each.getBoundingClientRect();
      left = Math.max(left, around.left);
      top = Math.max(top, around.top);
      right = Math.min(right, around.right);
      bottom = Math.min(bottom, around.bottom);
    }
    return right - left > 1 && bottom - top > 1 ? { left, top, right, bottom } : null;
  };
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.data.trim() || node.parentElement.closest("script, style, title, desc, option")) continue;
    const isThere = node.parentElement.getBoundingClientRect().width > 0;
    if (!isThere || !node.parentElement.checkVisibility()) continue; // it is folded
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      const part = seen(node, box);
      // Lines of one text may touch; what counts is the part where letters are.
      if (part) texts.push({ ...part, top: part.top + (part.bottom - part.top) * 0.2, bottom: part.bottom - (part.bottom - part.top) * 0.2, words: node.data.trim().slice(0, 40), node });
    }
  }
  texts.sort((one, other) => one.left - other.left);
  const found = [];
  texts.forEach((one, place) => {
    for (const other of texts.slice(place + 1)) {
      if (other.left >= one.right - 1) break;
      if (one.node !== other.node && one.top < other.bottom && other.top < one.bottom) found.push(`${one.words} | ${other.words}`);
    }
  });
  return found;
}
