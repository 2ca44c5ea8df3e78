"""Learn Snekagon with PPO in torch over `snakeden.batch`: against itself and against the greedy agent, which it beats.

    pip install 'snakeden[clients]'
    python examples/ppo.py --minutes 3 --curve curve.jsonl

One network plays both sides: it sees the board as the player to move does, and says what that player can expect. The
game is zero-sum, so what the next player expects is the opposite of what this one does. In half of the games the
greedy agent has one of the seats: an opponent that stays the same, so that progress against it is not forgotten.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

import snakeden
from curve import Curve
from snakeden import agents

GAMES, STEPS = 256, 16
"""Games side by side, and moves of each between two updates."""
WITH_GREEDY = 0.5
"""The share of these games in which the greedy agent has one of the seats."""
EPOCHS, MINIBATCH, CLIP, TRACE, RATE = 3, 512, 0.2, 0.9, 1.5e-3
ENTROPY = 0.003
"""The weight of the policy's entropy: small, because the outcome of a game of random moves says little of each."""


class Net(nn.Module):  # type: ignore[misc]
    """Planes and scores to logits [n, actions] and to the reward that the player to move expects, [n]."""

    def __init__(self, shape: tuple[int, int, int], actions: int, width: int = 256) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(int(np.prod(shape)) + 2, width),
            nn.ReLU(),
            nn.Linear(width, width),
            nn.ReLU(),
        )
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)

    def forward(
        self, planes: torch.Tensor, scores: torch.Tensor, mask: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        found = self.body(torch.cat([planes.flatten(1), scores], dim=1))
        return self.policy(found).masked_fill(~mask, -1e9), torch.tanh(self.value(found)).squeeze(-1)


def scores(games: Any) -> torch.Tensor:
    """[n, 2] the scores of the player to move and of the other, in tenths."""
    standings = torch.from_numpy(games.standings()).float() / 10
    second = torch.from_numpy(games.player == 1)
    return torch.where(second[:, None], standings.flip(1), standings)


def looked_at(net: Net, games: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """Logits and values of all games as they stand."""
    found: tuple[torch.Tensor, torch.Tensor] = net(
        torch.from_numpy(games.observe()), scores(games), torch.from_numpy(games.mask)
    )
    return found


class Greedy:
    """The greedy agent in a batch: it plays seat 0 in every other one of its games, and seat 1 in the rest."""

    def __init__(self, games: NDArray[np.bool_], seed: int) -> None:
        """`games` [n] says which games it takes part in."""
        self._games, self._seat = games, np.arange(len(games)) % 2
        self._agent = agents.make("greedy", seed=seed)

    def is_to_move(self, games: Any) -> NDArray[np.bool_]:
        """[n] in which games."""
        found: NDArray[np.bool_] = self._games & (games.player == self._seat)
        return found

    def choose(self, games: Any, actions: NDArray[Any]) -> None:
        """Write its moves over `actions` [n] where it is to move."""
        for i in np.flatnonzero(self.is_to_move(games)).tolist():
            actions[i] = self._agent.choose(games.state(i)).move.code


class Rollout:
    """What was seen and done in the last STEPS moves of all games."""

    def __init__(self, games: Any, greedy: Greedy) -> None:
        self._greedy = greedy
        self.planes = torch.zeros(STEPS, games.n, *games.observation_shape)
        self.scores = torch.zeros(STEPS, games.n, 2)
        self.mask = torch.zeros(STEPS, games.n, games.actions, dtype=torch.bool)
        self.action = torch.zeros(STEPS, games.n, dtype=torch.int64)
        self.own = torch.zeros(STEPS, games.n, dtype=torch.bool)
        self.log_chance, self.value, self.reward, self.next_value = torch.zeros(4, STEPS, games.n)
        self.goes_on = torch.zeros(STEPS, games.n)
        self.same_player = torch.zeros(STEPS, games.n)

    def play(self, games: Any, net: Net) -> None:
        """Fill it with moves drawn from the policy."""
        with torch.no_grad():
            for t in range(STEPS):
                self._play_once(games, net, t)
            self.next_value[:-1] = self.value[1:]
            self.next_value[-1] = looked_at(net, games)[1]

    def _play_once(self, games: Any, net: Net, t: int) -> None:
        games.observe(self.planes[t])
        self.scores[t], self.mask[t] = scores(games), torch.from_numpy(games.mask)
        logits, self.value[t] = net(self.planes[t], self.scores[t], self.mask[t])
        chances = torch.distributions.Categorical(logits=logits)
        self.action[t] = chances.sample()
        self.own[t] = torch.from_numpy(~self._greedy.is_to_move(games))
        self._greedy.choose(games, self.action[t].numpy())
        self.log_chance[t] = chances.log_prob(self.action[t])
        mover = games.player.copy()
        games.step(self.action[t].numpy())
        self.reward[t] = torch.from_numpy(games.rewards[np.arange(games.n), mover])
        self.goes_on[t] = torch.from_numpy(~games.over)
        self.same_player[t] = torch.from_numpy(games.player == mover)

    def advantages(self) -> torch.Tensor:
        """[STEPS, games] generalized advantage estimates; what the other player gains is lost."""
        sign = (2 * self.same_player - 1) * self.goes_on
        surprise = self.reward + sign * self.next_value - self.value
        found, later = torch.zeros_like(surprise), torch.zeros(surprise.shape[1])
        for t in reversed(range(STEPS)):
            later = found[t] = surprise[t] + TRACE * sign[t] * later
        return found


def update(net: Net, optimizer: torch.optim.Optimizer, rollout: Rollout) -> None:
    """Some epochs of PPO's clipped objective, over the moves that the network chose."""
    advantages = rollout.advantages()
    target = (advantages + rollout.value)[rollout.own]
    advantage = advantages[rollout.own]
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    planes, points, mask = rollout.planes[rollout.own], rollout.scores[rollout.own], rollout.mask[rollout.own]
    action, before = rollout.action[rollout.own], rollout.log_chance[rollout.own]
    for _ in range(EPOCHS):
        for part in torch.randperm(len(action)).split(MINIBATCH):
            logits, value = net(planes[part], points[part], mask[part])
            chances = torch.distributions.Categorical(logits=logits)
            ratio = (chances.log_prob(action[part]) - before[part]).exp()
            gain = torch.minimum(
                ratio * advantage[part], ratio.clamp(1 - CLIP, 1 + CLIP) * advantage[part]
            ).mean()
            loss = functional.mse_loss(value, target[part]) - gain - ENTROPY * chances.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()


def against_greedy(net: Net, n: int, seed: int, **options: Any) -> tuple[float, float]:
    """The share of n games that the policy wins, half of them as each seat, and its standard error; a draw is half."""
    games = snakeden.batch("snekagon", n, seed=seed, autoreset=False, threads=1, **options)
    greedy, seat = Greedy(np.ones(n, np.bool_), seed), 1 - np.arange(n) % 2
    final: NDArray[np.float64] = np.zeros(n)
    running = np.ones(n, np.bool_)
    while running.any():
        with torch.no_grad():
            logits, _ = looked_at(net, games)
        # The best move most of the time, so that not all games are the same.
        chosen = torch.distributions.Categorical(logits=4 * logits).sample().numpy()
        greedy.choose(games, chosen)
        games.step(chosen)
        final[games.over] = (games.rewards[games.over, seat[games.over]] + 1) / 2
        running &= ~games.over
    return float(final.mean()), float(final.std() / np.sqrt(n))


def learn(minutes: float, updates: int, curve: Curve, matches: int, side: int, seed: int) -> Net:
    """A network taught for this long, or by this many updates; a match with the greedy agent every so often, and one
    of five times as many games at the end."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # so small a network gains nothing from more
    games = snakeden.batch("snekagon", GAMES, seed=seed, threads=1, side=side)
    net = Net(games.observation_shape, games.actions)
    optimizer = torch.optim.Adam(net.parameters(), lr=RATE)
    rollout = Rollout(games, Greedy(np.arange(GAMES) < WITH_GREEDY * GAMES, seed))
    began, last_match = time.process_time(), float("-inf")
    for done in range(updates + 1):
        passed = time.process_time() - began
        at_end = done == updates or passed > 60 * minutes
        if at_end or passed - last_match > 60 * minutes / 12:
            last_match = passed
            played = 5 * matches if at_end else matches
            curve.add(done * STEPS * GAMES, *against_greedy(net, played, seed=done, side=side))
        if at_end:
            break
        # Ever smaller steps: the two sides stop chasing each other around.
        share = max(passed / (60 * minutes), done / updates)
        optimizer.param_groups[0]["lr"] = RATE * max(1 - share, 0.02)
        rollout.play(games, net)
        update(net, optimizer, rollout)
    return net


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=3, help="processor time to learn in (default 3)")
    parser.add_argument("--updates", type=int, default=10**9, help="stop after this many updates")
    parser.add_argument("--matches", type=int, default=200, help="games a match with greedy (default 200)")
    parser.add_argument("--side", type=int, default=4, help="the board's side (default 4)")
    parser.add_argument(
        "--seed", type=int, default=1, help="of the first weights and all that is drawn (default 1)"
    )
    parser.add_argument("--curve", default="", metavar="FILE", help="where to write the learning curve")
    args = parser.parse_args()
    curve = Curve(
        args.curve,
        f"PPO against itself and greedy, Snekagon side {args.side}",
        "moves played",
        "share of games won against greedy",
        {"as strong as greedy": 0.5},
    )
    learn(args.minutes, args.updates, curve, args.matches, args.side, args.seed)


if __name__ == "__main__":
    main()
