"""Agents by name: `random`, `greedy`, `mcts:sims=2000`, `mcts:time=1s,threads=2`, `net:sims=800`, `best`, `level:3`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from snakeden.agents.choice import Choice
from snakeden.agents.levels import LEVELS, resolve
from snakeden.agents.players import GreedyAgent, MctsAgent, NetAgent, RandomAgent, Stop
from snakeden.core.errors import MessageError
from snakeden.core.game import Variant
from snakeden.core.state import State
from snakeden.search.thinking import Budget
from snakeden.words import Message


class BadAgent(MessageError):
    """A name that means no agent."""


class Agent(Protocol):
    """Somebody who can be asked for a move."""

    name: str

    def choose(self, state: State, stop: Stop | None = None) -> Choice:
        """A legal move of the player to move, with reasons; once `stop` says so, the best it has."""
        ...


@dataclass(frozen=True)
class _Kind:
    """A kind of agent: which parameters it has and how it is made of them."""

    make: Callable[[str, int, dict[str, str]], Agent]
    keys: frozenset[str]


def _make_random(name: str, seed: int, given: dict[str, str]) -> Agent:
    return RandomAgent(name, seed)


def _make_greedy(name: str, seed: int, given: dict[str, str]) -> Agent:
    slip = _number(name, "slip", given.get("slip", "0"), 0, 1, "probability")
    sees = int(_number(name, "sees", given["sees"], 1, 10**9, "whole_number")) if "sees" in given else None
    return GreedyAgent(name, seed, slip, sees=sees, solve=_yes_or_no(name, "solver", given, default="no"))


def _make_mcts(name: str, seed: int, given: dict[str, str]) -> Agent:
    if not given.keys() & {"sims", "time"}:
        raise BadAgent(Message("agent.no_budget", agent=repr(name)))
    budget, settings = _search_settings(name, given)
    return MctsAgent(name, seed, budget, **settings)


def _make_net(name: str, seed: int, given: dict[str, str]) -> Agent:
    budget, settings = _search_settings(
        name, given if given.keys() & {"sims", "time"} else {**given, "time": "1s"}
    )
    file = Path(given["file"]) if "file" in given else None
    if file is not None and not file.is_file():
        raise _impossible(name, f"file={file}", "net_file")
    wait = _yes_or_no(name, "wait", given)
    mix = _number(name, "mix", given["mix"], 0, 1, "share") if "mix" in given else None
    return NetAgent(name, seed, budget, file=file, wait=wait, mix=mix, **settings)


def _make_best(name: str, seed: int, given: dict[str, str]) -> Agent:
    _search_settings(name, given)  # refuses here what it would refuse in a game
    return _StandIn(name, seed)


def _search_settings(name: str, given: dict[str, str]) -> tuple[Budget, dict[str, Any]]:
    """The budget and the other settings of an agent that searches."""
    sims = seconds = None
    if "sims" in given:
        sims = int(_number(name, "sims", given["sims"], 1, 10**9, "whole_number"))
    if "time" in given:
        seconds = _seconds(name, given["time"])
    cores = str(os.cpu_count() or 1)
    threads = given.get("threads", "1")
    count = int(_number(name, "threads", cores if threads == "all" else threads, 1, 256, "number_or_all"))
    memory = int(_number(name, "memory", given.get("memory", "256"), 1, 10**6, "megabytes"))
    solve = _yes_or_no(name, "solver", given)
    return Budget(sims, seconds), {"threads": count, "memory": memory << 20, "solve": solve}


def _yes_or_no(name: str, key: str, given: dict[str, str], default: str = "yes") -> bool:
    """What a setting says."""
    text = given.get(key, default)
    if text not in ("yes", "no"):
        raise _impossible(name, f"{key}={text}", "yes_or_no")
    return text == "yes"


class _StandIn:
    """A level, or `best`: in each game the agent that it stands for there."""

    def __init__(self, name: str, seed: int) -> None:
        self.name, self._seed = name, seed
        self._agent: Agent | None = None
        self._variant: Variant | None = None

    def choose(self, state: State, stop: Stop | None = None) -> Choice:
        if self._agent is None or self._variant is not state.variant:
            self._variant = state.variant
            self._agent = make(resolve(self.name, state.variant), seed=self._seed)
        return self._agent.choose(state, stop)


_KINDS = {
    "random": _Kind(_make_random, frozenset()),
    "greedy": _Kind(_make_greedy, frozenset({"slip", "sees", "solver"})),
    "mcts": _Kind(_make_mcts, frozenset({"sims", "time", "threads", "memory", "solver"})),
    "best": _Kind(_make_best, frozenset({"time", "threads", "memory", "solver"})),
    "net": _Kind(
        _make_net, frozenset({"sims", "time", "threads", "memory", "solver", "file", "wait", "mix"})
    ),
}


def known_names() -> str:
    """The names there are, for help texts."""
    return str(Message("agent.known", most=len(LEVELS)))


def make(name: str, *, seed: int = 0) -> Agent:
    """The agent of this name; raises BadAgent. With one seed it always chooses alike, unless on time."""
    kind, colon, rest = name.partition(":")
    if kind == "level":
        if not re.fullmatch(f"[1-{len(LEVELS)}]", rest):
            raise BadAgent(Message("agent.levels", agent=repr(name), most=len(LEVELS)))
        return _StandIn(name, seed)
    if kind not in _KINDS or (colon and not rest):
        raise BadAgent(Message("agent.unknown", agent=repr(name), most=len(LEVELS)))
    given: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals or key not in _KINDS[kind].keys or key in given:
            allowed = Message(f"agent.parameters.{kind}")
            raise BadAgent(
                Message("agent.no_parameter", agent=repr(name), part=repr(part), kind=kind, allowed=allowed)
            )
        given[key] = value
    return _KINDS[kind].make(name, seed, given)


def _number(name: str, key: str, text: str, low: float, high: float, wanted: str) -> float:
    whole = key not in ("slip", "mix")
    if re.fullmatch(r"\d{1,10}" if whole else r"\d(\.\d{1,6})?", text) and low <= float(text) <= high:
        return float(text)
    raise _impossible(name, f"{key}={text}", wanted)


def _impossible(name: str, setting: str, wanted: str) -> BadAgent:
    return BadAgent(
        Message(
            "agent.impossible", agent=repr(name), setting=setting, wanted=Message(f"agent.wanted.{wanted}")
        )
    )


def _seconds(name: str, text: str) -> float:
    read = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?)(ms|s|m)", text)
    seconds = float(read[1]) * {"ms": 1e-3, "s": 1.0, "m": 60.0}[read[2]] if read else 0.0
    if not 0 < seconds <= 3600:
        raise _impossible(name, f"time={text}", "time")
    return seconds
