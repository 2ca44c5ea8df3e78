"""Pictures and films of games, to be shared."""

from __future__ import annotations

from collections.abc import Sequence

from snakeden.core.outcome import Outcome
from snakeden.drawing.image import film
from snakeden.drawing.scene import aligned
from snakeden.drawing.svg import PIXELS, svg
from snakeden.records import Record
from snakeden.server.line import Line

FILM_SIZE = 640
"""The most pixels that a film is wide or high."""
MOST_FRAMES = 60
"""Of a longer game, positions at equal distances are shown, the last one among them."""
MILLISECONDS = 700


def _given(names: Sequence[str]) -> tuple[str, ...]:
    """The names to write, if everybody has one; else players are numbered."""
    return tuple(names) if all(names) else ()


def svg_of(line: Line, names: Sequence[str], outcome: Outcome | None) -> str:
    """How a game stands, as a picture."""
    last = line.ply.text if line.ply else None
    return line.state.svg(last_move=last, names=_given(names), outcome=outcome)


def film_of(record: Record) -> bytes:
    """A game as a WebP film; raises BadRecord if today's rules cannot replay it."""
    states = list(record.states())
    moves = record.moves
    count = min(len(states), MOST_FRAMES)
    shown = sorted({round(i * (len(states) - 1) / max(1, count - 1)) for i in range(count)})
    scenes = aligned(
        [
            states[ply].variant.game.view.scene(
                states[ply],
                last_move=moves[ply - 1] if ply else None,
                names=_given(record.seats),
                outcome=record.outcome if ply == len(moves) else None,
            )
            for ply in shown
        ]
    )
    cell = min(PIXELS, FILM_SIZE / max(scenes[0].box[2:]))
    return film([svg(scene, cell=cell) for scene in scenes], "webp", MILLISECONDS)
