"""What the player to move is asked: dice are chosen, buttons say what they do, and warn where it is needed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from browsing import Home, go_on_alone, sit_alone
from playing import DOABLE, PATIENCE, is_over, move_list, play_by_pointer, wait_for_turn
from playwright.sync_api import Locator, Page, expect
from positions import fullest_prompts, record_until

from snakeden.core.state import State

DUEL = {"players": 2}
NOTATION = re.compile(r"\w:\w|!")
"""Moves as they are written: `use:5L`, `unlock!`."""
WANTED = {"reroll", "flip", "unlock", "ignore", "go-on", "forward", "begin/down"}


def act(page: Page, name: str) -> None:
    before = move_list(page)
    page.locator(f"[data-act='{name}']").click()
    wait_for_turn(page, before)


def can(*moves: str) -> Callable[[State], bool]:
    """Whether these moves are legal in a position."""
    return lambda state: {move.text for move in state.legal_moves()}.issuperset(moves)


def test_dice_are_chosen_and_then_something_is_done_with_them(page: Page, home: Home) -> None:
    go_on_alone(page, home, record_until("snakey-dice", {}, can("reroll:4", "reroll:5")), "Ann")
    dice = page.locator(".dice button.thing, .dice span.thing")
    expect(dice).to_have_count(2)
    page.locator("button.thing").first.click()
    reroll, ignore = page.locator("[data-act=reroll]"), page.locator("[data-act=ignore]")
    expect(reroll).to_contain_text("throws 1 die again")
    expect(reroll).to_contain_text("1 left")
    expect(ignore).to_contain_text("leaves 1 die")
    expect(page.locator("[data-act=flip]")).to_be_disabled()
    expect(page.locator("[data-act=flip]")).to_contain_text("0 left")
    act(page, "reroll")
    expect(reroll).to_contain_text("0 left")
    act(page, "go-on")
    expect(page.locator(".turn-steps [aria-current=step]")).to_have_text("Use")


def test_a_button_says_what_has_to_be_chosen_first(page: Page, home: Home) -> None:
    sit_alone(page, home, "snakey-dice", "Ann", "Bob", players=2)
    down = page.locator("[data-act='begin/down']")
    expect(down).to_have_attribute("title", "Choose a square to begin on.")
    before = move_list(page)
    down.click()
    expect(page.locator(".why")).to_have_text("Choose a square to begin on.")
    assert move_list(page) == before
    page.locator('.boards [data-id="2,2"]').click()
    expect(down).not_to_have_attribute("title", "Choose a square to begin on.")
    expect(page.locator("[data-act='begin/up']")).to_have_class("act   waits")
    expect(page.locator(".overlay .way")).to_have_count(4)  # a line and a tip for each direction
    act(page, "begin/down")


def test_no_button_shows_notation_or_looks_like_another_or_slips_away(page: Page, home: Home) -> None:
    seen: set[str] = set()
    sizes: list[tuple[float, float]] = []
    for text in (*fullest_prompts("snakey-dice", DUEL, "en"), record_until("snakey-dice", DUEL, is_plain)):
        go_on_alone(page, home, text, "Ann", "Bob")
        page.locator(".act").first.wait_for()
        buttons = page.locator(".act").all_inner_texts()
        assert len(set(buttons)) == len(buttons)
        assert not [said for said in buttons if NOTATION.search(said)]
        assert page.locator(".actions code").count() == 0
        seen |= {one.get_attribute("data-act") or "" for one in page.locator(".act").all()}
        main = page.locator(".act.main:not(.wide)")
        if main.count():
            page.mouse.move(5, 5)
            before = height(main)
            main.hover()
            sizes.append((before, height(main)))
    assert seen >= WANTED
    assert sizes
    assert all(before == after for before, after in sizes), "what shrinks under the pointer is left by it"


def is_plain(state: State) -> bool:
    """Whether there is one thing to do, which needs no choice of dice."""
    [*targets] = state.variant.game.view.move_targets(state)
    return len(targets) == 1 and not targets[0].places


def height(button: Locator) -> float:
    box = button.bounding_box()
    assert box is not None
    return box["height"]


def test_the_way_of_a_chosen_die_is_drawn(page: Page, home: Home) -> None:
    go_on_alone(page, home, record_until("snakey-dice", {}, can("use:5L", "use:5R")), "Ann")
    page.locator("button.thing.possible[aria-label*='left or right']").first.click()
    expect(page.locator(DOABLE)).to_have_count(2)
    expect(page.locator(".overlay .way")).to_have_count(2 * 2)  # a line and a tip for each direction


def test_a_card_that_ends_ones_own_snake_is_laid_only_after_a_warning(page: Page, home: Home) -> None:
    sit_alone(page, home, "schlangennest", "Ann", "Bob")
    for card, square in (("T", "(0,0)"), ("S", None), ("H", None)):
        before = move_list(page)
        page.locator(f"[data-piece$='/{card}'].possible").first.click()
        if square is None:
            page.locator(".overlay .legal").first.click(force=True)
        else:
            page.locator(f'.boards [data-id="{square}"]').click()
        if card != "H":
            wait_for_turn(page, before)
    warning = page.locator(".warning")
    expect(warning).to_contain_text("completes your snake with 2 parts")
    assert move_list(page) == before, "nothing is laid yet"
    page.locator("[data-key='do/spare']").click()
    expect(warning).to_have_count(0)
    page.locator(".overlay .legal").first.click(force=True)
    page.locator("[data-key='do/anyway']").click()
    wait_for_turn(page, before)
    page.wait_for_selector("text=complete", timeout=PATIENCE)


def test_no_piece_hides_what_was_laid_until_the_pointer_moves(page: Page, home: Home) -> None:
    sit_alone(page, home, "snekagon", "Ann", "Bob")
    place = page.locator('.boards [data-id="1/f6"]')
    box = place.bounding_box()
    assert box is not None
    before = move_list(page)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    wait_for_turn(page, before)
    assert page.locator(".overlay .ghost, .overlay .cursor").count() == 0
    page.mouse.move(box["x"] + box["width"] / 2 + 3, box["y"] + box["height"] / 2)
    page.wait_for_selector(".overlay .ghost.misfits")


def test_a_finished_board_has_no_cursor(page: Page, home: Home) -> None:
    sit_alone(page, home, "snekagon", "Ann", "Bob", side=3)
    dice = random.Random(1)
    while not is_over(page):
        play_by_pointer(page, dice)
    page.locator(".boards .cells .cell").first.hover(force=True)
    assert page.locator(".overlay .cursor, .overlay .ghost").count() == 0
    cursor = "() => getComputedStyle(document.querySelector('.boards .cells .cell')).cursor"
    assert page.evaluate(cursor) != "pointer"
