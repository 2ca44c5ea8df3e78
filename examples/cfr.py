"""Solve the tiny Snekagon with OpenSpiel's CFR+, and watch its exploitability.

    python examples/cfr.py --curve curve.jsonl

Any other game of docs/research.md's table will do, too: `--game "snakeden_schlangennest(nest=2x2,tail_first=True)"`.
"""

from __future__ import annotations

import argparse

import pyspiel
from open_spiel.python.algorithms import cfr, expected_game_score
from open_spiel.python.algorithms.exploitability import exploitability

import snakeden.adapters.open_spiel  # noqa: F401 - registers the games
from curve import Curve


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--game", default="snakeden_snekagon(side=2)", help="a small game, as OpenSpiel calls it"
    )
    parser.add_argument("--iterations", type=int, default=64, help="how many (default 64)")
    parser.add_argument("--curve", default="", metavar="FILE", help="where to write the exploitability")
    args = parser.parse_args()
    curve = Curve(args.curve, f"CFR+ of OpenSpiel, {args.game}", "iterations", "exploitability")
    game = pyspiel.load_game(args.game)
    solver = cfr.CFRPlusSolver(game)
    for iteration in range(1, args.iterations + 1):
        solver.evaluate_and_update_policy()
        if iteration & (iteration - 1) == 0 or iteration == args.iterations:
            curve.add(iteration, exploitability(game, solver.average_policy()))
    policy = solver.average_policy()
    values = expected_game_score.policy_value(game.new_initial_state(), [policy] * game.num_players())
    print("values", " ".join(f"{value:+.3f}" for value in values))


if __name__ == "__main__":
    main()
