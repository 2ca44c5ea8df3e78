// Choices as pictures: one of several small boards with their names.

import { h } from "./dom.js";
import { drawPanel } from "./draw.js";
import { choiceName } from "./i18n.js";

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
