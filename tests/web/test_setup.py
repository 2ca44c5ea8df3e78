"""A new game by choosing: what is chosen is shown, mistakes are shown to visitors, and who begins is said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Home, Server
from playing import PATIENCE, READY
from playwright.sync_api import Browser, Page, expect

from snakeden.nets import evaluator


@pytest.fixture
def forgiving(browser: Browser) -> Iterator[Page]:
    """A page that may complain: browsers count a refused choice among errors."""
    context = browser.new_context(viewport={"width": 1300, "height": 900}, locale="en-GB")
    yield context.new_page()
    context.close()


def set_up(page: Page, home: Home | Server, game: str) -> None:
    page.goto(f"{home.address}/#/new/{game}")
    page.wait_for_selector(".sample svg", timeout=PATIENCE)


def test_the_highest_level_says_how_it_plays_here(page: Page, home: Home) -> None:
    set_up(page, home, "snekagon")
    level = page.get_by_label("Strength 2")
    said = page.locator(".seats-form .note")
    expect(said).to_have_text("")
    level.select_option("level:6")
    with_net = not home.small and evaluator.is_installed()
    how = "searches for up to five seconds" if with_net else "plays without its network here"
    expect(said).to_contain_text(f"Level 6 {how}")
    level.select_option("level:5")
    expect(said).to_have_text("")


def test_the_highest_level_says_how_it_plays_with_the_options_chosen(page: Page, home: Home) -> None:
    set_up(page, home, "schlangennest")
    page.get_by_label("Strength 2").select_option("level:6")
    said = page.locator(".seats-form .note")
    with_net = not home.small and evaluator.is_installed()
    usual = "with a network" if with_net else "without its network here"
    expect(said).to_contain_text(usual)
    page.locator("#option-border input[value='none']").check()
    expect(said).not_to_contain_text("network")
    page.locator("#option-border input[value='floating']").check()
    expect(said).to_contain_text(usual)


def test_what_is_chosen_is_shown(page: Page, server: Server) -> None:
    set_up(page, server, "snekagon")
    cells = page.locator(".sample .cells > .cell")
    expect(cells).to_have_count(91)
    page.locator("#option-side input[value='4']").check()
    expect(cells).to_have_count(37)


def test_a_choice_put_right_does_not_swallow_the_click(forgiving: Page, server: Server) -> None:
    set_up(forgiving, server, "schlangennest")
    forgiving.locator("#option-nest input[value='*']").check()
    own = forgiving.locator("#option-nest-own")
    own.fill("2x3")
    own.blur()
    expect(forgiving.locator(".sheet-form .alert")).to_contain_text("2x3")
    own.fill("4x5")
    forgiving.get_by_role("button", name="Start the game").click()
    forgiving.wait_for_selector(READY, timeout=PATIENCE)


def test_a_map_of_ones_own_comes_out_of_a_file(forgiving: Page, server: Server, tmp_path: Path) -> None:
    set_up(forgiving, server, "snakey-dice")
    forgiving.locator("#option-players").select_option("2")
    forgiving.locator("#option-map input[value='*']").check()
    broken, whole = tmp_path / "broken.txt", tmp_path / "whole.txt"
    rows = ["S.........S", *["..........."] * 9, "S...#.....S"]
    broken.write_text("\n".join(rows[:5]))
    whole.write_text("; mine\nblockades 0\n" + "\n".join(rows))
    forgiving.locator("input[type=file]").set_input_files(broken)
    expect(forgiving.locator(".sheet-form .alert")).to_contain_text("5 rows")
    assert "path" not in forgiving.locator(".sheet-form .alert").inner_text()
    forgiving.locator("input[type=file]").set_input_files(whole)
    expect(forgiving.locator(".sheet-form .alert")).to_have_text("")
    expect(forgiving.locator(".sample .mark.r-blockade")).to_have_count(1)
    forgiving.get_by_role("button", name="Start the game").click()
    forgiving.wait_for_selector(READY, timeout=PATIENCE)


def test_a_map_is_drawn(page: Page, server: Server) -> None:
    set_up(page, server, "snakey-dice")
    page.locator("#option-players").select_option("2")
    page.locator("#option-map input[value='diy']").check()
    page.locator("#option-map input[value='+']").check()
    expect(page.locator(".map-grid .square")).to_have_count(11 * 11)
    page.get_by_label("6, 6: empty").click()
    expect(page.locator(".sample .mark.r-blockade")).to_have_count(1)
    page.locator(".palette label:has-text('power-up')").click()
    page.get_by_label("2, 6: empty").hover()
    page.mouse.down()
    page.get_by_label("4, 6: empty").hover()
    page.mouse.up()
    expect(page.locator(".sample .mark.r-powerup")).to_have_count(3)
    page.get_by_label("4, 6: power-up").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".sample .mark.r-powerup")).to_have_count(4)
    for name in ("blockades", "power-ups"):
        page.locator(f".map-maker input[name='{name}']").fill("0")
    with page.expect_download() as saved:
        page.locator("[data-do=save-map]").click()
    text = saved.value.path().read_text()
    assert text.splitlines()[2:][5] == ".+++.#....."
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector(READY, timeout=PATIENCE)
    expect(page.locator(".boards .mark.r-powerup")).to_have_count(4)


def test_choices_are_pictures(page: Page, server: Server) -> None:
    for game, option, count in (
        ("snekagon", "side", 7),
        ("schlangennest", "nest", 5),
        ("schlangennest", "border", 4),
        ("snakey-dice", "map", 5),
    ):
        set_up(page, server, game)
        expect(page.locator(f"#option-{option} .tile svg.board")).to_have_count(count)


def test_who_begins_is_chosen(page: Page, home: Home) -> None:
    set_up(page, home, "snekagon")
    page.get_by_label("Name 1").fill("Ann")
    page.locator("[name=seat1]").select_option("here")
    page.get_by_label("Name 2").fill("Bob")
    page.locator("#begins").select_option("1")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector(READY, timeout=PATIENCE)
    assert page.locator(".seat .who").all_inner_texts() == ["Bob", "Ann"]
    expect(page.locator(".seat.turn .who")).to_have_text("Bob")


def test_friends_on_a_box_means_people_on_all_seats(page: Page, home: Home) -> None:
    for game in ("snekagon-5g", "snakey-dice"):
        page.goto(f"{home.address}/")
        page.locator(f"[data-game={game}] [data-do=friends]").click()
        page.wait_for_selector(".seat-row:nth-of-type(2)", timeout=PATIENCE)
        seats = [one.input_value() for one in page.locator(".seat-row [name^=seat]").all()]
        assert seats == ["me", "here" if home.small else "link"]
        expect(page.locator("#hints")).not_to_be_checked()


def test_friends_play_without_hints_unless_they_are_wanted(page: Page, server: Server) -> None:
    set_up(page, server, "snekagon")
    hints = page.locator("#hints")
    expect(hints).to_be_checked()
    page.locator("[name=seat1]").select_option("link")
    expect(hints).not_to_be_checked()
    hints.check()
    page.locator("[name=seat1]").select_option("open")
    expect(hints).to_be_checked()


def test_an_invitation_shows_the_game_and_a_used_link_says_so(
    page: Page, browser: Browser, server: Server
) -> None:
    set_up(page, server, "snekagon")
    page.get_by_label("Name 1").fill("Ann")
    page.locator("[name=seat1]").select_option("link")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector(".invitation input", timeout=PATIENCE)
    link = page.locator(".invitation input").input_value()
    friends = [browser.new_context(locale="en-GB").new_page() for _ in range(2)]
    friends[0].goto(link)
    expect(friends[0].locator(".sample svg")).to_be_visible()
    expect(friends[0].locator(".sheet-form")).to_contain_text("without hints")
    friends[0].get_by_label("Your name").fill("Bob")
    friends[0].get_by_role("button", name="Sit down and play").click()
    friends[0].wait_for_selector(".boards svg")
    friends[1].goto(link)
    expect(friends[1].locator(".sheet-form")).to_contain_text("This link has been used")
    assert friends[1].get_by_role("button", name="Sit down and play").count() == 0
    page.goto(f"{server.address}/#/")
    page.wait_for_selector("[data-list=own] li:has-text('Your turn')")
    for friend in friends:
        friend.context.close()
