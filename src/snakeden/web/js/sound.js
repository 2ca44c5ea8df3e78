// A short sound when it is your turn; silent unless it was switched on.

import { pref } from "./prefs.js";

/** @type {AudioContext | null} */
let audio = null;

/** @param {number} pitch */
export function chime(pitch) {
  if (pref("sound") !== "on") return;
  audio ??= new AudioContext();
  const tone = audio.createOscillator();
  const loudness = audio.createGain();
  const now = audio.currentTime;
  tone.frequency.value = pitch;
  loudness.gain.setValueAtTime(0.12, now);
  loudness.gain.exponentialRampToValueAtTime(0.001, now + 0.25);
  tone.connect(loudness).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.25);
}
