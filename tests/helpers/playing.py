"""Playing on the page as a person would: by what is seen and can be pointed at, never through the API."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import pairwise

from playwright.sync_api import Locator, Page, TimeoutError

READY = ".headline.yours, .headline.over"
PATIENCE = 300_000
"""Milliseconds; the first move on a machine may wait for compilations."""


def start(page: Page, address: str, game: str, button: str = "engine") -> None:
    """Two clicks from the shelf to the first move: this is the first."""
    page.goto(address)
    page.click(f"[data-game={game}] [data-do={button}]")
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
    try:
        page.wait_for_function(
            """([seen, ready]) => document.querySelector(ready)
                && !document.querySelector(".boards.sent")
                && document.querySelector(".moves").innerText !== seen""",
            arg=[seen, READY],
            timeout=PATIENCE,
        )
    except TimeoutError as error:
        error.add_note(f"The page shows:\n{shown(page)}\nand had shown these moves:\n{seen}")
        raise


def shown(page: Page) -> str:
    """What the page says of the game, whether a move was sent, and what has the focus: to find out why it is stuck."""
    said = page.locator("main").inner_text()
    focused = page.evaluate("document.activeElement.outerHTML.slice(0, 300)")
    boards = page.locator(".boards").first.get_attribute("class")
    return f"{said}\nboards: {boards}\nfocus: {focused}"


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
        choose_by_pointer(page, dice)
    wait_for_turn(page, before)


def play_one(page: Page, dice: random.Random) -> None:
    """A move with a piece, without waiting for one's next turn."""
    pieces = page.locator("button.thing.possible")
    pieces.nth(dice.randrange(pieces.count())).click()
    page.mouse.click(*middle(page, ".overlay .legal:not(.other)", dice))


DOABLE = ".act:enabled:not(.waits), .choices button"
"""Buttons that make a move now."""
_FREE_DICE = "button.thing.possible:not(.chosen)"
_SHEET_LINES = ".choosable.possible:not(.chosen)"


def choose(
    page: Page,
    dice: random.Random,
    hit: Callable[[Locator], None],
    point: Callable[[float, float], None],
    things: str = f"{_FREE_DICE}, {_SHEET_LINES}",
) -> None:
    """Make a move by choosing: perhaps things first, or a place on the board, then what to do with them."""
    for _ in range(20):
        listed = pick(page, DOABLE, dice)
        if listed is not None and dice.random() < 0.6:
            hit(page.locator(DOABLE).nth(listed))
            if page.locator("[data-key='do/anyway']").count():
                hit(page.locator("[data-key='do/anyway']"))
            return
        thing = pick(page, things, dice)
        if thing is not None:
            hit(page.locator(things).nth(thing))
        elif page.locator(".overlay .legal").count():
            point(*middle(page, ".overlay .legal", dice))
        elif listed is None and page.locator("button.thing.chosen").count():
            hit(page.locator("button.thing.chosen").first)  # together the chosen ones lead nowhere
    raise AssertionError("choosing leads to no move")


def choose_by_pointer(page: Page, dice: random.Random) -> None:
    choose(page, dice, Locator.click, page.mouse.click)


def play_by_keyboard(page: Page, dice: random.Random) -> None:
    """One move without a pointer: the board's own keys, and Tab's order for everything else."""
    before = move_list(page)
    if page.locator("[data-key='do/place']").count():
        page.locator(".boards").focus()
        for key in "nr":
            for _ in range(dice.randrange(4)):
                page.keyboard.press(key)
        step_to_a_dot(page, dice)
        page.keyboard.press("Enter")
        for asks_back in (".choices button", "[data-key='do/anyway']"):
            if page.locator(asks_back).count():
                page.keyboard.press("Enter")  # the focus has gone there
    else:
        choose(page, dice, press, lambda *_: step_to_a_dot(page, dice, "Enter"))
    wait_for_turn(page, before)


def press(what: Locator) -> None:
    """Use something by Enter, which Tab must be able to reach."""
    assert what.evaluate("(one) => one.tabIndex") >= 0
    what.press("Enter")


NEXT_KEY = """([x, y]) => {
    const cursor = document.querySelector(".overlay .cursor");
    const box = cursor.getBBox();
    const turned = cursor.ownerSVGElement.getScreenCTM().inverse().multiply(cursor.getScreenCTM());
    const at = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(turned);
    const [dx, dy] = [x - at.x, y - at.y];
    if (Math.abs(dy) > 0.1) return dy > 0 ? "ArrowDown" : "ArrowUp";
    return Math.abs(dx) < 0.1 ? "" : dx > 0 ? "ArrowRight" : "ArrowLeft";
}"""
"""The key that brings the cursor nearer to a point, in the pictures' units; none where it is there."""


def step_to_a_dot(page: Page, dice: random.Random, *then: str) -> None:
    """Go with the arrow keys to a place where something may be laid or chosen, perhaps on another floor."""
    dots = ".overlay .legal:not(.other)"
    number = pick(page, dots, dice)
    assert number is not None, "there is nothing to go to"
    goal = (
        page.locator(dots)
        .nth(number)
        .evaluate("(dot) => [Number(dot.getAttribute('cx')), Number(dot.getAttribute('cy'))]")
    )
    page.locator(".boards").focus()
    page.keyboard.press("ArrowUp")
    for _ in range(60):
        key = page.evaluate(NEXT_KEY, goal)
        if not key:
            break
        page.keyboard.press(key)
    else:
        raise AssertionError(f"60 arrow keys do not lead to {goal}")
    for key in then:
        page.keyboard.press(key)


def middle(page: Page, selector: str, dice: random.Random) -> tuple[float, float]:
    """The middle of one of the elements that fit, which is brought into view where the window is small."""
    number = pick(page, selector, dice)
    assert number is not None, f"nothing fits {selector}"
    found = page.locator(selector).nth(number)
    # What sticks to the window's edge may cover it though it is in view: then it belongs into the middle. On a phone
    # the board gives way to what has just appeared below it, with the next frame.
    found.evaluate(
        """async (dot) => {
            const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
            dot.closest(".many .frame:not(.chosen)")?.click();
            const at = dot.getBoundingClientRect();
            const there = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2);
            if (!there?.closest(".frame")) dot.scrollIntoView({ block: "center", inline: "center" });
            await frame();
            await frame();
        }"""
    )
    box = found.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def play_by_touch(page: Page, dice: random.Random) -> None:
    """One move with a finger: tap a piece, tap a place to see it there, tap it again to play."""
    before = move_list(page)
    if page.locator("[data-key='do/place']").count():
        piece = pick(page, "button.thing.possible", dice)
        assert piece is not None
        page.locator("button.thing.possible").nth(piece).tap()
        dots = ".boards:not(.many) .legal:not(.other), .frame.chosen .legal:not(.other)"
        others = page.locator(".many .frame:not(.chosen):has(.legal)")
        if others.count() and (dice.random() < 0.3 or not page.locator(dots).count()):
            others.first.tap()  # another floor is looked at first
        at = middle(page, dots, dice)
        page.touchscreen.tap(*at)
        page.wait_for_selector(".ghost.fits")
        assert move_list(page) == before, "one tap only shows it"
        page.touchscreen.tap(*at)
        for asks_back in (".choices button", "[data-key='do/anyway']"):
            if page.locator(asks_back).count():
                page.locator(asks_back).first.tap()
    else:
        # The sheet lies in a drawer; what can be done with its lines is among the buttons too.
        choose(page, dice, Locator.tap, page.touchscreen.tap, _FREE_DICE)
    wait_for_turn(page, before)
