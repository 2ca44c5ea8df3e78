"""Learn solo Snakey Dice with sb3-contrib's MaskablePPO, as it comes.

    pip install 'snakeden[clients]'
    python examples/maskable_ppo.py --minutes 2.5 --curve curve.jsonl

Two wrappers make it quick: what a plane says everywhere is passed once, and the score is paid as it changes.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import VecNormalize

import snakeden
from curve import Curve
from snakeden.adapters.observations import planes

SIDE_BY_SIDE = 16


class Compact(gymnasium.ObservationWrapper[Any, Any, Any]):
    """The planes as a vector, in which a plane with one value all over is one number."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        names = planes("snakey-dice")
        self._same = [i for i, name in enumerate(names) if name.startswith("everywhere")]
        self._board = [i for i, name in enumerate(names) if not name.startswith("everywhere")]
        assert env.observation_space.shape is not None
        _, rows, columns = env.observation_space.shape
        length = len(self._board) * rows * columns + len(self._same)
        self.observation_space = gymnasium.spaces.Box(0, 1, (length,), np.float32)

    def observation(self, observation: Any) -> Any:
        return np.concatenate([observation[self._board].ravel(), observation[self._same, 0, 0]])


class PaidAsItChanges(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Rewards are changes of the score instead of the score at the end; they add up to the same."""

    def reset(self, **arguments: Any) -> Any:
        seen, info = self.env.reset(**arguments)
        self._paid = 0
        return seen, info

    def step(self, action: Any) -> Any:
        seen, _, over, cut_short, info = self.env.step(action)
        score = info["scores"][0]
        self._paid, gained = score, score - self._paid
        return seen, float(gained), over, cut_short, info


def make() -> gymnasium.Env[Any, Any]:
    return PaidAsItChanges(Compact(gymnasium.make("snakeden/snakey-dice-v0")))


def random_score(n: int) -> float:
    """The mean score of n random games."""
    games, found = snakeden.batch("snakey-dice", n, seed=1, autoreset=False), np.zeros(n)
    while (games.counts > 0).any():
        games.step(games.sample())
        found[games.over] = games.scores[games.over, 0]
    return float(found.mean())


def learn(minutes: float, steps: int, curve: Curve, episodes: int) -> MaskablePPO:
    """A model taught for this long, or by this many steps; new games are played with it every so often."""
    # Scores are large: they are scaled for the learner, and not for the evaluation.
    envs = VecNormalize(make_vec_env(make, SIDE_BY_SIDE, seed=1), norm_obs=False, gamma=1.0)
    fresh = make_vec_env(make, SIDE_BY_SIDE, seed=1000)
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=256,
        batch_size=512,
        n_epochs=3,
        learning_rate=1e-3,
        gamma=1.0,
        gae_lambda=0.97,
        ent_coef=0.01,
        seed=1,
    )
    began, last, done = time.process_time(), float("-inf"), 0
    while True:
        passed = time.process_time() - began
        at_end = done >= steps or passed > 60 * minutes
        if at_end or passed - last > 60 * minutes / 15:
            last = passed
            scores, _ = evaluate_policy(
                model, fresh, episodes, deterministic=False, return_episode_rewards=True
            )
            curve.add(done, float(np.mean(scores)), float(np.std(scores) / np.sqrt(len(scores))))
        if at_end:
            return model
        model.learn(SIDE_BY_SIDE * 256, reset_num_timesteps=False)
        done = model.num_timesteps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=2.5, help="processor time to learn in (default 2.5)")
    parser.add_argument("--steps", type=int, default=10**9, help="stop after this many steps")
    parser.add_argument("--episodes", type=int, default=128, help="games an evaluation (default 128)")
    parser.add_argument("--curve", default="", metavar="FILE", help="where to write the learning curve")
    args = parser.parse_args()
    levels = {"random play": random_score(1000)}
    curve = Curve(args.curve, "MaskablePPO, solo Snakey Dice", "steps", "mean score of new games", levels)
    learn(args.minutes, args.steps, curve, args.episodes)


if __name__ == "__main__":
    main()
