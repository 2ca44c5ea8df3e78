// On a phone a board gives way to what is below it, so that all that is needed to play is on the first screen.

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
    const others = last.getBoundingClientRect().bottom - top - board.getBoundingClientRect().height;
    const drawer = find(".drawer > .handle")?.offsetHeight ?? 0;
    game.style.setProperty("--others", `${Math.ceil(others + drawer)}px`);
  };
  const sizes = new ResizeObserver(measure);
  for (const element of game.querySelectorAll(".middle > :not(.board-area), .mine, .mine > *")) sizes.observe(element);
}
