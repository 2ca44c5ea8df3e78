"""How Python starts in a browser: from a picture of its memory, taken when the site is built.

`prepare` runs at the building, with everything imported that answering needs and the tables of the usual games made.
In the browser only the ends are joined: `join_programs`, then `app` or `engine`.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Awaitable, Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from snakeden.site import arrays

USUAL: dict[str, tuple[dict[str, Any], ...]] = {"snakey-dice": ({}, {"players": 2})}
"""The options by which games begin most often; of those not named here it is the default."""

_UNUSED = ("printed",)
"""Modules of games that nobody asks for here."""


def prepare(instance: Callable[[str], Any]) -> None:
    """Import and make what is needed at first. `instance` is let go again: nothing of JavaScript may remain."""
    modules: Any = sys.modules
    modules["numpy"], modules["numpy.typing"] = arrays, arrays.typing
    os.environ["SNAKEDEN_TARGET"] = "browser"
    join_programs(instance)
    for name in ("site.app", "server.worker", "server.study", "programs.browser", "drawing.svg"):
        import_module(f"snakeden.{name}")
    from snakeden import agents
    from snakeden.core.registry import games
    from snakeden.server.catalogue import about_games
    from snakeden.server.openings import opening
    from snakeden.server.study import all_lessons, all_puzzles
    from snakeden.server.view import picture
    from snakeden.words import catalogue

    # Files are not there in the browser: modules are imported and data are read now.
    for game in games().values():
        for module in iter_modules(import_module(game.package).__path__):
            if module.name not in _UNUSED:
                game.part(module.name)
    catalogue("en")
    about_games(page_thinks=False)
    all_lessons()
    all_puzzles()
    variants = [opening(game, options) for game in games() for options in USUAL.get(game, ({},))]
    for state in variants:
        picture(state, None, playable=False)
        state.svg()
        while state.chance_moves():
            state = state.play(state.chance_moves()[0][0])
        choice = agents.make("mcts:sims=2,memory=1").choose(state)
        agents.effects(state, choice.move)
        picture(state.play(choice.move), choice.move.text, playable=True)
        vars(state.variant).pop("_shared")
    del state, choice, variants
    join_programs(None)
    gc.collect()
    # All of this stays: collecting need not look through it.
    gc.freeze()


def join_programs(instance: Callable[[str], Any] | None) -> None:
    """Let this Python run the games' modules."""
    browser: Any = import_module("snakeden.programs.browser")
    browser.instance = instance


def app(kept: Any, workers: int, ask: Callable[[int, str], Awaitable[str]]) -> Any:
    """What answers the page."""
    return import_module("snakeden.site.app").App(kept, workers, ask)


_MEGABYTES = 512
"""For all that an engine's worker keeps of games."""


def engine() -> Callable[[str], str]:
    """What answers an engine's questions."""
    worker: Any = import_module("snakeden.server.worker")
    kept = worker.Kept(_MEGABYTES)

    def answer(question: str) -> str:
        found = json.dumps(worker.answer(json.loads(question), kept))
        # An agent that is not kept any more has a large memory in JavaScript, of which Python knows nothing.
        gc.collect()
        return found

    return answer
