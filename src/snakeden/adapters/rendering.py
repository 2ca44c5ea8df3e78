"""Pictures of positions in the modes that Gymnasium and PettingZoo know."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakeden.core.moves import Move
from snakeden.core.state import State

MODES = ["ansi", "svg", "rgb_array", "human"]
"""Text with colours, an SVG file's text, pixels [height, width, 3], and the text printed on the terminal."""


def check_mode(mode: str | None) -> None:
    if mode is not None and mode not in MODES:
        raise ValueError(
            f"render_mode={mode!r} is not possible: allowed is None or one of {', '.join(MODES)}"
        )


def render(state: State, mode: str | None, last_move: Move | str | None = None) -> str | NDArray[Any] | None:
    """The position in this mode; None where it is printed, and without a mode."""
    if mode is None:
        return None
    if mode == "svg":
        return state.svg(last_move=last_move)
    if mode == "rgb_array":
        return _pixels(state.svg(last_move=last_move))
    from rich.console import Console

    from snakeden.drawing import terminal

    text = terminal.text(state.variant.game.view.scene(state, last_move))
    if mode == "human":
        Console().print(text, soft_wrap=True)
        return None
    written = io.StringIO()
    Console(file=written, force_terminal=True, color_system="truecolor").print(text, soft_wrap=True)
    return written.getvalue()


def _pixels(svg: str) -> NDArray[Any]:
    from PIL import Image

    from snakeden.drawing.image import png

    return np.array(Image.open(io.BytesIO(png(svg, 1.0))).convert("RGB"))
