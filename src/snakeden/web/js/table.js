// The table: boards, hands, dice and sheets of a scene, and pointing at them. What can be done is what the list of
// legal moves says; what things look like is what the scene says.

import { announce, h, s } from "./dom.js";
import { boxOf, drawItem, drawPanel, named } from "./draw.js";
import { phrase, t } from "./i18n.js";
import { Choices, Held, neighbour, readTargets, turned } from "./pointing.js";

/**
 * @typedef {import("./draw.js").Scene} Scene
 * @typedef {import("./draw.js").Panel} Panel
 * @typedef {import("./draw.js").Item} Item
 * @typedef {import("./pointing.js").Target} Target
 * @typedef {import("./shapes.js").Point} Point
 * @typedef {{item: Item, panel: Panel, id: string, x: number, y: number, group: SVGGElement | null}} Cell
 * @typedef {object} Deeds
 * @property {(move: string) => void} play
 * @property {(piece: string, turn: number, places: string[]) => Promise<string>} why
 * @property {(move: string) => Promise<Scene>} preview
 */

const FEW = 8;
/** How wide a hex of a tile and how high a card or a die is in hand, in pixels. */
const HEX = 21;
const HIGH = 64;
const STEPS = /** @type {{[key: string]: Point}} */ ({
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
});

export class Table {
  /** @param {Deeds} deeds */
  constructor(deeds) {
    this.deeds = deeds;
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {Target[]} */
    this.targets = [];
    this.held = new Held([]);
    this.choices = new Choices([], (id) => id);
    this.yours = false;
    this.piece = "";
    this.turn = 0;
    this.cursor = "";
    /** @type {string[]} what is chosen of dice, squares and lines */
    this.chosen = [];
    /** @type {Target[]} moves that the same pointing could mean */
    this.several = [];
    this.previewed = "";
    /** @type {Promise<unknown>} the preview asked for last */
    this.asking = Promise.resolve();
    this.asked = "";
    /** @type {Map<string, Cell>} */
    this.cells = new Map();
    this.zoom = 1;
    this.pointerType = "mouse";

    this.boards = h("div", {
      class: "boards", tabindex: 0, role: "application", "data-key": "boards",
      pointermove: (event) => event.pointerType === "mouse" && this.point(cellAt(event.target)),
      pointerleave: (event) => event.pointerType === "mouse" && this.point(""),
      pointerdown: (event) => { this.pointerType = event.pointerType; },
      click: (event) => this.hit(cellAt(event.target), this.pointerType),
      wheel: (event) => this.wheeled(event),
      keydown: (event) => this.pressed(event),
    });
    this.boards.addEventListener("focus", () => {
      if (!this.cursor && this.boards.matches(":focus-visible")) this.point(this.firstPlace());
    });
    this.actions = h("div", { class: "actions" });
    this.hands = h("div", { class: "hands" });
  }

  /**
   * Show a position.
   * @param {Scene} scene @param {import("./pointing.js").TargetData | null} targets @param {boolean} yours
   * @param {boolean} rolled whether the dice have just been rolled
   */
  show(scene, targets, yours, rolled = false) {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.key ?? "";
    const inside = [this.boards, this.actions, this.hands].some((part) => part.contains(document.activeElement));
    this.scene = scene;
    this.yours = yours;
    this.boards.classList.remove("sent", "preview");
    this.targets = yours ? readTargets(targets) : [];
    this.held = new Held(this.targets);
    const kinds = kindsOf(scene);
    this.choices = new Choices(this.targets, (id) => kinds.get(id) ?? id);
    this.chosen = [];
    this.several = [];
    this.previewed = "";
    this.asked = "";
    if (!this.held.byPiece.has(this.piece)) {
      const order = scene.panels.flatMap((panel) => [...named(panel).keys()]);
      this.piece = order.find((id) => this.held.byPiece.has(id)) ?? "";
    }
    if (!this.held.turns(this.piece).includes(this.turn)) this.turn = this.held.turns(this.piece)[0] ?? 0;
    this.drawBoards(scene);
    this.drawHands(scene);
    this.hands.classList.toggle("rolled", rolled);
    this.refresh();
    if (inside && focused) {
      const again = /** @type {HTMLElement | null} */ (document.querySelector(`[data-key="${CSS.escape(focused)}"]`));
      (again ?? this.boards).focus({ preventScroll: true });
    }
  }

  // ---- drawing

  /** @param {Scene} scene */
  drawBoards(scene) {
    this.cells.clear();
    const panels = scene.panels.filter((panel) => panel.kind === "board");
    const frames = panels.map((panel) => {
      const svg = drawPanel(panel);
      svg.removeAttribute("aria-hidden");
      svg.setAttribute("role", "group");
      svg.setAttribute("aria-label", phrase(panel.title ?? t("board")));
      svg.append(s("g", { class: "overlay" }));
      for (const [id, item] of named(panel)) {
        if (item.kind !== "cell") continue;
        const group = /** @type {SVGGElement | null} */ (svg.querySelector(`.cells [data-id="${CSS.escape(id)}"]`));
        group?.setAttribute("role", "img");
        group?.setAttribute("aria-label", phrase(item.title ?? id));
        if (group) group.id = `cell-${this.cells.size}`;
        this.cells.set(id, { item, panel, id, x: item.x ?? 0, y: item.y ?? 0, group });
      }
      const frame = h("div", { class: "frame", "data-panel": panel.id }, svg);
      frame.style.setProperty("--ratio", String(panel.box[2] / panel.box[3]));
      return frame;
    });
    this.boards.classList.toggle("many", panels.length > 1);
    this.boards.replaceChildren(...frames);
    this.boards.setAttribute("aria-label", t("boardHelp"));
    if (this.cursor && !this.cells.has(this.cursor)) this.cursor = "";
    this.setZoom(this.zoom);
  }

  /** @param {Scene} scene */
  drawHands(scene) {
    const panels = scene.panels.filter((panel) => panel.kind !== "board");
    const active = (/** @type {Panel} */ panel) => [...named(panel).keys()].some((id) => this.isReady(id));
    panels.sort((a, b) => Number(b.kind === "dice") - Number(a.kind === "dice") || Number(active(b)) - Number(active(a)));
    this.hands.replaceChildren(...panels.map((panel) => (panel.kind === "sheet" ? this.sheet(panel) : this.row(panel))));
  }

  /** Whether something can be taken or chosen now. @param {string} id */
  isReady(id) {
    return this.held.byPiece.has(id) || this.choices.canAdd([], id);
  }

  /** A hand or the dice: a row of things to take. @param {Panel} panel */
  row(panel) {
    const pieces = panel.layers.flatMap((layer) => layer.items).filter((item) => item.kind === "piece");
    const scale = scaleOf(pieces);
    const things = pieces.map((piece) => {
      const box = boxOf(piece);
      const svg = s("svg", {
        viewBox: box.join(" "), width: Math.round(box[2] * scale), height: Math.round(box[3] * scale), "aria-hidden": "true", focusable: "false",
      }, drawItem(piece));
      const id = piece.id ?? "";
      const title = phrase(piece.title ?? piece.text ?? id);
      const look = `thing ${piece.status ?? "ready"}`;
      if (!this.isReady(id)) return h("span", { class: look, role: "img", "aria-label": title }, svg);
      return h("button", {
        type: "button", class: look, "aria-label": title, title, "data-key": id, "data-piece": id, "aria-pressed": "false",
        click: () => this.take(id), pointerdown: (event) => this.drag(event, id),
      }, svg);
    });
    const [head, ...rest] = panel.lines ?? [];
    return h("section", { class: `hand ${panel.kind} r-${panel.role ?? "panel"}` },
      h("h2", {}, h("span", { class: "swatch", "aria-hidden": "true" }), phrase(head ?? panel.title ?? "")),
      panel.kind === "dice" && !pieces.length && h("p", {}, phrase(rest[0] ?? "")),
      h("div", { class: "things" }, ...things));
  }

  /** @param {Panel} panel */
  sheet(panel) {
    const svg = drawPanel(panel);
    svg.removeAttribute("aria-hidden");
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", (panel.lines ?? []).map(phrase).join(". "));
    for (const [id, item] of named(panel)) {
      const group = /** @type {SVGGElement | null} */ (svg.querySelector(`[data-id="${CSS.escape(id)}"]`));
      if (!group || item.kind !== "piece" || !this.choices.canAdd([], id)) continue;
      const [x, y, width, height] = boxOf(item);
      group.prepend(s("rect", { x: x - 0.06, y, width: width + 0.12, height, rx: 0.1, class: "touch" }));
      for (const [name, value] of Object.entries({ role: "button", tabindex: "0", "aria-pressed": "false", "aria-label": phrase(item.title ?? id) })) {
        group.setAttribute(name, value);
      }
      group.dataset.piece = group.dataset.key = id;
      group.classList.add("choosable");
      group.addEventListener("click", () => this.take(id));
      group.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          this.take(id);
        }
      });
    }
    return h("section", { class: "hand sheet", "data-panel": panel.id }, svg);
  }

  /** @param {number} zoom */
  setZoom(zoom) {
    this.zoom = Math.min(4, Math.max(1, zoom));
    this.boards.style.setProperty("--zoom", String(this.zoom));
    if (this.zoom > 1) this.keepInView();
  }

  /** Scroll a zoomed board so that where one can go on is in view. */
  keepInView() {
    const ids = this.legalPlaces();
    for (const frame of this.boards.children) {
      const svg = /** @type {SVGSVGElement} */ (frame.firstElementChild);
      const spots = ids.map((id) => this.cells.get(id)).filter((cell) => cell?.panel.id === frame.getAttribute("data-panel"));
      if (!spots.length) continue;
      const x = spots.reduce((sum, cell) => sum + (cell?.x ?? 0), 0) / spots.length;
      const y = spots.reduce((sum, cell) => sum + (cell?.y ?? 0), 0) / spots.length;
      const box = svg.viewBox.baseVal;
      frame.scrollLeft = ((x - box.x) / box.width) * svg.clientWidth - frame.clientWidth / 2;
      frame.scrollTop = ((y - box.y) / box.height) * svg.clientHeight - frame.clientHeight / 2;
    }
  }

  // ---- what is marked

  /** Where the piece in hand may lie, or what on the boards can be chosen. @returns {string[]} */
  legalPlaces() {
    if (this.piece) {
      const handle = this.held.handle(this.piece, this.turn);
      return this.held.lying(this.piece, this.turn).map((target) => target.places[handle]);
    }
    return [...this.cells.keys()].filter((id) => this.choices.canAdd(this.chosen, id));
  }

  /** Places where a piece of one place may lie another way round. @returns {string[]} */
  otherPlaces() {
    if (!this.piece || (this.held.lying(this.piece, this.turn)[0]?.places.length ?? 0) !== 1) return [];
    return this.held.turns(this.piece).flatMap((turn) => this.held.lying(this.piece, turn).map((target) => target.places[0]));
  }

  /** Mark again what can be done, after anything was taken, turned, chosen or pointed at. */
  refresh() {
    for (const thing of document.querySelectorAll("[data-piece]")) {
      const id = /** @type {HTMLElement} */ (thing).dataset.piece ?? "";
      const on = id === this.piece || this.chosen.includes(id);
      thing.setAttribute("aria-pressed", String(on));
      thing.classList.toggle("chosen", on);
      thing.classList.toggle("possible", this.held.byPiece.has(id) || this.choices.canAdd(this.chosen, id));
    }
    this.overlay();
    this.drawActions();
  }

  overlay() {
    const legal = new Set(this.legalPlaces());
    const others = new Set(this.otherPlaces().filter((id) => !legal.has(id)));
    const label = this.cells.get(this.cursor)?.item.label;
    const ghost = this.ghost();
    for (const frame of this.boards.children) {
      const panel = frame.getAttribute("data-panel");
      const layer = /** @type {SVGGElement} */ (frame.querySelector(".overlay"));
      /** @type {SVGElement[]} */
      const marks = [];
      for (const cell of this.cells.values()) {
        if (cell.panel.id !== panel) continue;
        const size = cell.item.size ?? 1;
        const shape = cell.item.shape === "square" ? "square" : "hex";
        if (legal.has(cell.id)) marks.push(s("circle", { cx: cell.x, cy: cell.y, r: 0.13 * size, class: "legal" }));
        else if (others.has(cell.id)) marks.push(s("circle", { cx: cell.x, cy: cell.y, r: 0.08 * size, class: "legal other" }));
        const same = label && cell.item.label === label && cell.id !== this.cursor;
        if (cell.id === this.cursor || same || this.chosen.includes(cell.id)) {
          const look = cell.id === this.cursor ? "cursor" : same ? "same" : "picked";
          marks.push(s("circle", { cx: cell.x, cy: cell.y, r: (shape === "hex" ? 0.46 : 0.44) * size, class: look }));
        }
      }
      if (ghost && ghost.panel === panel) marks.push(ghost.group);
      for (const id of this.several.flatMap((target) => target.via)) {
        const cell = this.cells.get(id);
        if (cell && cell.panel.id === panel) marks.push(s("circle", { cx: cell.x, cy: cell.y, r: 0.46, class: "picked" }));
      }
      layer.replaceChildren(...marks);
    }
    const cell = this.cells.get(this.cursor);
    if (cell?.group) this.boards.setAttribute("aria-activedescendant", cell.group.id);
    else this.boards.removeAttribute("aria-activedescendant");
  }

  /** The moves that pointing at a place means with the piece in hand. @param {string} place @returns {Target[]} */
  fits(place) {
    if (!this.piece || !place) return [];
    const exact = this.held.over(this.piece, this.turn, place);
    if (exact.length || (this.held.lying(this.piece, this.turn)[0]?.places.length ?? 0) !== 1) return exact;
    for (const turn of this.held.turns(this.piece)) {
      const found = this.held.over(this.piece, turn, place);
      if (found.length) return found;
    }
    return [];
  }

  /** The places that the piece in hand would cover here, legal or not; null where it would leave the board. */
  covered() {
    const here = this.cells.get(this.cursor);
    const pattern = this.held.lying(this.piece, this.turn)[0];
    if (!here || !pattern) return [];
    const handle = this.cells.get(pattern.places[this.held.handle(this.piece, this.turn)]);
    return pattern.places.map((place) => {
      const cell = this.cells.get(place);
      if (!cell || !handle) return null;
      const [x, y] = [here.x + cell.x - handle.x, here.y + cell.y - handle.y];
      for (const other of this.cells.values()) {
        if (other.panel.id === here.panel.id && Math.hypot(other.x - x, other.y - y) < 0.2) return other;
      }
      return null;
    });
  }

  /** The piece in hand over the place that is pointed at. */
  ghost() {
    const here = this.cells.get(this.cursor);
    if (!here || !this.piece) return null;
    const fits = this.fits(this.cursor);
    const covered = this.covered().filter((cell) => cell !== null);
    const angle = fits[0]?.angle ?? this.held.lying(this.piece, this.turn)[0]?.angle ?? 0;
    const parts = this.pieceOver(covered.length ? covered : [here], angle);
    return { panel: here.panel.id, group: s("g", { class: `ghost ${fits.length ? "fits" : "misfits"}` }, ...parts) };
  }

  /**
   * The piece in hand as it would lie on these cells: along several, or turned on one.
   * @param {Cell[]} cells @param {number} angle @returns {SVGElement[]}
   */
  pieceOver(cells, angle) {
    const piece = this.findItem(this.piece);
    const ground = piece?.items?.find((item) => item.kind === "cell");
    const size = (cells[0].item.size ?? 1) / (ground?.size ?? 1);
    const under = cells.map((cell) => s("circle", { cx: cell.x, cy: cell.y, r: 0.42, class: "under" }));
    if ((this.held.lying(this.piece, this.turn)[0]?.places.length ?? 1) < 2) {
      const place = `translate(${cells[0].x} ${cells[0].y}) rotate(${angle}) scale(${size}) translate(${-(ground?.x ?? 0)} ${-(ground?.y ?? 0)})`;
      const items = (piece?.items ?? []).filter((item) => item.kind !== "label");
      return [s("g", { transform: place }, ...items.map(drawItem)), ...under];
    }
    const body = piece?.items?.find((item) => item.kind === "path");
    const points = cells.map((cell) => /** @type {Point} */ ([cell.x, cell.y]));
    return [...under, drawItem({ kind: "path", role: piece?.role ?? "ink", points, width: (body?.width ?? 0.5) * size })];
  }

  /** The piece in hand, the way it is held now. */
  inHand() {
    const lying = this.held.lying(this.piece, this.turn)[0];
    const cells = (lying?.places ?? []).map((place) => this.cells.get(place)).filter((cell) => cell !== undefined);
    if (!lying || cells.length < lying.places.length) return "";
    const [xs, ys] = [cells.map((cell) => cell.x), cells.map((cell) => cell.y)];
    const reach = Math.max(2.2, Math.max(...xs) - Math.min(...xs) + 1.1, Math.max(...ys) - Math.min(...ys) + 1.1);
    const box = [(Math.max(...xs) + Math.min(...xs) - reach) / 2, (Math.max(...ys) + Math.min(...ys) - reach) / 2, reach, reach];
    return s("svg", { class: "in-hand", viewBox: box.join(" "), "aria-hidden": "true" }, ...this.pieceOver(cells, lying.angle));
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

  firstPlace() {
    return this.legalPlaces()[0] ?? this.otherPlaces()[0] ?? [...this.cells.keys()][0] ?? "";
  }

  /** @param {string} id */
  point(id) {
    // On the way to the list of what is meant here, the pointer leaves the board.
    if (id === this.cursor || (!id && this.several.length)) return;
    this.cursor = id;
    this.several = [];
    this.refresh();
    if (id) void this.explain(id);
  }

  /** Say whether the piece may lie here, and if not, which rule it would break. @param {string} id */
  async explain(id) {
    const cell = this.cells.get(id);
    const name = phrase(cell?.item.title ?? id);
    if (!this.piece) return announce(name);
    if (this.fits(id).length) return announce(t("legalHere", { cell: name }));
    const covered = this.covered();
    const key = `${this.piece} ${this.turn} ${id}`;
    this.asked = key;
    let reason = t("offBoard");
    const inside = covered.filter((one) => one !== null);
    if (inside.length === covered.length && inside.length) {
      reason = phrase(await this.deeds.why(this.piece, this.turn, inside.map((one) => one.id)).catch(() => ""));
    }
    if (this.asked !== key || this.cursor !== id) return undefined;
    this.say(reason);
    return announce(`${t("illegalHere", { cell: name })}. ${reason}`);
  }

  /** @param {string} words */
  say(words) {
    const line = this.actions.querySelector(".why");
    if (line) line.textContent = words;
  }

  /** @param {string} id @param {string} type how it was pointed at */
  hit(id, type) {
    if (!id || !this.yours) return;
    const first = this.cursor !== id;
    if (first) this.point(id);
    if (this.piece) {
      if (type === "touch" && first) return;
      this.lay();
    } else if (this.chosen.includes(id) || this.choices.canAdd([], id)) this.take(id);
  }

  /** Lay the piece where it is. */
  lay() {
    const fits = this.fits(this.cursor);
    if (fits.length === 1) this.play(fits[0].move);
    else if (fits.length > 1) {
      this.several = fits;
      this.refresh();
      /** @type {HTMLElement | null} */ (this.actions.querySelector(".choices button"))?.focus();
    }
  }

  /** @param {string} move */
  play(move) {
    this.yours = false;
    this.boards.classList.add("sent");
    // A preview still on its way would ask about a position that is gone.
    void this.asking.finally(() => this.deeds.play(move));
  }

  /** Take a piece in hand, or choose a thing or let it go. @param {string} id */
  take(id) {
    if (this.held.byPiece.has(id)) {
      this.piece = id;
      this.several = [];
      if (!this.held.turns(id).includes(this.turn)) this.turn = this.held.turns(id)[0];
      announce(`${phrase(this.findItem(id)?.title ?? id)}: ${t("selected")}`);
    } else if (this.chosen.includes(id)) {
      const { exact, more } = this.choices.fitting(this.chosen);
      if (exact.length === 1 && !more.length) return this.play(exact[0].move);
      this.chosen = this.chosen.filter((other) => other !== id);
    } else if (this.choices.canAdd(this.chosen, id)) this.chosen = [...this.chosen, id];
    else if (this.choices.canAdd([], id)) this.chosen = [id];
    return this.refresh();
  }

  /** @param {1 | -1 | 0} way */
  rotate(way) {
    if (!this.piece) return;
    this.turn = this.afterTurning(way);
    this.several = [];
    this.refresh();
    if (this.cursor) void this.explain(this.cursor);
  }

  /** @param {1 | -1 | 0} way */
  afterTurning(way) {
    return turned(this.held, this.piece, this.turn, way, (place) => {
      const cell = this.cells.get(place);
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
    event.preventDefault();
    this.rotate(event.deltaY > 0 ? 1 : -1);
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (step) this.point(neighbour([...this.cells.values()], this.cursor || this.firstPlace(), ...step));
    else if (event.key === "r") this.rotate(1);
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
    this.cursor = "";
    this.refresh();
  }

  /** Carry a piece from the hand to a place. @param {PointerEvent} event @param {string} id */
  drag(event, id) {
    const from = [event.clientX, event.clientY];
    let carried = false;
    const move = (/** @type {PointerEvent} */ at) => {
      if (!carried && Math.hypot(at.clientX - from[0], at.clientY - from[1]) < 8) return;
      if (!carried) {
        carried = true;
        /** @type {Element} */ (event.target).releasePointerCapture?.(event.pointerId);
        if (this.held.byPiece.has(id)) this.take(id);
      }
      this.point(cellAt(document.elementFromPoint(at.clientX, at.clientY)));
    };
    const end = (/** @type {PointerEvent} */ at) => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
      if (carried && at.type === "pointerup" && this.cursor && this.held.byPiece.has(id)) this.lay();
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  }

  // ---- the row of what can be done

  drawActions() {
    if (!this.yours) {
      this.actions.replaceChildren();
      return;
    }
    const many = this.held.turns(this.piece).length > 1;
    const fits = this.fits(this.cursor);
    const { exact, more } = this.choices.fitting(this.chosen);
    const listed = this.several.length ? this.several : more.length + exact.length <= FEW ? [...exact, ...more] : exact;
    const advice = this.several.length ? t("shares")
      : this.piece ? (this.held.lying(this.piece, this.turn).length ? t("pickPlace") : t("noPlace"))
        : this.held.pieces.length ? t("pickPiece") : t("pickChoice");
    const key = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.key ?? "";
    const within = this.actions.contains(document.activeElement);
    const button = (/** @type {string} */ name, /** @type {string} */ sign, /** @type {string} */ words, /** @type {() => void} */ click, off = false) =>
      h("button", { type: "button", "data-key": `do/${name}`, disabled: off, click }, h("span", { "aria-hidden": "true" }, sign), ` ${words}`);
    this.actions.replaceChildren(
      h("p", { class: "advice" }, advice),
      this.piece && h("div", { class: "tools" }, this.inHand(),
        button("turn", "↻", t("turnPiece"), () => this.rotate(1), !many),
        button("mirror", "⇋", t("mirrorPiece"), () => this.rotate(0), this.afterTurning(0) === this.turn),
        button("place", "✓", t("place"), () => this.lay(), !fits.length)) || "",
      h("p", { class: "why", "aria-hidden": "true" }),
      listed.length ? h("ul", { class: "choices", "aria-label": t("choices") }, ...listed.map((target) => h("li", {}, this.choice(target)))) : "",
      this.chosen.length || this.several.length ? button("clear", "×", t("clearChoice"), () => this.clear()) : "",
    );
    if (within && key) /** @type {HTMLElement | null} */ (this.actions.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus();
  }

  /** @param {Target} target */
  choice(target) {
    const words = target.label ? phrase(target.label) : target.piece ? t("plain") : target.move;
    return h("button", {
      type: "button", "data-key": `move/${target.move}`, "data-move": target.move, click: () => this.play(target.move),
      pointerenter: (event) => event.pointerType === "mouse" && this.preview(target.move), pointerleave: () => this.unpreview(),
      focus: () => this.preview(target.move), blur: () => this.unpreview(),
    }, words, h("code", {}, target.move));
  }

  /** Show what a move would lead to. @param {string} move */
  async preview(move) {
    if (!this.yours) return;
    this.previewed = move;
    const asking = this.deeds.preview(move).catch(() => null);
    this.asking = asking;
    const scene = await asking;
    if (!scene || this.previewed !== move) return;
    this.pictures(scene);
    this.boards.classList.add("preview");
  }

  unpreview() {
    if (!this.previewed || !this.scene) return;
    this.previewed = "";
    this.boards.classList.remove("preview");
    this.pictures(this.scene);
  }

  /** Show another scene's boards and sheets in place of this one's. @param {Scene} scene */
  pictures(scene) {
    this.drawBoards(scene);
    for (const panel of scene.panels) {
      const frame = panel.kind === "sheet" && this.hands.querySelector(`[data-panel="${CSS.escape(panel.id)}"]`);
      if (frame) frame.replaceWith(this.sheet(panel));
    }
    this.overlay();
  }
}

/** @param {EventTarget | null} target */
function cellAt(target) {
  const group = target instanceof Element ? target.closest(".boards .cells > .cell[data-id]") : null;
  return group?.getAttribute("data-id") ?? "";
}

/** Dice that look alike are alike: what each thing of a scene counts as. @param {Scene} scene @returns {Map<string, string>} */
function kindsOf(scene) {
  const found = new Map();
  for (const panel of scene.panels) {
    if (panel.kind !== "dice") continue;
    for (const [id, item] of named(panel)) found.set(id, `${panel.id} ${item.text} ${item.title}`);
  }
  return found;
}

/** Pixels for one unit of a row of pieces. @param {Item[]} pieces */
function scaleOf(pieces) {
  const cells = pieces.map((piece) => (piece.items ?? []).filter((item) => item.kind === "cell"));
  if (cells.some((found) => found.length > 1)) return HEX / (cells.flat()[0].size ?? 1);
  return HIGH / Math.max(0.1, ...pieces.slice(0, 1).map((piece) => boxOf(piece)[3]));
}
