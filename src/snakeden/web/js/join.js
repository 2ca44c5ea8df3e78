// Where a link to a game leads: see what is played and with whom, say who you are, and sit down.

import { get, post } from "./api.js";
import { h } from "./dom.js";
import { drawPanel } from "./draw.js";
import { seatName, t } from "./i18n.js";
import { pref, setPref } from "./prefs.js";

/** @param {string} id @param {string} code @returns {Promise<import("./main.js").Page>} */
export async function joinPage(id, code) {
  const state = await get(`api/games/${encodeURIComponent(id)}`);
  const free = state.seats.some((/** @type {any} */ seat) => !seat.taken && seat.kind === (code ? "link" : "open"));
  const others = state.seats.flatMap((/** @type {any} */ seat, /** @type {number} */ n) => (seat.taken ? [seatName(seat, n)] : [])).join(", ");
  const boards = state.scene.panels.filter((/** @type {any} */ panel) => panel.kind === "board").slice(0, 1);
  const about = [
    h("div", { class: "sample", "aria-hidden": "true" }, ...boards.map((/** @type {any} */ panel) => drawPanel(panel))),
    others && h("p", {}, t("sittingThere", { names: others })),
    h("p", {}, t(state.hints ? "withHints" : "withoutHints")),
  ];
  const more = [
    h("a", { class: "button", href: `#/game/${id}` }, t(state.you.length ? "goOn" : "watch")),
    h("a", { class: "button", href: `#/rules/${state.game}`, target: "_blank" }, t("rules")),
  ];
  if (state.you.length || !free) {
    const words = t(state.you.length ? "sitsAlready" : code ? "linkUsed" : "noSeat");
    const element = h("div", { class: "sheet-form" }, h("h1", {}, state.name), h("p", { class: state.you.length ? "" : "alert", role: "status" }, words), ...about, h("div", { class: "tools" }, ...more));
    return { element, title: state.name };
  }
  const name = h("input", { name: "name", value: pref("name"), maxlength: 40, autocomplete: "nickname" });
  const problem = h("p", { class: "alert", role: "alert" });
  const sit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setPref("name", name.value);
    try {
      await post(`api/games/${id}/join`, { code: code || null, name: name.value });
      location.hash = `#/game/${id}`;
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : "";
    }
  };
  const element = h("form", { class: "sheet-form", submit: sit },
    h("h1", {}, `${t("invited")}: ${state.name}`),
    ...about,
    h("label", {}, t("yourName"), name),
    problem,
    h("div", { class: "tools" }, h("button", { class: "main" }, t("sitDown")), ...more));
  return { element, title: t("invited") };
}
