// The engine of a page that has a server: it thinks for the opponents of whoever plays alone, and gives advice.

import { ask, COUNT } from "./engines.js";

/** A WebAssembly module with one function, which makes a vector (`i8x16.splat`) of a number and counts bits in it (`i8x16.popcnt`). */
const SIMD = new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, // the header
  1, 5, 1, 0x60, 0, 1, 0x7b, // a type: () -> v128
  3, 2, 1, 0, // a function of it
  10, 10, 1, 8, 0, 0x41, 0, 0xfd, 15, 0xfd, 98, 11, // i32.const 0, i8x16.splat, i8x16.popcnt, end
]);

/** Whether this browser can run the engine, and its visitor has not asked to save data: the engine has some megabytes. */
const able = () => typeof DecompressionStream === "function" && WebAssembly.validate(SIMD) && !(/** @type {any} */ (navigator).connection?.saveData);

/** The last question of every worker: the next one waits for it. @type {Promise<unknown>[]} */
const busy = Array.from({ length: COUNT }, () => Promise.resolve());
/** How many questions each worker has. */
const waiting = busy.map(() => 0);
/** Which worker thought last about what is named so: it has a tree of it. @type {Map<string, number>} */
const kept = new Map();
const MOST_KEPT = 64;

/** Ask the worker that knows most about it and has least to do. @param {any} question @returns {Promise<any>} */
function choose(question) {
  const idle = waiting.indexOf(Math.min(...waiting));
  const known = kept.get(question.keep);
  const n = known !== undefined && waiting[known] === 0 ? known : idle;
  kept.delete(question.keep);
  if (question.keep) kept.set(question.keep, n);
  if (kept.size > MOST_KEPT) kept.delete(/** @type {string} */ (kept.keys().next().value));
  waiting[n]++;
  const answer = busy[n].then(() => ask(n, JSON.stringify(question)));
  busy[n] = answer.catch(() => {}).finally(() => { waiting[n]--; });
  return answer.then((text) => JSON.parse(text));
}

/** @type {Promise<number> | null} */
let started = null;
/** Whether an engine has started and not failed. */
let ready = false;

/** How many questions this page can think about at once, as soon as it can; 0 if it cannot. @param {string} game @returns {Promise<number>} */
export function startEngines(game) {
  started ??= able() ? ask(0, JSON.stringify({ do: "warm", game })).then(() => COUNT, () => 0) : Promise.resolve(0);
  void started.then((workers) => { ready = workers > 0; });
  return started;
}

/**
 * What this page's engine says of something that is studied; null until it has started, and where it cannot say anything.
 * @param {string} work a function of `snakeden.server.study` @param {string} game @param {any[]} about what it takes @returns {Promise<any>}
 */
export async function studied(work, game, about) {
  if (!ready) return null;
  const answer = await choose({ do: work, game, about }).catch(() => ({ error: true }));
  return answer.error ? null : answer;
}

/** What a question of the server's is answered; null if nothing can be. @param {any} question @returns {Promise<any>} */
export async function thought(question) {
  const answer = await choose(question).catch(() => ({ error: true }));
  if (answer.error) return null;
  const { move, words, does, lines } = answer;
  return { move, words, does, lines };
}
