"""Train OpenSpiel's own AlphaZero (JAX) on a small Snekagon.

    pip install 'snakeden[clients]'
    python examples/alpha_zero.py --steps 50

It writes its checkpoints and its learning curve (learner.jsonl) to a folder.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

from open_spiel.python.algorithms.alpha_zero import alpha_zero

import snakeden.adapters.open_spiel  # noqa: F401 - registers the games


def config(path: str, game: str, steps: int, simulations: int) -> alpha_zero.Config:
    """A small network, one actor and one evaluator."""
    return alpha_zero.Config(
        game=game,
        path=path,
        learning_rate=0.003,
        weight_decay=1e-4,
        decouple_weight_decay=True,
        train_batch_size=64,
        replay_buffer_size=1024,
        replay_buffer_reuse=4,
        max_steps=steps,
        checkpoint_freq=max(1, steps // 4),
        actors=1,
        evaluators=1,
        evaluation_window=20,
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
    parser.add_argument("--steps", type=int, default=25, help="steps of the learner (default 25)")
    parser.add_argument("--simulations", type=int, default=20, help="simulations a move (default 20)")
    parser.add_argument("--path", default="", help="where to write; a new temporary folder by default")
    args = parser.parse_args()
    path = args.path or tempfile.mkdtemp(prefix="snakeden-alpha-zero-")
    alpha_zero.alpha_zero(config(path, args.game, args.steps, args.simulations))
    for line in (Path(path) / "learner.jsonl").read_text().splitlines():
        told = json.loads(line)
        print(f"step {told['step']}  games {told['total_trajectories']}  loss {told['loss']['sum']:.3f}")


if __name__ == "__main__":
    main()
