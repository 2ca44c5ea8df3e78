"""The WebAssembly modules that lie in the package, and what is written beside them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from snakeden.core.game import Game

FOLDER = Path(__file__).resolve().parent / "modules"


def module_files(game_id: str) -> tuple[Path, Path]:
    """A game's module and the description beside it."""
    return FOLDER / f"{game_id}.wasm", FOLDER / f"{game_id}.json"


@cache
def description(game: Game) -> dict[str, Any] | None:
    """What is known of the game's module; None where there is none."""
    file = module_files(game.id)[1]
    if not file.is_file():
        return None
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found
