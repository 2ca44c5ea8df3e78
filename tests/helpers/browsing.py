"""A real browser and a real server for the tests of the page."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocket

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


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """A server that runs for a while."""
    server.start()
    try:
        yield server
    finally:
        server.stop()


class Conversation:
    """What a page says over its live connections, and what its engine is asked."""

    def __init__(self, page: Page) -> None:
        self.sent: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []
        self._page = page
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda text: self.sent.append(json.loads(text)))
        socket.on("framereceived", self._received)

    def _received(self, text: str | bytes) -> None:
        message = json.loads(text)
        if message["type"] == "think":
            self.asked.append(message["question"])

    def has_offered(self, seconds: float) -> None:
        """Wait until the page has offered its engine."""
        for _ in range(round(10 * seconds)):
            if any(message["type"] == "engine" for message in self.sent):
                return
            self._page.wait_for_timeout(100)
        raise AssertionError("the page has not offered its engine")


@dataclass(frozen=True)
class Home:
    """Where the page comes from: a server, or the site without one."""

    address: str
    """Without a slash at its end."""
    small: bool
    """Whether smaller boards will do: what differs is who answers the page, not how long a game is."""


def sit_alone(page: Page, home: Home | Server, game: str, *names: str, **options: object) -> None:
    """A game with somebody of these names on every seat, all at this screen."""
    _open(page, home, names, {"game": game, "options": options})


def go_on_alone(page: Page, home: Home | Server, record: str, *names: str) -> None:
    """The same for a game that goes on where this record ends."""
    _open(page, home, names, {"record": record})


def _open(page: Page, home: Home | Server, names: tuple[str, ...], game: dict[str, object]) -> None:
    page.goto(f"{home.address}/")
    page.evaluate(
        """async ([game, names]) => {
            const seats = names.map((name, n) => ({ kind: n ? "here" : "me", name }));
            const { post } = await import("./js/api.js");
            const { path } = await post("api/games", { ...game, hints: false, seats });
            location.hash = path.replace("/#", "");
        }""",
        [game, list(names)],
    )
    page.wait_for_selector(".headline.yours, .headline.over")
