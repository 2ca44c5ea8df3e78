// A game's rules: the same page of the documentation that everybody reads, turned into elements.

import { get } from "./api.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|!\[([^\]]*)\]\(([^)\s]+)\)|\[([^\]]+)\]\(([^)\s]+)\)/g;

/** @param {string} words @param {URL} from @returns {(Node | string)[]} */
function inline(words, from) {
  /** @type {(Node | string)[]} */
  const parts = [];
  let at = 0;
  for (const found of words.matchAll(INLINE)) {
    const [whole, code, bold, slanted, alt, source, link, target] = found;
    parts.push(words.slice(at, found.index));
    at = found.index + whole.length;
    if (code !== undefined) parts.push(h("code", {}, code));
    else if (bold !== undefined) parts.push(h("strong", {}, ...inline(bold, from)));
    else if (slanted !== undefined) parts.push(h("em", {}, slanted));
    else if (source !== undefined) parts.push(h("img", { src: new URL(source, from).href, alt, loading: "lazy" }));
    // Other pages of the documentation are not here: their names stand as text.
    else parts.push(/^https?:/.test(target) ? h("a", { href: target, rel: "noopener" }, link) : link);
  }
  return [...parts, words.slice(at)];
}

/** @param {string[]} rows @param {URL} from */
function table(rows, from) {
  const cells = (/** @type {string} */ row) => row.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());
  const [head, , ...body] = rows;
  return h("div", { class: "wide", tabindex: 0 }, h("table", {},
    h("thead", {}, h("tr", {}, ...cells(head).map((cell) => h(cell ? "th" : "td", {}, ...inline(cell, from))))),
    h("tbody", {}, ...body.map((row) => h("tr", {}, ...cells(row).map((cell) => h("td", {}, ...inline(cell, from))))))));
}

/** Markdown as the documentation uses it. @param {string} text @param {URL} from @returns {HTMLElement[]} */
export function fromMarkdown(text, from) {
  const lines = text.split("\n");
  /** @type {HTMLElement[]} */
  const found = [];
  let i = 0;
  const run = (/** @type {(line: string) => boolean} */ fits) => {
    const first = i;
    while (i < lines.length && fits(lines[i])) i++;
    return lines.slice(first, i);
  };
  while (i < lines.length) {
    const line = lines[i];
    const heading = /^(#{1,4}) (.*)/.exec(line);
    if (!line.trim()) i++;
    else if (heading) {
      found.push(h(/** @type {"h1"} */ (`h${heading[1].length}`), {}, ...inline(heading[2], from)));
      i++;
    } else if (line.startsWith("```")) {
      i++;
      found.push(h("pre", { tabindex: 0 }, run((one) => !one.startsWith("```")).join("\n")));
      i++;
    } else if (line.startsWith("|")) found.push(table(run((one) => one.startsWith("|")), from));
    else if (/^(- |\d+\. )/.test(line)) {
      /** @type {string[]} */
      const items = [];
      for (const one of run((next) => /^(- |\d+\. |\s+\S)/.test(next))) {
        if (/^(- |\d+\. )/.test(one)) items.push(one.replace(/^(- |\d+\. )/, ""));
        else items[items.length - 1] += ` ${one.trim()}`;
      }
      found.push(h(line.startsWith("-") ? "ul" : "ol", {}, ...items.map((item) => h("li", {}, ...inline(item, from)))));
    } else found.push(h("p", {}, ...inline(run((one) => one.trim() !== "" && !/^(#|\||```|- |\d+\. )/.test(one)).join(" "), from)));
  }
  return found;
}

/** @param {string} id @returns {Promise<import("./main.js").Page>} */
export async function rulesPage(id) {
  const { games } = await get("api/catalogue");
  const game = games.find((/** @type {any} */ one) => one.id === id);
  if (!game) throw new Error(t("notFound"));
  const from = new URL(game.rules, document.baseURI);
  const answer = await fetch(from);
  if (!answer.ok) throw new Error(t("notFound"));
  return { element: h("article", { class: "rules" }, ...fromMarkdown(await answer.text(), from)), title: `${t("rules")}: ${game.name}` };
}
