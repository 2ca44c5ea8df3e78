"""What a move does at once: what the game itself has to say, and what every game's scores say."""

from __future__ import annotations

from snakeden.core.moves import Move
from snakeden.core.state import State
from snakeden.words import Message


def effects(state: State, move: Move | str) -> tuple[Message, ...]:
    """What a legal move does, in short phrases for who makes it; raises IllegalMove."""
    chosen = state.move(move)
    seat = state.player
    if seat is None or seat < 0:
        return ()
    own = state.variant.game.part("reasons")
    phrases: list[Message] = list(own.reasons(state, chosen)) if own is not None else []
    after = state.play(chosen)
    before, scores = state.scores(), after.scores()
    others = [n for n in range(state.seats) if n != seat]
    if after.is_over:
        phrases.append(Message("effect.ends", points=scores))
    elif others and before[seat] <= max(before[n] for n in others) < scores[seat]:
        best = max(scores[n] for n in others)
        if scores[seat] > best:
            phrases.append(Message("effect.leads", n=scores[seat], other=best))
    return tuple(phrases)
