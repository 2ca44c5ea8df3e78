"""Everything about a game that its players and watchers are sent, as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from snakeden.core.registry import game as find_game
from snakeden.core.state import State
from snakeden.server.dice import commitment
from snakeden.server.match import Match
from snakeden.server.seats import Seat
from snakeden.server.stored import StoredGame
from snakeden.server.view import picture, spoken, targets
from snakeden.words import to_data

_PIECE = 1000
MOST_TARGETS = 6000
"""The most legal moves that are sent with a state; where there are more, a client asks for them."""


def described(stored: StoredGame, match: Match) -> str:
    """Everything about a game that is the same for all, as JSON; the moves if they are not too many."""
    over = match.status == "over"
    plies = match.line.plies()
    state = _unused(match.state)
    playable = match.status == "running"
    listed = playable and len(state.codes()) <= MOST_TARGETS
    about = {
        "id": match.id,
        "game": stored.game,
        "name": find_game(stored.game).name,
        "options": dict(state.options),
        "rules_version": stored.rules_version,
        "hints": match.hints,
        "seats": seat_facts(match.seats),
        "dice": {"commitment": commitment(match.seed), "seed": match.seed.hex() if over else None},
        "plies": [[ply.seat, ply.text, to_data(spoken(stored.game, ply.text))] for ply in plies],
        **match.facts(),
        **picture(state, plies[-1].text if plies else None, playable=listed, outcome=match.outcome),
    }
    if playable and not listed:
        about["targets"] = None
    return in_pieces(about)


def all_targets(match: Match) -> bytes:
    """The legal moves with what they touch, however many there are, as JSON."""
    state = _unused(match.state)
    playable = match.status == "running"
    found = {"seen": len(match.entries), "targets": targets(state, playable=playable)}
    return in_pieces(found).encode()


def news(match: Match, seen: int) -> str:
    """What happened after the first `seen` entries, as a message."""
    new = [entry._asdict() for entry in match.entries[seen:]]
    return compact({"type": "entries", "entries": new, **match.facts()})


def in_pieces(data: Any, depth: int = 2) -> str:
    """JSON without blanks of what may be large. Writing it lets no other thread run until it is done: in pieces nobody
    waits for long. Objects are taken apart to this depth, and long lists."""
    if isinstance(data, dict) and depth > 0 and all(isinstance(name, str) for name in data):
        pieces = (f"{compact(name)}:{in_pieces(held, depth - 1)}" for name, held in data.items())
        return f"{{{','.join(pieces)}}}"
    if isinstance(data, list | tuple) and len(data) > _PIECE:
        pieces = (compact(data[n : n + _PIECE])[1:-1] for n in range(0, len(data), _PIECE))
        return f"[{','.join(pieces)}]"
    return compact(data)


def compact(data: Any) -> str:
    """JSON without blanks."""
    return json.dumps(data, separators=(",", ":"))


def _unused(state: State) -> State:
    """The same position, so that the list of its legal moves is forgotten with it, not kept in the game's line."""
    return State(state.variant, state.array())


def seat_facts(seats: Sequence[Seat]) -> list[dict[str, Any]]:
    """The seats, without anything secret."""
    return [
        {"kind": seat.kind, "name": seat.name, "agent": seat.agent or None, "taken": seat.taken}
        for seat in seats
    ]
