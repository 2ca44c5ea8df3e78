// Where the page's requests go if it came without a server: to a worker of its own. Takes the place of `transport.js`.

import { h } from "./dom.js";
import { phrase, t } from "./i18n.js";
import { all } from "./kept.js";

/** Whether there are others to play with. */
export const online = false;

const worker = new Worker(new URL("./local-worker.js", import.meta.url), { type: "module" });
/** @type {Map<number, (answer: Response) => void>} */
const waiting = new Map();
/** @type {Map<number, LocalSocket>} */
const sockets = new Map();
let numbers = 0;
/** HTTP's "not implemented". */
const CANNOT_RUN = 501;
/** What is answered if the worker cannot start. */
let failed = "";
/** @type {(value?: any) => void} */
let isReady;
/** Settled when the worker answers. */
export const ready = new Promise((resolve) => { isReady = resolve; });

worker.onmessage = (/** @type {MessageEvent} */ { data }) => {
  if (data.ready) return isReady();
  if (data.failed) return fail(data.failed);
  if (data.watcher !== undefined) return sockets.get(data.watcher)?.dispatchEvent(new MessageEvent("message", { data: data.text }));
  settle(data.number, data.status, data.text);
};

worker.onerror = (/** @type {ErrorEvent} */ event) => fail(event.message);

/** Say to all who ask, and will ask, that nothing is answered here. @param {string} reason */
function fail(reason) {
  failed = JSON.stringify({ message: { key: "page.cannotRun", reason } });
  for (const number of waiting.keys()) settle(number, CANNOT_RUN, failed);
}

/** @param {number} number @param {number} status @param {string} text */
function settle(number, status, text) {
  waiting.get(number)?.(new Response(text, { status }));
  waiting.delete(number);
}

/** What lists show of a kept game. @param {any} game */
const listed = ({ id, game, name, options, status, created, seats, you, entries }) =>
  ({ id, game, name, options, status, created, seats, you, entries: entries.length });

/** What can be answered before Python has started. @type {{[path: string]: () => Promise<Response>}} */
const AT_ONCE = {
  "api/catalogue": () => fetch("api/catalogue.json"),
  "api/mine": async () => Response.json({ games: (await all()).map(listed) }),
  "api/lobby": async () => Response.json({ games: [] }),
  "api/running": async () => Response.json({ games: [] }),
};

/** @param {string} path @param {RequestInit} how @returns {Promise<Response>} */
export function request(path, how) {
  if (!path.startsWith("api/")) return fetch(path, how);
  if (path in AT_ONCE) return AT_ONCE[path]();
  if (failed) return Promise.resolve(new Response(failed, { status: CANNOT_RUN }));
  const { pathname, searchParams } = new URL(path, "local:/");
  return new Promise((resolve) => {
    const number = ++numbers;
    waiting.set(number, resolve);
    const query = JSON.stringify(Object.fromEntries(searchParams));
    worker.postMessage({ number, method: how.method ?? "GET", path: pathname.slice(1), query, body: how.body ?? "" });
  });
}

/** A live connection to the worker, with the events of a WebSocket. */
class LocalSocket extends EventTarget {
  /** @param {string} id */
  constructor(id) {
    super();
    this.number = ++numbers;
    sockets.set(this.number, this);
    worker.postMessage({ watcher: this.number, id });
  }

  close() {
    sockets.delete(this.number);
    worker.postMessage({ watcher: this.number });
  }
}

/** @param {string} id @returns {any} */
export const connect = (id) => new LocalSocket(id);

const TYPES = /** @type {{[end: string]: string}} */ ({ record: "text/plain", picture: "image/svg+xml" });

/** Links to what a server would send lead to what the worker makes. */
document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest?.("a[href^='api/']");
  if (!(link instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  const path = /** @type {string} */ (link.getAttribute("href"));
  void request(path, {}).then(async (answer) => {
    const type = TYPES[path.split("/").at(-1) ?? ""];
    const address = URL.createObjectURL(new Blob([await answer.text()], { type }));
    const copy = document.createElement("a");
    copy.href = address;
    if (link.download) copy.download = link.download;
    else copy.target = "_blank";
    copy.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  });
});

/** Offer a file to be saved. @param {string} name @param {string} text */
function save(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** What stands below one's own games: where they are kept, and how to take them along. @param {number} count @returns {HTMLElement[]} */
export function keepsake(count) {
  const said = h("p", { class: "note", role: "status" });
  const file = h("input", { type: "file", accept: "application/json,.json", hidden: true, "data-key": "kept/file" });
  file.addEventListener("change", async () => {
    const chosen = /** @type {HTMLInputElement} */ (file).files?.[0];
    if (!chosen) return;
    const answer = await request("api/kept", { method: "POST", body: await chosen.text() });
    const told = await answer.json();
    if (answer.ok) location.reload();
    else said.textContent = phrase(told.message ?? "");
  });
  const away = async () => save("snakeden-games.json", JSON.stringify({ snakeden: 1, games: await all() }));
  const server = h("p", {});
  void fetch("site.json").then((answer) => answer.json()).then(({ server: address }) => {
    if (address) server.append(h("a", { class: "button", href: address }, t("playOnline")));
  }, () => {});
  return [h("section", { class: "kept" }, h("h2", {}, t("keptHere")), h("p", {}, t("keptWhere")),
    h("div", { class: "tools" },
      count > 0 && h("button", { type: "button", "data-key": "kept/save", click: () => void away() }, t("keptSave")),
      h("button", { type: "button", "data-key": "kept/load", click: () => file.click() }, t("keptLoad")), file),
    said, server)];
}

/** Once the games answer, the whole site is kept for days without a network. */
void ready.then(() => navigator.serviceWorker?.register("sw.js"));
void navigator.storage?.persist?.();
