// Messages in the visitor's language: a message is {key, …what fills its gaps}, and the catalogue of a language has a template
// for every key. The server words the same messages from the same files; `snakeden/words/__init__.py` describes templates.

/**
 * @typedef {{player: number}} Player
 * @typedef {{key: string, [gap: string]: any}} Message
 * @typedef {string | number | Message | Player | any[]} Value
 * @typedef {{[key: string]: string}} Catalogue
 */

const GAP = /\{(\w+)(:\+|:score|:,)?((?:\|[^{}|]*)*)\}/g;
/** @type {{[how: string]: string}} */
const BETWEEN = { ":score": " : ", ":,": ", " };
const CATEGORIES = ["zero", "one", "two", "few", "many", "other"];
/** Whole numbers up to here show every plural category that a language has for them. */
const ENOUGH_TO_COUNT = 200;

export class Words {
  /**
   * @param {string} language @param {Catalogue} catalogue @param {Catalogue} english what is said where the language lacks a key
   * @param {(seat: number) => string} nameOf
   */
  constructor(language, catalogue, english, nameOf) {
    this.templates = { ...english, ...catalogue };
    this.nameOf = nameOf;
    this.numbers = new Intl.NumberFormat(language);
    this.lists = new Intl.ListFormat(language, { type: "conjunction" });
    this.plural = new Intl.PluralRules(language);
    const used = new Set(Array.from({ length: ENOUGH_TO_COUNT }, (_, n) => this.plural.select(n)));
    this.categories = CATEGORIES.filter((category) => used.has(/** @type {Intl.LDMLPluralRule} */ (category)));
  }

  /** @param {string} key */
  has(key) {
    return key in this.templates;
  }

  /** @param {Value} value @returns {string} */
  word(value) {
    if (typeof value === "string") return value;
    if (typeof value === "number") return this.numbers.format(value);
    if (Array.isArray(value)) return this.lists.format(value.map((part) => this.word(part)));
    return "key" in value ? this.fill(/** @type {Message} */ (value)) : this.nameOf(value.player);
  }

  /** @param {Message} message */
  fill(message) {
    const template = this.templates[message.key] ?? message.key;
    return template.replace(GAP, (gap, name, how, forms) => {
      const value = message[name];
      if (value === undefined) return gap;
      if (forms) return this.form(forms.slice(1).split("|"), value);
      if (how in BETWEEN && Array.isArray(value)) return value.map((part) => this.word(part)).join(BETWEEN[how]);
      return (how === ":+" && value > 0 ? "+" : "") + this.word(value);
    });
  }

  /** @param {string[]} forms @param {number} number */
  form(forms, number) {
    const at = this.categories.indexOf(this.plural.select(Math.abs(number)));
    return forms[at < 0 ? forms.length - 1 : at];
  }
}
