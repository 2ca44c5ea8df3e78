// The page: a header, and below it whatever the address asks for.

import { analysisPage, boardPage, pastePage } from "./analysis.js";
import { Refusal } from "./api.js";
import { byId, h, keepingFocus } from "./dom.js";
import { editorPage } from "./editor.js";
import { GamePage } from "./game.js";
import { language, languages, loadWords, t } from "./i18n.js";
import { icon } from "./icons.js";
import { joinPage, takePage } from "./join.js";
import { lessonPage, lessonsPage } from "./lesson.js";
import { nothingHere } from "./nowhere.js";
import { paceControl } from "./playback.js";
import { applyTheme, pref, setPref } from "./prefs.js";
import { puzzlePage, puzzlesPage } from "./puzzles.js";
import { rulesPage } from "./rules.js";
import { FRIENDS, setupPage } from "./setup.js";
import { shelfPage } from "./shelf.js";

/** How the server answers where there is nothing at an address, and where it is none at all. */
const NO_PLACE = [404, 422];

/**
 * @typedef {object} Page
 * @property {HTMLElement} element
 * @property {string} title
 * @property {() => void} [close]
 * @property {HTMLElement} [bar] what the bar has for this page
 * @property {HTMLElement} [settings] what can be set of this page
 */

/** @type {Page | null} */
let page = null;
/** How often an address was asked for. */
let asked = 0;

/** @param {string} name @param {string} label @param {[string, string][]} choices @param {string} now */
function select(name, label, choices, now) {
  const change = (/** @type {Event} */ event) => {
    setPref(name, /** @type {HTMLSelectElement} */ (event.target).value);
    applyTheme();
    if (name === "language") void loadWords().then(route);
  };
  return h("label", {}, label,
    h("select", { name, change, "data-key": `header/${name}` }, ...choices.map(([value, words]) => h("option", { value, selected: value === now }, words))));
}

/** The bar: where one is, and what can be set. @param {Page | null} [shown] a page that is not the shelf */
function header(shown = null) {
  const open = document.querySelector(".settings.of-page")?.hasAttribute("open") ?? false;
  const where = shown?.title ?? "";
  byId("top").replaceChildren(
    h("a", { class: "brand", href: "#/", "aria-label": t("home"), "data-key": "header/home" },
      where && h("span", { class: "narrow back" }, icon("back")), h("img", { src: "favicon.svg", alt: "", width: 34, height: 34 }), h("span", {}, "Snakeden")),
    where && h("span", { class: "where" }, where) || "",
    h("nav", { "aria-label": t("options") },
      shown?.bar ?? "",
      h("details", { class: "settings of-page", open },
        h("summary", { "data-key": "header/settings" }, icon("gear"), h("span", { class: "wide" }, t("settings")), h("span", { class: "narrow unseen" }, t("settings"))),
        h("div", { class: "menu" },
          select("language", t("language"), Object.entries(languages()), language()),
          select("theme", t("theme"), [["auto", t("themeAuto")], ["light", t("themeLight")], ["dark", t("themeDark")]], pref("theme", "auto")),
          h("label", {}, t("sound"),
            h("input", {
              type: "checkbox", name: "sound", "data-key": "header/sound", checked: pref("sound", "on") === "on",
              change: (event) => setPref("sound", event.target.checked ? "on" : "off"),
            })),
          paceControl(),
          shown?.settings ?? ""))));
}

/** A menu closes when something else is pressed, or Escape. @param {Event} event */
function closeMenus(event) {
  for (const menu of document.querySelectorAll("header details[open]")) {
    const inside = event.target instanceof Node && menu.contains(event.target);
    if (event instanceof KeyboardEvent ? event.key === "Escape" : !inside) menu.removeAttribute("open");
  }
}
document.addEventListener("pointerdown", closeMenus);
document.addEventListener("keydown", closeMenus);

/** @param {string} id @returns {Page} */
function gamePage(id) {
  const game = new GamePage(id);
  return { element: game.frame, title: game.title, close: () => game.close(), bar: game.bar, settings: game.settings };
}

/** @param {string[]} parts @returns {Promise<Page>} */
async function open([where, ...rest]) {
  if (where === "game" && rest.length === 1) return gamePage(rest[0]);
  if (where === "join" && rest.length >= 1) return joinPage(rest[0], rest[1] ?? "");
  if (where === "take" && rest.length === 2) return takePage(rest[0], rest[1]);
  if (where === "new" && (rest.length === 1 || (rest.length === 2 && rest[1] === FRIENDS))) return setupPage(rest[0], rest.length === 2);
  if (where === "rules" && rest.length === 1) return rulesPage(rest[0]);
  if (where === "learn") return rest.length ? lessonPage(rest[0]) : lessonsPage();
  if (where === "puzzles") return rest.length === 2 ? puzzlePage(rest[0], rest[1]) : puzzlesPage();
  if (where === "analysis" && rest[0] === "new" && rest.length > 1) return boardPage(rest[1], rest[2] ?? "", rest[3] ?? "");
  if (where === "analysis" && rest[0] === "set-up" && rest.length > 1) return editorPage(rest[1], rest[2] ?? "", rest[3] ?? "");
  if (where === "analysis") return rest.length ? analysisPage(rest[0]) : pastePage();
  if (!where) return shelfPage();
  return { element: nothingHere(), title: t("notFound") };
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
  keepingFocus(() => header());
  /** @type {Page} */
  let opened;
  try {
    opened = await open(address());
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    const words = error instanceof Refusal && NO_PLACE.includes(error.status) ? t("notFound") : t("gone", { reason });
    opened = { element: nothingHere(words), title: words };
  }
  if (turn !== asked) {
    opened.close?.();
    return false;
  }
  page = opened;
  document.title = page.title === "Snakeden" ? "Snakeden" : `${page.title} – Snakeden`;
  byId("page").replaceChildren(page.element);
  const inside = address().length > 0;
  document.body.classList.toggle("in-game", inside);
  if (inside) keepingFocus(() => header(opened));
  return true;
}

applyTheme();
void loadWords().then(() => {
  window.addEventListener("hashchange", () => {
    void route().then((shown) => {
      if (!shown) return;
      window.scrollTo(0, 0);
      byId("page").focus({ preventScroll: true });
    });
  });
  void route();
}, () => byId("page").replaceChildren(h("p", { class: "alert", role: "alert" }, "The server cannot be reached. Load the page again in a while.")));
