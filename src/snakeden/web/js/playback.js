// What others did and what the dice showed, one step after the other, at a pace that can be followed.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { pref, setPref } from "./prefs.js";

/** Milliseconds that a step is shown. @type {{[pace: string]: number}} */
const PACES = { slow: 800, normal: 550, fast: 400, off: 0 };

/** How long a step is shown now: not at all where nothing should move by itself, or nobody looks. */
function stepTime() {
  if (document.hidden || window.matchMedia("(prefers-reduced-motion: reduce)").matches) return 0;
  return PACES[pref("pace", "normal")] ?? PACES.normal;
}

/** How fast moves are played back. */
export function paceControl() {
  const words = /** @type {[string, string][]} */ ([["slow", t("paceSlow")], ["normal", t("paceNormal")], ["fast", t("paceFast")], ["off", t("paceOff")]]);
  return h("label", {}, t("pace"), h("select", {
    name: "pace", "data-key": "pace", change: (event) => setPref("pace", event.target.value),
  }, ...words.map(([value, said]) => h("option", { value, selected: value === pref("pace", "normal") }, said))));
}

export class Playback {
  /**
   * @param {(ply: number) => Promise<any>} scene of the position after this many plies
   * @param {(ply: number, scene: any) => void} show
   */
  constructor(scene, show) {
    this.scene = scene;
    this.show = show;
    /** Whether steps are being shown. */
    this.running = false;
    /** @type {() => void} ends the pause after a step */
    this.goOn = () => {};
    this.skipped = false;
    /** Until when the position on the board should stay there. */
    this.until = 0;
  }

  /** Whether the position on the board has hardly been seen. */
  get early() {
    return performance.now() < this.until;
  }

  /** A position has been put on the board. */
  shown() {
    this.until = performance.now() + stepTime();
  }

  /** Let the position on the board be seen. */
  pause() {
    return new Promise((done) => {
      const timer = setTimeout(done, this.until - performance.now());
      this.goOn = () => {
        clearTimeout(timer);
        done(undefined);
      };
    });
  }

  /** Show what is newest at once. */
  skip() {
    this.skipped = true;
    this.goOn();
  }

  /**
   * Show the positions after these plies, each for a while; those that come meanwhile are shown too.
   * @param {number} from this many plies are shown already
   * @param {() => {plies: any[][], you: number[]}} newest the game as it stands
   * @returns {Promise<void>} when the newest position is next
   */
  async run(from, newest) {
    this.running = true;
    this.skipped = false;
    if (this.early) await this.pause();
    for (let ply = from + 1; ply < newest().plies.length && !this.skipped; ply++) {
      const { plies, you } = newest();
      const own = you.includes(plies[ply - 1][0]);
      // Who throws dice wants to see them fall, not that they were thrown.
      if (own && plies[ply][0] === null) continue;
      const scene = stepTime() ? await this.scene(ply).catch(() => null) : null;
      if (!scene || this.skipped) break;
      this.show(ply, scene);
      this.shown();
      await this.pause();
    }
    this.running = false;
  }
}
