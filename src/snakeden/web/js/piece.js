// The piece in hand: where it would lie, and its picture there.

import { s } from "./dom.js";
import { drawItem } from "./draw.js";

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

/**
 * A piece as it would lie on these cells: along several, or turned on one.
 * @param {Item | undefined} piece @param {Cell[]} cells @param {boolean} lone whether it covers one place
 * @param {number} angle @returns {SVGElement[]}
 */
export function pieceOver(piece, cells, lone, angle) {
  const ground = piece?.items?.find((item) => item.kind === "cell");
  const size = (cells[0].item.size ?? 1) / (ground?.size ?? 1);
  const under = cells.map((cell) => s("circle", { cx: cell.x, cy: cell.y, r: 0.42, class: "under" }));
  if (lone) {
    const place = `translate(${cells[0].x} ${cells[0].y}) rotate(${angle}) scale(${size}) translate(${-(ground?.x ?? 0)} ${-(ground?.y ?? 0)})`;
    const items = (piece?.items ?? []).filter((item) => item.kind !== "label");
    return [s("g", { transform: place }, ...items.map(drawItem)), ...under];
  }
  const body = piece?.items?.find((item) => item.kind === "path");
  const points = cells.map((cell) => /** @type {Point} */ ([cell.x, cell.y]));
  return [...under, drawItem({ kind: "path", role: piece?.role ?? "ink", points, width: (body?.width ?? 0.5) * size })];
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
