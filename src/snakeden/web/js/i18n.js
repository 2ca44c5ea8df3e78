// The page's words in the visitor's language, what the server says in it, and what players are called in it.

import { pref } from "./prefs.js";
import cs from "./texts/cs.js";
import de from "./texts/de.js";
import en from "./texts/en.js";
import { Phrasebook } from "./texts/phrases.js";
import saidCs from "./texts/said-cs.js";
import saidDe from "./texts/said-de.js";
import saidEn from "./texts/said-en.js";

/**
 * @typedef {keyof typeof en.words} Key
 * @typedef {{name: string, words: {[key in Key]: string}, said: import("./texts/phrases.js").Sentences}} Texts
 * @typedef {"en" | "cs" | "de"} Language
 */

/** @type {{[language in Language]: Texts}} */
export const LANGUAGES = { en: { ...en, said: saidEn }, cs: { ...cs, said: saidCs }, de: { ...de, said: saidDe } };

/** @type {string[]} who sits at the table that is shown */
let company = [];

/** @type {{[language: string]: Phrasebook}} */
const books = {};

/** @returns {Language} */
export function language() {
  for (const wanted of [pref("language"), ...navigator.languages]) {
    const short = wanted.slice(0, 2).toLowerCase();
    if (short in LANGUAGES) return /** @type {Language} */ (short);
  }
  return "en";
}

/** @param {string} text @param {{[gap: string]: string | number}} gaps */
const filled = (text, gaps) => text.replace(/\{(\w+)\}/g, (_, gap) => String(gaps[gap] ?? ""));

/**
 * A text with its gaps filled in: "{name} is to move".
 * @param {Key} key @param {{[gap: string]: string | number}} [gaps]
 */
export function t(key, gaps = {}) {
  return filled(LANGUAGES[language()].words[key], gaps);
}

/**
 * What the server said in English, in the visitor's language; null where the language has no such sentence.
 * @param {string} said @returns {string | null}
 */
export function translated(said) {
  const now = language();
  books[now] ??= new Phrasebook(now, LANGUAGES[now].said, {
    seat: (number) => company[number] === undefined ? t("seat", { n: number + 1 }) : called(company[number]),
    name: called,
  });
  return books[now].find(said);
}

/** What the server said, in the visitor's language where the sentence is known. @param {string} said */
export const phrase = (said) => translated(said) ?? said;

/** Who sits at the table: what the server calls seat 1 has a name then. @param {string[]} names by seat */
export function sitting(names) {
  company = names;
  for (const book of Object.values(books)) book.forget();
}

// ---- what players are called

/** @param {Language} now @param {string} agent */
function agentIn(now, agent) {
  const { words } = LANGUAGES[now];
  const level = /^level:(\d)$/.exec(agent);
  if (level) return filled(words.level, { n: level[1] });
  return agent === "random" ? words.agentRandom : agent === "greedy" ? words.agentGreedy : agent;
}

/** @param {Language} now @param {string} agent */
const engineIn = (now, agent) => `${LANGUAGES[now].words.seatEngine} (${agentIn(now, agent)})`;

/** @param {string} agent */
export const agentName = (agent) => agentIn(language(), agent);

/** How an engine is called at the table. @param {string} agent */
export const engineName = (agent) => engineIn(language(), agent);

const AGENTS = ["random", "greedy", ...Array.from({ length: 9 }, (_, i) => `level:${i + 1}`)];

/**
 * A player's name, as it is; but names that this page or the server gave are told in the visitor's language, whatever
 * language they were given in.
 * @param {string} name
 */
export function called(name) {
  const number = /^Player (\d+)$/.exec(name);
  if (number) return t("player", { n: number[1] });
  for (const one of /** @type {Language[]} */ (Object.keys(LANGUAGES))) {
    if (name === LANGUAGES[one].words.me) return t("me");
    const agent = AGENTS.find((known) => name === engineIn(one, known));
    if (agent) return engineName(agent);
  }
  return name;
}
