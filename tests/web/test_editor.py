"""Setting up a position on the page: pieces laid for anybody and taken away, then analysed."""

from __future__ import annotations

import random

from browsing import Home, Server
from playing import PATIENCE, middle
from playwright.sync_api import Browser, Page

from snakeden.records import read

PIECES = ".study .marked > li"


def open_editor(page: Page, address: str, game: str) -> None:
    page.goto(f"{address}/#/analysis")
    page.click(f"[data-game={game}]")
    page.click("[data-key='analysis/edit']", timeout=PATIENCE)
    page.wait_for_selector("[data-key='setup/turn/0']", timeout=PATIENCE)


def lay_for(page: Page, seat: int, pieces: int) -> None:
    """Choose who is to move, and lay the piece in hand on the first dot."""
    chosen = f"[data-key='setup/turn/{seat}'][aria-pressed=true]"
    if not page.locator(chosen).count():  # what is chosen again is drawn again, and nobody could tell when
        page.click(f"[data-key='setup/turn/{seat}']")
        page.wait_for_selector(chosen, timeout=PATIENCE)
    page.mouse.click(*middle(page, ".overlay .legal:not(.other)", random.Random(1)))
    page.wait_for_function(
        "([rows, n]) => document.querySelectorAll(rows).length === n && document.querySelector('.boards.live')",
        arg=[PIECES, pieces],
        timeout=PATIENCE,
    )


def moves(page: Page) -> list[str]:
    return [text.split()[0] for text in page.locator(PIECES).all_inner_texts()]


def test_a_position_is_set_up_and_analysed(page: Page, home: Home) -> None:
    open_editor(page, home.address, "snekagon")
    for pieces, seat in enumerate((1, 1, 0), 1):
        lay_for(page, seat, pieces)
    first, second, single = moves(page)
    # The single hex is seat 0's first: what is laid after it waits while it is away.
    lay_for(page, 0, 4)
    grown = moves(page)[3]
    page.click(f"[data-key='setup/remove/0={single}']")
    page.wait_for_selector(f".study .waits:has-text('{grown}')")
    page.click(f"[data-key='setup/remove/0={grown}']")
    page.wait_for_selector(".study .waits", state="detached")
    assert moves(page) == [first, second]
    page.click("[data-key='setup/turn/1']")
    page.wait_for_selector("[data-key='setup/turn/1'][aria-pressed=true]")
    page.click("[data-key='setup/analyse'][href$='%201']")
    page.wait_for_selector(".study .best ol button", timeout=PATIENCE)
    assert "Player 2" in page.locator(".study .best .headline").inner_text()
    page.locator(".study .best ol button").first.click()
    page.wait_for_selector(".study .marked > li.now", timeout=PATIENCE)
    with page.expect_download() as saved:
        page.click("[data-key='analysis/record']")
    kept = read(saved.value.path().read_text(encoding="utf-8"))
    assert str(kept.setup) == f"1={first} 1={second}; 1"
    assert len(kept.moves) == 1
    assert kept.check().player == 0


def test_pieces_are_laid_and_lifted_by_keyboard(page: Page, server: Server) -> None:
    open_editor(page, server.address, "schlangennest")
    page.locator("[data-key='setup/turn/1']").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-key='setup/turn/1'][aria-pressed=true]")
    page.locator(".boards").focus()
    page.wait_for_selector(".ghost.fits")  # the only place for a first card
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{PIECES}:has(.r-seat1):has-text('straight')")
    assert "(0,0)EW" not in page.locator(".study").inner_text(), "cards are named in words"
    page.wait_for_selector(".boards.live:focus")
    page.keyboard.press("Enter")  # the pointer is still there
    page.wait_for_selector(PIECES, state="detached")


def test_pieces_are_laid_and_lifted_by_touch(browser: Browser, server: Server) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale="de-DE"
    )
    page = context.new_page()
    open_editor(page, server.address, "snekagon")
    at = middle(page, ".overlay .legal:not(.other)", random.Random(1))
    page.touchscreen.tap(*at)
    page.wait_for_selector(".ghost.fits")
    page.touchscreen.tap(*at)
    page.wait_for_selector(PIECES)
    page.wait_for_selector(".boards.live:not(.sent)")
    place = "1/" + moves(page)[0]
    box = page.locator(f".frame .cells [data-id='{place}']").bounding_box()
    assert box is not None
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.touchscreen.tap(*at)
    page.wait_for_selector(".overlay .cursor")
    page.touchscreen.tap(*at)
    page.wait_for_selector(PIECES, state="detached")
    context.close()
