// Games kept in this browser: IndexedDB, shared by all of its pages.

/** @typedef {{id: string, from: number, entries: any[], status: string, game?: any}} Change */

const GAMES = "games";
/** Told to other pages when a game has changed. */
export const CHANNEL = "snakeden";

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const answered = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** @type {Promise<IDBDatabase> | null} */
let opened = null;

/** @returns {Promise<IDBDatabase>} */
function database() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("snakeden", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(GAMES, { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

/** A game as it is kept, as JSON. @param {string} id @returns {Promise<string | undefined>} */
export async function read(id) {
  const found = await answered((await database()).transaction(GAMES).objectStore(GAMES).get(id));
  return found && JSON.stringify(found);
}

/** All games, newest first. @returns {Promise<any[]>} */
export async function all() {
  const found = await answered((await database()).transaction(GAMES).objectStore(GAMES).getAll());
  return found.sort((a, b) => b.created - a.created);
}

/**
 * Do all of these changes or none: none if another page was faster with one of them.
 * @param {string} told changes as JSON @returns {Promise<boolean>} whether they are on disk
 */
export async function write(told) {
  /** @type {Change[]} */
  const changes = JSON.parse(told);
  const transaction = (await database()).transaction(GAMES, "readwrite", { durability: "strict" });
  const games = transaction.objectStore(GAMES);
  const done = new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(true);
    transaction.onabort = () => (transaction.error ? reject(transaction.error) : resolve(false));
  });
  for (const change of changes) {
    const there = await answered(games.get(change.id));
    if ((there?.entries.length ?? 0) !== change.from || !there === !change.game) {
      transaction.abort();
      return false;
    }
    games.put({ ...(there ?? change.game), status: change.status, entries: [...(there?.entries ?? []), ...change.entries] });
  }
  const kept = await done;
  const channel = new BroadcastChannel(CHANNEL);
  for (const { id } of changes) channel.postMessage(id);
  channel.close();
  return /** @type {boolean} */ (kept);
}
