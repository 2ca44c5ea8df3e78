"""Every game of the house, played on the page to its end."""

from __future__ import annotations

import random

import pytest
from browsing import Server
from playing import is_over, play_by_pointer, start
from playwright.sync_api import Page

from snakeden.core.registry import games


@pytest.mark.parametrize("game", list(games()))
def test_a_game_against_the_engine_by_pointer(page: Page, server: Server, game: str) -> None:
    start(page, server.address, game)
    dice = random.Random(3)
    while not is_over(page):
        play_by_pointer(page, dice)
    assert page.locator("[data-do=rematch]").is_visible()
    scores = page.locator(".seat .score").all_inner_texts()
    assert len(scores) == 2
    assert any(score != "0" for score in scores)
