"""Schlangennest: positions that random games hardly reach, the options, the notation and the explanations."""

from __future__ import annotations

from collections import Counter
from html import escape
from pathlib import Path
from typing import Any

import pytest

import snakeden
from snakeden import BadOption, IllegalMove, State, UnreadableMove
from snakeden.games.schlangennest.cards import FACES, fence, fence_path, frame
from snakeden.games.schlangennest.kernels.layout import STATUS, STUCK, snake_at
from snakeden.games.schlangennest.notation import spoken
from snakeden.words import word

PAGE = Path(__file__).parent.parent / "docs" / "games" / "schlangennest.md"


def played(moves: str, **options: Any) -> State:
    """The position after these moves, with spaces between."""
    state = snakeden.new_game("schlangennest", **options)
    for move in moves.split():
        state = state.play(move)
    return state


def legal(state: State) -> set[str]:
    return {str(move) for move in state.legal_moves()}


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


SQUARE = "S(0,0)EW S(0,1)EW S(1,0)EW C(1,1)NW C(2,0)NW S(1,2)NS"


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

RING = "C(0,0)NE S(-1,-1)NS C(1,0)NW S(-1,-2)NS C(1,1)SW S(-1,-3)NS C(0,1)SE S(-1,-4)NS"
"""Seat 0 has closed a ring of four curves, and is to move."""


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


BOTH_AT_A_CORNER = "C(0,0)SE C(-1,-1)SE C(1,0)SW C(-1,-2)NE C(1,-1)NW"
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
