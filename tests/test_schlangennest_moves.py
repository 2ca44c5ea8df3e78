"""Schlangennest: how moves are written, said, explained and sampled, and the pictures of the rules page."""

from __future__ import annotations

from collections import Counter
from html import escape
from pathlib import Path
from typing import Any

import pytest
from nests import BOTH_AT_A_CORNER, RING, SQUARE, played

import snakeden
from snakeden import IllegalMove, UnreadableMove
from snakeden.games.schlangennest.notation import spoken
from snakeden.words import word

PAGE = Path(__file__).parent.parent / "docs" / "games" / "schlangennest.md"


# ---- notation and explanations


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "moves look like"),
        ("S(0,0)", "moves look like"),
        ("X(0,0)N", "moves look like"),
        ("0:S(0,0)EW", "moves look like"),
        ("S(0,0)NE", "it lies EW, NS"),
        ("C(0,0)N", "it lies NE, SE, SW, NW"),
        ("C(0,0)NN", "it lies NE, SE, SW, NW"),
        ("T(0,0)EW", "it lies N, E, S, W"),
        ("S(0, 0)EW", "moves look like"),
    ],
)
def test_unreadable_moves(text: str, why: str) -> None:
    with pytest.raises(UnreadableMove, match=why):
        played("").play(text)


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("C(0,-2)NW", "curve at (0,−2), top left"),
        ("S(1,0)EW", "straight at (1,0), left to right"),
        ("T(-1,0)E", "tail at (−1,0), to the right"),
        ("H(3,4)N", "head at (3,4), to the top"),
        ("turn(1,0)SE", "curve at (1,0) turned to the bottom right"),
        ("swap(0,0)W", "tail instead of the straight at (0,0)"),
        ("0:C(2,-1)NE", "colour 0: curve at (2,−1), top right"),
    ],
)
def test_a_move_is_said_in_words(move: str, said: str) -> None:
    assert str(spoken(move)) == said


def test_a_way_may_be_named_in_either_order() -> None:
    assert str(played("").move("S(0,0)WE")) == "S(0,0)EW"
    assert str(played("").move("C(0,0)EN")) == "C(0,0)NE"


@pytest.mark.parametrize(
    ("moves", "options", "move", "why"),
    [
        ("", {}, "S(1,0)EW", r"lies on \(0,0\)"),
        ("", {}, "S(500,0)EW", r"as far out as \(500,0\)"),
        ("", {"border": "frame"}, "S(-1,0)EW", "already"),
        ("", {"border": "frame"}, "S(-1,4)EW", "inside the nest"),
        ("S(0,0)EW", {}, "S(0,0)NS", r"there is a card on \(0,0\) already"),
        ("S(0,0)EW", {}, "S(2,0)EW", "by an edge or a corner"),
        ("S(0,0)EW S(0,1)EW", {}, "S(0,-1)NS", "does not meet an open end"),
        ("S(0,0)EW S(0,1)EW", {}, "S(1,0)NS", "does not meet an open end"),
        ("S(0,0)EW S(0,1)EW", {}, "turn(0,0)NE", "only a snake that is a ring"),
        ("T(0,0)N S(1,1)NS", {}, "T(0,1)S", "no tail card left"),
        (
            "C(0,0)NE C(1,1)NW C(1,0)NW C(1,2)SE",
            {"nest": "3x3"},
            "C(0,1)SE",
            r"your snake and Player 2's snake would be joined through \(0,1\) and \(1,1\)",
        ),
        (
            "C(0,0)NE S(-1,1)NS C(-2,1)SE C(-3,0)NE",
            {"players": 4},
            "C(0,1)SW",
            r"your snake and Player 3's snake would be joined through \(0,1\), \(-1,1\), and \(-2,1\)",
        ),
        (
            BOTH_AT_A_CORNER + " C(0,-2)NW",
            {},
            "T(0,-1)N",
            r"your snake and Player 2's snake would be joined through \(1,-1\), \(0,-1\), and \(-1,-1\)",
        ),
    ],
)
def test_illegal_moves_are_explained(moves: str, options: dict[str, Any], move: str, why: str) -> None:
    with pytest.raises(IllegalMove, match=why):
        played(moves, **options).play(move)


# ---- sampling


@pytest.mark.parametrize(
    ("moves", "options"),
    [
        ("S(0,0)EW", {"tail_first": False}),
        ("S(0,0)EW S(0,1)EW", {}),
        ("C(0,0)NE C(-1,1)NE C(0,1)SE S(-1,2)NS", {"border": "none"}),
        (RING, {}),
        ("2:T(0,0)N 3:T(1,1)N 1:T(-1,-1)W 0:T(2,0)E 2:S(0,1)NS", {"snakes": 2}),
    ],
)
def test_every_legal_move_is_sampled_equally_often(moves: str, options: dict[str, Any]) -> None:
    state = played(moves, **options)
    array = state.array()
    wanted = {move.code for move in state.legal_moves()}
    draws = 60 * len(wanted)
    rng = 11
    drawn: Counter[int] = Counter()
    for _ in range(draws):
        rng, move = state.variant.program.sample(array, rng)
        drawn[move] += 1
    assert set(drawn) == wanted
    spread = sum((count - 60) ** 2 / 60 for count in drawn.values())
    # The chi-square statistic's mean is its degrees of freedom, its variance twice that; five deviations off.
    freedom = len(wanted) - 1
    assert abs(spread - freedom) < 5 * (2 * freedom) ** 0.5


def test_the_whole_protocol_is_kept() -> None:
    snakeden.check_game("schlangennest", examples=25)


# ---- the page


@pytest.mark.parametrize(
    ("picture", "options", "moves"),
    [
        ("joining", {}, "S(0,0)EW C(1,0)NE C(1,-1)NW"),
        ("border-before", {"nest": "3x4"}, SQUARE),
        ("border", {"nest": "3x4"}, SQUARE + " S(-1,0)EW"),
        ("ring", {}, RING),
        ("opened", {}, RING + " turn(1,1)SE"),
        ("fence", {"border": "fence"}, "S(1,1)NS S(4,1)EW"),
        ("frame", {"border": "frame"}, "S(0,0)EW S(1,1)NS S(0,1)EW"),
    ],
)
def test_the_pages_pictures_show_what_is_written_below_them(
    picture: str, options: dict[str, Any], moves: str
) -> None:
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"pictures/schlangennest-{picture}.svg" in text
    assert moves in text or all(move in text for move in moves.rsplit(" ", 1))
    drawn = (PAGE.parent / "pictures" / f"schlangennest-{picture}.svg").read_text(encoding="utf-8")
    state = played(moves, **options)
    assert escape(word(state.variant.game.view.scene(state).title)) in drawn
