"""What somebody waits for who opens Snakeden without a server: `python bench/site.py [--json] [FOLDER]`.

For each game a fresh Chromium opens the site, which `make site` has built, clicks at once on a game against the engine
and makes a move as soon as it can. Once the browser has kept the site, the network is taken away, and the same page is
opened again. Last, the longest frame is taken while the strongest engine thinks.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from browsing import FLAGS, find_chromium
from playing import READY, play_by_pointer
from static_site import is_kept, served

import snakeden

ASKED = {"shelf": 1.0, "board": 6.0, "answer": 2.0, "offline board": 2.0, "longest frame": 0.05}
"""Seconds that are asked for: on a first visit to the shelf, from the click to the board, from the first move to the
engine's answer; without a network to the board; and the longest frame while an engine thinks."""
LONGEST_S = 180
FRAMES_S = 3

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

AGAINST_THE_BEST = """async (game) => {
  const { post } = await import("./js/api.js");
  const { seats } = await post("api/options", { game, options: game === "snakey-dice" ? { players: 2 } : {} });
  const engines = Array.from({ length: seats }, () => ({ kind: "engine", agent: "level:6" }));
  const made = await post("api/games", { game, options: game === "snakey-dice" ? { players: 2 } : {}, seats: engines });
  location.hash = made.path.replace("/#", "");
}"""


def visit(browser: Browser, address: str, game: str) -> dict[str, float]:
    """Seconds for one game."""
    context = browser.new_context(
        reduced_motion="reduce", locale="en-GB", viewport={"width": 1300, "height": 900}
    )
    page = context.new_page()
    page.set_default_timeout(1000 * LONGEST_S)
    began = time.perf_counter()
    page.goto(address)
    button = page.locator(f"[data-game={game}] [data-do=engine]")
    button.wait_for()
    shelf = time.perf_counter()
    button.click()
    page.wait_for_selector(READY)
    board = time.perf_counter()
    # One move of ours; it returns when the engine has made its own.
    play_by_pointer(page, random.Random(3))
    answered = time.perf_counter()
    is_kept(page)
    context.set_offline(True)
    again = context.new_page()
    again.set_default_timeout(1000 * LONGEST_S)
    reopened = time.perf_counter()
    again.goto(page.url)
    again.wait_for_selector(READY)
    offline = time.perf_counter()
    page.close()
    frame = thinking(again, address, game)
    context.close()
    figures = (shelf - began, board - shelf, answered - board, offline - reopened, frame)
    return dict(zip(ASKED, figures, strict=True))


def thinking(page: Page, address: str, game: str) -> float:
    """The longest frame while engines of the highest level play each other."""
    page.goto(address)
    page.wait_for_selector(".cover")
    page.evaluate(AGAINST_THE_BEST, game)
    page.wait_for_selector(".boards svg")
    found: float = page.evaluate(LONGEST_FRAME, FRAMES_S)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build", "snakeden"))
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    given = parser.parse_args()
    if not (given.folder / "sw.js").exists():
        sys.exit(f"there is no site in {given.folder}: run `make site` first")
    size = sum(file.stat().st_size for file in given.folder.rglob("*") if file.is_file())
    rows: list[dict[str, Any]] = []
    with sync_playwright() as playwright, served(given.folder) as address:
        games = list(snakeden.games())
        for game in track(games, "visiting", disable=given.json, console=Console(stderr=True)):
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
            rows.append({"game": game, **visit(browser, address, game)})
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
