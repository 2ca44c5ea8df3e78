"""A real browser and a real server for the tests of the page."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
"""A browser for tests: without a sandbox it runs as root too, and it calls nobody."""


def find_chromium() -> str:
    """The browser's path; without one the test is skipped, but never where CI is set."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(name)
        if found:
            return found
    reason = "there is no Chromium here; install the package chromium to run the tests of the page"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


ENDING_S = 30
"""The longest that a server may take to end."""


class Server:
    """`snakeden serve` as a process of its own, on a port that stays the same when it is started again."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.options = options
        self.database = f"sqlite:///{folder / 'games.sqlite'}"
        self.port = 0
        self.address = ""
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "snakeden", "serve", "--port", str(self.port), "--database"]
        limits = ["--requests-per-second", "1000", "--games-per-hour", "100000", "--workers", "1"]
        self.process = subprocess.Popen(
            [*command, self.database, *limits, *self.options],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"http://localhost:(\d+)", said)
        assert found, f"the server said {said!r}"
        self.address, self.port = found[0], int(found[1])

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate(timeout=ENDING_S)

    def stop(self) -> None:
        assert self.process is not None
        self.process.terminate()
        try:
            self.process.communicate(timeout=ENDING_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise


def sit_alone(page: Page, server: Server, game: str, *names: str, **options: object) -> None:
    """A game with somebody of these names on every seat, all at this screen."""
    _open(page, server, names, {"game": game, "options": options})


def go_on_alone(page: Page, server: Server, record: str, *names: str) -> None:
    """The same for a game that goes on where this record ends."""
    _open(page, server, names, {"record": record})


def _open(page: Page, server: Server, names: tuple[str, ...], game: dict[str, object]) -> None:
    page.goto(server.address)
    page.evaluate(
        """async ([game, names]) => {
            const seats = names.map((name, n) => ({ kind: n ? "here" : "me", name }));
            const { post } = await import("/js/api.js");
            const { path } = await post("api/games", { ...game, hints: false, seats });
            location.hash = path.replace("/#", "");
        }""",
        [game, list(names)],
    )
    page.wait_for_selector(".headline.yours, .headline.over")
