"""Every game as a PettingZoo environment, in which agents act in turn.

>>> from snakeden.adapters.pettingzoo import env
>>> table = env("snekagon-5g", players=3, render_mode="ansi")

Agents are `player_0`, `player_1`, …. An observation is an array of planes (see `observations`); which
actions are legal says `info["action_mask"]`. Dice are rolled inside, by a generator that `reset(seed=…)`
seeds. An agent may act several times in a row. Rewards come at the end, see `rewards.rewards`. An illegal
action ends the game: whoever chose it gets the lowest reward there is and is told why in `info["illegal"]`;
the others get 0.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from snakeden.adapters import actions, rendering
from snakeden.adapters.observations import observe, shape
from snakeden.adapters.rewards import reward_range, rewards
from snakeden.core.errors import IllegalMove
from snakeden.core.game import CHANCE
from snakeden.core.moves import Move
from snakeden.core.state import State, new_game


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801 - PettingZoo's own name for it
    """A game without PettingZoo's wrappers, which check how the environment is used."""

    def __init__(self, game: str, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        rendering.check_mode(render_mode)
        self.render_mode = render_mode
        self._start = new_game(game, **options)
        self.metadata = {
            "render_modes": rendering.MODES,
            "name": f"{game.replace('-', '_')}_v0",
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self._start.seats)]
        box = spaces.Box(0, 1, shape(self._start.variant), np.float32)
        count = actions.count(self._start)
        self.observation_spaces: dict[str, spaces.Space[Any]] = dict.fromkeys(self.possible_agents, box)
        # One space each: agents that are seeded differently draw differently.
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Discrete(count) for agent in self.possible_agents
        }
        self._no_mask = np.zeros(count, np.int8)
        self._generator = random.Random()

    @property
    def state_of_play(self) -> State:
        """The position, as the rest of Snakeden knows it."""
        return self._state

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> NDArray[np.float32]:
        return observe(self._state, self.possible_agents.index(agent))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._generator = random.Random(seed)
        self._last_move: Move | None = None
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._go_on(self._start)

    def _go_on(self, state: State) -> None:
        """Roll what is to be rolled; then it is the next agent's turn, or the end."""
        while state.player == CHANCE:
            state = state.play(state.roll(self._generator))
        self._state = state
        self.infos: dict[str, dict[str, Any]] = self._no_actions()
        if state.player is None:
            self._end(rewards(state.scores()).tolist())
        else:
            self.agent_selection = self.possible_agents[state.player]
            self.infos[self.agent_selection]["action_mask"] = actions.mask(state)
        if self.render_mode == "human":
            self.render()

    def _no_actions(self) -> dict[str, dict[str, Any]]:
        return {agent: {"action_mask": self._no_mask} for agent in self.agents}

    def _end(self, worth: list[float]) -> None:
        self.terminations = dict.fromkeys(self.agents, True)
        self.rewards = dict(zip(self.agents, worth, strict=True))

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        try:
            if action is None:
                raise IllegalMove("an action is a number, and None is none")
            move = actions.move(self._state, int(action))
        except IllegalMove as error:
            worth = [reward_range(self._state.variant)[0] if other == agent else 0.0 for other in self.agents]
            self._end(worth)
            self.infos = self._no_actions()
            self.infos[agent]["illegal"] = str(error)
        else:
            self._last_move = move
            self._go_on(self._state.play(move))
        self._accumulate_rewards()

    def render(self) -> str | NDArray[Any] | None:
        return rendering.render(self._state, self.render_mode, self._last_move)

    def close(self) -> None:
        """There is nothing to close: no window was opened."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


def env(game: str, render_mode: str | None = None, **options: Any) -> AECEnv:
    """The game as an environment that checks how it is used; options are the game's. Raises BadOption."""
    return wrappers.OrderEnforcingWrapper(raw_env(game, render_mode=render_mode, **options))
