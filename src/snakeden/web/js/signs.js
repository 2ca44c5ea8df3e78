// Signs on buttons: drawn with the text's colour, 24 by 24, always beside a word.

import { s } from "./dom.js";

/** Lines of each sign. A name that is not here has no sign. @type {{[name: string]: string[]}} */
const LINES = {
  "reroll": ["M20 12a8 8 0 1 1-2.6-5.9", "M20 3v5h-5"],
  "flip": ["M4 8h15", "M15 4l4 4-4 4", "M20 16H5", "M9 12l-4 4 4 4"],
  "unlock": ["M5 11h14v9H5z", "M8 11V7a4 4 0 0 1 7.6-1.8", "M12 15v2"],
  "ignore": ["M5 5l9 7-9 7z", "M19 5v14"],
  "go-on": ["M4 12.5l5 5L20 6.5"],
  "forward": ["M12 21V4", "M6 10l6-6 6 6"],
  "left": ["M19 21v-6a5 5 0 0 0-5-5H4", "M9 5l-5 5 5 5"],
  "right": ["M5 21v-6a5 5 0 0 1 5-5h10", "M15 5l5 5-5 5"],
  "up": ["M12 21V4", "M6 10l6-6 6 6"],
  "down": ["M12 3v17", "M6 14l6 6 6-6"],
  "blockade": ["M4 6h16v12H4z", "M4 12h16", "M10 6v6", "M14 12v6"],
  "escape": ["M3 18c2-9 8-13 14-9", "M13 4l5 5-6 3", "M9 21h3v-4H9z"],
  "crash": ["M12 3l2.2 5.4L20 6l-2 5.4 4 3.6-5.6.6L15 21l-3-4.4L9 21l-1.4-5.4L2 15l4-3.6L4 6l5.8 2.4z"],
  "portal": ["M8 3a4 9 0 1 0 0 18a4 9 0 1 0 0-18", "M10 12h11", "M17 8l4 4-4 4"],
  "jump": ["M3 19c2-12 13-12 15-3", "M14 13l4 4 3-5", "M9 21h3v-4H9z"],
  "raise": ["M12 21V4", "M6 10l6-6 6 6"],
  "turn": ["M20 12a8 8 0 1 1-2.6-5.9", "M20 3v5h-5"],
  "swap": ["M4 8h15", "M15 4l4 4-4 4", "M20 16H5", "M9 12l-4 4 4 4"],
};

/** A sign, or nothing. @param {string} name */
export function sign(name) {
  const lines = LINES[name];
  if (!lines) return "";
  return s("svg", {
    class: "icon", viewBox: "0 0 24 24", width: 22, height: 22, fill: "none", stroke: "currentColor", "stroke-width": 2,
    "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true", focusable: "false",
  }, ...lines.map((d) => s("path", { d })));
}
