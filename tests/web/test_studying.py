"""Lessons, puzzles and analysis on the page, as a visitor does them."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from browsing import Home, Server
from playing import PATIENCE, choose, middle, play_by_pointer
from playwright.sync_api import Browser, Page

import snakeden
from snakeden import lessons, puzzles
from snakeden.core.state import State
from snakeden.drawing.scene import Target
from snakeden.records import record
from snakeden.search.solver import Solver

VERDICT = ".study .headline.right, .study .headline.wrong"


def aims(state: State, moves: set[str]) -> Iterator[Target]:
    """How these moves are pointed at."""
    for target in state.variant.game.view.move_targets(state):
        if target.move in moves:
            yield target


WAYS = 12
"""As many ways a tile can lie: six turns, and the same mirrored."""


def lay(page: Page, target: Target, tried: int) -> bool:
    """Turn the piece of a move once more and lay it where the move does, if it fits there; whether it did."""
    page.locator(f"button.thing[data-piece='{target.piece}']").click()
    page.locator(".boards").focus()
    page.keyboard.press("m" if tried % WAYS == WAYS // 2 else "r")
    held_by = target.places[(len(target.places) - 1) // 2]
    # Of several floors only one is large; the others bring themselves forward when they are clicked.
    page.locator(f".frame .cells [data-id='{held_by}']").first.evaluate(
        'cell => cell.closest(".many .frame:not(.chosen)")?.click()'
    )
    at = page.locator(f".frame .cells [data-id='{held_by}']").first.bounding_box()
    assert at is not None
    point = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    page.mouse.move(*point)
    if not page.locator(".ghost.fits").count():
        return False
    page.mouse.click(*point)
    for further in (".choices button", "[data-key='do/anyway']"):
        if page.locator(further).count():
            page.locator(further).first.click()
    page.wait_for_selector(VERDICT, timeout=PATIENCE)
    return True


def answer_rightly(page: Page, lesson: lessons.Lesson, number: int) -> None:
    """Do a step: by pieces and places where there are any, else by choosing; wrong tries are tried again."""
    step = lesson.steps[number]
    state = step.state(lesson.game)
    right = {move.text for move in state.legal_moves() if lessons.answer(lesson, step, move).right}
    dice = random.Random(number)
    for target in list(aims(state, right))[:8]:
        for tried in range(WAYS):
            page.wait_for_selector(".boards.live", timeout=PATIENCE)
            if target.piece:
                if not lay(page, target, tried):
                    continue
            else:
                choose(page, dice, lambda what: what.click())
                page.wait_for_selector(VERDICT, timeout=PATIENCE)
            if page.locator(".headline.right").count():
                return
            page.click("[data-key='lesson/again']")
            page.wait_for_selector(".study .task")
    raise AssertionError("no right answer was found")


@pytest.mark.parametrize(
    ("home", "name"),
    [
        *(("server", name) for name in ("snekagon", "schlangennest", "snakey-dice", "snakey-dice-duel")),
        ("site", "snakey-dice"),
    ],
    indirect=["home"],
)
def test_a_lesson_is_done_to_its_end(page: Page, home: Home, name: str) -> None:
    lesson = lessons.find(name)
    assert lesson is not None
    page.goto(f"{home.address}/#/learn/{name}")
    for number in range(len(lesson.steps)):
        page.wait_for_selector(
            f".headline:has-text('Step {number + 1} of {len(lesson.steps)}')", timeout=PATIENCE
        )
        answer_rightly(page, lesson, number)
        page.click("[data-key='lesson/next']")
    page.click("[data-key='lesson/play']")
    page.wait_for_selector(".headline.yours", timeout=PATIENCE)
    play_by_pointer(page, random.Random(1))


def test_a_lesson_is_left_and_gone_on_with_by_keyboard(page: Page, server: Server) -> None:
    page.goto(server.address)
    page.locator("[data-game=snekagon] [data-do=learn]").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".boards.live", timeout=PATIENCE)
    page.locator(".boards").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_selector(".headline.right", timeout=PATIENCE)
    page.keyboard.press("Enter")  # the button to go on has the focus
    page.wait_for_selector(".headline:has-text('Step 2 of 5')")
    page.goto(f"{server.address}/#/learn")
    page.click("a[href='#/learn/snekagon']")
    page.wait_for_selector(".headline:has-text('Step 2 of 5')")


def test_a_step_is_done_by_touch_on_a_phone(browser: Browser, server: Server) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale="de-DE"
    )
    page = context.new_page()
    page.goto(f"{server.address}/#/learn/snekagon")
    page.wait_for_selector(".boards.live", timeout=PATIENCE)
    page.locator("button.thing.possible").first.tap()
    at = middle(page, ".overlay .legal:not(.other)", random.Random(2))
    page.touchscreen.tap(*at)
    page.wait_for_selector(".ghost.fits")
    page.touchscreen.tap(*at)
    page.wait_for_selector(".headline.right:has-text('Richtig')", timeout=PATIENCE)
    context.close()


def test_a_wrong_answer_is_refuted_and_a_right_one_counts(page: Page, home: Home) -> None:
    puzzle = next(one for one in puzzles.shipped("snekagon") if len(one.state().legal_moves()) < 40)
    page.goto(f"{home.address}/#/puzzles/snekagon/{puzzle.id}")
    page.wait_for_selector(".boards.live", timeout=PATIENCE)
    state = puzzle.state()
    wrong = {move.text for move in state.legal_moves()} - set(puzzle.solutions)
    for moves, verdict in ((wrong, "wrong"), (set(puzzle.solutions), "right")):
        found = 0
        for target, tried in ((target, n) for target in aims(state, moves) for n in range(WAYS)):
            page.wait_for_selector(".boards.live", timeout=PATIENCE)
            if not lay(page, target, tried):
                continue
            found = page.locator(f".headline.{verdict}").count()
            page.wait_for_selector(".study .line li:last-child.now", timeout=PATIENCE)
            page.click("[data-key='puzzle/again']")
            if found:
                break
        assert found, f"no {verdict} answer could be given"
    page.goto(f"{home.address}/#/puzzles")
    assert "Solved: 1 of 200" in page.locator("[data-game=snekagon]").inner_text()
    assert "Streak: 0" in page.locator(".list-page").inner_text()


def test_a_pasted_game_is_analysed_and_a_variation_kept(page: Page, home: Home) -> None:
    start = snakeden.new_game("snekagon", side=3)
    moves = [move.text for move in Solver(start).solve(start).line]
    page.goto(f"{home.address}/#/analysis")
    page.fill("textarea", record(start, moves, seats=("Ada", "Bo")).write())
    page.click("[data-key='analysis/open']")
    page.wait_for_selector(".study .marked .mark", timeout=PATIENCE)
    page.wait_for_function(
        "(all) => document.querySelectorAll('.study .marked .mark').length === all",
        arg=len(moves),
        timeout=PATIENCE,
    )
    assert page.locator(".study .curve polygon").count() == 2
    page.click(f"[data-key='ply/{len(moves) - 3}']")
    page.wait_for_selector(".study .proof:has-text('proven')", timeout=PATIENCE)
    page.click("[data-key='ply/1']")
    page.wait_for_selector(".study .marked li:first-child.now")
    page.locator(f".study .best ol button:not([data-key='best/{moves[1]}'])").first.click(timeout=60_000)
    page.click("[data-key='analysis/keep']", timeout=60_000)
    assert page.locator(".study .kept li").count() == 1
