"""What a move does at once, in words: the game's own where it has any, and what every game's scores say."""

from __future__ import annotations

from snakeden.core.moves import Move
from snakeden.core.state import State


def effects(state: State, move: Move | str, names: tuple[str, ...] = ()) -> tuple[str, ...]:
    """What a legal move does, in short phrases for who makes it; raises IllegalMove. `names` are the players',
    by seat."""
    chosen = state.move(move)
    seat = state.player
    if seat is None or seat < 0:
        return ()
    names = names or tuple(f"Player {n + 1}" for n in range(state.seats))
    own = state.variant.game.part("reasons")
    told: list[str] = list(own.reasons(state, chosen, names)) if own is not None else []
    after = state.play(chosen)
    before, scores = state.scores(), after.scores()
    others = [n for n in range(state.seats) if n != seat]
    if after.is_over:
        told.append(f"ends the game with {' : '.join(map(str, scores))}")
    elif others and before[seat] <= max(before[n] for n in others) < scores[seat]:
        best = max(scores[n] for n in others)
        if scores[seat] > best:
            told.append(f"takes the lead with {scores[seat]} to {best}")
    return tuple(told)
