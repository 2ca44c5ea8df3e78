"""What self-play leaves to learn from: positions with the search's policy, and how their games ended."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from snakeden.nets.games import Games
from snakeden.nets.rewards import victory_shares
from snakeden.nets.search import Found


class Sample(NamedTuple):
    """n positions to learn from."""

    states: Tensor
    """[n, words]"""
    actions: Tensor
    """[n, considered] int64, those the search considered, -1 for none."""
    policy: Tensor
    """[n, considered] their probabilities; what is left belongs to all others."""
    expected: Tensor
    """[n, seats] the shares of the victory that the search expected; in a game for one, the score."""
    outcome: Tensor
    """[n, seats] what came of that, as `Replay.look_back` found it."""
    scores: Tensor
    """[n, seats] the final scores of the position's game, if it is over."""
    over: Tensor
    """[n] 1 where it is, 0 where it goes on."""
    weight: Tensor
    """[n] 1, or 0 where the move was drawn at random."""


class Replay:
    """The last positions of a batch of games that go on and on, a ring of `capacity` positions.

    A position is kept as soon as it is played. What came of it is worked out by `look_back`, which has to be called
    before positions are drawn. Where a game still goes on, its newest position stands for its end. Were such games
    left out, the short ones would tell a wrong story.
    """

    def __init__(self, games: Games, considered: int, capacity: int) -> None:
        n, device = games.n, games.device
        self._turns = max(2, capacity // n)
        self.capacity = self._turns * n
        self._n, self._turn, self.added = n, 0, 0

        def new(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
            return torch.zeros(self._turns, n, *shape, dtype=dtype, device=device)

        self._states = new(games.words, dtype=games.dtype)
        self._actions = new(considered, dtype=torch.int32)
        self._policy = new(considered, dtype=torch.float16)
        self._expected, self._outcome = new(games.seats), new(games.seats)
        self._learnt = new(dtype=torch.bool)
        self._game = new(dtype=torch.int64)
        # A place plays no more games than turns before its positions are written over.
        self._known = new(dtype=torch.bool)
        self._scores = new(games.seats)
        self._number = torch.zeros(n, dtype=torch.int64, device=device)
        self._place = torch.arange(n, device=device)

    def __len__(self) -> int:
        return min(self.added, self.capacity)

    def add(self, states: Tensor, found: Found, learnt: Tensor) -> None:
        """A turn of every game: positions [n, words], what the search found, and whether to learn from it, [n]."""
        at = self._turn
        self._states[at], self._actions[at], self._policy[at] = (
            states,
            found.actions.int(),
            found.policy.half(),
        )
        self._expected[at], self._learnt[at], self._game[at] = found.expected, learnt, self._number
        self._turn = (at + 1) % self._turns
        self.added += self._n

    def finish(self, over: Tensor, scores: Tensor) -> None:
        """Where over, [n], the game of this place ended with scores [n, seats], and the next begins."""
        kept = self._scores[self._number, self._place]
        self._scores[self._number, self._place] = torch.where(over[:, None], scores.float(), kept)
        known = self._known[self._number, self._place]
        self._known[self._number, self._place] = known | over
        self._number = torch.where(over, (self._number + 1) % self._turns, self._number)
        known = self._known[self._number, self._place]
        self._known[self._number, self._place] = known & ~over

    def look_back(self, td_lambda: float = 1.0) -> None:
        """Work out what came of every position, as TD(λ) does: how its game ended, but for what the searches of later
        positions expected, which counts the more the smaller λ is. In long games with dice an end says little about a
        position, and what is expected some moves later says more."""
        newest, turns = (self._turn - 1) % self._turns, min(self.added // self._n, self._turns)
        order = (newest + 1 - turns + torch.arange(turns, device=self._place.device)) % self._turns
        game, expected = self._game[order], self._expected[order]
        goes_on = torch.zeros_like(game, dtype=torch.bool)
        goes_on[:-1] = game[1:] == game[:-1]
        ended = self._known[game, self._place]
        scores = self._scores[game, self._place]
        result = scores if scores.shape[2] == 1 else victory_shares(scores)
        later = torch.cat([expected[1:], expected[-1:]])
        # outcome[turn] = known[turn] + share[turn] * outcome[turn + 1], for all turns at once: a step looks twice as
        # far as the one before.
        share = td_lambda * goes_on[:, :, None]
        known = torch.where(ended[:, :, None], result, expected)
        known = torch.where(goes_on[:, :, None], (1 - td_lambda) * later, known)
        distance = 1
        while distance < turns:
            known[:-distance] += share[:-distance] * known[distance:]
            share[:-distance] = share[:-distance] * share[distance:]
            share[-distance:] = 0
            distance *= 2
        self._outcome[order] = known

    def sample(self, count: int, generator: torch.Generator | None = None) -> Sample:
        """Positions drawn at random."""
        rows = torch.randint(0, len(self), (count,), device=self._place.device, generator=generator)
        turn, place = rows // self._n, rows % self._n
        game = self._game[turn, place]
        return Sample(
            self._states[turn, place],
            self._actions[turn, place].long(),
            self._policy[turn, place].float(),
            self._expected[turn, place],
            self._outcome[turn, place],
            self._scores[game, place],
            self._known[game, place].float(),
            self._learnt[turn, place].float(),
        )
