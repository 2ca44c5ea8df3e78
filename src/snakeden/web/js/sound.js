// Short sounds, made as they are needed: a tile is laid, snakes join, dice roll, it is your turn, somebody wins. They
// are heard after the first click or key, as browsers want it, and until they are switched off.

import { pref } from "./prefs.js";

/** @typedef {"lay" | "join" | "roll" | "turn" | "win"} Sound */

/** @type {AudioContext | null} */
let audio = null;
const wake = () => {
  audio ??= new AudioContext();
  if (audio.state === "suspended") void audio.resume();
};
for (const kind of ["pointerdown", "keydown"]) window.addEventListener(kind, wake, { once: true, capture: true });

/** @param {AudioContext} to @param {number} pitch @param {number} start @param {number} length @param {OscillatorType} [form] */
function tone(to, pitch, start, length, form = "sine") {
  const voice = to.createOscillator();
  const loudness = to.createGain();
  const at = to.currentTime + start;
  voice.type = form;
  voice.frequency.setValueAtTime(pitch, at);
  loudness.gain.setValueAtTime(0.1, at);
  loudness.gain.exponentialRampToValueAtTime(0.001, at + length);
  voice.connect(loudness).connect(to.destination);
  voice.start(at);
  voice.stop(at + length);
}

/** A knock on wood: noise that is soon over. @param {AudioContext} to @param {number} start @param {number} pitch */
function knock(to, start, pitch) {
  const length = Math.floor(to.sampleRate * 0.06);
  const noise = to.createBuffer(1, length, to.sampleRate);
  const data = noise.getChannelData(0);
  for (let i = 0; i < length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 3;
  const source = to.createBufferSource();
  const filter = to.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  source.buffer = noise;
  source.connect(filter).connect(to.destination);
  source.start(to.currentTime + start);
}

/** @param {Sound} sound */
export function play(sound) {
  if (!audio || audio.state !== "running" || pref("sound", "on") !== "on") return;
  const to = audio;
  switch (sound) {
    case "lay": knock(to, 0, 900); break;
    case "join":
      knock(to, 0, 900);
      [392, 494, 587].forEach((pitch, i) => tone(to, pitch, 0.05 + i * 0.07, 0.18, "triangle"));
      break;
    case "roll": [0, 0.07, 0.13, 0.2].forEach((start, i) => knock(to, start, 1400 + 250 * (i % 2))); break;
    case "turn": tone(to, 660, 0, 0.22); break;
    default: [523, 659, 784, 1047].forEach((pitch, i) => tone(to, pitch, i * 0.12, 0.4, "triangle"));
  }
}
