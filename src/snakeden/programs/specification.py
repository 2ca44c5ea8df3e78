"""Which program plays a variant: the game, the numbers fixed in it, and the layout of its tables."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from snakeden.core.game import Game, Variant
from snakeden.programs.blocks import block_type, packed


@dataclass(frozen=True, eq=False)
class Specification:
    """What a program is compiled for. Variants that differ in nothing of this share it."""

    game: Game
    constants: Mapping[str, int]
    """The numbers of the tables that stand in the code."""
    block: np.dtype[Any]
    state: np.dtype[Any]

    @cached_property
    def name(self) -> str:
        """A name that no other program has."""
        identity = f"{sorted(self.constants.items())} {self.block.descr} {self.state}"
        return f"{self.game.package.rpartition('.')[2]}-{hashlib.sha256(identity.encode()).hexdigest()[:12]}"


_known: WeakKeyDictionary[Variant, Specification] = WeakKeyDictionary()


def specification(variant: Variant) -> Specification:
    """The program that plays this variant."""
    found = _known.get(variant)
    if found is None:
        found = _known[variant] = _specification(variant)
    return found


def _specification(variant: Variant) -> Specification:
    layout, tables = import_module(f"{variant.game.package}.kernels.layout"), variant.tables
    constants = {name: int(getattr(tables, name)) for name in layout.constants(tables)}
    state = np.dtype(variant.game.rules.DTYPE)
    return Specification(variant.game, constants, block_type(tables, layout.capacity(tables)), state)


def block(variant: Variant) -> Any:
    """The variant's tables as its program reads them."""
    layout = import_module(f"{variant.game.package}.kernels.layout")
    return packed(variant.tables, layout.capacity(variant.tables))
