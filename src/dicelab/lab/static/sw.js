// Keeps the files of the page, so that it opens where the lab is out of reach. The server writes VERSION and FILES in
// front of this. The network always comes first: a kept file is only for when there is none, so nothing is ever stuck.
// Answers about players and matches are not kept.

const NAME = `dicelab-${VERSION}`;
const KEPT = new Set(FILES);
const VENDORED = "/static/vendor/"; // large: kept from the first time that it is asked for

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES.map((path) => new Request(path, { cache: "reload" })))));
});

addEventListener("activate", (event) => {
  const others = (names) => names.filter((name) => name.startsWith("dicelab-") && name !== NAME);
  event.waitUntil(caches.keys().then((names) => Promise.all(others(names).map((name) => caches.delete(name)))).then(() => clients.claim()));
});

/** Ask the lab; where it does not answer, give what is kept under `path`. */
async function networkFirst(request, path) {
  try {
    const answer = await fetch(request);
    if (answer.ok && path.startsWith(VENDORED)) (await caches.open(NAME)).put(path, answer.clone());
    return answer;
  } catch (away) {
    const kept = await caches.match(path);
    if (kept) return kept;
    throw away;
  }
}

addEventListener("fetch", (event) => {
  const { request } = event, { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && !pathname.startsWith("/api")) event.respondWith(networkFirst(request, "/play"));
  else if (KEPT.has(pathname) || pathname.startsWith(VENDORED)) event.respondWith(networkFirst(request, pathname));
});
