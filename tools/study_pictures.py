"""The pictures of docs/study.md: a lesson, an analysis with variations, and a puzzle that was answered wrongly.

python tools/study_pictures.py
"""

from __future__ import annotations

import io
import random
import sys
import tempfile
from pathlib import Path

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
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        try:
            for show in (lesson, analysis, puzzle):
                page = browser.new_page(viewport=SIZE, locale="en-GB", reduced_motion="reduce")  # type: ignore[arg-type]
                show(page, server.address)
                picture = Image.open(io.BytesIO(page.screenshot()))
                picture.save(PICTURES / f"study-{show.__name__}.webp", quality=82, method=6)
                page.close()
        finally:
            browser.close()
            server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
