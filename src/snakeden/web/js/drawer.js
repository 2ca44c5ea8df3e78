// Sheets of players: beside the board where there is room, in a drawer at the lower edge of a phone.

import { h } from "./dom.js";
import { capital, phrase, t } from "./i18n.js";
import { icon } from "./icons.js";

/** A finger that moves this many pixels up or down opens or closes the drawer. */
const SWIPE = 24;

export class Drawer {
  constructor() {
    /** Of several sheets, the one that a phone shows. */
    this.chosen = "";
    this.tabs = h("div", { class: "tabs" });
    this.sheets = h("div", { class: "sheet-list" });
    this.handle = h("button", { type: "button", class: "handle", "data-key": "drawer", "aria-expanded": "false", click: () => this.toggle() });
    this.element = h("section", { class: "drawer surface", hidden: true, "aria-label": t("sheets") }, this.handle, this.tabs, this.sheets);
    this.handle.addEventListener("pointerdown", (event) => this.swipe(event));
    this.swiped = false;
  }

  /** @param {boolean} [open] */
  toggle(open = !this.element.classList.contains("open")) {
    // The click that ends a swipe does not undo it.
    if (this.swiped) {
      this.swiped = false;
      return;
    }
    this.element.classList.toggle("open", open);
    this.handle.setAttribute("aria-expanded", String(open));
  }

  /** @param {PointerEvent} event */
  swipe(event) {
    const from = event.clientY;
    this.swiped = false;
    const move = (/** @type {PointerEvent} */ at) => {
      if (this.swiped || Math.abs(at.clientY - from) < SWIPE) return;
      this.toggle(at.clientY < from);
      this.swiped = true;
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

  /** @param {HTMLElement[]} sheets @param {import("./draw.js").Panel[]} panels the same, as the scene describes them */
  show(sheets, panels) {
    this.element.hidden = !sheets.length;
    if (!panels.some((panel) => panel.id === this.chosen)) this.chosen = panels[0]?.id ?? "";
    this.sheets.replaceChildren(...sheets);
    this.handle.replaceChildren(h("span", {}, capital(phrase(panels[0]?.lines?.[0] ?? t("sheets")))), icon("chevron"));
    this.tabs.replaceChildren(...(panels.length > 1 ? panels.map((panel) => h("button", {
      type: "button", "data-key": `tab/${panel.id}`, "aria-pressed": String(panel.id === this.chosen), click: () => this.choose(panel.id),
    }, h("span", { class: `swatch r-${panel.role ?? "ink"}`, "aria-hidden": "true" }), capital(phrase(panel.title ?? panel.lines?.[0] ?? panel.id)))) : []));
    this.choose(this.chosen);
  }

  /** @param {string} id */
  choose(id) {
    this.chosen = id;
    for (const sheet of this.sheets.children) sheet.classList.toggle("shown", sheet.getAttribute("data-panel") === id);
    for (const tab of this.tabs.children) tab.setAttribute("aria-pressed", String(tab.getAttribute("data-key") === `tab/${id}`));
  }

  /** @param {string} id @returns {Element | null} the sheet of a panel */
  find(id) {
    return this.sheets.querySelector(`[data-panel="${CSS.escape(id)}"]`);
  }
}
