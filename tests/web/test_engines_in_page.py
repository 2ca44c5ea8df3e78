"""The engine in the page of a server: it thinks for the opponents of whoever plays alone, and gives advice."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Conversation, Server, running
from playing import PATIENCE, READY, play_by_pointer, start
from playwright.sync_api import BrowserContext, Page

from snakeden import puzzles


@pytest.fixture(scope="module")
def thinking_server(site_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose pages have an engine."""
    files = str(site_folder / "python")
    with running(Server(tmp_path_factory.mktemp("server"), "--engine-files", files)) as server:
        yield server


def test_opponents_and_chances_in_the_page(page: Page, thinking_server: Server) -> None:
    conversation = Conversation(page)
    page.goto(f"{thinking_server.address}/#/new/snekagon")
    page.wait_for_selector(".seat-row")
    page.locator("#hints").check()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector(READY, timeout=PATIENCE)
    conversation.has_offered(PATIENCE // 1000)
    play_by_pointer(page, random.Random(1))
    page.locator("[data-do=hint]").click()
    page.wait_for_selector("[data-do=show-hint]", timeout=PATIENCE)
    page.wait_for_selector(".outlook:not([hidden])", timeout=PATIENCE)
    # The hint was the server's, which has a network for this game.
    assert {question["keep"].split("/")[1] for question in conversation.asked} == {"1", "outlook"}
    thoughts = [message for message in conversation.sent if message["type"] == "thought"]
    assert thoughts
    assert all(thought["answer"]["lines"] for thought in thoughts)


def test_a_browser_without_simd_asks_the_server(context: BrowserContext, thinking_server: Server) -> None:
    context.add_init_script("WebAssembly.validate = () => false;")
    page = context.new_page()
    conversation = Conversation(page)
    start(page, thinking_server.address, "snekagon")
    play_by_pointer(page, random.Random(1))
    assert (conversation.sent, conversation.asked) == ([], [])


def test_analysis_and_puzzles_in_the_page(page: Page, thinking_server: Server) -> None:
    """Once the page's engine has started, nothing that is studied is asked of the server's engines."""
    puzzle = puzzles.shipped("snekagon")[0]
    page.goto(f"{thinking_server.address}/#/puzzles/snekagon/{puzzle.id}")
    page.wait_for_selector(".boards.live", timeout=PATIENCE)
    page.evaluate("async () => (await import('/js/study.js')).prepare('snekagon')")
    page.route("**/api/study/look", lambda route: route.abort())
    page.route("**/answer", lambda route: route.abort())
    judged = page.evaluate(
        "async ([id, move]) => (await import('/js/study.js')).judge('snekagon', id, move)",
        [puzzle.id, puzzle.solutions[0]],
    )
    assert (judged["right"], judged["line"][0]) == (True, puzzle.solutions[0])
    page.goto(f"{thinking_server.address}/#/analysis/new/snekagon/%7B%22side%22%3A3%7D")
    page.wait_for_selector(".study .best ol button", timeout=PATIENCE)


def test_an_engine_that_fails_before_it_is_asked_is_replaced(page: Page, thinking_server: Server) -> None:
    """Whoever asks it hears of the failure, and does not wait for an answer that never comes."""
    page.goto(thinking_server.address)
    heard = page.evaluate(
        """async () => {
          const { ask, engine } = await import("/js/engines.js");
          const RealWorker = Worker;
          window.Worker = class extends RealWorker {
            constructor(address, options) { super("/js/no-such-worker.js", options); }
          };
          const failing = engine(0);
          window.Worker = RealWorker;
          await new Promise((resolve) => failing.worker.addEventListener("error", resolve));
          const question = JSON.stringify({ do: "warm", game: "snekagon" });
          const waited = new Promise((resolve) => setTimeout(resolve, 5000, "waits"));
          const first = await Promise.race([ask(0, question).then(() => "answers", () => "fails"), waited]);
          return [first, first === "fails" && await ask(0, question).then(() => "answers", () => "fails")];
        }"""
    )
    assert heard == ["fails", "answers"]
