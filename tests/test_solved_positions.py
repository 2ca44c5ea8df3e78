"""Positions that the solver has solved, and learning from them."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from snakeden.cli import main
from snakeden.core.outcome import victory_shares
from snakeden.core.state import State, new_game
from snakeden.nets.learning import LearningSettings
from snakeden.nets.search import Settings
from snakeden.nets.solved import BadPositions, SolvedPositions, read_solved, solve_a_game
from snakeden.nets.training import Plan, Training, small
from snakeden.search.evaluators import Evaluation
from snakeden.search.solver import Solver

torch.set_num_threads(1)
CPU = torch.device("cpu")
START = new_game("snekagon", side=3)


class _Even:
    """Finds all moves alike."""

    gives_priors = True

    def __call__(self, positions: NDArray[Any]) -> Evaluation:
        actions = int(START.variant.tables.actions)
        return Evaluation(np.zeros((len(positions), 4)), np.ones((len(positions), actions), np.float32))


def _best_play(state: State) -> tuple[float, ...]:
    """What the seats get, found by looking at everything."""
    player = state.player
    if player is None:
        return tuple(victory_shares(state.scores()).tolist())
    found = [_best_play(state.play(move)) for move in state.legal_moves()]
    return max(found, key=lambda shares: shares[player])


def test_the_ends_of_games_are_solved() -> None:
    generator, solver = random.Random(4), Solver(START, memory=1 << 22)
    looked_at = 0
    for _ in range(12):
        found = solve_a_game(START, _Even(), solver, 400, generator)
        assert 0 < len(found) <= 4
        for array, shares in found:
            state = State(START.variant, array)
            assert state.player is not None and sum(shares) == 1
            if len(state.legal_moves()) <= 8:
                assert _best_play(state) == shares
                looked_at += 1
    assert looked_at > 5


def test_what_was_found_is_added_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "solved.npz"
    command = [
        "nets",
        "solve",
        "snekagon",
        "--set",
        "side=3",
        "--out",
        str(file),
        "--minutes",
        "0.02",
        "--jobs",
        "1",
    ]
    assert main(command) == 0
    first = read_solved(file, START.variant)
    assert f"{len(first.shares):,} positions" in capsys.readouterr().out
    assert main(command) == 0
    both = read_solved(file, START.variant)
    assert len(both.states) == len(both.shares) > len(first.shares) > 0
    assert np.array_equal(both.states[: len(first.states)], first.states)
    # The second time other games were played.
    assert not np.array_equal(both.states[len(first.states) :][: len(first.states)], first.states)
    with pytest.raises(BadPositions, match="not for snekagon"):
        read_solved(file, new_game("snekagon").variant)
    with pytest.raises(BadPositions, match="snakeden nets solve"):
        read_solved(tmp_path / "none.npz", START.variant)
    for broken in (b"no archive", b"", file.read_bytes()[:-40]):
        (tmp_path / "broken.npz").write_bytes(broken)
        with pytest.raises(BadPositions, match="no solved positions"):
            read_solved(tmp_path / "broken.npz", START.variant)


def test_games_of_dice_are_not_solved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["nets", "solve", "snakey-dice", "--out", str(tmp_path / "solved.npz"), "--minutes", "0.02"])
        == 2
    )
    assert "cannot be solved" in capsys.readouterr().err
    assert main(["nets", "solve", "snekagon", "--out", str(tmp_path / "solved.npz"), "--minutes", "0"]) == 2
    assert "more than 0" in capsys.readouterr().err


def test_who_wins_is_learnt_from_solved_positions(tmp_path: Path) -> None:
    generator, solver = random.Random(1), Solver(START, memory=1 << 22)
    found = [each for _ in range(300) for each in solve_a_game(START, _Even(), solver, 2000, generator)]
    states, shares = zip(*found, strict=True)
    solved = SolvedPositions(np.array(states), np.array(shares, np.float32))
    plan = replace(
        small(Plan(minutes=600, blocks=2, channels=24, search=Settings(considered=8, kept=8))),
        fill=256,
        measure_games=0,
        learning=LearningSettings(batch=128, average=0.9, rate=5e-3),
    )
    training = Training(
        [START.variant],
        plan,
        tmp_path,
        resume=False,
        device=CPU,
        begun=time.time(),
        solved=solved,
    )
    with pytest.raises(BadPositions, match="too few"):
        few = SolvedPositions(solved.states[:9], solved.shares[:9])
        Training([START.variant], plan, tmp_path, resume=False, device=CPU, begun=time.time(), solved=few)
    before = training.measure()["solved"]
    while training.learner.steps < 150:
        training.turn()
    after = training.measure()["solved"]
    # Who says one half of everything is off by a quarter at most.
    assert before > 0.15 and after < 0.8 * before
