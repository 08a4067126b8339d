// What the scripts of all pages share: elements, whose texts are never read as HTML, and the theme.

const byId = (id) => document.getElementById(id);

const isThere = (value) => (value ?? false) !== false;

// Attributes that begin with “on” react to events; what is null or false is left out.
function filled(element, attributes, inner) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (isThere(value)) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...inner.flat(3).filter(isThere));
  return element;
}

const make = (tag, attributes = {}, ...inner) => filled(document.createElement(tag), attributes, inner);
const drawn = (tag, attributes = {}, ...inner) => filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, inner);

function setUpTheme(button) {
  const page = document.documentElement.dataset;
  const isDark = () => (page.theme ? page.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  const tell = () => { button.textContent = isDark() ? "Light" : "Dark"; };
  button.addEventListener("click", () => {
    page.theme = isDark() ? "light" : "dark";
    tell();
  });
  tell();
}
