"""The engine in the page of a server: it thinks for the opponents of whoever plays alone, and gives advice."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import Server
from playing import PATIENCE, READY, play_by_pointer, start
from playwright.sync_api import BrowserContext, Page, WebSocket


@pytest.fixture(scope="module")
def thinking_server(site_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose pages have an engine."""
    running = Server(tmp_path_factory.mktemp("server"), "--engine-files", str(site_folder / "python"))
    running.start()
    yield running
    running.stop()


class Spoken:
    """What a page says over its live connections, and is asked."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sent: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda text: self.sent.append(json.loads(text)))
        socket.on("framereceived", self._received)

    def _received(self, text: str | bytes) -> None:
        message = json.loads(text)
        if message["type"] == "think":
            self.asked.append(message["question"])

    def has_offered(self) -> None:
        """Wait until the page has an engine."""
        for _ in range(PATIENCE // 100):
            if any(message["type"] == "engine" for message in self.sent):
                return
            self.page.wait_for_timeout(100)
        raise AssertionError("the page has no engine")


def test_opponents_hints_and_chances_in_the_page(page: Page, thinking_server: Server) -> None:
    spoken = Spoken(page)
    page.goto(f"{thinking_server.address}/#/new/snekagon")
    page.wait_for_selector(".seat-row")
    page.locator("#hints").check()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector(READY, timeout=PATIENCE)
    spoken.has_offered()
    play_by_pointer(page, random.Random(1))
    page.locator("[data-do=hint]").click()
    page.wait_for_selector("[data-do=show-hint]", timeout=PATIENCE)
    page.wait_for_selector(".outlook:not([hidden])", timeout=PATIENCE)
    assert {question["keep"].split("/")[1] for question in spoken.asked} == {"1", "hint", "outlook"}
    thoughts = [message for message in spoken.sent if message["type"] == "thought"]
    assert thoughts
    assert all(thought["answer"]["lines"] for thought in thoughts)


def test_a_browser_without_simd_asks_the_server(context: BrowserContext, thinking_server: Server) -> None:
    context.add_init_script("WebAssembly.validate = () => false;")
    page = context.new_page()
    spoken = Spoken(page)
    start(page, thinking_server.address, "snekagon")
    play_by_pointer(page, random.Random(1))
    assert (spoken.sent, spoken.asked) == ([], [])
