// Where the page's requests go: to the server that it came from.

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
