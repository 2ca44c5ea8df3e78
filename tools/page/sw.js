// The service worker of the site without a server: all of its files are kept, so that it opens without a network.
// The building puts in which files there are, and a version that changes with any of them.

/** @type {any} */
const scope = self;
const VERSION = "VERSION";
/** @type {string[]} */
const FILES = [/* FILES */];
const CACHE = `snakeden ${scope.registration?.scope} ${VERSION}`;

scope.addEventListener("install", (/** @type {any} */ event) => {
  // What the browser has already is asked for, not sent again; nothing old is kept.
  const wanted = FILES.map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(wanted)));
});

scope.addEventListener("activate", (/** @type {any} */ event) => {
  const ours = `snakeden ${scope.registration.scope} `;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith(ours) && name !== CACHE).map((name) => caches.delete(name)))));
});

scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const { method, url, mode } = event.request;
  if (method !== "GET" || !url.startsWith(scope.registration.scope)) return;
  const asked = mode === "navigate" ? scope.registration.scope : event.request;
  event.respondWith(caches.open(CACHE).then(async (cache) => (await cache.match(asked, { ignoreSearch: true })) ?? fetch(event.request)));
});
