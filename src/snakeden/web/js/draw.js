// Scenes to SVG: what an item is and where it stands comes from the scene, its colour from the style sheet.

import { s } from "./dom.js";
import { capital, phrase } from "./i18n.js";
import { drawShapes, drawSymbol, text } from "./shapes.js";

/**
 * @typedef {import("./shapes.js").Point} Point
 * @typedef {[number, number, number, number]} Box
 * @typedef {{kind: string, id?: string, role?: string, title?: string, text?: string, label?: string, status?: string,
 *   x?: number, y?: number, size?: number, shape?: string, points?: Point[], width?: number, items?: Item[],
 *   anchor?: string, bold?: boolean, weight?: number, symbol?: string, shapes?: import("./shapes.js").Shape[],
 *   [more: string]: any}} Item
 * @typedef {{id: string, kind: "board" | "hand" | "dice" | "sheet", box: Box, title?: string, role?: string,
 *   lines?: string[], layers: {name: string, items: Item[]}[]}} Panel
 * @typedef {{role: string, name: string, score: number, status: string}} Seat
 * @typedef {{game: string, title: string, box: Box, seats: Seat[], panels: Panel[]}} Scene
 */

/** The defaults that a scene leaves out where an item has them. */
const ROLES = /** @type {{[kind: string]: string}} */ ({ cell: "cell", label: "ink" });

/** @param {Item} cell */
function drawCell(cell) {
  const { x = 0, y = 0, size = 1, symbol = "hex" } = cell;
  const drawn = drawSymbol(symbol, x, y, size);
  if (cell.weight !== undefined) drawn.setAttribute("opacity", String(cell.weight));
  return [drawn];
}

/** @param {Item} mark */
function drawMark(mark) {
  const { x = 0, y = 0, size = 0.5, shape = "dot" } = mark;
  const drawn = drawSymbol(shape, x, y, size, mark.angle);
  if (mark.weight !== undefined) drawn.setAttribute("opacity", String(mark.weight));
  if (!mark.text || !["dot", "ring", "hole"].includes(shape)) return [drawn];
  return [drawn, text(x, y, mark.text, shape === "ring" ? "dark" : "mark", size * 0.62, "middle", true)];
}

/** Whether a label is a player's name: a seat's bold one. @param {Item} item */
const isName = ({ kind, bold, role = "" }) => kind === "label" && bold && role.startsWith("seat");

/** What a label says; a name that stands for itself begins with a capital. @param {Item} item */
const worded = (item) => (isName(item) ? capital(phrase(item.text ?? "")) : phrase(item.text ?? ""));

/** How far the corners of a hexagon are from its middle, for each unit from side to side. */
const CORNER = 1 / Math.sqrt(3);
/** How wide a letter is, by its size, and how small a name may get. */
const [LETTER, SMALLEST] = [0.57, 0.7];

/**
 * A player's name so that it leaves room for what stands beside it: smaller, and if it must be, shorter.
 * @param {Item} item @param {Item[]} others of its layer @param {Box} box of its panel
 */
function fitted(item, others, box) {
  if (!isName(item)) return item;
  const { x = 0, y = 0, size = 0.4 } = item;
  const beside = others.find((one) => one.kind === "label" && one.anchor === "end" && Math.abs((one.y ?? 0) - y) < 0.1);
  const end = beside ? (beside.x ?? 0) - worded(beside).length * (beside.size ?? 0.4) * LETTER : box[0] + box[2];
  const room = Math.max(2, (end - x) / (LETTER * size));
  const name = worded(item);
  const text = name.length * SMALLEST > room ? `${name.slice(0, Math.floor(room / SMALLEST) - 1)}…` : name;
  return { ...item, text, size: size * Math.min(1, room / text.length) };
}

/** @param {Item} item @returns {SVGElement[]} */
function parts(item) {
  switch (item.kind) {
    case "cell": return drawCell(item);
    case "mark": return drawMark(item);
    case "label":
      return [text(item.x ?? 0, item.y ?? 0, worded(item), "text", item.size ?? 0.4, item.anchor ?? "middle", item.bold)];
    case "piece": return (item.items ?? []).map(drawItem);
    default: return drawShapes(item.shapes ?? []);
  }
}

/** @param {Item} item @returns {SVGGElement} */
export function drawItem(item) {
  const role = item.role ?? ROLES[item.kind] ?? "";
  const group = s("g", { class: `${item.kind} r-${role} ${item.status ?? ""}`.trim() }, ...parts(item));
  if (item.id) group.dataset.id = item.id;
  return group;
}

/** One panel's picture. @param {Panel} panel @param {Box} [box] */
export function drawPanel(panel, box = panel.box) {
  const svg = s("svg", { viewBox: box.join(" "), class: `picture ${panel.kind}`, "aria-hidden": "true", focusable: "false" });
  for (const layer of panel.layers) svg.append(s("g", { class: `layer ${layer.name}` }, ...layer.items.map((item) => drawItem(fitted(item, layer.items, panel.box)))));
  return svg;
}

/** The box around what an item covers. @param {Item} item @returns {Box} */
export function boxOf(item) {
  /** @type {Point[]} */
  const found = [];
  const around = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ r) => {
    found.push([x - r, y - r], [x + r, y + r]);
  };
  const visit = (/** @type {Item} */ one) => {
    if (one.kind === "piece") (one.items ?? []).forEach(visit);
    else if (one.kind === "cell") around(one.x ?? 0, one.y ?? 0, CORNER * (one.size ?? 1));
    else if (one.kind === "label") {
      const size = one.size ?? 0.4;
      const wide = worded(one).length * size * 0.55;
      const left = one.anchor === "start" ? 0 : one.anchor === "end" ? -wide : -wide / 2;
      found.push([(one.x ?? 0) + left, (one.y ?? 0) - size / 2], [(one.x ?? 0) + left + wide, (one.y ?? 0) + size / 2]);
    } else if (one.points) one.points.forEach(([x, y]) => around(x, y, (one.width ?? 0.04) / 2));
    else around(one.x ?? 0, one.y ?? 0, (one.size ?? 0.5) / 2);
  };
  visit(item);
  const xs = found.map((p) => p[0]);
  const ys = found.map((p) => p[1]);
  const pad = 0.04;
  const [left, top] = [Math.min(...xs) - pad, Math.min(...ys) - pad];
  return [left, top, Math.max(...xs) + pad - left, Math.max(...ys) + pad - top];
}

/** Everything in a panel that has an id, by it. @param {Panel} panel @returns {Map<string, Item>} */
export function named(panel) {
  const found = new Map();
  for (const layer of panel.layers) for (const item of layer.items) if (item.id) found.set(item.id, item);
  return found;
}
