// The buttons for what can be done with the things that are chosen: what they say, whether they can be pressed, and the
// move each of them stands for. Which there are is what the server's prompt says.

import { h } from "./dom.js";
import { capital, phrase } from "./i18n.js";
import { icon } from "./icons.js";

/**
 * @typedef {import("./pointing.js").Action} Action
 * @typedef {import("./pointing.js").Target} Target
 * @typedef {import("./pointing.js").Prompt} Prompt
 * @typedef {object} Pressed
 * @property {(target: Target) => void} play
 * @property {(ask: string) => void} ask say what has to be chosen first
 * @property {(move: string) => void} preview
 * @property {() => void} unpreview
 */

/** The steps of a turn, the one that is now marked. @param {Prompt} prompt */
export function stepLine({ steps = [], step = 0 }) {
  if (!steps.length) return "";
  return h("ol", { class: "turn-steps" }, ...steps.map((name, n) =>
    h("li", { class: n < step ? "past" : n === step ? "current" : "", "aria-current": n === step ? "step" : null }, capital(phrase(name)))));
}

/**
 * A button for each action. One whose things are not chosen yet says what to choose.
 * @param {Action[]} actions @param {(action: string) => Target | null} meant the move that an action means now
 * @param {(action: string) => boolean} possible whether it can be done at all now @param {Pressed} on
 */
export function actionPad(actions, meant, possible, on) {
  const ready = actions.filter((action) => meant(action.id));
  // What is to be done is plain where there is one way to go on, or only one thing that can be done.
  const [main] = actions.some((action) => action.main) ? actions.filter((action) => action.main) : ready.length === 1 ? ready : [];
  return h("div", { class: "pad" }, ...actions.map((action) => {
    const target = meant(action.id);
    const does = target?.label && h("span", { class: "effect" }, phrase(target.label));
    const note = action.note && h("span", { class: "note" }, phrase(action.note));
    const off = target ? "" : possible(action.id) ? "waits" : "off";
    return h("button", {
      type: "button", class: `act ${action === main ? "main" : ""} ${action.main ? "wide" : ""} ${off}`, "data-key": `act/${action.id}`, "data-act": action.id,
      "data-move": target?.move, disabled: off === "off", title: off === "waits" ? phrase(action.ask ?? "") : null,
      click: () => (target ? on.play(target) : on.ask(phrase(action.ask ?? ""))),
      pointerenter: (event) => target && event.pointerType === "mouse" && on.preview(target.move), pointerleave: () => on.unpreview(),
      focus: () => target && on.preview(target.move), blur: () => on.unpreview(),
    }, icon(action.icon), h("span", { class: "name" }, capital(phrase(action.label))), (does || note) && h("small", {}, does, does && note && " · ", note));
  }));
}
