// How a snake that has become longer grows along its line: it is uncovered from where it ended before.

import { s } from "./dom.js";

/** @typedef {import("./draw.js").Item} Item */

const MILLISECONDS = 450;
/** As wide as the line is uncovered, in cells: the head included, the snake beside it not. */
const WIDE = 1.15;
let count = 0;

/** How many points two lines have in common from their start. @param {string[]} one @param {string[]} other */
function common(one, other) {
  let n = 0;
  while (n < one.length && n < other.length && one[n] === other[n]) n++;
  return n;
}

/**
 * The share of a line that was there before: from its start, or from its end.
 * @param {Item} item @param {Item[]} old bodies of the position before @returns {[number, number]}
 */
export function knownShare(item, old) {
  const points = (item.points ?? []).map((point) => JSON.stringify(point));
  let [start, end] = [0, 0];
  for (const one of old) {
    if (one.role !== item.role) continue;
    const before = (one.points ?? []).map((point) => JSON.stringify(point));
    for (const way of [before, before.toReversed()]) {
      start = Math.max(start, common(points, way));
      end = Math.max(end, common(points.toReversed(), way.toReversed()));
    }
  }
  return [start / Math.max(1, points.length), end / Math.max(1, points.length)];
}

/**
 * Let a body grow, where there is a line along which it can and motion is wanted.
 * @param {SVGGElement} group @param {Item} item @param {Item[]} old @returns {boolean} whether it does
 */
export function grow(group, item, old) {
  const line = item.shapes?.find((shape) => shape.part === "line")?.d;
  const [start, end] = knownShare(item, old);
  if (typeof line !== "string" || !(start || end) || window.matchMedia("(prefers-reduced-motion: reduce)").matches) return false;
  const { x, y, width, height } = group.getBBox();
  const uncovered = s("path", { d: line, fill: "none", stroke: "#fff", "stroke-width": WIDE, "stroke-linecap": "round", "stroke-linejoin": "round", pathLength: 1, "stroke-dasharray": 1 });
  const id = `growing-${++count}`;
  const mask = s("mask", { id, maskUnits: "userSpaceOnUse", x: x - 1, y: y - 1, width: width + 2, height: height + 2 }, uncovered);
  group.before(mask);
  group.setAttribute("mask", `url(#${id})`);
  const from = start >= end ? 1 - start : end - 1;
  const motion = uncovered.animate([{ strokeDashoffset: from }, { strokeDashoffset: 0 }], { duration: MILLISECONDS, easing: "cubic-bezier(0.3, 0.7, 0.3, 1)" });
  const done = () => {
    group.removeAttribute("mask");
    mask.remove();
  };
  motion.addEventListener("finish", done);
  motion.addEventListener("cancel", done);
  return true;
}
