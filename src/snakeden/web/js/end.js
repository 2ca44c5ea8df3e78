// The end of a game: who won and why, the winning snake counted cell by cell, how the chances went, and what to share.

import { h, s } from "./dom.js";
import { capital, phrase, t } from "./i18n.js";
import { icon } from "./icons.js";
import { face } from "./shapes.js";
import { online } from "./transport.js";

/**
 * @typedef {import("./draw.js").Scene} Scene
 * @typedef {import("./draw.js").Item} Item
 * @typedef {import("./shapes.js").Point} Point
 */

/** Milliseconds from one counted cell to the next. */
const BEAT = 60;

/** The lines of the winner's halo, and how many times as wide as the snake they are. */
const HALO = { edge: 1.8, gold: 1.7, glow: 1.48 };

/** Show the longest snake of the winners, and count it from its tail on. @param {Element} boards @param {Scene} scene */
export function celebrate(boards, scene) {
  const found = scene.panels.filter((panel) => panel.kind === "board").flatMap((panel) => {
    const layer = panel.layers.find((one) => one.name === "paths");
    const groups = boards.querySelectorAll(`.frame[data-panel="${CSS.escape(panel.id)}"] .layer.paths > g`);
    return (layer?.items ?? []).map((item, i) => ({ item, group: groups[i] }));
  }).filter(({ item }) => item.mood === "happy" && item.counted?.length);
  // The parts of one snake on several floors say the same of themselves.
  const nameOf = (/** @type {Item} */ item) => JSON.stringify(item.title);
  const lengths = new Map();
  for (const { item } of found) lengths.set(nameOf(item), (lengths.get(nameOf(item)) ?? 0) + item.counted.length);
  const longest = Math.max(0, ...lengths.values());
  let count = 0;
  for (const { item, group } of found) {
    if (!group || lengths.get(nameOf(item)) !== longest || count >= longest) continue;
    const line = item.shapes?.find((shape) => shape.part === "line")?.d;
    if (typeof line === "string") {
      group.prepend(...Object.entries(HALO).map(([name, wide]) =>
        s("path", { d: line, class: `halo ${name}`, pathLength: 1, "stroke-width": wide * (item.width ?? 0.5) })));
    }
    // Above all bodies: where one crosses another, its number would be covered.
    group.closest("svg")?.append(s("g", { class: `counted r-${item.role}` }, ...item.counted.map((/** @type {Point} */ [x, y]) => {
      const number = s("text", { x, y: y + 0.1, "font-size": 0.3, "text-anchor": "middle" }, ++count);
      number.style.setProperty("--delay", `${count * BEAT}ms`);
      return number;
    })));
  }
}

/** This many positions make a curve. */
const ENOUGH = 4;

/** How the chances went, ply by ply. @param {import("./chances.js").CurvePoint[]} seen @param {string[]} names @param {boolean} complete */
function curve(seen, names, complete) {
  const [wide, high] = [360, 96];
  const last = seen.at(-1)?.ply || 1;
  const first = seen[0].ply;
  const x = (/** @type {number} */ ply) => ((ply - first) / Math.max(1, last - first)) * wide;
  const bands = names.map((_, seat) => {
    const upper = (/** @type {number[]} */ wins) => high * wins.slice(0, seat).reduce((sum, win) => sum + win, 0);
    const top = seen.map(({ ply, wins }) => `${x(ply)},${upper(wins)}`);
    const low = seen.map(({ ply, wins }) => `${x(ply)},${upper(wins) + high * (wins[seat] ?? 0)}`).reverse();
    return s("polygon", { class: `r-seat${seat} fill-tint stroke-line`, points: [...top, ...low].join(" "), "stroke-width": 1.5 });
  });
  let [turning, most] = [0, 0];
  // What is not known yet could have been the turning point.
  for (let i = 1; complete && i < seen.length; i++) {
    const jump = Math.max(...seen[i].wins.map((win, seat) => Math.abs(win - seen[i - 1].wins[seat])));
    if (jump > most) [turning, most] = [i, jump];
  }
  const words = `${t("chances")}: ${names.map((name, seat) => `${name} ${Math.round(100 * (seen.at(-1)?.wins[seat] ?? 0))} %`).join(", ")}`;
  return h("section", { class: "curve" },
    h("h3", {}, t("chances"), most > 0 && h("small", {}, t("turningPoint", { n: seen[turning].ply }))),
    s("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": words, preserveAspectRatio: "none" }, ...bands,
      most > 0 && s("line", { class: "turning", x1: x(seen[turning].ply), x2: x(seen[turning].ply), y1: 0, y2: high })));
}

/** What engines would have played at their best. @param {import("./chances.js").Curve["better"]} better @param {string[]} names */
function atBest(better, names) {
  return h("section", { class: "at-best" }, h("h3", {}, t("atBest")),
    h("ul", {}, ...better.map(({ ply, seat, said, better_said: best }) => h("li", {}, t("betterMove", { n: ply + 1, who: capital(names[seat]), move: said, better: best })))));
}

/** Why the game ended as it did. @param {any} state @param {string[]} names */
function reasonOf({ reason, winners }, names) {
  // "You" takes another verb than a name does.
  const you = winners.length === 1 && names[winners[0]] === t("me") && reason.key === "outcome.highest";
  const words = you ? t("youHighest", { points: reason.points }) : phrase(reason);
  // A score is not broken between two lines.
  return words.replaceAll(" : ", "\u00a0:\u00a0");
}

/**
 * @param {any} state what the server says about a game @param {(seat: number) => string} nameOf
 * @param {import("./chances.js").Curve} went how the chances did @param {string} path the game's
 * @param {HTMLElement | ""} again the way to the next game
 */
export function endCard(state, nameOf, went, path, again) {
  const alone = state.seats.length === 1;
  const longest = Math.max(1, ...state.scores);
  const names = state.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => nameOf(seat));
  const rows = state.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => {
    const won = state.winners.includes(seat);
    const length = h("span", { class: "length", "aria-hidden": "true" });
    length.style.width = `${(100 * Math.max(0, state.scores[seat])) / longest}%`;
    return h("li", { class: `r-seat${seat}` }, face(`seat${seat}`, won && !alone ? "happy" : alone ? "open" : "shut"),
      h("span", { class: "measured" },
        h("span", { class: "who" }, capital(nameOf(seat)), won && !alone && h("small", {}, icon("trophy"), t("winner"))), !alone && length),
      h("span", { class: "display" }, phrase(state.scores[seat])));
  });
  // Who gave up is told above.
  const told = alone || (state.reason?.key === "outcome.withdrawn" && state.resigned.length);
  return h("div", { class: "end" },
    state.reason && !told ? h("p", { class: "reason" }, capital(reasonOf(state, names))) : "",
    h("ol", { class: "result" }, ...rows),
    again,
    went.points.length >= ENOUGH && !alone ? curve(went.points, names, went.complete) : "",
    went.better.length ? atBest(went.better, names) : "",
    h("div", { class: "tools" },
      h("a", { class: "button", "data-key": "end/analyse", href: `#/analysis/${state.id}` }, t("analyseGame")),
      h("a", { class: "button", "data-key": "end/picture", href: `${path}/picture`, target: "_blank", rel: "noopener" }, icon("picture"), t("picture")),
      online && h("a", { class: "button", "data-key": "end/film", href: `${path}/film`, target: "_blank", rel: "noopener" }, icon("film"), t("film"))));
}
