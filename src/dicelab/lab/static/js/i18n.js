// Text in the reader's language. The code speaks English; a catalogue, if there is one, says it otherwise.

let catalogue = null; // { text: [forms] }
let rules = null;

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => (Object.hasOwn(values, name) ? String(values[name]) : all));

/** Speak from a catalogue of a language: text to its forms, one for each kind of number. */
export function speak(language, forms) {
  catalogue = forms;
  rules = new Intl.PluralRules(language);
  document.documentElement.lang = language;
}

/** Return a sentence in the reader's language; `values` take the places named in braces. */
export function t(text, values = {}) {
  return filled(catalogue?.[text]?.[0] ?? text, values);
}

/** The same about `n` things: `{n}` is their number. */
export function tn(one, several, n, values = {}) {
  const forms = catalogue?.[one];
  const said = !forms || forms.length < 2 ? (n === 1 ? one : several) : forms[rules.select(n) === "one" ? 0 : forms.length - 1];
  return filled(said, { n, ...values });
}
