// What a visitor chose, kept in this browser only.

const PREFIX = "snakeden.";

/** @param {string} name @param {string} [otherwise] */
export function pref(name, otherwise = "") {
  try {
    return localStorage.getItem(PREFIX + name) ?? otherwise;
  } catch {
    return otherwise; // storage is forbidden: nothing is remembered
  }
}

/** @param {string} name @param {string} value */
export function setPref(name, value) {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // storage is forbidden: the choice lasts as long as the page
  }
}

/** Show the theme that was chosen; "auto" is what the system prefers. */
export function applyTheme() {
  const theme = pref("theme", "auto");
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
