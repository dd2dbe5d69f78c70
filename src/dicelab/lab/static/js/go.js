// Going to another view, as a link would.

export function go(path, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}

/** Let the address say what is seen, without drawing anything anew. */
export function note(path) {
  history.replaceState(null, "", path);
}
