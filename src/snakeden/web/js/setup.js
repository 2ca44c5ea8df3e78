// A new game with all choices: a form made from the options as the server describes them, and who sits where.

import { get, post } from "./api.js";
import { h, keepingFocus } from "./dom.js";
import { agentName, choiceName, phrase, t } from "./i18n.js";
import { pref, setPref } from "./prefs.js";

/**
 * @typedef {import("./words.js").Value} Value
 * @typedef {{name: string, kind: string, default: any, help: Value, label: Value, low: number | null, high: number | null,
 *   choices: string[], allowed: Value}} Option
 * @typedef {{kind: string, name: string, agent: string}} Seat
 */

/** @param {Option} option @param {() => void} changed @returns {[HTMLElement, () => any]} the field, and what it says */
function field(option, changed) {
  const id = `option-${option.name}`;
  const label = (/** @type {HTMLElement} */ input) =>
    h("div", { class: "field" }, h("label", { for: id }, phrase(option.label)), input, h("small", {}, phrase(option.help)));
  if (option.kind === "bool") {
    const box = h("input", { id, type: "checkbox", checked: option.default, change: changed });
    return [label(box), () => box.checked];
  }
  if (option.kind === "int" || option.kind === "choice") {
    const numbers = Array.from({ length: (option.high ?? 0) - (option.low ?? 0) + 1 }, (_, i) => i + (option.low ?? 0));
    const values = option.kind === "int" ? numbers : option.choices;
    const select = h("select", { id, change: changed },
      ...values.map((value) => h("option", { value, selected: value === option.default }, choiceName(String(value)))));
    return [label(select), () => (option.kind === "int" ? Number(select.value) : select.value)];
  }
  const list = h("datalist", { id: `${id}-list` }, ...option.choices.map((value) => h("option", { value })));
  const input = h("input", {
    id, list: `${id}-list`, change: changed, placeholder: t("defaultChoice"), title: phrase(option.allowed), autocomplete: "off",
    value: option.kind === "text" ? option.default : "",
  });
  const said = () => {
    const words = input.value.split(/[\s,]+/).filter(Boolean);
    if (option.kind === "list") return words.length ? words : option.default;
    return input.value.trim() || option.default;
  };
  const whole = label(input);
  whole.append(list);
  return [whole, said];
}

/** @param {string} id @returns {Promise<import("./main.js").Page>} */
export async function setupPage(id) {
  const { games, agents } = await get("api/catalogue");
  const game = games.find((/** @type {any} */ one) => one.id === id);
  if (!game) throw new Error(t("notFound"));
  /** @type {Seat[]} */
  let seats = [];
  const problem = h("p", { class: "alert", role: "alert" });
  const table = h("fieldset", { class: "seats-form" });
  const hints = h("input", { type: "checkbox", id: "hints", checked: true });
  const start = h("button", { class: "main" }, t("start"));

  const options = () => {
    const found = /** @type {{[name: string]: any}} */ ({});
    fields.forEach(([, value], i) => {
      const option = game.options[i];
      if (JSON.stringify(value()) !== JSON.stringify(option.default)) found[option.name] = value();
    });
    return found;
  };
  const kinds = /** @type {[string, string][]} */ ([
    ["me", t("seatMe")], ["engine", t("seatEngine")], ["link", t("seatLink")], ["here", t("seatHere")], ["open", t("seatOpen")],
  ]);
  const drawSeats = () => {
    const rows = seats.map((seat, i) => {
      const set = (/** @type {keyof Seat} */ what) => (/** @type {any} */ event) => {
        seat[what] = event.target.value;
        if (what === "kind") drawSeats();
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
    keepingFocus(() => table.replaceChildren(h("legend", {}, t("players")), ...rows));
  };
  let [asked, making, possible, refused] = [0, false, false, ""];
  const tell = () => {
    problem.textContent = refused;
    start.disabled = !possible;
  };
  const check = async () => {
    const turn = ++asked;
    const [answer, trouble] = await post("api/options", { game: id, options: options() }).then((told) => [told, ""], (error) => [null, error.message]);
    // An answer that was overtaken is about other choices.
    if (turn !== asked) return;
    [possible, refused] = [answer !== null, trouble];
    if (answer) {
      while (seats.length < answer.seats) {
        seats.push({ kind: seats.length ? "engine" : "me", name: seats.length ? "" : pref("name"), agent: "level:2" });
      }
      seats = seats.slice(0, answer.seats);
      drawSeats();
    }
    if (!making) tell();
  };
  let checking = Promise.resolve();
  const changed = () => { checking = check(); };
  /** @type {[HTMLElement, () => any][]} */
  const fields = game.options.map((/** @type {Option} */ option) => field(option, changed));
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
      making = false;
      tell();
      return;
    }
    const mine = seats.find((seat) => seat.kind === "me");
    if (mine) setPref("name", mine.name);
    try {
      const made = await post("api/games", {
        game: id, options: options(), hints: hints.checked,
        seats: seats.map(({ kind, name, agent }) => (kind === "engine" ? { kind, agent } : { kind, name: ["me", "here"].includes(kind) ? name : "" })),
      });
      setPref(`invitations.${made.id}`, JSON.stringify(made.invitations));
      if (start.isConnected) location.hash = made.path.replace(/^\/#/, "");
    } catch (error) {
      making = false;
      problem.textContent = t("gone", { reason: error instanceof Error ? error.message : "" });
      start.disabled = !possible;
    }
  };
  start.disabled = true;
  problem.textContent = t("preparing");
  changed();
  const element = h("form", { class: "sheet-form", submit: make },
    h("h1", {}, game.name),
    h("p", {}, phrase(game.blurb)),
    table,
    h("fieldset", {}, h("legend", {}, t("options")), ...fields.map(([whole]) => whole),
      h("div", { class: "field" }, h("label", { for: "hints" }, t("hints")), hints)),
    problem,
    h("div", { class: "tools" }, start, h("a", { class: "button", href: "#/" }, t("back"))),
    h("p", { class: "credits" }, `${t("credits")}: ${phrase(game.credits)}`));
  return { element, title: game.name };
}
