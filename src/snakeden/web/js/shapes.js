// Bodies, heads, tails and signs, as `snakeden.drawing.svg` draws them. Colours come from the style sheet: an element
// has a class that says which colour of its role it shows.

import { s } from "./dom.js";

/** @typedef {[number, number]} Point */

const round = (/** @type {number} */ n) => Math.round(n * 1000) / 1000;
const xy = (/** @type {Point} */ p) => `${round(p[0])} ${round(p[1])}`;

/** @param {Point} a @param {Point} b @param {number} share @returns {Point} */
const between = (a, b, share) => [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];

/** A point so far ahead of, and to the right of, another.
 * @param {Point} p @param {number} angle @param {number} along @param {number} across @returns {Point} */
const ahead = (p, angle, along, across) => [
  p[0] + along * Math.cos(angle) - across * Math.sin(angle),
  p[1] + along * Math.sin(angle) + across * Math.cos(angle),
];

/** @param {Point} from @param {Point} to */
const towards = (from, to) => Math.atan2(to[1] - from[1], to[0] - from[0]);

/** The middle line of a body: through the middles of its steps, bending at its points.
 * @param {{points: Point[], closed?: boolean, start?: string, end?: string}} path */
export function bodyLine(path) {
  const points = path.points;
  const n = points.length;
  if (path.closed) {
    const middles = points.map((p, i) => between(p, points[(i + 1) % n], 0.5));
    const curves = points.map((_, i) => `Q${xy(points[(i + 1) % n])} ${xy(middles[(i + 1) % n])}`);
    return `M${xy(middles[0])}${curves.join("")}Z`;
  }
  if (n === 1) return `M${xy(points[0])}l0 0`;
  const middles = points.slice(1).map((p, i) => between(points[i], p, 0.5));
  let told = path.start === "tail" ? `M${xy(middles[0])}` : `M${xy(points[0])}L${xy(middles[0])}`;
  for (let i = 1; i < n - 1; i++) told += `Q${xy(points[i])} ${xy(middles[i])}`;
  return path.end === "tail" ? told : `${told}L${xy(points[n - 1])}`;
}

/** @param {Point[]} points @param {boolean} [closed] */
export function polygon(points, closed = true) {
  return points.map((p, i) => `${i ? "L" : "M"}${xy(p)}`).join("") + (closed ? "z" : "");
}

/** @param {number} x @param {number} y @param {string} shape @param {number} size @returns {Point[]} */
export function corners(x, y, shape, size) {
  if (shape === "hex") {
    const r = size / Math.sqrt(3);
    return [0, 1, 2, 3, 4, 5].map((i) => {
      const angle = ((60 * i - 90) * Math.PI) / 180;
      return [x + r * Math.cos(angle), y + r * Math.sin(angle)];
    });
  }
  const d = size / 2;
  return [[x - d, y - d], [x + d, y - d], [x + d, y + d], [x - d, y + d]];
}

/** @param {Point} tip @param {Point} root @param {number} width @param {number} line */
function tail(tip, root, width, line) {
  const angle = towards(root, tip);
  const length = Math.hypot(tip[0] - root[0], tip[1] - root[1]) * 1.45;
  const half = width / 2;
  const at = (/** @type {number} */ x, /** @type {number} */ y) => xy(ahead(root, angle, x, y));
  const d =
    `M${at(-0.004, -half)}C${at(length * 0.4, -half)} ${at(length * 0.75, -half * 0.3)} ${at(length, 0)}` +
    `C${at(length * 0.75, half * 0.3)} ${at(length * 0.4, half)} ${at(-0.004, half)}`;
  return s("path", { d, class: "fill lined", "stroke-width": line, "stroke-linejoin": "round" });
}

/** A head with eyes and a tongue, looking along `angle`. @param {Point} at @param {number} angle @param {number} w */
function head(at, angle, w) {
  const p = (/** @type {number} */ x, /** @type {number} */ y) => xy(ahead(at, angle, x * w, y * w));
  const fork = `M${p(0.62, 0)}L${p(0.86, 0)}L${p(1, -0.09)}L${p(0.86, 0)}L${p(1, 0.09)}`;
  const shape =
    `M${p(-0.42, -0.47)}C${p(-0.1, -0.72)} ${p(0.68, -0.6)} ${p(0.68, 0)}` +
    `C${p(0.68, 0.6)} ${p(-0.1, 0.72)} ${p(-0.42, 0.47)}`;
  const parts = [
    s("g", { class: "r-tongue" }, s("path", { d: fork, class: "lined hollow", "stroke-width": w * 0.07 })),
    s("path", { d: shape, class: "fill lined", "stroke-width": w * 0.08, "stroke-linejoin": "round" }),
  ];
  for (const side of [-1, 1]) {
    const [x, y] = ahead(at, angle, 0.18 * w, side * 0.3 * w);
    const [px, py] = ahead(at, angle, 0.23 * w, side * 0.31 * w);
    parts.push(
      s("g", { class: "r-eyeball" },
        s("circle", { cx: round(x), cy: round(y), r: w * 0.15, class: "fill" }),
        s("circle", { cx: round(px), cy: round(py), r: w * 0.075, class: "dark" })),
    );
  }
  return parts;
}

/** A snake of one piece, rolled up. @param {Point} at @param {number} width */
function coil(at, width) {
  const turns = Array.from({ length: 19 }, (_, step) =>
    ahead(at, Math.PI * (0.5 + step / 8), width * (0.68 - 0.026 * step), 0));
  const d = polygon(turns, false);
  const round_ = { "stroke-linecap": "round", "stroke-linejoin": "round" };
  return [
    s("path", { d, class: "lined hollow", "stroke-width": width * 0.42, ...round_ }),
    s("path", { d, class: "filled hollow", "stroke-width": width * 0.34, ...round_ }),
    ...head(ahead(at, 0, width * 0.02, -width * 0.02), 0.6, width * 0.62),
  ];
}

/** The pattern on a body's back by seat: colour is never the only signal. */
const PATTERNS = /** @type {{[role: string]: string}} */ ({
  seat0: "bands", seat1: "dots", seat2: "stripe", seat3: "dashes", seat4: "rails",
});

/** @param {string} name @param {string} d @param {number} w */
function pattern(name, d, w) {
  if (name === "rails") {
    return [
      s("path", { d, class: "marked hollow", "stroke-width": w * 0.55 }),
      s("path", { d, class: "filled hollow", "stroke-width": w * 0.3 }),
    ];
  }
  const kinds = /** @type {{[name: string]: object}} */ ({
    bands: { "stroke-width": w * 0.62, "stroke-dasharray": `${round(w * 0.16)} ${round(w * 0.4)}` },
    dots: { "stroke-width": w * 0.34, "stroke-dasharray": `0 ${round(w * 0.62)}`, "stroke-linecap": "round" },
    stripe: { "stroke-width": w * 0.2 },
    dashes: {
      "stroke-width": w * 0.22, "stroke-dasharray": `${round(w * 0.55)} ${round(w * 0.45)}`, "stroke-linecap": "round",
    },
  });
  return [s("path", { d, class: "marked hollow", "stroke-dashoffset": -0.3 * w, ...kinds[name] })];
}

/**
 * @typedef {{points: Point[], role: string, width?: number, start?: string, end?: string, closed?: boolean,
 *   seams?: number[], weight?: number}} PathItem
 */

/** @param {PathItem} path */
export function snake(path) {
  const { points, width = 0.5, start = "round", end = "round", closed = false, seams = [] } = path;
  const n = points.length;
  const line = Math.min(0.05, width * 0.1);
  const d = bodyLine(path);
  const lone = n === 1;
  if (lone && start === "tail" && end === "head") return coil(points[0], width);
  const caps = [[start, points[0]], [end, points[n - 1]]]
    .filter(([cap]) => cap === "round" || cap === "hole")
    .map(([, point]) => `M${xy(/** @type {Point} */ (point))}l0 0`)
    .join("");
  /** @type {SVGElement[]} */
  const parts = [];
  for (const [colour, broad] of /** @type {[string, number][]} */ ([["lined", width], ["filled", width - 2 * line]])) {
    if (caps) parts.push(s("path", { d: caps, class: `${colour} hollow`, "stroke-width": broad, "stroke-linecap": "round" }));
    parts.push(s("path", { d, class: `${colour} hollow`, "stroke-width": broad, "stroke-linejoin": "round" }));
  }
  const own = PATTERNS[path.role];
  if (own && !lone) parts.push(...pattern(own, d, width - 2 * line));
  for (const seam of seams) {
    const i = Math.floor(seam);
    const a = points[i];
    const b = closed ? points[(i + 1) % n] : points[Math.min(i + 1, n - 1)];
    const last = a === b;
    const angle = last ? towards(points[i - 1], a) : towards(a, b);
    const at = last ? a : between(a, b, seam - i);
    parts.push(s("path", {
      d: `M${xy(ahead(at, angle, 0, -width * 0.46))}L${xy(ahead(at, angle, 0, width * 0.46))}`,
      class: "lined", "stroke-width": line * 0.9,
    }));
  }
  /** @type {[string, Point, Point][]} */
  const ends = [[start, points[0], points[Math.min(1, n - 1)]], [end, points[n - 1], points[Math.max(n - 2, 0)]]];
  for (const [cap, tip, other] of ends) {
    if (cap === "tail" && !lone && !closed) parts.push(tail(tip, between(tip, other, 0.5), width - line, line));
  }
  for (const [cap, tip, other] of ends) {
    if (cap === "head") parts.push(...head(tip, lone ? 0 : towards(other, tip), width));
  }
  return parts;
}

/** A body that is none: the last move, one pointed at, one considered. @param {PathItem} path */
export function trace(path) {
  const opacity = path.role === "last" ? 0.6 : path.role === "candidate" ? 0.15 + 0.6 * (path.weight ?? 1) : 0.75;
  return [s("path", {
    d: bodyLine(path), class: "filled hollow", "stroke-width": path.width ?? 0.5, opacity,
    "stroke-linecap": "round", "stroke-linejoin": "round",
  })];
}

/**
 * @typedef {{shape: string, x: number, y: number, role: string, size?: number, angle?: number, text?: string,
 *   weight?: number}} MarkItem
 */

/** @param {MarkItem} mark */
export function sign(mark) {
  const { x, y, size = 0.5, angle = 0, shape, role } = mark;
  const turn = (angle * Math.PI) / 180;
  const p = (/** @type {Point} */ q) => ahead([x, y], turn, q[0] * size, q[1] * size);
  const line = { "stroke-linecap": "round", "stroke-linejoin": "round" };
  const circle = { cx: x, cy: y, r: size / 2 };
  const inside = mark.text && ["dot", "ring", "hole"].includes(shape)
    ? [text(x, y, mark.text, ["hole", "dot"].includes(shape) ? "mark" : "dark", size * 0.62, "middle", true)]
    : [];
  const colour = role.startsWith("seat") ? "filled" : "lined";
  const arrow = (/** @type {Point[]} */ points) => {
    const end = points[points.length - 1];
    const way = towards(points[points.length - 2], end);
    const [a, b] = [-1, 1].map((side) => p(ahead(end, way, -0.24, side * 0.2)));
    const [first, ...rest] = points.map(p);
    const bend = rest.length === 2 ? `Q${xy(rest[0])} ${xy(rest[1])}` : `L${xy(rest[0])}`;
    const d = `M${xy(first)}${bend}M${xy(a)}L${xy(p(end))}L${xy(b)}`;
    return s("path", { d, class: `${colour} hollow`, "stroke-width": 0.11 * size, ...line });
  };
  switch (shape) {
    case "dot": return [s("circle", { ...circle, class: "fill", opacity: mark.weight ?? 1 }), ...inside];
    case "ring": return [s("circle", { ...circle, class: "lined hollow", "stroke-width": size * 0.12 }), ...inside];
    case "hole": return [s("circle", { ...circle, class: "fill edged", "stroke-width": size * 0.08 }), ...inside];
    case "cross": {
      const d = `M${xy(p([-0.4, -0.4]))}L${xy(p([0.4, 0.4]))}M${xy(p([-0.4, 0.4]))}L${xy(p([0.4, -0.4]))}`;
      return [s("path", { d, class: "lined", "stroke-width": size * 0.14, ...line })];
    }
    case "star": {
      const tips = Array.from({ length: 10 }, (_, i) => {
        const r = i % 2 ? 0.45 : 1;
        return p([0.5 * r * Math.sin((Math.PI * i) / 5), -0.5 * r * Math.cos((Math.PI * i) / 5)]);
      });
      return [s("path", { d: polygon(tips), class: "fill lined", "stroke-width": size * 0.05, ...line })];
    }
    case "block": {
      /** @type {Point[]} */
      const bricks = [
        [-0.45, -0.15], [0.45, -0.15], [-0.45, 0.15], [0.45, 0.15], [0, -0.45], [0, -0.15],
        [-0.2, -0.15], [-0.2, 0.15], [0.25, -0.15], [0.25, 0.15], [0, 0.15], [0, 0.45],
      ];
      const joints = bricks.map((q, i) => `${i % 2 ? "L" : "M"}${xy(p(q))}`).join("");
      /** @type {Point[]} */
      const square = [[-0.45, -0.45], [0.45, -0.45], [0.45, 0.45], [-0.45, 0.45]];
      return [
        s("path", { d: polygon(square.map(p)), class: "fill lined", "stroke-width": size * 0.06 }),
        s("path", { d: joints, class: "marked", "stroke-width": size * 0.05 }),
      ];
    }
    case "arrow": return [arrow([[-0.42, 0], [0.42, 0]])];
    case "turn-left": return [arrow([[-0.35, 0.15], [0.2, 0.15], [0.2, -0.42]])];
    case "turn-right": return [arrow([[-0.35, -0.15], [0.2, -0.15], [0.2, 0.42]])];
    case "turn-both":
      return [arrow([[-0.4, 0], [0.15, 0], [0.15, -0.42]]), arrow([[-0.4, 0], [0.15, 0], [0.15, 0.42]])];
    default: {
      const at = (/** @type {number} */ dx, /** @type {number} */ dy) => xy([x + dx * size, y + dy * size]);
      const shackle = `M${at(-0.18, 0)}C${at(-0.18, -0.45)} ${at(0.18, -0.45)} ${at(0.18, 0)}`;
      return [
        s("path", { d: shackle, class: "lined hollow", "stroke-width": 0.1 * size }),
        s("rect", {
          x: x - 0.3 * size, y: y - 0.05 * size, width: 0.6 * size, height: 0.45 * size, rx: 0.06 * size, class: "dark",
        }),
      ];
    }
  }
}

/** @param {number} x @param {number} y @param {string} words @param {string} colour @param {number} size
 * @param {string} anchor @param {boolean} [bold] */
export function text(x, y, words, colour, size, anchor, bold = false) {
  return s("text", {
    x, y: round(y + 0.35 * size), "font-size": size, "text-anchor": anchor, "font-weight": bold ? "bold" : null, class: colour,
  }, words);
}
