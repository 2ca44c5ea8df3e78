"""Matches on a device: all games at once, to see whether training gets anywhere."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from snakeden.core.game import OVER
from snakeden.core.learning import KEEP, START
from snakeden.core.state import State
from snakeden.nets.games import Games
from snakeden.nets.model import Net
from snakeden.nets.rewards import victory_shares
from snakeden.nets.search import Search
from snakeden.search.greedy import appraise

_LONGEST = 400
"""Moves of a game."""

Chooser = Callable[[Tensor, Tensor], Tensor]
"""Takes positions [n, words] and which of them matter, bool [n]; gives int32 actions [n]."""


class Score(NamedTuple):
    """How a match ended for the one who was measured."""

    points: float
    """Its mean share of the victory; in a game for one, its mean score."""
    error: float
    """The standard error of that."""


class Matches:
    """Games of one player against others, which take all other seats, on boards that begin with a random move."""

    def __init__(self, games: Games, search: Search, seed: int) -> None:
        self._games, self._search = games, search
        self._generator = torch.Generator(games.device).manual_seed(seed)
        self._random = np.random.default_rng(seed)

    def searching(self, net: Net) -> Chooser:
        return lambda states, mine: self._search.run(net, states, noise=False).action.clone()

    def greedy(self) -> Chooser:
        """The agent `greedy`, on the CPU."""
        games = self._games

        def choose(states: Tensor, mine: Tensor) -> Tensor:
            actions = np.zeros(games.n, np.int32)
            arrays = states.cpu().numpy().view(games.variant.game.rules.DTYPE)
            for row in np.flatnonzero(mine.cpu().numpy()):
                moves, leads, ratings = appraise(State(games.variant, arrays[row].copy()))
                best = np.flatnonzero(leads >= leads.max() - 1e-9)
                best = best[ratings[best] >= ratings[best].max() - 1e-6]
                actions[row] = moves[int(self._random.choice(best))]
            return torch.from_numpy(actions).to(games.device)

        return choose

    @torch.no_grad()
    def play(self, one: Chooser, other: Chooser | None = None) -> Score:
        """What `one` gets in `n` games, in each seat equally often; games that begin alike are played from every seat.
        A game of more than `_LONGEST` moves counts as it stands."""
        games = self._games
        n, seats, device = games.n, games.seats, games.device
        states = games.opening.repeat(n, 1)
        games.step(states, torch.full((n,), START, dtype=torch.int32, device=device))
        fresh = states.clone()
        seat = torch.arange(n, device=device) % seats
        if not games.variant.game.chance:
            self._open(states, seats)
        ended = torch.zeros(n, dtype=torch.bool, device=device)
        scores = torch.zeros(n, seats, device=device)
        for _ in range(_LONGEST):
            now = games.over.bool() & ~ended
            scores = torch.where(now[:, None], games.scores.float(), scores)
            ended |= now
            if bool(ended.all()):
                break
            player = games.player.clone()
            # A search needs positions that go on.
            shown = torch.where(ended[:, None], fresh, states)
            mine = (player == seat) & ~ended
            actions = one(shown, mine)
            if other is not None and seats > 1:
                actions = torch.where(mine, actions, other(shown, ~mine & ~ended))
            games.step(states, torch.where(ended | (player == OVER), KEEP, actions.int()))
        standings = games.standings(states).float()
        return self._score(torch.where(ended[:, None], scores, standings), seat)

    def _open(self, states: Tensor, seats: int) -> None:
        """Play one random move, the same in games that differ in who sits where."""
        games = self._games
        drawn = torch.rand(games.mask.shape, device=games.device, generator=self._generator)
        actions = torch.where(games.mask.bool(), drawn, -1.0).argmax(1).int()
        first = torch.arange(games.n, device=games.device) // seats * seats
        games.step(states, actions[first])

    def _score(self, scores: Tensor, seat: Tensor) -> Score:
        n, seats = scores.shape
        got = scores[:, 0] if seats == 1 else victory_shares(scores).gather(1, seat[:, None])[:, 0]
        return Score(float(got.mean()), float(got.std()) / math.sqrt(n))
