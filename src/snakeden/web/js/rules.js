// A game's rules: a page in the visitor's language, its pictures drawn from scenes, and the options and credits that the
// catalogue knows.

import { catalogued, get, nowhere } from "./api.js";
import { h } from "./dom.js";
import { drawPanel } from "./draw.js";
import { choiceName, language, phrase, t, valueName } from "./i18n.js";

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*/g;
const PICTURE = /^!\[([^\]]*)\]\(([\w-]+)#?([^)]*)\)$/;

/** @param {string} words @returns {(Node | string)[]} */
function inline(words) {
  /** @type {(Node | string)[]} */
  const parts = [];
  let at = 0;
  for (const found of words.matchAll(INLINE)) {
    const [whole, code, bold, slanted] = found;
    parts.push(words.slice(at, found.index));
    at = found.index + whole.length;
    parts.push(code !== undefined ? h("code", {}, code) : bold !== undefined ? h("strong", {}, bold) : h("em", {}, slanted));
  }
  return [...parts, words.slice(at)];
}

/** A picture with what it shows below: a scene's boards, or the panel of this id. @param {string} line */
function figure(line) {
  const [, words, name, wanted] = /** @type {RegExpExecArray} */ (PICTURE.exec(line));
  const frame = h("div", { class: "drawn" });
  void get(`rules/pictures/${name}.json`).then((scene) => {
    const shown = scene.panels.filter((/** @type {import("./draw.js").Panel} */ panel) => (wanted ? panel.id === wanted : panel.kind === "board"));
    frame.replaceChildren(...shown.map((/** @type {import("./draw.js").Panel} */ panel) => drawPanel(panel)));
  }).catch(() => frame.remove()); // the words below say what it would show
  return h("figure", {}, frame, h("figcaption", {}, words));
}

/** @param {string[]} rows */
function table(rows) {
  const cells = (/** @type {string} */ row) => row.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());
  const [head, , ...body] = rows;
  return h("div", { class: "wide", tabindex: 0 }, h("table", {},
    h("thead", {}, h("tr", {}, ...cells(head).map((cell) => h("th", {}, ...inline(cell))))),
    h("tbody", {}, ...body.map((row) => h("tr", {}, ...cells(row).map((cell) => h("td", {}, ...inline(cell))))))));
}

/** Markdown as the rules use it. @param {string} text @returns {HTMLElement[]} */
function fromMarkdown(text) {
  return text.split(/\n{2,}|(?<=^#.*)\n/m).map((block) => block.trim()).filter(Boolean).map((block) => {
    const lines = block.split("\n");
    const heading = /^(#{1,2}) (.*)$/.exec(block);
    if (heading) return h(heading[1] === "#" ? "h1" : "h2", {}, heading[2]);
    if (lines.every((line) => PICTURE.test(line))) return h("div", { class: "figures" }, ...lines.map(figure));
    if (block.startsWith("|")) return table(lines);
    const item = /^(?:- |\d+\. )/;
    if (!item.test(block)) return h("p", {}, ...inline(lines.join(" ")));
    const items = block.split(/\n(?=- |\d+\. )/).map((one) => one.replace(item, "").replace(/\n\s*/g, " "));
    return h(block.startsWith("-") ? "ul" : "ol", {}, ...items.map((one) => h("li", {}, ...inline(one))));
  });
}

/** What can be chosen, in the words of the form. @param {import("./fields.js").Option[]} options */
function choices(options) {
  return h("dl", {}, ...options.flatMap(({ label, kind, default: usual, help, low, high, choices: names }) => {
    const values = kind === "bool" ? "" : kind === "int" ? `${low}–${high}` : names.map(choiceName).join(", ");
    const more = [values, usual === null ? "" : t("usually", { value: valueName(usual) })].filter(Boolean).join("; ");
    return [h("dt", {}, phrase(label)), h("dd", {}, phrase(help), more && ` (${more})`)];
  }));
}

/** @param {string} id @returns {Promise<import("./main.js").Page>} */
export async function rulesPage(id) {
  const game = await catalogued(id);
  const answer = await fetch(game.rules.replace("{language}", language())).catch(() => { throw new Error(t("unreachable")); });
  if (!answer.ok) throw nowhere();
  const element = h("article", { class: "rules" }, ...fromMarkdown(await answer.text()),
    h("h2", {}, t("options")), choices(game.options),
    h("h2", {}, t("credits")), h("p", { class: "credits" }, phrase(game.credits)), h("p", { class: "credits" }, t("ownWords")),
    h("div", { class: "tools" }, h("a", { class: "button", href: `#/new/${encodeURIComponent(id)}` }, t("start")), h("a", { class: "button", href: "#/" }, t("home"))));
  return { element, title: `${t("rules")}: ${game.name}` };
}
