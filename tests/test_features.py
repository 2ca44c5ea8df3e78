"""What networks see beyond the observation, held against plain readings of the position."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from snakeden.adapters import actions
from snakeden.adapters.observations import observe, planes
from snakeden.agents import make
from snakeden.core.learning import features, symmetries
from snakeden.core.state import State, new_game
from snakeden.games.schlangennest.cards import FACES, FRAME, SIDES, STEPS, face_parts
from snakeden.games.schlangennest.kernels.layout import BOARD
from snakeden.programs.observer import observe_plainly

Field = tuple[int, int]
WAYS = ("up", "right", "down", "left")

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("snekagon", {"side": 5}),
    ("snekagon-5g", {"players": 3, "side": 5}),
    ("schlangennest", {"players": 3}),
    ("schlangennest", {"border": "frame", "nest": "5x5"}),
    ("snakey-dice", {}),
    ("snakey-dice", {"players": 3, "map": "pinwheel"}),
]


def walk(game: str, options: dict[str, Any], seed: int, every: int) -> list[State]:
    """Some positions of a random game in which a player is to move."""
    rng, state, found = random.Random(seed), new_game(game, **options), []
    while state.player is not None:
        if state.player < 0:
            state = state.play(state.roll(rng))
            continue
        found.append(state)
        state = state.play(rng.choice(state.legal_moves()))
    return found[::every]


def seen(state: State, seat: int) -> dict[str, NDArray[np.float32]]:
    """The features by name."""
    more = features(state.variant.game)
    assert more is not None
    return dict(
        zip(
            more.planes(state.variant.tables),
            observe_plainly(state.variant, state.array(), seat, more),
            strict=True,
        )
    )


def observed(state: State, seat: int) -> dict[str, NDArray[np.float32]]:
    """The observation by name."""
    return dict(zip(planes(state.game, **state.options), observe(state, seat), strict=True))


def marked(plane: NDArray[np.float32]) -> set[Field]:
    return {(int(row), int(column)) for row, column in zip(*plane.nonzero(), strict=True)}


@pytest.mark.parametrize(("game", "options"), VARIANTS, ids=[str(each) for each in VARIANTS])
def test_features_of_an_image_are_the_image_of_the_features(game: str, options: dict[str, Any]) -> None:
    rng, state = random.Random(5), new_game(game, **options)
    more, symmetry = features(state.variant.game), symmetries(state.variant)[-1]
    assert more is not None
    image, marks = state, 0
    while state.player is not None:
        move = state.roll(rng) if state.player < 0 else rng.choice(state.legal_moves())
        state = state.play(move)
        image = image.play(actions.text(image, int(symmetry.action(move.code))))
        own, other = (observe_plainly(each.variant, each.array(), 0, more) for each in (state, image))
        which = np.arange(len(own)) if symmetry.features is None else symmetry.features
        turned = np.empty_like(own).reshape(len(own), -1)
        turned[which[:, None], symmetry.cells[None]] = own.reshape(len(own), -1)
        assert (turned.reshape(own.shape) == other).all()
        marks += int(own.sum())
    assert marks


def connected(cells: Iterable[Field]) -> list[set[Field]]:
    """The cells of a hex grid in pieces that hang together."""
    rest, found = set(cells), []
    while rest:
        piece, edge = set(), [rest.pop()]
        while edge:
            row, column = edge.pop()
            piece.add((row, column))
            for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)):
                if (row + down, column + right) in rest:
                    rest.remove((row + down, column + right))
                    edge.append((row + down, column + right))
        found.append(piece)
    return found


@pytest.mark.parametrize("seed", range(3))
def test_snekagon_shows_how_long_snakes_are(seed: int) -> None:
    longest, player, state = 0, make("greedy:sees=40", seed=seed), new_game("snekagon")
    while state.player is not None:
        state = state.play(player.choose(state).move)
        for seat in range(2):
            found, own = seen(state, seat), observed(state, seat)
            for who, cells in (("the viewer", "cells of the viewer"), ("player +1", "cells of player +1")):
                snakes = connected(marked(own[cells]))
                most = max((len(snake) for snake in snakes), default=0)
                longest = max(longest, most)
                wanted = {f"cells of the longest snakes: {who}": most}
                wanted |= {f"cells of snakes of {k} cells or more: {who}": k for k in (6, 10, 15)}
                for name, least in wanted.items():
                    long = [snake for snake in snakes if len(snake) >= least]
                    assert marked(found[name]) == set().union(*long), name
    assert longest >= 15


def strand(cards: dict[Field, int], square: Field, side: int) -> tuple[int, bool, bool]:
    """From a free square over one of its sides: the parts of what comes there, whether all of them are gray, and
    whether it ends on a card."""
    parts, gray = 0, True
    while True:
        square = (square[0] + STEPS[side][0], square[1] + STEPS[side][1])
        if square not in cards:
            return parts, gray, False
        card, enters = cards[square], SIDES[side ^ 2]
        touched = [FACES[2 + card - FRAME][1]] if card >= FRAME else face_parts((card - 1) % len(FACES))
        through = next(((n, part) for n, part in enumerate(touched) if enters in part), None)
        if through is None:
            return parts, gray, True
        number, part = through
        parts += 1
        gray &= card >= FRAME or number > 0
        if len(part) == 1:
            return parts, gray, True
        side = SIDES.index(part.replace(enters, ""))


@pytest.mark.parametrize(
    ("options", "least_strand"),
    [({}, 2), ({"players": 3}, 3), ({"border": "frame", "nest": "6x6"}, 5)],
    ids=["two", "three", "frame"],
)
def test_schlangennest_shows_strands_of_nobody(options: dict[str, Any], least_strand: int) -> None:
    longest, player, state = 0, make("mcts:sims=20", seed=2), new_game("schlangennest", **options)
    while state.player is not None:
        state = state.play(player.choose(state).move)
        tables, found = state.variant.tables, seen(state, 0)
        rows, columns = next(iter(found.values())).shape
        board = state.array()[BOARD : BOARD + tables.squares]
        cards = {(at % columns, at // columns): int(card) for at, card in enumerate(board) if card}
        for number, side in enumerate(("upper", "right", "lower", "left")):
            wanted: dict[str, set[Field]] = {
                name: set() for name in found if name.endswith(f"by its {side} side")
            }
            for square in ((x, y) for x in range(columns) for y in range(rows)):
                if square in cards:
                    continue
                parts, gray, ends = strand(cards, square, number)
                if not parts or not gray:
                    continue
                longest = max(longest, parts)
                for name in wanted:
                    least = next((k for k in (2, 3, 5) if f"of {k} parts" in name), 1)
                    if parts >= least and (ends or "closed behind" not in name):
                        wanted[name].add((square[1], square[0]))
            for name, fields in wanted.items():
                assert marked(found[name]) == fields, name
    assert longest >= least_strand


def steps(room: set[Field], start: set[Field]) -> dict[Field, int]:
    """How many steps away the squares are that can be walked to."""
    found, edge = dict.fromkeys(start, 0), list(start)
    for row, column in edge:
        for field in ((row, column + 1), (row, column - 1), (row + 1, column), (row - 1, column)):
            if field in room and field not in found:
                found[field] = found[row, column] + 1
                edge.append(field)
    return found


@pytest.mark.parametrize("options", [{}, {"players": 2}, {"players": 3, "map": "pinwheel"}], ids=str)
def test_snakey_dice_shows_where_snakes_can_walk(options: dict[str, Any]) -> None:
    for state in walk("snakey-dice", options, 1, 9):
        for seat in range(state.seats):
            found, own = seen(state, seat), observed(state, seat)
            room = marked(own["squares that can be entered"])
            who = ["the viewer", *(f"player +{ahead}" for ahead in range(1, state.seats))]
            away = {}
            for each in who:
                faced = [own[f"the square that {each} faces, looking {way}"] for way in WAYS]
                out = own[f"everywhere: 1 if out: {each}"].any() or not own[f"the trail of {each}"].any()
                away[each] = steps(room, set() if out else set().union(*map(marked, faced)) & room)
            soonest = {at: min(far.get(at, 999) for far in away.values()) for at in room}
            assert marked(found["squares that nobody can walk to"]) == {
                at for at, least in soonest.items() if least == 999
            }
            for each, far in away.items():
                name = f"squares that {each} can walk to"
                assert marked(found[f"{name} in as few steps as anybody"]) == {
                    at for at, steps_there in far.items() if steps_there == soonest[at]
                }
                assert name not in found or marked(found[name]) == set(far)
