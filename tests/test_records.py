"""Records: written, read, replayed and checked; damaged ones are refused with line and reason."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import snakeden
from snakeden.core.game import CHANCE
from snakeden.core.outcome import Withdrawal
from snakeden.records import Record, read, read_all, record

DATA = Path(__file__).parent / "data"
NAMES = ('Ada "the" snake', "Bob\\[Game]\n")


def played(game: str, seed: int, **options: Any) -> Record:
    generator = random.Random(seed)
    start = state = snakeden.new_game(game, **options)
    moves = []
    while not state.is_over:
        move = state.roll(generator) if state.player == CHANCE else generator.choice(state.legal_moves())
        moves.append(move)
        state = state.play(move)
    return record(start, moves, seed=seed)


@pytest.mark.parametrize("game", snakeden.games())
def test_every_game_is_written_and_read_back(game: str) -> None:
    one = played(game, 4, **snakeden.games()[game].bench_options)
    again = read(one.write())
    assert again == one
    last = again.check()
    assert last.is_over
    assert last.outcome() == one.outcome
    assert max(map(len, one.write().splitlines())) <= 110


def test_moves_are_recorded_however_they_are_given() -> None:
    start = snakeden.new_game("snekagon", side=3)
    first = start.move("c3")
    second = start.play(first).move("a1-a2")
    one = record(start, ["c3", "a1-a2"])
    assert one == record(start, [first, second]) == record(start, [first.code, np.int64(second.code)])
    with pytest.raises(snakeden.BadRecord, match="move 2: "):
        record(start, [first.code, first.code])
    with pytest.raises(snakeden.BadRecord, match="1 seats are named, and 2 play"):
        record(start, [first], seats=("Ada",))


def test_names_and_other_headers_survive() -> None:
    start = snakeden.new_game("snekagon", side=3)
    one = record(start, ["c3"], seed=-5, seats=NAMES, extra={"Place": "Prag\u2019 ]"})
    again = read(one.write())
    assert again == one
    assert again.seats == NAMES
    assert again.outcome is None
    assert again.state().player == 1
    assert again.state(0) == start


@settings(max_examples=40, deadline=None)
@given(st.text(), st.text(max_size=30))
def test_any_name_survives(name: str, place: str) -> None:
    start = snakeden.new_game("snekagon", side=3)
    name = name.encode("utf-8", "replace").decode()
    place = place.encode("utf-8", "replace").decode()
    one = record(start, ["c3"], seats=(name, "x"), extra={"Place": place})
    assert read(one.write()) == one


def resigned(*seats: int) -> tuple[Withdrawal, ...]:
    return tuple(Withdrawal(seat, "resignation") for seat in seats)


def test_the_outcome_is_kept() -> None:
    start = snakeden.new_game("snekagon-5g", players=3, side=4)
    moves = [start.legal_moves()[0]]
    running = record(start, moves, withdrawn=resigned(0))
    assert running.outcome is None
    assert read(running.write()) == running
    ended = record(start, moves, withdrawn=(*resigned(0), Withdrawal(2, "time")))
    assert ended.outcome is not None
    assert (ended.outcome.winners, ended.outcome.termination) == ((1,), "time")
    assert '[Withdrawn "0=resignation 2=time"]' in ended.write()
    again = read(ended.write())
    assert again == ended
    again.check()
    shared = record(start, moves, withdrawn=resigned(1), agreed=True)
    assert shared.outcome is not None
    assert shared.outcome.winners == (0, 2)
    again = read(shared.write())
    assert again == shared
    again.check()
    with pytest.raises(snakeden.BadRecord, match="won by Player 1 and Player 3, ended by agreement"):
        read(shared.write().replace("0 2", "0 1 2")).check()
    alone = record(snakeden.new_game("snakey-dice"), [], withdrawn=resigned(0))
    assert read(alone.write()) == alone
    read(alone.write()).check()


OLD = {
    "finished.game": ((), (1,), "score"),
    "dice.game": ((), (0,), "score"),
    "duel-resigned.game": (resigned(1), (0,), "resignation"),
    # The text names seat 0, which had resigned.
    "three-one-resigned.game": (resigned(0), (2,), "score"),
    "three-two-resigned.game": (resigned(2, 0), (1,), "resignation"),
}


@pytest.mark.parametrize("name", sorted(OLD))
def test_records_from_before_outcomes_were_kept_still_read(name: str) -> None:
    old = read((DATA / "old_records" / name).read_text())
    withdrawn, winners, termination = OLD[name]
    assert old.withdrawn == withdrawn
    outcome = old.check().outcome(old.withdrawn)
    assert outcome is not None
    assert (outcome.winners, outcome.termination) == (winners, termination)
    assert old.outcome in (outcome, None)
    assert read(old.write()) == old
    assert old.extra.get("Resigned") == ("nobody did" if name == "dice.game" else None)


def test_old_records_with_false_winners_are_found() -> None:
    old = (DATA / "old_records" / "three-one-resigned.game").read_text()
    with pytest.raises(snakeden.BadRecord, match="won by Player 2"):
        read(old.replace('[Winners "0"]', '[Winners "1"]')).check()


def test_several_records_in_one_text() -> None:
    games = [played("snekagon", seed, side=3) for seed in range(3)]
    assert read_all("\n".join(game.write() for game in games)) == games
    assert read_all("") == []


GOOD = played("snekagon", 1, side=3).write()


@pytest.mark.parametrize(
    ("old", "new", "line", "expected"),
    [
        ('[Game "snekagon"]', "", 2, "a record begins with its game"),
        ('[Game "snekagon"]', '[Game "chess"]', 1, "no game 'chess'"),
        ('[Game "snekagon"]', "[Game snekagon]", 1, "is not a header"),
        ("side=3", "side=33", 2, "side=33 is not possible"),
        ("side=3", "size=3", 2, "is no option of snekagon"),
        ('[Rules "1"]', "", 1, "rules version is missing"),
        ('[Rules "1"]', '[Rules "one"]', 3, "whole numbers"),
        ('[Rules "1"]', '[Rules "1 2"]', 3, "is one number"),
        ('[Rules "1"]', '[Rules "1"]\n[Rules "1"]', 4, "two headers Rules"),
        ('[Seed "1"]', '[Seat1 "Ada"]', 4, "numbered from 0"),
        ('[Winners "', '[Losers "', 1, "stand together"),
        ('[Termination "score"]', '[Termination "checkmate"]', 7, "one of score, resignation"),
        ('[Termination "score"]', '[Withdrawn "Ada"]', 7, "as in 0=resignation"),
        ("\n1. ", "\n2. ", 9, "it is move 1"),
        ("\n1. ", f"\n{'1' * 5000}. ", 9, "begins with move 111111111…, and it is move 1"),
        ("\n1. ", "\nNAMES ", 9, "move 1"),
        ("\n1. ", '\n1. c3\n[Place "x"]\n', 10, "headers come first"),
        ('[Seed "1"]', '[Seed "\\x"]', 4, "not readable"),
        ('[Seed "1"]', '[Place "\\ud800"]', 4, "not readable"),
    ],
)
def test_damaged_records_say_line_and_reason(old: str, new: str, line: int, expected: str) -> None:
    assert old in GOOD
    with pytest.raises(snakeden.BadRecord, match=expected) as error:
        read(GOOD.replace(old, new, 1)).check()
    assert error.value.line == line
    assert str(error.value).startswith(f"line {line}: ")


def test_hand_edited_moves_and_outcomes_are_found() -> None:
    one = played("snekagon", 1, side=3)
    with pytest.raises(snakeden.BadRecord, match="move 2: "):
        read(GOOD.replace(one.moves[1], one.moves[0], 1)).check()
    assert one.outcome is not None
    scores, winner = " ".join(map(str, one.outcome.scores)), one.outcome.winners[0]
    for old, new, expected in (
        (f'[Scores "{scores}"]', '[Scores "19 0"]', "the record says 19 : 0, won by"),
        (f'[Winners "{winner}"]', f'[Winners "{1 - winner}"]', f"won by Player {2 - winner}, ended by score"),
        ('[Termination "score"]', '[Termination "time"]', "ended by time; replayed, it is .* ended by score"),
        ('[Termination "score"]', '[Withdrawn "7=time"]\n[Termination "score"]', "seat 7 cannot leave"),
    ):
        assert old in GOOD
        with pytest.raises(snakeden.BadRecord, match=expected):
            read(GOOD.replace(old, new)).check()
    with pytest.raises(snakeden.BadRecord, match="rules version 7"):
        read(GOOD.replace('[Rules "1"]', '[Rules "7"]')).check()
    for more in (GOOD, GOOD.replace("side=3", "side=33")):
        # The second is not even looked into, so that nobody can make a reader build thousands of boards.
        with pytest.raises(snakeden.BadRecord, match="one game was expected, and there are 2"):
            read(GOOD + more)
    with pytest.raises(snakeden.BadRecord, match="1 seats are named"):
        read(GOOD.replace('[Seed "1"]', '[Seat0 "Ada"]')).check()


def test_a_ply_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="there is no ply 99"):
        read(GOOD).state(99)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_random_damage_never_escapes_as_another_error(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(GOOD) - 1))
    end = data.draw(st.integers(start, min(len(GOOD), start + 12)))
    text = GOOD[:start] + data.draw(st.text(max_size=8)) + GOOD[end:]
    try:
        for one in read_all(text):
            one.check()
    except snakeden.BadRecord as error:
        assert error.line >= 1
