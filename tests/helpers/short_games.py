"""Games that are short enough to be played on the page to their end, again and again."""

from __future__ import annotations

from functools import cache
from typing import Any

from browsing import Home
from playing import PATIENCE, READY, start
from playwright.sync_api import Page
from positions import middle_of, played, record_text

ROOMS = "0,0:" + "/".join(["S..+#######", "...+#######", *["#" * 11] * 7, "#######+...", "#######+..S"])
"""A map for a duel in two rooms so small that both snakes crash soon."""
FROM_THE_SHELF = ("snekagon", "snekagon-5g", "schlangennest")
"""Games that are short enough as the shelf offers them."""
_OPTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "snekagon": ("snekagon", {"side": 3}),
    "snekagon-5g": ("snekagon-5g", {"side": 4}),
    "schlangennest": ("schlangennest", {"nest": "3x3"}),
    "duel": ("snakey-dice", {"players": 2, "map": ROOMS}),
}
SHORT = (*_OPTIONS, "solo")


@cache
def _last_turns_alone() -> str:
    """A record of solo dice: its board is always the same, so most of the game has been played."""
    moves = played("snakey-dice", {})
    return record_text("snakey-dice", {}, moves[: middle_of("snakey-dice", {}, moves, 0.9)])


def begin(page: Page, home: Home, name: str) -> None:
    """A short game, alone or against the easiest engine."""
    page.goto(f"{home.address}/")
    page.wait_for_selector(".cover")
    engines = [] if name == "solo" else [{"kind": "engine", "agent": "level:1"}]
    game: dict[str, Any] = {"record": _last_turns_alone()}
    if name != "solo":
        game = dict(zip(("game", "options"), _OPTIONS[name], strict=True))
    page.evaluate(
        """async (wanted) => {
            const { post } = await import("./js/api.js");
            const { path } = await post("api/games", wanted);
            location.hash = path.replace("/#", "");
        }""",
        {**game, "hints": True, "seats": [{"kind": "me", "name": ""}, *engines]},
    )
    page.wait_for_selector(READY, timeout=PATIENCE)


def begin_from_the_shelf(page: Page, home: Home, name: str) -> None:
    """A game against an engine as the shelf offers it, or a short one where that takes long or shows nothing new."""
    if name in FROM_THE_SHELF and not home.small:
        start(page, home.address, name)
    else:
        begin(page, home, name)
