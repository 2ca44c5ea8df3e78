// The worker that answers the page where there is no server: Python with the games, and workers in which engines think.

import * as kept from "./kept.js";
import { startPython } from "./python.js";

/** The page, this worker and the system want a core, too. */
const SPARED = 2;
const MOST_ENGINES = 4;

/** A worker in which an engine thinks; it starts when it is first asked, or before. */
class Engine {
  constructor() {
    this.worker = new Worker(new URL("./engine-worker.js", import.meta.url), { type: "module" });
    /** @type {{resolve: (answer: string) => void, reject: (error: Error) => void} | null} */
    this.asked = null;
    this.worker.onmessage = ({ data }) => this.asked?.resolve(data);
    this.worker.onerror = (event) => this.asked?.reject(new Error(event.message));
  }

  /** @param {string} question @returns {Promise<string>} */
  ask(question) {
    return new Promise((resolve, reject) => {
      this.asked = { resolve, reject };
      this.worker.postMessage(question);
    });
  }
}

const count = Math.min(MOST_ENGINES, Math.max(1, (navigator.hardwareConcurrency || 2) - SPARED));
/** @type {Engine[]} */
const engines = [];
const engine = (/** @type {number} */ n) => (engines[n] ??= new Engine());

/** Ask an engine. One that fails is replaced before it is asked again. @param {number} n @param {string} question */
function ask(n, question) {
  return engine(n).ask(question).catch((error) => {
    engines[n].worker.terminate();
    delete engines[n];
    throw error;
  });
}

const started = startPython().then((start) => {
  const app = start.app(kept, count, ask);
  new BroadcastChannel(kept.CHANNEL).onmessage = ({ data }) => app.store.changed(data);
  return app;
});
started.then(() => postMessage({ ready: true }), (error) => postMessage({ failed: String(error) }));

/** @param {any} message */
async function answer({ number, method, path, query, body }) {
  const app = await started;
  // Once somebody plays, an engine will be asked soon.
  if (method === "POST") engine(0);
  const told = await app.answer(method, path, query, body);
  const [status, text] = told.toJs();
  told.destroy();
  postMessage({ number, status, text });
}

onmessage = async ({ data }) => {
  if (data.method) return answer(data);
  const app = await started;
  if (data.id) app.watch(data.watcher, data.id, (/** @type {string} */ text) => postMessage({ watcher: data.watcher, text }));
  else app.unwatch(data.watcher);
};
