// Puzzles: by game, theme and difficulty, one for each day, and a streak. Wrong answers are refuted on the board.

import { get } from "./api.js";
import { announce, h } from "./dom.js";
import { phrase, seatName, t } from "./i18n.js";
import { pref, setPref } from "./prefs.js";
import { judge, prepare, showLine, Study, thumb } from "./study.js";

/** Difficulties there are. */
const HARDEST = 6;

/** The puzzles of a game that were solved in this browser. @param {string} game @returns {Set<string>} */
const solvedOf = (game) => new Set(pref(`puzzles.solved.${game}`).split(" ").filter(Boolean));
const streak = () => Number(pref("puzzles.streak", "0")) || 0;

/** How many puzzles were solved in a row, once there are any. */
const streakWords = () => (streak() ? t("streak", { n: streak() }) : "");

/** @param {any} held what there is of a game @param {string} theme @param {string} difficulty */
function fitting(held, theme, difficulty) {
  return held.puzzles.filter((/** @type {any} */ one) =>
    (!theme || one.themes.includes(theme)) && (!difficulty || one.difficulty === Number(difficulty)));
}

/** The next puzzle that fits and is not solved yet; the first of all if every one is. @param {any} held */
function nextOf(held) {
  const fits = fitting(held, pref(`puzzles.theme.${held.game}`), pref("puzzles.difficulty"));
  const solved = solvedOf(held.game);
  return fits.find((/** @type {any} */ one) => !solved.has(one.id)) ?? fits[0];
}

/** @param {string} label @param {string} name @param {[string, string][]} choices @param {() => void} change */
function choice(label, name, choices, change) {
  const now = pref(name);
  const pick = (/** @type {any} */ event) => {
    setPref(name, event.target.value);
    change();
  };
  return h("label", {}, label, h("select", { change: pick, "data-key": name },
    ...choices.map(([value, words]) => h("option", { value, selected: value === now }, words))));
}

const stars = (/** @type {number} */ n) => "★".repeat(n) + "☆".repeat(HARDEST - n);

/** @param {any} held */
function gameCard(held) {
  const card = h("article", { class: "surface puzzle-card", "data-game": held.game });
  const draw = () => {
    const theme = pref(`puzzles.theme.${held.game}`);
    const fits = fitting(held, theme, pref("puzzles.difficulty"));
    const solved = solvedOf(held.game);
    const next = nextOf(held);
    const themes = /** @type {[string, string][]} */ (Object.entries(held.themes).map(([name, words]) => [name, phrase(/** @type {any} */ (words))]));
    card.replaceChildren(
      thumb(held.game),
      h("h2", {}, held.name),
      h("p", {}, t("solved", { n: fits.filter((/** @type {any} */ one) => solved.has(one.id)).length, all: fits.length })),
      h("div", { class: "tools" },
        choice(t("puzzleTheme"), `puzzles.theme.${held.game}`, [["", t("anyTheme")], ...themes], draw),
        choice(t("difficulty"), "puzzles.difficulty", [["", t("anyDifficulty")], .../** @type {[string, string][]} */ (
          Array.from({ length: HARDEST }, (_, n) => [String(n + 1), stars(n + 1)]))], draw)),
      h("div", { class: "tools" },
        next ? h("a", { class: "button main", "data-do": "next", href: `#/puzzles/${held.game}/${next.id}` }, t("nextPuzzle")) : h("p", {}, t("noSuchPuzzle")),
        h("a", { class: "button", "data-do": "daily", href: `#/puzzles/${held.game}/daily` }, t("puzzleOfDay"))));
  };
  draw();
  return card;
}

/** @returns {Promise<import("./main.js").Page>} */
export async function puzzlesPage() {
  const { games } = await get("api/puzzles");
  const element = h("div", { class: "list-page" }, h("h1", {}, t("puzzles")), h("p", {}, streakWords()),
    h("div", { class: "cards" }, ...games.map(gameCard)));
  return { element, title: t("puzzles") };
}

/** The day where the visitor is. */
function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** @param {number} seat */
const swatch = (seat) => h("span", { class: `swatch r-seat${seat}`, "aria-hidden": "true" });

/** How it stands for a seat. @param {number} score @param {number} seat @param {number} own whose turn it is */
const scoreOf = (score, seat, own) => h("span", {}, swatch(seat), ` ${seat === own ? t("me") : seatName({ name: "" }, seat)}: ${phrase(score)}`);

/** @param {string} game @param {string} id @returns {Promise<import("./main.js").Page>} */
export async function puzzlePage(game, id) {
  const place = encodeURIComponent(game);
  const wanted = id === "daily" ? (await get(`api/puzzles/${place}/daily?day=${today()}`)).id : id;
  const path = `api/puzzles/${place}/${encodeURIComponent(wanted)}`;
  const puzzle = await get(path);
  const { games } = await get("api/puzzles");
  const held = games.find((/** @type {any} */ one) => one.game === game);
  void prepare(game);
  const study = new Study(puzzle.name, (move) => void answer(move));
  let tried = false;

  async function begin() {
    const stands = h("p", { class: "standing" });
    study.told.replaceChildren(h("p", { class: "headline yours" }, phrase(puzzle.goal)), stands,
      h("p", { class: "happened" }, [stars(puzzle.difficulty), streakWords()].filter(Boolean).join(" · ")));
    study.tools.replaceChildren();
    const found = await study.show({ game, options: puzzle.options, moves: puzzle.moves });
    if (found) stands.append(...found.scores.map((/** @type {number} */ score, /** @type {number} */ seat) => scoreOf(score, seat, found.player)));
  }

  /** @param {boolean} right */
  function remember(right) {
    if (!tried) setPref("puzzles.streak", String(right ? streak() + 1 : 0));
    tried = true;
    if (right) setPref(`puzzles.solved.${game}`, [...solvedOf(game).add(puzzle.id)].join(" "));
  }

  /** @param {string} move */
  async function answer(move) {
    const found = await judge(game, puzzle.id, move);
    remember(found.right);
    const verdict = phrase(found.message);
    const line = h("ol", { class: "line" }, ...found.line.map((/** @type {string} */ one, /** @type {number} */ n) =>
      h("li", { "data-move": one }, found.seats[n] === null ? "" : swatch(found.seats[n]), phrase(found.spoken[n]))));
    study.told.replaceChildren(h("p", { class: `headline ${found.right ? "right" : "wrong"}` }, verdict),
      h("p", { class: "happened" }, found.right ? `${phrase(puzzle.finder)} ${t("streak", { n: streak() })}` : ""), found.note ? h("p", { class: "task" }, phrase(found.note)) : "", line);
    announce(verdict);
    const next = nextOf(held);
    study.tools.replaceChildren(
      h("button", { type: "button", class: found.right ? "" : "main", "data-key": "puzzle/again", click: () => void begin() }, t("tryAgain")),
      h("button", { type: "button", "data-key": "puzzle/line", click: () => void show() }, t("showLine")),
      next ? h("a", { class: `button ${found.right ? "main" : ""}`, "data-key": "puzzle/next", href: `#/puzzles/${game}/${next.id}` }, t("nextPuzzle")) : "");
    const show = () => showLine(study, found.scenes, (shown) => {
      [...line.children].forEach((one, n) => one.classList.toggle("now", n === shown));
    });
    await show();
  }

  await begin();
  return { element: study.element, title: `${t("puzzles")}: ${puzzle.name}` };
}
