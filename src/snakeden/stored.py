"""Stored games: whole games with a fingerprint of every position, to hold the rules to.

A file has one game a line, as JSON: `game`, `options`, `plies`, and at the end `scores` and `winners`. A ply has
`player` (a seat or "chance"), `n` (how many legal moves or outcomes), `hash` (the first 16 hex digits of the
SHA-256 of their sorted texts, joined by newlines; an outcome's text is followed by a space and its probability
with nine decimals), `scores` (at decisions) and `move`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from snakeden.core.errors import BadRecord
from snakeden.core.game import CHANCE
from snakeden.core.state import State, new_game


def fingerprint(state: State) -> dict[str, Any]:
    """What a stored ply says of a position, but for the move played."""
    if state.player == CHANCE:
        texts = [f"{move} {probability:.9f}" for move, probability in state.chance_moves()]
    else:
        texts = [str(move) for move in state.legal_moves()]
    digest = hashlib.sha256("\n".join(sorted(texts)).encode()).hexdigest()[:16]
    ply = {"player": "chance" if state.player == CHANCE else state.player, "n": len(texts), "hash": digest}
    return ply if state.player == CHANCE else {**ply, "scores": list(state.scores())}


def stored_games(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every game of a file with its line; raises BadRecord."""
    with path.open(encoding="utf-8") as file:
        for line, text in enumerate(file, 1):
            if not text.strip():
                continue
            try:
                game = json.loads(text)
            except (ValueError, RecursionError) as error:
                raise BadRecord(line, f"not JSON: {error}") from None
            missing = {"game", "options", "plies", "scores", "winners"} - set(
                game if isinstance(game, dict) else ()
            )
            if missing:
                raise BadRecord(line, f"a stored game has {', '.join(sorted(missing))} too")
            yield line, game


def first_difference(game: dict[str, Any]) -> str | None:
    """Replay a stored game; where it differs first, in words, or None."""
    try:
        state = new_game(game["game"], **game["options"])
        for number, ply in enumerate(game["plies"], 1):
            if not isinstance(ply, dict):
                return f"ply {number} is no object with player, n, hash and move"
            found = fingerprint(state)
            for key, value in found.items():
                if ply.get(key) != value:
                    return f"ply {number}, before {ply.get('move')}: {key} is {value}, and {ply.get(key)} is stored"
            state = state.play(ply["move"])
    except (ValueError, KeyError, TypeError) as error:
        return f"cannot be replayed: {error}"
    if not state.is_over:
        return f"the game is not over after its {len(game['plies'])} plies"
    for key, value in (("scores", list(state.scores())), ("winners", list(state.winners()))):
        if game[key] != value:
            return f"at the end: {key} is {value}, and {game[key]} is stored"
    return None
