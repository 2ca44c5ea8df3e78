// One's own games: whose turn it is in those that are played, and how the others ended.

import { get } from "./api.js";
import { h } from "./dom.js";
import { phrase, t } from "./i18n.js";

/** The most games that are listed: running ones, and those that are over. */
const [MOST_RUNNING, MOST_OVER] = [8, 6];

/** How a game stands, for somebody who plays in it. @param {any} game as it is listed @param {any} facts */
function standing(game, facts) {
  if (facts.status === "waiting") return t("waiting");
  if (facts.status === "running") return game.you.includes(facts.player) ? t("yourTurn") : t("othersTurn");
  const scores = facts.scores.join(" : ");
  if (game.seats.length === 1) return t("ended", { score: phrase(facts.scores[0]) });
  const won = game.you.some((/** @type {number} */ seat) => facts.winners.includes(seat));
  return `${t(won && facts.winners.length > 1 ? "resultShared" : won ? "resultWon" : "resultLost")} ${scores}`;
}

/**
 * The lists of one's games; how each stands is asked for one after the other and put in when it is known.
 * @param {any[]} games newest first @param {(game: any, links: {[words: string]: string}) => HTMLElement} listed
 */
export function ownGames(games, listed) {
  const running = games.filter((game) => game.status !== "over").slice(0, MOST_RUNNING);
  const over = games.filter((game) => game.status === "over").slice(0, MOST_OVER);
  const lines = [...running, ...over].map((game) => {
    const line = listed(game, { [t(game.status === "over" ? "lookBack" : "goOn")]: `#/game/${game.id}` });
    const state = h("strong", { class: "standing", role: "status" });
    line.insertBefore(state, line.lastElementChild);
    return { game, line, state };
  });
  void (async () => {
    for (const { game, line, state } of lines) {
      const facts = await get(`api/games/${game.id}/entries?seen=${game.entries}`).catch(() => null);
      if (!facts) continue;
      state.textContent = standing(game, facts);
      const yours = facts.status === "running" && game.you.includes(facts.player);
      line.classList.toggle("yours", yours);
      // What waits for somebody comes first.
      if (yours) line.parentElement?.prepend(line);
    }
  })();
  const list = (/** @type {string} */ name, /** @type {string} */ key, /** @type {typeof lines} */ some) =>
    some.length ? [h("section", {}, h("h2", {}, t(key)), h("ul", { class: "games", "data-list": name }, ...some.map(({ line }) => line)))] : [];
  return [...list("own", "yourGames", lines.slice(0, running.length)), ...list("over", "finishedGames", lines.slice(running.length))];
}
