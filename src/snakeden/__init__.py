"""Snakeden: the home of the snake-building board games.

>>> import snakeden
>>> state = snakeden.new_game("snekagon", side=3)
>>> state = state.play("c3").play("a1-a2")
>>> state.player, state.scores()
(0, (1, 2))
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from snakeden.adapters.batch import batch
    from snakeden.core.check import check_game
    from snakeden.core.errors import BadOption, BadRecord, BadText, IllegalMove, UnreadableMove
    from snakeden.core.game import CHANCE, Game
    from snakeden.core.moves import Move, Moves
    from snakeden.core.options import Option
    from snakeden.core.outcome import Outcome, Withdrawal
    from snakeden.core.registry import games
    from snakeden.core.state import State, new_game, restore
    from snakeden.records import Record

# Loaded on first use, so that `import snakeden` costs nothing and does not load Numba.
_MODULES = {
    "BadOption": "core.errors",
    "BadRecord": "core.errors",
    "BadText": "core.errors",
    "CHANCE": "core.game",
    "Game": "core.game",
    "IllegalMove": "core.errors",
    "Move": "core.moves",
    "Moves": "core.moves",
    "Option": "core.options",
    "Outcome": "core.outcome",
    "Record": "records",
    "State": "core.state",
    "UnreadableMove": "core.errors",
    "Withdrawal": "core.outcome",
    "batch": "adapters.batch",
    "check_game": "core.check",
    "games": "core.registry",
    "new_game": "core.state",
    "restore": "core.state",
}

__all__ = [
    "CHANCE",
    "BadOption",
    "BadRecord",
    "BadText",
    "Game",
    "IllegalMove",
    "Move",
    "Moves",
    "Option",
    "Outcome",
    "Record",
    "State",
    "UnreadableMove",
    "Withdrawal",
    "batch",
    "check_game",
    "games",
    "new_game",
    "restore",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'snakeden' has no attribute {name!r}")
    value = getattr(import_module(f"snakeden.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
