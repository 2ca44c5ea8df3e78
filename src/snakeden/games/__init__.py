"""The games. Each folder stands alone and imports none of the others."""

import sys
from types import ModuleType

from snakeden.core.game import Game
from snakeden.core.registry import games


class _Callable(ModuleType):
    """`snakeden.games` is this folder and also, as promised, the function that lists the games: importing a folder
    makes it an attribute of its parent, so the folder has to answer the call."""

    def __call__(self) -> dict[str, Game]:
        return games()


sys.modules[__name__].__class__ = _Callable
