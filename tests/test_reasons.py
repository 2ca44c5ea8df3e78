"""What a move does, in the game's words: positions laid by hand, and every phrase the games can say."""

from __future__ import annotations

import random

import pytest

import snakeden
from snakeden import CHANCE, IllegalMove, State
from snakeden.agents import effects
from snakeden.words import word

NAMES = ("Ann", "Blue", "Cid")


def reasons_of(game: str, line: str, **options: object) -> tuple[str, ...]:
    """What the last move of this line does."""
    *before, last = line.split()
    state = snakeden.new_game(game, **options)
    for move in before:
        state = state.play(move)
    return tuple(word(one, names=NAMES) for one in effects(state, last))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("d4", ["begins a new snake of 1 cell", "takes the lead with 1 to 0"]),
        # Blue's end c1 could go on to d1, which is now beside a snake of Ann's; b2 ends at its own side.
        (
            "b5 b2-b1-c1 e1-f1-f2-g2",
            ["begins a new snake of 4 cells", "keeps Blue from d1", "takes the lead with 4 to 3"],
        ),
        ("e5 c1-d2-d3-c3 a3-b4-b5 a2-a1-b1 f5-g4", ["grows another snake to 3 cells"]),
        ("e4 a1-b1-c2-d3 b3-b4-b5 a2-a3-a4 c6-d6-d5", ["joins your two snakes: 7 cells"]),
        (
            "f2 b5-c6-d6-e5 a1-b2-b3-c4 c3-d4-e4",
            [
                "makes your longest snake 7 cells long",
                "stops Ann's longest snake at 4 cells",
                "takes the lead with 7 to 4",
            ],
        ),
        (
            "b4 c2-c3 f3-g3-g4 d7-d6-e5 e1-e2 a3-a2-a1-b1 c5-d5-d4-d3",
            [
                "joins two of your snakes: 7 cells",
                "stops Blue's longest snake at 6 cells",
                "takes the lead with 7 to 6",
            ],
        ),
        ("c4 f2-g2 a1-b1-c2-d3 e5-f5-g4-g3 c5-c6-d7-e6 d5-d4-e3", ["closes a ring of 9 cells"]),
    ],
)
def test_snekagon(line: str, said: list[str]) -> None:
    assert list(reasons_of("snekagon", line, side=4)) == said


def test_snekagon_5g_through_floors() -> None:
    line = "1:c2-c3-c4-c5 1:h6-i5-j4-k4-k5 3:b1-b2-c3-c4-c5 3:c2-d3-d4-d5-d6/1"
    assert reasons_of("snekagon-5g", line, players=3) == (
        "makes your longest snake 9 cells long",
        "comes from floor 1 through c2",
        "keeps Cid from 3:d6",
        "takes the lead with 9 to 5",
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("H(0,0)N S(0,1)EW", ["begins your snake with 1 part", "lengthens Ann's snake as well, to 2 parts"]),
        ("C(0,0)NW C(1,1)SW C(-1,0)NE C(0,1)NE C(-1,1)SE", ["closes your snake into a ring of 4 parts"]),
        (
            "C(0,0)NW C(1,1)SW C(-1,0)NE C(0,1)NE C(-1,1)SE H(0,2)S turn(0,0)SW",
            ["opens your ring: 5 parts"],
        ),
        (
            "T(0,0)S H(-1,-1)W S(0,-1)NS C(-2,-1)SE C(0,-2)NW C(-2,-2)NE H(-1,-2)E",
            ["completes your snake: 4 parts", "ends Blue's snake at 4 parts", "ends the game with 4 : 4"],
        ),
        (
            "T(0,0)W H(1,1)N S(-1,0)EW C(1,2)SE C(-2,0)SE C(2,2)NW C(-2,-1)NW C(2,3)SE C(-3,-1)SE C(3,3)NW",
            ["lengthens your snake by 1 to 5 parts", "fixes the border of the nest: 7 by 5"],
        ),
        (
            "H(0,0)N H(-1,-1)S S(0,1)NS C(-1,-2)NW C(0,2)SE C(-2,-2)SE S(1,2)EW C(-2,-3)NW C(2,2)SW",
            [
                "lengthens your snake by 1 to 5 parts",
                "leaves Blue nothing but head or tail to lay",
                "takes the lead with 5 to 4",
            ],
        ),
    ],
)
def test_schlangennest(line: str, said: list[str]) -> None:
    assert list(reasons_of("schlangennest", line)) == said


@pytest.mark.parametrize("options", [{"border": "frame", "nest": "5x7"}, {"border": "fence", "nest": "5x7"}])
def test_a_border_that_stood_from_the_start_is_not_fixed_by_a_move(options: dict[str, object]) -> None:
    for seed in range(6):
        dice, state = random.Random(seed), snakeden.new_game("schlangennest", **options)
        while not state.is_over:
            move = dice.choice([m for m in state.legal_moves() if m.text[0] in "SC"] or state.legal_moves())
            assert not any("fixes" in said for said in map(str, effects(state, move)))
            state = state.play(move)


DUEL = "start:2,2:right start:12,2:down dice:23"
SOLO = "square:5,5 square:6,6 square:8,8 square:9,9 square:3,3 square:11,11 start:2,2:right"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"{DUEL} reroll:23", ["throws 2 dice again"]),
        (f"{DUEL} ignore:", ["leaves 2 dice to use: 2 and 3"]),
        (f"{DUEL} ignore:3", ["leaves 1 die to use: 2"]),
        (
            f"{DUEL} ignore: use:3",
            ["goes to 3,2", "faces an obstacle then", "+1 point", "takes the lead with 34 to 33"],
        ),
        (f"{DUEL} ignore: use:3 escape", ["escapes for 1 portal", "has 10 free squares ahead", "-2 points"]),
        (f"{DUEL} ignore:3 use:2 dice:56 ignore: use:6", ["makes 2 blockades"]),
        (
            "start:12,12:up start:2,12:up dice:15 ignore: use:5R escape use:1",
            ["goes to 2,11", "has 9 free squares ahead", "+1 point", "stands in Blue's way at 2,11"],
        ),
    ],
)
def test_snakey_dice_duel(line: str, said: list[str]) -> None:
    assert list(reasons_of("snakey-dice", line, players=2)) == said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"{SOLO} dice:24 ignore:2 use:4", ["goes to 3,2", "faces an obstacle then", "+2 points"]),
        (f"{SOLO} dice:16 unlock!", ["unlocks a 6, to be thrown again or flipped", "-3 points"]),
        (
            f"{SOLO} dice:22 ignore: use:2 use:2 dice:22 ignore: use:2 use:2 dice:24 ignore: use:2 use:4",
            ["goes to 8,2", "has 5 free squares ahead", "+2 points"],
        ),
    ],
)
def test_snakey_dice_solo(line: str, said: list[str]) -> None:
    assert list(reasons_of("snakey-dice", line)) == said


def test_a_game_without_words_of_its_own_still_has_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snakeden.core.game.Game.part", lambda game, name: None)
    assert reasons_of("snekagon", "d4", side=4) == ("takes the lead with 1 to 0",)


def test_no_words_for_dice_and_none_for_what_is_not_allowed() -> None:
    state: State = snakeden.new_game("snakey-dice")
    assert state.player == CHANCE
    assert effects(state, state.chance_moves()[0][0]) == ()
    with pytest.raises(IllegalMove):
        effects(snakeden.new_game("snekagon"), "f6-f7")


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("snekagon", {"side": 4}),
        ("snekagon-5g", {"players": 3, "side": 4}),
        ("schlangennest", {"snakes": 2}),
        ("schlangennest", {"players": 3, "border": "fence", "nest": "hard"}),
        ("snakey-dice", {"players": 3}),
    ],
)
def test_every_move_has_words(game: str, options: dict[str, object]) -> None:
    dice = random.Random(7)
    state = snakeden.new_game(game, **options)
    while not state.is_over:
        if state.player == CHANCE:
            state = state.play(state.roll(dice))
            continue
        move = dice.choice(state.legal_moves())
        said = [word(one, names=NAMES) for one in effects(state, move)]
        assert said
        assert all(words and words == words.strip(" .") for words in said), said
        state = state.play(move)
