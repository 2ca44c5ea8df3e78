// The page's words in the visitor's language.

import { pref } from "./prefs.js";
import cs from "./texts/cs.js";
import de from "./texts/de.js";
import en from "./texts/en.js";

/** @typedef {keyof typeof en.words} Key */

export const LANGUAGES = { en, cs, de };

/** @typedef {keyof typeof LANGUAGES} Language */

/** @returns {Language} */
export function language() {
  for (const wanted of [pref("language"), ...navigator.languages]) {
    const short = wanted.slice(0, 2).toLowerCase();
    if (short in LANGUAGES) return /** @type {Language} */ (short);
  }
  return "en";
}

/**
 * A text with its gaps filled in: "{name} is to move".
 * @param {Key} key @param {{[gap: string]: string | number}} [gaps]
 */
export function t(key, gaps = {}) {
  return LANGUAGES[language()].words[key].replace(/\{(\w+)\}/g, (_, gap) => String(gaps[gap] ?? ""));
}

/**
 * What the server said in English, in the visitor's language where the phrase is known.
 * @param {string} said
 */
export function phrase(said) {
  const { phrases } = LANGUAGES[language()];
  for (const [pattern, instead] of phrases) {
    if (pattern.test(said)) return said.replace(pattern, instead);
  }
  return said;
}
