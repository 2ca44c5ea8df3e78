// What a visitor chose, kept in this browser only.

const PREFIX = "snakeden.";
/** @type {Map<string, string>} what could not be stored: it lasts as long as the page */
const unstored = new Map();

/** @param {string} name @param {string} [otherwise] */
export function pref(name, otherwise = "") {
  try {
    return unstored.get(name) ?? localStorage.getItem(PREFIX + name) ?? otherwise;
  } catch {
    return otherwise; // storage is forbidden
  }
}

/** @param {string} name @param {string} value */
export function setPref(name, value) {
  try {
    localStorage.setItem(PREFIX + name, value);
    unstored.delete(name);
  } catch {
    unstored.set(name, value); // storage is forbidden or full
  }
}

/** Show the theme that was chosen; "auto" is what the system prefers. */
export function applyTheme() {
  const theme = pref("theme", "auto");
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
