"""Several people and one game: links, lost connections, a killed server, names that try something."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from browsing import Server, sit_alone
from playing import PATIENCE, READY, is_over, middle, move_list, play_by_pointer, play_one, start
from playwright.sync_api import Browser, BrowserContext, Page, Route, WebSocket, expect

NASTY = "<script>document.title=1</script><b>B"

BUSY = {"error": "busy", "message": {"key": "server.engines-busy"}}


def invite(page: Page, server: Server, name: str) -> str:
    """Make a game of Snekagon with a friend by a link; the link."""
    page.goto(f"{server.address}/#/new/snekagon")
    page.get_by_label("Name 1").fill(name)
    page.locator("[name=seat1]").select_option("link")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector(".invitation input", timeout=PATIENCE)
    return page.locator(".invitation input").input_value()


def sit_down(context: BrowserContext, link: str, name: str) -> Page:
    page = context.new_page()
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sit down and play").click()
    page.wait_for_selector(".boards svg")
    return page


def test_two_browsers_play_each_other_and_a_script_in_a_name_stays_text(
    page: Page, browser: Browser, server: Server
) -> None:
    link = invite(page, server, "Ann")
    friend = browser.new_context(locale="en-GB")
    other = sit_down(friend, link, NASTY)
    page.wait_for_selector(READY)
    dice = random.Random(4)
    while not is_over(page):
        turn = page if page.locator(".headline.yours").count() else other
        turn.wait_for_selector(READY)
        before = move_list(turn)
        play_one(turn, dice)
        for one in (page, other):
            one.wait_for_function("seen => document.querySelector('.moves').innerText !== seen", arg=before)
    assert is_over(other) or other.wait_for_selector(".headline.over")
    assert page.locator(".seat .who").nth(1).inner_text() == NASTY
    assert page.locator("#page script, .seats b").count() == 0
    assert page.title() != "1"
    assert move_list(page) == move_list(other)
    result = page.locator(".headline").inner_text()
    page.locator("[data-step='|◀']").click()
    expect(page.locator(".headline")).to_have_text("Before the first move")
    expect(page.locator(".seat .star")).to_have_count(0)
    page.get_by_role("button", name="Back to the game", exact=True).click()
    expect(page.locator(".headline")).to_have_text(result)
    page.locator("[data-do=rematch]").click()
    other.get_by_role("button", name="Another game is ready").click()
    other.wait_for_selector(".headline.yours")
    friend.close()


def test_who_plays_for_several_gives_up_for_one(page: Page, server: Server) -> None:
    sit_alone(page, server, "snekagon-5g", "Ann", "Bob", "Cid", players=3)
    button = page.locator("[data-do=resign]")
    left = page.locator(".seat.left .who")
    button.click()
    assert button.inner_text() == "Really give up? – Ann"
    button.click()
    left.first.wait_for()
    assert left.all_inner_texts() == ["Ann"]
    # Ann's moves are anything now.
    page.wait_for_selector(".headline.yours:has-text('Bob')", timeout=PATIENCE)
    assert button.inner_text() == "Give up"
    button.click()
    assert button.inner_text() == "Really give up? – Bob"
    before = move_list(page)
    page.wait_for_selector(".overlay .legal:not(.other)", timeout=PATIENCE)
    page.mouse.click(*middle(page, ".overlay .legal:not(.other)", random.Random(1)))
    page.wait_for_function("seen => document.querySelector('.moves').innerText !== seen", arg=before)
    assert button.inner_text() == "Give up", "what was asked of Bob is not asked of Cid"
    button.click()
    assert button.inner_text() == "Really give up? – Cid"
    button.click()
    page.wait_for_selector(".headline.over:has-text('Bob won')")
    assert left.all_inner_texts() == ["Ann", "Cid"]
    assert page.locator(".happened").all_inner_texts() == ["Ann gave up, Cid gave up"]
    assert button.count() == 0


def test_who_gave_up_moves_no_more(page: Page, browser: Browser, server: Server) -> None:
    page.goto(f"{server.address}/#/new/snekagon-5g")
    page.locator("#option-players").select_option("3")
    page.locator("[name=seat2]").select_option("link")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector(".invitation input", timeout=PATIENCE)
    friend = browser.new_context(locale="en-GB")
    other = sit_down(friend, page.locator(".invitation input").input_value(), "Bob")
    page.wait_for_selector(".headline.yours")
    for _ in range(2):
        page.locator("[data-do=resign]").click()
    page.wait_for_selector(".seat.left")
    assert page.locator(".headline.yours, .overlay .legal, [data-do=resign]").count() == 0
    assert other.locator("[data-do=resign]").count() == 1
    friend.close()


def test_a_move_is_taken_back_only_if_the_other_agrees(page: Page, browser: Browser, server: Server) -> None:
    friend = browser.new_context(locale="en-GB", reduced_motion="reduce")
    other = sit_down(friend, invite(page, server, "Ann"), "Bob")
    page.wait_for_selector(READY)
    play_one(page, random.Random(6))
    other.wait_for_selector(".headline.yours")
    expect(page.locator(".headline")).to_have_text("Bob is to move")
    moves = move_list(page)
    guest = browser.new_context(locale="en-GB", reduced_motion="reduce")
    watcher = guest.new_page()
    watcher.goto(page.url)
    page.locator("[data-do=undo]").click()
    expect(page.locator(".now")).to_contain_text("The others are asked")
    expect(watcher.locator(".now")).to_contain_text("Ann would like to take a move back")
    other.get_by_role("button", name="Refuse").click()
    expect(page.locator(".now")).to_contain_text("The others did not agree")
    assert move_list(page) == moves
    page.locator("[data-do=undo]").click()
    other.get_by_role("button", name="Allow").click()
    expect(page.locator(".headline")).to_have_text("Your turn")
    expect(page.locator(".now")).not_to_contain_text("agree")
    guest.close()
    friend.close()


def test_a_network_that_is_gone_is_told_of_at_once(page: Page, server: Server) -> None:
    sit_alone(page, server, "snekagon", "Ann", "Bob")
    lost = page.get_by_text("The connection is lost")
    expect(lost).to_be_hidden()
    page.context.set_offline(True)
    expect(lost).to_be_visible()
    page.context.set_offline(False)
    expect(lost).to_be_hidden()


def test_a_seat_is_taken_along_to_another_device(page: Page, browser: Browser, server: Server) -> None:
    sit_alone(page, server, "snekagon", "Ann", "Bob")
    page.locator(".share summary").click()
    page.locator("[data-do=handover]").click()
    code = page.locator("dialog .qr")
    expect(code).to_be_visible()
    assert code.evaluate("(picture) => picture.complete && picture.naturalWidth > 0"), "the code can be seen"
    link = page.locator("dialog input").input_value()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    phone = browser.new_context(locale="en-GB", reduced_motion="reduce")
    other = phone.new_page()
    other.goto(link)
    other.get_by_role("button", name="Go on here").click()
    other.wait_for_selector(".headline.yours")
    expect(page.locator(".now")).to_contain_text("You are watching")
    other.goto(link)
    other.reload()
    expect(other.get_by_text("You sit at this table already")).to_be_visible()
    thief = browser.new_context(locale="en-GB").new_page()
    thief.goto(link)
    expect(thief.locator(".alert")).to_contain_text("has been used")
    expect(thief.get_by_role("button", name="Go on here")).to_have_count(0)
    thief.context.close()
    phone.close()


@pytest.mark.parametrize("clipboard", ["there is none", "it refuses"])
def test_a_link_is_copied_without_a_clipboard(page: Page, server: Server, clipboard: str) -> None:
    answer = (
        "undefined" if clipboard == "there is none" else "{ writeText: () => Promise.reject(new Error()) }"
    )
    page.add_init_script(f"Object.defineProperty(navigator, 'clipboard', {{ value: {answer} }});")
    link = invite(page, server, "Ann")
    page.evaluate(
        "() => document.addEventListener('copy', () => { window.copied = document.activeElement.value; })"
    )
    page.get_by_role("button", name="Copy the link", exact=True).click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("window.copied") == link
    page.evaluate(
        "() => { document.execCommand = () => false; window.prompt = (_, text) => { window.asked = text; }; }"
    )
    page.get_by_role("button", name="Copied").click()
    page.wait_for_function("link => window.asked === link", arg=link)


def test_a_page_that_comes_late_replaces_no_other(page: Page, server: Server) -> None:
    link = invite(page, server, "Ann")
    game = link.split("/")[-2]
    page.goto(f"{server.address}/#/")
    page.wait_for_selector(".cover")
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    sockets: list[WebSocket] = []
    page.on("websocket", lambda opened: sockets.append(opened))
    page.route(f"**/api/games/{game}", hold_the_first)
    with page.expect_request(f"**/api/games/{game}"):
        page.evaluate("link => { location.href = link; }", link)
    page.evaluate("game => { location.hash = `#/game/${game}`; }", game)
    page.wait_for_selector(".invitation input")
    with page.expect_event("requestfinished", lambda request: request == held[0].request):
        held[0].continue_()
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    assert page.locator(".invitation input").count() == 1
    assert page.get_by_role("button", name="Sit down and play").count() == 0
    [socket] = sockets
    assert not socket.is_closed()
    with socket.expect_event("close"):
        page.evaluate("() => { location.hash = '#/'; }")


@pytest.mark.parametrize("game", ["abcdefghijklmnopqrst", "abc"])
def test_a_game_that_does_not_exist_is_not_waited_for(browser: Browser, server: Server, game: str) -> None:
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    held: list[Route] = []
    page.route(f"**/api/games/{game}", lambda route: held.append(route))
    page.goto(f"{server.address}/#/game/{game}")
    page.wait_for_selector("text=The connection is lost")
    held[0].continue_()
    page.wait_for_selector(".nowhere:has-text('There is nothing at this address')")
    assert page.get_by_text("The connection is lost").count() == 0
    sockets: list[str] = []
    page.on("websocket", lambda opened: sockets.append(opened.url))
    page.evaluate("() => { window.dispatchEvent(new Event('online')); }")
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    assert sockets == [], "nobody tries again"
    context.close()


def test_an_address_that_cannot_be_read(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/#/%")
    page.wait_for_selector("text=There is nothing at this address.")


def test_a_position_that_does_not_come_is_told_and_the_board_goes_on(
    browser: Browser, server: Server
) -> None:
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    thrown: list[str] = []
    page.on("pageerror", lambda error: thrown.append(str(error)))
    start(page, server.address, "snekagon")
    dice = random.Random(6)
    play_by_pointer(page, dice)
    for trouble, message in (
        (lambda route: route.abort(), "cannot be reached"),
        (lambda route: route.fulfill(status=503, json=BUSY), "too many engines are thinking"),
    ):
        page.route("**/position?*", trouble)
        page.locator("[data-step='|◀']").click()
        page.wait_for_selector(f".alert:has-text('{message}')")
        page.unroute("**/position?*")
    play_by_pointer(page, dice)
    assert page.get_by_role("button", name="Back to the game").count() == 0
    page.locator("[data-step='|◀']").click()
    page.get_by_role("button", name="Back to the game").click()
    assert thrown == []
    context.close()


def test_reload_lost_connection_and_killed_server_lose_nothing(browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    start(page, server.address, "snekagon")
    dice = random.Random(5)
    play_by_pointer(page, dice)
    kept = move_list(page)
    page.reload()
    page.wait_for_selector(READY)
    assert move_list(page) == kept

    server.kill()
    page.wait_for_selector("text=The connection is lost")
    play_one(page, dice)
    assert move_list(page) == kept
    server.start()
    page.wait_for_function(
        "seen => document.querySelector('.moves').innerText !== seen", arg=kept, timeout=PATIENCE
    )
    page.wait_for_selector(".alert:has-text('The connection is lost')", state="hidden")
    page.wait_for_selector(READY, timeout=PATIENCE)
    lines = [line for line in move_list(page).splitlines() if line[:1].isdigit()]
    assert len(lines) == 4, "what was played while nobody listened is played, once"

    context.set_offline(True)
    play_one(page, dice)
    context.set_offline(False)
    page.wait_for_function(
        "count => document.querySelectorAll('.moves li:not(.steps)').length >= count", arg=6, timeout=PATIENCE
    )
    context.close()
    server.stop()
