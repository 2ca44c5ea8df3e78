"""Learn solo Snakey Dice with REINFORCE, in NumPy alone.

    python examples/reinforce.py

Many games are played side by side by `snakeden.batch`. The policy is a softmax over the legal actions of
numbers that are linear in a few hundred features: what the dice and the sheet say, and what lies around the
square that the snake faces, turned so that it looks up. After each batch of whole games the policy's weights
move along (return - baseline) * gradient of log policy; the baseline is a linear fit of the returns.
"""

from __future__ import annotations

import argparse
import os
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the products here are too small to share

import numpy as np
from numpy.typing import NDArray

import snakeden
from snakeden.adapters.observations import planes

Array = NDArray[np.float32]

AROUND = 2
"""How far around the square it faces the snake looks."""

NAMES = planes("snakey-dice")
EVERYWHERE = [i for i, name in enumerate(NAMES) if name.startswith("everywhere")]
FREE, POWER_UPS = NAMES.index("squares that can be entered"), NAMES.index("power-ups")
HEADINGS = [i for i, name in enumerate(NAMES) if name.startswith("the square that the viewer faces")]


def features(seen: Array) -> Array:
    """[n, features] of observations [n, planes, rows, columns]."""
    n, wide = len(seen), 2 * AROUND + 1
    facing = seen[:, HEADINGS].reshape(n, -1)
    front, size = facing.argmax(axis=1), seen.shape[-1]
    heading, place = front // size**2, front % size**2
    padded = np.pad(seen[:, [FREE, POWER_UPS]], ((0, 0), (0, 0), (AROUND, AROUND), (AROUND, AROUND)))
    near = np.arange(wide)
    rows, columns = (place // size)[:, None, None, None], (place % size)[:, None, None, None]
    games, both = np.arange(n)[:, None, None, None], np.arange(2)[None, :, None, None]
    patch = padded[games, both, rows + near[:, None], columns + near]
    for way in range(1, 4):
        patch[heading == way] = np.rot90(patch[heading == way], way, axes=(2, 3))
    return np.concatenate(
        [np.ones((n, 1), np.float32), seen[:, EVERYWHERE, 0, 0], patch.reshape(n, -1)], axis=1
    )


class Policy:
    """Softmax over legal actions of `features @ weights`, taught with Adam."""

    def __init__(self, inputs: int, actions: int) -> None:
        self.weights = np.zeros((inputs, actions), np.float32)
        self._mean, self._square, self._updates = np.zeros_like(self.weights), np.zeros_like(self.weights), 0

    def chances(self, seen: Array, moves: NDArray[np.int32], counts: NDArray[np.int32]) -> Array:
        """[n, most] the probability of each legal move."""
        logits = np.take_along_axis(seen @ self.weights, moves, axis=1)
        logits[np.arange(moves.shape[1]) >= counts[:, None]] = -np.inf
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))
        share: Array = raised / raised.sum(axis=1, keepdims=True)
        return share

    def learn(self, gradient: Array, rate: float) -> None:
        """One step of Adam uphill."""
        self._updates += 1
        self._mean += 0.1 * (gradient - self._mean)
        self._square += 0.01 * (gradient**2 - self._square)
        mean = self._mean / (1 - 0.9**self._updates)
        square = self._square / (1 - 0.99**self._updates)
        self.weights += rate * mean / (np.sqrt(square) + 1e-8)


class Step:
    """What was seen and done in all running games at once."""

    def __init__(self, games: snakeden.adapters.batch.Batch, running: NDArray[np.bool_]) -> None:
        self.running = running.copy()
        self.seen = features(games.observe())
        self.counts = games.counts.copy()
        self.moves = games.moves[:, : self.counts.max()].copy()
        self.score = games.standings()[:, 0]

    def choose(self, policy: Policy, rng: np.random.Generator) -> NDArray[np.int32]:
        self.chances = policy.chances(self.seen, self.moves, self.counts)
        drawn = self.chances.cumsum(axis=1) > rng.random((len(self.moves), 1))
        self.chosen = np.minimum(drawn.argmax(axis=1), self.counts - 1)
        actions: NDArray[np.int32] = self.moves[np.arange(len(self.moves)), self.chosen]
        return actions


def play(policy: Policy, n: int, seed: int, rng: np.random.Generator) -> tuple[list[Step], NDArray[np.int64]]:
    """The steps of n whole games, and their final scores."""
    games = snakeden.batch("snakey-dice", n, seed=seed, legal="list")
    running, final, steps = np.ones(n, bool), np.zeros(n, np.int64), []
    while running.any():
        steps.append(Step(games, running))
        games.step(steps[-1].choose(policy, rng))
        ended = running & games.over
        final[ended] = games.scores[ended, 0]
        running &= ~games.over
    return steps, final


def teach(policy: Policy, steps: list[Step], final: NDArray[np.int64], rate: float) -> None:
    """One update from whole games."""
    seen = np.concatenate([step.seen[step.running] for step in steps])
    to_go = np.concatenate([(final - step.score)[step.running] for step in steps]).astype(np.float32)
    ridge = seen.T @ seen + np.eye(seen.shape[1], dtype=np.float32)
    baseline = np.linalg.solve(ridge, seen.T @ to_go)
    spread = (to_go - seen @ baseline).std() + 1e-8
    gradient = np.zeros_like(policy.weights)
    for step in steps:
        better = (final - step.score - step.seen @ baseline) / spread * step.running
        push = -step.chances
        push[np.arange(len(push)), step.chosen] += 1
        dense = np.zeros((len(push), policy.weights.shape[1]), np.float32)
        rows = np.arange(len(push))[:, None]
        np.add.at(dense, (rows, step.moves), push * better[:, None])
        gradient += step.seen.T @ dense
    policy.learn(gradient / np.float32(len(seen)), rate)


def learn(seconds: float, n: int = 64, rate: float = 0.02, seed: int = 1, updates: int = 10**9) -> Policy:
    """A policy taught for this long, or by this many updates."""
    rng = np.random.default_rng(seed)
    games = snakeden.batch("snakey-dice", 1, seed=seed)
    policy = Policy(features(games.observe()).shape[1], games.actions)
    began = time.monotonic()
    for update in range(updates):
        steps, final = play(policy, n, seed=1000 * seed + update, rng=rng)
        teach(policy, steps, final, rate)
        if update % 10 == 0:
            print(
                f"{time.monotonic() - began:6.1f} s  update {update:4}  score {final.mean():7.1f}", flush=True
            )
        if time.monotonic() - began > seconds:
            break
    return policy


def score(policy: Policy, n: int, seed: int) -> tuple[float, float]:
    """The mean score over n new games, and its standard error."""
    _, final = play(policy, n, seed, np.random.default_rng(seed))
    return float(final.mean()), float(final.std() / np.sqrt(n))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=100, help="how long to learn (default 100)")
    parser.add_argument("--updates", type=int, default=10**9, help="stop after this many updates")
    args = parser.parse_args()
    policy = learn(args.seconds, updates=args.updates)
    random = Policy(*policy.weights.shape)  # all weights 0: every legal action alike
    for name, player in (("random", random), ("learned", policy)):
        mean, error = score(player, 512, seed=77)
        print(f"{name:8} {mean:7.1f} ± {error:.1f} points over 512 games")


if __name__ == "__main__":
    main()
