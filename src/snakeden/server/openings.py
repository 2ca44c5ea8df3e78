"""First positions for strangers: options as they come over the network, and no file is opened for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from snakeden.core.game import variant
from snakeden.core.registry import game as find_game
from snakeden.core.state import State


def opening(game: str, options: Mapping[str, Any]) -> State:
    """The first position; raises BadOption, also for the path of a file: a map is sent as text."""
    chosen = variant(find_game(game), options)
    return State(chosen, chosen.game.rules.opening(chosen.tables))
