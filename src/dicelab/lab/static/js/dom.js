// Making elements. Text goes in as text, never as markup, so nothing people write can become code.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") {
      for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    } else if (name === "class") node.setAttribute("class", value);
    else if (name === "vars") {
      for (const [key, amount] of Object.entries(value)) node.style.setProperty(key, amount);
    } else if (name === "value" || name === "checked" || name === "selected" || name === "disabled") {
      node[name] = value;
    } else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Return an element with attributes and children; strings become text. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Put children in the place of what a node held. */
export function show(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Return a number with what it counts below it. */
export function stat(value, text) {
  return h("div", { class: "stat" }, h("b", {}, value), h("span", {}, text));
}

/** Tell people who listen rather than look. */
export function announce(text) {
  const live = document.getElementById("live");
  // The same words twice are only read twice when the region was empty in between.
  live.textContent = "";
  requestAnimationFrame(() => { live.textContent = text; });
}

/** Interrupt with what went wrong. */
export function alarm(text) {
  const region = document.getElementById("alert");
  region.textContent = "";
  requestAnimationFrame(() => { region.textContent = text; });
}

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

let used = 0;
/** Return an id nobody has yet. */
export const freshId = (stem) => `${stem}-${++used}`;
