"""Batches against single games: the same positions, masks, lists, rewards, whatever n and the threads."""

from __future__ import annotations

import json
import pickle
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray

import snakeden
from snakeden.adapters import actions, observations
from snakeden.adapters.observations import observe
from snakeden.adapters.rewards import rewards
from snakeden.cli import main
from snakeden.core.planes import unpack

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
    for wrong, message in [
        ([legal[0], bad], "game 1: action"),
        ([legal[0], batch.actions], "game 1: there is no action"),
        ([-1, legal[1]], "game 0: there is no action -1"),
        ([legal[0]], "one a game"),
        ([0.5, 0.5], "whole numbers"),
    ]:
        with pytest.raises(snakeden.IllegalMove, match=message):
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
    with pytest.raises(ValueError, match="of float32 or uint8 is needed"):
        games.observe(out)
    assert not out.any()
    with pytest.raises(snakeden.BadOption, match="allowed is float32 or uint8"):
        games.observe(dtype=np.float64)


def test_an_array_in_pieces_is_not_written_to() -> None:
    games = snakeden.batch("snekagon", 4, side=3)
    planes, rows, columns = games.observation_shape
    out = np.zeros((4, planes, rows, 2 * columns), np.float32)
    with pytest.raises(ValueError, match="does not lie in one piece in memory"):
        games.observe(out[..., :columns])
    assert not out.any()


@variants
def test_observations_as_bytes_and_packed_are_the_same(game: str, options: dict[str, Any]) -> None:
    games = snakeden.batch(game, 70, seed=3, **options)
    played(games, 12)
    planes = games.observe()
    assert 0 < planes.max() <= 1
    assert (games.observe(dtype=np.uint8) == np.floor(255 * planes + 0.5)).all()
    bits, values = games.observe_packed()
    assert (unpack(bits, values, games.observation_shape[1:]) == planes).all()
    names = observations.planes(game, **options)
    assert [name.startswith("everywhere") for name in names] == [False] * bits.shape[1] + [
        True
    ] * values.shape[1]


# ---- chosen games, copies, starts


def played(games: snakeden.adapters.batch.Batch, steps: int = 30) -> list[Any]:
    history = []
    for _ in range(steps):
        chosen = games.sample()
        games.step(chosen)
        history.append((chosen.tolist(), games.over.tolist(), games.rewards.tolist()))
    return history


@variants
def test_clones_and_pickles_play_the_same_games(game: str, options: dict[str, Any]) -> None:
    games = snakeden.batch(game, 5, seed=2, **options)
    played(games)
    twin, kept = games.clone(), pickle.loads(pickle.dumps(games))
    history = played(games)
    assert played(twin) == history
    assert played(kept) == history
    assert [twin.state(i) for i in range(5)] == [games.state(i) for i in range(5)]


def test_games_are_cloned_in_any_order_and_number() -> None:
    games = snakeden.batch("snakey-dice", 4, seed=2)
    played(games, 7)
    some = games.clone([3, 0, 3], seed=9)
    assert [some.state(i) for i in range(3)] == [games.state(i) for i in (3, 0, 3)]
    assert (some.mask == games.mask[[3, 0, 3]]).all()
    for _ in range(6):
        some.step(some.mask.argmax(axis=1))
    assert some.state(0) != some.state(2)  # the seed gave each its own dice
    with pytest.raises(IndexError, match="0 to 3"):
        games.clone([4])
    with pytest.raises(snakeden.BadOption, match="at least one"):
        games.clone([])


@variants
def test_games_go_on_from_states(game: str, options: dict[str, Any]) -> None:
    games, other = snakeden.batch(game, 3, seed=1, **options), snakeden.batch(game, 3, seed=8, **options)
    played(other, 4)
    before = games.state(1)
    games.set_states([other.state(2), other.state(0)], [0, 2])
    assert [games.state(i) for i in range(3)] == [other.state(2), before, other.state(0)]
    assert (games.mask[[0, 2]] == other.mask[[2, 0]]).all()
    assert games.player.tolist() == [other.player[2], before.player, other.player[0]]
    games.step(games.sample())


def test_states_that_do_not_fit_are_refused_and_nothing_changes() -> None:
    games = snakeden.batch("snekagon", 2, side=3)
    before = [games.state(i) for i in range(2)]
    over = before[0]
    while not over.is_over:
        over = over.play(over.legal_moves()[0])
    for states, message in [
        ([before[0]], "1 states were given for 2 games"),
        ([before[0], snakeden.new_game("snekagon", side=4)], "snekagon side=3, and a state is of another"),
        ([before[0], over], "is over"),
    ]:
        with pytest.raises(ValueError, match=message):
            games.set_states(states)
    assert [games.state(i) for i in range(2)] == before


@variants
def test_only_the_chosen_games_step_and_reset(game: str, options: dict[str, Any]) -> None:
    games = snakeden.batch(game, 4, seed=3, **options)
    played(games, 3)
    before = [games.state(i) for i in range(4)]
    games.step(games.sample([1, 2]), np.array([False, True, True, False]))
    assert [games.state(i) == before[i] for i in range(4)] == [True, False, False, True]
    games.reset(seed=3, games=[0, 1])
    fresh = snakeden.batch(game, 4, seed=3, **options)
    assert [games.state(i) == fresh.state(i) for i in range(2)] == [True, True]
    assert games.state(3) == before[3]


@variants
@pytest.mark.parametrize("legal", ["mask", "list"])
def test_without_autoreset_games_stay_at_their_end(
    game: str, options: dict[str, Any], legal: Literal["mask", "list"]
) -> None:
    games = snakeden.batch(game, 6, seed=5, legal=legal, autoreset=False, **options)
    rewarded = np.zeros(6)
    while (games.player >= 0).any():
        games.step(games.sample())
        assert ((games.counts == 0) == (games.player < 0)).all()
        rewarded += np.abs(games.rewards).sum(axis=1) > 0
    assert rewarded.max() <= 1
    for i in range(6):
        state = games.state(i)
        assert state.is_over
        assert tuple(games.scores[i]) == state.scores() == tuple(games.standings()[i])
    if legal == "mask":
        assert games.mask.all()
    ended = [games.state(i) for i in range(6)]
    games.reset(games=[2])
    codes = actions.legal(games.state(2))
    assert games.counts.tolist() == [0, 0, len(codes), 0, 0, 0]
    if legal == "mask":
        assert np.flatnonzero(games.mask[2]).tolist() == codes
    games.step(games.sample())
    assert [games.state(i) == ended[i] for i in range(6)] == [True, True, False, True, True, True]


@variants
def test_last_observations_are_those_before_the_reset(game: str, options: dict[str, Any]) -> None:
    games = snakeden.batch(game, 5, seed=4, **options)
    stopping = snakeden.batch(game, 5, seed=4, autoreset=False, **options)
    ended = 0
    while not ended:
        chosen = games.sample()
        games.step(chosen)
        stopping.step(chosen)
        ended = int(games.over.sum())
        assert (stopping.over == games.over).all()
    seats = np.arange(5) % games.seats
    last = games.observe_last(seats)
    assert len(last) == ended
    for planes, i in zip(last, np.flatnonzero(games.over).tolist(), strict=True):
        assert (planes == observe(stopping.state(i), int(seats[i]))).all()


def test_any_seat_looks_on() -> None:
    games = snakeden.batch("snekagon-5g", 3, seed=4, players=3, side=4)
    played(games, 5)
    seats = [2, 0, 1]
    one, each = games.observe(seat=1), games.observe(seat=seats)
    for i in range(3):
        assert (one[i] == observe(games.state(i), 1)).all()
        assert (each[i] == observe(games.state(i), seats[i])).all()
    for wrong in (3, -1, [0, 1], 0.5):
        with pytest.raises(ValueError, match="seat"):
            games.observe(seat=wrong)


def test_counts_are_of_any_integer_type_and_rewards_float32() -> None:
    games = snakeden.batch("snekagon", np.int64(3), seed=np.uint8(1), threads=np.int32(1), side=3)
    assert games.n == 3
    assert games.rewards.dtype == np.float32


class Tensor:
    """Somebody else's array, known by DLPack alone."""

    def __init__(self, array: NDArray[Any]) -> None:
        self.array = array

    def __dlpack__(self, **arguments: Any) -> Any:
        return self.array.__dlpack__(**arguments)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


def test_observations_are_written_to_others_arrays() -> None:
    games = snakeden.batch("snekagon", 3, seed=1, side=3)
    tensor = Tensor(np.zeros((3, *games.observation_shape), np.float32))
    assert games.observe(tensor) is tensor
    assert (tensor.array == games.observe()).all()
    fixed = tensor.array.copy()
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="cannot be written to"):
        games.observe(fixed)
