"""Games of the server as records, out and in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from snakeden.core.errors import BadRecord
from snakeden.core.game import CHANCE
from snakeden.core.registry import game as find_game
from snakeden.core.state import State
from snakeden.records import Record, read
from snakeden.server.errors import NotPossible
from snakeden.server.events import Entry, line_of, withdrawn_of
from snakeden.server.line import Ply
from snakeden.server.stored import StoredGame
from snakeden.words import Player


def record_of(stored: StoredGame, entries: Sequence[Entry]) -> Record:
    """A stored game as a record; with its outcome if it is over and was played by today's rules."""
    extra = {"Date": datetime.fromtimestamp(stored.created, UTC).strftime("%Y-%m-%d"), "Id": stored.id}
    if stored.status == "over":
        extra["DiceSeed"] = stored.seed.hex()
    names = {entry.seat: entry.data for entry in entries if entry.kind == "join"}
    played = Record(
        game=stored.game,
        options=dict(stored.options),
        moves=tuple(ply.text for ply in line_of(entries)),
        rules_version=stored.rules_version,
        seats=tuple(
            names.get(n) or seat.name or seat.agent or str(Player(n)) for n, seat in enumerate(stored.seats)
        ),
        extra=extra,
        withdrawn=withdrawn_of(entries),
    )
    if stored.status != "over":
        return played
    try:
        last = played.state()
    except BadRecord:
        return played  # of another version of the rules: kept as it is
    return replace(played, outcome=last.outcome(played.withdrawn))


def game_of(text: str) -> str:
    """The id of the game that a record which somebody brings is of."""
    found = re.match(r'\s*\[Game "([a-z0-9-]{1,40})"\]', text)
    if found is None:
        raise NotPossible("record-without-game")
    return find_game(found[1]).id


def plies_of(text: str) -> tuple[State, list[Ply]]:
    """The first position of a record that somebody brings, and its plies with who made each; all is checked."""
    try:
        record = read(text)
        record.check()
        states = list(record.states())
    except BadRecord as error:
        raise NotPossible("bad-record", reason=error.message) from None
    if record.setup is not None:
        raise NotPossible("record-of-setup")
    plies = [
        Ply(None if state.player == CHANCE else state.player, state.move(move).text)
        for state, move in zip(states, record.moves, strict=False)
    ]
    return states[0], plies
