"""The tiny variants that docs/research.md names: their whole trees, their values, and CFR on them."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pyspiel
import pytest

import snakeden
import snakeden.adapters.open_spiel

DOCS = Path(__file__).parent.parent / "docs" / "research.md"
ROW = re.compile(r"^\| `(snakeden_\w+\(.*?\))` \| ([\d,]+) \| ([-+]\d+) \|", re.M)
TINY = [
    (name, int(size.replace(",", "")), int(margin))
    for name, size, margin in ROW.findall(DOCS.read_text(encoding="utf-8"))
]


def solved(state: snakeden.State) -> tuple[int, int]:
    """How many histories begin here, and seat 0's lead under best play; by looking at all of them."""
    if state.player is None:
        own, other = state.scores()
        return 1, own - other
    below = [solved(state.play(move)) for move in state.legal_moves()]
    best = max if state.player == 0 else min
    return 1 + sum(size for size, _ in below), best(margin for _, margin in below)


def test_the_docs_name_tiny_variants() -> None:
    assert len(TINY) == 3


@pytest.mark.parametrize(("name", "size", "margin"), TINY)
def test_sizes_and_values_are_as_the_docs_say(name: str, size: int, margin: int) -> None:
    start = pyspiel.load_game(name).new_initial_state().state_of_play
    assert solved(start) == (size, margin)


@pytest.mark.parametrize("name", [name for name, size, _ in TINY if size < 1000])
def test_cfr_finds_the_value_and_exploitability_goes_to_nought(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what OpenSpiel imports
        from open_spiel.python.algorithms import cfr, expected_game_score, exploitability
    game = pyspiel.load_game(name)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert exploitability.exploitability(game, policy) < 0.01
    values = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    margin = next(margin for known, _, margin in TINY if known == name)
    assert values[0] == pytest.approx((margin > 0) - (margin < 0), abs=0.01)
