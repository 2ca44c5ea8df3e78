// A new game with all choices: a form made from the options as the server describes them, and who sits where.

import { get, nowhere, post } from "./api.js";
import { h, keepingFocus } from "./dom.js";
import { drawPanel } from "./draw.js";
import { fieldOf } from "./fields.js";
import { agentName, capital, load, phrase, t } from "./i18n.js";
import { pref, setPref } from "./prefs.js";
import { boardAddress } from "./study.js";
import { online } from "./transport.js";

/** @typedef {{kind: string, name: string, agent: string}} Seat */

/** Who begins, drawn by lot. */
const LOT = "lot";

/** What an address ends with that asks for a game among people. */
export const FRIENDS = "friends";

/** @param {string} id @param {boolean} [among] whether friends are to play, and no engine @returns {Promise<import("./main.js").Page>} */
export async function setupPage(id, among = false) {
  const [{ games, agents }, pictures] = await Promise.all([
    get("api/catalogue"), load(`choices/${encodeURIComponent(id)}.json`).catch(() => ({}))]);
  const game = games.find((/** @type {any} */ one) => one.id === id);
  if (!game) throw nowhere();
  /** @type {Seat[]} */
  let seats = [];
  const others = !among ? "engine" : online ? "link" : "here";
  const problem = h("p", { class: "alert", role: "alert" });
  const table = h("fieldset", { class: "seats-form" });
  let [hintsChosen, begins] = [false, "0"];
  const hints = h("input", { type: "checkbox", id: "hints", checked: true, change: () => { hintsChosen = true; } });
  const sample = h("div", { class: "sample", "aria-hidden": "true" });
  const start = h("button", { class: "main" }, t("start"));

  const options = () => {
    const found = /** @type {{[name: string]: any}} */ ({});
    fields.forEach(({ value }, i) => {
      const option = game.options[i];
      if (JSON.stringify(value()) !== JSON.stringify(option.default)) found[option.name] = value();
    });
    return found;
  };
  const kinds = /** @type {[string, string][]} */ ([
    ["me", t("seatMe")], ["engine", t("seatEngine")], ...(online ? [["link", t("seatLink")]] : []), ["here", t("seatHere")], ...(online ? [["open", t("seatOpen")]] : []),
  ]);
  const drawSeats = () => {
    const rows = seats.map((seat, i) => {
      const set = (/** @type {keyof Seat} */ what) => (/** @type {any} */ event) => {
        seat[what] = event.target.value;
        if (what === "kind") drawSeats();
        else {
          drawBegins();
          drawHighest();
        }
      };
      const n = i + 1;
      return h("div", { class: "field seat-row" },
        h("span", { class: `swatch r-seat${i}`, "aria-hidden": "true" }),
        h("select", { "aria-label": t("seat", { n }), name: `seat${i}`, "data-key": `seat/${i}`, change: set("kind") },
          ...kinds.map(([kind, words]) => h("option", { value: kind, selected: kind === seat.kind }, words))),
        seat.kind === "engine"
          ? h("select", { "aria-label": `${t("strength")} ${n}`, "data-key": `agent/${i}`, change: set("agent") },
            ...agents.map((/** @type {string} */ agent) => h("option", { value: agent, selected: agent === seat.agent }, agentName(agent))))
          : ["me", "here"].includes(seat.kind)
            ? h("input", { "aria-label": `${t("name")} ${n}`, value: seat.name, maxlength: 40, "data-key": `name/${i}`, input: set("name"), placeholder: t("name") })
            : "");
    });
    keepingFocus(() => table.replaceChildren(h("legend", {}, t("players")), ...rows, highest, who));
    drawBegins();
    drawHighest();
    // Between friends an engine helps only if all of them want it to.
    if (!hintsChosen) hints.checked = seats.every((seat) => ["me", "engine"].includes(seat.kind));
  };
  const highest = h("p", { class: "note", role: "status" });
  /** What there is to know of the highest level with the options chosen: it thinks long, and not everywhere in the same way. @type {any} */
  let aboutHighest = null;
  const drawHighest = () => {
    const chosen = seats.some(({ kind, agent }) => kind === "engine" && agent === agents.at(-1));
    highest.textContent = chosen && aboutHighest ? `${capital(phrase(aboutHighest))}.` : "";
  };
  const who = h("div", { class: "field" });
  const drawBegins = () => {
    who.hidden = seats.length < 2;
    if (begins !== LOT && Number(begins) >= seats.length) begins = "0";
    const names = seats.map(({ kind, name }, n) => (kind === "me" ? name || t("seatMe") : kind === "here" && name ? name : `${t("seat", { n: n + 1 })}: ${kinds.find(([one]) => one === kind)?.[1]}`));
    keepingFocus(() => who.replaceChildren(h("label", { for: "begins" }, t("begins")),
      h("select", { id: "begins", "data-key": "begins", change: (event) => { begins = event.target.value; } },
        h("option", { value: LOT, selected: begins === LOT }, t("byLot")),
        ...names.map((name, n) => h("option", { value: n, selected: begins === String(n) }, name)))));
  };
  let [asked, making, possible, refused] = [0, false, false, ""];
  // The button can always be pressed: a choice that was just put right is checked again then.
  const tell = () => { problem.textContent = refused; };
  const check = async () => {
    const turn = ++asked;
    const [answer, trouble] = await post("api/options", { game: id, options: options() }).then((told) => [told, ""], (error) => [null, error.message]);
    // An answer that was overtaken is about other choices.
    if (turn !== asked) return;
    [possible, refused] = [answer !== null, trouble];
    if (answer) {
      while (seats.length < answer.seats) {
        seats.push({ kind: seats.length ? others : "me", name: seats.length ? "" : pref("name"), agent: "level:2" });
      }
      seats = seats.slice(0, answer.seats);
      aboutHighest = answer.highest;
      fields.forEach((one, i) => {
        one.sit(answer.seats);
        one.limit(answer.possible[game.options[i].name]);
      });
      drawSeats();
      sample.replaceChildren(...answer.scene.panels.filter((/** @type {any} */ panel) => panel.kind === "board").slice(0, 1).map((/** @type {any} */ panel) => drawPanel(panel)));
    }
    if (!making) tell();
  };
  let checking = Promise.resolve();
  const changed = () => { checking = check(); };
  /** @type {import("./fields.js").Field[]} */
  const fields = game.options.map((/** @type {import("./fields.js").Option} */ option) => {
    const lonely = among && option.name === "players" && option.default === 1;
    return fieldOf(lonely ? { ...option, default: 2 } : option, changed, pictures[option.name]);
  });
  const make = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (making) return;
    making = start.disabled = true;
    problem.textContent = t("preparing");
    // Who sits where is known when the last choices are checked.
    for (let seen = 0; seen !== asked;) {
      seen = asked;
      await checking;
    }
    if (!possible) {
      making = start.disabled = false;
      tell();
      return;
    }
    const mine = seats.find((seat) => seat.kind === "me");
    if (mine) setPref("name", mine.name);
    try {
      const made = await post("api/games", {
        game: id, options: options(), hints: hints.checked, begins: begins === LOT ? LOT : Number(begins),
        seats: seats.map(({ kind, name, agent }) => (kind === "engine" ? { kind, agent } : { kind, name: ["me", "here"].includes(kind) ? name : "" })),
      });
      setPref(`invitations.${made.id}`, JSON.stringify(made.invitations));
      if (start.isConnected) location.hash = made.path.replace(/^\/#/, "");
    } catch (error) {
      making = false;
      problem.textContent = t("gone", { reason: error instanceof Error ? error.message : "" });
      start.disabled = false;
    }
  };
  problem.textContent = t("preparing");
  changed();
  const element = h("form", { class: "sheet-form setup", submit: make },
    h("div", { class: "about" }, h("h1", {}, game.name), h("p", {}, phrase(game.blurb)), sample),
    h("div", { class: "chosen-here" }, table,
      h("fieldset", {}, h("legend", {}, t("options")), ...fields.map((one) => one.element),
        h("div", { class: "field" }, h("label", { for: "hints" }, t("hints")), hints))),
    h("div", { class: "begin" }, problem,
      h("div", { class: "tools" }, start,
        h("button", { type: "button", "data-key": "setup/analyse", click: () => { location.hash = boardAddress(id, options()); } }, t("analysisBoard")))),
    h("p", { class: "credits" }, `${t("credits")}: ${phrase(game.credits)}`));
  return { element, title: game.name };
}
