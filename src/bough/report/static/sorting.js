// Sorts a table by the column whose head is pressed.
function setUpSorting(table) {
  const body = table.tBodies[0];
  [...table.tHead.rows[0].cells].forEach((head, place) => {
    const button = make("button", { type: "button", class: "head" }, ...head.childNodes);
    button.addEventListener("click", () => {
      const isDown = head.getAttribute("aria-sort") !== "descending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      const cell = (row) => row.cells[place].textContent;
      const sign = isDown ? -1 : 1;
      body.append(...[...body.rows].sort((one, other) => sign * inOrder(cell(one), cell(other))));
    });
    head.replaceChildren(button);
  });
}

// Below 0 if a cell comes before another: numbers by their size, and blanks first.
function inOrder(one, other) {
  return sizeOf(one) - sizeOf(other) || one.localeCompare(other, "en", { numeric: true });
}

// The number that a cell says, as in "1,234", "± 0.5" or ">99 %"; NaN: it says none.
function sizeOf(text) {
  const beside = { "<": -0.5, ">": 0.5 }[text[0]] ?? 0;
  return text ? Number(text.replace(/[<>±,% ]/g, "")) + beside : -Number.MAX_VALUE;
}
