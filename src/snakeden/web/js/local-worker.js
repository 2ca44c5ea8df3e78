// The worker that answers the page where there is no server: Python with the games, and workers in which engines think.

import { ask, COUNT, engine } from "./engines.js";
import * as kept from "./kept.js";
import { startPython } from "./python.js";

const started = startPython().then((start) => {
  const app = start.app(kept, COUNT, ask);
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
