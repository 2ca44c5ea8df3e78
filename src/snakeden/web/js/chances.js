// How a game stands: each player's chance to win.

import { get } from "./api.js";
import { h } from "./dom.js";
import { phrase, t } from "./i18n.js";
import { pref, setPref } from "./prefs.js";

/** Milliseconds until it is asked again, less and less often, while the engines have other things to do. */
const PAUSE = 2000;
const LONGEST = 16_000;
/** Chances up to these are too narrow for a number in a flat bar, and in an upright one. */
const [NARROW, LOW] = [0.12, 0.05];

/** @param {number[]} wins @param {string[]} names by seat @param {number[]} [you] the visitor's seats: a single one comes first */
export function chancesBar(wins, names, you = []) {
  const percent = (/** @type {number} */ win) => `${Math.round(100 * win)} %`;
  const told = `${t("chances")}: ${wins.map((win, seat) => `${names[seat]} ${percent(win)}`).join(", ")}`;
  return h("div", { class: "chances", role: "img", "aria-label": told, title: told }, ...wins.map((win, seat) => {
    const look = `r-seat${seat} ${you.length === 1 && you[0] === seat ? "own" : ""} ${win > NARROW ? "" : "narrow"}`;
    const part = h("span", { class: look }, win > LOW && h("b", {}, percent(win)));
    part.style.flexGrow = String(Math.max(0.01, win));
    return part;
  }));
}

/** What an engine thinks of the position, unasked, where the game allows hints and the visitor wants to see it. */
export class Outlook {
  /** @param {string} path the game's @param {(seat: number) => string} nameOf */
  constructor(path, nameOf) {
    this.path = path;
    this.nameOf = nameOf;
    this.seen = -1;
    /** Of which position the chances are shown. */
    this.known = -1;
    this.timer = 0;
    this.element = h("div", { class: "outlook", hidden: true });
  }

  /** The switch to turn it on and off. @param {any} state */
  control(state) {
    return h("label", {}, t("outlook"), h("input", {
      type: "checkbox", name: "outlook", "data-key": "outlook", checked: pref("outlook") !== "off",
      change: (event) => {
        setPref("outlook", event.target.checked ? "on" : "off");
        this.seen = -1;
        this.show(state);
      },
    }));
  }

  /** @param {any} state what the server says about a game @param {boolean} [elsewhere] whether another position is looked at */
  show(state, elsewhere = false) {
    const wanted = !elsewhere && state.hints && state.you.length > 0 && state.status === "running" && pref("outlook") !== "off";
    // Its room is kept from the start on: the board must not move under the pointer.
    this.element.hidden = !wanted;
    if (!wanted) this.close();
    else if (state.seen !== this.seen && state.seats[state.player]?.kind !== "engine") {
      this.seen = state.seen;
      void this.ask(state, PAUSE);
    }
  }

  /** @param {any} state @param {number} pause */
  async ask(state, pause) {
    clearTimeout(this.timer);
    this.element.classList.add("old");
    const { wins, scores } = await get(`${this.path}/outlook`).catch(() => ({ wins: [], scores: [] }));
    if (this.seen !== state.seen || this.known === state.seen) return;
    if (wins.length) this.take(state, { wins, scores });
    else this.timer = window.setTimeout(() => void this.ask(state, Math.min(LONGEST, 2 * pause)), pause);
  }

  /** Show what is known of a position; a later look with less thought changes nothing. @param {any} state @param {{wins: number[], scores: number[]}} told */
  take(state, { wins, scores }) {
    this.known = state.seen;
    this.element.classList.remove("old");
    const names = wins.map((_, seat) => this.nameOf(seat));
    if (wins.length > 1) this.element.replaceChildren(h("span", { "aria-hidden": "true" }, t("chances")), chancesBar(wins, names, state.you));
    else this.element.replaceChildren(t("expected", { n: phrase(Math.round(scores[0])) }));
  }

  close() {
    this.seen = -1;
    clearTimeout(this.timer);
  }
}

/**
 * How the chances went in a game that is over, as more and more of it becomes known.
 * @typedef {{ply: number, wins: number[]}} CurvePoint
 */
export class Curve {
  /** @param {string} path the game's @param {() => void} changed */
  constructor(path, changed) {
    this.path = path;
    this.changed = changed;
    /** @type {CurvePoint[]} */
    this.points = [];
    /** @type {{ply: number, seat: number, said: import("./words.js").Value, better_said: import("./words.js").Value}[]} what engines would have played at their best */
    this.better = [];
    this.asked = this.closed = this.complete = false;
  }

  /** Ask for it, where the players wanted chances. @param {any} state what the server says about a game */
  want(state) {
    if (this.asked || !state.hints || !state.you.length || state.seats.length < 2) return;
    this.asked = true;
    void this.ask(0);
  }

  /** @param {number} pause milliseconds until it is asked again, if nothing new came */
  async ask(pause) {
    const known = this.points.length;
    const told = await get(`${this.path}/curve`).catch(() => null);
    if (this.closed || !told) return;
    this.points = told.points;
    this.complete = told.complete;
    this.better = told.better;
    if (known !== this.points.length) this.changed();
    const wait = known === this.points.length ? Math.min(LONGEST, 2 * pause + PAUSE / 2) : 0;
    if (!told.complete) setTimeout(() => void this.ask(wait), wait);
  }

  close() {
    this.closed = true;
  }
}
