// Lessons: one idea a step, a position, something to do, and what was right or wrong about it in the game's words.

import { get, post } from "./api.js";
import { announce, h } from "./dom.js";
import { phrase, t } from "./i18n.js";
import { nothingHere } from "./nowhere.js";
import { pref, setPref } from "./prefs.js";
import { Study, thumb } from "./study.js";

/** How far somebody has come in a lesson. @param {string} id */
const stepOf = (id) => Number(pref(`lesson.${id}`, "0")) || 0;

/** All lessons. @returns {Promise<import("./main.js").Page>} */
export async function lessonsPage() {
  const { lessons } = await get("api/lessons");
  const rows = lessons.map((/** @type {any} */ lesson) => {
    const done = Math.min(stepOf(lesson.id), lesson.steps.length);
    const begun = done > 0 && done < lesson.steps.length;
    return h("li", { class: "surface" }, thumb(lesson.game),
      h("span", { class: "told" }, h("strong", {}, phrase(lesson.title)), h("small", {}, lesson.name),
        h("progress", { max: lesson.steps.length, value: done, "aria-label": t("stepOf", { n: done, all: lesson.steps.length }) })),
      h("a", { class: "button main", href: `#/learn/${lesson.id}` }, begun ? t("goOn") : t("learn")));
  });
  return { element: h("div", { class: "list-page" }, h("h1", {}, t("learn")), h("ul", { class: "games" }, ...rows)), title: t("learn") };
}

/** One lesson, from where it was left. @param {string} id @returns {Promise<import("./main.js").Page>} */
export async function lessonPage(id) {
  const { lessons } = await get("api/lessons");
  const lesson = lessons.find((/** @type {any} */ one) => one.id === id);
  if (!lesson) return { element: nothingHere(), title: t("notFound") };
  const title = phrase(lesson.title);
  let number = stepOf(id) < lesson.steps.length ? stepOf(id) : 0;
  const study = new Study(title, (move) => void answer(move));

  /** @param {...(Node | string)} said */
  const tell = (...said) => study.told.replaceChildren(...said);

  async function begin() {
    const step = lesson.steps[number];
    tell(h("p", { class: "headline" }, t("stepOf", { n: number + 1, all: lesson.steps.length })), h("p", { class: "task" }, phrase(step.text)));
    study.tools.replaceChildren();
    await study.show({ game: lesson.game, options: step.options, moves: step.moves });
  }

  /** @param {string} move */
  async function answer(move) {
    const found = await post(`api/lessons/${encodeURIComponent(id)}/${number}`, { move });
    const does = found.does.map(phrase).join("; ");
    const verdict = found.right ? t("lessonRight") : t("lessonWrong");
    study.picture(found.scene);
    tell(h("p", { class: `headline ${found.right ? "right" : "wrong"}` }, verdict), h("p", { class: "task" }, does));
    announce(`${verdict} ${does}`);
    const last = number + 1 === lesson.steps.length;
    if (found.right) {
      number++;
      setPref(`lesson.${id}`, String(number));
    }
    const button = found.right
      ? h("button", { type: "button", class: "main", "data-key": "lesson/next", click: () => void (last ? end() : begin()) }, t("goOn"))
      : h("button", { type: "button", class: "main", "data-key": "lesson/again", click: () => void begin() }, t("tryAgain"));
    study.tools.replaceChildren(button);
    button.focus({ preventScroll: true });
  }

  function end() {
    tell(h("p", { class: "headline" }, t("lessonDone")));
    const button = h("button", { type: "button", class: "main", "data-key": "lesson/play", click: () => void playSmall() }, t("playSmall"));
    study.tools.replaceChildren(button, h("a", { class: "button", href: "#/learn" }, t("learn")));
    button.focus({ preventScroll: true });
    announce(t("lessonDone"));
  }

  async function playSmall() {
    const { seats } = await post("api/options", { game: lesson.game, options: lesson.then });
    const others = Array.from({ length: seats - 1 }, () => ({ kind: "engine", agent: "level:1" }));
    const made = await post("api/games", {
      game: lesson.game, options: lesson.then, hints: true, seats: [{ kind: "me", name: pref("name") }, ...others],
    });
    location.hash = made.path.replace(/^\/#/, "");
  }

  await begin();
  return { element: study.element, title };
}
