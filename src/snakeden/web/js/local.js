// Where the page's requests go if it came without a server: to a worker of its own. Takes the place of `transport.js`.

import { h } from "./dom.js";
import { phrase, t } from "./i18n.js";
import { all } from "./kept.js";
import { lastPosition } from "./positions.js";

/** Whether there are others to play with. */
export const online = false;

/** Of the site, put in when it is built. */
const VERSION = document.querySelector("meta[name=version]")?.getAttribute("content") ?? "";

/** @type {Worker | null} */
let started = null;
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

/** @param {MessageEvent} message */
function heard({ data }) {
  if (data.ready) return isReady();
  if (data.failed) return fail(data.failed);
  if (data.watcher !== undefined) return sockets.get(data.watcher)?.tell(data.text);
  return settle(data.number, data.status, data.text);
}

/** The worker that answers; it is started once. */
function worker() {
  if (!started) {
    started = new Worker(new URL("./local-worker.js", import.meta.url), { type: "module", name: VERSION });
    started.onmessage = heard;
    started.onerror = (/** @type {ErrorEvent} */ event) => fail(event.message);
  }
  return started;
}
// Whoever comes to a game waits for the worker; whoever comes to the shelf is to see that first.
if (location.hash.length > 2) worker();

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
  "api/catalogue": () => {
    requestAnimationFrame(() => requestAnimationFrame(worker));
    return fetch("api/catalogue.json");
  },
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
    worker().postMessage({ number, method: how.method ?? "GET", path: pathname.slice(1), query, body: how.body ?? "" });
  });
}

/** A live connection to the worker, with the events of a WebSocket. */
class LocalSocket extends EventTarget {
  /** @param {string} id */
  constructor(id) {
    super();
    this.number = ++numbers;
    this.told = "";
    sockets.set(this.number, this);
    worker().postMessage({ watcher: this.number, id });
    // The worker may still have to start.
    void lastPosition(VERSION, id).then((text) => text && !this.told && this.tell(text), () => {});
  }

  /** @param {string} text */
  tell(text) {
    if (text === this.told || !sockets.has(this.number)) return;
    this.told = text;
    this.dispatchEvent(new MessageEvent("message", { data: text }));
  }

  close() {
    sockets.delete(this.number);
    worker().postMessage({ watcher: this.number });
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

/** Milliseconds for whoever has come to play: then the whole site is kept for days without a network. */
const PAUSE = 5000;
void ready.then(() => setTimeout(() => void navigator.serviceWorker?.register("sw.js"), PAUSE));
void navigator.storage?.persist?.();
