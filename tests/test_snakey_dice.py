"""Snakey Dice: positions that random games hardly reach, maps of one's own, the sheet and the chances.

Chance is explicit, so every position here is played to, with dice that fall as the test needs them."""

from __future__ import annotations

import doctest
import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import snakeden
from snakeden import BadOption, IllegalMove, State, UnreadableMove
from snakeden.games.snakey_dice import position
from snakeden.games.snakey_dice.maps import MAPS, SOLO, find_map, read_map
from snakeden.games.snakey_dice.sheet import rating, sheet
from snakeden.records import read, record
from snakeden.words import word

VARIANTS: list[dict[str, object]] = [
    {"players": 1},
    {"players": 2},
    {"players": 3, "map": "diy"},
    {"players": 4, "map": "pinwheel"},
    {"players": 2, "map": "fishy"},
    {"players": 4, "map": "diy-xl"},
]


def played(state: State, moves: str) -> State:
    """The position after these moves, with spaces between."""
    for move in moves.split():
        state = state.play(move)
    return state


def legal(state: State) -> set[str]:
    return {str(move) for move in state.legal_moves()}


def board(fill: str, **rows: str) -> str:
    """A map of 11 by 11 in one line, nothing rolled: this everywhere but in rows such as r2="S..."."""
    lines = [rows.get(f"r{row}", "").ljust(11, fill) for row in range(2, 13)]
    return "0,0:" + "/".join(lines)


def solo(blockades: str, direction: str = "right") -> State:
    """The solo game with six blockades rolled here, and its start chosen."""
    rolls = " ".join(f"square:{square}" for square in blockades.split())
    return played(snakeden.new_game("snakey-dice"), f"{rolls} start:2,2:{direction}")


FAR = "9,9 9,8 8,9 8,8 9,10 8,10"
"""Blockades out of the way."""


def randomly(options: dict[str, object], seed: int) -> list[State]:
    """Every position of a random game."""
    dice = random.Random(seed)
    states = [snakeden.new_game("snakey-dice", **options)]
    while not states[-1].is_over:
        state = states[-1]
        move = state.roll(dice) if state.player == snakeden.CHANCE else dice.choice(state.legal_moves())
        states.append(state.play(move))
    return states


# ---- the set-up


@pytest.mark.parametrize(
    ("options", "power_ups", "blockades", "rolled"),
    [
        ({"players": 1}, 12, 0, 6),
        ({"players": 2}, 23, 0, 0),
        ({"players": 2, "map": "pinwheel"}, 5, 16, 12),
        ({"players": 2, "map": "diy"}, 0, 0, 12),
        ({"players": 2, "map": "fishy"}, 4, 16, 24),
        ({"players": 2, "map": "diy-xl"}, 0, 0, 24),
    ],
)
def test_the_set_up_rolls_what_the_map_says(
    options: dict[str, object], power_ups: int, blockades: int, rolled: int
) -> None:
    state = snakeden.new_game("snakey-dice", **options)
    held = [cell.held for cell in position.cells(state)]
    assert (held.count("power-up"), held.count("blockade")) == (power_ups, blockades)
    dice = random.Random(1)
    for _ in range(rolled):
        assert state.player == snakeden.CHANCE
        state = state.play(state.roll(dice))
    assert state.player == 0
    held = [cell.held for cell in position.cells(state)]
    assert held.count("power-up") + held.count("blockade") == power_ups + blockades + rolled


def test_a_duel_rolls_nothing_on_or_beside_a_start_and_solo_nothing_on_it() -> None:
    duel = {str(move) for move, _ in snakeden.new_game("snakey-dice", players=2, map="diy").chance_moves()}
    assert duel.isdisjoint({"square:2,2", "square:3,2", "square:2,3", "square:12,11", "square:11,12"})
    assert "square:3,3" in duel
    assert len(duel) == 121 - 12
    alone = {str(move) for move, _ in snakeden.new_game("snakey-dice").chance_moves()}
    assert "square:2,2" not in alone
    assert "square:7,7" not in alone
    assert {"square:3,2", "square:2,3"} <= alone


def test_set_up_probabilities_are_renormalised() -> None:
    state = snakeden.new_game("snakey-dice")
    chances = {str(move): probability for move, probability in state.chance_moves()}
    left_out = {
        "7,7": 36,
        "7,3": 12,
        "4,4": 9,
        "10,4": 9,
        "3,7": 12,
        "11,7": 12,
        "4,10": 9,
        "10,10": 9,
        "7,11": 12,
    }
    possible = 1296 - sum(left_out.values()) - 4  # and the four corners
    assert chances["square:7,8"] == pytest.approx(30 / possible, abs=1e-12)
    assert sum(chances.values()) == pytest.approx(1, abs=1e-12)


def test_a_start_that_nobody_took_is_an_ordinary_square() -> None:
    state = snakeden.new_game("snakey-dice", players=2, map=board(".", r2="S.........S", r12="S.........S"))
    assert len(state.legal_moves()) == 8
    state = played(state, "start:2,2:right")
    assert "start:2,2:down" not in legal(state)
    state = played(state, "start:12,12:left")
    # Seat 0 goes along row 2 and through the corner at 12,2; seat 1 waits behind locked dice.
    wait = " dice:66 ignore:6 use:6 square:2,2 square:2,2"
    for _ in range(4):
        state = played(state, "dice:11 ignore: use:1 use:1" + wait)
    state = played(state, "dice:14 ignore: use:1 use:4")
    assert [step.square for step in position.trail(state, 0)][-1] == (12, 2)
    head = position.head(state, 0)
    assert head is not None
    assert (head.way, head.front) == ("down", (12, 3))


# ---- dice


def test_rerolls_flips_and_unlocking() -> None:
    state = played(solo(FAR), "dice:16")
    assert legal(state) == {"reroll:1", "unlock!", "ignore:", "ignore:1", "ignore:6"}
    state = played(state, "unlock!")
    assert legal(state) == {"reroll:1", "reroll:6", "reroll:16", "ignore:", "ignore:1", "ignore:6"}
    assert [(die.face, die.locked) for die in position.dice(state)] == [(1, False), (6, False)]
    state = played(state, "reroll:16")
    assert (state.player, position.dice_to_roll(state)) == (snakeden.CHANCE, 2)
    state = played(state, "dice:66")
    # Both are locked again, the reroll is spent, and two one-time unlocks are left.
    assert legal(state) == {"unlock!", "ignore:", "ignore:6"}
    assert [die.locked for die in position.dice(state)] == [True, True]
    state = played(state, "unlock! unlock!")
    assert legal(state) == {"ignore:", "ignore:6"}


def test_what_the_levels_of_both_editions_allow() -> None:
    def values(players: int) -> dict[str, tuple[int, ...]]:
        state = snakeden.new_game("snakey-dice", players=players)
        return {track.name: track.values for track in position.tracks(state, 0)}

    assert values(1) == {
        "reroll": (1, 1, 2, 2, 3),
        "flip": (0, 1, 1, 2, 2),
        "unlock": (0, 0, 1, 1, 2),
        "ignore": (1, 1, 2, 2, 3),
    }
    assert values(2) == {
        "reroll": (1, 2, 3, 4, 4),
        "flip": (0, 1, 2, 3, 3),
        "unlock": (0, 0, 1, 2, 2),
        "ignore": (1, 1, 2, 2, 3),
    }


def eating_duel() -> State:
    """A duel of two on a board full of power-ups; seat 0 starts to the right, seat 1 at the far corner."""
    full = board("+", r2="S", r12="+" * 10 + "S")
    return played(snakeden.new_game("snakey-dice", players=2, map=full), "start:2,2:right start:12,12:left")


WAITING = " dice:66 ignore:6 use:6 square:2,2 square:2,2"
"""A turn in which a player of two dice stays where it is."""


def test_flipping_by_level_and_one_time_actions_only_after_the_level() -> None:
    state = played(eating_duel(), "dice:11 ignore:1 use:1 square:2,2 level:flip" + WAITING)
    state = played(state, "dice:146")
    assert {"flip:1", "flip:4"} <= legal(state)
    assert "flip:6" not in legal(state)
    assert "reroll!:1" not in legal(state)
    with pytest.raises(IllegalMove, match="your reroll level still allows it"):
        state.play("reroll!:1")
    state = played(state, "flip:1")
    assert [(die.face, die.locked) for die in position.dice(state)] == [(4, False), (6, True), (6, True)]
    assert not {"flip:4", "flip:6"} & legal(state)
    state = played(state, "unlock! reroll:46 dice:11")
    assert "reroll!:11" in legal(state)
    state = played(state, "reroll!:11 dice:23")
    assert position.actions(state, 0) == (
        position.Action("portal", 4, 0),
        position.Action("jump", 4, 0),
        position.Action("reroll", 3, 0),
        position.Action("unlock", 3, 0),
    )


def test_an_unlocked_six_flips_to_a_one() -> None:
    state = played(eating_duel(), "dice:11 ignore:1 use:1 square:2,2 level:flip" + WAITING)
    state = played(state, "dice:666 unlock! flip:6")
    assert [(die.face, die.locked) for die in position.dice(state)] == [(1, False), (6, True), (6, True)]


def test_levels_count_as_they_stood_at_the_start_of_the_turn() -> None:
    state = played(
        eating_duel(), "dice:11 ignore: use:1 square:2,2 level:reroll use:1 square:2,2 level:reroll"
    )
    assert [track.level for track in position.tracks(state, 0)] == [2, 0, 0, 0]
    state = played(state, WAITING)
    assert position.dice_to_roll(state) == 4


def test_who_raises_a_track_is_told_what_the_next_level_brings() -> None:
    state = played(eating_duel(), "dice:11 ignore: use:1 square:2,2 level:reroll use:1 square:2,2")
    view = state.variant.game.view
    notes = [word(action.note) for action in view.prompt(state).actions]
    assert notes == ["2 → 3 a turn", "0 → 1 a turn", "to level 1", "to level 1"]
    brings = {target.move: word(target.label) for target in view.move_targets(state)}
    assert brings == {
        "level:reroll": "4 dice a turn",
        "level:flip": "",
        "level:unlock": "",
        "level:ignore": "",
    }


def grown() -> State:
    """Seat 0 of the eating duel with all four tracks at level 4, about to roll six dice."""
    state = eating_duel()
    levels = [track for track in ("reroll", "flip", "unlock", "ignore") for _ in range(4)]
    path = ["use:1"] * 9 + ["use:4", "use:4"] + ["use:1"] * 5
    for i, (use, level) in enumerate(zip(path, levels, strict=True)):
        highest = max(track.level for track in position.tracks(state, 0))
        face = use[-1]
        # All dice but one are ignored, or locked and spent on squares that hold something.
        others = highest + 1
        state = played(state, "dice:" + "".join(sorted(face + "6" * others)))
        ignore = {0: 1, 1: 1, 2: 2, 3: 2, 4: 3}[position.tracks(state, 0)[3].level]
        state = played(state, "ignore:" + "6" * min(others, ignore))
        if any(move.startswith("bonus:") for move in legal(state)):
            state = played(state, sorted(legal(state))[0])
        while "use:6" in legal(state):
            state = played(state, "use:6 square:2,2 square:2,2")
        state = played(state, f"{use} square:2,2 level:{level}" + WAITING)
        assert position.trail(state, 0)[-1].square == ((3 + i, 2) if i < 10 else (22 - i, 3)), i
    return state


def test_six_dice_and_all_tracks_at_level_four() -> None:
    state = grown()
    assert [track.level for track in position.tracks(state, 0)] == [4, 4, 4, 4]
    assert position.dice_to_roll(state) == 6
    assert len(state.chance_moves()) == 462
    lines = {str(line.label): line.total for line in sheet(state, 0)}
    assert (lines["levels gained"], lines["tracks at level 4"], lines["first to reach level 4"]) == (
        16,
        20,
        20,
    )
    state = played(state, "dice:112345")
    # All sub-multisets but the empty one by reroll, five faces to flip, up to three dice to ignore.
    moves = legal(state)
    assert sum(move.startswith("reroll:") for move in moves) == 3 * 2**4 - 1
    assert sum(move.startswith("flip:") for move in moves) == 5
    assert sum(move.startswith("ignore:") for move in moves) == 1 + 5 + 11 + 14
    for _ in range(4):
        state = played(state, "reroll:1 dice:1")
    assert "reroll!:1" in legal(state)
    # A power-up eaten at the top raises nothing, and there is no choice.
    state = played(state, "ignore:235 use:1 square:2,2")
    assert legal(state) == {"use:1", "use:4"}


# ---- the special bonus


def test_the_bonus_counts_the_locked_dice_that_are_not_ignored() -> None:
    state = played(eating_duel(), "dice:11 ignore:1 use:1 square:2,2 level:flip" + WAITING)
    locked = played(state, "dice:666")
    assert legal(played(locked, "ignore:6")) == {"use:6"}
    bonus = played(locked, "unlock! ignore:")
    assert legal(bonus) == {"bonus:portal", "bonus:jump", "bonus:reroll", "bonus:unlock"}
    taken = played(bonus, "bonus:unlock")
    # The three dice are spent: the turn is over without a blockade.
    assert taken.player == snakeden.CHANCE
    assert position.whose_turn(taken) == 1
    assert position.actions(taken, 0)[3] == position.Action("unlock", 4, 1)


def test_a_bonus_with_no_kind_left_gains_nothing_but_spends_the_dice_of_a_duel() -> None:
    state = played(eating_duel(), "dice:11 ignore:1 use:1 square:2,2 level:flip" + WAITING)
    for kind in ("portal", "jump", "reroll", "unlock") * 2:
        state = played(state, f"dice:666 ignore: bonus:{kind}" + WAITING)
    assert [action.given for action in position.actions(state, 0)] == [2, 2, 2, 2]
    assert legal(played(state, "dice:666 ignore:6")) == {"use:6"}
    state = played(state, "dice:666 ignore:")
    assert position.whose_turn(state) == 1


def test_solo_keeps_its_locked_dice_after_the_bonus() -> None:
    state = solo(FAR)
    for _ in range(4):
        state = played(state, "dice:11 ignore: use:1 use:1")
    # 11,2 and the power-up at 12,2, turning down.
    state = played(state, "dice:14 ignore: use:1 use:4 square:2,2 square:2,2 level:flip")
    for kind in ("portal", "jump", "unlock") * 2:
        state = played(state, "dice:666 ignore:")
        assert f"bonus:{kind}" in legal(state)
        assert "bonus:reroll" not in legal(state)
        state = played(state, f"bonus:{kind}" + " use:6 square:2,2" * 3)
    state = played(state, "dice:666 ignore:")
    assert legal(state) == {"use:6"}
    assert [action.left for action in position.actions(state, 0)] == [5, 5, 5]


# ---- moving, escaping, crashing


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


# ---- the sheet


def test_ratings() -> None:
    ratings = [word(rating(score)) for score in (-50, 49, 50, 74, 75, 99, 100, 180)]
    assert ratings == [
        *["Pathetic Worm"] * 2,
        *["Average Snake-in-the-grass"] * 2,
        *["Pretty Super Serpent"] * 2,
        *["Supreme Master of Slithering"] * 2,
    ]


def test_a_picture_shows_the_sheet_of_every_seat() -> None:
    state = randomly({"players": 3}, 4)[-1]
    scene = state.variant.game.view.scene(state)
    for seat in range(3):
        panel = next(panel for panel in scene.panels if panel.id == f"sheet/{seat}")
        drawn = [item.text for layer in panel.layers for item in layer.items if hasattr(item, "text")]
        for line in sheet(state, seat):
            assert any(
                f"{word(line.label)} {line.count}×{line.multiplier}={line.total}" in word(shown)
                for shown in panel.lines
            )
            assert line.label in drawn
            assert str(line.total).replace("-", "−") in drawn


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(VARIANTS), st.integers(0, 10**6))
def test_every_position_of_a_game_adds_up(options: dict[str, object], seed: int) -> None:
    states = randomly(options, seed)
    for state in states:
        assert (
            tuple(sum(line.total for line in sheet(state, seat)) for seat in range(state.seats))
            == state.scores()
        )
        chances = state.chance_moves()
        assert not chances or sum(probability for _, probability in chances) == pytest.approx(1, abs=1e-9)
    last = states[-1]
    held = position.cells(last)
    for seat in range(last.seats):
        walked = position.trail(last, seat)
        assert {step.square for step in walked} == {cell.square for cell in held if cell.seat == seat}
        steps = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
        for step, following in pairwise(walked):
            assert following.way_in == step.way_out
            column, row = steps[step.way_out]
            beside = (step.square[0] + column, step.square[1] + row)
            assert (following.square == beside) != following.escaped
    assert snakeden.restore(last.text) == last
    assert [state.text for state in randomly(options, seed)] == [state.text for state in states]


# ---- legality, explained and drawn


def test_faults_agree_with_the_list_of_moves_and_have_words() -> None:
    seen: set[int] = set()
    for options in (VARIANTS[0], VARIANTS[2]):
        for state in randomly(options, 5)[:-1:5]:
            rules, t, s = state.variant.program, state.variant.tables, state.array()
            chances = state.chance_moves()
            codes = {move.code for move, _ in chances} if chances else {m.code for m in state.legal_moves()}
            for code in range(t.actions):
                fault = rules.fault(s, code)
                assert (fault[0] == 0) == (code in codes)
                if fault[0] not in seen:
                    seen.add(fault[0])
                    assert (
                        fault[0] == 0
                        or len(word(state.variant.game.notation.explain(t, s, code, fault))) > 20
                    )
    assert len(seen) > 12


def test_every_move_has_a_text_of_its_own_that_reads_back() -> None:
    for options in ({"players": 1}, {"players": 2, "map": "fishy"}):
        state = snakeden.new_game("snakey-dice", **options)
        t, notation = state.variant.tables, state.variant.game.notation
        texts = [notation.text(t, code) for code in range(t.actions)]
        assert [notation.parse(t, state.array(), text) for text in texts] == list(range(t.actions))


def test_sampling_is_uniform_over_the_moves_and_by_probability_over_outcomes() -> None:
    draws = 4000
    positions = [state for state in randomly({"players": 2, "map": "diy"}, 11)[::9] if not state.is_over]
    positions.append(played(grown(), "dice:112345"))
    for state in positions:
        rules = state.variant.program
        expected = {move.code: chance for move, chance in state.chance_moves()}
        if not expected:
            codes = [move.code for move in state.legal_moves()]
            expected = dict.fromkeys(codes, 1 / len(codes))
        counts = dict.fromkeys(expected, 0)
        rng = 17
        s = state.array()
        for _ in range(draws):
            rng, code = rules.sample(s, rng)
            counts[code] += 1
        for code, chance in expected.items():
            spread = (draws * chance * (1 - chance)) ** 0.5
            assert abs(counts[code] - draws * chance) <= 5 * spread + 2


@pytest.mark.parametrize(
    ("before", "move", "message"),
    [
        ("", "use:1", "the dice are being rolled"),
        ("", "dice:123", "2 dice are thrown"),
        ("dice:16", "reroll:6", "a 6 is locked until you unlock it"),
        ("dice:16", "reroll:2", "none of your dice shows 2"),
        ("dice:11", "reroll:111", "only 2 of your dice show 1"),
        ("dice:11", "flip:1", "your flip level allows it never"),
        ("dice:11", "unlock!", "none of your dice is locked"),
        ("dice:16", "unlock", "your unlock level allows it never"),
        ("dice:16", "reroll!:1", "the solo edition has no one-time reroll"),
        ("dice:11", "ignore:11", "ignores 2 dice, but your level allows only 1"),
        (
            "dice:11 reroll:1 dice:1",
            "reroll:1",
            "your reroll level allows it 1 time in this turn, and it is done",
        ),
        ("dice:11 ignore:", "use:2", "none of your dice shows 2"),
        ("dice:11 ignore:", "escape", "there is no obstacle ahead"),
        ("dice:11 ignore:", "end", "use the dice you have left"),
        ("dice:12 ignore:", "ignore:1", "use the dice you have left"),
    ],
)
def test_illegal_moves_are_explained(before: str, move: str, message: str) -> None:
    state = played(solo(FAR), before)
    with pytest.raises(IllegalMove, match=message):
        state.play(move)


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("jump", "is not a move of this game"),
        ("reroll:17", "faces, 1 to 6"),
        ("reroll:", "names no dice"),
        ("ignore:1111", "never more than 3"),
        ("flip:7", "one of 1, 2, 3, 4, 5, 6"),
        ("use:5", "one of 1, 2, 3, 4, 5L"),
        ("square:13,2", "columns and rows run from 2 to 12"),
        ("square:7", "written as column and row"),
        ("start:3,3:up", "is no start"),
        ("start:2,2", "needs a direction"),
    ],
)
def test_unreadable_moves_are_explained(move: str, message: str) -> None:
    with pytest.raises(UnreadableMove, match=message):
        snakeden.new_game("snakey-dice").play(move)


# ---- maps


def test_a_map_of_ones_own_lives_in_texts_and_records_without_its_file(tmp_path: Path) -> None:
    file = tmp_path / "two rooms.txt"
    rows = ["S....#....S", *["..+..#..+.."] * 9, "S....#....S"]
    file.write_text(
        "; two rooms\nblockades 1\npower-ups 2\n\n" + "\n".join(" ".join(row) for row in rows) + "\n"
    )
    start = snakeden.new_game("snakey-dice", players=2, map=file)
    assert start == snakeden.new_game("snakey-dice", players=2, map=str(file))
    file.unlink()
    assert start.options["map"] == "1,2:" + "/".join(rows)
    moves = ["square:3,6", "square:6,8", "square:3,3"]
    state = played(start, " ".join(moves))
    assert snakeden.restore(state.text) == state
    kept = read(record(start, moves).write())
    assert kept.check() == state
    assert [cell.held for cell in position.cells(state)].count("power-up") == 18 + 2


def test_a_map_may_be_nothing_but_starts() -> None:
    state = snakeden.new_game("snakey-dice", players=4, map="0,0:" + "/".join(["S" * 16] * 16))
    assert len(state.legal_moves()) == 4 * 256 - 4 * 16
    state = played(state, "start:10,10:up start:10,11:down start:3,3:right start:18,18:left")
    assert state.player == snakeden.CHANCE
    assert position.dice_to_roll(state) == 2


ROWS = "\n".join(["S.........S", *["..........."] * 9, "S.........S"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the end: there are 0 rows of squares, not 11 or 16"),
        ("S..\n...\n...\n", "line 3: there are 3 rows"),
        (
            ROWS.replace("...........", "..........", 1),
            "line 2: the row has 10 squares, but the board has 11 rows",
        ),
        ("; a comment\n" + ROWS.replace("...........", ".....x.....", 1), "line 3: 'x' is no square"),
        (ROWS.replace("S", "."), "line 11: the board ends without a start"),
        ("blockades six\n" + ROWS, "line 1: blockades need a number"),
        ("blockades 6\nblockades 6\n" + ROWS, "line 2: blockades are given twice"),
        (ROWS + "\npower-ups 6", "line 12: power-ups must stand before the rows"),
        (
            "blockades 100\npower-ups 10\n" + ROWS,
            "line 13: 100 blockades and 10 power-ups are to be rolled, but only",
        ),
        ("\0" * 20_000, "too long for a map"),
    ],
)
def test_a_broken_map_is_refused_with_line_and_reason(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "map.txt"
    file.write_text(text)
    with pytest.raises(BadOption, match="map") as refused:
        snakeden.new_game("snakey-dice", players=2, map=str(file))
    assert message in str(refused.value)


def test_maps_that_do_not_go_with_the_players_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="the solo edition has a board of its own"):
        snakeden.new_game("snakey-dice", map="fishy")
    with pytest.raises(BadOption, match="it has 2 starts, too few for 3 players"):
        snakeden.new_game("snakey-dice", players=3, map=board(".", r2="S.........S"))
    with pytest.raises(BadOption, match="it is none of original, pinwheel"):
        snakeden.new_game("snakey-dice", players=2, map=str(tmp_path / "missing.txt"))
    with pytest.raises(BadOption, match="row 2: there are 2 rows"):
        snakeden.new_game("snakey-dice", players=2, map="0,0:S./.S")


def test_texts_from_strangers_open_no_file(tmp_path: Path) -> None:
    file = tmp_path / "map.txt"
    file.write_text(ROWS)
    option = snakeden.new_game("snakey-dice").variant.game.option("map")
    with pytest.raises(BadOption):
        option.read(str(file))
    text = snakeden.new_game("snakey-dice", players=2, map="diy").text
    with pytest.raises(snakeden.BadText):
        snakeden.restore(text.replace("map=diy", f"map={file}"))


def test_the_page_shows_the_maps_as_they_are_and_its_examples_run() -> None:
    page = Path(__file__).parent.parent / "docs" / "games" / "snakey-dice.md"
    text = page.read_text(encoding="utf-8")
    for name in (*MAPS, SOLO):
        found = find_map(name)
        picture = [
            f"{found.dice + i:>4} " + " ".join(f"{held:>2}" for held in row)
            for i, row in enumerate(found.rows)
        ]
        assert "\n".join(picture) in text, name
    own = text.partition("A map is a small text file:\n\n```\n")[2].partition("```")[0]
    assert read_map(own.splitlines()).inline().startswith("4,6:S....#....S/.....#...../")
    ran = doctest.testfile(str(page), module_relative=False)
    assert ran.attempted > 8
    assert ran.failed == 0


def test_the_maps_of_the_house_are_symmetrical() -> None:
    for name in MAPS:
        rows = find_map(name).rows
        assert rows == tuple(row[::-1] for row in rows[::-1]), name
