// Text in the reader's language. The code speaks English; a catalogue from the server says it otherwise.
// It is here before any other module runs, so that texts may be named at the top of a file.

export const LANGUAGES = { en: "English", fr: "Français" };
const KEY = "dicelab-language";

/** The language that was chosen here, else the first of the browser's that the lab speaks. */
function preferred() {
  const kept = localStorage.getItem(KEY);
  const wishes = [kept ?? "", ...navigator.languages].map((each) => each.slice(0, 2).toLowerCase());
  return wishes.find((each) => Object.hasOwn(LANGUAGES, each)) ?? "en";
}

export const language = preferred();

/** Speak another language from now on. */
export function choose(name) {
  localStorage.setItem(KEY, name);
  location.reload();
}

/** What a language says, from the server; without it the page speaks English. */
async function catalogueOf(name) {
  if (name === "en") return {};
  try {
    const answer = await fetch(`/api/text/${name}`, { credentials: "same-origin" });
    return answer.ok ? (await answer.json()).text : {};
  } catch {
    return {};
  }
}

const catalogue = await catalogueOf(language); // text to its forms, one for each kind of number
const rules = new Intl.PluralRules(language);

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => (Object.hasOwn(values, name) ? String(values[name]) : all));

/** Return a sentence in the reader's language; `values` take the places named in braces. */
export function t(text, values = {}) {
  return filled(catalogue[text]?.[0] ?? text, values);
}

/** The same about `n` things: `{n}` is their number. */
export function tn(one, several, n, values = {}) {
  const forms = catalogue[one];
  const said = !forms || forms.length < 2 ? (n === 1 ? one : several) : forms[rules.select(n) === "one" ? 0 : 1];
  return filled(said, { n, ...values });
}

/** The same with elements in its places: what it returns goes into an element as its children. */
export function tp(text, nodes) {
  return t(text).split(/\{(\w+)\}/).map((part, i) => (i % 2 ? nodes[part] : part));
}

/** Say what stands in the page itself: elements marked with data-t, and attributes that it names. */
export function translatePage() {
  document.documentElement.lang = language;
  for (const node of document.querySelectorAll("[data-t]")) {
    const name = node.dataset.t;
    if (name) node.setAttribute(name, t(node.getAttribute(name)));
    else node.textContent = t(node.textContent);
  }
}

/** The switch: a button that names the next language. */
export function languageSwitch(button) {
  const names = Object.keys(LANGUAGES);
  const next = names[(names.indexOf(language) + 1) % names.length];
  button.textContent = next.toUpperCase();
  button.lang = next;
  button.setAttribute("aria-label", `${next.toUpperCase()}: ${LANGUAGES[next]}`); // Begins with what is seen, for who says it aloud.
  button.title = LANGUAGES[next];
  button.addEventListener("click", () => choose(next));
}
