"""Stored games and counts are data; the tests are loops over them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import snakeden
from snakeden.search.perft import perft
from snakeden.stored import first_difference, stored_games

DATA = Path(__file__).parent / "data"
PERFT: list[dict[str, Any]] = json.loads((DATA / "perft.json").read_text())
GROUPS = 6


@pytest.mark.parametrize("game", snakeden.games())
def test_every_registered_game_has_stored_games(game: str) -> None:
    path = DATA / f"{game}.jsonl"
    assert path.is_file(), f"{game} is registered without stored games: add {path.name} to tests/data"
    games = [stored["game"] for _, stored in stored_games(path)]
    assert games
    assert set(games) == {game}


@pytest.mark.parametrize("group", range(GROUPS))
@pytest.mark.parametrize("game", snakeden.games())
def test_stored_games_replay(game: str, group: int) -> None:
    for line, stored in list(stored_games(DATA / f"{game}.jsonl"))[group::GROUPS]:
        difference = first_difference(stored)
        assert difference is None, f"{game}.jsonl line {line}: {difference}"


@pytest.mark.parametrize("entry", PERFT, ids=lambda entry: f"{entry['game']}-{entry['options']}")
def test_counts(entry: dict[str, Any]) -> None:
    state = snakeden.new_game(entry["game"], **entry["options"])
    assert [perft(state, depth) for depth in range(1, len(entry["counts"]) + 1)] == entry["counts"]


def test_a_count_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="must be 1 or more"):
        perft(snakeden.new_game("snekagon"), 0)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda game: game["plies"][2].update(n=7), "ply 3, before"),
        (lambda game: game["plies"][1].update(scores=[5, 5]), "scores is"),
        (lambda game: game["plies"][1].update(move="zz9"), "cannot be replayed"),
        (lambda game: game["plies"].pop(), "not over"),
        (lambda game: game.update(winners=[0, 1]), "at the end: winners"),
        (lambda game: game["options"].update(side=99), "cannot be replayed"),
    ],
)
def test_a_changed_game_differs(change: Any, expected: str) -> None:
    _, game = next(stored_games(DATA / "snekagon.jsonl"))
    change(game)
    difference = first_difference(game)
    assert difference is not None
    assert expected in difference
