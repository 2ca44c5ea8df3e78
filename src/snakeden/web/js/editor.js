// The board editor: pieces are laid for any player in any order, and taken away again; then the position is analysed.
// What may lie where is what the server says, as in a game: it hands the turn to whoever is chosen.

import { catalogued, optionsIn, post } from "./api.js";
import { announce, h, keepingFocus } from "./dom.js";
import { capital, phrase, seatName, t } from "./i18n.js";
import { boardAddress, Study } from "./study.js";

/**
 * @typedef {{seat: number, move: string, places: string[]}} Piece
 * @typedef {{setup: string, pieces: Piece[], waiting: Piece[], spoken: {[move: string]: any}, turn: number}} Arranged
 */

/** Pieces and who is to move, as records hold them. @param {Piece[]} pieces @param {number} turn */
const written = (pieces, turn) => `${pieces.map(({ seat, move }) => `${seat}=${move}`).join(" ")}; ${turn}`;

/** @param {string} id @param {string} options as JSON @param {string} setup @returns {Promise<import("./main.js").Page>} */
export async function editorPage(id, options, setup) {
  const { name } = await catalogued(id);
  const editor = new Editor(id, optionsIn(options), `${t("setUp")}: ${name}`);
  await editor.arrange(setup);
  return { element: editor.study.element, title: `${t("setUp")}: ${name}` };
}

class Editor {
  /** @param {string} game @param {{[name: string]: any}} options @param {string} title */
  constructor(game, options, title) {
    this.game = game;
    this.options = options;
    /** @type {Arranged} */
    this.now = { setup: "", pieces: [], waiting: [], spoken: {}, turn: 0 };
    /** The seat that pieces are laid for: the one that is chosen, or the next that can lay any. */
    this.seat = 0;
    this.seats = 0;
    this.study = new Study(title, (move) => void this.lay(move), (place) => this.lift(place));
    this.turns = h("div", { class: "tools", role: "group", "aria-label": t("toMove") });
    this.list = h("ol", { class: "moves marked", "aria-label": t("pieces") });
    this.tools = h("div", { class: "tools" });
    this.study.story.hidden = false;
    this.study.told.append(h("div", { class: "turns" }, h("strong", {}, t("toMove")), this.turns));
    this.study.story.append(h("h2", {}, t("pieces")), h("p", { class: "help" }, t("setUpHelp")), this.list, this.tools);
  }

  /** Show what is set up; pieces that cannot lie there as things are wait. @param {string} setup */
  async arrange(setup) {
    const { game, options } = this;
    this.now = await post("api/study/set-up", { game, options, setup });
    const shown = await this.study.show({ game, options, setup: this.now.setup, moves: [] });
    if (!shown) return;
    this.seats = shown.scene.seats.length;
    this.seat = shown.player ?? this.now.turn;
    this.draw();
  }

  /** @param {Piece[]} pieces @param {number} [turn] */
  change(pieces, turn = this.now.turn) {
    return this.arrange(written(pieces, turn));
  }

  get all() {
    return [...this.now.pieces, ...this.now.waiting];
  }

  /** @param {string} move */
  lay(move) {
    // Before those that wait: they may be waiting for it.
    return this.change([...this.now.pieces, { seat: this.seat, move, places: [] }, ...this.now.waiting], this.seat);
  }

  /** Take away the piece that lies on a place, if there is one. @param {string} place */
  lift(place) {
    const found = this.now.pieces.find(({ places }) => places.includes(place));
    if (found) void this.remove(found);
  }

  /** A piece in words, where people do not name it as it is written. @param {Piece} piece */
  say(piece) {
    const words = this.now.spoken[piece.move];
    return words ? capital(phrase(words)) : piece.move;
  }

  /** @param {Piece} piece */
  remove(piece) {
    announce(t("removed", { piece: this.say(piece) }));
    return this.change(this.all.filter((one) => one !== piece));
  }

  draw() {
    const name = (/** @type {number} */ seat) => seatName({ name: "" }, seat);
    const row = (/** @type {Piece} */ piece, /** @type {boolean} */ waits) => h("li", { class: waits ? "waits" : "" },
      h("span", { class: `swatch r-seat${piece.seat}`, title: name(piece.seat) }), ` ${this.say(piece)} `,
      waits ? h("small", {}, t("waits")) : "",
      h("button", {
        type: "button", "data-key": `setup/remove/${piece.seat}=${piece.move}`, "aria-label": `${t("remove")}: ${name(piece.seat)}, ${this.say(piece)}`, click: () => void this.remove(piece),
      }, t("remove")));
    keepingFocus(() => {
      this.turns.replaceChildren(...Array.from({ length: this.seats }, (_, seat) => h("button", {
        type: "button", "data-key": `setup/turn/${seat}`, "aria-pressed": String(seat === this.seat),
        click: () => void this.change(this.all, seat),
      }, h("span", { class: `swatch r-seat${seat}`, "aria-hidden": "true" }), " ", name(seat))));
      this.list.replaceChildren(...this.now.pieces.map((piece) => row(piece, false)), ...this.now.waiting.map((piece) => row(piece, true)));
      this.tools.replaceChildren(
        h("a", { class: "button main", "data-key": "setup/analyse", href: boardAddress(this.game, this.options, written(this.now.pieces, this.seat)) }, t("analyseGame")),
        h("button", { type: "button", "data-key": "setup/clear", disabled: !this.all.length, click: () => void this.change([]) }, t("removeAll")));
    }, this.study.table.boards.element);
  }
}
