// Choices as pictures: one of several small boards with their names.

import { h, s } from "./dom.js";
import { boxOf, drawItem, drawPanel } from "./draw.js";
import { choiceName } from "./i18n.js";

/** Pixels of a unit of a piece. */
const PIECE = 30;

/**
 * @param {string} name of the group @param {string} label @param {string[]} values @param {string} chosen
 * @param {{[value: string]: import("./draw.js").Panel}} pictures @param {(value: string) => void} choose
 * @param {{[value: string]: string}} [words] what values are called that are none of the game's
 */
export function tiles(name, label, values, chosen, pictures, choose, words = {}) {
  return h("div", { class: "tiles", role: "radiogroup", "aria-label": label, id: name }, ...values.map((value) =>
    h("label", { class: "tile" },
      h("input", { type: "radio", name, value, checked: value === chosen, "data-key": `${name}/${value}`, change: () => choose(value) }),
      pictures[value] ? drawPanel(pictures[value]) : h("span", { class: "blank", "aria-hidden": "true" }, "✎"),
      h("span", {}, words[value] ?? choiceName(value)))));
}

/** The pieces that a choice brings to a seat, side by side. @param {import("./draw.js").Panel} panel @param {number} seat */
export function pieces(panel, seat) {
  const items = panel.layers.flatMap((layer) => layer.items);
  // They are named as the first seat's.
  const own = JSON.parse(JSON.stringify(items).replaceAll("\"seat0\"", `"seat${seat}"`));
  return h("span", { class: "pieces", "aria-hidden": "true" }, ...own.map((/** @type {import("./draw.js").Item} */ item) => {
    const box = boxOf(item);
    return s("svg", { viewBox: box.join(" "), width: box[2] * PIECE, height: box[3] * PIECE }, drawItem(item));
  }));
}
