// Asking the server. It throws the dice, knows the rules and keeps the record; its sentences are shown as they are.

import { h, pause } from "./dom.js";
import { language, t } from "./i18n.js";
import { learnTitles } from "./words.js";

/** What the server refused, in its own words. */
export class Refused extends Error {
  constructor(status, body) {
    super(body?.error?.message ?? t("the server answered {status} without a word", { status }));
    this.status = status;
    this.kind = body?.error?.kind ?? "";
    this.body = body;
  }
}

const TOKEN = "dicelab-admin-token";
export const adminToken = () => sessionStorage.getItem(TOKEN) ?? "";
const spoken = { "Accept-Language": language }; // the server answers in the language of the page
const asAdmin = () => (adminToken() ? { "X-Admin-Token": adminToken() } : {});
export const setAdminToken = (token) => sessionStorage.setItem(TOKEN, token);

async function once(method, path, body, headers, signal) {
  let answer;
  try {
    answer = await fetch(path, {
      method, signal, credentials: "same-origin",
      headers: { ...spoken, ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw new Refused(0, { error: { kind: "Away", message: t("the lab does not answer; if it was stopped, start it again and reload: nothing is lost") } });
  }
  const text = await answer.text();
  let said = null;
  try { said = text ? JSON.parse(text) : null; } catch { said = null; }
  return { answer, said };
}

/**
 * Ask, and ask again while something is being solved; `onProgress` hears how far that is.
 * A server that is away is asked three times: it may be starting again.
 */
async function ask(method, path, { body, onProgress = () => {}, signal, admin = false } = {}) {
  const headers = admin ? asAdmin() : {};
  const waiting = /[?&]wait=/.test(path) ? path : path + (path.includes("?") ? "&" : "?") + "wait=0.3";
  let left = 3, known = path === "/api/me";
  for (;;) {
    let got;
    try {
      got = await once(method, waiting, body, headers, signal);
    } catch (problem) {
      if (problem.name === "AbortError" || --left <= 0) throw problem;
      await pause(700);
      continue;
    }
    const { answer, said } = got;
    if (answer.status === 202 && said?.job) {
      onProgress(said.job);
      await pause(60);
      signal?.throwIfAborted();
      continue;
    }
    if (answer.status === 401 && !known) { // nobody here yet: who asks /api/me becomes a player
      known = true;
      await whoAmI(true);
      continue;
    }
    if (answer.status === 429 && --left > 0) {
      await pause(1000 * Math.min(5, Number(answer.headers.get("Retry-After")) || 1));
      continue;
    }
    if (!answer.ok) throw new Refused(answer.status, said);
    return said;
  }
}

export const get = (path, options) => ask("GET", path, options);
export const post = (path, body, options) => ask("POST", path, { ...options, body });
export const put = (path, body, options) => ask("PUT", path, { ...options, body });
export const patch = (path, body, options) => ask("PATCH", path, { ...options, body });

/** Return a query out of what is not empty. */
export function query(values) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== "") search.set(name, value);
  }
  const text = search.toString();
  return text ? `?${text}` : "";
}

/** Fetch a file as a blob, and fetch again while what it needs is being solved. */
export async function fetchFile(path) {
  for (;;) {
    const answer = await fetch(path, { credentials: "same-origin", headers: { ...spoken, ...asAdmin() } });
    if (!answer.ok) throw new Refused(answer.status, await answer.json().catch(() => null));
    if (answer.status !== 202) return answer.blob(); // 202 is word of the work, and no file
    await pause(60);
  }
}

/** Fetch a file and let the browser save it under a name. */
export async function download(path, name) {
  const source = URL.createObjectURL(await fetchFile(path));
  h("a", { href: source, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(source), 60_000); // the browser may still be reading it
}

/** Send a file as it is. */
export async function sendFile(path, text) {
  const headers = { ...spoken, "Content-Type": "text/csv", ...asAdmin() };
  const answer = await fetch(path, { method: "POST", credentials: "same-origin", body: text, headers });
  const said = await answer.json().catch(() => null);
  if (!answer.ok) throw new Refused(answer.status, said);
  return said;
}

export async function remove(path) {
  const answer = await fetch(path, { method: "DELETE", credentials: "same-origin", headers: { ...spoken, ...asAdmin() } });
  if (!answer.ok) throw new Refused(answer.status, await answer.json().catch(() => null));
}

let games = null;
/** What the server has, asked once. */
async function catalogue() {
  games ??= get("/api/games").then((told) => { learnTitles(told.games); return told; });
  return games.catch((problem) => { games = null; throw problem; });
}
/** The games the server has. */
export const allGames = async () => (await catalogue()).games;
/** The marks of decisions and throws, with the share of what is at stake from which on each is given. */
export const allMarks = async () => (await catalogue()).marks;

let me = null;
export async function whoAmI(fresh = false) {
  if (fresh || !me) me = await get("/api/me");
  return me;
}
