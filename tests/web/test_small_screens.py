"""On a phone board, hand and main action share the first screen; nothing is too small to read."""

from __future__ import annotations

import re
from functools import cache

import pytest
from browsing import Server, go_on_alone, sit_alone
from playwright.sync_api import Browser, expect
from positions import fullest_prompts, middle_of, played, record_text

TABLES: list[tuple[str, tuple[str, ...], dict[str, object]]] = [
    ("snekagon", ("Ann", "Bob"), {}),
    ("snekagon-5g", ("Ann", "Bob", "Cleo", "Dan", "Eve"), {"players": 5}),
    ("schlangennest", ("Ann", "Bob", "Cleo"), {"players": 3}),
    ("snakey-dice", ("Ann",), {}),
    ("snakey-dice", ("Ann", "Bob"), {"players": 2}),
]
NAMES = [f"{game}-{len(names)}" for game, names, _ in TABLES]
SCREENS = [(390, 844, "cs-CZ"), (360, 740, "de-DE")]
"""Phones, with the languages of long words."""
HIDDEN = """async () => {
    const cut = [];
    // There must be room for the chances, where they are wanted. A frame later the board has given way to them.
    document.querySelector(".outlook").hidden = false;
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    await frame();
    await frame();
    const check = (name, element) => {
        if (!element) return cut.push(`${name} is missing`);
        const box = element.getBoundingClientRect();
        const across = box.left >= -1 && box.right <= innerWidth + 1;
        const drawer = document.querySelector(".drawer:not([hidden])")?.getBoundingClientRect().top ?? innerHeight;
        const down = box.top >= -1 && box.bottom <= drawer + 1;
        if (!across || !down || !box.height) cut.push(`${name}: ${box.top | 0} to ${box.bottom | 0} of ${innerHeight}`);
    };
    check("the board", document.querySelector(".frame.chosen, .boards:not(.many) .frame"));
    check("the hand", document.querySelector(".hand.own .things:has(.thing)") ?? document.querySelector(".pad"));
    check("the actions", document.querySelector(".actions .main, .actions > .pad, .actions > .tools"));
    check("help", document.querySelector(".helping .tools"));
    if (document.documentElement.scrollWidth > innerWidth) cut.push("the page is too wide");
    for (const one of document.querySelectorAll(".seat .who, .act, .act small, .actions .tools button, .floor-name")) {
        const over = one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2;
        if (one.clientWidth && over) cut.push(`cut off: ${one.textContent}`);
    }
    for (const one of document.querySelectorAll(".act .name, .actions > .tools button")) {
        const range = document.createRange();
        range.selectNodeContents(one);
        const boxes = [...range.getClientRects()].filter(({ width }) => width);
        const lines = new Set(boxes.map(({ bottom }) => Math.round(bottom)));
        if (lines.size > one.textContent.trim().split(" ").length) cut.push(`broken: ${one.textContent}`);
    }
    return cut;
}"""
SMALL = """() => {
    const small = new Set();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const within = node.parentElement;
        if (!node.textContent.trim() || within.closest(".unseen, noscript, .many .frame:not(.chosen)")) continue;
        if (!within.checkVisibility() || !within.getClientRects().length) continue;
        const svg = within.closest("svg");
        const scale = svg && within.getScreenCTM ? within.getScreenCTM().a : 1;
        const size = parseFloat(getComputedStyle(within).fontSize) * scale;
        if (size < 11.95) small.add(`${node.textContent.trim()}: ${size.toFixed(1)}`);
    }
    return [...small];
}"""


@cache
def records(number: int) -> tuple[str, str]:
    """A game at one of the tables, up to the first turn of the first seat and up to one in the middle."""
    game, _, options = TABLES[number]
    moves = played(game, options)
    first, middle = middle_of(game, options, moves, share=0), middle_of(game, options, moves)
    return record_text(game, options, moves[:first]), record_text(game, options, moves[:middle])


@pytest.mark.parametrize("screen", SCREENS, ids=str)
@pytest.mark.parametrize(("game", "names", "options"), TABLES, ids=NAMES)
def test_what_is_needed_to_play_is_on_the_first_screen(
    browser: Browser,
    server: Server,
    game: str,
    names: tuple[str, ...],
    options: dict[str, object],
    screen: tuple[int, int, str],
) -> None:
    width, height, locale = screen
    context = browser.new_context(
        viewport={"width": width, "height": height},
        has_touch=True,
        is_mobile=True,
        locale=locale,
        reduced_motion="reduce",
    )
    page = context.new_page()
    shown = records(TABLES.index((game, names, options)))
    for record in (*shown, *fullest_prompts(game, options, locale[:2])):
        go_on_alone(page, server, record, *names)
        page.wait_for_selector(".actions button")
        assert page.evaluate(HIDDEN) == [], record
    context.close()


@pytest.mark.parametrize(("game", "names", "options"), TABLES, ids=NAMES)
def test_text_is_large_enough_to_read(
    browser: Browser, server: Server, game: str, names: tuple[str, ...], options: dict[str, object]
) -> None:
    context = browser.new_context(
        viewport={"width": 1400, "height": 900}, locale="en-GB", reduced_motion="reduce"
    )
    page = context.new_page()
    for record in records(TABLES.index((game, names, options))):
        go_on_alone(page, server, record, *names)
        page.wait_for_selector(".actions button")
        assert page.evaluate(SMALL) == [], record
    context.close()


def test_sheets_lie_in_a_drawer_that_is_pulled_up(browser: Browser, server: Server) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        locale="en-GB",
        reduced_motion="reduce",
    )
    page = context.new_page()
    sit_alone(page, server, "snakey-dice", "Ann", "Bob", players=2)
    sheets = page.locator(".drawer .sheet-list")
    handle = page.locator(".drawer .handle")
    expect(sheets).not_to_be_in_viewport()
    handle.tap()
    expect(sheets).to_be_in_viewport()
    expect(page.locator(".drawer section.sheet:visible")).to_have_count(1)
    page.locator(".drawer .tabs button").nth(1).tap()
    expect(
        page.locator(".drawer section.sheet:visible [role=group], .drawer section.sheet:visible svg").first
    ).to_have_attribute("aria-label", re.compile("^Bob"))
    box = handle.bounding_box()
    assert box is not None
    page.evaluate(
        """([x, y]) => {
            const touch = { bubbles: true, clientX: x, pointerType: "touch" };
            const at = (type, clientY) => new PointerEvent(type, { ...touch, clientY });
            const handle = document.querySelector(".drawer .handle");
            handle.dispatchEvent(at("pointerdown", y));
            handle.dispatchEvent(at("pointermove", y + 60));
            handle.dispatchEvent(at("pointerup", y + 60));
        }""",
        [box["x"] + 40, box["y"] + 20],
    )
    expect(sheets).not_to_be_in_viewport()
    context.close()
