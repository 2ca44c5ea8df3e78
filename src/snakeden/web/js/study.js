// A board for positions that belong to no game on the server: lessons, puzzles and analysis show them and try moves.

import { get, post } from "./api.js";
import { h } from "./dom.js";
import { sitting, t } from "./i18n.js";
import { icon } from "./icons.js";
import { Table } from "./table.js";
import { startEngines, studied } from "./thinking.js";

/**
 * @typedef {{game: string, options: {[name: string]: any}, setup?: string, moves: string[]}} Position
 * @typedef {import("./draw.js").Scene} Scene
 */

/** The picture on the box of a game, small. @param {string} game */
export const thumb = (game) => h("img", { class: "thumb", src: `covers/${encodeURIComponent(game)}.svg`, alt: "", width: 300, height: 320 });

/** @type {Promise<boolean> | null} */
let wanted = null;

/** Whether the server prefers that this page thinks itself. */
const pageThinks = () => (wanted ??= get("api/catalogue").then(({ page_thinks }) => page_thinks, () => false));

/** Start this page's engine where it is to think: positions of this game will be asked about. @param {string} game */
export async function prepare(game) {
  if (await pageThinks()) await startEngines(game);
}

/** What an engine thinks of a position, and of the next move: this page's, where it has one, or the server's. @param {Position & {ply: number}} question */
export async function look(question) {
  const { game, options, setup = "", moves, ply } = question;
  const found = await pageThinks() && await studied("look", game, [options, setup, moves, ply]);
  return found || post("api/study/look", question);
}

/** What an answer to a puzzle is worth. @param {string} game @param {string} puzzle @param {string} move */
export async function judge(game, puzzle, move) {
  const found = await pageThinks() && await studied("judged", game, [puzzle, move]);
  return found || post(`api/puzzles/${encodeURIComponent(game)}/${encodeURIComponent(puzzle)}/answer`, { move });
}

/** @param {string} page @param {string} game @param {{[name: string]: any}} options @param {string} setup */
const address = (page, game, options, setup) => `#/analysis/${[page, game, JSON.stringify(options), setup].map(encodeURIComponent).join("/")}`;

/** Where a game with these options is analysed from its first position on, or from one that is set up. @param {string} game @param {{[name: string]: any}} options @param {string} [setup] */
export const boardAddress = (game, options, setup = "") => address("new", game, options, setup);

/** Where a position is set up. @param {string} game @param {{[name: string]: any}} options @param {string} setup */
export const editorAddress = (game, options, setup) => address("set-up", game, options, setup);

export class Study {
  /**
   * @param {string} title @param {(move: string) => void} play what is done with a move that somebody makes
   * @param {(place: string) => void} [lift] what is done where the piece in hand does not fit
   */
  constructor(title, play, lift) {
    /** @type {Position} */
    this.position = { game: "", options: {}, moves: [] };
    this.table = new Table({
      play,
      lift,
      why: async (piece, turn, places) => (await post("api/study/why", { ...this.position, piece, turn, places })).reason,
      preview: async (move, signal) => (await post("api/study/preview", { ...this.position, move }, signal)).scene,
    });
    this.told = h("div", { class: "now told", role: "status" });
    this.tools = h("div", { class: "tools study-tools" });
    this.story = h("section", { class: "story surface study-story", hidden: true });
    const zoom = (/** @type {string} */ name, /** @type {"plus" | "minus" | "fit"} */ sign, /** @type {number} */ factor) =>
      h("button", { type: "button", "aria-label": name, title: name, click: () => this.table.zoomBy(factor) }, icon(sign));
    this.middle = h("div", { class: "middle" },
      h("div", { class: "board-area" }, this.table.boards.element,
        h("div", { class: "zoom" }, zoom(t("zoomIn"), "plus", 1.4), zoom(t("zoomOut"), "minus", 1 / 1.4), zoom(t("zoomFit"), "fit", 0))));
    this.element = h("div", { class: "game study" },
      h("h1", { class: "unseen" }, title),
      this.middle,
      h("div", { class: "side" },
        h("section", { class: "mine" }, this.told, this.tools, this.table.dice, this.table.hands, this.table.actions),
        this.table.drawer.element,
        this.story));
    /** How often a position was asked for. */
    this.asked = 0;
  }

  /**
   * Show a position.
   * @param {Position} position @param {boolean} [playable] whether moves can be made in it
   * @returns {Promise<any>} what the server says of it; null if another was asked for in the meantime
   */
  async show(position, playable = true) {
    const turn = ++this.asked;
    this.table.suspend();
    const found = await post("api/study/position", position);
    if (turn !== this.asked) return null;
    this.position = position;
    const seats = found.scene.seats.map(() => ({ name: "", agent: null, kind: "open" }));
    sitting(seats, []);
    this.table.own = new Set(found.player === null ? [] : [`seat${found.player}`, `seat${found.player + seats.length}`]);
    this.table.show(found.scene, found.targets, playable && found.player !== null);
    return found;
  }

  /** Show a picture in which nothing can be done. @param {Scene} scene */
  picture(scene) {
    this.asked++;
    this.table.show(scene, null, false);
  }
}

/**
 * Show pictures one after the other, until others are wanted.
 * @param {Study} study @param {Scene[]} scenes @param {(shown: number) => void} onStep
 */
export async function showLine(study, scenes, onStep) {
  const turn = study.asked + 1;
  for (const [n, scene] of scenes.entries()) {
    if (n && study.asked !== turn + n - 1) return;
    study.picture(scene);
    onStep(n);
    if (n + 1 < scenes.length) await new Promise((done) => setTimeout(done, LINE_PAUSE));
  }
}

/** Milliseconds from one picture of a line to the next. */
const LINE_PAUSE = 900;
