// A map that is drawn: squares are painted with the pointer or the keys, and what comes of it is the map's text.

import { h, s } from "./dom.js";
import { phrase, t } from "./i18n.js";
import { drawSymbol } from "./shapes.js";

/**
 * @typedef {import("./words.js").Value} Value
 * @typedef {{squares: {text: string, label: Value, mark: string, role: string}[], numbers: {name: string, label: Value}[],
 *   texts: {[choice: string]: string}}} Editor how the server describes the squares and numbers of a map
 */

const STEPS = /** @type {{[key: string]: [number, number]}} */ ({
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
});

export class MapMaker {
  /** @param {Editor} editor @param {() => void} changed */
  constructor(editor, changed) {
    this.editor = editor;
    this.changed = changed;
    /** @type {string[][]} */
    this.rows = [];
    /** @type {{[name: string]: number}} */
    this.numbers = {};
    this.brush = editor.squares[1]?.text ?? "";
    this.painting = false;
    /** @type {[number, number] | null} the square that was painted last with the same stroke */
    this.last = null;
    this.grid = h("div", { class: "map-grid", role: "group", "aria-label": t("mapSquares") });
    this.fields = h("div", { class: "inputs" });
    this.element = h("div", { class: "map-maker", hidden: true }, this.palette(), this.grid, this.fields,
      h("button", { type: "button", "data-do": "save-map", click: () => this.save() }, t("saveMap")));
    this.grid.addEventListener("pointerdown", (event) => this.begin(event));
    this.grid.addEventListener("pointerover", (event) => this.painting && this.paint(event.target));
    this.grid.addEventListener("pointermove", (event) => this.painting && event.pointerType !== "mouse" && this.paint(document.elementFromPoint(event.clientX, event.clientY)));
    this.grid.addEventListener("keydown", (event) => this.pressed(event));
  }

  /** The map as the text of a file. */
  text() {
    return [...this.editor.numbers.map(({ name }) => `${name} ${this.numbers[name] ?? 0}`), ...this.rows.map((row) => row.join("")), ""].join("\n");
  }

  /** Begin with a map. @param {string} text */
  load(text) {
    const names = this.editor.numbers.map(({ name }) => name);
    this.rows = [];
    for (const line of text.split("\n").map((one) => one.trim()).filter((one) => one && !one.startsWith(";"))) {
      const [word, value] = line.split(/\s+/);
      if (names.includes(word)) this.numbers[word] = Number(value);
      else this.rows.push([...line.replace(/\s/g, "")]);
    }
    this.draw();
  }

  palette() {
    return h("div", { class: "palette", role: "radiogroup", "aria-label": t("paintWith") }, ...this.editor.squares.map((square) =>
      h("label", {}, h("input", { type: "radio", name: "brush", value: square.text, checked: square.text === this.brush, change: () => { this.brush = square.text; } }),
        this.sign(square.text), h("span", {}, phrase(square.label)))));
  }

  /** @param {string} text of a square */
  sign(text) {
    const square = this.editor.squares.find((one) => one.text === text);
    return s("svg", { viewBox: "-0.5 -0.5 1 1", "aria-hidden": "true", focusable: "false" },
      square?.mark && s("g", { class: `r-${square.role}` }, drawSymbol(square.mark, 0, 0, square.mark === "ring" ? 0.6 : 0.85)));
  }

  /** @param {number} x @param {number} y */
  label(x, y) {
    const square = this.editor.squares.find((one) => one.text === this.rows[y][x]);
    return `${x + 1}, ${y + 1}: ${phrase(square?.label ?? this.rows[y][x])}`;
  }

  draw() {
    this.grid.style.setProperty("--columns", String(this.rows[0]?.length ?? 1));
    this.grid.replaceChildren(...this.rows.flatMap((row, y) => row.map((text, x) => h("button", {
      type: "button", class: "square", "data-x": x, "data-y": y, tabindex: x || y ? -1 : 0, "aria-label": this.label(x, y),
    }, this.sign(text)))));
    this.fields.replaceChildren(...this.editor.numbers.map(({ name, label }) => h("label", { class: "number" }, phrase(label),
      h("input", { type: "number", min: 0, max: 99, value: this.numbers[name] ?? 0, name, change: (event) => {
        this.numbers[name] = Math.max(0, Math.min(99, Math.trunc(Number(event.target.value)) || 0));
        this.changed();
      } }))));
  }

  /** @param {PointerEvent} event */
  begin(event) {
    if (event.button) return;
    this.painting = true;
    for (const type of ["pointerup", "pointercancel"]) window.addEventListener(type, () => this.end(), { once: true });
    if (event.target instanceof Element) event.target.closest(".square")?.releasePointerCapture?.(event.pointerId);
    this.paint(event.target);
  }

  end() {
    if (this.painting) this.changed();
    this.painting = false;
    this.last = null;
  }

  /** @param {EventTarget | null} target */
  paint(target) {
    const square = target instanceof Element ? target.closest(".square") : null;
    if (!(square instanceof HTMLElement) || !this.grid.contains(square)) return;
    const [x, y] = [Number(square.dataset.x), Number(square.dataset.y)];
    // A quick pointer jumps over squares: those between are painted too.
    const [fromX, fromY] = this.last ?? [x, y];
    const steps = Math.max(Math.abs(x - fromX), Math.abs(y - fromY), 1);
    for (let n = 0; n <= steps; n++) this.put(Math.round(fromX + ((x - fromX) * n) / steps), Math.round(fromY + ((y - fromY) * n) / steps));
    if (this.painting) this.last = [x, y];
  }

  /** @param {number} x @param {number} y */
  put(x, y) {
    const square = this.grid.querySelector(`[data-x="${x}"][data-y="${y}"]`);
    if (!square || this.rows[y][x] === this.brush) return;
    this.rows[y][x] = this.brush;
    square.replaceChildren(this.sign(this.brush));
    square.setAttribute("aria-label", this.label(x, y));
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const at = event.target instanceof HTMLElement ? event.target.closest(".square") : null;
    if (!(at instanceof HTMLElement)) return;
    const step = STEPS[event.key];
    if (step) {
      const next = this.grid.querySelector(`[data-x="${Number(at.dataset.x) + step[0]}"][data-y="${Number(at.dataset.y) + step[1]}"]`);
      if (!(next instanceof HTMLElement)) return;
      at.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      this.paint(at);
      this.changed();
    } else return;
    event.preventDefault();
  }

  save() {
    const link = h("a", { href: `data:text/plain;charset=utf-8,${encodeURIComponent(this.text())}`, download: "map.txt" });
    document.body.append(link);
    link.click();
    link.remove();
  }
}
