"""Many games as one Gymnasium vector environment, played by a batch: `gymnasium.make_vec("snakeden/…")`.

It means what `GameEnv` means, game by game. An opponent that is a function is asked for all waiting games at once.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
from gymnasium import error, spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from snakeden.adapters import opponents, rendering
from snakeden.adapters.batch import Batch, batch
from snakeden.adapters.gymnasium import Seat, check_seat
from snakeden.adapters.opponents import Opponent
from snakeden.adapters.rewards import Reward, check_reward, final_rewards, lowest_reward
from snakeden.adapters.single_game import start_of
from snakeden.core.errors import BadOption, IllegalMove
from snakeden.core.learning import KEEP

_TRIES = 1000
"""Rounds of turns of the others before a seat's first turn, while games end without it."""

Flags = NDArray[np.bool_]


class _Ended:
    """What is returned for the games that end in one step: the last observations, scores and rewards."""

    def __init__(self, n: int, seats: int) -> None:
        self.here: Flags = np.zeros(n, np.bool_)
        self.planes: dict[int, NDArray[np.float32]] = {}
        self.rewards = np.zeros(n, np.float64)
        self.scores = np.zeros((n, seats), np.int64)
        self.illegal: dict[int, str] = {}

    def add(self, games: Flags, planes: NDArray[np.float32], scores: NDArray[np.int64]) -> None:
        self.here |= games
        self.planes |= zip(np.flatnonzero(games).tolist(), planes, strict=True)
        self.scores[games] = scores


class GameVectorEnv(VectorEnv[NDArray[np.float32], NDArray[np.int64], NDArray[Any]]):
    """`num_envs` games; the other arguments are those of `GameEnv`, and Gymnasium's `autoreset_mode`."""

    def __init__(
        self,
        num_envs: int,
        game: str,
        opponent: Opponent = "random",
        seat: Seat = 0,
        reward: Reward = "outcome",
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **options: Any,
    ) -> None:
        rendering.check_mode(render_mode)
        self.render_mode = render_mode
        self.num_envs = num_envs
        self._games = batch(game, num_envs, **options)
        check_seat(seat, self._games.seats)
        check_reward(reward)
        opponents.check(opponent)
        self._opponent, self._seat_asked, self._reward = opponent, seat, reward
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": rendering.MODES, "render_fps": 2, "autoreset_mode": self._mode}
        self.single_observation_space = spaces.Box(0, 1, self._games.observation_shape, np.float32)
        self.single_action_space = spaces.Discrete(self._games.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seat = np.zeros(num_envs, np.int8)
        self._rows = np.arange(num_envs)
        self._waiting: Flags = np.ones(num_envs, np.bool_)  # over, and not begun again yet

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin all games anew, or those of `options["reset_mask"]`; `options["state"]` is where they start."""
        chosen = self._reset_mask(options)
        start = start_of(options, self._games.state(0).variant)
        self._restart(seed, chosen)
        self._play = opponents.in_batch(self._opponent, self.np_random)
        if start is not None:
            self._games.set_states([start] * int(chosen.sum()), chosen)
        self._waiting &= ~chosen
        self._begin(chosen)
        return self._games.observe(seat=self._seat), self._infos(_Ended(self.num_envs, self._games.seats))

    def _reset_mask(self, options: dict[str, Any] | None) -> Flags:
        given = (options or {}).get("reset_mask")
        if given is None:
            return np.ones(self.num_envs, np.bool_)
        if not isinstance(given, np.ndarray) or given.shape != (self.num_envs,) or given.dtype != np.bool_:
            raise BadOption(f"options['reset_mask'] is an array of {self.num_envs} bools")
        return given

    def _restart(self, seed: int | list[int | None] | None, chosen: Flags) -> None:
        """Begin games anew. One seed for all gives each game streams of its own; a list seeds game by game."""
        if isinstance(seed, list | tuple):
            if len(seed) != self.num_envs:
                raise BadOption(f"{len(seed)} seeds were given for {self.num_envs} games")
            super().reset(seed=next((own for own in seed if own is not None), None))
            for i in np.flatnonzero(chosen).tolist():
                self._games.reset(seed[i], [i])
            return
        if seed is None and self._np_random is None:
            # The first reset of all: no two runs without a seed are alike.
            self._games.reset(secrets.randbits(63), chosen)
        else:
            self._games.reset(seed, chosen)
        super().reset(seed=seed)

    def _begin(self, fresh: Flags, budget: int = _TRIES) -> None:
        """In games just begun: draw seats, and let the others move until the seat's first turn."""
        if not np.count_nonzero(fresh):
            return
        if self._seat_asked == "random":
            self._seat[fresh] = self.np_random.integers(self._games.seats, size=int(fresh.sum()))
        else:
            self._seat[fresh] = self._seat_asked
        while np.count_nonzero(due := fresh & (self._games.player != self._seat)):
            self._answer(due)
            budget -= bool((self._games.over & due).any())
            if not budget:
                raise BadOption("games end before the seat has a turn, however often they are begun")

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[np.float32], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play an action in every game, and what the others answer."""
        games = self._games
        given = np.asarray(actions)
        if given.shape != (games.n,) or given.dtype.kind not in "iu":
            raise IllegalMove(
                f"a step takes {games.n} whole numbers, not {given.dtype} of shape {given.shape}"
            )
        fresh = self._waiting
        if self._mode == AutoresetMode.DISABLED and np.count_nonzero(fresh):
            i = int(np.flatnonzero(fresh)[0])
            raise error.ResetNeeded(f"game {i} is over: reset it with options['reset_mask'] first")
        ended = _Ended(self.num_envs, games.seats)
        self._move(given, ~fresh, ended)
        self._pay(ended)
        self._begin(fresh)
        infos: dict[str, Any] = {}
        if self._mode == AutoresetMode.SAME_STEP and ended.planes:
            infos = self._final_infos(ended)
            self._begin(ended.here)
            ended.planes.clear()
        # Each seat is to move in its game, except in those that have ended: their last planes are put in place.
        planes = games.observe()
        for i, last in ended.planes.items():
            planes[i] = last
        shown = _Ended(self.num_envs, games.seats) if infos else ended
        self._waiting = np.zeros_like(ended.here) if infos else ended.here.copy()
        return planes, ended.rewards, ended.here, np.zeros_like(ended.here), infos | self._infos(shown)

    def _move(self, actions: NDArray[Any], playing: Flags, ended: _Ended) -> None:
        """Play the seat's own actions, and what the others answer. An illegal action ends its game."""
        games = self._games
        wrong = playing & ~self._are_legal(actions)
        if np.count_nonzero(wrong):
            self._refuse(wrong, actions, ended)
            playing &= ~wrong
        games.step_unchecked(np.where(playing, actions, KEEP))
        self._take_ended(ended)
        while np.count_nonzero(due := playing & (games.player != self._seat) & ~ended.here):
            self._answer(due)
            self._take_ended(ended)

    def _are_legal(self, actions: NDArray[Any]) -> Flags:
        games = self._games
        inside: Flags = (actions >= 0) & (actions < games.actions)
        if np.count_nonzero(inside) == games.n:
            found: Flags = games.mask[self._rows, actions]
            return found
        return inside & games.mask[self._rows, np.where(inside, actions, 0)]

    def _answer(self, due: Flags) -> None:
        """Let the others move in these games, once."""
        chosen = self._play(self._games, due)
        if self._play is Batch.sample:
            self._games.step_unchecked(np.where(due, chosen, KEEP))
        else:
            self._games.step(chosen, due)

    def _refuse(self, wrong: Flags, actions: NDArray[Any], ended: _Ended) -> None:
        for i in np.flatnonzero(wrong).tolist():
            try:
                self._games.step(actions, [i])
            except IllegalMove as reason:
                ended.illegal[i] = str(reason)
        ended.add(wrong, self._games.observe(seat=self._seat)[wrong], self._games.standings()[wrong])
        self._games.reset(games=wrong)

    def _take_ended(self, ended: _Ended) -> None:
        """Note the games that the last step of the batch has ended."""
        over = self._games.over
        if np.count_nonzero(over):
            ended.add(over, self._games.observe_last(self._seat), self._games.scores[over])

    def _pay(self, ended: _Ended) -> None:
        if not ended.planes:
            return
        over = np.flatnonzero(ended.here)
        ended.rewards[over] = final_rewards(ended.scores[over], self._reward)[
            np.arange(len(over)), self._seat[over]
        ]
        for i in ended.illegal:
            ended.rewards[i] = lowest_reward(self._games.state(i).variant, self._reward)

    def _infos(self, ended: _Ended) -> dict[str, Any]:
        """Masks, scores and seats of all games; of those that have ended, what they ended with."""
        mask, scores = self._games.mask.view(np.int8).copy(), self._games.standings()
        if ended.planes:
            mask[ended.here] = 1
            scores[ended.here] = ended.scores[ended.here]
        infos = {"action_mask": mask, "scores": scores, "seat": self._seat.astype(np.int64)}
        every = np.ones(self.num_envs, np.bool_)
        return infos | {f"_{name}": every for name in infos} | self._illegal(ended)

    def _illegal(self, ended: _Ended) -> dict[str, Any]:
        if not ended.illegal:
            return {}
        reasons = np.full(self.num_envs, None, object)
        for i, reason in ended.illegal.items():
            reasons[i] = reason
        return {"illegal": reasons, "_illegal": reasons != None}  # noqa: E711 - element by element

    def _final_infos(self, ended: _Ended) -> dict[str, Any]:
        """What Gymnasium returns beside the first observation of the next game."""
        last = np.full(self.num_envs, None, object)
        for i, planes in ended.planes.items():
            last[i] = planes
        ones = np.ones((self.num_envs, self._games.actions), np.int8)
        final = {"action_mask": ones, "scores": ended.scores.copy(), "seat": self._seat.astype(np.int64)}
        here = ended.here.copy()
        final |= {f"_{name}": here for name in tuple(final)} | self._illegal(ended)
        return {"final_obs": last, "_final_obs": here, "final_info": final, "_final_info": here}

    def render(self) -> tuple[Any, ...] | None:
        """A picture of every game in the mode that was asked for."""
        if self.render_mode is None:
            return None
        return tuple(rendering.render(self._games.state(i), self.render_mode) for i in range(self.num_envs))
