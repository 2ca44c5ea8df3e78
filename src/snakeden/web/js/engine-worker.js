// A worker in which an engine thinks: a question in, an answer out, as with the server's processes.

import { startPython } from "./python.js";

const started = startPython().then((start) => start.engine());

onmessage = async ({ data }) => {
  const answer = await started.catch((error) => setTimeout(() => { throw error; })); // so that who made this worker hears of it
  postMessage(answer(data));
};
