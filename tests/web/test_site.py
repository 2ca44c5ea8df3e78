"""Snakeden without a server, as static files: played in a real browser, without a network, and after it was closed."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from browsing import FLAGS, find_chromium
from playing import (
    PATIENCE,
    READY,
    move_list,
    play_by_pointer,
    play_one,
    start,
)
from playwright.sync_api import Browser, BrowserContext, Page, Route
from static_site import is_kept

import snakeden
from snakeden.core.errors import BadOption
from snakeden.core.registry import games
from snakeden.server.openings import opening
from snakeden.server.view import picture

MOST_BYTES = 20_000_000
KEPT_POSITION = """async () => {
    const { lastPosition } = await import("./js/positions.js");
    const version = document.querySelector("meta[name=version]").content;
    return await lastPosition(version, location.hash.split("/").at(-1));
}"""


def test_it_is_small(site_folder: Path) -> None:
    assert sum(file.stat().st_size for file in site_folder.rglob("*") if file.is_file()) <= MOST_BYTES


def test_a_game_without_a_network_that_is_kept(context: BrowserContext, page: Page, site: str) -> None:
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page.goto(site)
    is_kept(page)
    context.set_offline(True)
    start(page, site, "snekagon")
    play_by_pointer(page, random.Random(3))
    played = move_list(page)
    page.reload()
    page.wait_for_function("(played) => document.querySelector('.moves')?.innerText === played", arg=played)
    assert [url for url in asked if not url.startswith(site)] == [], "nothing is asked of anybody else"


def test_a_game_goes_on_after_the_browser_was_closed(browser: Browser, site: str, tmp_path: Path) -> None:
    context = opened(browser, tmp_path)
    page = context.new_page()
    start(page, site, "snekagon")
    dice = random.Random(1)
    for _ in range(2):
        play_by_pointer(page, dice)
    is_kept(page)
    played, address = move_list(page), page.url
    context.close()

    context = opened(browser, tmp_path)
    context.set_offline(True)
    page = context.new_page()
    page.goto(site)
    page.wait_for_selector("[data-list=own] .standing:has-text('turn')", timeout=PATIENCE)
    page.locator("[data-list=own] a").first.click()
    page.wait_for_selector(READY, timeout=PATIENCE)
    assert (page.url, move_list(page)) == (address, played)
    play_by_pointer(page, dice)
    context.close()


def test_a_board_is_there_before_python(browser: Browser, site: str) -> None:
    """A game that was left is shown as it stood; a move made meanwhile is played once Python has started."""
    context = browser.new_context(locale="en-GB", reduced_motion="reduce", service_workers="block")
    page = context.new_page()
    start(page, site, "snekagon")
    dice = random.Random(4)
    play_by_pointer(page, dice)
    played = move_list(page)
    page.wait_for_function(KEPT_POSITION)
    held: list[Route] = []
    context.route("**/memory.bin", lambda route: held.append(route))
    page.reload()
    page.wait_for_selector(READY)
    assert move_list(page) == played
    play_one(page, dice)
    for route in held:
        route.continue_()
    context.unroute("**/memory.bin")
    page.wait_for_function(
        "(played) => document.querySelectorAll('.moves li:not(.steps)').length >= played + 2",
        arg=len([line for line in played.splitlines() if line[:1].isdigit()]),
        timeout=PATIENCE,
    )
    context.close()


def opened(browser: Browser, profile: Path) -> BrowserContext:
    """A browser that keeps what it is asked to keep, as a person's does."""
    return browser.browser_type.launch_persistent_context(
        str(profile), executable_path=find_chromium(), args=FLAGS, locale="en-GB", reduced_motion="reduce"
    )


def test_several_at_one_screen_with_hints_and_moves_taken_back(page: Page, site: str) -> None:
    page.goto(f"{site}#/new/snekagon")
    page.wait_for_selector(".seat-row")
    offered = page.locator("[name=seat1] option").evaluate_all("all => all.map((one) => one.value)")
    assert offered == ["me", "engine", "here"], "nobody can come by a link"
    page.locator("[name=seat1]").select_option("here")
    page.locator("#hints").check()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector(READY, timeout=PATIENCE)
    dice = random.Random(5)
    for _ in range(3):
        play_by_pointer(page, dice)
    page.locator("[data-do=hint]").click()
    page.wait_for_selector("[data-do=show-hint]", timeout=PATIENCE)
    before = move_list(page)
    page.locator("[data-do=undo]").click()
    page.wait_for_function(
        "(before) => document.querySelector('.moves').innerText.length < before.length", arg=before
    )


def test_other_options_and_a_second_page(context: BrowserContext, page: Page, site: str) -> None:
    """What one page plays the other shows: they share what the browser keeps."""
    page.goto(site)
    page.wait_for_selector(".cover")
    page.evaluate(
        """async () => {
            const { post } = await import("./js/api.js");
            const people = [{ kind: "me", name: "Ann" }, { kind: "here", name: "Ben" }];
            const seats = [...people, { kind: "engine", agent: "level:1" }];
            const made = await post("api/games", { game: "schlangennest", options: { players: 3 }, seats });
            location.hash = made.path.replace("/#", "");
        }"""
    )
    page.wait_for_selector(READY, timeout=PATIENCE)
    other = context.new_page()
    other.goto(page.url)
    other.wait_for_selector(READY, timeout=PATIENCE)
    play_by_pointer(page, random.Random(2))
    other.wait_for_function(
        "(text) => document.querySelector('.moves').innerText === text", arg=move_list(page)
    )
    refused = page.evaluate(
        """async () => {
            const { post } = await import("./js/api.js");
            const id = location.hash.split("/").at(-1);
            const wrong = [{ move: "nonsense", seen: 0 }, { move: 7, seen: 1 }, {}].map((body) => ["play", body]);
            const tried = [...wrong, ["film", {}]];
            const ask = ([what, body]) => post(`api/games/${id}/${what}`, body).then(() => 200, ({ status }) => status);
            return await Promise.all(tried.map(ask));
        }"""
    )
    assert refused == [409, 422, 422, 404]


def test_games_leave_and_come_as_one_file(browser: Browser, page: Page, site: str, tmp_path: Path) -> None:
    start(page, site, "snakey-dice", "alone")
    play_by_pointer(page, random.Random(1))
    played, address = move_list(page), page.url
    page.goto(site)
    with page.expect_download() as saved:
        page.locator("[data-key='kept/save']").click()
    file = tmp_path / "games.json"
    saved.value.save_as(file)
    games_told = json.loads(file.read_text())
    assert [one["game"] for one in games_told["games"]] == ["snakey-dice"]

    elsewhere = browser.new_context(locale="en-GB", reduced_motion="reduce")
    other = elsewhere.new_page()
    other.goto(site)
    other.wait_for_selector("[data-key='kept/load']")
    damaged = tmp_path / "damaged.json"
    games_told["games"].append(
        {**games_told["games"][0], "id": "other", "entries": [["move", 0, "nonsense", 1.0]]}
    )
    damaged.write_text(json.dumps(games_told))
    for wrong, said in ((damaged, "game 2 in it is damaged"), (Path(__file__), "cannot be used")):
        other.locator("[data-key='kept/file']").set_input_files(wrong)
        other.wait_for_selector(f".kept .note:has-text('{said}')", timeout=PATIENCE)
        assert other.locator("[data-list=own] li").count() == 0, "nothing was half taken in"
    other.locator("[data-key='kept/file']").set_input_files(file)
    other.wait_for_selector("[data-list=own] li", timeout=PATIENCE)
    other.goto(address)
    other.wait_for_selector(READY, timeout=PATIENCE)
    assert move_list(other) == played
    elsewhere.close()


def test_a_browser_that_cannot_run_python_is_told_so(browser: Browser, site: str) -> None:
    context = browser.new_context(locale="en-GB", service_workers="block")
    context.route("**/memory.bin", lambda route: route.fulfill(status=404))
    page = context.new_page()
    page.goto(site)
    page.locator("[data-game=snekagon] [data-do=engine]").click()
    page.wait_for_selector("[data-game=snekagon] .note:has-text('This browser cannot run the games')")
    context.close()


def test_every_choice_is_there(page: Page, site: str) -> None:
    """What is in files at home, such as maps, and in modules that are looked up, such as levels."""
    wanted = [
        (game.id, {"players": 2, option.name: choice} if "players" in names else {option.name: choice})
        for game in games().values()
        if (names := {option.name for option in game.options})
        for option in game.options
        if option.kind in ("text", "choice")
        for choice in option.choices
    ]
    assert ("snakey-dice", {"players": 2, "map": "pinwheel"}) in wanted
    page.goto(site)
    page.wait_for_selector(".cover")
    possible = page.evaluate(
        """async (wanted) => {
            const { post } = await import("./js/api.js");
            const ask = ([game, options]) => post("api/options", { game, options }).then(() => true, () => false);
            const found = [];
            for (const one of wanted) found.push(await ask(one));
            return found;
        }""",
        wanted,
    )
    assert possible == [is_possible(game, options) for game, options in wanted]


def is_possible(game: str, options: dict[str, Any]) -> bool:
    try:
        opening(game, options)
    except BadOption:
        return False
    return True


def test_a_first_move_is_the_same_as_on_the_server(page: Page, site: str) -> None:
    """The same code answers: a position is described as the server describes it."""
    page.goto(site)
    page.wait_for_selector(".cover")
    for game in snakeden.games():
        answer = page.evaluate(
            """async (game) => {
                const { post } = await import("./js/api.js");
                return (await post("api/options", { game })).scene;
            }""",
            game,
        )
        drawn = picture(opening(game, {}), None, playable=False)["scene"]
        assert answer == json.loads(json.dumps(drawn)), game
