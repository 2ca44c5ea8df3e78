// Shapes to SVG. What is drawn where is worked out by `snakeden.drawing.shapes`, for pictures and page alike; here it
// becomes elements, whose classes say which colour of which role they show.

import { s } from "./dom.js";

/**
 * @typedef {[number, number]} Point
 * @typedef {{d?: string | number, fill?: string, stroke?: string, width?: number, round?: boolean, dash?: number[],
 *   offset?: number, opacity?: number, part?: string, clip?: string | number, shift?: Point, use?: string,
 *   angle?: number, scale?: number}} Shape
 * @typedef {"open" | "shut" | "happy"} Mood
 */

const answer = await fetch("symbols.json");
/** @type {{symbols: {[name: string]: Shape[]}, faces: {[role: string]: {[mood: string]: Shape[]}}}} */
const { symbols, faces } = await answer.json();

/** What drawings are clipped to: the outlines by path data. They stand apart from the drawings, of which one may be
 * hidden while another needs the same outline. */
const outlines = /** @type {Map<string, SVGClipPathElement>} */ (new Map());
const shelf = s("svg", { class: "unseen", "aria-hidden": "true", focusable: "false" });
document.body.append(shelf);
/** This many outlines are kept before those that nothing needs any more are thrown away. */
const MOST_OUTLINES = 400;
let count = 0;

/** The id of an outline. @param {string} d */
function outline(d) {
  let held = outlines.get(d);
  if (!held) {
    if (outlines.size >= MOST_OUTLINES) tidy();
    held = s("clipPath", { id: `outline-${++count}` }, s("path", { d }));
    outlines.set(d, held);
    shelf.append(held);
  }
  return held.id;
}

function tidy() {
  const needed = new Set([...document.querySelectorAll("[clip-path]")].map((one) => one.getAttribute("clip-path")));
  for (const [d, held] of outlines) {
    if (needed.has(`url(#${held.id})`)) continue;
    held.remove();
    outlines.delete(d);
  }
}

/** The classes for a colour: `fill`, or `eyeball.fill` of another role. @param {string} way @param {string} [colour] */
function painted(way, colour) {
  if (!colour) return way === "fill" ? "hollow" : "";
  const [role, own] = colour.includes(".") ? colour.split(".") : ["", colour];
  return `${way}-${own} ${role ? `r-${role}` : ""}`.trim();
}

/** @param {Shape} shape */
function placed({ shift = [0, 0], angle = 0, scale = 1 }) {
  const parts = [];
  if (shift[0] || shift[1]) parts.push(`translate(${shift[0]} ${shift[1]})`);
  if (angle) parts.push(`rotate(${angle})`);
  if (scale !== 1) parts.push(`scale(${scale})`);
  return parts.join(" ") || null;
}

/** @param {Shape} shape @param {string} d @returns {SVGElement} */
function drawShape(shape, d) {
  const transform = placed(shape);
  if (shape.use) return s("g", { transform, opacity: shape.opacity ?? null }, ...drawShapes(symbols[shape.use] ?? []));
  const round = shape.round ? "round" : null;
  return s("path", {
    d, transform, class: [painted("fill", shape.fill), painted("stroke", shape.stroke), shape.part ?? ""].filter(Boolean).join(" "),
    "stroke-width": shape.width ?? null, "stroke-linecap": round, "stroke-linejoin": round,
    "stroke-dasharray": shape.dash?.join(" ") ?? null, "stroke-dashoffset": shape.offset ?? null, opacity: shape.opacity ?? null,
  });
}

/** Shapes as elements; those that are clipped to the same outline are in one group. @param {Shape[]} shapes @returns {SVGElement[]} */
export function drawShapes(shapes) {
  /** @type {string[]} path data by number: what stood before is named by its number only */
  const known = [];
  const read = (/** @type {string | number | undefined} */ d) => {
    if (typeof d === "number") return known[d];
    if (d && !known.includes(d)) known.push(d);
    return d ?? "";
  };
  /** @type {SVGElement[]} */
  const found = [];
  /** @type {[string, SVGGElement] | null} */
  let group = null;
  for (const shape of shapes) {
    const element = drawShape(shape, read(shape.d));
    const clip = read(shape.clip);
    if (!clip) {
      group = null;
      found.push(element);
      continue;
    }
    if (group?.[0] !== clip) {
      group = [clip, s("g", { "clip-path": `url(#${outline(clip)})` })];
      found.push(group[1]);
    }
    group[1].append(element);
  }
  return found;
}

/** A symbol. @param {string} name @param {number} x @param {number} y @param {number} [scale] @param {number} [angle] */
export function drawSymbol(name, x, y, scale = 1, angle = 0) {
  return drawShape({ use: name, shift: [x, y], scale, angle }, "");
}

/** A player's face, round, in the colours of the role. @param {string} role @param {Mood} [mood] */
export function face(role, mood = "open") {
  return s("svg", { class: `face r-${role}`, viewBox: "-1 -1 2 2", "aria-hidden": "true", focusable: "false" },
    s("circle", { r: 0.95, class: "fill-tint stroke-fill", "stroke-width": 0.09 }),
    s("g", { transform: "translate(0 -.06) scale(.92)" }, ...drawShapes(faces[role]?.[mood] ?? [])));
}

/** @param {number} x @param {number} y @param {string} words @param {string} colour @param {number} size
 * @param {string} anchor @param {boolean} [bold] */
export function text(x, y, words, colour, size, anchor, bold = false) {
  return s("text", {
    x, y: Math.round((y + 0.35 * size) * 1000) / 1000, "font-size": size, "text-anchor": anchor, "font-weight": bold ? "bold" : null, class: colour,
  }, words);
}
