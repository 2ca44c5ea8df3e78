"""Games of a network against itself, side by side without end."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from snakeden.core.learning import KEEP, START
from snakeden.nets.games import Games
from snakeden.nets.model import Net
from snakeden.nets.replay import Replay
from snakeden.nets.search import Search


class SelfPlay:
    """`n` games of one variant. Every `step` plays a move in each and leaves it in the replay. `random_first` and
    `random_again` are those of `training.Plan`."""

    def __init__(
        self,
        games: Games,
        search: Search,
        replay: Replay,
        *,
        random_first: float,
        random_again: float,
        generator: torch.Generator,
    ) -> None:
        n, device = games.n, games.device
        self.games, self.search, self.replay = games, search, replay
        self._generator = generator
        # Dice make games different by themselves.
        self._random_first = 0.0 if games.variant.game.chance else random_first
        self._random_again = random_again
        self.states = games.opening.repeat(n, 1)
        self._ply = torch.zeros(n, dtype=torch.int64, device=device)
        self._random_moves = self._draw_random_moves()
        self.positions = 0
        self._finished = torch.zeros((), dtype=torch.int64, device=device)
        self._sums = torch.zeros(6, device=device)
        games.step(self.states, torch.full((n,), START, dtype=torch.int32, device=device), again=True)

    def _draw_random_moves(self) -> Tensor:
        """[n] how many moves at a game's start are random, and not learnt from."""
        begins, more = torch.rand(2, self.games.n, device=self.games.device, generator=self._generator)
        is_random, count = begins < self._random_first, torch.zeros_like(more)
        if self._random_again:
            # So often in a row a number below `random_again` would have been drawn.
            count = more.clamp(min=1e-6).log() // math.log(self._random_again)
        return is_random * (1 + count.long())

    @torch.no_grad()
    def spread(self, net: Net, turns: int) -> None:
        """Play each game on by up to so many moves of which nothing is kept, with hardly any search: then there are
        games at all their stages to learn from. Otherwise a run that is taken up would learn from beginnings first."""
        games, wait = (
            self.games,
            torch.randint(turns, (self.games.n,), generator=self._generator, device=self.games.device),
        )
        for turn in range(turns):
            found = self.search.run(net, self.states, simulations=1, generator=self._generator)
            plays = wait <= turn
            games.step(self.states, torch.where(plays, found.action, KEEP), again=True)
            self._ply = torch.where(plays, self._ply + 1, self._ply)
            self._begin_anew(games.over.bool() & plays)

    def _begin_anew(self, over: Tensor) -> None:
        """Where a game is over, [n], the next one begins."""
        self._ply = torch.where(over, 0, self._ply)
        self._random_moves = torch.where(over, self._draw_random_moves(), self._random_moves)

    @torch.no_grad()
    def step(self, net: Net, simulations: int) -> None:
        games = self.games
        found = self.search.run(net, self.states, simulations=simulations, generator=self._generator)
        by_chance = self._ply < self._random_moves
        action = found.action
        if self._random_first:
            drawn = torch.rand(found.mask.shape, device=games.device, generator=self._generator)
            action = torch.where(by_chance, torch.where(found.mask, drawn, -1.0).argmax(1).int(), action)
        self.replay.add(self.states, found, ~by_chance)
        games.step(self.states, action, again=True)
        over = games.over.bool()
        self.replay.finish(over, games.scores)
        self._count(found.policy, found.value, over)
        self._ply += 1
        self._begin_anew(over)
        self.positions += games.n

    def _count(self, policy: Tensor, value: Tensor, over: Tensor) -> None:
        ended, scores = over.float(), self.games.scores.float()
        self._finished += over.sum()
        self._sums += torch.stack(
            [
                ended.sum(),
                ((self._ply + 1) * ended).sum(),
                (scores.mean(1) * ended).sum(),
                (scores.mean(1) ** 2 * ended).sum(),
                policy.amax(1).mean() * len(policy),
                value.mean() * len(value),
            ]
        )

    @property
    def finished(self) -> int:
        """Games that have come to their end."""
        return int(self._finished)

    def figures(self, positions: int) -> dict[str, float]:
        """Means since the last call, over this many positions."""
        ended, plies, scores, squares, top, value = self._sums.tolist()
        self._sums.zero_()
        games = max(1.0, ended)
        mean = scores / games
        return {
            "games": ended,
            "plies": plies / games,
            "score": mean,
            "score_spread": max(0.0, squares / games - mean**2) ** 0.5,
            "top_move": top / max(1, positions),
            "value": value / max(1, positions),
        }
