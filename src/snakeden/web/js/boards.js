// The boards of a scene: their cells, the marks on them, and how near one looks.

import { h, s } from "./dom.js";
import { boxOf, drawPanel, named } from "./draw.js";
import { grow } from "./growing.js";
import { phrase, t } from "./i18n.js";
import { keepLabelsReadable } from "./labels.js";
import { drawSymbol } from "./shapes.js";

/**
 * @typedef {import("./draw.js").Scene} Scene
 * @typedef {import("./draw.js").Panel} Panel
 * @typedef {import("./draw.js").Item} Item
 * @typedef {import("./draw.js").Box} Box
 * @typedef {{item: Item, panel: Panel, id: string, x: number, y: number, group: SVGGElement | null}} Cell
 * @typedef {object} Marks
 * @property {Set<string>} legal where something may be laid or chosen
 * @property {Set<string>} others where the piece in hand may lie another way round
 * @property {string} cursor
 * @property {string[]} chosen
 * @property {{panel: string, group: SVGGElement} | null} ghost the piece in hand, over the cursor
 * @property {{trace: import("./shapes.js").Point[], near: string[]}[]} traces ways that are considered, each on the board of what is near
 */

const MOST_ZOOM = 4;
/** A board is shown nearer by itself where what matters on it takes less than this share of its sides. */
const SMALL_SHARE = 0.75;
/** As big as a cell is shown by itself, in pixels, and how many cells are shown around what matters. */
const BIG = 72;
const AROUND = 1.2;
/** For less than this, a board that is seen as a whole is not left: its coordinates would have to leave the rim. */
const WORTH_IT = 1.25;
/** A pointer that moves this many pixels with its button down drags the board. */
const DRAGGED = 6;

export class Boards {
  /** @param {import("./dom.js").Attributes} events */
  constructor(events) {
    this.element = h("div", { class: "boards", tabindex: 0, role: "application", "data-key": "boards", ...events });
    this.element.addEventListener("pointerdown", (event) => this.drag(event));
    /** Whether the pointer's button has dragged a board since it went down. */
    this.dragged = false;
    /** @type {Map<string, Cell>} */
    this.cells = new Map();
    this.zoom = 1;
    /** How near somebody has chosen to look; 0 if nobody has. */
    this.wanted = 0;
    /** @type {Scene | null} the position that was shown last */
    this.before = null;
    /** Of several boards, the one that is looked at. */
    this.chosen = "";
    this.element.addEventListener("scroll", () => this.labels(), { capture: true, passive: true });
    /** @type {string[] | null} the places to look at as soon as the page has room for the boards */
    this.waiting = null;
    new ResizeObserver(() => {
      if (this.waiting) this.settle(this.waiting);
      this.labels();
    }).observe(this.element);
  }

  /** @param {Scene} scene */
  draw(scene) {
    this.cells.clear();
    const panels = scene.panels.filter((panel) => panel.kind === "board");
    const mover = scene.seats.find((seat) => seat.status === "to move")?.role ?? "ink";
    const frames = panels.map((panel) => {
      const svg = drawPanel(panel);
      svg.removeAttribute("aria-hidden");
      svg.setAttribute("role", "group");
      svg.setAttribute("aria-label", phrase(panel.title ?? t("board")));
      svg.append(s("g", { class: `overlay r-${mover}` }, s("g", { class: "dots" }), s("g", { class: "pointed" })));
      for (const [id, item] of named(panel)) {
        if (item.kind !== "cell") continue;
        const group = /** @type {SVGGElement | null} */ (svg.querySelector(`.cells [data-id="${CSS.escape(id)}"]`));
        group?.setAttribute("role", "img");
        group?.setAttribute("aria-label", phrase(item.title ?? id));
        if (group) group.id = `cell-${this.cells.size}`;
        this.cells.set(id, { item, panel, id, x: item.x ?? 0, y: item.y ?? 0, group });
      }
      const frame = h("div", { class: "frame", "data-panel": panel.id, "data-key": `frame/${panel.id}` }, svg);
      for (const body of svg.querySelectorAll(`.layer.paths > .r-${mover}`)) body.classList.add("plays");
      if (panels.length > 1) {
        frame.append(h("span", { class: "floor-name", "aria-hidden": "true" }, h("span", {}, phrase(panel.title ?? "")), h("b", {}, panel.id.split("/").at(-1))));
        frame.addEventListener("click", (event) => this.choose(panel.id) && event.stopPropagation());
      }
      frame.style.setProperty("--ratio", String(panel.box[2] / panel.box[3]));
      return frame;
    });
    const scrolled = [...this.element.children].map((frame) => [frame.scrollLeft, frame.scrollTop]);
    this.element.classList.toggle("many", panels.length > 1);
    this.element.classList.toggle("open", panels.some((panel) => [...named(panel).values()].some((item) => item.role === "room")));
    this.element.replaceChildren(...frames);
    this.element.setAttribute("aria-label", t("boardHelp"));
    this.choose(panels.some((panel) => panel.id === this.chosen) ? this.chosen : lastMoved(panels));
    this.setZoom(this.zoom);
    scrolled.forEach(([left, top], i) => frames[i]?.scrollTo(left, top));
    this.labels();
  }

  /** Keep the coordinates readable, however near one looks and whatever is seen of a board. */
  labels() {
    for (const panel of this.panels()) {
      const frame = this.element.querySelector(`.frame[data-panel="${CSS.escape(panel.id)}"]`);
      if (frame) keepLabelsReadable(frame, panel);
    }
  }

  /**
   * Show what has changed since the last position: bodies that are new come in, and what was eaten goes.
   * @param {Scene} scene
   */
  enliven(scene) {
    const { before } = this;
    this.before = scene;
    if (!before || before.game !== scene.game) return;
    const old = bodiesOf(before);
    const known = new Set(old.map(keyOf));
    const stay = new Set(starsOf(scene).map(keyOf));
    for (const panel of scene.panels) {
      const frame = this.element.querySelector(`.frame[data-panel="${CSS.escape(panel.id)}"]`);
      const groups = /** @type {SVGGElement[]} */ ([...(frame?.querySelectorAll(".layer.paths > g") ?? [])]);
      (panel.layers.find((layer) => layer.name === "paths")?.items ?? []).forEach((item, i) => {
        if (!groups[i] || !item.role?.startsWith("seat") || known.has(keyOf(item))) return;
        if (!grow(groups[i], item, old)) groups[i].classList.add("laid");
      });
    }
    const overlay = this.element.querySelector(".frame .picture > .layer.marks");
    for (const star of starsOf(before)) {
      if (!stay.has(keyOf(star))) overlay?.append(s("g", { class: "eaten r-powerup" }, drawSymbol("star", star.x ?? 0, star.y ?? 0, star.size)));
    }
  }

  /** Look at one of several boards. @param {string} id @returns {boolean} whether it was another one before */
  choose(id) {
    const before = this.chosen;
    this.chosen = id;
    for (const frame of this.element.children) frame.classList.toggle("chosen", frame.getAttribute("data-panel") === id);
    if (before !== id) this.labels();
    return before !== id;
  }

  /** Look from as near as somebody wants. @param {number} zoom @param {string[]} places what must stay in view */
  zoomTo(zoom, places) {
    this.setZoom(zoom);
    this.wanted = this.zoom;
    this.keepInView(places);
  }

  /** @param {number} zoom */
  setZoom(zoom) {
    this.zoom = Math.min(MOST_ZOOM, Math.max(1, zoom));
    this.element.style.setProperty("--zoom", String(this.zoom));
    this.labels();
    for (const frame of this.element.children) {
      // What scrolls must be reached by the keyboard too.
      if (this.zoom > 1) frame.setAttribute("tabindex", "0");
      else frame.removeAttribute("tabindex");
    }
  }

  /**
   * Look at what matters: as near as was chosen, if all these places can be seen from there; else at the whole board
   * or, where much may still become part of it, nearer at what there is.
   * @param {string[]} places
   */
  settle(places) {
    this.waiting = this.element.clientWidth ? null : places;
    if (this.waiting) return;
    if (!places.length) {
      // Nothing can be done here: the board is looked at as a whole.
      if (!this.wanted) this.setZoom(1);
      return;
    }
    const open = [...this.cells.values()].find((cell) => cell.item.role === "room")?.panel;
    if (!this.wanted) this.setZoom(open ? this.nearness(open, places) : 1);
    else this.setZoom(Math.min(this.wanted, ...this.panels().map((panel) => {
      const [, , width, height] = this.contents({ ...panel, layers: [] }, places) ?? [0, 0, 0.1, 0.1];
      return Math.min(panel.box[2] / width, panel.box[3] / height);
    })));
    this.keepInView(places);
  }

  /** @returns {Panel[]} */
  panels() {
    return [...new Set([...this.cells.values()].map((cell) => cell.panel))];
  }

  /** @param {Panel} panel @param {string[]} places */
  nearness(panel, places) {
    const [, , width, height] = this.contents(panel, places) ?? panel.box;
    const share = Math.max(width / panel.box[2], height / panel.box[3]);
    const pixels = (this.element.firstElementChild?.clientWidth ?? 0) / panel.box[2];
    const zoom = share < SMALL_SHARE ? Math.min(1 / share, BIG / Math.max(1, pixels)) : 1;
    return zoom < WORTH_IT ? 1 : zoom;
  }

  /**
   * The box around what lies on a board and around these places; null if there is nothing.
   * @param {Panel} panel @param {string[]} places @returns {Box | null}
   */
  contents(panel, places) {
    const boxes = panel.layers.flatMap((layer) => layer.items)
      .filter((item) => item.kind === "path").map(boxOf);
    for (const id of places) {
      const cell = this.cells.get(id);
      if (cell?.panel.id === panel.id) boxes.push(boxOf(cell.item));
    }
    if (!boxes.length) return null;
    const [left, top] = [Math.min(...boxes.map((box) => box[0])) - AROUND, Math.min(...boxes.map((box) => box[1])) - AROUND];
    const [right, bottom] = [Math.max(...boxes.map((box) => box[0] + box[2])), Math.max(...boxes.map((box) => box[1] + box[3]))];
    return [left, top, right + AROUND - left, bottom + AROUND - top];
  }

  /** Scroll a board that is seen from near so that where one can go on is in view. @param {string[]} places */
  keepInView(places) {
    if (this.zoom === 1) return;
    for (const frame of this.element.children) {
      const svg = /** @type {SVGSVGElement} */ (frame.firstElementChild);
      const panel = this.panels().find((one) => one.id === frame.getAttribute("data-panel"));
      const box = svg.viewBox.baseVal;
      const whole = panel && this.contents(panel, places);
      const fits = whole && whole[2] * this.zoom <= box.width * 1.01 && whole[3] * this.zoom <= box.height * 1.01;
      const near = fits ? whole : panel && this.contents({ ...panel, layers: [] }, places);
      if (!near) continue;
      const [x, y] = [near[0] + near[2] / 2, near[1] + near[3] / 2];
      frame.scrollTo(
        ((x - box.x) / box.width) * svg.clientWidth - frame.clientWidth / 2,
        ((y - box.y) / box.height) * svg.clientHeight - frame.clientHeight / 2,
      );
    }
    // Browsers tell of the scrolling a frame later, and until then coordinates would be where they were.
    this.labels();
  }

  /** A board seen from near follows the mouse; fingers move it by themselves. @param {PointerEvent} event */
  drag(event) {
    this.dragged = false;
    const frame = event.target instanceof Element ? event.target.closest(".frame") : null;
    if (this.zoom === 1 || event.pointerType !== "mouse" || event.button !== 0 || !frame) return;
    const [x, y, left, top] = [event.clientX, event.clientY, frame.scrollLeft, frame.scrollTop];
    const move = (/** @type {PointerEvent} */ at) => {
      this.dragged ||= Math.hypot(at.clientX - x, at.clientY - y) > DRAGGED;
      if (this.dragged) frame.scrollTo(left + x - at.clientX, top + y - at.clientY);
    };
    const end = () => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  }

  /** @param {Marks} marks */
  mark({ legal, others, cursor, chosen, ghost, traces }) {
    const here = this.cells.get(cursor);
    const label = here?.item.label;
    for (const frame of this.element.children) {
      const panel = frame.getAttribute("data-panel");
      const cells = [...this.cells.values()].filter((cell) => cell.panel.id === panel);
      dot(frame.querySelector(".overlay .dots"), cells, legal, others);
      /** @type {SVGElement[]} */
      const marks = [];
      for (const cell of cells) {
        const size = cell.item.size ?? 1;
        const same = label && cell.item.label === label && cell !== here;
        const look = cell === here ? "cursor" : same ? "same" : chosen.includes(cell.id) ? "picked" : "";
        if (!look) continue;
        const around = drawSymbol(String(cell.item.symbol), cell.x, cell.y, size);
        around.setAttribute("class", look);
        marks.push(around);
      }
      for (const { trace, near } of traces) {
        if (near.some((id) => this.cells.get(id)?.panel.id === panel)) marks.push(...way(trace));
      }
      if (ghost && ghost.panel === panel) marks.push(ghost.group);
      frame.querySelector(".overlay .pointed")?.replaceChildren(...marks);
    }
    if (here?.group) this.element.setAttribute("aria-activedescendant", here.group.id);
    else this.element.removeAttribute("aria-activedescendant");
  }
}

/**
 * Dot the cells where something may be laid or chosen. The same dots stay: drawing them anew would paint all of the board.
 * @param {Element | null} group @param {Cell[]} cells @param {Set<string>} legal @param {Set<string>} others
 */
function dot(group, cells, legal, others) {
  const looks = cells.map(({ id }) => (legal.has(id) ? "legal" : others.has(id) ? "legal other" : ""));
  const key = looks.join();
  if (!(group instanceof SVGElement) || group.dataset.dots === key) return;
  group.dataset.dots = key;
  group.replaceChildren(...cells.flatMap(({ item, x, y }, i) =>
    (looks[i] ? [s("circle", { cx: x, cy: y, r: (looks[i] === "legal" ? 0.12 : 0.08) * (item.size ?? 1), class: looks[i] })] : [])));
}

/** The way of a move that is considered, with a tip at its end. @param {import("./shapes.js").Point[]} trace */
function way(trace) {
  const [[ax, ay], [bx, by]] = trace.slice(-2);
  const far = Math.hypot(bx - ax, by - ay) || 1;
  const [dx, dy] = [(0.2 * (bx - ax)) / far, (0.2 * (by - ay)) / far];
  const tip = [[bx - dx - dy, by - dy + dx], [bx + 0.4 * dx, by + 0.4 * dy], [bx - dx + dy, by - dy - dx]];
  const points = (/** @type {number[][]} */ line) => line.map((point) => point.join(",")).join(" ");
  return [s("polyline", { class: "way", points: points(trace) }), s("polyline", { class: "way", points: points(tip) })];
}

/** @param {Item} item */
const keyOf = ({ role, points, x, y }) => JSON.stringify([role, points, x, y]);

/** @param {Scene} scene @param {string} layer @returns {Item[]} */
const itemsOf = (scene, layer) => scene.panels.filter((panel) => panel.kind === "board")
  .flatMap((panel) => panel.layers.find((one) => one.name === layer)?.items ?? []);

/** @param {Scene} scene */
const bodiesOf = (scene) => itemsOf(scene, "paths").filter((item) => item.role?.startsWith("seat"));

/** @param {Scene} scene */
const starsOf = (scene) => itemsOf(scene, "marks").filter((item) => item.shape === "star");

/** The board of the last move, or the first. @param {Panel[]} panels */
function lastMoved(panels) {
  const moved = panels.find((panel) => panel.layers.some((layer) => layer.items.some((item) => item.role === "last")));
  return (moved ?? panels[0])?.id ?? "";
}

/** The cell that an event is about. @param {EventTarget | null} target */
export function cellAt(target) {
  const group = target instanceof Element ? target.closest(".boards .cells > .cell[data-id]") : null;
  return group?.getAttribute("data-id") ?? "";
}
