"""Snakey Dice: moving, escaping and crashing, up to the end of the game."""

from __future__ import annotations

import pytest
from dice_games import FAR, WAITING, board, eating_duel, legal, played, solo

import snakeden
from snakeden import IllegalMove, State
from snakeden.games.snakey_dice import position
from snakeden.games.snakey_dice.sheet import sheet
from snakeden.words import word


def test_a_blockade_falling_right_in_front() -> None:
    state = played(solo(FAR), "dice:16 ignore:")
    assert legal(state) == {"use:1", "use:6"}
    state = played(state, "use:6 square:3,2")
    assert legal(state) == {"escape"}
    with pytest.raises(IllegalMove, match="obstacle ahead; escape"):
        state.play("use:1")
    state = played(state, "escape")
    assert legal(state) == {"use:1"}
    head = position.head(state, 0)
    assert head is not None
    assert head.front == (4, 2)
    state = played(state, "use:1")
    assert [(step.square, step.escaped) for step in position.trail(state, 0)] == [
        ((2, 2), False),
        ((4, 2), True),
    ]


def test_an_escape_over_a_wall_and_two_runs() -> None:
    # Down at 3,2, then west along row 3: a blockade, the wall, and two blockades on the other side.
    state = played(solo("2,3 12,3 11,3 9,9 8,8 9,8"), "dice:44 ignore:")
    before = state.scores()[0]
    state = played(state, "use:4 use:4")
    assert legal(state) == {"escape", "end"}
    left = played(state, "escape")
    assert [action.left for action in position.actions(left, 0)] == [2, 1, 3]
    head = position.head(left, 0)
    assert head is not None
    assert (head.front, head.blocked) == ((10, 3), False)
    # Two squares entered, three actions spent, three squares jumped over.
    assert left.scores()[0] == before + 2 * 2 - 3 * 3 - 3
    assert left.player == snakeden.CHANCE
    # Declining costs nothing, and the escape is offered again in the next turn.
    stayed = played(state, "end")
    assert position.actions(stayed, 0) == position.actions(state, 0)
    assert legal(played(stayed, "dice:11 ignore:1")) == {"escape"}


@pytest.mark.parametrize(
    ("blockades", "before", "spent", "front", "points"),
    [
        # A run of blockades is one jump, however long; each of its squares costs a point.
        ("3,2 9,9 9,8 8,9 8,8 9,10", "dice:11 ignore:1", {"jump": 1}, (4, 2), -3 - 1),
        ("3,2 4,2 5,2 9,9 9,8 8,9", "dice:11 ignore:1", {"jump": 1}, (6, 2), -3 - 3),
        # A wall is a portal to the other side of the same row.
        (FAR, "dice:44 ignore: use:4 use:4 dice:11 ignore:1 use:1", {"portal": 1}, (12, 3), -3),
        # A run before the wall and one behind it are two jumps.
        (
            "2,3 9,9 9,8 8,9 8,8 9,10",
            "dice:44 ignore: use:4 use:4",
            {"jump": 1, "portal": 1},
            (12, 3),
            -6 - 1,
        ),
        (
            "2,3 12,3 9,9 9,8 8,9 8,8",
            "dice:44 ignore: use:4 use:4",
            {"jump": 2, "portal": 1},
            (11, 3),
            -9 - 2,
        ),
    ],
    ids=["jump", "long jump", "portal", "jump and portal", "jump, portal and jump"],
)
def test_what_an_escape_costs_and_where_it_ends(
    blockades: str, before: str, spent: dict[str, int], front: tuple[int, int], points: int
) -> None:
    state = played(solo(blockades), before)
    escaped = state.play("escape")
    left = {action.name: action.left for action in position.actions(escaped, 0)}
    assert left == {kind: 3 - spent.get(kind, 0) for kind in ("portal", "jump", "unlock")}
    head = position.head(escaped, 0)
    assert head is not None
    assert (head.front, head.blocked) == (front, False)
    assert escaped.scores()[0] - state.scores()[0] == points


def test_locked_dice_may_be_used_before_an_escape_or_a_crash() -> None:
    state = played(solo("3,2 2,3 9,9 8,8 9,8 8,9"), "dice:16 ignore:")
    assert legal(state) == {"use:6", "escape"}
    assert legal(played(state, "use:6 square:2,2")) == {"escape"}
    only_locked = played(solo("3,2 2,3 9,9 8,8 9,8 8,9"), "dice:66 ignore:6")
    assert legal(only_locked) == {"use:6", "escape"}


def test_a_locked_die_may_be_used_before_a_crash_but_not_after_it() -> None:
    pocket = board("#", r2="S+", r7="....", r11="#" * 10 + ".", r12="#" * 10 + "S")
    state = snakeden.new_game("snakey-dice", players=2, map=pocket)
    state = played(state, "start:2,2:right start:12,12:up dice:16 ignore: use:1 square:2,2 level:flip")
    assert legal(state) == {"use:6"}
    state = played(
        snakeden.new_game("snakey-dice", players=2, map=pocket),
        "start:2,2:right start:12,12:up dice:66 ignore:6 use:6 square:2,2 square:2,2 dice:16 ignore:",
    )
    state = played(state, "use:6 square:12,11 square:2,2")
    assert legal(state) == {"crash"}
    state = played(
        snakeden.new_game("snakey-dice", players=2, map=pocket.replace("#.", "##").replace("S+", "S#")),
        "start:2,2:right start:12,12:up dice:16 ignore:",
    )
    assert legal(state) == {"use:6", "crash"}
    with pytest.raises(IllegalMove, match="you cannot escape it, so a movement die is a crash"):
        state.play("use:1")


def test_things_appear_only_on_empty_squares() -> None:
    def held(state: State, square: tuple[int, int]) -> str:
        return next(cell.held for cell in position.cells(state) if cell.square == square)

    state = played(eating_duel(), "dice:16 ignore: use:1")
    assert held(played(state, "square:2,2"), (2, 2)) == "trail"
    state = played(solo(FAR), "dice:16 ignore: use:6")
    for square, before in (((2, 2), "trail"), ((7, 3), "power-up"), ((9, 9), "blockade")):
        assert held(played(state, f"square:{square[0]},{square[1]}"), square) == before
    assert held(played(state, "square:3,3"), (3, 3)) == "blockade"
    lane = board(".", r2="S+........S")
    state = snakeden.new_game("snakey-dice", players=2, map=lane)
    state = played(state, "start:2,2:right start:12,2:left dice:11 ignore: use:1")
    assert len(state.chance_moves()) == 121
    assert held(played(state, "square:3,2"), (3, 2)) == "trail"
    assert held(played(state, "square:7,7"), (7, 7)) == "power-up"


def walled(*, row: str) -> State:
    """A duel of two: seat 0 looks along this row 2, seat 1 has a lane below, and all else is blocked."""
    lane = board("#", r2=row, r12="...........", r11="..........S")
    return played(snakeden.new_game("snakey-dice", players=2, map=lane), "start:2,2:right start:12,11:left")


def test_a_line_without_a_free_square_has_no_escape() -> None:
    state = played(walled(row="S."), "dice:11 ignore:1 use:1")
    # The turn ended in front of a line that is blocked all around: out, though four of each action are left.
    assert position.is_out(state, 0)
    assert position.whose_turn(state) == 1
    must = played(walled(row="S."), "dice:11 ignore: use:1")
    assert legal(must) == {"crash"}
    with pytest.raises(IllegalMove, match="no square on the whole line"):
        must.play("escape")


def test_the_last_player_has_one_more_turn_and_keeps_the_standing_bonus_even_if_it_crashes() -> None:
    state = played(walled(row="S."), "dice:11 ignore:")
    scores = state.scores()
    state = played(state, "use:1 crash")
    # The bonus counts from the moment on when only one is left.
    assert state.scores() == (scores[0] + 1, scores[1] + 10)
    state = played(state, "dice:34 ignore: use:3")
    assert not state.is_over
    state = played(state, "use:4")
    assert state.is_over
    assert state.scores()[1] == scores[1] + 10 + 2
    assert state.winners() == (1,)


def test_a_crash_in_the_last_turn_leaves_the_bonus() -> None:
    # Seat 1 stands in a pocket without any escape: every line around it is blocked.
    pockets = board("#", r2="S.", r11="#" * 10 + ".", r12="#" * 10 + "S")
    state = snakeden.new_game("snakey-dice", players=2, map=pockets)
    state = played(state, "start:2,2:right start:12,12:up dice:11 ignore: use:1")
    before = state.scores()
    state = played(state, "crash dice:11 ignore: use:1")
    # The board is full now, and that ends the game before the second die can crash.
    assert state.is_over
    assert state.scores() == (before[0], before[1] + 10 + 1)
    roomy = board("#", r2="S.", r7="....#", r11="#" * 10 + ".", r12="#" * 10 + "S")
    state = snakeden.new_game("snakey-dice", players=2, map=roomy)
    state = played(state, "start:2,2:right start:12,12:up dice:11 ignore: use:1")
    before = state.scores()
    state = played(state, "crash dice:11 ignore: use:1")
    assert legal(state) == {"crash"}
    state = played(state, "crash")
    assert state.is_over
    assert state.scores() == (before[0], before[1] + 10 + 1)
    assert not position.is_out(state, 1)


def test_the_last_turn_ends_the_game_and_an_obstacle_takes_no_bonus_away() -> None:
    roomy = board("#", r2="S.", r7="....#", r11="#" * 10 + ".", r12="#" * 10 + "S")
    state = snakeden.new_game("snakey-dice", players=2, map=roomy)
    state = played(state, "start:2,2:right start:12,12:up dice:11 ignore: use:1 crash")
    before = state.scores()
    state = played(state, "dice:11 ignore:1 use:1")
    assert state.is_over
    assert state.scores() == (before[0], before[1] + 1)


def test_a_full_board_ends_the_game_at_once() -> None:
    last_two = board("#", r2="S.", r11="#" * 10 + "+", r12="#" * 10 + "S")
    state = snakeden.new_game("snakey-dice", players=2, map=last_two)
    state = played(state, "start:2,2:right start:12,12:up dice:66 ignore:6 use:6 square:3,2 square:7,7")
    # The blockade closed seat 0 in for good.
    assert position.is_out(state, 0)
    state = snakeden.new_game("snakey-dice", players=2, map=last_two)
    state = played(state, "start:2,2:right start:12,12:up")
    # Seat 0 keeps facing a free square, seat 1 eats the power-up and closes seat 0's square with a blockade.
    state = played(state, "dice:66 ignore:6 use:6 square:7,7 square:7,7 dice:16 ignore:")
    state = played(state, "use:6 square:3,2 square:3,2")
    before = state.scores()
    state = played(state, "use:1 square:7,7")
    assert not state.is_over, "the level comes first"
    state = played(state, "level:flip")
    assert state.is_over
    # Both are still in: seat 0 is out only in its own turn.
    assert state.scores() == (before[0] + 10, before[1] + 10 + 2)


def test_players_who_are_out_are_skipped_and_their_trails_stay() -> None:
    dead_end = board(".", r2="S.#" + "#" * 7 + "S", r12="S.........S")
    state = snakeden.new_game("snakey-dice", players=3, map=dead_end)
    state = played(state, "start:2,2:right start:12,12:left start:2,12:up dice:11 ignore: use:1")
    assert legal(state) == {"escape"}, "the far corner of the row is a start that nobody took"
    taken = played(
        snakeden.new_game("snakey-dice", players=3, map=dead_end),
        "start:2,2:right start:12,2:down start:2,12:up dice:11 ignore: use:1 crash",
    )
    assert [position.whose_turn(taken), position.is_out(taken, 0)] == [1, True]
    taken = played(taken, WAITING + WAITING)
    assert position.whose_turn(taken) == 1
    assert len(position.trail(taken, 0)) == 2
    assert [line.total for line in sheet(taken, 1) if word(line.label) == "last one standing"] == [0]
