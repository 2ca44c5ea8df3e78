"""Every game of the house, played on the page to its end."""

from __future__ import annotations

import random

import pytest
from browsing import Home, Server, sit_alone
from playing import (
    DOABLE,
    PATIENCE,
    READY,
    is_over,
    middle,
    move_list,
    play_by_keyboard,
    play_by_pointer,
    play_by_touch,
    start,
    wait_for_turn,
)
from playwright.sync_api import Browser, Page, Route, expect
from short_games import SHORT, begin, begin_from_the_shelf


@pytest.mark.parametrize("name", SHORT)
def test_a_game_by_pointer(page: Page, home: Home, name: str) -> None:
    begin_from_the_shelf(page, home, name)
    dice = random.Random(3)
    while not is_over(page):
        play_by_pointer(page, dice)
    assert page.locator("[data-do=rematch]").is_visible()
    scores = page.locator(".seat .score").all_inner_texts()
    assert len(scores) == (1 if name == "solo" else 2)
    assert any(score != "0" for score in scores)


def test_two_clicks_make_one_game(browser: Browser, server: Server) -> None:
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(server.address)
    page.route("**/api/options", lambda route: route.abort())
    play = page.locator("[data-game=snekagon] [data-do=engine]")
    for _ in range(2):
        play.click()
        page.wait_for_selector("[data-game=snekagon] .note:has-text('cannot be reached')")
        page.wait_for_selector("[data-game=snekagon] [data-do=engine]:enabled")
    page.unroute("**/api/options")
    play.dblclick()
    page.wait_for_selector(READY, timeout=PATIENCE)
    assert len([url for url in asked if url.endswith("/api/games")]) == 1

    page.goto(server.address)
    made: list[Route] = []
    page.route("**/api/games", lambda route: made.append(route))
    with page.expect_request("**/api/games"):
        play.click()
    page.goto(f"{server.address}/#/rules/snekagon")
    page.wait_for_selector(".rules h2")
    with page.expect_event("requestfinished", lambda request: request == made[0].request):
        made[0].continue_()
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    assert page.url.endswith("#/rules/snekagon"), "who has gone elsewhere is not fetched back"
    context.close()


def test_nothing_is_laid_by_touch_where_nothing_is_shown(browser: Browser, server: Server) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        locale="en-GB",
        reduced_motion="reduce",
    )
    page = context.new_page()
    sit_alone(page, server, "snekagon", "Ann", "Bob")
    lay = page.locator("[data-key='do/place']")
    expect(lay).to_be_disabled()
    page.touchscreen.tap(*middle(page, ".overlay .legal", random.Random(2)))
    expect(page.locator(".ghost.fits")).to_have_count(1)
    lay.tap()
    page.wait_for_selector(".headline.yours:has-text('Bob')")
    page.locator("[data-do=undo]").tap()
    page.wait_for_selector(".headline.yours:has-text('Ann')")
    expect(page.locator(".ghost")).to_have_count(0)
    expect(lay).to_be_disabled()
    context.close()


def test_choices_that_are_checked_late_undo_nothing(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/#/new/snakey-dice")
    rows = page.locator(".seat-row")
    players = page.locator("#option-players")
    page.wait_for_selector(".main:enabled", timeout=PATIENCE)
    held: list[Route] = []

    def hold_three(route: Route) -> None:
        if '"players":3' in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    page.route("**/api/options", hold_three)
    with page.expect_request("**/api/options"):
        players.select_option("3")
    players.select_option("2")
    rows.nth(1).wait_for()
    with page.expect_event("requestfinished", lambda request: request == held[0].request):
        held[0].continue_()
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    assert rows.count() == 2, "an answer that was overtaken counts no more"

    with page.expect_request("**/api/options"):
        players.select_option("3")
    page.get_by_role("button", name="Start the game").click()
    held[1].continue_()
    page.wait_for_selector(READY, timeout=PATIENCE)
    assert page.locator(".seats .seat").count() == 3


def test_every_game_by_keyboard_alone(page: Page, home: Home) -> None:
    page.goto(f"{home.address}/")
    page.wait_for_selector("[data-game=snekagon]")
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.locator("[data-game=snekagon] [data-do=engine]:focus").count():
            break
    page.keyboard.press("Enter")
    page.wait_for_selector(READY, timeout=PATIENCE)
    dice = random.Random(1)
    play_by_keyboard(page, dice)
    for name in SHORT:
        begin(page, home, name)
        while not is_over(page):
            play_by_keyboard(page, dice)
        assert page.locator("[data-do=rematch]").is_visible(), name


def test_every_game_by_touch_on_a_small_screen(browser: Browser, home: Home) -> None:
    context = browser.new_context(
        viewport={"width": 360, "height": 740},
        has_touch=True,
        is_mobile=True,
        locale="en-GB",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(f"{home.address}/")
    page.locator("[data-game=snekagon] [data-do=engine]").tap()
    page.wait_for_selector(READY, timeout=PATIENCE)
    dice = random.Random(2)
    play_by_touch(page, dice)
    for name in SHORT:
        begin(page, home, name)
        while not is_over(page):
            play_by_touch(page, dice)
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, (
                f"{name} sticks out to the side"
            )
        assert page.locator("[data-do=rematch]").is_visible(), name
    context.close()


def test_an_illegal_place_says_which_rule_it_would_break(page: Page, home: Home) -> None:
    start(page, f"{home.address}/", "snekagon")
    taken = page.locator('.boards [data-id="1/f6"]')
    before = move_list(page)
    taken.click()
    wait_for_turn(page, before)
    page.mouse.move(5, 5)
    taken.hover(force=True)
    page.wait_for_selector(".ghost.misfits")
    page.wait_for_function("() => document.querySelector('.why').textContent.includes('already')")
    before = move_list(page)
    taken.click(force=True)
    assert move_list(page) == before


def test_a_choice_is_shown_before_it_is_made(page: Page, server: Server) -> None:
    start(page, server.address, "snakey-dice", "alone")
    page.locator(".overlay .legal").first.wait_for()
    box = page.locator(".overlay .legal").first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 3, box["y"] + 3)
    page.locator(DOABLE).first.hover()
    page.wait_for_selector(".boards.preview .cell.r-seat0")
    page.mouse.move(5, 5)
    page.wait_for_selector(".boards:not(.preview)")
    assert page.locator(".boards .cell.r-seat0").count() == 0


def test_a_move_is_played_without_waiting_for_its_preview(page: Page, server: Server) -> None:
    start(page, server.address, "snakey-dice", "alone")
    late: list[Route] = []
    page.route("**/preview", lambda route: route.continue_() if late else late.append(route))
    page.mouse.click(*middle(page, ".overlay .legal", random.Random(1)))
    before = move_list(page)
    page.locator(DOABLE).first.click()
    wait_for_turn(page, before)
    late[0].continue_()
    assert late[0].request.response() is None, "nobody waits for it any more"


def test_stepping_back_and_taking_back(page: Page, home: Home) -> None:
    start(page, f"{home.address}/", "snekagon")
    play_by_pointer(page, random.Random(1))
    now = page.locator(".boards .layer.paths").inner_html()
    page.locator(".moves li:not(.steps) button").first.click()
    page.wait_for_selector("text=After 1 of 2")
    assert page.locator(".overlay .legal").count() == 0
    page.locator(".moves [data-step='▶|']").click()
    page.wait_for_selector(READY)
    assert page.locator(".boards .layer.paths").inner_html() == now
    page.locator("[data-do=undo]").click()
    page.wait_for_function("() => !document.querySelector('.moves li:not(.steps)')")
    assert page.locator(".overlay .legal").count() == 91


def test_a_hint_in_words_with_chances(page: Page, home: Home) -> None:
    start(page, f"{home.address}/", "snekagon")
    page.locator("[data-do=hint]").click()
    page.wait_for_selector(".advice-box .chances", timeout=PATIENCE)
    assert "to win" in page.locator(".advice-box").inner_text()
    # A short search may have to say more.
    does = page.locator(".does").first.inner_text()
    assert does == "Begins a new snake of 1 cell; takes the lead with 1 to 0."
    page.locator("[data-do=show-hint]").click()
    page.wait_for_selector(".boards.preview .cell.r-seat0")
    page.locator("[data-do=show-hint]").click()
    page.wait_for_selector(".boards:not(.preview)")
    assert page.locator(".boards .cell.r-seat0").count() == 0
