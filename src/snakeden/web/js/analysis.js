// Analysis: a game or a position looked at move by move: the curve, the best lines, marks, and a tree of variations.

import { catalogued, get, nowhere, optionsIn, post } from "./api.js";
import { h, keepingFocus, s } from "./dom.js";
import { capital, phrase, seatName, sitting, t } from "./i18n.js";
import { icon, STEPS } from "./icons.js";
import { boardAddress, editorAddress, look, prepare, Study, thumb } from "./study.js";
import { request } from "./transport.js";
import { Tree } from "./variations.js";

/**
 * @typedef {{wins: number[], scores: number[], proven: boolean}} Value
 * @typedef {{ply: number, player: number | null, value: Value | null, proof: any, move: string | null, mark: string | null,
 *   given_away: number, does: any[], candidates: {move: string, value: Value, main: string[], does: any[]}[], spoken: {[move: string]: any}}} Ply
 * @typedef {import("./variations.js").Node} Node
 * @typedef {{game: string, name: string, options: {[name: string]: any}, setup: string, moves: string[], spoken?: any[], seats: string[], variations: string[]}} Opened
 */

const WIDE = 360;
const HIGH = 96;
const SERIOUS = ["inaccuracy", "mistake", "blunder"];
const LEVEL = /^level:\d$/;

/** Where a record can be pasted, or a game chosen. @returns {Promise<import("./main.js").Page>} */
export async function pastePage() {
  const { games } = await get("api/catalogue");
  const text = h("textarea", { rows: 14, "aria-label": t("pasteRecord"), "data-key": "analysis/record", spellcheck: false });
  const problem = h("p", { class: "alert", role: "alert", hidden: true });
  const holder = h("div", {});
  /** @type {import("./main.js").Page | null} */
  let shown = null;
  const open = async () => {
    try {
      shown = await new Analysis(await post("api/study/open", { record: text.value })).begin();
      holder.replaceChildren(shown.element);
    } catch (error) {
      problem.hidden = false;
      problem.textContent = error instanceof Error ? error.message : "";
    }
  };
  holder.append(h("div", { class: "list-page" }, h("h1", {}, t("analysis")), h("label", {}, t("pasteRecord")), text, problem,
    h("div", { class: "tools" }, h("button", { type: "button", class: "main", "data-key": "analysis/open", click: () => void open() }, t("openRecord"))),
    h("h2", {}, t("fromStart")),
    h("div", { class: "tools" }, ...games.map((/** @type {any} */ { id, name }) => h("a", { class: "button", "data-game": id, href: boardAddress(id, {}) }, thumb(id), name)))));
  return { element: holder, title: t("analysis"), close: () => shown?.close?.() };
}

/** A position to go on from freely. @param {string} id @param {string} text the options @param {string} setup @returns {Promise<import("./main.js").Page>} */
export async function boardPage(id, text, setup) {
  const options = optionsIn(text);
  const [{ name }, { seats }] = await Promise.all([catalogued(id), post("api/options", { game: id, options })]);
  return new Analysis({ game: id, name, options, setup, moves: [], seats: Array(seats).fill(""), variations: [] }).begin();
}

/** A game of the server. @param {string} id @returns {Promise<import("./main.js").Page>} */
export async function analysisPage(id) {
  const answer = await request(`api/games/${encodeURIComponent(id)}/record`, {});
  if (!answer.ok) throw nowhere();
  return new Analysis(await post("api/study/open", { record: await answer.text() })).begin();
}

class Analysis {
  /** @param {Opened} game what a record holds */
  constructor(game) {
    this.game = game;
    this.tree = new Tree(game.moves, game.variations);
    this.seats = game.seats.map((name) => (LEVEL.test(name) ? { name: "", agent: name, kind: "engine" } : { name, agent: null, kind: "open" }));
    /** @type {Node} the position that is shown */
    this.now = this.tree.main()[game.moves.length];
    /** @type {Map<string, any>} moves in words, where people do not say them as they are written */
    this.spoken = new Map();
    game.spoken?.forEach((words, n) => words === game.moves[n] || this.spoken.set(game.moves[n], words));
    this.running = false;
    this.closed = false;
    this.canSetUp = false;
    this.study = new Study(`${t("analysis")}: ${game.name}`, (move) => void this.play(move));
    this.curve = h("div", { class: "curve" });
    // These stay where they are while the rest is drawn anew: nobody can press what is being replaced.
    this.bar = h("progress", { "aria-label": t("analysis") });
    this.count = h("small", {});
    this.runButton = h("button", { type: "button", "data-key": "analysis/run", click: () => {
      if (this.running) this.running = false;
      else void this.run();
    } });
    this.progress = h("div", { class: "tools" }, this.runButton, this.bar, this.count);
    this.list = h("ol", { class: "moves marked", tabindex: 0, "aria-label": t("moves") });
    this.best = h("div", { class: "best", role: "status" });
    this.dice = h("div", { class: "tools rolls" });
    this.steps = h("div", { class: "step-bar" });
    this.control = h("div", { class: "tools" });
    this.levels = h("div", { class: "at-best" });
    this.study.middle.append(this.curve);
    this.study.story.hidden = false;
    this.study.story.append(h("h2", {}, t("moves")), this.list, this.steps, this.control, this.progress, this.levels);
    this.study.told.append(this.best, this.dice);
  }

  /** @returns {Promise<import("./main.js").Page>} */
  async begin() {
    void prepare(this.game.game);
    this.drawAround();
    await this.goTo(this.now);
    void this.run();
    return { element: this.study.element, title: `${t("analysis")}: ${this.game.name}`, close: () => { this.closed = true; } };
  }

  sit() {
    sitting(this.seats, []);
  }

  /** The position after these moves. @param {string[]} moves */
  after(moves) {
    const { game, options, setup } = this.game;
    return { game, options, setup, moves };
  }

  /** Have the engine look at a position, and at the move after it that leads to `last`. @param {Node} node @param {Node} last */
  async look(node, last) {
    const [path, moves] = [this.tree.path(node), this.tree.moves(last)];
    const found = /** @type {Ply} */ (await look({ ...this.after(moves), ply: path.length - 1 }));
    this.learn(found.spoken);
    if (last !== node && found.mark) this.tree.path(last)[path.length].mark = found.mark;
    // What follows in the game is judged with it; a look at a variation leaves that as it is.
    if (!node.seen || !found.move || node.children[0]?.move === found.move) node.seen = found;
    return found;
  }

  /** Whether a position of the game has been looked at with the move that was played there. @param {Node} node */
  isDone(node) {
    return node.seen !== undefined && node.seen.move === (node.children[0]?.move ?? null);
  }

  /** Look at all positions of the game, from the end backwards, until it is stopped. */
  async run() {
    if (this.running) return;
    this.running = true;
    this.drawAround();
    for (const node of this.tree.main().reverse()) {
      if (!this.running || this.closed) break;
      if (this.isDone(node)) continue;
      try {
        await this.look(node, node.children[0] ?? node);
      } catch {
        break; // the engines are busy: what is known stays, and it can be gone on with
      }
      this.drawAround();
      if (node === this.now) this.drawBest();
    }
    this.running = false;
    this.drawAround();
  }

  /** Show a position. @param {Node} node */
  async goTo(node) {
    this.now = node;
    this.study.table.boards.element.scrollIntoView({ block: "nearest" });
    // What was said of the last position must not be taken for this one's, nor its dice be rolled here.
    this.drawBest();
    this.drawDice([]);
    const found = await this.study.show(this.after(this.tree.moves(node)));
    if (!found || this.now !== node) return;
    this.canSetUp = found.can_set_up;
    this.learn(found.spoken);
    this.sit();
    this.drawDice(found.rolls);
    this.drawAround();
    this.drawBest();
    if (!node.seen && !(this.running && this.tree.isMain(node))) await this.ask(node);
  }

  /** What the engine thinks of a position that is looked at, and of the move that led there. @param {Node} node */
  async ask(node) {
    await this.look(node, node).catch(() => undefined);
    if (this.now === node) this.drawBest();
    if (node.parent && !node.mark) await this.look(node.parent, node).catch(() => undefined);
    this.drawAround();
  }

  /** @param {string} move */
  async play(move) {
    await this.goTo(this.tree.play(this.now, move));
  }

  /** Take the variation that is shown out of the tree. */
  async remove() {
    await this.goTo(this.tree.remove(this.now));
  }

  /** Back to where the variation leaves the game. */
  async back() {
    const main = this.tree.main();
    await this.goTo(/** @type {Node} */ (this.tree.path(this.now).reverse().find((node) => main.includes(node))));
  }

  /** The record with its variations, as a file. */
  async download() {
    const { game, seats } = this.game;
    const moves = this.tree.main().slice(1).map(({ move }) => move);
    const answer = await request("api/study/write", {
      method: "POST", headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...this.after(moves), seats, variations: this.tree.lines() }),
    });
    const link = h("a", { href: URL.createObjectURL(new Blob([await answer.text()], { type: "text/plain" })), download: `${game}.txt` });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  /** Change the position that is shown, piece by piece. */
  async edit() {
    const { game, options } = this.game;
    const { setup } = await post("api/study/set-up", this.after(this.tree.moves(this.now)));
    location.hash = editorAddress(game, options, setup);
  }

  // ---- what is shown

  drawAround() {
    keepingFocus(() => {
      this.drawControl();
      this.list.replaceChildren(...this.rows(this.tree.root, 1));
      const now = /** @type {HTMLElement | null} */ (this.list.querySelector(".now"));
      if (now) this.list.scrollTop = now.offsetTop - this.list.clientHeight / 2;
      this.drawLevels();
    });
    this.drawCurve();
  }

  /** A move as people say it. @param {string} move */
  say(move) {
    return phrase(this.spoken.get(move) ?? move);
  }

  /** How it would go on. @param {string[]} moves */
  line(moves) {
    return moves.map((move) => this.say(move)).join(this.spoken.size ? " · " : " ");
  }

  /** @param {{[move: string]: any}} spoken */
  learn(spoken) {
    for (const [move, words] of Object.entries(spoken)) this.spoken.set(move, words);
  }

  drawControl() {
    const main = this.tree.main();
    const [done, all] = [main.filter((node) => this.isDone(node)).length, main.length];
    [this.bar.max, this.bar.value] = [all, done];
    this.progress.hidden = done === all;
    this.runButton.textContent = this.running ? t("stopAnalysis") : t("analyseAll");
    this.count.textContent = t("positions", { n: done, all });
    const aside = !this.tree.isMain(this.now);
    const step = (/** @type {string} */ sign, /** @type {string} */ words, /** @type {Node | null | undefined} */ to) => h("button", {
      type: "button", "data-key": `analysis/${sign}`, "aria-label": words, title: words, disabled: !to || to === this.now, click: () => to && void this.goTo(to),
    }, icon(STEPS[sign]));
    const button = (/** @type {string} */ key, /** @type {string} */ words, /** @type {() => void} */ click) =>
      h("button", { type: "button", "data-key": `analysis/${key}`, click }, words);
    this.steps.replaceChildren(step("|◀", t("first"), this.tree.root), step("◀", t("previous"), this.now.parent),
      step("▶", t("next"), this.now.children[0]), step("▶|", t("newest"), main.at(-1)));
    this.control.replaceChildren(
      aside ? button("back", t("takeBack"), () => void this.back()) : "",
      aside ? button("remove", t("removeVariation"), () => void this.remove()) : "",
      this.canSetUp ? button("edit", t("setUp"), () => void this.edit()) : "",
      button("record", t("downloadRecord"), () => void this.download()));
  }

  /** The moves from a position on; variations stand behind the move that they replace. @param {Node} node @param {number} number @returns {HTMLElement[]} */
  rows(node, number) {
    const found = [];
    for (let at = node; at.children.length; at = at.children[0], number++) {
      const [first, ...others] = at.children;
      found.push(this.row(first, number), ...others.map((other) => h("li", { class: "variation" },
        h("ol", { class: "moves" }, this.row(other, number), ...this.rows(other, number + 1)))));
    }
    return found;
  }

  /** @param {Node} node @param {number} number */
  row(node, number) {
    const seat = node.parent?.seen?.player ?? -1;
    return h("li", { class: node === this.now ? "now" : "", value: number },
      h("button", { type: "button", "data-key": `node/${node.id}`, click: () => void this.goTo(node) },
        h("span", { class: `swatch r-seat${seat}`, "aria-hidden": "true" }), `${number}. ${this.say(node.move)}`),
      node.mark ? h("span", { class: `mark ${node.mark}` }, phrase({ key: `analysis.mark.${node.mark}` })) : "");
  }

  /** What levels would have played at their best. */
  drawLevels() {
    const better = this.tree.main().filter(({ seen }) => seen?.mark && SERIOUS.includes(seen.mark) && this.seats[seen.player ?? -1]?.agent);
    this.levels.replaceChildren(better.length ? h("h2", {}, t("atBest")) : "", h("ul", {}, ...better.map(({ seen }) =>
      h("li", {}, phrase({ key: "analysis.instead", n: Number(seen?.ply) + 1, move: this.say(seen?.move ?? ""), better: this.say(seen?.candidates[0]?.move ?? "") })))));
  }

  /** What the dice can show, where they are to be rolled. @param {[string, number][]} rolls each with how likely it is */
  drawDice(rolls) {
    if (!rolls.length) return this.dice.replaceChildren();
    const roll = () => {
      let left = Math.random();
      void this.play((rolls.find(([, share]) => (left -= share) < 0) ?? rolls[0])[0]);
    };
    return this.dice.replaceChildren(
      h("p", {}, t("rollHelp")),
      h("button", { type: "button", class: "main", "data-key": "analysis/roll", click: roll }, t("rollAny")),
      h("select", { "aria-label": t("chooseRoll"), "data-key": "analysis/rolls", change: (event) => event.target.value && void this.play(event.target.value) },
        h("option", { value: "" }, t("chooseRoll")), ...rolls.map(([text]) => h("option", { value: text }, this.say(text)))));
  }

  drawCurve() {
    const main = this.tree.main();
    const seen = main.flatMap((node) => (node.seen?.value ? [{ ply: node.seen.ply, value: node.seen.value }] : []));
    if (seen.length < 2) return;
    const all = main.length - 1 || 1;
    const alone = this.game.seats.length === 1;
    const scores = seen.map(({ value }) => value.scores[0]);
    const [low, high] = [Math.min(...scores), Math.max(...scores)];
    const x = (/** @type {number} */ ply) => (ply / all) * WIDE;
    const bands = alone
      ? [s("polyline", { class: "r-seat0 stroke-line", fill: "none", "stroke-width": 2, points: seen.map(({ ply, value }) => `${x(ply)},${HIGH * (high - value.scores[0]) / (high - low || 1)}`).join(" ") })]
      : this.game.seats.map((_, seat) => {
        const upper = (/** @type {Value} */ value) => HIGH * value.wins.slice(0, seat).reduce((sum, win) => sum + win, 0);
        const top = seen.map(({ ply, value }) => `${x(ply)},${upper(value)}`);
        const under = seen.map(({ ply, value }) => `${x(ply)},${upper(value) + HIGH * value.wins[seat]}`).reverse();
        return s("polygon", { class: `r-seat${seat} fill-tint stroke-line`, points: [...top, ...under].join(" "), "stroke-width": 1.5 });
      });
    const dots = main.flatMap((node, ply) => (node.seen?.mark && SERIOUS.includes(node.seen.mark)
      ? [s("path", { class: `dot ${node.seen.mark}`, d: `M${x(ply)} ${HIGH / 2}h0`, click: () => void this.goTo(node) })] : []));
    const shared = this.tree.path(this.now).filter((node) => main.includes(node)).length - 1;
    this.curve.replaceChildren(s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": t("chances"), preserveAspectRatio: "none" },
      ...bands, ...dots, s("line", { class: "turning", x1: x(shared), x2: x(shared), y1: 0, y2: HIGH })));
  }

  /** @param {Value} value */
  standing(value) {
    const points = value.scores.map((score) => Math.round(score));
    if (points.length === 1) return phrase({ key: "analysis.expected", points: points[0] });
    return phrase({ key: "analysis.chances", chances: value.wins.map((win) => Math.round(100 * win)), points });
  }

  drawBest() {
    this.sit();
    const found = this.now.seen;
    if (!found) {
      this.best.replaceChildren(h("p", { class: "happened" }, "…"));
      return;
    }
    const who = found.player === null ? "" : `${seatName(this.seats[found.player], found.player)}: `;
    const rows = found.candidates.map((one) => h("li", {},
      h("button", { type: "button", "data-key": `best/${one.move}`, click: () => void this.play(one.move) }, this.say(one.move)),
      h("span", { class: "worth" }, this.standing(one.value)), h("small", {}, [one.does.map(phrase).join("; "), this.line(one.main.slice(1, 6))].filter(Boolean).join(" – "))));
    this.best.replaceChildren(
      h("p", { class: "headline" }, found.value ? capital(who) + this.standing(found.value) : ""),
      found.proof ? h("p", { class: "proof" }, phrase(found.proof)) : "",
      rows.length ? h("h2", {}, t("bestMoves")) : "", h("ol", {}, ...rows));
  }
}
