// The start: what there is to play, games that wait for somebody, games one is in.

import { get, post } from "./api.js";
import { h } from "./dom.js";
import { moment, phrase, seatName, sitting, t } from "./i18n.js";
import { icon } from "./icons.js";
import { ownGames } from "./own.js";
import { pref } from "./prefs.js";
import { FRIENDS } from "./setup.js";
import { face } from "./shapes.js";
import { keepsake, online } from "./transport.js";

const ENGINE = "level:2";
const MOST_WATCHED = 12;
const MOST_FACES = 3;

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
    const others = Array.from({ length: seats - 1 }, () => ({ kind: "engine", agent: ENGINE }));
    const made = await post("api/games", {
      game: game.id, options, hints: true, seats: [{ kind: "me", name: pref("name") }, ...others],
    });
    if (card.isConnected) location.hash = made.path.replace(/^\/#/, "");
  } catch (error) {
    note.textContent = t("gone", { reason: error instanceof Error ? error.message : "" });
    for (const button of buttons) button.disabled = false;
    if (document.activeElement === document.body && used instanceof HTMLElement) used.focus();
  }
}

/** How many can play, as "2" or "2–5". @param {any} game */
function playersOf(game) {
  const players = game.options.find((/** @type {any} */ option) => option.name === "players");
  if (!players) return "2";
  const [low, high] = players.kind === "int" ? [players.low, players.high] : [players.choices[0], players.choices.at(-1)];
  return low === high ? String(low) : `${low}–${high}`;
}

/** A game as a box on the shelf. @param {any} game */
function boxOf(game) {
  const box = h("article", { class: "boxed", "data-game": game.id });
  const players = game.options.find((/** @type {any} */ option) => option.name === "players");
  const alone = players && players.default === 1;
  const id = encodeURIComponent(game.id);
  box.append(
    h("div", { class: "box" },
      h("img", { class: "cover", src: `covers/${id}.svg`, alt: "", width: 300, height: 320 }),
      h("div", { class: "lid" }, h("h2", {}, game.name),
        h("p", { class: "facts", "aria-label": `${t("players")}: ${playersOf(game)}` }, icon("people"), playersOf(game)))),
    h("div", { class: "corner" },
      h("a", { class: "button", href: `#/rules/${id}`, "aria-label": `${t("rules")}: ${game.name}`, title: t("rules") }, icon("book")),
      h("a", { class: "button", href: `#/new/${id}`, "aria-label": `${t("options")}: ${game.name}`, title: t("options") }, icon("gear"))),
    h("p", {}, phrase(game.blurb)),
    h("div", { class: "tools" },
      h("button", { type: "button", class: "main", "data-do": "engine", title: t("playEngine"), "aria-label": `${t("playEngine")}: ${game.name}`, click: () => quick(game, alone ? { players: 2 } : {}, box) }, icon("play"), t("play")),
      alone && h("button", { type: "button", "data-do": "alone", title: t("playAlone"), click: () => quick(game, {}, box) }, icon("person"), t("alone")),
      h("a", { class: "button", "data-do": "learn", href: `#/learn/${id}`, "aria-label": `${t("learn")}: ${game.name}` }, icon("learn"), t("learn")),
      h("a", { class: "button", "data-do": "friends", href: `#/new/${id}/${FRIENDS}`, title: t("playFriends"), "aria-label": `${t("playFriends")}: ${game.name}` }, icon("people"), t("friends"))),
  );
  return box;
}

/** @param {any} game @param {{[words: string]: string}} links where they lead, by what they say */
function listed(game, links) {
  sitting(game.seats, game.you);
  const names = game.seats.flatMap((/** @type {any} */ seat, /** @type {number} */ n) => (seat.taken ? [seatName(seat, n)] : [])).join(", ");
  const made = new Date(1000 * game.created);
  const when = h("time", { datetime: made.toISOString() }, moment(made));
  const faces = game.seats.slice(0, MOST_FACES).map((/** @type {any} */ { taken }, /** @type {number} */ n) => face(`seat${n}`, taken ? "open" : "shut"));
  return h("li", { class: "surface" }, h("span", { class: "faces", "aria-hidden": "true" }, ...faces),
    h("span", { class: "told" }, h("strong", {}, game.name), " ", h("span", {}, names), " ", when),
    h("span", { class: "tools" }, ...Object.entries(links).map(([words, href]) => h("a", { class: "button", href }, words))));
}

/** Games one is in, games that wait for somebody, games to watch. */
async function gameLists() {
  const [lobby, running, mine] = await Promise.all(["lobby", "running", "mine"].map((what) => get(`api/${what}`)));
  const open = lobby.games.filter((/** @type {any} */ game) => !game.you.length);
  const watched = running.games.filter((/** @type {any} */ game) => !game.you.length).slice(0, MOST_WATCHED);
  const found = ownGames(mine.games, listed);
  if (!online) return [...found, ...keepsake(mine.games.length)];
  found.push(h("section", {}, h("h2", {}, t("openGames")),
    open.length
      ? h("ul", { class: "games" }, ...open.map((/** @type {any} */ game) => listed(game, { [t("join")]: `#/join/${game.id}`, [t("watch")]: `#/game/${game.id}` })))
      : h("div", { class: "asleep surface" }, h("img", { src: "covers/asleep.svg", alt: "", width: 104, height: 52 }),
        h("p", {}, h("b", {}, t("allAsleep")), t("noOpenGames")))));
  if (watched.length) {
    found.push(h("section", {}, h("h2", {}, t("runningGames")),
      h("ul", { class: "games", "data-list": "running" }, ...watched.map((/** @type {any} */ game) => listed(game, { [t("watch")]: `#/game/${game.id}` })))));
  }
  return found;
}

/** @returns {Promise<import("./main.js").Page>} */
export async function shelfPage() {
  const lists = h("div", { class: "lists" });
  // Who has come to play need not wait for them.
  void gameLists().then((found) => lists.replaceChildren(...found), (error) => lists.append(h("p", { class: "alert" }, t("gone", { reason: error.message }))));
  const { games } = await get("api/catalogue");
  const element = h("div", { class: "shelf" }, h("h1", {}, t("choose")),
    h("nav", { class: "tools studies", "aria-label": t("learn") }, ...["learn", "puzzles", "analysis"].map((place) =>
      h("a", { class: "button", href: `#/${place}` }, t(place)))), h("div", { class: "rack" }, ...games.map(boxOf)), lists);
  return { element, title: "Snakeden" };
}
