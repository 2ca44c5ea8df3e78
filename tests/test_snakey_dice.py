"""Snakey Dice: the set-up, what dice and their levels allow, the bonus, and the sheet."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from dice_games import FAR, VARIANTS, WAITING, board, eating_duel, grown, legal, played, randomly, solo
from hypothesis import given, settings
from hypothesis import strategies as st

import snakeden
from snakeden import IllegalMove
from snakeden.games.snakey_dice import position
from snakeden.games.snakey_dice.sheet import rating, sheet
from snakeden.words import word

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
