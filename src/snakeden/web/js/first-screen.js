// On a phone a board gives way to what is below it, so that all that is needed to play is on the first screen.

/** What comes and goes while somebody points at the board: it must not move because of that. */
const PASSING = ".actions > :not(.turn-steps, .tools, .pad)";

/**
 * Tell the style sheet how much of the first screen everything but the board takes (`--others`), whenever it changes.
 * @param {HTMLElement} game
 */
export function keepOnFirstScreen(game) {
  const find = (/** @type {string} */ selector) => /** @type {HTMLElement | null} */ (game.querySelector(selector));
  const measure = () => {
    const board = find(".frame.chosen") ?? find(".frame");
    const last = find(".helping > .tools");
    if (!board?.offsetHeight || !last) return;
    const top = document.documentElement.getBoundingClientRect().top;
    const all = last.getBoundingClientRect().bottom - top - board.getBoundingClientRect().height;
    const gap = parseFloat(getComputedStyle(/** @type {HTMLElement} */ (find(".actions"))).rowGap) || 0;
    const heights = Array.from(game.querySelectorAll(PASSING), (one) => one.getBoundingClientRect().height);
    const passing = heights.reduce((sum, height) => sum + height + (height && gap), 0);
    const drawer = find(".drawer > .handle")?.offsetHeight ?? 0;
    game.style.setProperty("--others", `${Math.ceil(all + drawer - passing)}px`);
  };
  const sizes = new ResizeObserver(measure);
  for (const element of game.querySelectorAll(".middle > :not(.board-area), .mine, .mine > *")) sizes.observe(element);
}
