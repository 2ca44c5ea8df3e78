// The worker that answers the page where there is no server: Python with the games, and workers in which engines think.

import { ask, COUNT, engine, shareParts } from "./engines.js";
import * as kept from "./kept.js";
import { forgetOthers, keepPosition } from "./positions.js";
import { loadParts, startPython } from "./python.js";

/** The site's, as the page says. */
const VERSION = self.name;

const parts = loadParts();
shareParts(parts);
const started = startPython(parts).then((start) => {
  const app = start.app(kept, COUNT, ask);
  new BroadcastChannel(kept.CHANNEL).onmessage = ({ data }) => app.store.changed(data);
  return app;
});
void forgetOthers(VERSION).catch(() => {});
started.then(() => postMessage({ ready: true }), (error) => postMessage({ failed: String(error) }));

/** @param {any} message */
async function answer({ number, method, path, query, body }) {
  // Once somebody plays, an engine will be asked soon.
  if (method === "POST") engine(0);
  const app = await started;
  const told = await app.answer(method, path, query, body);
  const [status, text] = told.toJs();
  told.destroy();
  postMessage({ number, status, text });
}

/** Send what happens in a game to the page, from now on. @param {number} watcher @param {string} id */
async function watch(watcher, id) {
  const app = await started;
  app.watch(watcher, id, (/** @type {string} */ text) => {
    postMessage({ watcher, text });
    keepPosition(VERSION, id, text);
  });
}

onmessage = async ({ data }) => {
  if (data.method) await answer(data);
  else if (data.id) await watch(data.watcher, data.id);
  else (await started).unwatch(data.watcher);
};
