"""Snakey Dice: which moves are legal, why others are not, how they are written, and how likely rolls are."""

from __future__ import annotations

import pytest
from dice_games import FAR, VARIANTS, grown, played, randomly, solo

import snakeden
from snakeden import IllegalMove, UnreadableMove
from snakeden.words import word


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
