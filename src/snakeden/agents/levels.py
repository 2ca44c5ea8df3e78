"""What the levels stand for, from beginner to best."""

from __future__ import annotations

import re

from snakeden.core.game import Variant
from snakeden.nets import evaluator
from snakeden.words import Message

LEVELS = (
    "greedy:sees=6,solver=yes",
    "mcts:sims=12",
    "mcts:sims=100",
    "mcts:sims=600",
    "mcts:sims=7000",
    "net:sims=2000,time=5s,wait=no",
)
"""What `level:1` to `level:6` stand for in a game whose folder has no `levels.py`. The time is for slow machines and
wide games. Where there is no network for a game, or no ONNX Runtime, the highest level is `mcts:sims=60000,time=5s`."""
BEST_TIME = "time=1s"
"""How long `best` thinks where it does not say."""


def resolve(name: str, variant: Variant) -> str:
    """The name of the agent that a level, or `best` with its settings, stands for in this game; any other name as it
    is."""
    kind, _, settings = name.partition(":")
    if kind == "best":
        settings = settings or BEST_TIME
        return f"net:{settings},wait=no" if thinks_with_net(variant) else f"mcts:{settings}"
    found = re.fullmatch(f"level:([1-{len(LEVELS)}])", name)
    if found is None:
        return name
    own = variant.game.part("levels")
    levels = own.levels(variant) if own is not None else LEVELS
    return str(levels[int(found[1]) - 1])


def thinks_with_net(variant: Variant) -> bool:
    """Whether the highest level thinks with the package's network here."""
    return uses_net(f"level:{len(LEVELS)}", variant)


def uses_net(name: str, variant: Variant) -> bool:
    """Whether the agent of this name, or the one that it stands for, thinks with the package's network here."""
    return resolve(name, variant).startswith("net") and evaluator.is_installed() and evaluator.serves(variant)


def about_highest(variant: Variant, *, nets: bool) -> Message:
    """What to know of the highest level where networks can run, or where they cannot."""
    asks_net = resolve(f"level:{len(LEVELS)}", variant).startswith("net")
    # Where networks cannot run, as in the page, their files need not be there.
    has_net = asks_net and (not nets or bool(evaluator.shipped(variant.game)))
    kind = "search" if not has_net else "net" if nets else "without_net"
    return Message(f"agent.highest.{kind}", n=len(LEVELS))
