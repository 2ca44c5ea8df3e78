"""What somebody waits for who has just installed Snakeden: `python bench/first_start.py [--json]`.

Every figure is taken with empty caches. A real Chromium opens the page of a fresh server, clicks at once on a game
against the engine, and makes a move as soon as it can; the same is done in the terminal. Then the time is measured that
a processor needs to compile everything, which happens in the background meanwhile.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright
from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from browsing import FLAGS, find_chromium
from playing import time_first_answer

import snakeden

ASKED = {"page": None, "board": 4.0, "answer": 8.0, "terminal": 15.0, "compiling": 60.0}
"""What is asked for: seconds from the click to the board, from the board to the engine's first answer, to its first
answer in the terminal, and of processor time for compiling all games."""
LONGEST_S = 180


def fresh(folder: Path) -> dict[str, str]:
    """An environment whose caches are empty."""
    return {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "XDG_DATA_HOME": str(folder / "data")}


def in_browser(browser: Browser, game: str) -> dict[str, float]:
    """Seconds to the page, and from the click on the game to the board and to the engine's first answer."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        began = time.perf_counter()
        database = f"sqlite:///{folder / 'games.sqlite'}"
        server = subprocess.Popen(
            [sys.executable, "-m", "snakeden", "serve", "--port", "0", "--database", database],
            env=fresh(folder),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert server.stdout is not None
            found = re.search(r"http://localhost:\d+", server.stdout.readline())
            assert found is not None
            page = browser.new_context(reduced_motion="reduce", locale="en-GB").new_page()
            page.set_default_timeout(1000 * LONGEST_S)
            started = time.perf_counter() - began
            shelf, board, answer = time_first_answer(page, found[0], game)
            return {"page": started + shelf, "board": board, "answer": answer}
        finally:
            server.terminate()
            server.communicate(timeout=60)


def in_terminal(game: str, options: list[str]) -> float:
    """Seconds until the engine, who begins, has made its first move in the terminal."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        command = [sys.executable, "-m", "snakeden", "play", game, *options]
        command += ["--against", "level:3", "--seat", "1", "--plain"]
        began = time.perf_counter()
        playing = subprocess.Popen(
            command,
            env=fresh(Path(name)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert playing.stdout is not None
        try:
            if not any(line.startswith("level:3: ") for line in playing.stdout):
                raise RuntimeError(f"the engine made no move in {game}")
            return time.perf_counter() - began
        finally:
            playing.kill()
            playing.communicate()


def compiling(game: str) -> float:
    """Seconds of processor time to compile a game's program."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "snakeden.programs.compile", "play", game],
            env=fresh(Path(name)),
            check=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    as_json = parser.parse_args().json
    rows: list[dict[str, Any]] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        for game in track(
            list(snakeden.games()), "starting afresh", disable=as_json, console=Console(stderr=True)
        ):
            options = ["--set", "players=2"] if snakeden.new_game(game).seats == 1 else []
            seen = in_browser(browser, game)
            row: dict[str, Any] = {
                "game": game,
                **seen,
                "terminal": in_terminal(game, options),
                "compiling": compiling(game),
            }
            rows.append(row)
        browser.close()
    if as_json:
        print(json.dumps({"asked": ASKED, "games": rows}, indent=1))
        return
    table = Table("seconds", *ASKED, title="A first start with empty caches")
    for row in rows:
        table.add_row(row["game"], *(f"{row[name]:.1f}" for name in ASKED))
    table.add_row("asked for", *(f"{most:.0f}" if most else "" for most in ASKED.values()))
    Console().print(table)
    print(f"compiling everything takes {sum(row['compiling'] for row in rows):.0f} s of processor time")


if __name__ == "__main__":
    main()
