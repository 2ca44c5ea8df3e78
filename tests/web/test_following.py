"""Following a game: turns played back step by step, positions looked back at, addresses that lead nowhere, keys."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
from browsing import Home, Server, sit_alone
from playing import (
    PATIENCE,
    READY,
    choose_by_pointer,
    is_over,
    move_list,
    play_by_pointer,
    start,
    wait_for_turn,
)
from playwright.sync_api import Browser, Page, expect


@pytest.fixture
def moving(browser: Browser) -> Iterator[Page]:
    """A page of somebody who does not mind motion."""
    context = browser.new_context(viewport={"width": 1300, "height": 900}, locale="en-GB")
    yield context.new_page()
    context.close()


def steps_of_a_turn(page: Page, dice: random.Random) -> list[str]:
    """What the page says on the way, from a move of one's own to the next, until an engine has moved."""
    page.evaluate(
        """() => {
            window.said = [];
            new MutationObserver(() => {
                const line = document.querySelector(".now .happened")?.textContent ?? "";
                const skip = document.querySelector("[data-do=skip]") !== null;
                if (skip && window.said.at(-1) !== line) window.said.push(line);
            }).observe(document.querySelector(".now"), { childList: true, subtree: true });
        }"""
    )
    for _ in range(12):
        before = move_list(page)
        choose_by_pointer(page, dice)
        wait_for_turn(page, before)
        said: list[str] = page.evaluate("() => window.said")
        if any("engine" in line for line in said):
            return said
    raise AssertionError("no turn of the engine was played back")


def test_an_engines_turn_is_played_back_step_by_step(moving: Page, server: Server) -> None:
    start(moving, server.address, "snakey-dice")
    said = steps_of_a_turn(moving, random.Random(1))
    assert len(said) >= 1
    line = moving.locator(".now .happened").inner_text()
    assert "engine" in line, "one line says what happened"
    assert not re.search(r"\w:\w", line), "in words, not as moves are written"


def test_nothing_is_played_back_where_nothing_should_move(page: Page, server: Server) -> None:
    start(page, server.address, "snakey-dice")
    with pytest.raises(AssertionError, match="played back"):
        steps_of_a_turn(page, random.Random(1))


def test_what_is_played_back_can_be_skipped_and_slowed_down(moving: Page, server: Server) -> None:
    moving.clock.install()
    start(moving, server.address, "snekagon")
    moving.locator(".settings.of-page summary").click()
    moving.locator("[name=pace]").select_option("slow")
    # No time passes any more: a position stays on the board until somebody skips it.
    moving.clock.pause_at(moving.evaluate("Date.now()") / 1000 + 5)
    moving.locator('.boards [data-id="1/f6"]').click()
    moving.locator("[data-do=skip]").click(timeout=PATIENCE)
    moving.wait_for_selector(".headline.yours")
    expect(moving.locator(".now .happened")).to_contain_text("engine")
    moving.reload()
    moving.wait_for_selector(READY)
    assert moving.locator("[name=pace]").input_value() == "slow", "the choice is kept"


def test_scores_and_hands_are_those_of_the_position_looked_at(page: Page, server: Server) -> None:
    sit_alone(page, server, "snekagon", "Ann", "Bob")
    for place in ("f6", "a1", "f8"):
        before = move_list(page)
        page.locator(f'.boards [data-id="1/{place}"]').click()
        wait_for_turn(page, before)
    scores = page.locator(".seat .score")
    now = scores.all_inner_texts()
    page.locator(".moves li:not(.steps) button").first.click()
    page.wait_for_selector("text=After 1 of 3")
    assert scores.all_inner_texts() == ["1", "0"]
    expect(page.locator(".seat.turn .who")).to_have_text("Bob")
    page.locator("[data-key=to-newest]").click()
    assert scores.all_inner_texts() == now


WRONG = [
    "game/abcdefghijklmnopqrst",
    "game/short",
    "nowhere/at/all",
    "new/chess",
    "rules/chess",
    "join/abcdefghijklmnopqrst/cut-off",
    "analysis/abcdefghijklmnopqrst",
    "analysis/new/snekagon/%7Bcut",
    "analysis/set-up/chess",
]


def test_a_wrong_address_says_so_and_nothing_else(browser: Browser, home: Home) -> None:
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    for address in WRONG[:1] if home.small else WRONG:
        page.goto(f"{home.address}/#/{address}")
        said = page.locator(".nowhere h1")
        expect(said).to_have_text("There is nothing at this address.", timeout=PATIENCE)
        assert page.locator(".board-area, .actions, .moves").count() == 0
        page.locator(".nowhere a").click()
        page.wait_for_selector("[data-game]")
    context.close()


def test_the_keys_are_shown_on_a_question_mark(page: Page, server: Server) -> None:
    sit_alone(page, server, "snekagon", "Ann", "Bob")
    page.locator(".boards").focus()
    page.keyboard.press("?")
    dialog = page.locator("dialog.keys")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("mirror the piece")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_the_bar_and_a_hint_name_the_same_chance(page: Page, server: Server) -> None:
    start(page, server.address, "snekagon")
    page.locator("[data-do=hint]").click()
    page.wait_for_selector(".advice-box .chances", timeout=PATIENCE)
    bars = [one.get_attribute("aria-label") for one in page.locator(".chances").all()]
    assert len(bars) == 2
    assert bars[0] == bars[1]
    play_by_pointer(page, random.Random(1))
    assert is_over(page) or page.locator(".advice-box").count() == 0
