// What the server says in English, and how to find it again: fixed sentences, and sentences with gaps.

/**
 * @param {{[said: string]: string}} sentences
 * @returns {[RegExp, string][]}
 */
export function exactly(sentences) {
  return Object.entries(sentences).map(([said, instead]) => [new RegExp(`^${said.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`), instead]);
}
