"""Snakeden without a server, as static files: played in a real browser without a network."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from playing import move_list, play_by_pointer, start
from playwright.sync_api import BrowserContext, Page
from static_site import built_site, is_kept, served


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[str]:
    """The site's address."""
    base = tmp_path_factory.getbasetemp()
    with served(built_site(base if worker_id == "master" else base.parent)) as address:
        yield address


def test_a_game_without_a_network_that_is_kept(context: BrowserContext, page: Page, site: str) -> None:
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page.goto(site)
    is_kept(page)
    context.set_offline(True)
    start(page, site, "snekagon")
    play_by_pointer(page, random.Random(3))
    played = move_list(page)
    page.reload()
    page.wait_for_function("(played) => document.querySelector('.moves')?.innerText === played", arg=played)
    assert [url for url in asked if not url.startswith(site)] == [], "nothing is asked of anybody else"
