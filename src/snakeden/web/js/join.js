// Where a link to a game leads: see what is played and with whom, say who you are, and sit down.

import { catalogued, get, post } from "./api.js";
import { h } from "./dom.js";
import { drawPanel } from "./draw.js";
import { capital, phrase, seatName, sitting, t, valueName } from "./i18n.js";
import { pref, setPref } from "./prefs.js";

/** The seats that a link's code opens; none if it has been used or is too old. @param {string} id @param {string} code @returns {Promise<number[]>} */
const opened = async (id, code) => (await post(`api/games/${encodeURIComponent(id)}/link`, { code })).seats;

/** What is played otherwise than usually. @param {any} state @param {any} game as the catalogue has it @returns {HTMLElement[]} */
function optionsOf(state, game) {
  const own = (/** @type {any} */ { kind, choices }, /** @type {any} */ value) => kind === "text" && !choices.includes(value);
  return game.options.flatMap((/** @type {any} */ option) => {
    const value = state.options[option.name];
    // How many play is seen at the table.
    if (option.name === "players" || JSON.stringify(value) === JSON.stringify(option.default)) return [];
    return [h("li", {}, `${capital(phrase(option.label))}: ${own(option, value) ? t("ownValue") : [value].flat().map(valueName).join(", ")}`)];
  });
}

/** The game that a link leads to: what it is, how it stands, and who plays. @param {any} state @returns {Promise<(HTMLElement | string)[]>} */
async function aboutGame(state) {
  const game = await catalogued(state.game);
  const options = optionsOf(state, game);
  sitting(state.seats, state.you);
  const others = state.seats.flatMap((/** @type {any} */ seat, /** @type {number} */ n) => (seat.taken ? [seatName(seat, n)] : [])).join(", ");
  const boards = state.scene.panels.filter((/** @type {any} */ panel) => panel.kind === "board").slice(0, 1);
  return [
    h("p", {}, phrase(game.blurb)),
    h("div", { class: "sample", "aria-hidden": "true" }, ...boards.map((/** @type {any} */ panel) => drawPanel(panel))),
    others && h("p", {}, t("sittingThere", { names: others })),
    options.length ? h("ul", { class: "unusual" }, ...options) : "",
    h("p", {}, t(state.hints ? "withHints" : "withoutHints")),
  ];
}

/** What can be done here whether or not there is a seat. @param {any} state */
const anyway = (state) => [
  h("a", { class: `button ${state.you.length ? "main" : ""}`, href: `#/game/${state.id}` }, t(state.you.length ? "goOn" : "watch")),
  h("a", { class: "button", href: `#/rules/${state.game}`, target: "_blank" }, t("rules")),
];

/** There is no seat to be had, and why. @param {any} state @param {string} words @returns {Promise<import("./main.js").Page>} */
async function noSeat(state, words) {
  const told = h("p", { class: state.you.length ? "" : "alert", role: "status" }, state.you.length ? t("sitsAlready") : words);
  const element = h("div", { class: "sheet-form" }, h("h1", {}, state.name), told, ...await aboutGame(state), h("div", { class: "tools" }, ...anyway(state)));
  return { element, title: state.name };
}

/**
 * A page on which somebody sits down.
 * @param {any} state @param {string} title @param {(HTMLElement | string)[]} words @param {string} action what the button says
 * @param {() => Promise<any>} sit @returns {Promise<import("./main.js").Page>}
 */
async function seatPage(state, title, words, action, sit) {
  const problem = h("p", { class: "alert", role: "alert" });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      await sit();
      location.hash = `#/game/${state.id}`;
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : "";
    }
  };
  const element = h("form", { class: "sheet-form", submit }, h("h1", {}, title), ...await aboutGame(state), ...words, problem,
    h("div", { class: "tools" }, h("button", { class: "main", "data-do": "sit" }, action), ...anyway(state)));
  return { element, title };
}

/** Where an invitation leads, or the list of open games. @param {string} id @param {string} code @returns {Promise<import("./main.js").Page>} */
export async function joinPage(id, code) {
  const [state, seats] = await Promise.all([get(`api/games/${encodeURIComponent(id)}`), code ? opened(id, code) : []]);
  const free = code ? seats.length : state.seats.some((/** @type {any} */ seat) => !seat.taken && seat.kind === "open");
  if (state.you.length || !free) return noSeat(state, t(code ? "linkUsed" : "noSeat"));
  const name = h("input", { name: "name", value: pref("name"), maxlength: 40, autocomplete: "nickname" });
  return seatPage(state, `${t("invited")}: ${state.name}`, [h("label", {}, t("yourName"), name)], t("sitDown"), () => {
    setPref("name", name.value);
    return post(`api/games/${encodeURIComponent(id)}/join`, { code: code || null, name: name.value });
  });
}

/** Where the link for another device leads: one's seat is taken only when that is wanted. @param {string} id @param {string} code @returns {Promise<import("./main.js").Page>} */
export async function takePage(id, code) {
  const path = `api/games/${encodeURIComponent(id)}`;
  const [state, seats] = await Promise.all([get(path), opened(id, code)]);
  if (seats.every((seat) => state.you.includes(seat))) return noSeat(state, t("handoverUsed"));
  return seatPage(state, state.name, [h("p", {}, t("takeHere"))], t("goOnHere"), () => post(`${path}/takeover`, { code }));
}
