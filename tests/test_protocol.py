"""What every game answers, on the simplest of them; the deeper checks are `check_game`'s."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import snakeden


def test_games_are_listed_with_their_options() -> None:
    games = snakeden.games()
    assert {"snekagon", "snekagon-5g"} <= set(games)
    for game_id, game in games.items():
        assert game.id == game_id
        assert str(game.blurb).endswith(".")
        assert str(game.credits).endswith(".")
        for option in game.options:
            assert option.check(option.default) == option.default
            assert option.allowed()
            assert option.help
    side = games["snekagon"].option("side")
    assert (side.kind, side.default, side.low, side.high) == ("int", 6, 2, 8)


@pytest.mark.parametrize(
    ("game", "options", "expected"),
    [
        ("chess", {}, "no game 'chess'; the games are snekagon"),
        ("snekagon", {"colour": 1}, "no option 'colour'; its options are side, second_single"),
        ("snekagon", {"side": 9}, "side=9 is not possible: allowed is a whole number from 2 to 8"),
        ("snekagon", {"side": "6"}, "side='6' is not possible"),
        ("snekagon", {"side": True}, "side=True is not possible"),
        ("snekagon", {"second_single": 1}, "allowed is True or False"),
        ("snekagon", {"side": None}, "side=None is not possible"),
        ("snekagon-5g", {"players": 6}, "from 2 to 5"),
        ("snekagon-5g", {"snakes": ["mamba"]}, "2 players need 2 names"),
        ("snekagon-5g", {"snakes": ["mamba", "mamba"]}, "different names"),
        ("snekagon-5g", {"snakes": ["mamba", "adder"]}, "allowed is a list"),
        ("snekagon-5g", {"snakes": "mamba,cobra"}, "allowed is a list"),
    ],
)
def test_bad_options_are_named(game: str, options: dict[str, Any], expected: str) -> None:
    with pytest.raises(snakeden.BadOption) as error:
        snakeden.new_game(game, **options)
    assert expected in str(error.value)
    assert isinstance(error.value, ValueError)


@pytest.mark.parametrize(
    ("game", "given", "option", "possible"),
    [
        ("snekagon", {}, "side", [2, 3, 4, 5, 6, 7, 8]),
        ("snekagon", {"side": 3}, "second_single", [False, True]),
        ("schlangennest", {}, "cards_per_turn", [2]),
        ("schlangennest", {"snakes": 2}, "cards_per_turn", [1, 2]),
        ("schlangennest", {"snakes": 2}, "players", [2]),
        ("schlangennest", {"players": 4}, "border", ["floating", "none"]),
        ("schlangennest", {"border": "none"}, "nest", ["recommended"]),
        ("snakey-dice", {}, "map", ["original"]),
        ("snakey-dice", {"map": "fishy", "players": 2}, "players", [2, 3, 4]),
    ],
)
def test_what_goes_together_with_the_other_options(
    game: str, given: dict[str, Any], option: str, possible: list[Any]
) -> None:
    assert snakeden.games()[game].possible(given)[option] == possible


def test_option_texts_read_back() -> None:
    for game in snakeden.games().values():
        for option in game.options:
            if option.default is not None:
                assert option.read(option.write(option.default)) == option.default
    snakes = snakeden.games()["snekagon-5g"].option("snakes")
    assert snakes.read("cobra,python") == ("cobra", "python")
    with pytest.raises(snakeden.BadOption):
        snakeden.games()["snekagon"].option("side").read("six")


def test_a_first_move() -> None:
    state = snakeden.new_game("snekagon")
    assert (state.player, state.is_over, state.scores(), state.winners()) == (0, False, (0, 0), ())
    moves = state.legal_moves()
    assert [str(move) for move in moves[:2]] == ["a1", "a2"]
    assert moves == sorted(moves)
    assert len(set(moves)) == 91
    following = state.play(moves[0])
    assert following == state.play("a1")
    assert (following.player, following.scores()) == (1, (1, 0))
    assert state.scores() == (0, 0)
    assert state.chance_moves() == []


def test_states_compare_hash_and_pickle() -> None:
    one = snakeden.new_game("snekagon", side=4).play("d4").play("a1-a2")
    two = snakeden.new_game("snekagon", side=4).play("d4").play("a2-a1")
    assert one == two
    assert hash(one) == hash(two)
    assert len({one, two, one.play("d5-d6")}) == 2
    assert one != snakeden.new_game("snekagon", side=4)
    assert one != snakeden.new_game("snekagon", side=4, second_single=True).play("d4").play("a1-a2")
    assert one != "a state"
    assert pickle.loads(pickle.dumps(one)) == one


def test_an_option_that_is_the_default_makes_no_difference() -> None:
    assert snakeden.new_game("snekagon", side=6) == snakeden.new_game("snekagon")
    assert snakeden.new_game("snekagon", side=6).text == snakeden.new_game("snekagon").text


def test_text_restores() -> None:
    state = snakeden.new_game("snekagon-5g", players=3, snakes=["cobra", "mamba", "python"]).play("2:f6")
    assert state.text.startswith("snekagon-5g v1 players=3 snakes=cobra,mamba,python ")
    assert snakeden.restore(state.text) == state
    assert repr(state) == f"<State {state.text}>"


@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (lambda text: "", "game id, a rules version"),
        (lambda text: text.replace("snekagon", "chess"), "no game 'chess'"),
        (lambda text: text.replace("v1", "v0"), "rules v0"),
        (lambda text: text.replace("side=4", "side=44"), "side=44"),
        (lambda text: text.replace("side=4", "height=4"), "no option 'height'"),
        (lambda text: text.replace("side=4", "side=5"), "check sum"),
        (lambda text: text[:-6] + "AAAAAA", "damaged"),
        (lambda text: text[:-5], "damaged"),
        (lambda text: text + "!", "damaged"),
    ],
)
def test_damaged_texts_are_refused(spoil: Any, expected: str) -> None:
    text = snakeden.new_game("snekagon", side=4).play("d4").text
    with pytest.raises(snakeden.BadText, match=expected):
        snakeden.restore(spoil(text))


def test_outcome_has_a_reason() -> None:
    generator = random.Random(3)
    state = snakeden.new_game("snekagon", side=3)
    while not state.is_over:
        assert state.outcome() is None
        state = state.play(generator.choice(state.legal_moves()))
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners == state.winners()
    assert str(max(outcome.scores)) in str(outcome.reason)
    assert state.player is None
    with pytest.raises(snakeden.IllegalMove, match="the game is over"):
        state.play("a1")


def test_a_move_is_played_by_its_number() -> None:
    state = snakeden.new_game("snekagon-5g").play("1:f6")
    for move in state.legal_moves()[::500]:
        assert state.play(move.code) == state.play(move) == state.play(move.text)
        assert state.play(np.int32(move.code)) == state.play(move)
        assert state.move(move.code) == move
    illegal = state.move("1:a1").code
    with pytest.raises(snakeden.IllegalMove, match="1:a1: you have no such tile"):
        state.play("1:a1").play(illegal)
    for number in (-1, state.variant.tables.actions):
        with pytest.raises(
            snakeden.IllegalMove, match=f"no move of number {number:,}; they are numbered 0 to"
        ):
            state.play(number)


def test_legal_moves_are_a_sequence() -> None:
    state = snakeden.new_game("snekagon", side=3)
    moves = state.legal_moves()
    listed = list(moves)
    assert moves == listed
    assert moves == state.legal_moves()
    assert moves != listed[1:]
    assert moves != snakeden.new_game("snekagon", side=4).legal_moves()
    assert moves != "a list"
    assert repr(moves) == repr(listed)
    assert (moves[0], moves[-1], moves[2:4]) == (listed[0], listed[-1], listed[2:4])
    assert moves.index(listed[5]) == 5
    assert listed[3] in moves
    assert snakeden.Move(listed[3].code, listed[3].text) in moves
    assert snakeden.Move(listed[3].code, "another") not in moves
    assert state.play("a1").legal_moves()[-1] not in moves
    assert "a1" not in moves
    with pytest.raises(IndexError):
        moves[len(moves)]
    assert state.play("a1").legal_moves()[0] != moves[0]


@settings(deadline=None)
@given(st.lists(st.integers(0, 18), min_size=2, max_size=2), st.booleans())
def test_moves_compare_by_code_and_text_however_they_were_made(codes: list[int], spelled: bool) -> None:
    moves = snakeden.new_game("snekagon", side=3).legal_moves()
    one, other = (moves[code] for code in codes)
    if spelled:
        other = pickle.loads(pickle.dumps(other))
    assert (one == other) == (codes[0] == codes[1])
    assert (one < other) == (codes[0] < codes[1])
    assert (one >= other) == (codes[0] >= codes[1])
    assert one != other or hash(one) == hash(other)
    assert (one.code, one.text) == (codes[0], str(one))
    with pytest.raises(AttributeError):
        one.text = "a1"  # type: ignore[misc]


def test_moves_of_another_kind_are_refused() -> None:
    state = snakeden.new_game("snekagon")
    wrong: tuple[Any, ...] = (5.0, None, b"a1", True)
    for value in wrong:
        with pytest.raises(snakeden.IllegalMove, match=f"not {type(value).__name__}"):
            state.play(value)
    with pytest.raises(snakeden.IllegalMove, match="nothing to roll"):
        state.roll(random.Random(1))
    other = snakeden.new_game("snekagon-5g").play("1:f6").legal_moves()[0]
    with pytest.raises(snakeden.UnreadableMove):
        state.play(other)
