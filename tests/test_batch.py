"""Batches against single games: the same positions, masks, lists, rewards, whatever n and the threads."""

from __future__ import annotations

import json
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray

import snakeden
from snakeden.adapters import actions
from snakeden.adapters.observations import observe
from snakeden.adapters.rewards import rewards
from snakeden.cli import main

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("snekagon", {"side": 4}),
    ("snekagon-5g", {"players": 3, "side": 4}),
    ("schlangennest", {"players": 3}),
    ("snakey-dice", {}),
    ("snakey-dice", {"players": 2, "map": "original"}),
]
ids = ["-".join([game, *(f"{k}={v}" for k, v in options.items())]) for game, options in VARIANTS]
variants = pytest.mark.parametrize(("game", "options"), VARIANTS, ids=ids)


@variants
@pytest.mark.parametrize("legal", ["mask", "list"])
def test_a_batch_plays_the_games_that_states_play(
    game: str, options: dict[str, Any], legal: Literal["mask", "list"]
) -> None:
    batch = snakeden.batch(game, 3, seed=5, legal=legal, **options)
    ended = 0
    while ended < 4:
        states = [batch.state(i) for i in range(3)]
        planes = batch.observe()
        for i, state in enumerate(states):
            assert state.player == batch.player[i]
            codes = actions.legal(state)
            assert batch.counts[i] == len(codes) > 0
            if legal == "mask":
                assert np.flatnonzero(batch.mask[i]).tolist() == codes
            else:
                assert batch.moves[i, : len(codes)].tolist() == codes
            assert (planes[i] == observe(state)).all()
            assert tuple(batch.standings()[i]) == state.scores()
        chosen = batch.sample()
        batch.step(chosen)
        for i, state in enumerate(states):
            after = state.play(actions.text(state, int(chosen[i])))
            if batch.over[i]:
                ended += 1
                if after.player == snakeden.CHANCE:
                    continue  # the last roll ended the game
                assert after.is_over
                assert tuple(batch.scores[i]) == after.scores()
                best = {int(seat) for seat in np.flatnonzero(batch.rewards[i] == batch.rewards[i].max())}
                assert best == set(after.winners())
            else:
                assert not after.is_over
                assert (batch.rewards[i] == 0).all()
                if after.player != snakeden.CHANCE:
                    assert batch.state(i) == after


@variants
def test_the_same_seed_plays_the_same_games_whatever_n_and_threads(
    game: str, options: dict[str, Any]
) -> None:
    def play(n: int, threads: int, legal: Literal["mask", "list"], seed: int = 9) -> list[list[int]]:
        batch = snakeden.batch(game, n, seed=seed, threads=threads, legal=legal, **options)
        played = []
        for _ in range(40):
            chosen = batch.sample()
            batch.step(chosen)
            played.append(
                [*chosen[:5].tolist(), *batch.scores[:5].ravel().tolist(), *batch.over[:5].tolist()]
            )
        return played

    first = play(5, 1, "mask")
    assert play(200, 3, "mask") == first
    assert play(130, 2, "list") == first
    assert play(5, 1, "mask", seed=10) != first


def test_a_step_with_an_illegal_action_plays_nothing_and_says_why() -> None:
    batch = snakeden.batch("snekagon", 2, seed=1, side=3)
    batch.step(batch.sample())
    before, legal = [batch.state(i) for i in range(2)], batch.sample()
    bad = int(np.flatnonzero(~batch.mask[1])[0])
    for wrong, told in [
        ([legal[0], bad], "game 1: action"),
        ([legal[0], batch.actions], "game 1: there is no action"),
        ([-1, legal[1]], "game 0: there is no action -1"),
        ([legal[0]], "one a game"),
        ([0.5, 0.5], "whole numbers"),
    ]:
        with pytest.raises(snakeden.IllegalMove, match=told):
            batch.step(wrong)
    assert [batch.state(i) for i in range(2)] == before
    batch.step(legal)
    assert [batch.state(i) for i in range(2)] != before


@pytest.mark.parametrize(
    "wrong", [{"n": 0}, {"n": 2, "threads": 0}, {"n": 2, "legal": "text"}, {"n": 2, "seed": -1}]
)
def test_what_cannot_be_batched_is_refused_in_words(wrong: dict[str, Any]) -> None:
    with pytest.raises(snakeden.BadOption, match="is not possible"):
        snakeden.batch("snekagon", **wrong)


def test_rewards_are_fair() -> None:
    assert rewards([5, 3]).tolist() == [1, -1]
    assert rewards([4, 4]).tolist() == [0, 0]
    assert rewards([1, 7, 3]).tolist() == [-0.5, 1, -0.5]
    assert rewards([7, 7, 3]).tolist() == [0.25, 0.25, -0.5]
    assert rewards([[-12], [40]]).tolist() == [[-12], [40]]


def test_actions_are_drawn_uniformly() -> None:
    batch = snakeden.batch("snekagon", 19_000, seed=4, side=3)
    counts = np.bincount(batch.sample(), minlength=19)[:19]
    assert counts.sum() == 19_000  # the first move is one of 19 single hexes
    # Chi-square with 18 degrees of freedom goes beyond 51 once in 20,000 seeds.
    assert ((counts - 1000) ** 2 / 1000).sum() < 51


def test_the_bench_measures_batches(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "batch", "--game", "snekagon", "--seconds", "0.05", "--json"]) == 0
    printed = capsys.readouterr()
    (row,) = json.loads(printed.out)
    assert row["unit"] == "plies/s"
    assert row["value"] > 0
    if row["ratio"] is None:
        assert "pgx is not installed" in printed.err


@pytest.mark.parametrize(("shape", "dtype"), [((3, 1), np.float32), (None, np.float64)])
def test_an_array_of_another_kind_is_not_written_to(shape: tuple[int, ...] | None, dtype: type) -> None:
    games = snakeden.batch("snekagon", 4, side=3)
    out: NDArray[Any] = np.zeros(shape or (4, *games.observation_shape), dtype)
    with pytest.raises(ValueError, match="of float32 is needed"):
        games.observe(out)
    assert not out.any()
