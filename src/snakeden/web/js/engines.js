// Engines that think in workers of this browser, each with a Python of its own.

/** The page, the worker that answers it and the system want a core, too. */
const SPARED = 2;
const MOST = 4;

/** How many questions are thought about at once. */
export const COUNT = Math.min(MOST, Math.max(1, (navigator.hardwareConcurrency || 2) - SPARED));

/** What the first worker starts from, if it is being loaded here: it need not load it again. @type {Promise<import("./python.js").Parts> | null} */
let parts = null;

/** Share what is being loaded with the first worker. @param {Promise<import("./python.js").Parts>} loading */
export function shareParts(loading) {
  parts = loading;
}

/** One worker, one question at a time. */
class Engine {
  constructor() {
    this.worker = new Worker(new URL("./engine-worker.js", import.meta.url), { type: "module" });
    const begin = (/** @type {import("./python.js").Parts | null} */ given) => this.worker.postMessage(given);
    this.begun = Promise.resolve(parts).then(begin, () => begin(null));
    parts = null;
    /** @type {{resolve: (answer: string) => void, reject: (error: Error) => void} | null} */
    this.asked = null;
    /** @type {Error | null} why it cannot answer; it may have failed before it was asked anything */
    this.error = null;
    this.worker.onmessage = ({ data }) => this.asked?.resolve(data);
    this.worker.onerror = (event) => {
      this.error = new Error(event.message);
      this.asked?.reject(this.error);
    };
  }

  /** @param {string} question @returns {Promise<string>} */
  ask(question) {
    if (this.error) return Promise.reject(this.error);
    return new Promise((resolve, reject) => {
      this.asked = { resolve, reject };
      void this.begun.then(() => this.worker.postMessage(question));
    });
  }
}

/** @type {Engine[]} */
const engines = [];

/** Start a worker, if it has not been started. @param {number} n */
export const engine = (n) => (engines[n] ??= new Engine());

/** Ask an engine. One that fails is replaced before it is asked again. @param {number} n @param {string} question */
export function ask(n, question) {
  return engine(n).ask(question).catch((error) => {
    engines[n].worker.terminate();
    delete engines[n];
    throw error;
  });
}
