"""What programs contain: for each part, the places in the package that have kernels to compile with a game's.

Each place is a function `entries(game) -> dict of Entry`. Some stand above this package, so they are looked up only
where a program is built or loaded.
"""

from __future__ import annotations

from importlib import import_module
from typing import Literal, get_args

from snakeden.core.game import Game
from snakeden.programs.abi import Entry

Part = Literal["play", "study", "batch"]
"""What people and engines need, what benchmarks and `perft` need, and what learners need. They are compiled apart,
since few need them all."""
PARTS: tuple[Part, ...] = get_args(Part)

CONTENTS: dict[Part, tuple[str, ...]] = {
    "play": ("snakeden.programs.rules:entries", "snakeden.search.entries:entries"),
    "study": ("snakeden.search.entries:study_entries",),
    "batch": ("snakeden.adapters.batch_entries:entries", "snakeden.programs.random_games:entries"),
}


def contents(game: Game, part: Part) -> dict[str, Entry]:
    """Everything that this part of a game's program offers, by name."""
    found: dict[str, Entry] = {}
    for place in CONTENTS[part]:
        module, _, name = place.partition(":")
        found |= getattr(import_module(module), name)(game)
    return found
