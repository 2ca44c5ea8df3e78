// The start: what there is to play, games that wait for somebody, games one is in.

import { get, post } from "./api.js";
import { h } from "./dom.js";
import { drawPanel } from "./draw.js";
import { called, engineName, language, phrase, t } from "./i18n.js";
import { pref } from "./prefs.js";

const ENGINE = "level:2";
const MOST_WATCHED = 12;
const MOST_OWN = 8;

/** @param {any} game */
async function picture(game) {
  try {
    const scene = await get(`pictures/${encodeURIComponent(game.id)}.json`);
    const board = scene.panels.find((/** @type {any} */ panel) => panel.kind === "board");
    return drawPanel(board);
  } catch {
    return h("span", {}); // a game without a picture is still a game
  }
}

/**
 * Make a game with oneself on the first seat and engines on the others, and go there.
 * @param {any} game @param {object} options @param {HTMLElement} card
 */
async function quick(game, options, card) {
  const note = card.querySelector(".note") ?? h("p", { class: "note", role: "status" });
  note.textContent = t("preparing");
  card.append(note);
  // A second click would make a second game.
  const [used, buttons] = [document.activeElement, card.querySelectorAll("button")];
  for (const button of buttons) button.disabled = true;
  try {
    const { seats } = await post("api/options", { game: game.id, options });
    const others = Array.from({ length: seats - 1 }, () => ({ kind: "engine", agent: ENGINE, name: engineName(ENGINE) }));
    const made = await post("api/games", {
      game: game.id, options, hints: true, seats: [{ kind: "me", name: pref("name") || t("me") }, ...others],
    });
    if (card.isConnected) location.hash = made.path.replace(/^\/#/, "");
  } catch (error) {
    note.textContent = t("gone", { reason: error instanceof Error ? error.message : "" });
    for (const button of buttons) button.disabled = false;
    if (document.activeElement === document.body && used instanceof HTMLElement) used.focus();
  }
}

/** @param {any} game */
function cardOf(game) {
  const card = h("article", { class: "card", "data-game": game.id });
  const players = game.options.find((/** @type {any} */ option) => option.name === "players");
  const alone = players && players.default === 1;
  const frame = h("div", { class: "cover", "aria-hidden": "true" });
  void picture(game).then((drawn) => frame.append(drawn));
  card.append(
    frame,
    h("h2", {}, game.name),
    h("p", {}, phrase(game.blurb)),
    h("div", { class: "tools" },
      h("button", { type: "button", class: "main", "data-do": "engine", click: () => quick(game, alone ? { players: 2 } : {}, card) }, t("playEngine")),
      alone && h("button", { type: "button", "data-do": "alone", click: () => quick(game, {}, card) }, t("playAlone")),
      h("a", { class: "button", href: `#/new/${encodeURIComponent(game.id)}` }, t("more")),
      h("a", { class: "button", href: `#/rules/${encodeURIComponent(game.id)}` }, t("rules"))),
  );
  return card;
}

/** @param {any} game @param {string} words @param {string} href */
function listed(game, words, href) {
  const names = game.seats.filter((/** @type {any} */ seat) => seat.taken).map((/** @type {any} */ seat) => called(seat.name)).join(", ");
  const made = new Date(1000 * game.created);
  const when = h("time", { datetime: made.toISOString() }, made.toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" }));
  return h("li", {}, h("strong", {}, game.name), " ", h("span", {}, names), " ", when, " ", h("a", { class: "button", href }, words));
}

/** Games one is in, games that wait for somebody, games to watch. */
async function gameLists() {
  const [lobby, running, mine] = await Promise.all(["lobby", "running", "mine"].map((what) => get(`api/${what}`)));
  const open = lobby.games.filter((/** @type {any} */ game) => !game.you.length);
  const watched = running.games.filter((/** @type {any} */ game) => !game.you.length).slice(0, MOST_WATCHED);
  const own = mine.games.filter((/** @type {any} */ game) => game.status !== "over").slice(0, MOST_OWN);
  const found = [];
  if (own.length) {
    found.push(h("section", {}, h("h2", {}, t("yourGames")),
      h("ul", { class: "games" }, ...own.map((/** @type {any} */ game) => listed(game, t("goOn"), `#/game/${game.id}`)))));
  }
  found.push(h("section", {}, h("h2", {}, t("openGames")),
    open.length
      ? h("ul", { class: "games" }, ...open.map((/** @type {any} */ game) => {
        const line = listed(game, t("join"), `#/join/${game.id}`);
        line.append(" ", h("a", { class: "button", href: `#/game/${game.id}` }, t("watch")));
        return line;
      }))
      : h("p", {}, t("noOpenGames"))));
  if (watched.length) {
    found.push(h("section", {}, h("h2", {}, t("runningGames")),
      h("ul", { class: "games", "data-list": "running" }, ...watched.map((/** @type {any} */ game) => listed(game, t("watch"), `#/game/${game.id}`)))));
  }
  return found;
}

/** @returns {Promise<import("./main.js").Page>} */
export async function shelfPage() {
  const lists = h("div", {});
  // Who has come to play need not wait for them.
  void gameLists().then((found) => lists.replaceChildren(...found), (error) => lists.append(h("p", { class: "alert" }, t("gone", { reason: error.message }))));
  const { games } = await get("api/catalogue");
  const element = h("div", { class: "shelf" }, h("h1", {}, t("choose")), h("div", { class: "cards" }, ...games.map(cardOf)), lists);
  return { element, title: "Snakeden" };
}
