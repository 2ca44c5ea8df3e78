"""Train OpenSpiel's own AlphaZero (JAX) on a small Snekagon.

    pip install 'snakeden[clients]'
    python examples/alpha_zero.py --steps 30 --curve curve.jsonl

It writes its checkpoints and what it logs (learner.jsonl) to a folder. While it learns, an evaluator plays against
OpenSpiel's tree search with random rollouts and as many simulations a move.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from open_spiel.python.algorithms.alpha_zero import alpha_zero

import snakeden.adapters.open_spiel  # noqa: F401 - registers the games
from curve import Curve

WINDOW = 50
"""Of how many of the evaluator's last games the mean is taken."""


def config(path: str, game: str, steps: int, simulations: int) -> alpha_zero.Config:
    """A small network, one actor and one evaluator."""
    return alpha_zero.Config(
        game=game,
        path=path,
        learning_rate=0.003,
        weight_decay=1e-4,
        decouple_weight_decay=True,
        train_batch_size=64,
        replay_buffer_size=512,
        replay_buffer_reuse=8,
        max_steps=steps,
        checkpoint_freq=1,  # one that is written over may be read while it is not there
        actors=1,
        evaluators=1,
        evaluation_window=WINDOW,
        eval_levels=2,
        uct_c=2,
        max_simulations=simulations,
        policy_alpha=1,
        policy_epsilon=0.25,
        temperature=1,
        temperature_drop=4,
        nn_model="mlp",
        nn_width=64,
        nn_depth=2,
        observation_shape=None,
        output_size=None,
        verbose=False,
        quiet=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--game", default="snakeden_snekagon(side=3)", help="a game for two, as OpenSpiel calls it"
    )
    parser.add_argument("--steps", type=int, default=30, help="steps of the learner (default 30)")
    parser.add_argument("--simulations", type=int, default=10, help="simulations a move (default 10)")
    parser.add_argument("--path", default="", help="where to write; a new temporary folder by default")
    parser.add_argument("--curve", default="", metavar="FILE", help="where to write the learning curve")
    args = parser.parse_args()
    path = args.path or tempfile.mkdtemp(prefix="snakeden-alpha-zero-")
    alpha_zero.alpha_zero(config(path, args.game, args.steps, args.simulations))
    curve = Curve(
        args.curve,
        f"AlphaZero of OpenSpiel, {args.game}",
        "games of self-play",
        "loss of policy and value",
    )
    told: dict[str, Any] = {}
    for line in (Path(path) / "learner.jsonl").read_text().splitlines():
        told = json.loads(line)
        curve.add(told["total_trajectories"], told["loss"]["policy"] + told["loss"]["value"])
    if told and told["eval"]["count"]:
        games, mean = min(WINDOW, told["eval"]["count"]), told["eval"]["results"][0]
        error = ((1 - mean**2) / games) ** 0.5
        print(f"mean reward of the last {games} games against MCTS: {mean:+.2f} ± {error:.2f}")


if __name__ == "__main__":
    main()
