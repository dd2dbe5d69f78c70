// Fields of forms: labelled, reachable, with the server's own bounds and words.

import { h, freshId } from "./dom.js";
import { t } from "./i18n.js";
import { capital } from "./words.js";

/** A few exclusive choices side by side. */
export function segments({ legend, name, choices, value, onChange = () => {}, hidden = false }) {
  const group = freshId(name);
  const inputs = choices.map((choice) => h("input", {
    type: "radio", name: group, value: choice.value, checked: choice.value === value, "data-choice": choice.value,
    on: { change: () => onChange(choice.value) },
  }));
  const node = h("fieldset", { "data-field": name }, h("legend", { class: hidden ? "unseen" : "" }, legend),
    h("div", { class: "segments" }, choices.map((choice, i) => h("label", {}, inputs[i], h("span", {}, choice.label)))));
  return {
    node,
    get value() { return inputs.find((input) => input.checked)?.value ?? null; },
    set value(next) { for (const input of inputs) input.checked = input.value === next; },
  };
}

/** A drop-down. */
export function dropdown({ label, name, choices, value, onChange = () => {}, hint }) {
  const id = freshId(name);
  const input = h("select", { id, "data-field": name, on: { change: () => onChange(input.value) } },
    choices.map((choice) => h("option", { value: choice.value, selected: choice.value === value }, choice.label)));
  return {
    node: h("div", { class: "field" }, h("label", { for: id }, label), input, hint ? h("span", { class: "hint" }, hint) : null),
    input,
    get value() { return input.value; },
    set value(next) { input.value = next; },
  };
}

/** A slider that tells its number beside its label; `onChange` hears while it moves, not more than the page can draw. */
export function slider({ label, name, min, max, step = 1, value, onChange = () => {}, words = String }) {
  const id = freshId(name);
  const output = h("output", { for: id }, words(value));
  let waiting = null;
  const input = h("input", {
    type: "range", id, min, max, step, value: undefined, "data-field": name,
    on: {
      input: () => {
        output.textContent = words(Number(input.value));
        clearTimeout(waiting);
        waiting = setTimeout(() => onChange(Number(input.value)), 90);
      },
    },
  });
  input.value = value;
  return {
    node: h("div", { class: "field slider" }, h("label", { for: id }, label, output), input), input,
    get value() { return Number(input.value); },
    set value(next) { input.value = next; output.textContent = words(Number(next)); },
    set max(next) { input.max = next; output.textContent = words(Number(input.value)); },
  };
}

const DICE = ["4", "6", "8", "10", "12", "20"];

/** A field for one parameter, whatever its game calls it; `heard` is told of a change, `on` which kind of change. */
export function parameter(spec, value, heard, explained = true, on = "input") {
  const id = freshId(spec.name);
  const label = spec.label ?? capital(spec.name.replaceAll("_", " "));
  const hint = spec.help && explained ? h("span", { class: "hint", id: `${id}-hint` }, capital(spec.help)) : null;
  const described = hint ? `${id}-hint` : undefined;
  if (spec.type === "bool") {
    const input = h("input", { type: "checkbox", id, checked: Boolean(value), "data-field": spec.name, on: { change: heard } });
    return { node: h("div", { class: "field" }, h("label", { class: "check" }, input, label), hint), get value() { return input.checked; }, input };
  }
  if (spec.type === "choice") {
    const input = h("select", { id, "data-field": spec.name, "aria-describedby": described, on: { change: heard } },
      spec.choices.map((choice) => h("option", { value: choice.value, selected: String(choice.value) === String(value) }, capital(choice.label))));
    return { node: h("div", { class: "field" }, h("label", { for: id }, label), input, hint), get value() { return input.value; }, input };
  }
  const isNumber = spec.type === "int";
  const suggestions = spec.type === "die" ? DICE.map((sides) => ({ value: sides })) : spec.choices;
  const list = suggestions && !isNumber ? h("datalist", { id: `${id}-list` }, suggestions.map(({ value: choice, label: text }) => h("option", { value: choice }, text ?? ""))) : null;
  const input = h("input", {
    type: isNumber ? "number" : "text", id, min: spec.min, max: spec.max, inputmode: isNumber ? "numeric" : undefined, autocomplete: "off",
    list: list ? `${id}-list` : undefined, placeholder: spec.optional ? t("as it is best") : undefined, "data-field": spec.name, "aria-describedby": described, on: { [on]: heard },
  });
  input.value = value ?? "";
  return {
    node: h("div", { class: "field" }, h("label", { for: id }, label), input, list, hint), input,
    get value() { return isNumber ? (input.value.trim() === "" ? spec.default : Number(input.value)) : input.value.trim(); },
  };
}

/** What differs from the default, so that addresses and titles stay short; `made` are parameters with their fields. */
export function changed(made) {
  return Object.fromEntries(made.map(([spec, field]) => [spec, field.value])
    .filter(([spec, value]) => String(value) !== String(spec.default) && value !== "").map(([spec, value]) => [spec.name, value]));
}

/** Fields for the parameters of a game; the first ones at once, the others folded away. */
export function parameters(game, { given = {}, shown = 3, onChange = () => {}, explained = true } = {}) {
  const made = game.parameters.map((spec) => [spec, parameter(spec, given[spec.name] ?? spec.default, () => onChange(), explained)]);
  const front = made.slice(0, shown), rest = made.slice(shown);
  const node = h("div", { class: "stack" },
    h("div", { class: "fields" }, front.map(([, field]) => field.node)),
    rest.length ? h("details", {}, h("summary", {}, t("More rules")), h("div", { class: "fields" }, rest.map(([, field]) => field.node))) : null);
  return { node, get value() { return changed(made); } };
}

/** Pick a named strategy and its numbers: "hold-at" and 25 become hold-at:25. */
export function strategyPicker(game, { label = t("Strategy"), value = null, name = "strategy", onChange = () => {}, explained = true } = {}) {
  const named = game.strategies;
  const [given, numbers = ""] = (value ?? "").split(/:(.*)/s);
  const place = h("div", { class: "fields" });
  const hint = h("p", { class: "hint" });
  let fields = [];
  const pick = dropdown({
    label, name, value: given || named[0].name, onChange: () => { build([]); onChange(); },
    choices: named.map((each) => ({ value: each.name, label: capital(each.label) })),
  });
  function build(parts) {
    const chosen = named.find((each) => each.name === pick.value);
    hint.textContent = (chosen?.help ?? "").replaceAll("`", "");
    fields = (chosen?.parameters ?? []).map((spec, i) => parameter(spec, parts[i] ?? spec.default, onChange));
    place.replaceChildren(...fields.map((field) => field.node));
    place.hidden = !fields.length;
  }
  build(numbers ? numbers.split(",") : []);
  return {
    node: h("div", { class: "stack" }, pick.node, place, explained ? hint : null),
    input: pick.input,
    get picked() { return pick.value; },
    get value() {
      const parts = fields.map((field) => String(field.value ?? ""));
      while (parts.length && parts.at(-1) === "") parts.pop();
      return parts.length ? `${pick.value}:${parts.join(",")}` : pick.value;
    },
    set value(next) {
      const [stem, rest = ""] = next.split(/:(.*)/s);
      pick.value = stem;
      build(rest ? rest.split(",") : []);
    },
  };
}
