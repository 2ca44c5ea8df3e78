// The page: a header, and below it whatever the address asks for.

import { byId, h, keepingFocus } from "./dom.js";
import { GamePage } from "./game.js";
import { LANGUAGES, language, t } from "./i18n.js";
import { joinPage } from "./join.js";
import { applyTheme, pref, setPref } from "./prefs.js";
import { rulesPage } from "./rules.js";
import { setupPage } from "./setup.js";
import { shelfPage } from "./shelf.js";

/** @typedef {{element: HTMLElement, title: string, close?: () => void}} Page */

/** @type {Page | null} */
let page = null;
/** How often an address was asked for. */
let asked = 0;

/** @param {string} name @param {string} label @param {[string, string][]} choices @param {string} now */
function select(name, label, choices, now) {
  const change = (/** @type {Event} */ event) => {
    setPref(name, /** @type {HTMLSelectElement} */ (event.target).value);
    applyTheme();
    if (name === "language") void route();
  };
  return h("label", {}, h("span", { class: "unseen" }, label),
    h("select", { name, change, "data-key": `header/${name}` }, ...choices.map(([value, words]) => h("option", { value, selected: value === now }, words))));
}

function header() {
  const languages = Object.entries(LANGUAGES).map(([id, { name }]) => /** @type {[string, string]} */ ([id, name]));
  byId("top").replaceChildren(
    h("a", { class: "brand", href: "#/" }, h("img", { src: "favicon.svg", alt: "", width: 28, height: 28 }), "Snakeden"),
    h("nav", { "aria-label": t("options") },
      select("language", t("language"), languages, language()),
      select("theme", t("theme"), [["auto", t("themeAuto")], ["light", t("themeLight")], ["dark", t("themeDark")]], pref("theme", "auto")),
      h("label", { class: "switch" },
        h("input", {
          type: "checkbox", name: "sound", "data-key": "header/sound", checked: pref("sound") === "on",
          change: (event) => setPref("sound", event.target.checked ? "on" : "off"),
        }), t("sound"))));
}

/** @param {string[]} parts @returns {Promise<Page>} */
async function open([where, ...rest]) {
  if (where === "game" && rest.length === 1) return new GamePage(rest[0]);
  if (where === "join" && rest.length >= 1) return joinPage(rest[0], rest[1] ?? "");
  if (where === "new" && rest.length === 1) return setupPage(rest[0]);
  if (where === "rules" && rest.length === 1) return rulesPage(rest[0]);
  if (!where) return shelfPage();
  return { element: h("p", { class: "alert" }, t("notFound")), title: t("notFound") };
}

/** What the address asks for, part by part; one that cannot be read is nowhere. */
function address() {
  const parts = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean);
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return [location.hash];
  }
}

/** Show what the address asks for. @returns {Promise<boolean>} whether it is shown: another may be wanted by then */
async function route() {
  const turn = ++asked;
  page?.close?.();
  page = null;
  document.documentElement.lang = language();
  keepingFocus(header);
  /** @type {Page} */
  let opened;
  try {
    opened = await open(address());
  } catch (error) {
    const words = t("gone", { reason: error instanceof Error ? error.message : "" });
    opened = { element: h("div", { class: "alert", role: "alert" }, h("p", {}, words), h("a", { href: "#/" }, t("home"))), title: words };
  }
  if (turn !== asked) {
    opened.close?.();
    return false;
  }
  page = opened;
  document.title = page.title === "Snakeden" ? "Snakeden" : `${page.title} – Snakeden`;
  byId("page").replaceChildren(page.element);
  return true;
}

applyTheme();
window.addEventListener("hashchange", () => {
  void route().then((shown) => {
    if (!shown) return;
    window.scrollTo(0, 0);
    byId("page").focus({ preventScroll: true });
  });
});
void route();
