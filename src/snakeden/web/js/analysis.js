// Analysis: a game or a position looked at move by move: the curve, the best lines, marks, and variations to try and keep.

import { post } from "./api.js";
import { h, s } from "./dom.js";
import { phrase, seatName, sitting, t } from "./i18n.js";
import { Study } from "./study.js";
import { request } from "./transport.js";

/**
 * @typedef {{wins: number[], scores: number[], proven: boolean}} Value
 * @typedef {{ply: number, player: number | null, value: Value | null, proof: any, move: string | null, mark: string | null,
 *   given_away: number, does: any[], candidates: {move: string, value: Value, main: string[], does: any[]}[]}} Ply
 */

const WIDE = 360;
const HIGH = 96;
const SERIOUS = ["inaccuracy", "mistake", "blunder"];

/** Where a record can be pasted. @returns {import("./main.js").Page} */
export function pastePage() {
  const text = h("textarea", { rows: 14, "aria-label": t("pasteRecord"), "data-key": "analysis/record", spellcheck: false });
  const problem = h("p", { class: "alert", role: "alert", hidden: true });
  const holder = h("div", {});
  const open = async () => {
    try {
      const shown = await new Analysis(await post("api/study/open", { record: text.value })).begin();
      holder.replaceChildren(shown.element);
    } catch (error) {
      problem.hidden = false;
      problem.textContent = error instanceof Error ? error.message : "";
    }
  };
  holder.append(h("div", { class: "list-page" }, h("h1", {}, t("analysis")), h("label", {}, t("pasteRecord")), text, problem,
    h("div", { class: "tools" }, h("button", { type: "button", class: "main", "data-key": "analysis/open", click: () => void open() }, t("openRecord")))));
  return { element: holder, title: t("analysis") };
}

/** A game of the server. @param {string} id @returns {Promise<import("./main.js").Page>} */
export async function analysisPage(id) {
  const answer = await request(`api/games/${encodeURIComponent(id)}/record`, {});
  if (!answer.ok) throw new Error(t("notFound"));
  return new Analysis(await post("api/study/open", { record: await answer.text() })).begin();
}

class Analysis {
  /** @param {any} game what a record holds */
  constructor(game) {
    this.game = game;
    /** @type {string[]} what is looked at: the game, or a variation of it */
    this.moves = game.moves;
    /** @type {string[]} each a number of moves of the game and what was tried after them */
    this.variations = game.variations;
    this.ply = game.moves.length;
    /** @type {(Ply | undefined)[]} of the game's own positions */
    this.plies = [];
    this.running = false;
    this.closed = false;
    this.study = new Study(`${t("analysis")}: ${game.name}`, (move) => void this.tryMove(move));
    this.curve = h("div", { class: "curve" });
    this.bar = h("progress", { max: game.moves.length + 1, value: 0, "aria-label": t("analysis") });
    this.list = h("ol", { class: "moves marked", tabindex: 0, "aria-label": t("moves") });
    this.best = h("div", { class: "best", role: "status" });
    this.kept = h("ul", { class: "kept" });
    this.control = h("div", { class: "tools" });
    this.study.middle.append(this.curve);
    this.study.story.hidden = false;
    this.study.story.append(h("h2", {}, t("moves")), this.list, this.kept, this.control);
    this.study.told.append(this.best);
  }

  /** @returns {Promise<import("./main.js").Page>} */
  async begin() {
    this.drawAround();
    await this.goTo(this.ply);
    void this.run();
    return { element: this.study.element, title: `${t("analysis")}: ${this.game.name}`, close: () => { this.closed = true; } };
  }

  /** Whether a variation is looked at, not the game itself. */
  get aside() {
    return this.moves !== this.game.moves;
  }

  sit() {
    sitting(this.game.seats.map((/** @type {string} */ name) => ({ name, agent: null, kind: "open" })), []);
  }

  /** @param {string[]} moves @param {number} ply @returns {Promise<Ply>} */
  look(moves, ply) {
    return post("api/study/look", { game: this.game.game, options: this.game.options, moves, ply });
  }

  /** Look at all positions, from the end backwards, until it is stopped. */
  async run() {
    if (this.running) return;
    this.running = true;
    this.drawAround();
    for (let ply = this.game.moves.length; ply >= 0 && this.running && !this.closed; ply--) {
      if (this.plies[ply]) continue;
      try {
        this.plies[ply] = await this.look(this.game.moves, ply);
      } catch {
        break; // the engines are busy: what is known stays, and it can be gone on with
      }
      this.drawAround();
      if (!this.aside && ply === this.ply) this.drawBest(this.plies[ply]);
    }
    this.running = false;
    this.drawAround();
  }

  /** Show the position after so many moves. @param {number} ply */
  async goTo(ply) {
    this.ply = ply;
    await this.study.show({ game: this.game.game, options: this.game.options, moves: this.moves.slice(0, ply) });
    this.sit();
    this.drawAround();
    const known = this.aside ? undefined : this.plies[ply];
    this.drawBest(known);
    if (!known && (this.aside || !this.running)) {
      const moves = this.moves;
      const found = await this.look(moves, ply).catch(() => undefined);
      if (this.moves === moves && this.ply === ply) this.drawBest(found);
    }
  }

  /** @param {string} move */
  async tryMove(move) {
    const same = this.moves[this.ply] === move;
    if (!same) this.moves = [...this.moves.slice(0, this.ply), move];
    await this.goTo(this.ply + 1);
  }

  /** Back to the game. */
  async back() {
    const common = this.game.moves.findIndex((/** @type {string} */ move, /** @type {number} */ n) => move !== this.moves[n]);
    this.moves = this.game.moves;
    await this.goTo(common < 0 ? this.game.moves.length : common);
  }

  /** Keep the variation that is looked at: where it leaves the game, and its moves. */
  keep() {
    const at = this.moves.findIndex((move, n) => move !== this.game.moves[n]);
    const text = `${at}: ${this.moves.slice(at, this.ply).join(" ")}`;
    if (at >= 0 && !this.variations.includes(text)) this.variations = [...this.variations, text];
    this.drawAround();
  }

  /** @param {string} text */
  async open(text) {
    const [at, moves] = text.split(": ");
    this.moves = [...this.game.moves.slice(0, Number(at)), ...moves.split(" ")];
    await this.goTo(this.moves.length);
  }

  /** The record with its variations, as a file. */
  async download() {
    const { game, options, moves, seats } = this.game;
    const answer = await request("api/study/write", {
      method: "POST", headers: { "content-type": "application/json" },
      body: JSON.stringify({ game, options, moves, seats, variations: this.variations }),
    });
    const link = h("a", { href: URL.createObjectURL(new Blob([await answer.text()], { type: "text/plain" })), download: `${game}.txt` });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  // ---- what is shown

  drawAround() {
    const done = this.plies.filter(Boolean).length;
    this.bar.value = done;
    const all = this.game.moves.length + 1;
    const step = (/** @type {string} */ name, /** @type {number} */ ply) => h("button", {
      type: "button", "data-key": `analysis/${name}`, disabled: ply < 0 || ply > this.moves.length || ply === this.ply, click: () => void this.goTo(ply),
    }, name);
    this.control.replaceChildren(
      step("◀", this.ply - 1), step("▶", this.ply + 1),
      this.aside ? h("button", { type: "button", "data-key": "analysis/back", click: () => void this.back() }, t("takeBack")) : "",
      this.aside ? h("button", { type: "button", "data-key": "analysis/keep", click: () => this.keep() }, t("keepVariation")) : "",
      done < all ? h("button", { type: "button", "data-key": "analysis/run", click: () => { if (this.running) this.running = false; else void this.run(); } },
        this.running ? t("stopAnalysis") : t("analyseAll")) : "",
      h("button", { type: "button", "data-key": "analysis/record", click: () => void this.download() }, t("downloadRecord")),
      done < all ? this.bar : "", done < all ? h("small", {}, t("positions", { n: done, all })) : "");
    this.list.replaceChildren(...this.moves.map((move, n) => {
      const mark = this.aside && move !== this.game.moves[n] ? null : this.plies[n]?.mark;
      const words = mark ? phrase({ key: `analysis.mark.${mark}` }) : "";
      return h("li", { class: n + 1 === this.ply ? "now" : "" },
        h("button", { type: "button", "data-key": `ply/${n + 1}`, click: () => void this.goTo(n + 1) }, move),
        mark && h("span", { class: `mark ${mark}` }, words));
    }));
    this.kept.replaceChildren(...this.variations.map((text) => h("li", {}, h("button", { type: "button", click: () => void this.open(text) }, text))));
    this.drawCurve();
  }

  drawCurve() {
    const seen = this.plies.flatMap((one) => (one?.value ? [{ ply: one.ply, value: one.value }] : []));
    if (seen.length < 2) return;
    const all = this.game.moves.length || 1;
    const alone = this.game.seats.length === 1;
    const scores = seen.map(({ value }) => value.scores[0]);
    const [low, high] = [Math.min(...scores), Math.max(...scores)];
    const x = (/** @type {number} */ ply) => (ply / all) * WIDE;
    const bands = alone
      ? [s("polyline", { class: "r-seat0 stroke-line", fill: "none", "stroke-width": 2, points: seen.map(({ ply, value }) => `${x(ply)},${HIGH * (high - value.scores[0]) / (high - low || 1)}`).join(" ") })]
      : this.game.seats.map((/** @type {string} */ _, /** @type {number} */ seat) => {
        const upper = (/** @type {Value} */ value) => HIGH * value.wins.slice(0, seat).reduce((sum, win) => sum + win, 0);
        const top = seen.map(({ ply, value }) => `${x(ply)},${upper(value)}`);
        const under = seen.map(({ ply, value }) => `${x(ply)},${upper(value) + HIGH * value.wins[seat]}`).reverse();
        return s("polygon", { class: `r-seat${seat} fill-tint stroke-line`, points: [...top, ...under].join(" "), "stroke-width": 1.5 });
      });
    const dots = this.plies.flatMap((one) => (one?.mark && SERIOUS.includes(one.mark)
      ? [s("circle", { class: `dot ${one.mark}`, cx: x(one.ply), cy: HIGH / 2, r: 4, click: () => void this.goTo(one.ply) })] : []));
    this.curve.replaceChildren(s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": t("chances"), preserveAspectRatio: "none" },
      ...bands, ...dots, s("line", { class: "turning", x1: x(this.ply), x2: x(this.ply), y1: 0, y2: HIGH })));
  }

  /** @param {Value} value */
  standing(value) {
    const points = value.scores.map((score) => Math.round(score));
    if (points.length === 1) return phrase({ key: "analysis.expected", points: points[0] });
    return phrase({ key: "analysis.chances", chances: value.wins.map((win) => Math.round(100 * win)), points });
  }

  /** @param {Ply | undefined} found */
  drawBest(found) {
    this.sit();
    if (!found) {
      this.best.replaceChildren(h("p", { class: "happened" }, "…"));
      return;
    }
    const who = found.player === null ? "" : `${seatName({ name: this.game.seats[found.player] ?? "", agent: null }, found.player)}: `;
    const rows = found.candidates.map((one) => h("li", {},
      h("button", { type: "button", "data-key": `best/${one.move}`, click: () => void this.tryMove(one.move) }, one.move),
      " ", this.standing(one.value), h("small", {}, one.does.map(phrase).join("; "), one.main.length > 1 ? ` – ${one.main.slice(1, 6).join(" ")}` : "")));
    this.best.replaceChildren(
      h("p", { class: "headline" }, found.value ? who + this.standing(found.value) : ""),
      found.proof ? h("p", { class: "proof" }, phrase(found.proof)) : "",
      rows.length ? h("h2", {}, t("bestMoves")) : "", h("ol", {}, ...rows));
  }
}
