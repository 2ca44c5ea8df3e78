"""Learn Snekagon of side 3 with tianshou's DQN, as it comes, against random play.

    pip install 'snakeden[clients]'
    python examples/dqn.py --minutes 2 --curve curve.jsonl

The DQN begins every game; its opponent is tianshou's own random player.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step

from curve import Curve
from snakeden.adapters.pettingzoo import env

SIDE_BY_SIDE, MOVES, UPDATES = 8, 128, 8
"""Games side by side; moves of all of them together, and updates, in one round."""


def make() -> PettingZooEnv:
    return PettingZooEnv(env("snekagon", side=3))


def learners() -> MultiAgentOffPolicyAlgorithm:
    """A DQN that begins, and a random player."""
    table = make()
    space = table.action_space
    net = Net(
        state_shape=table.observation_space["observation"].shape,
        action_shape=space.n,
        hidden_sizes=[128, 128],
    )
    learner: DQN[Any] = DQN(
        policy=DiscreteQLearningPolicy(model=net, action_space=space, eps_training=0.15, eps_inference=0.0),
        optim=AdamOptimizerFactory(lr=5e-4),
        n_step_return_horizon=4,  # a reward comes after the other's answer, too
        target_update_freq=200,
    )
    return MultiAgentOffPolicyAlgorithm(
        algorithms=[learner, MARLRandomDiscreteMaskedOffPolicyAlgorithm(space)], env=table
    )


def wins(both: MultiAgentOffPolicyAlgorithm, n: int) -> tuple[float, float]:
    """The share of n games that the DQN wins, and its standard error; a draw is half."""
    collector = Collector(both, DummyVectorEnv([make] * SIDE_BY_SIDE))
    collector.reset()
    shares = (collector.collect(n_episode=n).returns[:, 0] + 1) / 2
    return float(shares.mean()), float(shares.std() / np.sqrt(len(shares)))


def learn(minutes: float, rounds: int, curve: Curve, games: int) -> None:
    """Teach for this long, or for this many rounds; new games are played every so often."""
    np.random.seed(1)
    torch.manual_seed(1)
    both = learners()
    buffer = VectorReplayBuffer(20_000, SIDE_BY_SIDE)
    collector = Collector(both, DummyVectorEnv([make] * SIDE_BY_SIDE), buffer, exploration_noise=True)
    collector.reset()
    began, last = time.process_time(), float("-inf")
    for done in range(rounds + 1):
        passed = time.process_time() - began
        at_end = done == rounds or passed > 60 * minutes
        if at_end or passed - last > 60 * minutes / 15:
            last = passed
            curve.add(done * MOVES, *wins(both, games))
        if at_end:
            return
        with policy_within_training_step(both.policy):
            collector.collect(n_step=MOVES)
            for _ in range(UPDATES):
                both.update(buffer, sample_size=64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=2, help="processor time to learn in (default 2)")
    parser.add_argument("--rounds", type=int, default=10**9, help="stop after this many rounds")
    parser.add_argument("--games", type=int, default=200, help="games an evaluation (default 200)")
    parser.add_argument("--curve", default="", metavar="FILE", help="where to write the learning curve")
    args = parser.parse_args()
    curve = Curve(
        args.curve,
        "DQN of tianshou, Snekagon side 3",
        "moves played",
        "share of games won against random play",
    )
    learn(args.minutes, args.rounds, curve, args.games)


if __name__ == "__main__":
    main()
