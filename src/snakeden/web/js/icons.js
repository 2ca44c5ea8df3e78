// Icons, as lines in a square of 24. They take the colour of the text beside them. Those of actions have the names that the
// server's prompts call them by.

import { s } from "./dom.js";

const LINES = {
  back: "M15 5l-7 7 7 7",
  blockade: "M4 6h16v12H4z M4 12h16 M10 6v6 M14 12v6",
  book: "M12 6c-2-1.5-5-2-9-2v14c4 0 7 .5 9 2 2-1.5 5-2 9-2V4c-4 0-7 .5-9 2zM12 6v14",
  bulb: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.6.5.9 1.2.9 2.2h5.4c0-1 .3-1.7.9-2.2A6 6 0 0 0 12 3z",
  check: "M5 13l4.5 4.5L19 7",
  chevron: "M6 15l6-6 6 6",
  close: "M6 6l12 12M18 6L6 18",
  crash: "M12 3l2.2 5.4L20 6l-2 5.4 4 3.6-5.6.6L15 21l-3-4.4L9 21l-1.4-5.4L2 15l4-3.6L4 6l5.8 2.4z",
  down: "M12 3v17 M6 14l6 6 6-6",
  download: "M12 4v11M8 11l4 4 4-4M5 16v4h14v-4",
  escape: "M3 18c2-9 8-13 14-9 M13 4l5 5-6 3 M9 21h3v-4H9z",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  film: "M4 5h16v14H4zM8 5v14M16 5v14M4 9h4M4 15h4M16 9h4M16 15h4",
  first: "M6 5v14M18 5l-9 7 9 7z",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  flag: "M5 21V4M5 4h13l-3 4.5 3 4.5H5",
  flip: "M4 8h15 M15 4l4 4-4 4 M20 16H5 M9 12l-4 4 4 4",
  forward: "M12 21V4 M6 10l6-6 6 6",
  gear: "M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4",
  "go-on": "M5 13l4.5 4.5L19 7",
  ignore: "M5 5l9 7-9 7z M19 5v14",
  jump: "M3 19c2-12 13-12 15-3 M14 13l4 4 3-5 M9 21h3v-4H9z",
  last: "M18 5v14M6 5l9 7-9 7z",
  learn: "M2 9l10-5 10 5-10 5z M6 11v5c3 3 9 3 12 0v-5 M22 9v6",
  left: "M21 12H4 M10 6l-6 6 6 6",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.700L12 7M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.700L12 17",
  minus: "M5 12h14",
  mirror: "M12 3v18M8 7l-5 10h5zM16 7l5 10h-5z",
  next: "M8 5l9 7-9 7z",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.5-4 3-6 6.5-6s6 2 6.5 6M16 4.500a3.5 3.5 0 0 1 0 6M18 14.500c2 .8 3.2 2.7 3.5 5.5",
  person: "M12 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM5 20c.5-4 3.500-6 7-6s6.500 2 7 6",
  phone: "M8 3h8v18H8zM11 18h2",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 2-2 5 5M15.5 9.500h.01",
  play: "M8 5l11 7-11 7z",
  plus: "M12 5v14M5 12h14",
  portal: "M8 3a4 9 0 1 0 0 18a4 9 0 1 0 0-18 M10 12h11 M17 8l4 4-4 4",
  prev: "M16 5l-9 7 9 7z",
  raise: "M12 21V4 M6 10l6-6 6 6",
  reroll: "M20 12a8 8 0 1 1-2.6-5.9 M20 3v5h-5",
  right: "M3 12h17 M14 6l6 6-6 6",
  share: "M12 15V4M8 7l4-4 4 4M5 12v8h14v-8",
  skip: "M5 5l8 7-8 7zM18 5v14",
  star: "M12 3l2.7 5.8 6.3.7-4.7 4.3 1.3 6.200L12 16.9 6.4 20l1.3-6.200L3 9.500l6.3-.7z",
  swap: "M4 8h15 M15 4l4 4-4 4 M20 16H5 M9 12l-4 4 4 4",
  trophy: "M7 4h10v5a5 5 0 0 1-10 0zM7 6H3.500c0 3 1.5 5 4 5M17 6h3.500c0 3-1.5 5-4 5M12 14v4M8 21h8M9 21c0-2 1-3 3-3s3 1 3 3",
  turn: "M20 12a8 8 0 1 1-2.6-5.9 M20 3v5h-5",
  "turn-left": "M19 21v-6a5 5 0 0 0-5-5H4 M9 5l-5 5 5 5",
  "turn-right": "M5 21v-6a5 5 0 0 1 5-5h10 M15 5l5 5-5 5",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  unlock: "M5 11h14v9H5z M8 11V7a4 4 0 0 1 7.6-1.8 M12 15v2",
  up: "M12 21V4 M6 10l6-6 6 6",
  warning: "M12 4l9 16H3zM12 10v4M12 17h.01",
};

/** @typedef {keyof typeof LINES} IconName */

/** The icons of the steps through a game. */
export const STEPS = /** @type {{[sign: string]: "first" | "prev" | "next" | "last"}} */ ({ "|◀": "first", "◀": "prev", "▶": "next", "▶|": "last" });

/** @param {IconName} name */
export function icon(name) {
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, s("path", { d: LINES[name] }));
}
