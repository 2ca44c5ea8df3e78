"""Who plays the other seats of a Gymnasium environment: an agent by name, an agent, or a function."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from snakeden import agents
from snakeden.adapters.batch import Batch
from snakeden.adapters.single_game import SingleGame
from snakeden.core.errors import BadOption, IllegalMove

Policy = Callable[[NDArray[np.float32], NDArray[np.int8]], Any]
"""(observation, action mask) -> action. In a vector environment it gets the k games that wait for it at once,
[k, planes, rows, columns] and [k, actions], and returns k actions."""
Opponent = str | agents.Agent | Policy


def check(opponent: Any) -> None:
    """Raises BadOption or BadAgent for what cannot play."""
    if isinstance(opponent, str):
        agents.make(opponent)
    elif not hasattr(opponent, "choose") and not callable(opponent):
        raise BadOption(
            f"opponent={opponent!r} is not possible: allowed is the name of an agent ({agents.known_names()}), "
            "an agent, or a function of observation and action mask"
        )


def _agent(opponent: Opponent, generator: np.random.Generator) -> agents.Agent | None:
    """The agent that plays; None for a function, and for random play, which kernels do."""
    if opponent == "random":
        return None
    if isinstance(opponent, str):
        return agents.make(opponent, seed=int(generator.integers(2**31)))
    return None if not hasattr(opponent, "choose") else cast(agents.Agent, opponent)


def in_single_game(opponent: Opponent, generator: np.random.Generator) -> Callable[[SingleGame], int]:
    """What chooses an action for the seat to move in a game."""
    agent = _agent(opponent, generator)
    if agent is not None:
        return partial(_agent_in_single_game, agent)
    if opponent == "random":
        return SingleGame.sample
    return partial(_policy_in_single_game, cast(Policy, opponent))


def in_batch(
    opponent: Opponent, generator: np.random.Generator
) -> Callable[[Batch, NDArray[np.bool_]], NDArray[Any]]:
    """What chooses an action in each of the games [n] marked; the others' are not looked at."""
    agent = _agent(opponent, generator)
    if agent is not None:
        return partial(_agent_in_batch, agent)
    if opponent == "random":
        return Batch.sample
    return partial(_policy_in_batch, cast(Policy, opponent))


# Functions of modules, so that environments can be pickled.


def _agent_in_single_game(agent: agents.Agent, game: SingleGame) -> int:
    return agent.choose(game.state()).move.code


def _policy_in_single_game(policy: Policy, game: SingleGame) -> int:
    return _number(policy(game.observe(game.player), game.mask()))


def _agent_in_batch(agent: agents.Agent, games: Batch, due: NDArray[np.bool_]) -> NDArray[Any]:
    chosen = np.zeros(games.n, np.int64)
    for i in np.flatnonzero(due).tolist():
        chosen[i] = agent.choose(games.state(i)).move.code
    return chosen


def _policy_in_batch(policy: Policy, games: Batch, due: NDArray[np.bool_]) -> NDArray[Any]:
    waiting = np.flatnonzero(due)
    actions = np.asarray(policy(games.observe()[waiting], games.mask[waiting].view(np.int8)))
    if actions.shape != waiting.shape or actions.dtype.kind not in "iu":
        raise IllegalMove(
            f"the opponent was asked for {len(waiting)} actions,"
            f" and returned {actions.dtype} of shape {actions.shape}"
        )
    chosen = np.zeros(games.n, np.int64)
    chosen[waiting] = actions
    return chosen


def _number(action: Any) -> int:
    try:
        return int(action)
    except (TypeError, ValueError):
        raise IllegalMove(f"the opponent returned {action!r}, which is no action number") from None
