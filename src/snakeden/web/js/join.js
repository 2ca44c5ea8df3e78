// Where a link to a game leads: say who you are and sit down.

import { get, post } from "./api.js";
import { h } from "./dom.js";
import { seatName, t } from "./i18n.js";
import { pref, setPref } from "./prefs.js";

/** @param {string} id @param {string} code @returns {Promise<import("./main.js").Page>} */
export async function joinPage(id, code) {
  const state = await get(`api/games/${encodeURIComponent(id)}`);
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
  const others = state.seats.flatMap((/** @type {any} */ seat, /** @type {number} */ n) => (seat.taken ? [seatName(seat, n)] : [])).join(", ");
  const element = h("form", { class: "sheet-form", submit: sit },
    h("h1", {}, `${t("invited")}: ${state.name}`),
    others && h("p", {}, others),
    h("label", {}, t("yourName"), name),
    problem,
    h("div", { class: "tools" },
      h("button", { class: "main" }, t("sitDown")),
      h("a", { class: "button", href: `#/game/${id}` }, t("watch"))));
  return { element, title: t("invited") };
}
