// The table: what is in hand, what is pointed at and chosen, and the moves that come of it. What can be done is what the
// list of legal moves says; what things look like is what the scene says.

import { actionPad, stepLine } from "./actions.js";
import { Boards, cellAt } from "./boards.js";
import { announce, h, keepingFocus, s } from "./dom.js";
import { named } from "./draw.js";
import { Drawer } from "./drawer.js";
import { handsOf, kindsOf, markNews, panelsOf, sheet } from "./hands.js";
import { capital, phrase, t } from "./i18n.js";
import { icon } from "./icons.js";
import { carry, covered, pieceOver, portrait } from "./piece.js";
import { Choices, Held, neighbour, readTargets, turned } from "./pointing.js";

/**
 * @typedef {import("./draw.js").Scene} Scene
 * @typedef {import("./draw.js").Item} Item
 * @typedef {import("./pointing.js").Target} Target
 * @typedef {import("./shapes.js").Point} Point
 * @typedef {object} Deeds
 * @property {(move: string) => void} play
 * @property {(place: string) => void} [lift] what is done where the piece in hand does not fit
 * @property {(piece: string, turn: number, places: string[]) => Promise<string>} why
 * @property {(move: string, signal: AbortSignal) => Promise<Scene>} preview
 */

/** This many moves are listed before anything is chosen. */
const FEW = 8;
/** This many pixels of a wheel or a trackpad turn the piece once; a line is this many. */
const A_TURN = 60;
const LINE = 40;
/** The icons of what can be done with what is in hand. */
const SIGNS = /** @type {const} */ ({
  turn: "turn", mirror: "mirror", other: "swap", place: "check", clear: "close", anyway: "warning", spare: "close",
});
const STEPS = /** @type {{[key: string]: Point}} */ ({
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
});

export class Table {
  /** @param {Deeds} deeds */
  constructor(deeds) {
    this.deeds = deeds;
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {Scene | null} the last scene whose sheets said something else */
    this.before = null;
    /** @type {Target[]} */
    this.targets = [];
    /** @type {import("./pointing.js").Prompt} */
    this.prompt = {};
    this.held = new Held([]);
    this.choices = new Choices([], (id) => id);
    this.yours = false;
    /** The roles of who plays at this browser: their hands lie nearest. */
    this.own = /** @type {Set<string>} */ (new Set());
    this.piece = "";
    this.turn = 0;
    this.cursor = "";
    /** @type {string[]} what is chosen of dice, squares and lines */
    this.chosen = [];
    /** @type {Target[]} moves that the same pointing could mean */
    this.several = [];
    /** @type {Target | null} a move that is made only if its warning is read */
    this.warned = null;
    /** Whether nothing has been pointed at since the position was shown: what lies there is not covered then. */
    this.resting = true;
    this.previewed = "";
    /** Calls off the preview that is asked for. */
    this.asking = new AbortController();
    this.asked = "";
    this.pointerType = "mouse";
    /** How far the wheel has gone since it last turned the piece or went the other way. */
    this.wheel = 0;
    this.boards = new Boards({
      // On the way to the list of what is meant here, the pointer crosses other cells.
      pointermove: (event) => event.pointerType === "mouse" && !this.asksBack && this.point(cellAt(event.target)),
      pointerleave: (event) => event.pointerType === "mouse" && this.point(""),
      pointerdown: (event) => { this.pointerType = event.pointerType; },
      click: (event) => this.boards.dragged || this.hit(cellAt(event.target), this.pointerType),
      wheel: (event) => this.wheeled(event),
      keydown: (event) => this.pressed(event),
      focus: () => {
        if (!this.cursor && this.boards.element.matches(":focus-visible")) this.point(this.firstPlace());
      },
    });
    this.actions = h("div", { class: "actions" });
    this.dice = h("div", { class: "dice-row" });
    this.hands = h("div", { class: "hands" });
    this.drawer = new Drawer();
    this.grip = {
      isReady: (/** @type {string} */ id) => this.held.byPiece.has(id) || this.choices.canAdd([], id),
      take: (/** @type {string} */ id) => this.take(id),
      drag: (/** @type {PointerEvent} */ event, /** @type {string} */ id) => this.drag(event, id),
    };
  }

  /**
   * Show a position.
   * @param {Scene} scene @param {import("./pointing.js").TargetData | null} targets @param {boolean} yours
   * @param {boolean} rolled whether the dice have just been rolled
   */
  show(scene, targets, yours, rolled = false) {
    if (this.scene && sheetsOf(scene) !== sheetsOf(this.scene)) this.before = this.scene;
    this.scene = scene;
    this.yours = yours;
    this.boards.element.classList.remove("sent", "preview");
    this.boards.element.classList.toggle("live", yours);
    this.targets = yours ? readTargets(targets) : [];
    this.prompt = (yours && targets?.prompt) || {};
    this.held = new Held(this.targets);
    const kinds = kindsOf(scene);
    this.choices = new Choices(this.targets, (id) => kinds.get(id) ?? id);
    this.chosen = [];
    this.several = [];
    this.warned = null;
    this.resting = true;
    this.previewed = "";
    this.asking.abort();
    this.asked = "";
    if (!this.held.byPiece.has(this.piece)) {
      const order = scene.panels.flatMap((panel) => [...named(panel).keys()]);
      this.piece = order.find((id) => this.held.byPiece.has(id)) ?? "";
    }
    if (!this.held.turns(this.piece).includes(this.turn)) this.turn = this.held.turns(this.piece)[0] ?? 0;
    keepingFocus(() => {
      this.boards.draw(scene);
      if (!this.boards.cells.has(this.cursor)) this.cursor = "";
      this.dice.replaceChildren(...handsOf(scene, "dice", this.grip, this.own));
      this.dice.classList.toggle("rolled", rolled);
      this.hands.replaceChildren(...handsOf(scene, "hand", this.grip, this.own));
      const sheets = panelsOf(scene, "sheet", this.grip, this.own);
      this.drawer.show(sheets.map((panel) => sheet(panel, this.grip)), sheets);
      this.drawer.element.classList.add("fresh");
      if (this.before) this.sheetNews(scene, this.before);
      this.refresh();
      this.boards.settle(this.places());
      this.boards.enliven(scene);
    }, this.boards.element);
  }

  /** @param {Scene} scene @param {Scene} before */
  sheetNews(scene, before) {
    for (const panel of scene.panels) {
      const drawn = panel.kind === "sheet" && this.drawer.find(panel.id);
      if (drawn) markNews(drawn, panel, before.panels.find((one) => one.id === panel.id));
    }
  }

  /** @param {number} factor 0 to see the whole board */
  zoomBy(factor) {
    this.boards.zoomTo(factor ? this.boards.zoom * factor : 1, this.places());
  }

  // ---- what is marked

  /** Whether the piece in hand covers one place. */
  get lone() {
    return (this.held.lying(this.piece, this.turn)[0]?.places.length ?? 1) < 2;
  }

  /** Where the piece in hand may lie, or what on the boards can be chosen. @returns {string[]} */
  legalPlaces() {
    if (this.piece) {
      const handle = this.held.handle(this.piece, this.turn);
      return this.held.lying(this.piece, this.turn).map((target) => target.places[handle]);
    }
    return [...this.boards.cells.keys()].filter((id) => this.choices.canAdd(this.chosen, id));
  }

  /** Places where a piece of one place may lie another way round. @returns {string[]} */
  otherPlaces() {
    if (!this.piece || !this.lone) return [];
    return this.held.turns(this.piece).flatMap((turn) => this.held.lying(this.piece, turn).map((target) => target.places[0]));
  }

  /** Where one can go on with what is in hand, whichever way round. */
  places() {
    return [...this.legalPlaces(), ...this.otherPlaces()];
  }

  /** Mark again what can be done, after anything was taken, turned, chosen or pointed at. */
  refresh() {
    this.markThings();
    this.overlay();
    this.drawActions();
  }

  /** Mark what is in hand or chosen, and what can be. */
  markThings() {
    for (const thing of [this.dice, this.hands, this.drawer.sheets].flatMap((held) => [...held.querySelectorAll("[data-piece]")])) {
      const id = /** @type {HTMLElement} */ (thing).dataset.piece ?? "";
      const on = id === this.piece || this.chosen.includes(id);
      thing.setAttribute("aria-pressed", String(on));
      thing.classList.toggle("chosen", on);
      thing.classList.toggle("possible", this.held.byPiece.has(id) || this.choices.canAdd(this.chosen, id));
    }
  }

  overlay() {
    const legal = new Set(this.legalPlaces());
    const considered = this.considered();
    this.boards.mark({
      legal,
      others: new Set(this.otherPlaces()),
      cursor: this.yours && !this.resting ? this.cursor : "",
      chosen: [...this.chosen, ...[...this.several, ...considered].flatMap((target) => target.via)],
      ghost: this.ghost(),
      traces: considered.filter((target) => target.trace.length).map(({ trace, places, via }) => ({ trace, near: [...places, ...via] })),
    });
  }

  /** The moves that what is chosen can mean. @returns {Target[]} */
  considered() {
    if (!this.yours || this.piece) return [];
    const pad = this.prompt.actions ?? [];
    return pad.map((action) => this.choices.meant(action.id, this.chosen)).filter((target) => target !== null);
  }

  /** The moves that pointing at a place means with the piece in hand. @param {string} place @returns {Target[]} */
  fits(place) {
    if (!this.piece || !place) return [];
    const exact = this.held.over(this.piece, this.turn, place);
    if (exact.length || !this.lone) return exact;
    for (const turn of this.held.turns(this.piece)) {
      const found = this.held.over(this.piece, turn, place);
      if (found.length) return found;
    }
    return [];
  }

  /** The cells under the piece in hand, legal or not; null for each outside the board. */
  covered() {
    const here = this.boards.cells.get(this.cursor);
    return here ? covered(this.held, this.piece, this.turn, here, this.boards.cells) : [];
  }

  /** The piece in hand over the place that is pointed at. */
  ghost() {
    const here = this.boards.cells.get(this.cursor);
    if (!here || !this.piece || !this.yours || this.resting) return null;
    const fits = this.fits(this.cursor);
    const under = this.covered().filter((cell) => cell !== null);
    const angle = fits[0]?.angle ?? this.held.lying(this.piece, this.turn)[0]?.angle ?? 0;
    const parts = pieceOver(this.findItem(this.piece), under.length ? under : [here], this.lone, angle);
    return { panel: here.panel.id, group: s("g", { class: `ghost ${fits.length ? "fits" : "misfits"}` }, ...parts) };
  }

  /** The piece in hand, the way it is held now. */
  inHand() {
    const lying = this.held.lying(this.piece, this.turn)[0];
    const cells = (lying?.places ?? []).map((place) => this.boards.cells.get(place)).filter((cell) => cell !== undefined);
    return lying && cells.length === lying.places.length ? portrait(this.findItem(this.piece), cells, lying.angle) : "";
  }

  /** @param {string} id @returns {Item | undefined} */
  findItem(id) {
    for (const panel of this.scene?.panels ?? []) {
      const found = named(panel).get(id);
      if (found) return found;
    }
    return undefined;
  }

  // ---- pointing

  /** Whether an answer is waited for to what was pointed at: which way is meant, or whether to do it all the same. */
  get asksBack() {
    return this.several.length > 0 || this.warned !== null;
  }

  firstPlace() {
    return this.legalPlaces()[0] ?? this.otherPlaces()[0] ?? [...this.boards.cells.keys()][0] ?? "";
  }

  /** @param {string} id */
  point(id) {
    // On the way to the list of what is meant here, the pointer leaves the board.
    if ((id === this.cursor && !this.resting) || (!id && this.asksBack)) return;
    this.resting = false;
    this.cursor = id;
    this.several = [];
    this.warned = null;
    this.refresh();
    if (id) void this.explain(id);
  }

  /** Say whether the piece may lie here, and if not, which rule it would break. @param {string} id */
  async explain(id) {
    const name = phrase(this.boards.cells.get(id)?.item.title ?? id);
    if (!this.piece) return announce(name);
    const [fit] = this.fits(id);
    if (fit) {
      this.say(fit.label && capital(phrase(fit.label)), false);
      return announce(`${t("legalHere", { cell: name })}. ${phrase(fit.label)}`);
    }
    const under = this.covered();
    const key = `${this.piece} ${this.turn} ${id}`;
    this.asked = key;
    let reason = t("offBoard");
    const inside = under.filter((one) => one !== null);
    if (inside.length === under.length && inside.length) {
      reason = phrase(await this.deeds.why(this.piece, this.turn, inside.map((one) => one.id)).catch(() => ""));
    }
    if (this.asked !== key || this.cursor !== id) return undefined;
    this.say(reason);
    return announce(`${t("illegalHere", { cell: name })}. ${reason}`);
  }

  /** Say something about what is pointed at or pressed, in place of what to do. @param {string} words @param {boolean} wrong */
  say(words, wrong = true) {
    const line = this.actions.querySelector(".why");
    if (!line) return;
    line.textContent = words || this.advice();
    line.classList.toggle("told", words !== "");
    line.classList.toggle("wrong", wrong && words !== "");
  }

  /** @param {string} id @param {string} type how it was pointed at */
  hit(id, type) {
    if (!id || !this.yours) return;
    const first = this.cursor !== id || this.resting;
    // Nothing was shown of how it would lie there.
    const unseen = first && (type === "touch" || this.asksBack);
    if (first) this.point(id);
    const other = this.piece && !this.fits(id).length && this.choices.canAdd([], id);
    if (this.piece && !other) {
      if (unseen) return;
      this.lay();
    } else if (this.chosen.includes(id) || this.choices.canAdd([], id)) this.take(id);
  }

  /** Lay the piece where it is. */
  lay() {
    const fits = this.fits(this.cursor);
    if (!fits.length) this.deeds.lift?.(this.cursor);
    else if (fits.length === 1) this.offer(fits[0]);
    else {
      this.several = fits;
      this.refresh();
      /** @type {HTMLElement | null} */ (this.actions.querySelector(".choices button"))?.focus();
    }
  }

  /** Play a move, or warn of it first. @param {Target} target */
  offer(target) {
    if (!target.warning) return this.play(target.move);
    this.warned = target;
    announce(phrase(target.warning));
    this.refresh();
    return /** @type {HTMLElement | null} */ (this.actions.querySelector("[data-key='do/anyway']"))?.focus();
  }

  /** @param {string} move */
  play(move) {
    if (!this.yours) return;
    this.suspend();
    this.deeds.play(move);
  }

  /** Take no more moves in this position: another one is on its way. */
  suspend() {
    this.yours = false;
    this.boards.element.classList.remove("live");
    this.boards.element.classList.add("sent");
    // A preview still on its way would ask about a position that is gone.
    this.asking.abort();
  }

  /** Take a piece in hand, or choose a thing or let it go. @param {string} id */
  take(id) {
    this.warned = null;
    if (this.held.byPiece.has(id)) {
      this.piece = id;
      this.several = [];
      if (!this.held.turns(id).includes(this.turn)) this.turn = this.held.turns(id)[0];
      announce(`${phrase(this.findItem(id)?.title ?? id)}: ${t("selected")}`);
    } else if (this.chosen.includes(id)) {
      const { exact, more } = this.choices.fitting(this.chosen);
      if (exact.length === 1 && !more.length) return this.offer(exact[0]);
      this.chosen = this.chosen.filter((other) => other !== id);
    } else if (this.choices.canAdd(this.chosen, id)) this.chosen = [...this.chosen, id];
    else if (this.choices.canAdd([], id)) this.chosen = [id];
    if (!this.held.byPiece.has(id)) announce(this.chosen.map((one) => phrase(this.findItem(one)?.title ?? one)).join(", ") || t("nothingChosen"));
    return this.refresh();
  }

  /** @param {1 | -1 | 0} way */
  rotate(way) {
    if (!this.piece) return;
    this.turn = this.afterTurning(way);
    this.warned = null;
    this.several = [];
    this.refresh();
    if (this.cursor) void this.explain(this.cursor);
  }

  /** @param {1 | -1 | 0} way */
  afterTurning(way) {
    return turned(this.held, this.piece, this.turn, way, (place) => {
      const cell = this.boards.cells.get(place);
      return cell && [cell.x, cell.y];
    });
  }

  /** @param {number} step */
  otherPiece(step) {
    const pieces = this.held.pieces;
    if (pieces.length) this.take(pieces[(pieces.indexOf(this.piece) + step + pieces.length) % pieces.length]);
  }

  /** @param {WheelEvent} event */
  wheeled(event) {
    if (!this.piece || event.ctrlKey || this.held.turns(this.piece).length < 2) return;
    if (Math.abs(event.deltaX) >= Math.abs(event.deltaY)) return;
    event.preventDefault();
    const by = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE);
    this.wheel = Math.sign(by) === Math.sign(this.wheel) ? this.wheel + by : by;
    if (Math.abs(this.wheel) < A_TURN) return;
    this.wheel = 0;
    this.rotate(by > 0 ? 1 : -1);
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (step) {
      this.point(neighbour([...this.boards.cells.values()], this.cursor || this.firstPlace(), ...step));
      const here = this.boards.cells.get(this.cursor);
      if (here) this.boards.choose(here.panel.id);
      here?.group?.scrollIntoView({ block: "nearest", inline: "nearest" });
    } else if (event.key === "r") this.rotate(1);
    else if (event.key === "R") this.rotate(-1);
    else if (event.key === "m") this.rotate(0);
    else if (event.key === "n") this.otherPiece(1);
    else if (event.key === "p") this.otherPiece(-1);
    else if (event.key === "Enter" || event.key === " ") this.hit(this.cursor, "keyboard");
    else if (event.key === "Escape") this.clear();
    else return;
    event.preventDefault();
  }

  clear() {
    this.chosen = [];
    this.several = [];
    this.warned = null;
    this.cursor = "";
    this.refresh();
  }

  /** Carry a piece from the hand to a place. @param {PointerEvent} event @param {string} id */
  drag(event, id) {
    carry(event, {
      taken: () => this.held.byPiece.has(id) && this.take(id),
      over: (target) => this.point(cellAt(target)),
      dropped: () => this.cursor && this.held.byPiece.has(id) && this.lay(),
    });
  }

  // ---- the row of what can be done

  drawActions() {
    const shown = this.listed(this.previewed);
    keepingFocus(() => this.replaceActions(), this.boards.element);
    // What goes while it is pointed at sends no event that the pointer has left it.
    if (shown && !this.listed(this.previewed)) this.unpreview();
  }

  replaceActions() {
    if (!this.yours) {
      this.actions.replaceChildren();
      return;
    }
    const pad = this.prompt.actions ?? [];
    this.actions.replaceChildren(
      stepLine(this.prompt),
      h("p", { class: "why" }, this.advice()),
      this.piece && h("div", { class: "tools" }, ...this.pieceTools()) || "",
      this.warned ? this.warning(this.warned) : "",
      pad.length ? actionPad(pad, (action) => this.choices.meant(action, this.chosen), (action) => this.choices.possible(action), {
        play: (target) => this.offer(target), preview: (move) => void this.preview(move), unpreview: () => this.unpreview(),
        ask: (words) => {
          this.say(words, false);
          announce(words);
        },
      }) : "",
      this.ways(),
      this.chosen.length || this.several.length ? this.tool("clear", t("clearChoice"), () => this.clear()) : "",
    );
  }

  /** What to do now, in a sentence. */
  advice() {
    if (this.several.length) return t("shares");
    if (this.prompt.text) return phrase(this.prompt.text);
    if (this.piece) return this.held.lying(this.piece, this.turn).length ? t("pickPlace") : t("noPlace");
    return this.held.pieces.length ? t("pickPiece") : t("pickChoice");
  }

  /** @param {keyof typeof SIGNS} name @param {string} words @param {() => void} click @param {boolean} [off] */
  tool(name, words, click, off = false) {
    return h("button", { type: "button", class: name === "place" ? "main" : "", "data-key": `do/${name}`, disabled: off, click }, icon(SIGNS[name]), words);
  }

  /** What can be done with the piece in hand. */
  pieceTools() {
    const many = this.held.turns(this.piece).length > 1;
    return [this.inHand(),
      this.tool("turn", t("turnPiece"), () => this.rotate(1), !many),
      this.held.hasShapes
        ? this.tool("mirror", t("mirrorPiece"), () => this.rotate(0), this.afterTurning(0) === this.turn) : "",
      this.held.pieces.length > 1 ? this.tool("other", t("otherPiece"), () => this.otherPiece(1)) : "",
      this.tool("place", t("place"), () => this.lay(), this.resting || !this.fits(this.cursor).length)];
  }

  /** What should be known before a move, and the way to make it all the same. @param {Target} target */
  warning(target) {
    return h("div", { class: "warning", role: "alert" }, h("p", {}, phrase(target.warning)),
      h("div", { class: "tools" },
        this.tool("anyway", t("anyway"), () => this.play(target.move)),
        this.tool("spare", t("ratherNot"), () => this.clear())));
  }

  /** The moves that the same pointing could mean, or few enough to be listed at once. */
  ways() {
    const { exact, more } = this.choices.fitting(this.chosen);
    const loose = [...exact, ...more].filter((target) => !target.action);
    const listed = this.several.length ? this.several : loose.length <= FEW ? loose : exact.filter((target) => !target.action);
    if (!listed.length) return "";
    return h("ul", { class: "choices", "aria-label": t("choices") }, ...listed.map((target) => h("li", {}, this.choice(target))));
  }

  /** Whether a move is in the list of what can be done. @param {string} move */
  listed(move) {
    return move !== "" && this.actions.querySelector(`[data-move="${CSS.escape(move)}"]`) !== null;
  }

  /** @param {Target} target */
  choice(target) {
    const words = target.label ? capital(phrase(target.label)) : target.piece ? capital(t("plain")) : target.move;
    return h("button", {
      type: "button", "data-key": `move/${target.move}`, "data-move": target.move, click: () => this.offer(target),
      pointerenter: (event) => event.pointerType === "mouse" && this.preview(target.move), pointerleave: () => this.unpreview(),
      focus: () => this.preview(target.move), blur: () => this.unpreview(),
    }, words);
  }

  /** Show what a move would lead to. @param {string} move */
  async preview(move) {
    // A click points at a move and then focuses it: it is asked for once.
    if (!this.yours || this.previewed === move) return;
    this.previewed = move;
    this.asking.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    const scene = await this.deeds.preview(move, signal).catch(() => null);
    if (!scene || signal.aborted || !this.scene) return;
    this.pictures(scene);
    this.sheetNews(scene, this.scene);
    this.boards.element.classList.add("preview");
  }

  unpreview() {
    if (!this.previewed || !this.scene) return;
    this.previewed = "";
    this.asking.abort();
    this.boards.element.classList.remove("preview");
    this.pictures(this.scene);
    if (this.before) this.sheetNews(this.scene, this.before);
  }

  /** Show another scene's boards and sheets in place of this one's. @param {Scene} scene */
  pictures(scene) {
    this.drawer.element.classList.remove("fresh");
    keepingFocus(() => {
      this.boards.draw(scene);
      for (const panel of scene.panels) {
        const frame = panel.kind === "sheet" && this.drawer.find(panel.id);
        if (frame) {
          const drawn = sheet(panel, this.grip);
          drawn.classList.toggle("shown", frame.classList.contains("shown"));
          frame.replaceWith(drawn);
        }
      }
    }, this.boards.element);
    this.markThings();
    this.overlay();
  }
}

/** What the sheets of a scene say. @param {Scene} scene */
const sheetsOf = (scene) => JSON.stringify(scene.panels.filter((panel) => panel.kind === "sheet").map((panel) => panel.lines));
