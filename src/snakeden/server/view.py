"""What a client is shown of a position: the picture and the legal moves, compact."""

from __future__ import annotations

from typing import Any

from snakeden.core.errors import IllegalMove
from snakeden.core.outcome import Outcome
from snakeden.core.registry import game as find_game
from snakeden.core.state import State
from snakeden.drawing.scene import Prompt, targets_to_data
from snakeden.drawing.shapes import drawn
from snakeden.server.line import Line
from snakeden.words import Text


def picture(
    state: State, last_move: str | None, *, playable: bool, outcome: Outcome | None = None
) -> dict[str, Any]:
    """The scene, and the legal moves with what they touch; no moves if nobody may play."""
    scene = state.variant.game.view.scene(state, last_move=last_move, outcome=outcome)
    return {"scene": drawn(scene), "targets": targets(state, playable=playable)}


def targets(state: State, *, playable: bool) -> dict[str, Any]:
    """The legal moves with what they touch; none if nobody may play."""
    view = state.variant.game.view
    found, prompt = (view.move_targets(state), view.prompt(state)) if playable else ((), Prompt())
    return targets_to_data(found, prompt)


def stood(line: Line, ply: int, outcome: Outcome | None) -> dict[str, Any]:
    """How a game stood after its first plies. `outcome` is the game's, None while it goes on."""
    then = line.back_to(ply)
    last = then.ply.text if then.ply else None
    drawn = picture(then.state, last, playable=False, outcome=outcome if ply == line.count else None)
    return {"scene": drawn["scene"], "scores": list(then.state.scores())}


def seen_after(state: State, move: str) -> dict[str, Any]:
    """The picture that a legal move would lead to; raises IllegalMove."""
    after = state.play(move)
    scene = state.variant.game.view.scene(after, last_move=move)
    return {"scene": drawn(scene), "scores": list(after.scores())}


def why_not(state: State, piece: str, turn: int, places: list[str]) -> Text:
    """The rule that forbids to lay this piece on these places; empty if none does."""
    text = state.variant.game.view.pointed(state, piece, turn, tuple(places))
    if not text:
        return ""
    try:
        state.move(text)
    except IllegalMove as error:
        return error.message
    return ""


def spoken(game: str, text: str) -> Text:
    """A move as people say it."""
    return find_game(game).spoken(text)
