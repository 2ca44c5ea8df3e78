// Making elements. Text is always set as text: nothing a player typed is ever read as markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {{[name: string]: string | number | boolean | null | undefined | ((event: any) => void)}} Attributes
 */

/**
 * @param {Element} element
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
function dress(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  for (const child of children) {
    if (child instanceof Node) element.append(child);
    else if (child !== null && child !== undefined && child !== false) element.append(String(child));
  }
}

/**
 * An HTML element; an attribute that is a function listens to the event of that name.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  dress(element, attributes, children);
  return element;
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  dress(element, attributes, children);
  return element;
}

/** Say something to those who listen instead of looking. @param {string} text */
export function announce(text) {
  const said = document.getElementById("said");
  if (said) said.textContent = text;
}

/**
 * Draw something anew. If the focused control goes with what was there, the focus goes to its successor: the one with
 * the same data-key.
 * @param {() => void} draw @param {HTMLElement} [otherwise] what is focused where there is no successor
 */
export function keepingFocus(draw, otherwise) {
  const before = document.activeElement;
  const key = before instanceof HTMLElement || before instanceof SVGElement ? before.dataset.key : "";
  draw();
  if (!key || (document.activeElement && document.activeElement !== document.body)) return;
  const again = /** @type {HTMLElement | null} */ (document.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`));
  (again ?? otherwise)?.focus({ preventScroll: true });
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}
