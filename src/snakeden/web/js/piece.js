// The piece in hand: where it would lie, and its picture there.

import { s } from "./dom.js";
import { drawItem } from "./draw.js";
import { drawSymbol } from "./shapes.js";

/**
 * @typedef {import("./boards.js").Cell} Cell
 * @typedef {import("./draw.js").Item} Item
 * @typedef {import("./pointing.js").Held} Held
 * @typedef {import("./shapes.js").Point} Point
 */

/**
 * The cells that a piece would cover if it were held over this one, legal or not; null for each outside the board.
 * @param {Held} held @param {string} piece @param {number} turn @param {Cell} here @param {Map<string, Cell>} cells
 */
export function covered(held, piece, turn, here, cells) {
  const pattern = held.lying(piece, turn)[0];
  const handle = pattern && cells.get(pattern.places[held.handle(piece, turn)]);
  if (!handle) return [];
  return pattern.places.map((place) => {
    const cell = cells.get(place);
    if (!cell) return null;
    const [x, y] = [here.x + cell.x - handle.x, here.y + cell.y - handle.y];
    for (const other of cells.values()) {
      if (other.panel.id === here.panel.id && Math.hypot(other.x - x, other.y - y) < 0.2) return other;
    }
    return null;
  });
}

/** @param {Point[]} points @returns {Point} */
const middleOf = (points) => [
  points.reduce((sum, p) => sum + p[0], 0) / points.length,
  points.reduce((sum, p) => sum + p[1], 0) / points.length,
];

/**
 * How a piece is turned or mirrored so that its cells come to lie on others.
 * @param {Point[]} from @param {Point[]} to @param {number} size @returns {string} a transform; empty if there is none
 */
export function laidOn(from, to, size) {
  const [a, b] = [middleOf(from), middleOf(to)];
  for (const mirror of [1, -1]) {
    for (let angle = 0; angle < 360; angle += 30) {
      const [c, w] = [Math.cos((angle * Math.PI) / 180) * size, Math.sin((angle * Math.PI) / 180) * size];
      const image = (/** @type {Point} */ p) => [b[0] + (p[0] - a[0]) * c - (p[1] - a[1]) * mirror * w, b[1] + (p[0] - a[0]) * w + (p[1] - a[1]) * mirror * c];
      if (!from.every((p) => to.some((q) => Math.hypot(q[0] - image(p)[0], q[1] - image(p)[1]) < 0.1))) continue;
      return `translate(${b[0]} ${b[1]}) rotate(${angle}) scale(${size} ${size * mirror}) translate(${-a[0]} ${-a[1]})`;
    }
  }
  return "";
}

/**
 * A piece as it would lie on these cells: along several, or turned on one.
 * @param {Item | undefined} piece @param {Cell[]} cells @param {boolean} lone whether it covers one place
 * @param {number} angle @returns {SVGElement[]}
 */
export function pieceOver(piece, cells, lone, angle) {
  const grounds = (piece?.items ?? []).filter((item) => item.kind === "cell");
  const size = (cells[0].item.size ?? 1) / (grounds[0]?.size ?? 1);
  const under = cells.map((cell) => drawSymbol(`${cell.item.symbol}`, cell.x, cell.y, cell.item.size));
  for (const one of under) one.setAttribute("class", "under");
  const points = (/** @type {{x?: number, y?: number}[]} */ places) => places.map(({ x = 0, y = 0 }) => /** @type {Point} */ ([x, y]));
  const place = lone
    ? `translate(${cells[0].x} ${cells[0].y}) rotate(${angle}) scale(${size}) translate(${-(grounds[0]?.x ?? 0)} ${-(grounds[0]?.y ?? 0)})`
    : laidOn(points(grounds), points(cells), size);
  const card = grounds[0]?.symbol === "card";
  const items = (piece?.items ?? []).filter((item) => item.kind !== "label" && (card || item.kind !== "cell"));
  const drawn = s("g", { transform: place }, ...items.map(drawItem));
  // A card hides what it lies on; the cells under a tile are seen around it.
  return card ? [drawn, ...under] : [...under, drawn];
}

/** A piece alone, as it is held. @param {Item | undefined} piece @param {Cell[]} cells @param {number} angle */
export function portrait(piece, cells, angle) {
  const [xs, ys] = [cells.map((cell) => cell.x), cells.map((cell) => cell.y)];
  const reach = Math.max(2.2, Math.max(...xs) - Math.min(...xs) + 1.1, Math.max(...ys) - Math.min(...ys) + 1.1);
  const box = [(Math.max(...xs) + Math.min(...xs) - reach) / 2, (Math.max(...ys) + Math.min(...ys) - reach) / 2, reach, reach];
  return s("svg", { class: "in-hand", viewBox: box.join(" "), "aria-hidden": "true" }, ...pieceOver(piece, cells, cells.length < 2, angle));
}

/**
 * Follow the pointer from where something was taken to where it is let go.
 * @param {PointerEvent} event
 * @param {{taken: () => void, over: (target: Element | null) => void, dropped: () => void}} on
 */
export function carry(event, on) {
  const from = [event.clientX, event.clientY];
  let carried = false;
  const move = (/** @type {PointerEvent} */ at) => {
    if (!carried && Math.hypot(at.clientX - from[0], at.clientY - from[1]) < 8) return;
    if (!carried) {
      carried = true;
      /** @type {Element} */ (event.target).releasePointerCapture?.(event.pointerId);
      on.taken();
    }
    on.over(document.elementFromPoint(at.clientX, at.clientY));
  };
  const end = (/** @type {PointerEvent} */ at) => {
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", end);
    window.removeEventListener("pointercancel", end);
    if (carried && at.type === "pointerup") on.dropped();
  };
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", end);
  window.addEventListener("pointercancel", end);
}
