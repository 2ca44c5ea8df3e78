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
  try {
    postMessage((await started)(data));
  } catch (error) {
    setTimeout(() => { throw error; }); // who made this worker hears only of what is thrown outside promises
  }
};
