"""Snekagon and Snekagon 5G: what the rules forbid and why, and what stored games hardly ever reach."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest

import snakeden
from snakeden.core.state import State
from snakeden.games.snekagon.tiles import TILES, placements


def played(game: str, moves: str, **options: Any) -> State:
    state = snakeden.new_game(game, **options)
    for move in moves.split():
        state = state.play(move)
    return state


def refusal(state: State, move: str) -> str:
    before = state.text
    with pytest.raises(snakeden.IllegalMove) as error:
        state.play(move)
    assert state.text == before
    assert move not in {str(legal) for legal in state.legal_moves()}
    return str(error.value)


def test_there_are_eighteen_tiles_and_as_many_places_as_counted() -> None:
    assert len(TILES) == 18
    assert len(placements(6, TILES[:8], frozenset())) == 2602
    by_tile = Counter(place.tile for place in placements(8, TILES, frozenset()))
    assert len(by_tile) == 18


@pytest.mark.parametrize(
    ("moves", "move", "message"),
    [
        ("", "c3-d4", "the first move of the game must be the one-hex tile"),
        ("", "z9", "no cell z9"),
        ("", "a7", "no cell a7"),
        ("", "nonsense", "moves look like f6 or c3-d4-d5"),
        ("", "1:f6", "moves look like"),
        ("", "a1-a2-a1", "names a cell twice"),
        ("", "a1-a3", "a1 and a3 do not touch"),
        ("", "a1-a2-b2", "no tile turns as sharply as at a2"),
        ("", "a1-a2-a3-a4-a5", "no tile has 5 hexes"),
        ("f6", "a1", "no such tile of 1 hex left"),
        ("f6", "f6-f7", "there is a tile on f6 already"),
        ("f6", "f7-f8", "touches another's tile at f6 but none of yours"),
        ("f6 a1-a2 f7-f8-f9", "c1-c2-c3-c4-c5", "no tile has 5 hexes"),
        ("f6 a1-a2 f7-f8-f9 a3-a4-a5", "g8-h8", "touches your own snake at f8 from the side"),
        ("f6 a1-a2 f8-f9 a3-a4-a5", "e6-f7-g7", r"touches your own snake at f8 with its side \(f7\)"),
        ("f6 a1-a2", "f7-g6", "would make your snake branch or turn too sharply at f6"),
        ("f6 a1-a2 f8-g8-h8 a3-a4-a5", "f7-g7", "would make your snake branch at|from the side|sharply"),
    ],
)
def test_illegal_moves_are_explained(moves: str, move: str, message: str) -> None:
    assert re.search(message, refusal(played("snekagon", moves), move))


@pytest.mark.parametrize(
    ("moves", "move", "message"),
    [
        ("", "f6", "1:f6, 2:c3-d4-d5 or"),
        ("", "3:f6", "the floors are 1 to 2"),
        ("", "1:h3", "h3 is an eye"),
        ("", "2:f6/2", "floor 2 is not next to floor 2"),
        ("", "2:f6/1", "no open end of a snake at f6 on floor 1"),
        ("1:f6 1:a1", "2:f7-f8/1", "no open end of a snake at f7 on floor 1"),
        ("1:f6-f7-f8 1:a1", "2:f7/1", "no open end of a snake at f7"),
        (
            "1:f6 1:a1 2:f5-f4 1:a2-a3",
            "2:f6-f7-f8/1",
            "branch: f6 comes through the floor and touches f5 too",
        ),
    ],
)
def test_illegal_floors_and_links_are_explained(moves: str, move: str, message: str) -> None:
    assert message in refusal(played("snekagon-5g", moves), move)


def test_heading_is_kept_in_the_advanced_game_only() -> None:
    # The snake comes to f7 from the west; on the floor above it may go on within 60 degrees of east.
    moves = "1:f6-f7 1:a1-a2"
    basic = {str(move) for move in played("snekagon-5g", moves).legal_moves()}
    advanced = played("snekagon-5g", moves, advanced=True)
    legal = {str(move) for move in advanced.legal_moves()}
    assert {"2:f7-f8-f9/1", "2:f7-g7-g8/1", "2:f7-e7-d7/1"} <= legal
    assert {"2:f7-f6-f5/1", "2:f7-g6-h5/1", "2:f7-e6-d5/1"} <= basic - legal
    assert "more than 60°" in refusal(advanced, "2:f7-f6-f5/1")


def test_a_single_hex_through_a_floor_leaves_the_next_step_open() -> None:
    state = played("snekagon-5g", "1:f6-f7 1:a1-a2 2:f7/1 1:a3-a4-a5", advanced=True)
    legal = {str(move) for move in state.legal_moves()}
    assert "2:f8-f9-f10" in legal
    assert "more than 60°" in refusal(state, "2:f4-f5-f6")


def test_a_lone_hex_is_drilled_both_ways() -> None:
    state = played("snekagon-5g", "1:f6 1:a1 1:a3 2:f6-f7/1 1:a5-a6 1:k1-k2 3:f6-f7-f8/1", players=3)
    assert state.scores()[0] == 6
    # Its hex on floor 1 has two links now: nothing on floor 1 may touch it.
    state = state.play("1:c1-c2-c3").play("1:k4-k5-k6")
    assert "touches your own snake at f6 from the side" in refusal(state, "1:f7-g7-h6")


def test_a_ring_closed_round_a_lone_hex() -> None:
    # Five hexes round a centre leave a gap; a lone own hex in the gap closes the ring, one with a neighbour may not.
    ring = "f5-g5-g6-f7-e6"
    alone = played("snekagon-5g", "1:e5 1:a1", snakes=["python", "mamba"])
    assert alone.play(f"1:{ring}").scores()[0] == 6
    longer = played("snekagon-5g", "1:e5-d4 1:a1", snakes=["python", "mamba"])
    assert "branch at e5" in refusal(longer, f"1:{ring}")


def test_second_single() -> None:
    assert "a1" not in {str(move) for move in played("snekagon", "f6").legal_moves()}
    assert "a1" in {str(move) for move in played("snekagon", "f6", second_single=True).legal_moves()}


def test_either_direction_is_read_and_one_is_written() -> None:
    state = played("snekagon", "f6")
    assert str(state.move("d5-c4")) == "c4-d5"
    assert state.move("d5-c4") == state.move("c4-d5")
    five = snakeden.new_game("snekagon-5g")
    assert str(five.move("1:f10-f9")) == "1:f9-f10"


def _chi_square(counts: Counter[int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in counts.values())


@pytest.mark.parametrize(
    ("game", "options", "plies"),
    [
        ("snekagon", {"side": 3}, 1),
        ("snekagon", {"side": 3}, 2),
        ("snekagon", {"side": 6}, 10),
        ("snekagon-5g", {"side": 4, "players": 3}, 6),
        ("snekagon-5g", {"side": 4, "players": 3, "advanced": True}, 9),
    ],
)
def test_sampling_is_uniform(game: str, options: dict[str, Any], plies: int) -> None:
    generator = random.Random(11)
    state = snakeden.new_game(game, **options)
    for _ in range(plies):
        state = state.play(generator.choice(state.legal_moves()))
    rules, array = state.variant.program, state.array()
    legal = {move.code for move in state.legal_moves()}
    draws = 60 * len(legal)
    counts: Counter[int] = Counter(dict.fromkeys(legal, 0))
    rng = 5
    for _ in range(draws):
        rng, move = rules.sample(array, rng)
        counts[int(move)] += 1
    assert set(counts) == legal
    freedom = len(legal) - 1
    # Five standard deviations of a chi-square distribution, which a uniform draw does not reach.
    assert _chi_square(counts, draws / len(legal)) < freedom + 5 * (2 * freedom) ** 0.5
