// Positions as they were shown last, kept so that a game's board is there before Python has started.

import { read } from "./kept.js";

const OURS = `snakeden positions ${new URL("..", import.meta.url).pathname} `;
/** Of this many games. */
const MOST = 8;

/** Where positions are kept; those of another version of the site may look otherwise. @param {string} version */
const cache = (version) => caches.open(OURS + version);

/** @param {string} id */
const address = (id) => new URL(`../position/${id}`, import.meta.url).href;

/** Forget what other versions have kept. @param {string} version */
export async function forgetOthers(version) {
  if (!self.caches) return;
  for (const name of await caches.keys()) if (name.startsWith(OURS) && name !== OURS + version) await caches.delete(name);
}

/** One after the other: the newest stays. @type {Promise<unknown>} */
let keeping = Promise.resolve();

/** Keep what a page is told of a game, if there is room. @param {string} version @param {string} id @param {string} text */
export function keepPosition(version, id, text) {
  keeping = keeping.then(() => put(version, id, text)).catch(() => {});
}

/** @param {string} version @param {string} id @param {string} text */
async function put(version, id, text) {
  if (!self.caches) return;
  const held = await cache(version);
  await held.put(address(id), new Response(text));
  const all = await held.keys();
  for (const old of all.slice(0, Math.max(0, all.length - MOST))) await held.delete(old);
}

/** What a page was told of a game last, if nothing has happened since. @param {string} version @param {string} id @returns {Promise<string>} */
export async function lastPosition(version, id) {
  const told = self.caches && await (await cache(version)).match(address(id));
  if (!told) return "";
  const [text, game] = await Promise.all([told.text(), read(id)]);
  return game && JSON.parse(game).entries.length === JSON.parse(text).seen ? text : "";
}
