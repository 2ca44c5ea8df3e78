// What the server says in English, found again sentence by sentence and said in another language.
//
// A phrasebook maps sentences with gaps to sentences with the same gaps: "{move:code}: there is a tile on {cell} already".
// A gap says of what kind it is:
//
// | gap         | what stands there, and what becomes of it                                             |
// | ----------- | ------------------------------------------------------------------------------------- |
// | `{cell}`    | anything; as it is                                                                    |
// | `{x:code}`  | anything without blanks: a move; as it is                                             |
// | `{n:number}`| a number; written as the language does                                                |
// | `{n:figures}`| numbers and signs; each number as the language writes it                             |
// | `{x:said}`  | a sentence of the phrasebook itself; if it is none, neither is the whole              |
// | `{x:list}`  | such sentences and codes, joined by commas and "and"; joined as the language does     |
// | `{x:option}`| an option's name; as a form calls it                                                  |
// | `{s:seat}`  | the number of a seat; the name of who sits there                                      |
// | `{who:name}`| a player's name                                                                       |
// | `{x:names}` | several, joined by "and"                                                              |
// | `{x:scores}`| names with their scores, joined by commas                                             |
// | `{x:owner}` | a player's name, or a sentence such as "the fence" or "Ann, colour 2"                 |
//
// In the translation `{cell}` puts it there, and `{n|part|parts}` chooses the form that goes with the number: for one
// and for more, or in languages that need it for one, for few and for more.

const ANYTHING = "(.+?)";
/** @type {{[kind: string]: string}} */
const KINDS = {
  code: "(\\S+)",
  number: "([+−-]?\\d[\\d,]*(?:\\.\\d+)?)",
  figures: "([\\d.,:+−% -]+?)",
  option: "(\\w+)",
  seat: "(\\d+)",
};
const GAP = /\{(\w+)(?::(\w+))?\}/g;
const FILLED = /\{(\w+)(?:\|([^{}]*))?\}/g;
const OWNERS = /^(the fence|the frame|neutral)$|, colour \d$/;
const MOST_REMEMBERED = 4000;

/**
 * @typedef {{[said: string]: string}} Sentences
 * @typedef {{name: string, kind: string}} Gap
 * @typedef {{seat: (number: number) => string, name: (name: string) => string}} Company how players are called
 */

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** @param {string} sentence @returns {{pattern: RegExp, gaps: Gap[], fixed: number}} fixed: how many of its letters are in no gap */
function compiled(sentence) {
  /** @type {Gap[]} */
  const gaps = [];
  let [pattern, at] = ["", 0];
  for (const found of sentence.matchAll(GAP)) {
    const kind = found[2] ?? "";
    pattern += escaped(sentence.slice(at, found.index)) + (KINDS[kind] ?? ANYTHING);
    gaps.push({ name: found[1], kind });
    at = found.index + found[0].length;
  }
  return { pattern: new RegExp(`^${pattern}${escaped(sentence.slice(at))}$`, "s"), gaps, fixed: sentence.replace(GAP, "").length };
}

/** @param {string} text a number as the server writes it */
const valueOf = (text) => Number(text.replaceAll(",", "").replace("−", "-"));

export class Phrasebook {
  /** @param {string} language @param {Sentences} sentences @param {Company} company */
  constructor(language, sentences, company) {
    this.company = company;
    this.plural = new Intl.PluralRules(language);
    this.lists = new Intl.ListFormat(language, { type: "conjunction" });
    this.language = language;
    /** @type {Map<string, string>} */
    this.exact = new Map();
    /** @type {{pattern: RegExp, gaps: Gap[], fixed: number, instead: string}[]} */
    this.open = [];
    for (const [sentence, instead] of Object.entries(sentences)) {
      if (sentence.includes("{")) this.open.push({ ...compiled(sentence), instead });
      else this.exact.set(sentence, instead);
    }
    // What says most is meant first: "{who} to move" would fit many a longer sentence.
    this.open.sort((one, other) => other.fixed - one.fixed);
    /** @type {Map<string, string | null>} */
    this.known = new Map();
  }

  /** The same in this language; null where the phrasebook has no such sentence. @param {string} said @returns {string | null} */
  find(said) {
    const known = this.exact.get(said) ?? this.known.get(said);
    if (known !== undefined) return known;
    let found = null;
    for (const { pattern, gaps, instead } of this.open) {
      const match = pattern.exec(said);
      found = match && this.fill(instead, gaps, match.slice(1));
      if (found !== null) break;
    }
    if (this.known.size >= MOST_REMEMBERED) this.known.clear();
    this.known.set(said, found);
    return found;
  }

  /** @param {string} instead @param {Gap[]} gaps @param {string[]} held @returns {string | null} */
  fill(instead, gaps, held) {
    /** @type {Map<string, {shown: string, held: string}>} */
    const values = new Map();
    for (const [i, { name, kind }] of gaps.entries()) {
      const shown = this.shown(kind, held[i]);
      if (shown === null) return null;
      values.set(name, { shown, held: held[i] });
    }
    return instead.replace(FILLED, (_, name, forms) => {
      const value = values.get(name);
      if (!value) return "";
      return forms === undefined ? value.shown : this.form(forms.split("|"), value.held);
    });
  }

  /** @param {string[]} forms @param {string} number */
  form(forms, number) {
    const sort = this.plural.select(Math.abs(valueOf(number)));
    if (sort === "one") return forms[0];
    // Fractions go with the form for few: "1,5 bodu" would need a fourth, "2 body" does.
    return sort === "few" || sort === "many" ? forms[Math.min(1, forms.length - 1)] : forms[forms.length - 1];
  }

  /** @param {string} kind @param {string} held @returns {string | null} */
  shown(kind, held) {
    switch (kind) {
      case "number": return this.written(held);
      case "figures": return held.replace(/\d[\d,]*(?:\.\d+)?/g, (number) => this.written(number));
      case "said": return this.find(held);
      case "option": return this.find(held.replaceAll("_", " ")) ?? held;
      case "seat": return this.company.seat(Number(held));
      case "name": return this.company.name(held);
      case "names": return this.lists.format(held.split(" and ").map(this.company.name));
      case "scores": return held.replace(/(.+?) ([−-]?\d+)(, |$)/g, (_, name, score, comma) => `${this.company.name(name)} ${score}${comma}`);
      case "owner": return (OWNERS.test(held) ? this.find(held) : null) ?? this.company.name(held);
      case "list": return this.lists.format(held.split(/, | and /).map((one) => this.find(one) ?? one));
      default: return held;
    }
  }

  /** @param {string} number */
  written(number) {
    const sign = /^[+−-]/.exec(number)?.[0] ?? "";
    const places = number.split(".")[1]?.length ?? 0;
    return sign + Math.abs(valueOf(number)).toLocaleString(this.language, { minimumFractionDigits: places });
  }

  /** What was found out with other names. */
  forget() {
    this.known.clear();
  }
}
