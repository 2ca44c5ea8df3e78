// A worker in which an engine thinks: a question in, an answer out, as with the server's processes.

import { loadParts, startPython } from "./python.js";

/** @type {Promise<(question: string) => string> | null} */
let started = null;

/** The first message has what Python starts from, or null; the others are questions. */
onmessage = async ({ data }) => {
  if (!started) {
    started = startPython(data ?? loadParts()).then((start) => start.engine());
    return;
  }
  const answer = await started.catch((error) => setTimeout(() => { throw error; })); // so that who made this worker hears of it
  postMessage(/** @type {(question: string) => string} */ (answer)(data));
};
