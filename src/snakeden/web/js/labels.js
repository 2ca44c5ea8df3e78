// The coordinates at the rim of a board: large enough to read, and in view however near one looks.

/** @typedef {import("./draw.js").Panel} Panel */

/** Pixels of the smallest text. */
const SMALLEST = 12;
/** No coordinate is shown more than this many times as large. */
const LARGEST = 2;
/** Cells between a coordinate and the edge of what is seen. */
const INSIDE = 0.45;
/** Two coordinates that are nearer than this many cells cannot be read. */
const APART = 0.7;

/** @param {number} value @param {number} low @param {number} high */
const within = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));

/** @param {Element} frame that a board scrolls in @param {Panel} panel */
export function keepLabelsReadable(frame, panel) {
  const svg = frame.querySelector("svg");
  if (!svg?.clientWidth) return;
  const drawn = [...svg.querySelectorAll(":scope > .layer")];
  const labels = panel.layers.flatMap((layer, n) => layer.items.map((item, i) => ({ item, group: drawn[n]?.children[i] })))
    .filter(({ item, group }) => item.kind === "label" && group);
  const unit = panel.box[2] / svg.clientWidth;
  // A board that is seen as a whole has its coordinates where they belong.
  const near = svg.clientWidth > frame.clientWidth + 2 || svg.clientHeight > frame.clientHeight + 2;
  const [left, top] = [panel.box[0] + frame.scrollLeft * unit, panel.box[1] + frame.scrollTop * unit];
  const [right, bottom] = [left + frame.clientWidth * unit, top + frame.clientHeight * unit];
  const placed = labels.map(({ item, group }) => {
    const { x = 0, y = 0, size = 0.4 } = item;
    const beside = labels.map((other) => other.item).filter((other) => other !== item);
    // Coordinates stand in a row or a column: they move along with what is seen, across that line only.
    const inRow = beside.some((other) => other.y === y);
    const inColumn = beside.some((other) => other.x === x);
    const dx = near && inColumn && !inRow ? within(x, left + INSIDE, right - INSIDE) - x : 0;
    const dy = near && inRow && !inColumn ? within(y, top + INSIDE, bottom - INSIDE) - y : 0;
    const [px, py, edge] = [x + dx, y + dy, INSIDE / 2];
    const seen = !near || (px > left + edge && px < right - edge && py > top + edge && py < bottom - edge);
    return { group, x, y, dx, dy, seen, scale: within((SMALLEST * unit) / size, 1, LARGEST) };
  });
  for (const { group, x, y, dx, dy, seen, scale } of placed) {
    // None is cut in two; and where a column that has moved meets a row that has, one of the two is shown.
    const meets = dx !== 0 && placed.some((other) => other.dy !== 0 && Math.hypot(other.x - x - dx, other.y + other.dy - y) < APART);
    group.setAttribute("visibility", seen && !meets ? "visible" : "hidden");
    group.classList.toggle("afloat", dx !== 0 || dy !== 0);
    if (dx || dy || scale > 1) group.setAttribute("transform", `translate(${x + dx} ${y + dy}) scale(${scale}) translate(${-x} ${-y})`);
    else group.removeAttribute("transform");
  }
}
