"""Every game as a PettingZoo environment, in which agents act in turn.

>>> from snakeden.adapters.pettingzoo import env
>>> game = env("snekagon-5g", players=3, render_mode="ansi")

Agents are `player_0`, `player_1`, …. An observation is a dictionary: `observation` is an array of planes (see
`observations`), `action_mask` has a 1 for each legal action. The mask is in `info["action_mask"]`, too. Agents that
are not to move have no legal action; at the end every mask is all ones, so that a policy is defined there. Dice are
rolled inside, by a generator that `reset(seed=…)` seeds; `reset(options={"state": …})` starts from a position. An
agent may act several times in a row. Rewards come at the end, see `rewards.rewards`. An illegal action ends the game:
whoever chose it gets the lowest reward there is and the reason in `info["illegal"]`; the others get 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from snakeden.adapters import rendering
from snakeden.adapters.rewards import reward_range, rewards
from snakeden.adapters.single_game import SingleGame, start_of
from snakeden.core.errors import IllegalMove
from snakeden.core.game import OVER
from snakeden.core.state import State, new_game

Observation = dict[str, NDArray[Any]]


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801 - PettingZoo's own name for it
    """A game without PettingZoo's wrappers, which check how the environment is used."""

    def __init__(self, game: str, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        rendering.check_mode(render_mode)
        self.render_mode = render_mode
        self._game = SingleGame(new_game(game, **options).variant)
        self.metadata = {
            "render_modes": rendering.MODES,
            "name": f"{game.replace('-', '_')}_v0",
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self._game.seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        count = self._game.actions
        seen = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, self._game.shape, np.float32),
                "action_mask": spaces.Box(0, 1, (count,), np.int8),
            }
        )
        self.observation_spaces: dict[str, spaces.Space[Any]] = dict.fromkeys(self.possible_agents, seen)
        # One space each: agents that are seeded differently draw differently.
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Discrete(count) for agent in self.possible_agents
        }

    @property
    def state_of_play(self) -> State:
        """The position, as the rest of Snakeden knows it."""
        return self._game.state()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Planes and the mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """All action numbers."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """The position as an agent sees it, and what it may do."""
        return {
            "observation": self._game.observe(self._seats[agent]),
            "action_mask": self.infos[agent]["action_mask"],
        }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start anew; `options["state"]`, a state or its text, is where to start."""
        start = start_of(options, self._game.variant)
        if seed is not None:
            self._game.seed(seed)
        self._game.begin(start)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: self._idle() for agent in self.agents}
        self.agent_selection = self.possible_agents[0]
        self._go_on()

    def _idle(self) -> dict[str, Any]:
        return {"action_mask": np.zeros(self._game.actions, np.int8)}

    def _go_on(self) -> None:
        """It is the next agent's turn, or the end."""
        player = self._game.player
        if player == OVER:
            self._end(rewards(self._game.scores()).tolist())
        else:
            agent = self.possible_agents[player]
            if agent != self.agent_selection:
                self.infos[self.agent_selection] = self._idle()
                self.agent_selection = agent
            self.infos[agent] = {"action_mask": self._game.mask()}
        if self.render_mode == "human":
            self.render()

    def _end(self, worth: list[float]) -> None:
        self.terminations = dict.fromkeys(self.agents, True)
        self.rewards = dict(zip(self.agents, worth, strict=True))
        ones = np.ones(self._game.actions, np.int8)
        self.infos = {agent: {"action_mask": ones.copy()} for agent in self.agents}
        self._accumulate_rewards()

    def step(self, action: int | None) -> None:
        """Play the action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        try:
            if action is None:
                raise IllegalMove("an action is a number, and None is none")
            self._game.play(int(action))
        except IllegalMove as error:
            lowest = reward_range(self._game.variant)[0]
            self._end([lowest if other == agent else 0.0 for other in self.agents])
            self.infos[agent]["illegal"] = str(error)
        else:
            # Rewards come at the end only, so there is nothing to add up before it.
            self._go_on()

    def render(self) -> str | NDArray[Any] | None:
        """A picture in the mode that was asked for."""
        return rendering.render(self._game.state(), self.render_mode, self._game.last_text())

    def close(self) -> None:
        """There is nothing to close: no window was opened."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


class _Checked(wrappers.OrderEnforcingWrapper):  # type: ignore[misc]
    """PettingZoo's wrapper, which looks attributes up by name, one by one. What every turn needs is at hand here."""

    # Before `reset` neither is there, and PettingZoo's wrapper says so.

    @property
    def agents(self) -> list[str]:
        """The agents that are still in the game."""
        return self.env.agents  # type: ignore[no-any-return]

    @property
    def agent_selection(self) -> str:
        """The agent whose turn it is."""
        return self.env.agent_selection  # type: ignore[no-any-return]

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward, termination, truncation and info of the agent whose turn it is."""
        if not self._has_reset:
            return super().last(observe)  # type: ignore[no-any-return]
        last: tuple[Observation | None, float, bool, bool, dict[str, Any]] = self.env.last(observe)
        return last


def env(game: str, render_mode: str | None = None, **options: Any) -> AECEnv:
    """The game as an environment that checks how it is used; options are the game's. Raises BadOption."""
    return _Checked(raw_env(game, render_mode=render_mode, **options))
