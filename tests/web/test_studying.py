"""Lessons, puzzles and analysis on the page, as a visitor does them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from datetime import date

import pytest
from browsing import Home, Server
from playing import PATIENCE, choose_by_pointer, middle, play_by_pointer
from playwright.sync_api import Browser, Page, Request, Route

import snakeden
from snakeden import lessons, puzzles
from snakeden.core.state import State
from snakeden.drawing.scene import Target
from snakeden.records import read, record
from snakeden.search.solver import Solver

VERDICT = ".study .headline.right, .study .headline.wrong"


def aims(state: State, moves: set[str]) -> Iterator[Target]:
    """How these moves are pointed at."""
    for target in state.variant.game.view.move_targets(state):
        if target.move in moves:
            yield target


WAYS = 12
"""As many ways a tile can lie: six turns, and the same mirrored."""


def held_by(target: Target) -> str:
    """The place that is pointed at to lay a piece as a move does; nothing for a move without places."""
    return target.places[(len(target.places) - 1) // 2] if target.places else ""


def cell_at(page: Page, place: str) -> tuple[float, float]:
    """The middle of a place on the screen, brought into view."""
    cell = page.locator(f".frame .cells [data-id='{place}']").first
    # Of several floors only one is large; the others bring themselves forward when they are clicked.
    cell.evaluate(
        """(cell) => {
            cell.closest(".many .frame:not(.chosen)")?.click();
            const at = cell.getBoundingClientRect();
            const there = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2);
            if (!there?.closest(".frame")) cell.scrollIntoView({ block: "center", inline: "center" });
        }"""
    )
    at = cell.bounding_box()
    assert at is not None
    return at["x"] + at["width"] / 2, at["y"] + at["height"] / 2


class Pointer:
    """How a piece is taken, held over a place, turned and laid."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def aim(self, target: Target) -> None:
        self.page.locator(f"button.thing[data-piece='{target.piece}']").click()
        self.page.locator(".boards").focus()
        self.at = cell_at(self.page, held_by(target))
        self.page.mouse.move(*self.at)

    def turn(self, *, mirror: bool) -> None:
        self.page.keyboard.press("m" if mirror else "r")

    def lay(self) -> None:
        self.page.mouse.click(*self.at)

    def press(self, button: str) -> None:
        self.page.locator(button).first.click()


class Keyboard(Pointer):
    def aim(self, target: Target) -> None:
        self.page.locator(".boards").focus()
        for _ in range(WAYS):
            if self.page.locator(f"button.thing.chosen[data-piece='{target.piece}']").count():
                break
            self.page.keyboard.press("n")
        goal = cell_at(self.page, held_by(target))
        if not self.page.locator(".overlay .cursor").count():
            self.page.keyboard.press("ArrowUp")
        for _ in range(40):
            at = middle(self.page, ".overlay .cursor", random.Random(1))
            dx, dy = goal[0] - at[0], goal[1] - at[1]
            if max(abs(dx), abs(dy)) < 5:
                return
            sideways = ("ArrowRight" if dx > 0 else "ArrowLeft") if abs(dy) < 5 else ""
            self.page.keyboard.press(sideways or ("ArrowDown" if dy > 0 else "ArrowUp"))

    def lay(self) -> None:
        self.page.keyboard.press("Enter")

    def press(self, button: str) -> None:
        self.page.locator(button).first.focus()
        self.page.keyboard.press("Enter")


class Finger(Pointer):
    def aim(self, target: Target) -> None:
        self.page.locator(f"button.thing[data-piece='{target.piece}']").tap()
        self.place = held_by(target)
        self.page.touchscreen.tap(*cell_at(self.page, self.place))

    def turn(self, *, mirror: bool) -> None:
        button = f"[data-key='do/{'mirror' if mirror else 'turn'}']:enabled"
        if self.page.locator(button).count():
            self.page.locator(button).tap()

    def lay(self) -> None:
        self.page.touchscreen.tap(*cell_at(self.page, self.place))

    def press(self, button: str) -> None:
        self.page.locator(button).first.tap()


def lay(hand: Pointer, target: Target, wanted: set[str]) -> bool:
    """Turn the piece of a move until it fits where the move lays it, and lay it; whether it did."""
    page = hand.page
    hand.aim(target)
    for tried in range(WAYS):
        hand.turn(mirror=tried == WAYS // 2)
        if page.locator(".ghost.fits").count():
            break
    else:
        return False
    hand.lay()
    # The same place may mean several moves.
    ways = page.locator(".choices button").evaluate_all("all => all.map(one => one.dataset.move)")
    if ways:
        meant = next((move for move in ways if move in wanted), ways[0])
        hand.press(f".choices [data-move='{meant}']")
    if page.locator("[data-key='do/anyway']").count():
        hand.press("[data-key='do/anyway']")
    page.wait_for_selector(VERDICT, timeout=PATIENCE)
    return True


def most_likely(targets: list[Target]) -> list[Target]:
    """One target for each piece and place, first those where most turns of the piece are wanted."""
    found = Counter((target.piece, held_by(target)) for target in targets)
    first = {(target.piece, held_by(target)): target for target in reversed(targets)}
    return [first[key] for key, _ in found.most_common()]


def answer_rightly(hand: Pointer, lesson: lessons.Lesson, number: int) -> None:
    """Do a step: by pieces and places where there are any, else by choosing; wrong tries are tried again."""
    page, step = hand.page, lesson.steps[number]
    state = step.state(lesson.game)
    right = {move.text for move in state.legal_moves() if lessons.answer(lesson, step, move).right}
    dice = random.Random(number)
    for target in most_likely(list(aims(state, right)))[:8]:
        for _ in range(WAYS):
            page.wait_for_selector(".boards.live", timeout=PATIENCE)
            if not target.piece:
                choose_by_pointer(page, dice)
                page.wait_for_selector(VERDICT, timeout=PATIENCE)
            elif not lay(hand, target, right):
                break
            if page.locator(".headline.right").count():
                return
            hand.press("[data-key='lesson/again']")
            page.wait_for_selector(".study .task")
    raise AssertionError("no right answer was found")


@pytest.mark.parametrize(
    ("home", "name"),
    [*(("server", lesson.id) for lesson in lessons.lessons()), ("site", "snakey-dice")],
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
        answer_rightly(Pointer(page), lesson, number)
        page.click("[data-key='lesson/next']")
    page.click("[data-key='lesson/play']")
    page.wait_for_selector(".headline.yours", timeout=PATIENCE)
    play_by_pointer(page, random.Random(1))


def test_a_lesson_is_done_by_keyboard_alone(page: Page, server: Server) -> None:
    lesson = lessons.find("snekagon")
    assert lesson is not None
    page.goto(f"{server.address}/#/learn/snekagon")
    for number in range(len(lesson.steps)):
        page.wait_for_selector(f".headline:has-text('Step {number + 1} of')", timeout=PATIENCE)
        answer_rightly(Keyboard(page), lesson, number)
        page.keyboard.press("Enter")  # the button to go on has the focus
    page.wait_for_selector("[data-key='lesson/play']:focus")


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


def test_a_lesson_is_done_by_touch_on_a_phone(browser: Browser, server: Server) -> None:
    lesson = lessons.find("snekagon")
    assert lesson is not None
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale="de-DE"
    )
    page = context.new_page()
    page.goto(f"{server.address}/#/learn/snekagon")
    for number in range(len(lesson.steps)):
        page.wait_for_selector(f".headline:has-text('Schritt {number + 1} ')", timeout=PATIENCE)
        answer_rightly(Finger(page), lesson, number)
        page.wait_for_selector(".headline.right:has-text('Richtig')")
        page.locator("[data-key='lesson/next']").tap()
    page.wait_for_selector("[data-key='lesson/play']")
    context.close()


def test_a_wrong_answer_is_refuted_and_a_right_one_counts(page: Page, home: Home) -> None:
    puzzle = next(one for one in puzzles.shipped("snekagon") if len(one.state().legal_moves()) < 40)
    page.goto(f"{home.address}/#/puzzles/snekagon/{puzzle.id}")
    page.wait_for_selector(".boards.live", timeout=PATIENCE)
    state = puzzle.state()
    assert state.player is not None
    page.wait_for_selector(f".study .standing:has-text('You: {state.scores()[state.player]}')")
    wrong = {move.text for move in state.legal_moves()} - set(puzzle.solutions)
    for moves, verdict in ((wrong, "wrong"), (set(puzzle.solutions), "right")):
        found = 0
        for target in most_likely(list(aims(state, moves))):
            for _ in range(WAYS):
                page.wait_for_selector(".boards.live", timeout=PATIENCE)
                if not lay(Pointer(page), target, moves):
                    break
                found = page.locator(f".headline.{verdict}").count()
                page.wait_for_selector(".study .line li:last-child.now", timeout=PATIENCE)
                page.click("[data-key='puzzle/again']")
                if found:
                    break
            if found:
                break
        assert found, f"no {verdict} answer could be given"
    page.goto(f"{home.address}/#/puzzles")
    assert "Solved: 1 of 200" in page.locator("[data-game=snekagon]").inner_text()
    assert "Streak" not in page.locator(".list-page").inner_text()


def test_puzzles_are_chosen_by_theme_difficulty_and_day(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/#/puzzles")
    card = page.locator("[data-game=schlangennest]")
    held = puzzles.shipped("schlangennest")
    hard = [one for one in held if one.difficulty == 6]
    card.locator("[data-key='puzzles.difficulty']").select_option("6")
    assert f"of {len(hard)}" in card.inner_text()
    theme = hard[0].themes[0]
    card.locator("[data-key='puzzles.theme.schlangennest']").select_option(theme)
    fitting = [one for one in hard if theme in one.themes]
    assert f"of {len(fitting)}" in card.inner_text()
    assert fitting[0].id in (card.locator("[data-do=next]").get_attribute("href") or "")
    card.locator("[data-do=daily]").click()
    page.wait_for_selector(".boards.live", timeout=PATIENCE)
    today = page.evaluate("new Date().toLocaleDateString('sv')")
    wanted = puzzles.daily("schlangennest", date.fromisoformat(today))
    assert wanted is not None
    assert "★" * wanted.difficulty + "☆" in page.locator(".study .happened").inner_text() + "☆"


def test_a_wrong_use_of_a_roll_shows_how_the_turn_goes_on(page: Page, server: Server) -> None:
    puzzle = next(
        one
        for one in puzzles.shipped("snakey-dice")
        if all(len(puzzles.judge(one, move).line) > 1 for move in one.state().legal_moves())
    )
    page.goto(f"{server.address}/#/puzzles/snakey-dice/{puzzle.id}")
    page.wait_for_selector(".study .drawer section.sheet", timeout=PATIENCE)  # what can be done depends on it
    dice = random.Random(1)
    for _ in range(12):
        page.wait_for_selector(".boards.live", timeout=PATIENCE)
        choose_by_pointer(page, dice)
        page.wait_for_selector(".study .line li:last-child.now", timeout=PATIENCE)
        if page.locator(".headline.wrong").count():
            break
        page.click("[data-key='puzzle/again']")
    assert "the best has" in page.locator(".headline.wrong").inner_text()
    moves = [one.get_attribute("data-move") or "" for one in page.locator(".study .line li").all()]
    verdict = puzzles.judge(puzzle, moves[0])
    assert not verdict.right
    assert moves == [move.text for move in verdict.line]
    said = page.locator(".study .line li").all_inner_texts()
    assert not [words for words in said if ":" in words], "moves are told in words"


def analysed(page: Page, address: str) -> list[str]:
    """Paste a game that was played best, and wait until all of it is looked at; its moves."""
    start = snakeden.new_game("snekagon", side=3)
    moves = [move.text for move in Solver(start).solve(start).line]
    page.goto(f"{address}/#/analysis")
    page.fill("textarea", record(start, moves, seats=("Ada", "Bo")).write())
    page.click("[data-key='analysis/open']")
    page.wait_for_selector(".study .marked .mark", timeout=PATIENCE)
    page.wait_for_function(
        "(all) => document.querySelectorAll('.study .marked .mark').length === all",
        arg=len(moves),
        timeout=PATIENCE,
    )
    assert page.locator(".study .curve polygon").count() == 2
    page.click(f"[data-key='node/{len(moves) - 3}']")
    page.wait_for_selector(".study .proof:has-text('proven')", timeout=PATIENCE)
    return moves


def test_a_pasted_game_is_analysed_and_a_variation_tried(page: Page, home: Home) -> None:
    moves = analysed(page, home.address)
    page.click("[data-key='node/1']")
    page.wait_for_selector(".study .marked > li:first-child.now")
    page.locator(f".study .best ol button:not([data-key='best/{moves[1]}'])").first.click(timeout=60_000)
    page.wait_for_selector(".study .variation .now", timeout=60_000)


def test_variations_are_kept_as_a_tree(page: Page, server: Server) -> None:
    moves = analysed(page, server.address)
    # A variation, another inside it, and the way back.
    page.click("[data-key='node/1']")
    page.wait_for_selector(".study .marked > li:first-child.now")
    page.locator(f".study .best ol button:not([data-key='best/{moves[1]}'])").first.click(timeout=60_000)
    page.wait_for_selector(".study .variation .now")
    page.locator(".study .best ol button").first.click(timeout=60_000)
    page.wait_for_selector(".study .variation li:nth-child(2).now")
    page.click("[data-key='analysis/◀']")
    page.locator(".study .best ol button").nth(1).click(timeout=60_000)
    page.wait_for_selector(".study .variation .variation .now", timeout=60_000)
    with page.expect_download() as saved:
        page.click("[data-key='analysis/record']")
    kept = read(saved.value.path().read_text(encoding="utf-8"))
    first, second = kept.variations()
    assert kept.moves == tuple(moves)
    assert (first.ply, second.ply) == (1, 1)
    assert first.moves[0] == second.moves[0]
    assert first.moves[1] != second.moves[1]
    page.click("[data-key='analysis/remove']")
    page.wait_for_selector(".study .variation .variation", state="detached")
    page.click("[data-key='analysis/back']")
    page.wait_for_selector(".study .marked > li:first-child.now")
    # The record holds the tree.
    page.goto(f"{server.address}/#/learn")
    page.goto(f"{server.address}/#/analysis")
    page.fill("textarea", kept.write())
    # The engine is kept from finishing, so that there is something to stop.
    held: list[Route] = []

    def is_before_the_end(asked: Request) -> bool:
        question = asked.post_data_json if asked.url.endswith("/api/study/look") else None
        return question is not None and len(question["moves"]) < len(moves)

    page.route(
        "**/api/study/look", lambda to: held.append(to) if is_before_the_end(to.request) else to.continue_()
    )
    with page.expect_request(is_before_the_end, timeout=PATIENCE):
        page.click("[data-key='analysis/open']")
    page.wait_for_selector(".study .variation .variation", timeout=PATIENCE)
    page.click("[data-key='analysis/run']:has-text('Stop')")
    held[0].continue_()
    page.wait_for_selector("[data-key='analysis/run']:has-text('Analyse the game')", timeout=PATIENCE)
    assert len(held) == 1


def test_any_position_is_reached_by_moving_freely(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/#/analysis")
    page.click("[data-game=snakey-dice]")
    dice = random.Random(3)
    for count in range(1, 12):
        page.wait_for_selector(".boards.live, .rolls select", timeout=PATIENCE)
        if page.locator(".rolls select").count():
            page.locator(".rolls select").select_option(index=1 + count % 2)
        else:
            choose_by_pointer(page, dice)
        page.wait_for_selector(f".study .marked > li:nth-child({count}).now", timeout=PATIENCE)
    page.click("[data-key='node/3']")
    page.wait_for_selector(".study .marked > li:nth-child(3).now")
    assert page.locator(".study .marked > li").count() == 11


def test_nothing_is_done_in_a_position_that_is_left(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/#/analysis/new/snakey-dice/%7B%7D/")
    for count in range(1, 10):
        page.wait_for_selector(".rolls select", timeout=PATIENCE)
        page.locator(".rolls select").select_option(index=1)
        page.wait_for_selector(f".study .marked > li:nth-child({count}).now", timeout=PATIENCE)
        page.wait_for_selector(".boards.live, .rolls select", timeout=PATIENCE)
        if page.locator(".boards.live").count():
            break
    held: list[Route] = []
    page.route("**/api/study/position", lambda to: held.append(to))
    for offered, leave in ((".boards.live", "analysis/|◀"), (".rolls select", "analysis/▶|")):
        page.wait_for_selector(offered, timeout=PATIENCE)
        with page.expect_request("**/api/study/position"):
            page.click(f"[data-key='{leave}']")
        assert page.locator(".rolls select, .boards.live").count() == 0
        held.pop().continue_()
    page.wait_for_selector(".boards.live", timeout=PATIENCE)


def test_options_are_chosen_for_the_analysis_board(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/#/new/snekagon")
    page.wait_for_selector(".sample svg", timeout=PATIENCE)
    page.locator("#option-side input[value='4']").check()
    page.click("[data-key='setup/analyse']")
    page.wait_for_selector(".study .boards.live", timeout=PATIENCE)
    assert page.locator(".frame .cells [data-id]").count() == 37
