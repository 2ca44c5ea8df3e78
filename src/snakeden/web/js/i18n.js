// The visitor's language: the page's own words, the messages of the server, and what players are called.

import { pref } from "./prefs.js";
import { Words } from "./words.js";

/**
 * @typedef {import("./words.js").Value} Value
 * @typedef {{name: string, agent: string | null, kind: string, [more: string]: any}} Seat
 */

/** A hyphen that stands for a minus sign. */
const MINUS = /(?<![\w)])-(?=\d)/g;
/** @type {{[language: string]: string}} every language by its code, named in itself */
let known = { en: "English" };
/** @type {Words} */
let words;
/** @type {Seat[]} who sits at the table that is shown */
let company = [];
/** @type {number[]} the visitor's own seats there */
let own = [];

/** A file of the page. @param {string} path @returns {Promise<any>} */
export async function load(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

/** Get the catalogue of the visitor's language; nothing can be said before. */
export async function loadWords() {
  const inEnglish = load("words/en.json");
  known = await load("words/languages.json");
  const [english, native] = await Promise.all([inEnglish, language() === "en" ? inEnglish : load(`words/${language()}.json`)]);
  words = new Words(language(), native, english, (seat) => seatName(company[seat] ?? { name: "" }, seat));
}

export const languages = () => known;

export function language() {
  for (const wanted of [pref("language"), ...navigator.languages]) {
    const short = wanted.slice(0, 2).toLowerCase();
    if (short in known) return short;
  }
  return "en";
}

/**
 * A text of the page with its gaps filled in: "{name} is to move".
 * @param {string} key @param {{[gap: string]: Value}} [gaps]
 */
export const t = (key, gaps = {}) => words.fill({ key: `page.${key}`, ...gaps });

/** What the server said: a message, a player, or a text that is the same in every language. @param {Value} said */
export const phrase = (said) => words.word(said).replace(MINUS, "−");

/** Words that begin a line. @param {string} words */
export const capital = (words) => words.charAt(0).toLocaleUpperCase() + words.slice(1);

/** Who sits at the table: messages speak of them by seat. @param {Seat[]} seats @param {number[]} you */
export function sitting(seats, you) {
  company = seats;
  own = you;
}

/** What a form calls a choice of an option. @param {string} value */
export const choiceName = (value) => words.has(`option.choice.${value}`) ? words.fill({ key: `option.choice.${value}` }) : value;

/** What an option can be set to, in words. @param {any} value */
export const valueName = (value) => (typeof value === "boolean" ? t(value ? "yes" : "no") : choiceName(String(value)));

/** @param {string} agent */
export function agentName(agent) {
  const [kind, level] = agent.split(":");
  if (kind === "level") return t("level", { n: Number(level) });
  return kind === "random" ? t("agentRandom") : kind === "greedy" ? t("agentGreedy") : agent;
}

/**
 * How an engine is called at the table: by its seat, where there are several.
 * @param {Seat | {agent?: string | null}} seat @param {number} number @param {"seatEngine" | "engine"} [alone] what a single one is called
 */
export const engineName = (seat, number, alone = "seatEngine") =>
  (company.filter((other) => other.agent && !other.name).length > 1 && company[number] === seat ? t("engineNumbered", { n: number + 1 }) : t(alone));

/** A date and a time as they are written where the visitor is, if that is where the page's language is spoken. @param {Date} date */
export function moment(date) {
  const place = navigator.languages.find((one) => one.split("-")[0] === language());
  return date.toLocaleString(place ?? language(), { dateStyle: "medium", timeStyle: "short" });
}

/** What to call whoever sits there: by the name they gave, if they gave one. @param {{name: string, agent?: string | null}} seat @param {number} number */
export function seatName(seat, number) {
  if (seat.name) return seat.name;
  if (seat.agent) return engineName(seat, number);
  // Where several play at one screen, "you" may be any of them.
  const alone = own.length === 1 && own[0] === number && company[number] === seat;
  return alone ? t("me") : t("player", { n: number + 1 });
}
