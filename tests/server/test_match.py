"""A match by itself: a fold of events, with no server around it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snakeden.core.state import State
from snakeden.server import match as match_module
from snakeden.server.errors import NotNow, NotPossible
from snakeden.server.events import Entry, Standing, read_event, register
from snakeden.server.events import Event as EventBase
from snakeden.server.match import Match
from snakeden.server.openings import opening
from snakeden.server.seats import Seat
from snakeden.words import Message, Player

BOTH = frozenset({0, 1})
SEATS = (Seat("me", "Ann", secret=b"a"), Seat("here", "Bob", secret=b"b"))


SMALL = {"side": 3}


def new_match(game: str = "snekagon", options: dict[str, Any] = SMALL) -> Match:
    first = opening(game, options)
    return Match("x" * 20, first, SEATS[: first.seats], b"\0" * 32).begin(0.0).after


def play(match: Match, now: float = 0.0, which: int = 0) -> Match:
    """Any legal move of whoever is to move."""
    assert match.player is not None
    moves = match.state.legal_moves()
    return match.play(match.player, moves[which % len(moves)].text, len(match.entries), now).after


def undo(match: Match) -> Match:
    seat = next((ply.seat for ply in match.line.backwards() if ply.seat is not None), 0)
    return match.ask_undo(seat, BOTH, len(match.entries), 0.0).after


def counted_plays(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every move that is played from here on."""
    played: list[str] = []
    original = State.play

    def play(self: State, move: Any) -> State:
        played.append(str(move))
        return original(self, move)

    monkeypatch.setattr(State, "play", play)
    return played


def test_entries_carry_the_time_they_are_given() -> None:
    match = play(play(new_match(), now=5.0), now=7.5)
    assert [entry.at for entry in match.entries] == [5.0, 7.5]


def test_a_draft_changes_nothing() -> None:
    match = play(new_match())
    before = match.facts()
    drafted = match.play(1, match.state.legal_moves()[0].text, 1, 0.0)
    assert match.facts() == before
    assert drafted.after.facts() == match.after(drafted.entries).facts()


@settings(max_examples=30, deadline=None)
@given(
    acts=st.lists(st.integers(0, 9), max_size=40),
    game=st.sampled_from(["snekagon", "snakey-dice", "snekagon-5g"]),
)
def test_the_fold_is_what_was_drafted(acts: list[int], game: str) -> None:
    """Whatever was done step by step, reading the log at once gives the same."""
    first = new_match(game, SMALL if game == "snekagon" else {})
    match = first
    for act in acts:
        if match.status == "over":
            break
        try:
            match = undo(match) if act < 3 else play(match, which=act)
        except NotNow as refused:
            assert refused.key in ("dice-since", "nothing-to-undo")
    fresh = Match(first.id, first.opening, SEATS[: first.opening.seats], first.seed).after(match.entries)
    assert fresh.facts() == match.facts()
    assert fresh.state == match.state
    assert fresh.line.plies() == match.line.plies()


def test_reading_a_log_plays_only_what_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    match = play(new_match())
    for _ in range(100):
        match = undo(play(match))
    played = counted_plays(monkeypatch)
    fresh = Match(match.id, match.opening, SEATS, match.seed).after(match.entries)
    assert fresh.state == match.state
    assert len(played) == match.line.count == 1
    assert len(match.entries) == 201


def test_nothing_is_replayed_for_a_stale_message_or_an_undo(monkeypatch: pytest.MonkeyPatch) -> None:
    match = new_match()
    for _ in range(3):
        match = play(match)
    for _ in range(20):
        match = play(undo(match))
    text = match.entries[0].data
    played = counted_plays(monkeypatch)
    for seen in range(len(match.entries)):
        match.repeated("move", BOTH, seen, "no move at all")
        match.repeated("move", BOTH, seen, text)
    undo(match)
    assert played == []


def test_a_message_is_known_again_by_another_spelling_while_the_move_stands() -> None:
    match = new_match()
    match = match.play(0, "c3", 0, 0.0).after
    match = match.play(1, "a2-a1", 1, 0.0).after
    assert match.entries[1].data == "a1-a2"
    assert match.repeated("move", BOTH, 1, "a2-a1")
    assert not match.repeated("move", BOTH, 1, "b1-b2")
    assert not match.repeated("move", frozenset({0}), 1, "a1-a2"), "another seat's move"
    back = undo(match)
    assert back.repeated("move", BOTH, 1, "a1-a2")
    with pytest.raises(NotNow):
        back.play(1, "a2-a1", 1, 0.0)


def test_a_log_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_module, "MOST_ENTRIES", 50)
    match = play(new_match())
    with pytest.raises(NotNow) as refusal:
        while True:
            match = play(undo(match))
    assert refusal.value.key == "undone-too-often"
    while match.status == "running":
        match = play(match)
    assert match.outcome is not None, "the game can still be played to its end"


@pytest.mark.parametrize(
    "damaged",
    [
        Entry(1, "move", 0, "c3", 0.0),
        Entry(0, "dance", 0, "", 0.0),
        Entry(0, "move", 0, "z9", 0.0),
        Entry(0, "undo", 0, "1", 0.0),
        Entry(0, "undo", 0, "many", 0.0),
        Entry(0, "resign", None, "", 0.0),
    ],
)
def test_a_damaged_log_is_told(damaged: Entry) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        new_match().after([damaged])


def test_refusals_have_keys_and_arguments() -> None:
    match = play(new_match())
    with pytest.raises(NotNow) as turn:
        match.play(0, "c3", 1, 0.0)
    assert turn.value.message == Message("server.not-your-turn", who=Player(1))
    with pytest.raises(NotPossible) as illegal:
        match.play(1, "z9", 1, 0.0)
    assert illegal.value.key == "illegal-move"
    with pytest.raises(NotPossible) as long:
        match.play(1, "x" * 10_000, 1, 0.0)
    assert len(long.value.reason) < 400, "what was sent is not repeated at length"


@pytest.fixture
def said() -> Iterator[type[EventBase]]:
    """A kind of event that the match knows nothing of."""

    class Said(EventBase):
        kind = "say"

        def __init__(self, seat: int | None, text: str) -> None:
            self.seat, self.text = seat, text

        @property
        def data(self) -> str:
            return self.text

        @classmethod
        def read(cls, seat: int | None, data: str) -> Said:
            return cls(seat, data)

        def apply(self, before: Standing) -> Standing:
            return before

    from snakeden.server import events

    register(Said)
    yield Said
    del events._KINDS["say"]


def test_a_new_kind_of_event_fits_in(said: type[EventBase]) -> None:
    match = play(new_match())
    after = match.after([Entry(1, "say", 0, "hello", 1.0)])
    assert isinstance(read_event(after.entries[1]), said)
    assert after.play(1, after.state.legal_moves()[0].text, 1, 2.0).entries[0].number == 2, (
        "words are no move"
    )
    with pytest.raises(ValueError, match="already"):
        register(said)
