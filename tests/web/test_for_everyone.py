"""No barriers, in light and dark; every text in every language."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import Home, Server, sit_alone
from playing import PATIENCE, middle, play_by_pointer, start
from playwright.sync_api import Browser, Page

import snakeden
from snakeden.core.registry import games
from snakeden.drawing.themes import theme

WEB = Path(snakeden.__file__).parent / "web"
COLOURS: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def barriers(page: Page) -> list[str]:
    """What is in somebody's way, in light and in dark. Nothing must be fading from one to the other."""
    found = []
    for colours in COLOURS:
        page.emulate_media(color_scheme=colours, reduced_motion="reduce")
        violations = Axe().run(page).response["violations"]
        found += [f"{one['id']}, {colours}: {one['nodes'][0]['html'][:200]}" for one in violations]
    return found


def test_no_barriers(browser: Browser, home: Home) -> None:
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(f"{home.address}/")
    page.wait_for_selector(".cover")
    assert barriers(page) == []
    page.goto(f"{home.address}/#/new/schlangennest")
    page.wait_for_selector(".seat-row", timeout=PATIENCE)
    assert barriers(page) == []
    for game in games():
        start(page, f"{home.address}/", game)
        play_by_pointer(page, random.Random(1))
        assert barriers(page) == [], game
        page.locator("[data-do=resign]").click()
        page.locator("[data-do=resign]").click()
        page.wait_for_selector(".headline.over")
        assert barriers(page) == [], f"{game} is over"
    context.close()


def test_no_barriers_for_guests(browser: Browser, server: Server) -> None:
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(f"{server.address}/#/new/snekagon")
    page.locator("[name=seat1]").select_option("link")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector(".invitation input", timeout=PATIENCE)
    assert barriers(page) == [], "waiting for a friend"
    link = page.locator(".invitation input").input_value()
    friend = browser.new_context(locale="en-GB")
    other = friend.new_page()
    other.goto(link)
    other.wait_for_selector("form")
    assert barriers(other) == [], "invited"
    other.get_by_role("link", name="Watch").click()
    other.wait_for_selector("text=You are watching")
    assert barriers(other) == [], "watching"
    friend.close()
    context.close()


@pytest.mark.parametrize("size", [(844, 390), (700, 450)], ids=["a phone on its side", "twice as large"])
def test_a_low_window_shows_the_whole_board(browser: Browser, server: Server, size: tuple[int, int]) -> None:
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale="en-GB", reduced_motion="reduce"
    )
    page = context.new_page()
    for game in ("snekagon", "snekagon-5g", "schlangennest", "snakey-dice"):
        sit_alone(page, server, game, "Ann", "Bob", **({"players": 2} if game == "snakey-dice" else {}))
        box = page.locator(".frame.chosen, .boards:not(.many) .frame").bounding_box()
        assert box is not None
        assert box["y"] >= 0 and box["y"] + box["height"] <= height + 1, game
        assert box["height"] >= height / 2, game
        assert page.evaluate("document.documentElement.scrollWidth") <= width, game
    context.close()


def test_the_focus_stays_where_something_is_drawn_anew(page: Page, server: Server) -> None:
    def focused(selector: str) -> bool:
        return page.locator(f"{selector}:focus").count() == 1

    page.goto(f"{server.address}/#/new/snekagon")
    seat = page.locator("[name=seat1]")
    seat.focus()
    seat.select_option("here")
    page.get_by_label("Name 2").wait_for()
    assert focused("[name=seat1]")
    page.locator(".settings summary").click()
    page.locator("[name=language]").focus()
    page.locator("[name=language]").select_option("de")
    page.wait_for_selector("html[lang=de] .seat-row")
    assert focused("[name=language]")
    page.locator("[name=language]").select_option("en")

    sit_alone(page, server, "snekagon", "Ann", "Bob")
    for move in range(2):
        page.mouse.click(*middle(page, ".overlay .legal:not(.other)", random.Random(move)))
        page.locator(".moves li:not(.steps)").nth(move).wait_for()
    page.locator("[data-do=resign]").press("Enter")
    assert focused("[data-do=resign]:has-text('Really give up?')")
    back = page.locator("[data-step='◀']")
    back.press("Enter")
    page.wait_for_selector("text=After 1 of 2")
    assert focused("[data-step='◀']")
    back.press("Enter")
    page.wait_for_selector("text=Before the first move")
    assert focused(".moves"), "from where there is no way back the way on is near"
    page.get_by_role("button", name="Back to the game").press("Enter")
    page.wait_for_selector(".headline.yours")
    assert focused(".boards"), "what is gone leaves the focus to the board"


@pytest.mark.parametrize(
    ("locale", "heading"),
    [("en-US", "What shall we play?"), ("de-AT", "Was spielen wir?"), ("cs-CZ", "Co si zahrajeme?")],
)
def test_the_language_of_the_browser(browser: Browser, home: Home, locale: str, heading: str) -> None:
    context = browser.new_context(locale=locale)
    page = context.new_page()
    page.goto(f"{home.address}/")
    assert heading in page.locator("h1").inner_text()
    assert page.evaluate("document.documentElement.lang") == locale[:2]
    page.locator(".settings summary").click()
    page.locator("[name=language]").select_option("en")
    page.wait_for_selector("text=What shall we play?")
    context.close()


def test_choices_last_as_long_as_the_page_where_nothing_may_be_stored(page: Page, server: Server) -> None:
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('forbidden'); } });"
    )
    page.goto(server.address)
    page.locator(".settings summary").click()
    page.locator("[name=theme]").select_option("dark")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.locator("[name=language]").select_option("de")
    page.wait_for_selector("html[lang=de] h1:has-text('spielen')")
    assert page.locator("[name=theme]").input_value() == "dark"


def test_rules_that_cannot_be_had_are_told_of_in_the_visitors_language(
    browser: Browser, server: Server
) -> None:
    context = browser.new_context(locale="de-AT")
    page = context.new_page()
    page.route("**/*.md", lambda route: route.abort())
    page.goto(f"{server.address}/#/rules/snekagon")
    page.wait_for_selector("[role=alert]:has-text('Der Server ist nicht zu erreichen.')")
    context.close()


@pytest.mark.parametrize(
    ("home", "game"), [*(("server", game) for game in games()), ("site", "schlangennest")], indirect=["home"]
)
def test_every_game_has_its_rules_with_pictures(page: Page, home: Home, game: str) -> None:
    page.goto(f"{home.address}/#/rules/{game}")
    seen = []
    page.locator(".settings summary").click()
    for language in ("cs", "de", "en"):
        page.locator("[name=language]").select_option(language)
        page.wait_for_selector(f"html[lang={language}] .rules h2")
        page.wait_for_function(
            """() => [...document.querySelectorAll(".rules figure")].every((one) => one.querySelector("svg path"))"""
        )
        assert page.locator(".rules figure").count() > 0
        texts = page.locator(".rules :is(p, li, td, h2, figcaption)").all_inner_texts()
        assert [text for text in texts if re.search(r"\*|\]\(|^#|`|^!", text)] == [], "no markup is left"
        seen.append(texts)
        assert barriers(page) == []
    assert len({len(texts) for texts in seen}) == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_every_game_has_a_box_on_the_shelf(page: Page, server: Server) -> None:
    page.goto(server.address)
    page.wait_for_selector(".cover")
    shown = page.evaluate(
        """async () => {
            const covers = [...document.querySelectorAll(".cover")];
            await Promise.all(covers.map((cover) => cover.decode()));
            return covers.filter((cover) => cover.naturalWidth > 0).length;
        }"""
    )
    assert shown == len(games())


def test_the_page_has_the_colours_of_the_themes(page: Page, server: Server) -> None:
    page.goto(server.address)
    page.locator(".settings summary").click()
    for name in ("light", "dark"):
        page.locator("[name=theme]").select_option(name)
        shown = page.evaluate(
            """() => {
                const probe = document.createElement("i");
                probe.className = "r-seat1";
                document.body.append(probe);
                return getComputedStyle(probe).getPropertyValue("--fill");
            }"""
        )
        assert shown == theme(name)["seat1"].fill


def test_nothing_is_loaded_from_elsewhere_and_nothing_is_inline(page: Page, server: Server) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(server.address)
    page.wait_for_selector(".cover")
    assert all(url.startswith(server.address) for url in asked), json.dumps(asked)
    html = (WEB / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<style|style=|<script(?![^>]*src=)|\son\w+=", html)
    modules, found = set(), {"js/main.js"}
    while found:  # what only the site without a server needs is imported by none of these
        modules |= found
        texts = [(WEB / name).read_text(encoding="utf-8") for name in found]
        found = {f"js/{name}" for text in texts for name in re.findall(r' from "\./([^"]+)"', text)} - modules
    assert set(re.findall(r'(?:href|src)="(js/[^"]*)"', html)) == modules, "all modules are asked for at once"
