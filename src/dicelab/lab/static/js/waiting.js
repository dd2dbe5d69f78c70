// Waiting for the solver: nothing at first, then a bar that says what is being solved and how far it is.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { capital, percent } from "./words.js";

/** Return a place for progress with `onProgress`, to be handed to the server's calls, and `done`. */
export function progressPlace() {
  const bar = h("progress", { max: 1, "aria-label": t("progress") });
  const text = h("span", { class: "soft small" });
  const node = h("div", { class: "stack progress-place", hidden: true, role: "status" }, text, bar);
  return {
    node,
    onProgress(job) {
      node.hidden = false;
      const far = job.progress ?? null;
      if (far) bar.value = far; else bar.removeAttribute("value");
      text.textContent = far ? t("{what}: {share}", { what: capital(job.what), share: percent(far, 0) }) : capital(job.what);
    },
    done() { node.hidden = true; },
  };
}

/** Show that something failed, in the words of who refused. */
export function failure(problem) {
  return h("p", { class: "error", role: "alert" }, problem.message);
}

/**
 * Run the newest of many asks: an older one still under way is dropped. For sliders, which ask faster than anyone answers.
 */
export function newest() {
  let controller = null;
  return async (work) => {
    controller?.abort();
    const mine = controller = new AbortController();
    try {
      const got = await work(mine.signal);
      return mine === controller ? got : undefined;
    } catch (problem) {
      if (problem.name === "AbortError" || mine !== controller) return undefined;
      throw problem;
    }
  };
}

