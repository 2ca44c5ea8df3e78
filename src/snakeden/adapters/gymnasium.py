"""Every game as a Gymnasium environment: one seat acts, agents of the house play the others.

>>> import gymnasium
>>> import snakeden.adapters.gymnasium
>>> env = gymnasium.make("snakeden/snekagon-v0", opponent="greedy", side=4)
>>> alone = gymnasium.make("snakeden/snakey-dice-v0")

The import registers `snakeden/<game>-v0` for every game of the house. An observation is an array of planes
(see `observations`); which actions are legal says `info["action_mask"]`, and `info["scores"]` how it
stands. The reward comes at the end, see `rewards.rewards`. An illegal action does not raise: it ends the
episode with the lowest reward there is (-1, alone the lowest score there can be), and `info["illegal"]` says
why.
"""

from __future__ import annotations

from typing import Any, SupportsFloat

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from snakeden import agents
from snakeden.adapters import actions, rendering
from snakeden.adapters.observations import observe, shape
from snakeden.adapters.rewards import reward_range, rewards
from snakeden.core.errors import BadOption, IllegalMove
from snakeden.core.game import CHANCE
from snakeden.core.moves import Move
from snakeden.core.registry import games
from snakeden.core.state import State, new_game


class GameEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """A game in which the environment's user has one seat; options are the game's."""

    metadata = {"render_modes": rendering.MODES, "render_fps": 2}  # noqa: RUF012 - Gymnasium's own way

    def __init__(
        self,
        game: str,
        opponent: str = "random",
        seat: int = 0,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        rendering.check_mode(render_mode)
        self.render_mode = render_mode
        self._start = self._state = new_game(game, **options)
        if not 0 <= seat < self._start.seats:
            raise BadOption(f"seat={seat} is not possible: allowed is 0 to {self._start.seats - 1}")
        agents.make(opponent)  # a bad name is told now, not at the first move
        self._opponent, self._seat = opponent, seat
        self._others: dict[int, agents.Agent] = {}
        self._last_move: Move | None = None
        self.observation_space = spaces.Box(0, 1, shape(self._start.variant), np.float32)
        self.action_space = spaces.Discrete(actions.count(self._start))

    @property
    def state_of_play(self) -> State:
        """The position, as the rest of Snakeden knows it."""
        return self._state

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed)
        self._others = {
            other: agents.make(self._opponent, seed=int(self.np_random.integers(2**31)))
            for other in range(self._start.seats)
            if other != self._seat
        }
        self._last_move = None
        self._go_on(self._start)
        return self._told()

    def _go_on(self, state: State) -> None:
        """Roll dice and let the others move until it is this seat's turn or the game is over."""
        while state.player is not None and state.player != self._seat:
            if state.player == CHANCE:
                move = state.roll(self.np_random)
            else:
                move = self._last_move = self._others[state.player].choose(state).move
            state = state.play(move)
        self._state = state
        if self.render_mode == "human":
            self.render()

    def _told(self) -> tuple[NDArray[np.float32], dict[str, Any]]:
        info = {"action_mask": actions.mask(self._state), "scores": list(self._state.scores())}
        return observe(self._state, self._seat), info

    def step(self, action: np.int64) -> tuple[NDArray[np.float32], SupportsFloat, bool, bool, dict[str, Any]]:
        try:
            move = actions.move(self._state, int(action))
        except IllegalMove as error:
            planes, info = self._told()
            return planes, reward_range(self._state.variant)[0], True, False, {**info, "illegal": str(error)}
        self._last_move = move
        self._go_on(self._state.play(move))
        planes, info = self._told()
        over = self._state.is_over
        reward = float(rewards(self._state.scores())[self._seat]) if over else 0.0
        return planes, reward, over, False, info

    def render(self) -> Any:
        return rendering.render(self._state, self.render_mode, self._last_move)


for _game in games():
    gymnasium.register(f"snakeden/{_game}-v0", f"{__name__}:GameEnv", kwargs={"game": _game})
