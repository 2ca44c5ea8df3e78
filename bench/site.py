"""What somebody waits for who opens Snakeden without a server: `python bench/site.py [--json] [FOLDER]`.

For each game a fresh Chromium opens the site, which `make site` has built, clicks at once on a game against the engine
and makes a move as soon as it can. While the engine thinks about a hint, the longest frame is taken; so it is on the
page of a server that has its engine from the site's files. Once the browser has kept the site, the network is taken
away, and the game is opened again.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from browsing import FLAGS, Conversation, Server, find_chromium, running
from playing import READY, start, time_first_answer
from static_site import is_kept, served

import snakeden
from snakeden.site.contents import check_engine_files

ASKED = {
    "shelf": 1.0,
    "board": 6.0,
    "answer": 2.0,
    "offline board": 2.0,
    "frame": 0.05,
    "server's frame": 0.05,
}
"""Seconds that are asked for: on a first visit to the shelf, from the click to the board, from the first move to the
engine's answer; without a network to the board; and the longest frame while the engine thinks, on the site and on a
server's page."""
LONGEST_S = 120
FRAMES_S = 1.2
"""A hint is thought about for two seconds."""

LONGEST_FRAME = """(seconds) => new Promise((done) => {
  const began = performance.now();
  let [last, longest] = [began, 0];
  const step = (now) => {
    longest = Math.max(longest, now - last);
    last = now;
    if (now - began < 1000 * seconds) requestAnimationFrame(step);
    else done(longest / 1000);
  };
  requestAnimationFrame(step);
})"""


def opened(browser: Browser) -> BrowserContext:
    context = browser.new_context(
        reduced_motion="reduce", locale="en-GB", viewport={"width": 1300, "height": 900}
    )
    context.set_default_timeout(1000 * LONGEST_S)
    return context


def visit(browser: Browser, address: str, game: str) -> tuple[float, ...]:
    """Seconds for one game on the site."""
    context = opened(browser)
    page = context.new_page()
    shelf, board, answer = time_first_answer(page, address, game)
    frame = longest_frame(page)
    is_kept(page)
    context.set_offline(True)
    again = context.new_page()
    reopened = time.perf_counter()
    again.goto(page.url)
    again.wait_for_selector(READY)
    offline = time.perf_counter()
    context.close()
    return shelf, board, answer, offline - reopened, frame


def longest_frame(page: Page) -> float:
    """The longest frame while the engine thinks about a hint."""
    page.locator("[data-do=hint]").click()
    page.wait_for_selector("[role=status]:has-text('thinking')")
    found: float = page.evaluate(LONGEST_FRAME, FRAMES_S)
    page.wait_for_selector("[data-do=show-hint]")
    return found


def on_server(browser: Browser, address: str, game: str) -> float:
    """The same on a server's page, once its engine has been loaded."""
    context = opened(browser)
    page = context.new_page()
    conversation = Conversation(page)
    start(page, address, game)
    conversation.has_offered(LONGEST_S)
    frame = longest_frame(page)
    if not any(question["keep"].endswith("/hint") for question in conversation.asked):
        raise RuntimeError("the server did not ask the page for a hint")
    context.close()
    return frame


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build", "snakeden"))
    parser.add_argument("--game", action="append", help="only this game; may be given several times")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    given = parser.parse_args()
    if not (given.folder / "sw.js").exists():
        sys.exit(f"there is no site in {given.folder}: run `make site` first")
    try:
        check_engine_files(given.folder / "python")
    except ValueError as error:
        sys.exit(str(error))
    size = sum(file.stat().st_size for file in given.folder.rglob("*") if file.is_file())
    rows: list[dict[str, Any]] = []
    with (
        TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        served(given.folder) as address,
        running(Server(Path(folder), "--engine-files", str(given.folder / "python"))) as server,
    ):
        games = given.game or list(snakeden.games())
        for game in track(games, "visiting", disable=given.json, console=Console(stderr=True)):
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
            figures = (*visit(browser, address, game), on_server(browser, server.address, game))
            rows.append({"game": game, **dict(zip(ASKED, figures, strict=True))})
            browser.close()
    if given.json:
        print(json.dumps({"bytes": size, "asked": ASKED, "games": rows}, indent=1))
        return
    table = Table(
        "seconds", *ASKED, title="A first visit without a server, and a later one without a network"
    )
    for row in rows:
        table.add_row(row["game"], *(f"{row[name]:.2f}" for name in ASKED))
    table.add_row("asked for", *(f"{most:.2f}" for most in ASKED.values()))
    Console().print(table)
    print(f"the site has {size:,} bytes")


if __name__ == "__main__":
    main()
