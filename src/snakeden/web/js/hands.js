// What lies beside the boards: hands of pieces, dice, and sheets that are filled in.

import { h, s } from "./dom.js";
import { boxOf, drawItem, drawPanel, named } from "./draw.js";
import { capital, phrase } from "./i18n.js";

/**
 * @typedef {import("./draw.js").Scene} Scene
 * @typedef {import("./draw.js").Panel} Panel
 * @typedef {import("./draw.js").Item} Item
 * @typedef {object} Grip
 * @property {(id: string) => boolean} isReady whether something can be taken or chosen now
 * @property {(id: string) => void} take
 * @property {(event: PointerEvent, id: string) => void} drag
 */

/** How wide a hex of a tile and how high a card or a die is in hand, in pixels. */
const HEX = 21;
const HIGH = 64;

/**
 * The panels of a kind: what can be used first, then what belongs to who plays here.
 * @param {Scene} scene @param {Panel["kind"]} kind @param {Grip} grip @param {Set<string>} own the roles of who plays here
 */
export function panelsOf(scene, kind, grip, own) {
  const near = (/** @type {Panel} */ panel) => 2 * Number(isActive(panel, grip)) + Number(own.has(panel.role ?? ""));
  return scene.panels.filter((panel) => panel.kind === kind).sort((a, b) => near(b) - near(a));
}

/** @param {Panel} panel @param {Grip} grip */
const isActive = (panel, grip) => [...named(panel).keys()].some(grip.isReady);

/** The hands or the dice of a scene. @param {Scene} scene @param {"hand" | "dice"} kind @param {Grip} grip @param {Set<string>} own */
export function handsOf(scene, kind, grip, own) {
  return panelsOf(scene, kind, grip, own).map((panel) => {
    const section = row(panel, grip);
    section.classList.toggle("own", kind === "dice" || isActive(panel, grip) || own.has(panel.role ?? ""));
    return section;
  });
}

/** A hand or the dice: a row of things to take. @param {Panel} panel @param {Grip} grip */
function row(panel, grip) {
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
    const thing = grip.isReady(id) ? h("button", {
      type: "button", class: look, "aria-label": title, title, "data-key": id, "data-piece": id, "aria-pressed": "false",
      click: () => grip.take(id), pointerdown: (event) => grip.drag(event, id),
    }, svg) : h("span", { class: look, role: "img", "aria-label": title }, svg);
    thing.style.setProperty("--wide", `${Math.round(box[2] * scale)}px`);
    return thing;
  });
  const [head] = panel.lines ?? [];
  return h("section", { class: `hand ${panel.kind} r-${panel.role ?? "panel"}` },
    h("h2", {}, h("span", { class: "swatch", "aria-hidden": "true" }), capital(phrase(head ?? panel.title ?? ""))),
    h("div", { class: "things" }, ...things));
}

/** @param {Panel} panel @param {Grip} grip */
export function sheet(panel, grip) {
  const svg = drawPanel(panel);
  svg.removeAttribute("aria-hidden");
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", (panel.lines ?? []).map(phrase).join(". "));
  for (const [id, item] of named(panel)) {
    const group = /** @type {SVGGElement | null} */ (svg.querySelector(`[data-id="${CSS.escape(id)}"]`));
    if (!group || item.kind !== "piece" || !grip.isReady(id)) continue;
    const [x, y, width, height] = boxOf(item);
    group.prepend(s("rect", { x: x - 0.06, y, width: width + 0.12, height, rx: 0.1, class: "touch" }));
    for (const [name, value] of Object.entries({ role: "button", tabindex: "0", "aria-pressed": "false", "aria-label": phrase(item.title ?? id) })) {
      group.setAttribute(name, value);
    }
    group.dataset.piece = group.dataset.key = id;
    group.classList.add("choosable");
    group.addEventListener("click", () => grip.take(id));
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        grip.take(id);
      }
    });
  }
  return h("section", { class: "hand sheet", "data-panel": panel.id }, svg);
}

/**
 * Mark what a sheet says that it did not say before, entry by entry from the top.
 * @param {Element} drawn the sheet as it is shown @param {Panel} panel @param {Panel | undefined} before
 */
export function markNews(drawn, panel, before) {
  let count = 0;
  const compare = (/** @type {Item[]} */ items, /** @type {Item[]} */ old, /** @type {Element[]} */ groups) => {
    if (items.length !== old.length) return;
    items.forEach((item, i) => {
      if (JSON.stringify(item) === JSON.stringify(old[i])) return;
      if (item.items && old[i].items) compare(item.items, old[i].items, childGroups(groups[i]));
      else if (groups[i]) {
        groups[i].classList.add("news");
        /** @type {SVGElement} */ (groups[i]).style.setProperty("--nth", String(count++));
      }
    });
  };
  const layers = childGroups(drawn.querySelector("svg"));
  panel.layers.forEach((layer, i) => compare(layer.items, before?.layers[i]?.items ?? [], childGroups(layers[i])));
}

/** @param {Element | null | undefined} parent */
const childGroups = (parent) => [...(parent?.children ?? [])].filter((child) => child.localName === "g");

/** Pixels for one unit of a row of pieces. @param {Item[]} pieces */
function scaleOf(pieces) {
  const cells = pieces.map((piece) => (piece.items ?? []).filter((item) => item.kind === "cell"));
  if (cells.some((found) => found.length > 1)) return HEX / (cells.flat()[0].size ?? 1);
  return HIGH / Math.max(0.1, ...pieces.slice(0, 1).map((piece) => boxOf(piece)[3]));
}

/** Dice that look alike are alike: what each thing of a scene counts as. @param {Scene} scene @returns {Map<string, string>} */
export function kindsOf(scene) {
  const found = new Map();
  for (const panel of scene.panels) {
    if (panel.kind !== "dice") continue;
    for (const [id, item] of named(panel)) found.set(id, `${panel.id} ${item.text} ${item.title}`);
  }
  return found;
}
