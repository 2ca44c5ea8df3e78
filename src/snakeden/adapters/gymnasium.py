"""Every game as a Gymnasium environment: one seat acts, the opponents given play the others.

>>> import gymnasium
>>> env = gymnasium.make("snakeden/snekagon-v0", opponent="greedy", side=4)
>>> alone = gymnasium.make("snakeden/snakey-dice-v0")
>>> many = gymnasium.make_vec("snakeden/snakey-dice-v0", num_envs=64)

`import gymnasium` registers `snakeden/<game>-v0` for every game of the house (see `gymnasium_registration`), and so
does the import of this module.

An observation is an array of planes (see `observations`); which actions are legal say `action_masks()` and
`info["action_mask"]`, all ones at the end, so that a policy is defined there. `info["scores"]` says how it stands and
`info["seat"]` which seat acts. The reward comes at the end. An illegal action does not raise: it ends the episode with
the lowest reward there is, and `info["illegal"]` says why.
"""

from __future__ import annotations

from operator import index
from typing import Any, Literal, SupportsFloat, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from snakeden.adapters import gymnasium_registration, opponents, rendering
from snakeden.adapters.opponents import Opponent
from snakeden.adapters.rewards import Reward, check_reward, final_rewards, lowest_reward
from snakeden.adapters.single_game import SingleGame, start_of
from snakeden.core.errors import BadOption, IllegalMove
from snakeden.core.game import OVER
from snakeden.core.state import State, new_game

Seat = SupportsIndex | Literal["random"]

_TRIES = 1000
"""Games that may end before the seat's first turn, one after the other."""


def check_seat(seat: Any, seats: int) -> None:
    """Raises BadOption for a seat that nobody can have."""
    if isinstance(seat, str) and seat == "random":
        return
    try:
        possible = 0 <= index(seat) < seats
    except TypeError:
        possible = False
    if not possible:
        raise BadOption(f"seat={seat!r} is not possible: allowed is 0 to {seats - 1}, or 'random'")


class GameEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """A game in which the environment's user has one seat; options are the game's.

    `opponent` plays the other seats: an agent's name, an agent, or a function of observation and action mask that
    returns an action. `seat` is the user's, or "random" for another one each game. `reward` is "outcome" (see
    `rewards.rewards`) or "margin", the lead over the best other. Raises BadOption.
    """

    metadata = {"render_modes": rendering.MODES, "render_fps": 2}  # noqa: RUF012 - Gymnasium's own way

    def __init__(
        self,
        game: str,
        opponent: Opponent = "random",
        seat: Seat = 0,
        reward: Reward = "outcome",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        rendering.check_mode(render_mode)
        self.render_mode = render_mode
        self._game = SingleGame(new_game(game, **options).variant)
        check_seat(seat, self._game.seats)
        check_reward(reward)
        opponents.check(opponent)  # raises now, not at the first move
        self._opponent, self._seat_asked, self._reward = opponent, seat, reward
        self._seat = 0
        self.observation_space = spaces.Box(0, 1, self._game.shape, np.float32)
        self.action_space = spaces.Discrete(self._game.actions)

    @property
    def state_of_play(self) -> State:
        """The position, as the rest of Snakeden knows it."""
        return self._game.state()

    def action_masks(self) -> NDArray[np.bool_]:
        """[actions] whether an action is legal now, under the name that sb3-contrib asks for."""
        return self._game.mask().view(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start anew; `options["state"]`, a state or its text, is where to start."""
        super().reset(seed=seed)
        start = start_of(options, self._game.variant)
        if seed is not None:
            self._game.seed(int(self.np_random.integers(2**63)))
        self._others = [
            opponents.in_single_game(self._opponent, self.np_random) for _ in range(self._game.seats - 1)
        ]
        for _ in range(_TRIES):
            self._seat = self._drawn_seat()
            self._game.begin(start)
            self._go_on()
            if self._game.player != OVER:
                return self._observed()
        raise BadOption("the game ends before the seat has a turn, however often it is begun")

    def _drawn_seat(self) -> int:
        if self._seat_asked == "random":
            return int(self.np_random.integers(self._game.seats))
        return index(self._seat_asked)

    def _go_on(self) -> None:
        """Let the others move until it is this seat's turn or the game is over."""
        game = self._game
        while game.player not in (self._seat, OVER):
            other = (game.player - self._seat) % game.seats - 1
            game.play(self._others[other](game))
        if self.render_mode == "human":
            self.render()

    def _observed(self) -> tuple[NDArray[np.float32], dict[str, Any]]:
        game = self._game
        info = {"action_mask": game.mask(), "scores": game.scores(), "seat": self._seat}
        return game.observe(self._seat), info

    def step(self, action: np.int64) -> tuple[NDArray[np.float32], SupportsFloat, bool, bool, dict[str, Any]]:
        """Play an action, and what the others answer."""
        try:
            self._game.play(int(action))
        except IllegalMove as error:
            planes, info = self._observed()
            info |= {"action_mask": np.ones_like(info["action_mask"]), "illegal": str(error)}
            return planes, lowest_reward(self._game.variant, self._reward), True, False, info
        self._go_on()
        planes, info = self._observed()
        over = self._game.player == OVER
        worth = float(final_rewards(info["scores"], self._reward)[self._seat]) if over else 0.0
        return planes, worth, over, False, info

    def render(self) -> Any:
        """A picture in the mode that was asked for."""
        return rendering.render(self._game.state(), self.render_mode, self._game.last_text())


class MaskInObservation(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Shows {"observations": planes, "action_mask": mask}, as RLlib's action masking module wants it."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        assert isinstance(env.action_space, spaces.Discrete)
        mask = spaces.Box(0, 1, (int(env.action_space.n),), np.float32)
        self.observation_space = spaces.Dict({"action_mask": mask, "observations": env.observation_space})

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """As the environment's own."""
        planes, info = self.env.reset(seed=seed, options=options)
        return self._shown(planes, info), info

    def step(
        self, action: np.int64
    ) -> tuple[dict[str, NDArray[Any]], SupportsFloat, bool, bool, dict[str, Any]]:
        """As the environment's own."""
        planes, reward, over, cut_short, info = self.env.step(action)
        return self._shown(planes, info), reward, over, cut_short, info

    def _shown(self, planes: NDArray[np.float32], info: dict[str, Any]) -> dict[str, NDArray[Any]]:
        return {"action_mask": info["action_mask"].astype(np.float32), "observations": planes}


gymnasium_registration.register()
