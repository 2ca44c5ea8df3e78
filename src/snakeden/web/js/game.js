// One game: the table, who plays, what happened, and what can be done around it.

import { get, insist, Live, post, Refusal } from "./api.js";
import { chancesBar, Curve, Outlook } from "./chances.js";
import { announce, h, keepingFocus } from "./dom.js";
import { celebrate, endCard } from "./end.js";
import { keepOnFirstScreen } from "./first-screen.js";
import { agentName, capital, engineName, phrase, seatName, sitting, t } from "./i18n.js";
import { icon, STEPS } from "./icons.js";
import { asksForKeys, showKeys } from "./keys.js";
import { nothingHere } from "./nowhere.js";
import { Playback } from "./playback.js";
import { face } from "./shapes.js";
import { invitations, shareMenu } from "./share.js";
import { play } from "./sound.js";
import { Table } from "./table.js";

/** How the server answers where an address is none of a game, and where there is no game at it. */
const NO_ADDRESS = 422;
const NO_GAME = [404, NO_ADDRESS];

/** The most moves that a line names. */
const MOST_TOLD = 16;

/** Moves of more letters than this, on average, are listed one below the other. */
const WORDY = 22;

/** A move that brings more than this has joined something. */
const MUCH = 4;

/** @typedef {any} State what the server says about a game, as docs/server-api.md describes it */

export class GamePage {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.path = `api/games/${encodeURIComponent(id)}`;
    this.title = "Snakeden";
    this.closed = false;
    /** @type {State | null} */
    this.state = null;
    /** @type {number | null} the ply that is looked at instead of the newest */
    this.looking = null;
    /** @type {import("./draw.js").Scene | null} the position that is shown instead of the newest */
    this.instead = null;
    /** How many plies the board has shown. */
    this.shown = 0;
    this.playback = new Playback(async (ply) => (await get(`${this.path}/position?ply=${ply}`)).scene, (ply, scene) => this.showStep(ply, scene));
    this.told = -1;
    /** @type {{ply: number, scores: number[]}} how the game stood when something was last heard of it */
    this.heard = { ply: 0, scores: [] };
    /** @type {number | null} the seat whose player is asked whether they really give up */
    this.leaving = null;
    /** Whether the others have just refused to have a move taken back. */
    this.declined = false;
    /** @type {any} */
    this.advice = null;

    this.table = new Table({
      play: (move) => void this.play(move),
      why: async (piece, turn, places) => (await post(`${this.path}/why`, { piece, turn, places })).reason,
      preview: async (move, signal) => (await post(`${this.path}/preview`, { move }, signal)).scene,
    });
    this.outlook = new Outlook(this.path, (seat) => this.nameOf(seat));
    this.curve = new Curve(this.path, () => this.drawEnd());
    this.now = h("div", { class: "now" });
    this.link = h("p", { class: "alert lost", role: "alert", hidden: true }, t("lost"));
    this.seats = h("ol", { class: "seats" });
    this.end = h("div", { class: "ending" });
    this.helping = h("div", { class: "helping" });
    /** What the bar has for this game, and what its settings have. */
    this.bar = h("div", { class: "bar" });
    this.settings = h("div", { class: "own-settings" });
    this.moves = h("ol", { class: "moves", tabindex: 0, "aria-label": t("moves") });
    this.problem = h("p", { class: "alert", role: "alert", hidden: true });
    const zoom = (/** @type {string} */ name, /** @type {"plus" | "minus" | "fit"} */ sign, /** @type {() => void} */ click) =>
      h("button", { type: "button", "aria-label": name, title: name, click }, icon(sign));
    this.element = h("div", { class: "game", hidden: true },
      h("h1", { class: "unseen" }, "Snakeden"),
      h("div", { class: "middle" },
        this.problem, this.seats, this.outlook.element,
        h("div", { class: "board-area" }, this.table.boards.element,
          h("div", { class: "zoom" },
            zoom(t("zoomIn"), "plus", () => this.table.zoomBy(1.4)),
            zoom(t("zoomOut"), "minus", () => this.table.zoomBy(1 / 1.4)),
            zoom(t("zoomFit"), "fit", () => this.table.zoomBy(0))))),
      h("div", { class: "side" },
        h("section", { class: "mine" }, this.now, this.end, this.table.dice, this.table.hands, this.table.actions, this.helping),
        this.table.drawer.element,
        h("section", { class: "story surface" }, h("h2", {}, t("moves")), this.moves)));
    keepOnFirstScreen(this.element);
    this.waiting = h("p", { class: "loading", role: "status" }, t("preparing"));
    this.frame = h("div", {}, this.link, this.waiting, this.element);
    this.pressed = (/** @type {KeyboardEvent} */ event) => {
      if (asksForKeys(event)) showKeys();
      else if (event.key === "Escape" && this.playback.running) this.playback.skip();
    };
    document.addEventListener("keydown", this.pressed);
    // Who wants to go on need not watch to the end.
    this.table.boards.element.addEventListener("pointerdown", () => this.playback.running && this.playback.skip());
    this.live = new Live(id, (state) => this.take(state), (up) => {
      this.link.hidden = up;
      this.table.boards.element.classList.toggle("stale", !up);
    });
    void get(this.path).catch((error) => {
      if (!(error instanceof Refusal) || this.closed) return;
      if (!NO_GAME.includes(error.status)) {
        this.waiting.replaceChildren(error.message);
        return;
      }
      // There is nothing to come back to.
      this.live.close();
      this.frame.replaceChildren(nothingHere());
    });
  }

  close() {
    this.closed = true;
    this.live.close();
    this.outlook.close();
    this.curve.close();
    this.playback.skip();
    document.removeEventListener("keydown", this.pressed);
    document.querySelector("dialog.keys")?.remove();
    favicon(false);
  }

  /** @param {string} reason */
  fail(reason) {
    this.problem.hidden = !reason;
    this.problem.textContent = reason;
  }

  /** Whether it is this browser's turn. */
  get yours() {
    const { state } = this;
    return Boolean(state && state.status === "running" && this.staying.includes(state.player) && !this.playback.running);
  }

  /** The seats of this browser whose players have not given up. @returns {number[]} */
  get staying() {
    const { you, resigned } = this.state;
    return you.filter((/** @type {number} */ seat) => !resigned.includes(seat));
  }

  /** Take in what the server says. @param {State} state */
  take(state) {
    if (this.state && state.seen < this.state.seen) return;
    const before = this.state;
    const news = before !== null && state.seen !== before.seen;
    this.waiting.hidden = true;
    this.element.hidden = false;
    this.state = state;
    sitting(state.seats, state.you);
    if (news) this.advice = this.leaving = null;
    if (news) this.declined = before?.undo && !state.undo && state.ply === before.ply && state.you.includes(before.undo.seat);
    if (this.looking !== null && this.looking >= state.ply) this.looking = this.instead = null;
    if (!news || state.ply < this.shown) this.shown = state.ply;
    if (this.playback.running) return;
    const ahead = state.ply - this.shown;
    if (this.looking === null && (ahead > 1 || (ahead === 1 && this.playback.early))) void this.follow();
    else this.arrive(news);
  }

  /** Show one after the other what happened since the board was last drawn. */
  async follow() {
    const shown = this.playback.run(this.shown, () => this.state);
    keepingFocus(() => this.drawNow(), this.table.boards.element);
    await shown;
    if (this.closed || this.looking !== null) return;
    this.instead = null;
    this.arrive(true);
  }

  /** @param {number} ply @param {import("./draw.js").Scene} scene */
  showStep(ply, scene) {
    if (this.closed || this.looking !== null) return;
    this.shown = ply;
    this.instead = scene;
    this.draw();
    const rolled = this.state.plies[ply - 1]?.[0] === null;
    play(rolled ? "roll" : "lay");
    this.table.show(scene, null, false, rolled);
  }

  /** The newest position is there to be seen. @param {boolean} news whether it was not before */
  arrive(news) {
    const { state } = this;
    this.shown = state.ply;
    this.draw();
    this.playback.shown();
    if (state.targets === null && this.yours) void this.askTargets(state.seen);
    if (news && state.seen !== this.told) {
      this.told = state.seen;
      announce([this.happened(), this.headline()].filter(Boolean).join(". "));
      this.sound();
    }
    favicon(this.yours);
    document.title = `${this.yours ? `● ${t("yourTurn")} – ` : ""}${state.name} – Snakeden`;
  }

  /** Ask for the legal moves where there are too many for every state to list them. @param {number} seen */
  async askTargets(seen) {
    const found = await get(`${this.path}/targets`).catch(() => null);
    if (this.closed || this.state.seen !== seen) return;
    if (found?.seen !== seen) {
      setTimeout(() => { if (this.state.seen === seen && !this.closed) void this.askTargets(seen); }, 2000);
      return;
    }
    this.state.targets = found.targets;
    this.draw();
  }

  /** What has happened, to be heard. */
  sound() {
    const { state, heard } = this;
    this.heard = { ply: state.ply, scores: state.scores };
    if (state.status === "over") play("win");
    else if (state.ply > heard.ply) {
      const grew = Math.max(...state.scores.map((/** @type {number} */ score, /** @type {number} */ seat) => score - (heard.scores[seat] ?? score)));
      play(state.plies.at(-1)[0] === null ? "roll" : grew > MUCH ? "join" : "lay");
    } else if (this.yours) play("turn");
  }

  draw() {
    if (this.state) keepingFocus(() => this.redraw(), this.table.boards.element);
  }

  redraw() {
    const { state } = this;
    const heading = this.element.querySelector("h1");
    if (heading) heading.textContent = state.name;
    const where = document.querySelector(".where");
    if (where) where.textContent = state.name;
    const others = state.seats.length;
    // Where one browser plays for several, the hand of who is to move lies nearest.
    const near = state.you.length > 1 && state.you.includes(state.player) ? [state.player] : state.you;
    this.table.own = new Set(near.flatMap((/** @type {number} */ seat) => [`seat${seat}`, `seat${seat + others}`]));
    const rolled = state.ply > 0 && state.plies.at(-1)[0] === null;
    if (!this.instead) this.table.show(state.scene, state.targets, this.yours, rolled);
    this.element.classList.toggle("playing", state.status === "running" && state.you.length > 0);
    this.element.classList.toggle("looking", this.looking !== null);
    this.element.classList.toggle("waiting", state.status === "waiting");
    this.drawNow();
    this.drawEnd();
    if (this.ended) celebrate(this.table.boards.element, state.scene);
    this.drawSeats();
    this.drawAround();
    this.drawMoves();
    this.outlook.show(state, this.looking !== null);
  }

  // ---- words

  /** @param {number | null} seat */
  nameOf(seat) {
    return seat === null ? "" : seatName(this.state.seats[seat], seat);
  }

  /** What is said of the position on the board. */
  headlineShown() {
    if (this.looking !== null) return this.whereLooking(this.looking);
    return this.playback.running ? t("playingBack") : this.headline();
  }

  /** @param {number} ply */
  whereLooking(ply) {
    return ply ? t("looking", { n: ply, all: this.state.ply }) : t("lookingStart");
  }

  /** How the game stands now. */
  headline() {
    const { state } = this;
    if (state.status === "waiting") return this.awaited.length ? t("waitingFor", { names: this.awaited }) : t("waiting");
    if (state.status === "over") {
      if (state.seats.length === 1) return phrase(state.scene.title.rating ?? this.finalScore);
      const names = state.winners.map((/** @type {number} */ seat) => this.nameOf(seat));
      if (state.winners.length > 1) return t("shared", { names });
      const alone = state.you.length === 1 && state.winners.includes(state.you[0]);
      return alone ? t("youWon") : t("youLost", { names });
    }
    if (this.yours) {
      const here = state.you.length > 1 ? ` – ${this.nameOf(state.player)}` : "";
      return t("yourTurn") + here;
    }
    const engine = state.seats[state.player]?.kind === "engine";
    return t(engine ? "thinking" : "turnOf", { name: this.nameOf(state.player) });
  }

  /** Who is known by name and has not sat down yet. @returns {string[]} */
  get awaited() {
    return this.state.seats.filter((/** @type {any} */ seat) => !seat.taken && seat.name).map((/** @type {any} */ seat) => seat.name);
  }

  /** How a game for one player ended. */
  get finalScore() {
    return t("ended", { score: phrase(this.state.scores[0]) });
  }

  /** What happened last, in a line: all of a turn that was not one's own. */
  happened() {
    const { status, resigned, plies, you } = this.state;
    // What the position says of who is to move or leads may not be so after this.
    if (status === "over" && resigned.length && this.looking === null) return resigned.map((/** @type {number} */ seat) => t("gaveUp", { name: this.nameOf(seat) })).join(", ");
    const end = this.looking ?? this.shown;
    const last = plies[end - 1];
    if (!last) return "";
    // A step that is looked at, or a move of one's own, stands for itself; what others did belongs together.
    let from = end - 1;
    const alone = this.looking !== null || this.playback.running || you.includes(last[0]);
    while (!alone && from > 0 && (plies[from - 1][0] === null || plies[from - 1][0] === last[0] || (last[0] === null && !you.includes(plies[from - 1][0])))) from--;
    const told = plies.slice(from, end);
    const words = (/** @type {any[][]} */ some) => some.map(([, , said]) => phrase(said)).join(" · ");
    // Of a turn it is shown what was done, not every die that fell on the way. Dice that fell last may be the next player's.
    const acts = told.filter((/** @type {any[]} */ [one]) => one !== null).slice(-MOST_TOLD);
    const rolled = told.slice(told.findLastIndex((/** @type {any[]} */ [one]) => one !== null) + 1);
    return [acts.length && t("last", { name: this.nameOf(acts.at(-1)[0]), move: words(acts) }),
      rolled.length && t("rolled", { roll: words(rolled) })].filter(Boolean).join(". ");
  }

  // ---- parts

  drawNow() {
    const { state } = this;
    const { ended, looking } = this;
    const back = this.yours ? `${t("toNewest")} – ${this.headline()}` : t("toNewest");
    const look = `headline ${this.yours && looking === null ? "yours" : ""} ${ended ? "over" : ""} ${ended && state.winners.length > 1 ? "several" : ""}`;
    const seat = ended ? (state.winners.length === 1 ? state.winners[0] : null) : this.seatShown();
    this.now.replaceChildren(
      h("p", { class: `${look} ${seat === null ? "" : `r-seat${seat}`}` },
        seat !== null && face(`seat${seat}`, ended ? "happy" : "open"), capital(this.headlineShown())),
      ended && state.seats.length > 1 && state.winners.some((/** @type {number} */ one) => state.you.includes(one))
        && h("span", { class: "ribbon", "aria-hidden": "true" }, icon("trophy")) || "",
      ...[!ended || state.resigned.length ? this.happened() : state.seats.length > 1 || !state.scene.title.rating ? "" : this.finalScore]
        .filter(Boolean).map((words) => h("p", { class: "happened" }, words)),
      this.playback.running && h("button", { type: "button", "data-do": "skip", "data-key": "skip", click: () => this.playback.skip() }, t("skip")) || "",
      !state.you.length && h("p", { class: "happened" }, t("youWatch")) || "",
      looking !== null && h("button", { type: "button", class: "main", "data-key": "to-newest", click: () => void this.look(state.ply) }, back) || "",
      ...invitations(this.path, state, (reason) => this.fail(reason)),
      ...this.undoing());
  }

  /** The seat that acts in the position that is shown: what a roll belongs to is the turn it is part of. @returns {number | null} */
  seatShown() {
    const { state } = this;
    if (this.looking !== null) return playerIn(this.instead);
    if (!this.playback.running) return state.player;
    const done = state.plies.slice(0, this.shown).map((/** @type {any[]} */ [seat]) => seat);
    return done.findLast((/** @type {number | null} */ seat) => seat !== null) ?? state.player;
  }

  /** The way to the next game, for players and for those who watched. */
  again() {
    const { state } = this;
    if (state.you.length) {
      return h("button", { type: "button", class: "main", "data-do": "rematch", "data-key": "around/rematch", click: () => void this.rematch() },
        state.rematch ? t("rematchReady") : t("rematch"));
    }
    return state.rematch ? h("a", { class: "button main", "data-do": "follow", href: `#/game/${state.rematch}` }, t("rematchWatch")) : "";
  }

  /** Whether the end is what is shown. */
  get ended() {
    return this.state.status === "over" && this.looking === null && !this.playback.running;
  }

  drawEnd() {
    const { state } = this;
    this.element.classList.toggle("finished", state.status === "over");
    this.element.classList.toggle("ended", this.ended);
    if (this.ended) this.curve.want(state);
    const card = this.ended ? [endCard(state, (seat) => this.nameOf(seat), this.curve, this.path, this.again())] : [];
    // It comes in once, not with everything that becomes known later.
    if (this.end.childElementCount) card[0]?.classList.add("still");
    keepingFocus(() => this.end.replaceChildren(...card));
  }

  /** @returns {HTMLElement[]} */
  undoing() {
    const { undo, you, seen } = this.state;
    if (!undo) return this.declined && you.length ? [h("p", { class: "asking" }, t("undoRefused"))] : [];
    const asked = t("undoAsked", { name: this.nameOf(undo.seat) });
    if (!undo.missing.some((/** @type {number} */ seat) => you.includes(seat))) {
      return [h("p", { class: "asking" }, you.includes(undo.seat) ? t("undoWaiting") : asked)];
    }
    const answer = (/** @type {boolean} */ allow) => () => void this.act("undo/answer", { allow, seen });
    return [h("div", { class: "asked" }, h("p", {}, asked),
      h("button", { type: "button", "data-key": "undo/allow", click: answer(true) }, t("allow")),
      h("button", { type: "button", "data-key": "undo/refuse", click: answer(false) }, t("refuse")))];
  }

  drawSeats() {
    const { state } = this;
    // What is shown beside the board belongs to the position on it.
    const scores = this.instead ? this.instead.seats.map((seat) => seat.score) : state.scores;
    this.seats.replaceChildren(...state.seats.map((/** @type {any} */ _, /** @type {number} */ n) => {
      const turn = n === (this.instead ? playerIn(this.instead) : state.player);
      const won = !this.instead && state.winners.includes(n);
      const left = this.looking === null && state.resigned.includes(n);
      const { agent, name, taken } = state.seats[n];
      const plain = !name;
      return h("li", { class: `seat r-seat${n} ${taken ? "" : "free"} ${state.you.includes(n) ? "you" : ""} ${turn ? "turn" : ""} ${won ? "won" : ""} ${left ? "left" : ""}`, "aria-current": turn ? "true" : null },
        h("span", { class: "portrait" }, face(`seat${n}`, won ? "happy" : left || this.ended || !taken ? "shut" : "open"),
          won && state.seats.length > 1 && h("span", { class: "star", "aria-hidden": "true" }, icon("star"))),
        h("span", { class: "who" }, capital(plain && !taken ? t("freeSeat") : plain && agent ? engineName(state.seats[n], n, "engine") : this.nameOf(n)), plain && agent && h("small", {}, agentName(agent))),
        left && h("small", {}, t("left")) || "",
        h("span", { class: "score", "aria-label": t("score", { n: scores[n] }) }, phrase(scores[n])));
    }));
  }

  drawAround() {
    keepingFocus(() => this.replaceAround(), this.table.boards.element);
  }

  replaceAround() {
    const { state } = this;
    const playing = state.you.length > 0 && state.status === "running" && this.looking === null;
    const moved = state.plies.some((/** @type {any} */ [seat]) => state.you.includes(seat));
    const button = (/** @type {string} */ name, /** @type {"bulb" | "undo" | "flag"} */ sign, /** @type {string} */ words, /** @type {() => void} */ click, off = false) =>
      h("button", { type: "button", class: "plain", "data-do": name, "data-key": `around/${name}`, disabled: off, click }, icon(sign), words);
    const row = h("div", { class: "tools" });
    if (playing) {
      if (state.hints) row.append(button("hint", "bulb", t("hint"), () => void this.hint(), !this.yours));
      row.append(button("undo", "undo", t("undo"), () => void this.act("undo", { seen: state.seen }), !moved || Boolean(state.undo)));
      if (this.staying.length) row.append(button("resign", "flag", this.leaving === null ? t("resign") : this.leavingAsked(this.leaving), () => this.giveUp()));
    }
    this.helping.replaceChildren(row, ...this.advised());
    this.bar.replaceChildren(
      h("a", { class: "button plain", "data-key": "around/rules", href: `#/rules/${state.game}`, target: "_blank", "aria-label": t("rules") }, icon("book"), h("span", { class: "wide" }, t("rules"))),
      shareMenu(this.path, state));
    this.settings.replaceChildren(
      state.you.length > 0 && state.status === "running" && state.hints ? this.outlook.control(state) : "",
      h("button", { type: "button", class: "keys-button", "data-key": "header/keys", click: showKeys }, t("keys"), h("kbd", {}, "?")));
  }

  /** @param {number} seat */
  leavingAsked(seat) {
    return t("resignSure") + (this.state.you.length > 1 ? ` – ${this.nameOf(seat)}` : "");
  }

  /** @returns {HTMLElement[]} */
  advised() {
    const { advice, table } = this;
    if (!advice || this.looking !== null) return [];
    if (advice === "thinking") return [h("p", { role: "status" }, t("hintThinking"))];
    const wins = advice.lines[0]?.wins ?? [];
    const look = h("button", {
      type: "button", "data-do": "show-hint", "data-key": "around/show-hint", blur: () => table.unpreview(),
      click: () => {
        if (table.previewed === advice.move) return table.unpreview();
        // On a phone what was read may have pushed the board out of sight.
        table.boards.element.scrollIntoView({ block: "nearest" });
        return void table.preview(advice.move);
      },
    }, t("hintShow"));
    const parts = [h("p", {}, h("strong", {}, t("hintMove", { move: advice.said }))),
      advice.does.length > 0 && h("p", { class: "does" }, capital(`${advice.does.map(phrase).join("; ")}.`)) || "", look,
      h("ul", {}, ...advice.words.map((/** @type {string} */ words) => h("li", {}, phrase(words))))];
    const better = advice.lines.some((/** @type {any} */ line) => line.wins[advice.seat] > wins[advice.seat] + 0.005);
    if (wins.length > 1 && better) parts.push(h("p", { class: "does" }, t("hintSurer")));
    if (wins.length > 1) {
      const names = wins.map((/** @type {number} */ _, /** @type {number} */ seat) => this.nameOf(seat));
      parts.push(h("p", {}, t("chances")), chancesBar(wins, names));
    }
    return [h("section", { class: "advice-box", role: "status" }, ...parts)];
  }

  drawMoves() {
    const { plies, ply } = this.state;
    const at = this.looking ?? (this.playback.running ? this.shown : ply);
    const step = (/** @type {string} */ name, /** @type {string} */ sign, /** @type {number} */ to, /** @type {boolean} */ off) =>
      h("button", { type: "button", "aria-label": name, title: name, disabled: off, "data-step": sign, "data-key": `step/${sign}`, click: () => void this.look(to) }, icon(STEPS[sign]));
    const steps = h("li", { class: "steps" },
      step(t("first"), "|◀", 0, at === 0), step(t("previous"), "◀", at - 1, at === 0),
      step(t("next"), "▶", at + 1, at === ply), step(t("newest"), "▶|", ply, at === ply));
    const lines = plies.map((/** @type {any} */ [seat, , said], /** @type {number} */ i) =>
      h("li", { class: seat === null ? "roll" : `r-seat${seat}` },
        h("button", { type: "button", "data-key": `ply/${i}`, "aria-current": at === i + 1 ? "true" : null, "aria-label": `${i + 1}. ${this.nameOf(seat)} ${phrase(said)}`, click: () => void this.look(i + 1) },
          h("span", { class: "swatch", "aria-hidden": "true" }), `${i + 1}. ${phrase(said)}`)));
    const letters = lines.reduce((/** @type {number} */ sum, /** @type {HTMLElement} */ line) => sum + (line.textContent?.length ?? 0), 0);
    this.moves.classList.toggle("wordy", letters > WORDY * lines.length);
    keepingFocus(() => this.moves.replaceChildren(steps, ...lines), this.moves);
    const current = this.moves.querySelector("[aria-current=true]");
    if (current instanceof HTMLElement) this.moves.scrollTop = current.offsetTop - this.moves.clientHeight + current.offsetHeight + 8;
    else this.moves.scrollTop = 0;
  }

  // ---- deeds

  /** @param {string} move */
  async play(move) {
    await this.act("play", { move, seen: this.state.seen });
  }

  /** Do something, however often it takes to get it through. @param {string} verb @param {object} body */
  async act(verb, body) {
    this.fail("");
    try {
      await insist(`${this.path}/${verb}`, body, () => !this.closed);
    } catch (error) {
      if (this.closed) return;
      this.fail(error instanceof Error ? error.message : "");
      this.draw();
    }
  }

  /** Give up for one seat, after it was asked whether that is really meant. */
  giveUp() {
    const { staying, leaving } = this;
    if (leaving === null) this.leaving = staying.includes(this.state.player) ? this.state.player : staying[0];
    else {
      this.leaving = null;
      void this.act("resign", { seat: leaving });
    }
    this.drawAround();
  }

  async hint() {
    const { seen } = this.state;
    this.advice = "thinking";
    this.drawAround();
    try {
      const advice = await post(`${this.path}/hint`);
      this.advice = this.state.seen === seen ? advice : null;
      // The bar says the same: it was asked for with less thought.
      if (this.advice && advice.lines.length) this.outlook.take(this.state, advice.lines[0]);
    } catch (error) {
      this.advice = null;
      this.fail(error instanceof Error ? error.message : "");
    }
    this.drawAround();
    // As much of it as says what to play: the board stays in sight.
    if (this.advice) this.helping.querySelector("[data-do=show-hint]")?.scrollIntoView({ block: "nearest" });
  }

  async rematch() {
    try {
      const next = await post(`${this.path}/rematch`);
      if (!this.closed) location.hash = next.path.replace(/^\/#/, "");
    } catch (error) {
      this.fail(error instanceof Error ? error.message : "");
    }
  }

  /** Look at the position after some plies. @param {number} ply */
  async look(ply) {
    const { state } = this;
    this.fail("");
    this.playback.skip();
    if (ply >= state.ply) {
      this.looking = this.instead = null;
      this.draw();
      return;
    }
    this.looking = ply;
    let scene;
    try {
      ({ scene } = await get(`${this.path}/position?ply=${ply}`));
    } catch (error) {
      if (this.looking !== ply || this.closed) return;
      // Back to the newest: while something else is looked at, the board does not follow the game.
      this.looking = this.instead = null;
      this.fail(error instanceof Error ? error.message : "");
      this.draw();
      return;
    }
    if (this.looking !== ply || this.closed) return;
    this.instead = scene;
    this.table.boards.element.scrollIntoView({ block: "nearest" });
    this.table.show(scene, null, false);
    this.draw();
    announce(`${this.whereLooking(ply)}. ${phrase(scene.title)}`);
  }
}

/** The seat that is to move in a position. @param {import("./draw.js").Scene | null} scene @returns {number | null} */
function playerIn(scene) {
  const found = scene?.seats.findIndex((seat) => seat.status === "to move") ?? -1;
  return found < 0 ? null : found;
}

/** @param {boolean} turn */
function favicon(turn) {
  document.querySelector("link[rel=icon]")?.setAttribute("href", turn ? "favicon-turn.svg" : "favicon.svg");
}
