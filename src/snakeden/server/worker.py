"""The process in which engines think: a question a line in, an answer a line out."""

from __future__ import annotations

import json
import os
import re
import secrets
import sys
import time
import traceback
from collections import OrderedDict
from importlib import import_module
from pathlib import Path
from typing import Any

from snakeden import agents
from snakeden.core.state import restore
from snakeden.server.errors import Refused
from snakeden.server.openings import play_through
from snakeden.words import to_data

_AGENT_MEGABYTES = 64
"""For the tree of one agent, and its solver's table."""
STUDY = frozenset({"look", "judged", "film"})
"""Functions of `snakeden.server.study` that take long."""
_EXPLAINED = 3
"""The lines of advice whose moves come with what they do."""


def _limit_memory(megabytes: int) -> None:
    """At most this much memory beyond what the process has now, where the system can say so. Address space that is
    only reserved does not count: WebAssembly reserves gigabytes of it."""
    try:
        import resource

        found = re.search(r"VmData:\s+(\d+) kB", Path("/proc/self/status").read_text())
        now = int(found[1]) * 1024 if found else 0
        most = now + megabytes * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    except (ImportError, OSError, ValueError):
        return


def sized(name: str) -> str:
    """An agent's name with the memory that it may have here."""
    kind, colon, _ = name.partition(":")
    if kind not in ("mcts", "net"):
        return name
    return f"{name}{',' if colon else ':'}memory={_AGENT_MEGABYTES}"


class Kept:
    """Agents that go on with what they know of a game, as many as fit into the memory; the longest unused go first."""

    def __init__(self, megabytes: int) -> None:
        # Beside its tree an agent needs the tree that it is carried over to; the rest is for who thinks now.
        self._most = max(1, megabytes // (3 * _AGENT_MEGABYTES))
        self._agents: OrderedDict[str, tuple[str, agents.Agent]] = OrderedDict()

    def agent(self, key: str, name: str) -> tuple[agents.Agent, bool]:
        """The agent for these questions, and whether it has been asked before."""
        found = self._agents.pop(key, None)
        known = found is not None and found[0] == name
        agent = found[1] if found and known else agents.make(sized(name), seed=secrets.randbits(63))
        if key:
            self._agents[key] = (name, agent)
            while len(self._agents) > self._most:
                self._agents.popitem(last=False)
        return agent, known

    def clear(self) -> None:
        self._agents.clear()


def _choose(question: dict[str, Any], kept: Kept) -> dict[str, Any]:
    state = restore(question["state"])
    agent, known = kept.agent(question.get("keep", ""), agents.resolve(question["agent"], state.variant))
    end = time.monotonic() + question["seconds"]
    choice = agent.choose(state, lambda: time.monotonic() > end)
    seat = state.player
    assert seat is not None
    # Only who asks for advice gives the names to speak of.
    names = tuple(question.get("names", ()))
    explained = [choice.move, *(line.move for line in choice.reasons.lines[:_EXPLAINED])] if names else []
    does = {move: [to_data(one) for one in agents.effects(state, move)] for move in explained}
    said = choice.words(seat, say=lambda move: state.variant.game.spoken(move.text))
    return {
        "move": choice.move.text,
        "known": known,
        "words": [to_data(sentence) for sentence in said],
        "does": does.get(choice.move, ()),
        "lines": [
            {
                "move": line.move.text,
                "does": does.get(line.move, ()),
                "wins": list(line.wins),
                "scores": list(line.scores),
                "proven": line.proven,
                "main": [move.text for move in line.main[:12]],
            }
            for line in choice.reasons.lines
        ],
    }


def answer(question: dict[str, Any], kept: Kept) -> dict[str, Any]:
    """The answer to one question; an error is one too, by its key."""
    try:
        if question["do"] == "choose":
            return _choose(question, kept)
        if question["do"] in STUDY:
            # Only who studies needs it.
            studying = import_module("snakeden.server.study")
            found: dict[str, Any] = getattr(studying, question["do"])(question["game"], *question["about"])
            return found
        play_through(question["game"])
        return {}
    except Refused as error:
        return {"error": {"refused": type(error).__name__, "message": to_data(error.message)}}
    except ValueError as error:
        return {"error": {"key": "engine-refused", "reason": to_data(getattr(error, "message", str(error)))}}
    except MemoryError:
        kept.clear()
        return {"error": {"key": "engine-memory"}}
    except Exception:
        # A mistake in one engine must not cost the next question a new process.
        traceback.print_exc()
        return {"error": {"key": "engine-failed"}}


def main() -> None:
    megabytes = int(sys.argv[1])
    _limit_memory(megabytes)
    kept = Kept(megabytes)
    if hasattr(os, "nice"):
        os.nice(10)  # answering people comes first
    # Whatever a library prints must not be taken for an answer.
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    for line in sys.stdin:
        out.write(json.dumps(answer(json.loads(line), kept)) + "\n")


if __name__ == "__main__":
    main()
