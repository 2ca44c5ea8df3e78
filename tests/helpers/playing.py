"""Playing on the page as a person would: by what is seen and can be pointed at, never through the API."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import pairwise

from browsing import Home
from playwright.sync_api import Page

READY = ".headline.yours, .headline.over"
PATIENCE = 300_000
"""Milliseconds; the first move on a machine may wait for compilations."""


def start(page: Page, address: str, game: str, button: str = "engine") -> None:
    """Two clicks from the shelf to the first move: this is the first."""
    page.goto(address)
    page.click(f"[data-game={game}] [data-do={button}]")
    page.wait_for_selector(READY, timeout=PATIENCE)


SMALL: dict[str, dict[str, object]] = {
    "snekagon": {"side": 3},
    "snekagon-5g": {"side": 4},
    "schlangennest": {"nest": "3x3"},
    "snakey-dice": {"players": 2},
}
"""Options of short games."""


def begin(page: Page, home: Home, game: str) -> None:
    """A game against the easiest engine, short where that will do, or else the shelf's own."""
    if not home.small:
        start(page, home.address, game)
        return
    page.goto(f"{home.address}/")
    page.wait_for_selector(".cover")
    page.evaluate(
        """async ([game, options]) => {
            const { post } = await import("./js/api.js");
            const seats = [{ kind: "me", name: "" }, { kind: "engine", agent: "level:1" }];
            const { path } = await post("api/games", { game, options, hints: true, seats });
            location.hash = path.replace("/#", "");
        }""",
        [game, SMALL[game]],
    )
    page.wait_for_selector(READY, timeout=PATIENCE)


def time_first_answer(page: Page, address: str, game: str) -> tuple[float, float, float]:
    """Click on a game against the engine as soon as the shelf is there, and make a move as soon as that is possible:
    seconds to the shelf, from the click to the board, and from there to the engine's answer."""
    times = [time.perf_counter()]
    page.goto(address)
    button = page.locator(f"[data-game={game}] [data-do=engine]")
    button.wait_for()
    times.append(time.perf_counter())
    button.click()
    page.wait_for_selector(READY)
    times.append(time.perf_counter())
    play_by_pointer(page, random.Random(3))  # returns when the engine has made its move
    times.append(time.perf_counter())
    shelf, board, answer = (later - earlier for earlier, later in pairwise(times))
    return shelf, board, answer


def is_over(page: Page) -> bool:
    return page.locator(".headline.over").count() > 0


def wait_for_turn(page: Page, seen: str) -> None:
    """Wait until the page shows something else than `seen`, and it is one's turn or the game is over."""
    page.wait_for_function(
        """([seen, ready]) => document.querySelector(ready)
            && !document.querySelector(".boards.sent")
            && document.querySelector(".moves").innerText !== seen""",
        arg=[seen, READY],
        timeout=PATIENCE,
    )


def move_list(page: Page) -> str:
    return page.locator(".moves").inner_text()


def pick(page: Page, selector: str, dice: random.Random) -> int | None:
    """The number of one of the elements that fit; None if none does."""
    count = page.locator(selector).count()
    return dice.randrange(count) if count else None


def play_by_pointer(page: Page, dice: random.Random) -> None:
    """One move with the mouse: a piece and a dot, or something from the list of what can be done."""
    before = move_list(page)
    piece = pick(page, "button.thing.possible", dice)
    if page.locator("[data-key='do/place']").count():
        assert piece is not None
        page.locator("button.thing.possible").nth(piece).click()
        page.mouse.click(*middle(page, ".overlay .legal:not(.other)", dice))
        if page.locator(".choices button").count():
            page.locator(".choices button").first.click()
        if page.locator("[data-key='do/anyway']").count():
            page.locator("[data-key='do/anyway']").click()
    else:
        choose(page, dice, lambda what: what.click())
    wait_for_turn(page, before)


def play_one(page: Page, dice: random.Random) -> None:
    """A move with a piece, without waiting for one's next turn."""
    pieces = page.locator("button.thing.possible")
    pieces.nth(dice.randrange(pieces.count())).click()
    page.mouse.click(*middle(page, ".overlay .legal:not(.other)", dice))


DOABLE = ".act:enabled:not(.waits), .choices button"
"""Buttons that make a move now."""


def choose(page: Page, dice: random.Random, hit: Callable[..., None]) -> None:
    """Make a move by choosing: perhaps things first, then what to do with them."""
    for _ in range(20):
        listed = pick(page, DOABLE, dice)
        if listed is not None and dice.random() < 0.6:
            hit(page.locator(DOABLE).nth(listed))
            if page.locator("[data-key='do/anyway']").count():
                hit(page.locator("[data-key='do/anyway']"))
            return
        things = "button.thing.possible:not(.chosen), .choosable.possible:not(.chosen)"
        thing = pick(page, things, dice)
        if thing is not None:
            hit(page.locator(things).nth(thing))
        elif page.locator(".overlay .legal").count():
            page.mouse.click(*middle(page, ".overlay .legal", dice))
        elif listed is None and page.locator("button.thing.chosen").count():
            hit(page.locator("button.thing.chosen").first)  # together the chosen ones lead nowhere
    raise AssertionError("choosing leads to no move")


def play_by_keyboard(page: Page, dice: random.Random) -> None:
    """One move without a pointer: the board's own keys, and Tab's order for everything else."""
    before = move_list(page)
    page.locator(".boards").focus()
    for _ in range(dice.randrange(4)):
        page.keyboard.press("n")
    for _ in range(dice.randrange(4)):
        page.keyboard.press("r")
    goal = middle(page, ".overlay .legal:not(.other)", dice)
    page.keyboard.press("ArrowUp")
    for _ in range(60):
        if page.locator("[data-key='do/place']:enabled").count():
            break
        at = middle(page, ".overlay .cursor", dice)
        dx, dy = goal[0] - at[0], goal[1] - at[1]
        sideways = abs(dy) < 5
        page.keyboard.press(
            ("ArrowRight" if dx > 0 else "ArrowLeft") if sideways else ("ArrowDown" if dy > 0 else "ArrowUp")
        )
    page.keyboard.press("Enter")
    wait_for_turn(page, before)


def middle(page: Page, selector: str, dice: random.Random) -> tuple[float, float]:
    """The middle of one of the elements that fit, which is brought into view where the window is small."""
    number = pick(page, selector, dice)
    assert number is not None, f"nothing fits {selector}"
    found = page.locator(selector).nth(number)
    # What sticks to the window's edge may cover it though it is in view: then it belongs into the middle.
    found.evaluate(
        """(dot) => {
            dot.closest(".many .frame:not(.chosen)")?.click();
            const at = dot.getBoundingClientRect();
            const there = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2);
            if (!there?.closest(".frame")) dot.scrollIntoView({ block: "center", inline: "center" });
        }"""
    )
    box = found.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def play_by_touch(page: Page, dice: random.Random) -> None:
    """One move with a finger: tap a piece, tap a place to see it there, tap it again to play."""
    before = move_list(page)
    piece = pick(page, "button.thing.possible", dice)
    assert piece is not None
    page.locator("button.thing.possible").nth(piece).tap()
    at = middle(page, ".overlay .legal:not(.other)", dice)
    page.touchscreen.tap(*at)
    page.wait_for_selector(".ghost.fits")
    assert move_list(page) == before, "one tap only shows it"
    page.touchscreen.tap(*at)
    wait_for_turn(page, before)
