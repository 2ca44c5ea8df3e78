"""The pictures of docs/study.md: a lesson, an analysis with variations, positions set up, a puzzle answered wrongly.

python tools/study_pictures.py
"""

from __future__ import annotations

import argparse
import io
import json
import random
import sys
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import Page, sync_playwright

import snakeden
from snakeden import puzzles
from snakeden.records import Variation, record, variations_text

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "helpers"))
from browsing import FLAGS, Server, find_chromium  # noqa: E402
from playing import middle  # noqa: E402
from positions import played  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
PATIENCE = 300_000
"""Milliseconds; the analysis of a game on a busy machine takes its time."""
SIZE = {"width": 1300, "height": 800}


def lesson(page: Page, address: str) -> None:
    page.goto(f"{address}/#/learn/snekagon")
    page.wait_for_selector(".boards.live", timeout=PATIENCE)
    page.locator(".boards").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_selector(".headline.right", timeout=PATIENCE)
    page.keyboard.press("Enter")
    page.wait_for_selector(".headline:has-text('Step 2')")
    page.wait_for_selector(".boards.live")


def analysis(page: Page, address: str) -> None:
    """A game of two levels; a variation and another inside it at the fourth move."""
    options = {"side": 4}
    moves = played("snekagon", options, "level:2")
    state = snakeden.new_game("snekagon", **options)
    for move in moves[:3]:
        state = state.play(move)
    tried = next(move for move in state.legal_moves() if move.text != moves[3])
    answers = state.play(tried).legal_moves()
    lines = [Variation(3, (tried.text, answer.text)) for answer in answers[:2]]
    kept = record(
        snakeden.new_game("snekagon", **options),
        moves,
        seats=("level:2", "Ada"),
        extra={"Variations": variations_text(lines)},
    )
    page.goto(f"{address}/#/analysis")
    page.fill("textarea", kept.write())
    page.click("[data-key='analysis/open']")
    page.wait_for_selector("[data-key='analysis/run']", timeout=PATIENCE)
    page.wait_for_selector("[data-key='analysis/run']", state="hidden", timeout=PATIENCE)
    page.click("[data-key='node/4']")
    page.wait_for_selector(".study .best ol li", timeout=PATIENCE)


def open_editor(page: Page, address: str, game: str, options: dict[str, Any], pieces: int) -> None:
    """The editor with the first pieces of a game of two levels."""
    state, laid = snakeden.new_game(game, **options), []
    for move in played(game, options, "level:2")[:pieces]:
        laid.append(f"{state.player}={move}")
        state = state.play(move)
    parts = ("set-up", game, json.dumps(options), f"{' '.join(laid)}; {state.player}")
    page.goto(f"{address}/#/analysis/{'/'.join(quote(part, safe='') for part in parts)}")
    page.wait_for_selector(".study .marked > li", timeout=PATIENCE)
    page.wait_for_selector(".boards.live", timeout=PATIENCE)


def editor(page: Page, address: str) -> None:
    """A snake whose first piece was taken away: the others of it wait."""
    open_editor(page, address, "snekagon", {"side": 5}, 7)
    page.click("[data-key^='setup/remove/0=']")
    page.wait_for_selector(".study .waits", timeout=PATIENCE)
    page.wait_for_selector(".boards.live", timeout=PATIENCE)


def editor_cards(page: Page, address: str) -> None:
    """Cards, with a place for the next one pointed at."""
    open_editor(page, address, "schlangennest", {}, 12)
    page.mouse.move(*middle(page, ".overlay .legal:not(.other)", random.Random(2)))
    page.wait_for_selector(".ghost.fits", timeout=PATIENCE)


def puzzle(page: Page, address: str) -> None:
    """A wrong answer, refuted by the line that punishes it."""
    found = next(one for one in puzzles.shipped("snekagon") if len(one.state().legal_moves()) < 40)
    page.goto(f"{address}/#/puzzles/snekagon/{found.id}")
    page.wait_for_selector(".boards.live", timeout=PATIENCE)
    dice = random.Random(1)
    while not page.locator(".headline.wrong").count():
        page.locator("button.thing.possible").first.click()
        page.mouse.click(*middle(page, ".overlay .legal:not(.other)", dice))
        page.wait_for_selector(".headline.wrong, .headline.right", timeout=PATIENCE)
        if page.locator(".headline.right").count():
            page.click("[data-key='puzzle/again']")
            page.wait_for_selector(".boards.live", timeout=PATIENCE)
    page.wait_for_selector(".study .line li:last-child.now", timeout=PATIENCE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    shows = {
        show.__name__.replace("_", "-"): show for show in (lesson, analysis, editor, editor_cards, puzzle)
    }
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which (default all): {', '.join(shows)}")
    wanted = parser.parse_args().names or list(shows)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        try:
            for name in wanted:
                page = browser.new_page(viewport=SIZE, locale="en-GB", reduced_motion="reduce")  # type: ignore[arg-type]
                shows[name](page, server.address)
                picture = Image.open(io.BytesIO(page.screenshot()))
                picture.save(PICTURES / f"study-{name}.webp", quality=82, method=6)
                page.close()
        finally:
            browser.close()
            server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
