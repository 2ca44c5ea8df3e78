// The keys that the table knows, shown on "?".

import { h } from "./dom.js";
import { t } from "./i18n.js";

/** Show the keys until they are closed. */
export function showKeys() {
  if (document.querySelector("dialog.keys")) return;
  const rows = /** @type {[string[], string][]} */ ([
    [["←", "↑", "→", "↓"], t("keyMove")], [["Enter"], t("keyPlay")], [["R", "⇧ R"], t("keyTurn")], [["M"], t("keyMirror")],
    [["N", "P"], t("keyPiece")], [["Esc"], t("keyClear")], [["Tab"], t("keyTab")], [["?"], t("keys")],
  ]);
  const dialog = h("dialog", { class: "keys", "aria-label": t("keys"), close: () => dialog.remove() },
    h("h2", {}, t("keys")),
    h("p", {}, t("keysWhere")),
    h("dl", {}, ...rows.flatMap(([keys, words]) => [h("dt", {}, ...keys.map((key) => h("kbd", {}, key))), h("dd", {}, words)])),
    h("form", { method: "dialog" }, h("button", { class: "main" }, t("close"))));
  document.body.append(dialog);
  dialog.showModal();
}

/** Whether a key was pressed that asks for the keys, where nobody is writing. @param {KeyboardEvent} event */
export function asksForKeys(event) {
  const writing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLSelectElement;
  return event.key === "?" && !writing && !event.ctrlKey && !event.metaKey && !event.altKey;
}
