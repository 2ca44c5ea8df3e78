"""What a client is shown of a position: the picture and the legal moves, compact."""

from __future__ import annotations

from typing import Any

from snakeden.core.state import State
from snakeden.drawing.scene import targets_to_data, to_data


def picture(state: State, last_move: str | None, names: list[str], *, playable: bool) -> dict[str, Any]:
    """The scene, and the legal moves with what they touch; no moves if nobody may play."""
    view = state.variant.game.view
    targets = view.move_targets(state) if playable else ()
    scene = view.scene(state, last_move=last_move, names=tuple(names))
    return {"scene": to_data(scene), "targets": targets_to_data(targets)}
