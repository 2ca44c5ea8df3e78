// Talking to the server: requests that are sent again until they are answered, and a connection that comes back.

import { phrase, t } from "./i18n.js";
import { startEngines, thought } from "./thinking.js";
import { connect, request } from "./transport.js";

/** What the server refused, in the visitor's language. */
export class Refusal extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** @param {string} path @param {RequestInit} [how] @returns {Promise<any>} */
async function ask(path, how = {}) {
  const answer = await request(path, how).catch(() => { throw new Error(t("unreachable")); });
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(answer.status, phrase(body.message ?? `${answer.status}`));
  return body;
}

/** @param {string} path @returns {Promise<any>} */
export const get = (path) => ask(path);

/** @param {string} path @param {object} [body] @param {AbortSignal} [signal] @returns {Promise<any>} */
export const post = (path, body = {}, signal) =>
  ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal });

/** What is thrown for an address that leads nowhere. */
export const nowhere = () => new Refusal(404, t("notFound"));

/** A game as the catalogue describes it. @param {string} id @returns {Promise<any>} */
export async function catalogued(id) {
  const { games } = await get("api/catalogue");
  const game = games.find((/** @type {any} */ one) => one.id === id);
  if (!game) throw nowhere();
  return game;
}

/** The options that an address names. @param {string} text as JSON @returns {{[name: string]: any}} */
export function optionsIn(text) {
  try {
    return JSON.parse(text || "{}");
  } catch {
    throw nowhere();
  }
}

const pause = (/** @type {number} */ ms) => new Promise((done) => setTimeout(done, ms));

/**
 * Send something that may be sent twice, until the server has answered.
 * @param {string} path @param {object} body @param {() => boolean} wanted whether anybody still waits for it
 * @returns {Promise<any>}
 */
export async function insist(path, body, wanted) {
  for (let wait = 250; ; wait = Math.min(4000, wait * 2)) {
    try {
      return await post(path, body);
    } catch (error) {
      const passing = !(error instanceof Refusal) || error.status >= 502 || error.status === 429;
      if (!passing || !wanted()) throw error;
      await pause(wait);
    }
  }
}

/** A game's live connection. It is opened again whenever it is lost, until it is closed. */
export class Live {
  /**
   * @param {string} id
   * @param {(state: any) => void} onState
   * @param {(up: boolean) => void} onLink
   */
  constructor(id, onState, onLink) {
    this.id = id;
    this.onState = onState;
    this.onLink = onLink;
    this.closed = false;
    this.wait = 250;
    this.timer = 0;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** The connection that knows of this page's engine. @type {WebSocket | null} */
    this.offered = null;
    this.again = () => {
      if (!this.closed && !this.socket) this.open();
    };
    // A network that is gone closes no connection: it would be waited for.
    this.gone = () => this.lose();
    window.addEventListener("online", this.again);
    window.addEventListener("offline", this.gone);
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    const socket = connect(this.id);
    this.socket = socket;
    socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "think") void this.think(socket, message);
      if (message.type !== "state" || this.socket !== socket || this.closed) return;
      this.wait = 250;
      this.onLink(true);
      this.onState(message);
      if (message.page_thinks) void this.offer(socket, message.game);
    });
    socket.addEventListener("close", () => {
      if (this.socket === socket) this.lose();
    });
  }

  /** Go on without the connection there was, and try again in a while. */
  lose() {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    if (this.closed) return;
    this.onLink(false);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(this.again, this.wait);
    this.wait = Math.min(5000, this.wait * 2);
  }

  /** Tell the server that this page can think for the engines. @param {WebSocket} socket @param {string} game */
  async offer(socket, game) {
    if (this.offered === socket) return;
    this.offered = socket;
    const workers = await startEngines(game);
    if (workers && this.socket === socket) socket.send(JSON.stringify({ type: "engine", workers }));
  }

  /** @param {WebSocket} socket @param {any} asked */
  async think(socket, { number, question }) {
    const answer = await thought(question);
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "thought", number, answer }));
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    window.removeEventListener("online", this.again);
    window.removeEventListener("offline", this.gone);
    this.socket?.close();
  }
}
