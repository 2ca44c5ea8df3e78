"""Positions that are set up: pieces of any seat in any order, taken away again, kept in records."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import snakeden
from snakeden import analysis
from snakeden.cli.session import Session
from snakeden.core.errors import BadRecord, IllegalMove
from snakeden.core.setup import Piece, Setup, can_set_up, fitting, read_setup, set_up, setup_of
from snakeden.core.state import State
from snakeden.records import read, record

STARTS = [
    snakeden.new_game("snekagon", side=4),
    snakeden.new_game("snekagon-5g", players=3, side=4, advanced=True),
    snakeden.new_game("schlangennest"),
    snakeden.new_game("schlangennest", snakes=2),
    snakeden.new_game("schlangennest", players=3, border="fence"),
]


def played(start: State, dice: random.Random, plies: int) -> tuple[list[State], list[str]]:
    """The positions of a random game of at most so many plies, and its moves."""
    states, moves = [start], list[str]()
    while len(moves) < plies and not states[-1].is_over:
        moves.append(dice.choice(states[-1].legal_moves()).text)
        states.append(states[-1].play(moves[-1]))
    return states, moves


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(STARTS), st.integers(0, 2**32), st.integers(0, 60))
def test_what_was_played_can_be_set_up(start: State, seed: int, plies: int) -> None:
    states, moves = played(start, random.Random(seed), plies)
    setup = setup_of(states, moves)
    found = set_up(start, read_setup(str(setup)))
    assert found.scores() == states[-1].scores()
    if start.options.get("snakes") != 2:  # there a turn that has begun with one of its two cards begins anew
        assert found.player == states[-1].player
        assert list(found.legal_moves()) == list(states[-1].legal_moves())
    assert fitting(start, setup.pieces) == setup.pieces


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(STARTS), st.integers(0, 2**32))
def test_seats_lay_in_any_order_and_play_goes_on(start: State, seed: int) -> None:
    dice = random.Random(seed)
    pieces: list[Piece] = []
    for _ in range(12):
        state = set_up(start, Setup(tuple(pieces), dice.randrange(start.seats)))
        if state.player is not None:
            pieces.append(Piece(state.player, dice.choice(state.legal_moves()).text))
    dice.shuffle(pieces)
    kept = fitting(start, pieces)
    states, _ = played(set_up(start, Setup(kept, dice.randrange(start.seats))), dice, 1000)
    assert states[-1].is_over
    assert len(states[-1].scores()) == start.seats


def test_a_piece_waits_for_the_one_it_needs() -> None:
    start = STARTS[0]
    first, grown, other = Piece(0, "d4"), Piece(0, "d5-d6"), Piece(1, "a1-b1-c1")
    assert fitting(start, [grown, other, first]) == (other, first, grown)
    # Seat 0 begins with its single hex: without it nothing of seat 0 can lie there.
    assert fitting(start, [grown, other]) == (other,)
    assert set_up(start, Setup((other, first, grown), 0)).scores() == (3, 3)


def test_refusals_name_the_rule() -> None:
    start = STARTS[0]
    with pytest.raises(IllegalMove, match="touches another's tile"):
        set_up(start, Setup((Piece(0, "d4"), Piece(1, "d5-d6"))))
    with pytest.raises(IllegalMove, match="there is no seat 2"):
        set_up(start, Setup(turn=2))
    with pytest.raises(IllegalMove, match="no setup"):
        read_setup("d4; 0")
    with pytest.raises(IllegalMove, match="can do nothing here"):
        set_up(snakeden.new_game("snekagon", side=2), Setup((Piece(0, "b2"), Piece(1, "a1-a2"))))
    assert not can_set_up(snakeden.new_game("snakey-dice").variant.game)
    with pytest.raises(IllegalMove, match="reached by moves"):
        set_up(snakeden.new_game("snakey-dice"), Setup())


def test_a_record_keeps_what_was_set_up() -> None:
    start = STARTS[0]
    setup = Setup((Piece(1, "a1-b1-c1"), Piece(1, "g1-g2"), Piece(0, "d4")), 1)
    move, tried = (one.text for one in set_up(start, setup).legal_moves()[:2])
    kept = record(start, [move], setup=setup, extra={"Variations": f"0: {tried}"})
    text = kept.write()
    assert '[Setup "1=a1-b1-c1 1=g1-g2 0=d4; 1"]' in text
    again = read(text)
    assert again.setup == setup
    assert again.check().player == 0
    assert again.variations()[0].moves == (tried,)
    assert analysis.analyse_ply(again, 0, simulations=20).move == move
    session = Session(start, {}, ("Ada", "Bo"), seed=1)
    session.replay(again)
    assert session.record().setup == setup
    assert session.state == again.state()
    for wrong, why in (
        ("1=a1-b1-c1 0=b2; 0", "touches another's tile"),
        ("0=d4", "no setup"),
        ("; 7", "no seat 7"),
    ):
        with pytest.raises(BadRecord, match=why):
            read(text.replace("1=a1-b1-c1 1=g1-g2 0=d4; 1", wrong)).check()
