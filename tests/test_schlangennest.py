"""Schlangennest: how snakes grow, rings, crowding, turns and the end, in positions that random games hardly reach."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from nests import BOTH_AT_A_CORNER, RING, SQUARE, legal, played

import snakeden
from snakeden import IllegalMove
from snakeden.games.schlangennest.kernels.layout import STATUS, STUCK, snake_at

# ---- strands


def test_gray_parts_lengthen_whoever_they_are_joined_to() -> None:
    state = played("S(0,0)EW")
    assert state.scores() == (1, 0)
    # The curve's gray part lies between the straight's end and the south.
    state = state.play("C(1,0)NE")
    assert state.scores() == (2, 1)
    assert {"S(1,-1)NS", "C(1,-1)NE"} <= legal(state)


def test_a_neutral_strand_becomes_a_snakes_own_with_all_its_parts() -> None:
    # The gray parts of the first two cards make a neutral strand from south to north.
    state = played("S(0,0)EW S(0,1)EW C(1,0)SW S(1,1)EW C(1,-1)NW S(-1,1)EW")
    assert state.scores() == (3, 3)
    state = state.play("C(0,-1)NE")
    assert state.scores() == (6, 3), "a card and two gray parts"
    assert "S(0,2)NS" in legal(state.play("S(2,1)EW"))


def test_a_gray_head_given_by_an_opponent_closes_that_end() -> None:
    state = played("S(0,0)EW T(1,0)E")
    assert state.scores() == (2, 1)
    assert {move[1:7] for move in legal(state)} == {"(-1,0)"}
    done = state.play("H(-1,0)E")
    assert done.scores() == (3, 1)
    assert done.player == 1
    assert done.play("S(2,0)EW").player == 1, "a complete snake's owner lays no more cards"


def test_a_first_card_may_be_laid_by_a_corner_and_a_later_one_only_at_an_open_end() -> None:
    state = played("S(0,0)EW S(1,1)NS")
    assert legal(state) == {
        f"{card}({x},0){way}"
        for x, ways in ((-1, ("EW", "NE", "SE", "E", "E")), (1, ("EW", "SW", "NW", "W", "W")))
        for card, way in zip("SCCTH", ways, strict=True)
    } - {"C(1,0)NW"}, "C(1,0)NW would be joined to the other snake at its north"


def test_equal_positions_are_equal_whichever_way_they_came_about() -> None:
    one = played("S(0,0)EW S(0,1)EW S(1,0)EW S(1,1)EW S(-1,0)EW S(-1,1)EW")
    other = played("S(0,0)EW S(0,1)EW S(-1,0)EW S(-1,1)EW S(1,0)EW S(1,1)EW")
    assert one == other
    assert one.text == other.text


# ---- the floating nest


def test_the_nests_orientation_is_fixed_by_the_card_that_needs_it() -> None:
    wide = played(SQUARE, nest="3x4")
    assert "S(-1,0)EW" in legal(wide)
    assert "S(1,3)NS" in legal(wide.play("C(2,1)SE")), "while the extent is 3x3 the nest may become 4 high"
    wide = wide.play("S(-1,0)EW")
    assert not {"S(1,3)NS", "C(1,3)SE", "C(1,3)SW"} & legal(wide)
    assert {"T(1,3)S", "H(1,3)S"} <= legal(wide), "heads and tails may lie outside"
    with pytest.raises(IllegalMove, match="4 wide and 4 high, and the nest is 4x3 or 3x4"):
        wide.play("S(1,3)NS")


def test_heads_and_tails_never_count_for_the_extent() -> None:
    state = played("T(0,0)N S(1,1)NS S(0,1)NS S(1,2)NS S(0,2)NS S(1,3)NS", nest="3x3")
    # Rows 1 to 3 are full; row 0 holds only a tail.
    assert "S(0,3)NS" in legal(state)
    assert "H(0,3)S" in legal(state)
    assert "S(1,4)NS" not in legal(state.play("S(0,3)NS"))
    assert "H(1,4)S" in legal(state.play("S(0,3)NS"))


# ---- rings


def test_a_ring_is_opened_by_a_quarter_turn_of_any_of_its_curves() -> None:
    state = played(RING)
    assert state.scores() == (4, 4)
    assert legal(state) == {
        *("turn(0,0)SE", "turn(0,0)NW", "turn(1,0)NE", "turn(1,0)SW"),
        *("turn(1,1)SE", "turn(1,1)NW", "turn(0,1)NE", "turn(0,1)SW"),
    }
    turned = state.play("turn(0,0)SE")
    assert turned.scores() == (5, 4), "the gray part of the turned card is the snake's now"
    after = turned.play("S(-1,-5)NS")
    assert {move[1:].rstrip("NESW") for move in legal(after)} == {"(0,-1)", "(-1,0)"}


def test_either_way_of_turning_opens_the_same_ends_and_is_another_position() -> None:
    state = played(RING)
    one, other = state.play("turn(0,0)SE"), state.play("turn(0,0)NW")
    assert one != other
    assert legal(one.play("S(-1,-5)NS")) == legal(other.play("S(-1,-5)NS"))


@pytest.mark.parametrize(
    ("moves", "options", "move", "why"),
    [
        (RING, {}, "turn(0,0)SW", "90°"),
        (RING, {}, "C(2,0)NW", "is a ring"),
        (RING, {}, "turn(-1,-1)NE", r"no curve of yours on \(-1,-1\)"),
        (RING, {}, "turn(9,9)NE", r"no curve of yours on \(9,9\)"),
        (RING, {}, "swap(0,0)E", "no straight of yours"),
        (
            "C(3,0)NE C(2,1)NE C(3,1)SE S(2,2)NS",
            {"border": "frame", "nest": "4x4"},
            "turn(3,1)NE",
            r"your snake and Player 2's snake would be joined through \(3,0\), \(3,1\), and \(2,1\)",
        ),
        (
            "C(0,0)SE C(0,1)NE C(1,0)SW S(0,2)NS",
            {"border": "frame", "nest": "4x4"},
            "turn(0,0)NE",
            "no open end",
        ),
    ],
)
def test_what_does_not_open_a_ring(moves: str, options: dict[str, Any], move: str, why: str) -> None:
    with pytest.raises(IllegalMove, match=why):
        played(moves, **options).play(move)


SWAP = "C(2,0)NW S(3,0)EW C(2,1)SE C(3,1)SE C(1,0)SE"
"""Seat 1's snake is a ring around the corner of a framed nest, and none of its curves can be turned."""


def test_a_straight_is_swapped_for_the_tail_where_no_curve_can_be_turned() -> None:
    state = played(SWAP, border="frame", nest="4x4")
    assert state.player == 1
    assert legal(state) == {"swap(3,0)E", "swap(3,0)W"}
    with pytest.raises(IllegalMove, match="along the straight"):
        state.play("swap(3,0)N")
    swapped = state.play("swap(3,0)W")
    assert swapped.scores()[1] == state.scores()[1] + 1, "a part lost, two gained"
    assert swapped.player == 0
    assert swapped.play(swapped.legal_moves()[0]).player == 0, "the snake is complete"


def test_a_ring_that_cannot_be_opened_is_finished_for_good() -> None:
    moves = "C(3,3)SE C(2,2)NE C(3,2)NE"
    state = played(moves, border="frame", nest="4x4")
    assert state.scores() == (4, 2)
    state = state.play("C(2,3)SW")
    assert state.player == 1, "seat 0's ring has neither a curve to turn nor a straight to swap"
    assert state.scores() == (4, 3)
    assert state.array()[snake_at(0) + STATUS] == STUCK
    while not state.is_over:
        state = state.play(state.legal_moves()[0])
        assert state.player in (1, None)
    assert state.scores()[0] == 4, "it scores its parts"


# ---- crowding


def test_three_snakes_may_not_reach_one_square() -> None:
    state = played("C(0,0)SW S(0,-1)EW C(-1,-2)NW", players=3)
    with pytest.raises(
        IllegalMove, match=r"\(-1,-1\) would be crowded: .*your snake.* and Player \d's snake would"
    ):
        state.play("C(-1,0)SE")
    assert "C(-1,0)NE" in legal(state), "away from the square it may grow"
    # The same table with two players is not crowded.
    assert "C(-1,0)SE" in legal(played("C(0,0)SW S(0,-1)EW"))


def test_four_colours_may_not_reach_two_squares_side_by_side() -> None:
    state = played("C(0,0)NE C(0,-1)SE S(0,-2)EW C(1,-3)NE", players=4, nest="4x4")
    with pytest.raises(
        IllegalMove, match=r"\(1,-1\) and \(1,-2\) beside it would be crowded: all four colours"
    ):
        state.play("C(1,0)SW")
    assert {"C(1,0)NW", "S(1,0)EW"} <= legal(state)


CURVES_SPENT = (
    "C(0,0)NW S(1,0)EW C(-1,0)NE C(0,-1)NE C(-1,1)SE C(1,-1)NW C(0,1)NW C(2,0)NW C(0,2)SE C(2,1)SE "
    "C(1,2)SW S(3,1)EW C(1,1)NW C(4,1)SW turn(1,2)NW C(4,0)NW C(1,3)SE C(3,0)NE C(2,3)SW"
)
"""Both of seat 0's ends reach (2,2) round a corner, and so does one of seat 1's; seat 0 has no curve left,
and seat 1 has two."""


def test_both_players_may_come_to_one_square_while_the_next_of_them_has_a_curve() -> None:
    state = played(BOTH_AT_A_CORNER)
    assert "C(0,-2)NW" in legal(state)
    met = state.play("C(0,-2)NW")
    assert legal(met) == {"C(0,-1)NE"}, "no other card fits there"
    closed = met.play("C(0,-1)NE")
    assert closed.scores() == (4, 4)
    assert all(move.startswith("turn") for move in legal(closed)), "one card has closed both rings"


def test_both_players_may_not_come_to_one_square_if_the_next_of_them_has_no_curve() -> None:
    state = played(CURVES_SPENT)
    assert state.player == 1
    with pytest.raises(IllegalMove, match=r"\(2,2\) would be crowded: both ends .* has no curve left"):
        state.play("C(3,2)SW")
    assert {"S(3,2)NS", "C(3,2)SE"} <= legal(state)


def test_where_both_players_meet_on_opposite_sides_any_legal_card_may_be_laid() -> None:
    state = played(
        "C(0,0)SW S(-1,0)NS C(0,-1)NW C(-1,1)SE S(-2,0)EW C(0,1)SW S(-3,0)EW C(1,0)SW "
        "C(-4,0)SE S(1,-1)NS C(-4,-1)NE C(1,-2)NW S(-3,-1)EW S(0,-2)EW S(-2,-1)EW C(-1,-2)NE"
    )
    assert state.scores() == (9, 9)
    assert legal(state) == {f"{card}(-1,-1){way}" for card in "TH" for way in "EW"} | {"S(-1,-1)EW"}
    assert state.play("S(-1,-1)EW").scores() == (10, 10), "two rings"
    assert state.play("T(-1,-1)E").scores() == (11, 10), "tail and head for the one, a ring for the other"


def test_a_turn_too_may_not_crowd() -> None:
    moves = "C(0,0)NE C(1,-1)NE C(0,1)NW S(1,2)EW C(1,1)SW C(2,-1)SW C(-1,1)NE C(0,2)NE "
    state = played(moves + "C(1,0)NW C(2,0)NW C(-1,2)SW C(2,2)SW", players=4, nest="4x4")
    assert legal(state) == {"turn(0,0)SE", "turn(0,0)NW"}
    with pytest.raises(IllegalMove, match=r"\(2,1\) would be crowded"):
        state.play("turn(1,1)SE")


# ---- turns and the end


def test_the_game_ends_when_nobody_can_move_and_ties_are_shared() -> None:
    state = played("S(0,0)EW S(0,1)EW T(1,0)W T(1,1)W H(-1,0)E H(-1,1)E")
    assert state.is_over
    assert state.scores() == (3, 3)
    assert state.winners() == (0, 1)


def test_a_player_passed_over_may_move_again_when_the_table_has_changed() -> None:
    state = played(
        "C(0,0)SE C(1,1)NW C(-1,1)NW S(1,0)EW C(1,2)SE C(-1,2)SE C(2,0)NW C(2,2)NW C(0,2)NW C(2,1)SW "
        "C(2,3)SW C(-2,1)SE C(0,-1)NW C(1,3)NE C(-2,0)NE C(-1,-1)NE C(1,4)SW C(0,3)SE C(1,-1)NW C(0,4)NE",
        players=3,
    )
    seats = []
    for move in ("C(0,-2)NW", "C(0,5)SW", "C(-1,-2)NE", "C(-1,5)NE", "C(-2,-1)SE", "H(0,1)E"):
        seats.append(state.player)
        state = state.play(move)
    assert seats == [0, 1, 0, 1, 0, 1], "seat 2 has no move"
    assert state.player == 2


def test_tail_first() -> None:
    state = snakeden.new_game("schlangennest", tail_first=True)
    assert legal(state) == {"T(0,0)N", "T(0,0)E", "T(0,0)S", "T(0,0)W"}
    with pytest.raises(IllegalMove, match="must be its tail"):
        state.play("S(0,0)EW")
    assert "S(0,1)NS" in legal(state.play("T(0,0)N").play("T(1,1)N"))
    assert all("T" not in move for move in legal(state.play("T(0,0)N").play("T(1,1)N")))


# ---- random moves


@pytest.mark.parametrize(
    "options",
    [{}, {"border": "frame"}, {"snakes": 2}, {"snakes": 2, "cards_per_turn": 1}],
    ids=str,
)
def test_every_legal_move_is_drawn_equally_often(options: dict[str, Any]) -> None:
    state, rng = snakeden.new_game("schlangennest", **options), 5
    for _ in range(10):
        moves = [move.code for move in state.legal_moves()]
        drawn: Counter[int] = Counter()
        for _ in range(50 * len(moves)):
            rng, move = state.variant.program.sample(state.array(), rng)
            drawn[move] += 1
        assert drawn.keys() <= set(moves)
        # The sum of squares varies around the number of moves, by the square root of twice that.
        off = sum((drawn[move] - 50) ** 2 / 50 for move in moves)
        assert off < len(moves) + 5 * (2 * len(moves)) ** 0.5
        state = state.play(move)
        if state.is_over:
            return
