"""Observations, symmetries and action numbers, held against play."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import snakeden
from snakeden import programs
from snakeden.adapters import actions
from snakeden.adapters.observations import observe, planes, symmetries

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("snekagon", {}),
    ("snekagon-5g", {"players": 3, "advanced": True, "side": 5}),
    ("schlangennest", {"players": 3}),
    ("schlangennest", {"snakes": 2}),
    ("schlangennest", {"border": "fence"}),
    ("schlangennest", {"border": "frame", "nest": "5x5"}),
    ("snakey-dice", {}),
    ("snakey-dice", {"players": 2}),
    ("snakey-dice", {"players": 3, "map": "pinwheel"}),
]
SYMMETRIES = [12, 2, 8, 8, 1, 4, 2, 4, 4]
"""How many each of them has."""


def names(variants: list[tuple[str, dict[str, Any]]]) -> list[str]:
    return ["-".join([game, *(f"{k}={v}" for k, v in options.items())]) for game, options in variants]


def walk(game: str, options: dict[str, Any], seed: int = 3) -> list[tuple[snakeden.State, int]]:
    """A random game: every position with the action that is taken in it."""
    rng, state, steps = random.Random(seed), snakeden.new_game(game, **options), []
    while not state.is_over:
        move = state.roll(rng) if state.player == snakeden.CHANCE else rng.choice(state.legal_moves())
        steps.append((state, move.code))
        state = state.play(move)
    return steps


@pytest.mark.parametrize(("game", "options"), VARIANTS, ids=names(VARIANTS))
def test_without_a_compiled_program_observations_are_the_same(
    game: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    snakeden.batch(game, 1, **options)  # waits for the compiler
    chosen = [state for state, _ in walk(game, options)[::7]]
    seen = [observe(state, state.seats - 1) for state in chosen]
    monkeypatch.setattr(programs, "is_compiled", lambda variant, part: False)
    monkeypatch.setattr(programs, "compile_in_background", lambda variant, part: None)
    for state, before in zip(chosen, seen, strict=True):
        assert before.any()
        assert (observe(state, state.seats - 1) == before).all()


@pytest.mark.parametrize(
    ("game", "options", "count"),
    [(*variant, count) for variant, count in zip(VARIANTS, SYMMETRIES, strict=True)],
    ids=names(VARIANTS),
)
def test_an_image_of_a_game_is_a_game(game: str, options: dict[str, Any], count: int) -> None:
    found = symmetries(game, **options)
    assert len(found) == count
    assert found[0].name == "as it is"
    assert len({symmetry.name for symmetry in found}) == count
    steps = walk(game, options)
    rng = random.Random(1)
    for symmetry in [found[0], *rng.sample(found[1:], min(3, count - 1))]:
        image = snakeden.new_game(game, **options)
        for state, action in steps:
            assert image.player == state.player
            assert image.scores() == state.scores()
            assert sorted(symmetry.action(state.codes())) == image.codes().tolist()
            assert (symmetry.policy(actions.mask(state)) == actions.mask(image)).all()
            for seat in range(state.seats):
                assert (symmetry.observation(observe(state, seat)) == observe(image, seat)).all()
            image = image.play(actions.text(image, int(symmetry.action(action))))
        assert image.is_over


@pytest.mark.parametrize(("game", "options"), VARIANTS, ids=names(VARIANTS))
def test_observations_tell_positions_apart_and_stay_between_0_and_1(
    game: str, options: dict[str, Any]
) -> None:
    seen: dict[bytes, bytes] = {}
    for state, _ in walk(game, options):
        for seat in range(state.seats):
            planes_seen = observe(state, seat)
            assert planes_seen.shape[0] == len(planes(game, **options))
            assert planes_seen.min() >= 0
            assert planes_seen.max() <= 1
        if state.player != snakeden.CHANCE:
            key = state.array()[: state.variant.tables.key_words].tobytes()
            assert seen.setdefault(observe(state).tobytes(), key) == key


def test_planes_say_what_they_mean() -> None:
    state = snakeden.new_game("snekagon", side=3).play("c3").play("a1-a2")
    seen = dict(zip(planes("snekagon", side=3), observe(state, 1), strict=True))
    mine, others = seen["cells of the viewer"], seen["cells of player +1"]
    assert (mine.sum(), others.sum()) == (2, 1)
    assert mine[0, 2] == mine[0, 3] == others[2, 2] == 1
    assert seen["fields that tiles may cover"].sum() == 19
    assert (seen["everywhere 1: tile 2 is left for the viewer"] == 0).all()
    assert (seen["everywhere 1: tile 3S is left for the viewer"] == 1).all()
    assert (seen["everywhere 1: tile 1 is left for player +1"] == 0).all()


@pytest.mark.parametrize(("game", "options"), VARIANTS, ids=names(VARIANTS))
def test_numbers_and_texts_of_actions_convert_both_ways(game: str, options: dict[str, Any]) -> None:
    steps = walk(game, options)
    first, last = steps[0][0], steps[-1][0]
    rng = random.Random(0)
    for state, _ in steps:
        codes = state.codes().tolist()
        for action in rng.sample(codes, min(20, len(codes))):
            text = actions.text(state, action)
            assert actions.text(first, action) == actions.text(last, action) == text
            assert actions.number(first, text) == actions.number(last, text) == action
    with pytest.raises(snakeden.IllegalMove, match="numbered 0 to"):
        actions.text(first, actions.count(first))


def test_a_seat_that_is_not_there_sees_nothing() -> None:
    with pytest.raises(ValueError, match="the seats are 0 to 1"):
        observe(snakeden.new_game("snekagon"), 2)


def test_symmetries_work_on_whole_batches() -> None:
    symmetry = symmetries("snekagon", side=3)[1]
    state = snakeden.new_game("snekagon", side=3).play("c3").play("a1-a2")
    one = observe(state)
    assert (symmetry.observation(np.stack([one, one]))[1] == symmetry.observation(one)).all()
    assert (symmetry.policy(np.stack([actions.mask(state)] * 2))[0].sum()) == len(actions.legal(state))
