// Where the page's requests go: to the server that it came from. `local.js` takes its place where there is none.

/** Whether there are others to play with. */
export const online = true;

/** What stands below one's own games; with a server nothing, as games are kept there. @type {(count: number) => HTMLElement[]} */
export const keepsake = () => [];

/**
 * Ask for something.
 * @param {string} path @param {RequestInit} how
 * @returns {Promise<Response>}
 */
export const request = (path, how) => fetch(path, { credentials: "same-origin", ...how });

/**
 * A game's live connection: a WebSocket, or what has its events `message` and `close`.
 * @param {string} id
 * @returns {WebSocket}
 */
export function connect(id) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new WebSocket(`${scheme}://${location.host}/api/games/${encodeURIComponent(id)}/live?pictures=1`);
}
