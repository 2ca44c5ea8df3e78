"""Schlangennest: fixed nests, two snakes, and which options go together."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from nests import legal, played

import snakeden
from snakeden import BadOption, IllegalMove
from snakeden.games.schlangennest.cards import FACES, fence, fence_path, frame

# ---- fixed nests


@pytest.mark.parametrize("size", [(a, b) for b in range(3, 8) for a in range(b, 13) if a + b in (12, 14)])
def test_every_fence_has_a_tail_a_head_seven_straights_and_as_many_curves_as_it_needs(
    size: tuple[int, int],
) -> None:
    width, height = size
    laid = fence(width, height, 2)
    kinds = Counter(FACES[(card - 1) % len(FACES)][0] for card in laid.values())
    assert kinds == {"T": 1, "H": 1, "S": 7, "C": width + height - 10}
    assert all(0 <= x < width and 0 <= y < height for x, y in laid)


def test_the_fences_path() -> None:
    assert fence_path(7, 5) == [
        (0, 0),
        (1, 0),
        (2, 0),
        (3, 0),
        (3, 1),
        (3, 2),
        (3, 3),
        (3, 4),
        (4, 4),
        (5, 4),
        (6, 4),
    ]
    assert fence_path(8, 6) == [
        *((0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (3, 2), (4, 2)),
        *((5, 2), (5, 3), (5, 4), (5, 5), (6, 5), (7, 5)),
    ]


def test_around_a_fence_first_cards_touch_a_card_inside_the_nest() -> None:
    state = snakeden.new_game("schlangennest", border="fence")
    assert {"S(0,1)EW", "T(1,1)N", "C(6,3)NE"} <= legal(state)
    for move, why in (
        ("S(3,1)EW", "already"),
        ("S(0,4)EW", "must touch a card"),
        ("S(1,-1)NS", "inside the nest, x from 0 to 6, y from 0 to 4"),
        ("T(1,-1)N", "a first card must lie inside"),
    ):
        with pytest.raises(IllegalMove, match=why):
            state.play(move)
    # The fence's gray parts are joined like any: the straight at (1,0) carries the snake on to the south.
    state = state.play("S(1,1)NS")
    assert state.scores() == (2, 0)
    after = state.play("S(4,1)EW")
    assert "H(1,-1)N" in legal(after), "a head may lie outside"
    assert "S(1,-1)NS" not in legal(after)


def test_the_frame_has_nine_pairs_clockwise_from_the_lower_left() -> None:
    laid = frame(7, 5)
    assert len(laid) == 18
    empty = {(-1, 4), (6, 5), (7, 0), (2, -1), (1, -1), (0, -1)}
    around = {(x, y) for x in range(-1, 8) for y in range(-1, 6) if x in (-1, 7) or y in (-1, 5)}
    corners = {(-1, -1), (-1, 5), (7, -1), (7, 5)}
    assert set(laid) == around - empty - corners
    assert len(frame(3, 3)) == 8


def test_the_frame_leads_a_snake_back_into_the_nest() -> None:
    state = played("S(0,0)EW", border="frame")
    assert state.scores() == (3, 0), "the two parts of the U-turn count"
    with pytest.raises(IllegalMove, match=r"joined through \(0,1\), \(-1,1\), \(-1,0\), and \(0,0\)"):
        state.play("S(0,1)EW")
    back = state.play("S(1,1)NS")
    assert {"S(0,1)EW", "C(0,1)NW", "H(0,1)W"} <= legal(back)
    assert back.play("S(0,1)EW").scores() == (5, 1), "and on through the gray part of the other's card"


def test_framed_first_cards_may_touch_the_frame_alone() -> None:
    state = played("S(3,2)EW", border="frame")
    assert "S(0,0)NS" in legal(state)
    assert "S(1,1)NS" not in legal(state)


# ---- two snakes


def test_two_snakes_with_two_cards_a_turn_begin_with_four_tails() -> None:
    state = snakeden.new_game("schlangennest", snakes=2)
    assert legal(state) == {f"{colour}:T(0,0){way}" for colour in (0, 2) for way in "NESW"}
    state = state.play("2:T(0,0)N")
    assert state.player == 1
    assert {move[:3] for move in legal(state)} == {"1:T", "3:T"}
    state = state.play("3:T(1,1)N")
    assert state.player == 1
    assert {move[:3] for move in legal(state)} == {"1:T"}
    state = state.play("1:T(-1,-1)W")
    assert state.player == 0
    assert {move[:3] for move in legal(state)} == {"0:T"}
    state = state.play("0:T(2,0)E")
    assert state.player == 0
    assert legal(state) == {"2:S(0,1)NS", "2:C(0,1)SE", "2:C(0,1)SW", "2:H(0,1)S"}
    state = state.play("2:S(0,1)NS")
    assert state.player == 1
    assert {move[:2] for move in legal(state)} == {"1:", "3:"}
    state = state.play("3:S(1,2)NS")
    assert state.player == 1
    assert {move[:2] for move in legal(state)} == {"1:"}
    assert state.play("1:S(-2,-1)EW").player == 0


def test_two_snakes_with_one_card_a_turn_begin_with_two_turns_of_tails() -> None:
    state = played("2:T(0,0)N 3:T(1,1)N 0:T(2,0)E 1:T(-1,-1)W", snakes=2, cards_per_turn=1)
    assert state.player == 0
    assert {move[:2] for move in legal(state)} == {"0:", "2:"}
    assert state.play("2:S(0,1)NS").player == 1
    assert state.scores() == (2, 2)


def test_a_turn_of_two_cards_in_either_order_is_the_same() -> None:
    tails = "2:T(0,0)N 3:T(1,1)N 1:T(-1,-1)W 0:T(2,0)E 2:S(0,1)NS "
    assert played(tails + "3:S(1,2)NS 1:S(-2,-1)EW", snakes=2) == played(
        tails + "1:S(-2,-1)EW 3:S(1,2)NS", snakes=2
    )


def test_a_finished_snake_leaves_its_sibling_one_card_a_turn() -> None:
    state = played("2:T(0,0)N 3:T(1,1)N 1:T(-1,-1)W 0:T(2,0)E 2:H(0,1)S 3:S(1,2)NS 1:S(-2,-1)EW", snakes=2)
    assert {move[:2] for move in legal(state)} == {"0:"}
    assert state.play("0:S(3,0)EW").player == 1


@pytest.mark.parametrize(
    ("moves", "move", "why"),
    [
        ("", "0:S(0,0)EW", "must be its tail"),
        ("2:T(0,0)N", "0:T(1,1)N", "snake 0 is not yours"),
        ("2:T(0,0)N 3:T(1,1)N", "3:S(1,2)NS", "has had its card"),
        ("2:T(0,0)N 3:T(1,1)N 1:T(-1,-1)W", "2:S(0,1)NS", "other snake's tail first"),
    ],
)
def test_what_two_snakes_may_not_do(moves: str, move: str, why: str) -> None:
    with pytest.raises(IllegalMove, match=why):
        played(moves, snakes=2).play(move)


# ---- options


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"players": 5}, "players=5.*2 to 4"),
        ({"nest": "2x9"}, "nest='2x9'.*'5x9'"),
        ({"nest": "5x13"}, "nest='5x13'"),
        ({"nest": "05x9"}, "nest='05x9'"),
        ({"border": "wall"}, "border='wall'.*'floating', 'none', 'fence', 'frame'"),
        ({"border": "none", "nest": "5x7"}, "nest='5x7'.*no nest"),
        ({"border": "fence", "players": 4}, "border='fence'.*nobody plays"),
        ({"border": "fence", "snakes": 2}, "border='fence'.*nobody plays"),
        ({"border": "fence", "nest": "5x8"}, "nest='5x8'.*12 or 14"),
        ({"border": "frame", "players": 3}, "border='frame'.*two players"),
        ({"border": "frame", "snakes": 2}, "border='frame'.*two players"),
        ({"snakes": 2, "players": 3}, "snakes=2.*only two players"),
        ({"cards_per_turn": 1}, "cards_per_turn=1.*snakes=2"),
        ({"cards_per_turn": 2}, "cards_per_turn=2.*snakes=2"),
        ({"snakes": 3}, "snakes=3"),
    ],
)
def test_options_that_do_not_go_together_are_refused_in_words(options: dict[str, Any], why: str) -> None:
    with pytest.raises(BadOption, match=why):
        snakeden.new_game("schlangennest", **options)


@pytest.mark.parametrize(
    ("options", "size"),
    [
        ({}, (7, 5)),
        ({"players": 3}, (8, 6)),
        ({"players": 4}, (9, 7)),
        ({"players": 2, "snakes": 2}, (9, 7)),
        ({"nest": "easy", "players": 4}, (8, 8)),
        ({"nest": "hard", "players": 3}, (10, 4)),
        ({"nest": "hard", "snakes": 2}, (11, 5)),
        ({"nest": "3x12"}, (12, 3)),
    ],
)
def test_the_size_of_the_nest(options: dict[str, Any], size: tuple[int, int]) -> None:
    tables = snakeden.new_game("schlangennest", **options).variant.tables
    assert (tables.long, tables.short) == size
