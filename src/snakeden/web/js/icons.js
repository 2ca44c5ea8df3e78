// Icons of the page's own controls, as lines in a square of 24. They take the colour of the text beside them.

import { s } from "./dom.js";

const LINES = {
  back: "M15 5l-7 7 7 7",
  book: "M12 6c-2-1.5-5-2-9-2v14c4 0 7 .5 9 2 2-1.5 5-2 9-2V4c-4 0-7 .5-9 2zM12 6v14",
  bulb: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.6.5.9 1.2.9 2.2h5.4c0-1 .3-1.7.9-2.2A6 6 0 0 0 12 3z",
  check: "M5 13l4.5 4.5L19 7",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2",
  close: "M6 6l12 12M18 6L6 18",
  down: "M6 9l6 6 6-6",
  download: "M12 4v11M8 11l4 4 4-4M5 16v4h14v-4",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  film: "M4 5h16v14H4zM8 5v14M16 5v14M4 9h4M4 15h4M16 9h4M16 15h4",
  first: "M6 5v14M18 5l-9 7 9 7z",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  flag: "M5 21V4M5 4h13l-3 4.5 3 4.5H5",
  flip: "M4 9h13l-3-4M20 15H7l3 4",
  gear: "M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4",
  jump: "M4 18c1-9 12-13 15-3M20 9v6h-6M9 20h6",
  last: "M18 5v14M6 5l9 7-9 7z",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.700L12 7M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.700L12 17",
  minus: "M5 12h14",
  mirror: "M12 3v18M8 7l-5 10h5zM16 7l5 10h-5z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  next: "M8 5l9 7-9 7z",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.5-4 3-6 6.5-6s6 2 6.5 6M16 4.500a3.5 3.5 0 0 1 0 6M18 14.500c2 .8 3.2 2.7 3.5 5.5",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 2-2 5 5M15.5 9.500h.01",
  play: "M8 5l11 7-11 7z",
  plus: "M12 5v14M5 12h14",
  portal: "M12 21c3 0 5-4 5-9s-2-9-5-9-5 4-5 9 2 9 5 9zM2 12h9M8 9l3 3-3 3",
  prev: "M16 5l-9 7 9 7z",
  share: "M12 15V4M8 7l4-4 4 4M5 12v8h14v-8",
  skip: "M5 5l8 7-8 7zM18 5v14",
  sound: "M4 10v4h4l5 4V6L8 10zM17 9a4 4 0 0 1 0 6",
  star: "M12 3l2.7 5.8 6.3.7-4.7 4.3 1.3 6.200L12 16.9 6.4 20l1.3-6.200L3 9.500l6.3-.7z",
  swap: "M4 8h13l-3-4M20 16H7l3 4",
  trophy: "M7 4h10v5a5 5 0 0 1-10 0zM7 6H3.500c0 3 1.5 5 4 5M17 6h3.500c0 3-1.5 5-4 5M12 14v4M8 21h8M9 21c0-2 1-3 3-3s3 1 3 3",
  turn: "M20 11a8 8 0 1 0-2.3 6M20 4v7h-7",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  unlock: "M6 11h12v9H6zM9 11V7.500a3.5 3.5 0 0 1 6.8-1",
  up: "M6 15l6-6 6 6",
  warning: "M12 4l9 16H3zM12 10v4M12 17h.01",
};

/** @param {keyof typeof LINES} name */
export function icon(name) {
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, s("path", { d: LINES[name] }));
}
