// The fields of a form for a game's options, made from the options as the server describes them.

import { h, keepingFocus } from "./dom.js";
import { capital, choiceName, phrase, t } from "./i18n.js";
import { MapMaker } from "./mapmaker.js";
import { pieces, tiles } from "./tiles.js";

/**
 * @typedef {import("./words.js").Value} Value
 * @typedef {{name: string, kind: string, default: any, help: Value, label: Value, low: number | null, high: number | null,
 *   choices: string[], allowed: Value, file?: boolean, editor?: import("./mapmaker.js").Editor | null}} Option
 * @typedef {object} Field
 * @property {HTMLElement} element
 * @property {() => any} value
 * @property {(seats: number) => void} sit this many people will play
 * @property {(values: any[]) => void} limit of what can be listed, these values go together with the other choices
 */

/** What stands for a value that is none of the choices. */
const OWN = "*";
const DRAWN = "+";
/** A file that is longer is none that an option could mean. */
const LONGEST_FILE = 10_000;

/** @param {Option} option @param {HTMLElement[]} inputs @param {string} id of the first input */
const labelled = (option, inputs, id) =>
  h("div", { class: "field" }, h("label", { for: id }, capital(phrase(option.label))), h("div", { class: "inputs" }, ...inputs), h("small", {}, capital(phrase(option.help))));

/** @param {string} value @param {boolean} selected */
const choice = (value, selected) => h("option", { value, selected }, choiceName(value));

/**
 * @param {Option} option @param {() => void} changed
 * @param {{[value: string]: import("./draw.js").Panel}} [pictures] of its choices, where they look different
 * @returns {Field}
 */
export function fieldOf(option, changed, pictures) {
  const made = unlimited(option, changed, pictures);
  return { ...made, limit: (values) => limit(made.element, option, values) };
}

/** Offer only what goes together with the other choices; nothing, where that is one value. @param {HTMLElement} field @param {Option} option @param {any[]} values */
function limit(field, option, values) {
  if (option.kind === "list") return;
  field.hidden = values.length < 2;
  for (const value of option.kind === "int" ? numbersOf(option) : option.choices) {
    const input = field.querySelector(`[value="${CSS.escape(value)}"]`);
    input?.toggleAttribute("disabled", !values.map(String).includes(value));
  }
}

/** @param {Option} option @returns {string[]} */
const numbersOf = ({ low, high }) => Array.from({ length: (high ?? 0) - (low ?? 0) + 1 }, (_, i) => String(i + (low ?? 0)));

/**
 * @param {Option} option @param {() => void} changed @param {{[value: string]: import("./draw.js").Panel}} [pictures]
 * @returns {Omit<Field, "limit">}
 */
function unlimited(option, changed, pictures) {
  const id = `option-${option.name}`;
  if (option.kind === "bool") {
    const box = h("input", { id, type: "checkbox", checked: option.default, change: changed });
    return { element: labelled(option, [box], id), value: () => box.checked, sit: () => {} };
  }
  if (option.kind === "list") return bySeat(option, id, changed, pictures ?? {});
  if (option.kind === "text") return withOwn(option, id, changed, pictures ?? {});
  const values = option.kind === "int" ? numbersOf(option) : option.choices;
  let chosen = String(option.default);
  const choose = (/** @type {string} */ value) => {
    chosen = value;
    changed();
  };
  const input = pictures ? tiles(id, phrase(option.label), values, chosen, pictures, choose)
    : h("select", { id, change: (event) => choose(event.target.value) }, ...values.map((value) => choice(value, value === chosen)));
  return { element: labelled(option, [input], id), value: () => (option.kind === "int" ? Number(chosen) : chosen), sit: () => {} };
}

/**
 * A choice for each seat, no two alike.
 * @param {Option} option @param {string} id @param {() => void} changed @param {{[value: string]: import("./draw.js").Panel}} pictures
 * @returns {Omit<Field, "limit">}
 */
function bySeat(option, id, changed, pictures) {
  /** @type {string[]} */
  let chosen = [];
  const row = h("div", { class: "inputs" });
  const draw = () => keepingFocus(() => row.replaceChildren(...chosen.map((now, seat) => h("div", { class: "by-seat" }, h("span", { class: `swatch r-seat${seat}`, "aria-hidden": "true" }), h("select", {
    id: seat ? null : id, "aria-label": t("seat", { n: seat + 1 }), "data-key": `${id}/${seat}`,
    change: (event) => {
      // Whoever had it takes what this seat had.
      const other = chosen.indexOf(event.target.value);
      if (other >= 0) chosen[other] = chosen[seat];
      chosen[seat] = event.target.value;
      draw();
      changed();
    },
  }, ...option.choices.map((value) => choice(value, value === now))), pictures[now] ? pieces(pictures[now], seat) : ""))));
  return {
    element: labelled(option, [row], id),
    value: () => (chosen.some((one, seat) => one !== option.choices[seat]) ? chosen : option.default),
    sit: (seats) => {
      const free = option.choices.filter((one) => !chosen.slice(0, seats).includes(one));
      const more = Math.max(0, seats - chosen.length);
      chosen = [...chosen.slice(0, seats), ...free.slice(0, more)];
      draw();
    },
  };
}

/**
 * One of the choices, or something of one's own: written, drawn, or out of a file.
 * @param {Option} option @param {string} id @param {() => void} changed @param {{[value: string]: import("./draw.js").Panel}} pictures
 * @returns {Omit<Field, "limit">}
 */
function withOwn(option, id, changed, pictures) {
  let [chosen, read] = [String(option.default), ""];
  const input = h("input", { id: `${id}-own`, "aria-label": t("ownValue"), change: changed, autocomplete: "off" });
  const file = h("input", {
    type: "file", "aria-label": t("ownFile"), change: async () => {
      const text = await file.files?.[0]?.slice(0, LONGEST_FILE).text();
      // A text of one line would be taken for a value that is written.
      if (text !== undefined) read = `${text}\n`;
      changed();
    },
  });
  const maker = option.editor ? new MapMaker(option.editor, changed) : null;
  const own = /** @type {{[value: string]: {words: string, element: HTMLElement, text: () => string}}} */ (option.file
    ? { ...(maker && { [DRAWN]: { words: t("ownDrawn"), element: maker.element, text: () => maker.text() } }), [OWN]: { words: t("ownFile"), element: file, text: () => read } }
    : { [OWN]: { words: t("ownValue"), element: input, text: () => input.value.trim() } });
  const show = () => {
    for (const [value, { element }] of Object.entries(own)) element.hidden = value !== chosen;
  };
  const choose = (/** @type {string} */ value) => {
    // Whoever draws begins with the map that was chosen.
    if (value === DRAWN && maker && !maker.rows.length) maker.load(option.editor?.texts[chosen] ?? Object.values(option.editor?.texts ?? {})[0] ?? "");
    chosen = value;
    show();
    if (!(value in own) || own[value].text()) changed();
  };
  const words = Object.fromEntries(Object.entries(own).map(([value, one]) => [value, one.words]));
  const all = tiles(id, phrase(option.label), [...option.choices, ...Object.keys(own)], chosen, pictures, choose, words);
  show();
  return {
    element: labelled(option, [all, ...Object.values(own).map(({ element }) => element)], id),
    value: () => (chosen in own ? own[chosen].text() : chosen) || option.default,
    sit: () => {},
  };
}
