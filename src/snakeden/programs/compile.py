"""Compiles the program of a variant: `python -m snakeden.programs.compile [--gives-way] PART GAME [OPTION=VALUE …]`."""

from __future__ import annotations

import gc
import os
import sys

from snakeden.core.game import variant
from snakeden.core.registry import game as find_game
from snakeden.programs.contents import PARTS
from snakeden.programs.cpu import compile_here
from snakeden.programs.specification import specification


def main(arguments: list[str]) -> None:
    if arguments[0] == "--gives-way":
        arguments = arguments[1:]
        if hasattr(os, "nice"):
            os.nice(10)
    # Numba makes millions of objects that all live until the end; looking for garbage among them finds none.
    gc.disable()
    # Nor does anybody read the ten thousand messages that it marks up while it tries what fits.
    os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")
    asked, name, *options = arguments
    part = PARTS[PARTS.index(asked)]
    game = find_game(name)
    given = dict(argument.partition("=")[::2] for argument in options)
    chosen = variant(game, {name: game.option(name).read(value) for name, value in given.items()})
    compile_here(specification(chosen), part)


if __name__ == "__main__":
    main(sys.argv[1:])
