"""Pictures and films of games, to be shared."""

from __future__ import annotations

from collections.abc import Sequence

from snakeden.core.errors import BadRecord
from snakeden.core.state import State
from snakeden.drawing.image import film
from snakeden.drawing.scene import aligned
from snakeden.drawing.svg import PIXELS, svg
from snakeden.server.errors import NotPossible
from snakeden.server.events import Entry
from snakeden.server.line import Ply
from snakeden.server.recording import record_of
from snakeden.server.stored import StoredGame

FILM_SIZE = 640
"""The most pixels that a film is wide or high."""
MOST_FRAMES = 60
"""Of a longer game, positions at equal distances are shown, the last one among them."""
MILLISECONDS = 700


def _given(names: Sequence[str]) -> tuple[str, ...]:
    """The names to write, if everybody has one; else players are numbered."""
    return tuple(names) if all(names) else ()


def svg_of(state: State, last: Ply | None, names: Sequence[str]) -> str:
    """A position as a picture."""
    return state.svg(last_move=last.text if last else None, names=_given(names))


def film_of(stored: StoredGame, entries: Sequence[Entry]) -> bytes:
    """A stored game as a WebP film; raises NotPossible if today's rules cannot replay it."""
    record = record_of(stored, entries)
    try:
        states = list(record.states())
    except BadRecord as error:  # of another version of the rules
        raise NotPossible("bad-record", reason=str(error)) from None
    moves = record.moves
    count = min(len(states), MOST_FRAMES)
    shown = sorted({round(i * (len(states) - 1) / max(1, count - 1)) for i in range(count)})
    scenes = aligned(
        [
            states[ply].variant.game.view.scene(
                states[ply], last_move=moves[ply - 1] if ply else None, names=_given(record.seats)
            )
            for ply in shown
        ]
    )
    cell = min(PIXELS, FILM_SIZE / max(scenes[0].box[2:]))
    return film([svg(scene, cell=cell) for scene in scenes], "webp", MILLISECONDS)
