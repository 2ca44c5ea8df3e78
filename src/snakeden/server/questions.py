"""What an engine is asked, wherever it thinks: in a process of the server or in a browser. `worker.answer` answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from snakeden.core.state import State


def to_choose(
    state: State, agent: str, seconds: float, names: Sequence[str] = (), keep: str = ""
) -> dict[str, Any]:
    """What the agent would play within these seconds. Whoever wants to know what its move does gives the players'
    names; `keep` names what it goes on thinking about when it is asked by that name again."""
    return {
        "do": "choose",
        "game": state.game,
        "state": state.text,
        "agent": agent,
        "seconds": seconds,
        "names": list(names),
        "keep": keep,
    }
