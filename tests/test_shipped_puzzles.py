"""The shipped puzzles, proven again: a random tenth of them, and all if SNAKEDEN_SLOW is set (`make test-slow`)."""

from __future__ import annotations

import os
import random
from datetime import date, timedelta

import pytest

from snakeden import puzzles
from snakeden.core.registry import games

SHIPPED = {game: puzzles.shipped(game) for game in games()}
PARTS = 10
CHOSEN = range(PARTS) if os.environ.get("SNAKEDEN_SLOW") else [date.today().toordinal() % PARTS]
"""The tenths that are proven: each day another, the same in every process of a test run."""


def part(game: str, number: int) -> list[puzzles.Puzzle]:
    shuffled = list(SHIPPED[game])
    random.Random(1).shuffle(shuffled)
    return shuffled[number::PARTS]


@pytest.mark.parametrize("number", CHOSEN)
@pytest.mark.parametrize("game", [game for game, held in SHIPPED.items() if held])
def test_a_tenth_is_proven_again(game: str, number: int) -> None:
    chosen = part(game, number)
    assert chosen
    for puzzle in chosen:
        puzzles.prove(puzzle)


@pytest.mark.parametrize("game", [game for game, held in SHIPPED.items() if held])
def test_puzzles_differ_and_say_what_made_them(game: str) -> None:
    found = puzzles.collection(game)
    assert len({puzzle.id for puzzle in found.puzzles}) == len(found.puzzles)
    assert len({puzzle.state() for puzzle in found.puzzles}) == len(found.puzzles)
    assert found.command.startswith(f"snakeden puzzles make --game {game} ")
    assert f"--seed {found.seed} " in found.command
    for puzzle in found.puzzles:
        assert 1 <= puzzle.difficulty <= 6
        assert puzzle.themes, puzzle.id


@pytest.mark.parametrize("game", [game for game, held in SHIPPED.items() if held])
def test_every_puzzle_has_its_day(game: str) -> None:
    count = len(SHIPPED[game])
    first = date(2026, 1, 1)
    # Two rounds hold one whole one, wherever it begins.
    found = [puzzles.daily(game, first + timedelta(days=day)) for day in range(2 * count)]
    assert {puzzle.id for puzzle in found if puzzle} == {puzzle.id for puzzle in SHIPPED[game]}
    assert puzzles.daily(game, first) == puzzles.daily(game, first)
