"""Train OpenSpiel's own AlphaZero (JAX) on a small Snekagon, and let its network play OpenSpiel's tree search.

    pip install 'snakeden[clients]'
    python examples/alpha_zero.py --curve curve.jsonl

It writes its checkpoints and what it logs (learner.jsonl) to a folder. Then the networks of some checkpoints play,
without a search of their own, matches against OpenSpiel's tree search with random rollouts.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts
from open_spiel.python.algorithms.alpha_zero import alpha_zero, utils
from open_spiel.python.algorithms.alpha_zero.evaluator import AlphaZeroEvaluator

import snakeden.adapters.open_spiel  # noqa: F401 - registers the games
from curve import Curve

MATCHES = 4
"""How many of the checkpoints play, beside the untrained network."""
SIMULATIONS = 8
"""For a move of OpenSpiel's tree search in these matches."""


def config(path: str, game: str, steps: int, simulations: int, states: int) -> alpha_zero.Config:
    """A small network and one actor; a step of the learner follows every so many states of self-play."""
    return alpha_zero.Config(
        game=game,
        path=path,
        learning_rate=0.002,
        weight_decay=1e-4,
        decouple_weight_decay=True,
        train_batch_size=32,
        replay_buffer_size=8 * states,
        replay_buffer_reuse=8,
        max_steps=steps,
        checkpoint_freq=1,  # one that is written over may be read while it is not there
        actors=1,
        evaluators=0,  # the matches are played afterwards
        evaluation_window=1,
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


class Matches:
    """Matches between the networks of checkpoints and OpenSpiel's tree search."""

    def __init__(self, settings: alpha_zero.Config) -> None:
        self._game = pyspiel.load_game(settings.game)
        self._model = utils.api_selector(settings.nn_api_version).Model.build_model(
            settings.nn_model,
            self._game.observation_tensor_shape(),
            self._game.num_distinct_actions(),
            settings.nn_width,
            settings.nn_depth,
            settings.weight_decay,
            settings.learning_rate,
            settings.path,
            decouple_weight_decay=settings.decouple_weight_decay,
        )
        self._evaluator = AlphaZeroEvaluator(self._game, self._model)
        self._opponent = mcts.MCTSBot(
            self._game, settings.uct_c, SIMULATIONS, mcts.RandomRolloutEvaluator(), solve=True
        )

    def play(self, step: int, games: int) -> tuple[float, float]:
        """The share of games that the network of a step wins, half of them as each seat, and its standard error;
        a draw is half."""
        self._model.load_checkpoint(step)
        self._evaluator.clear_cache()
        shares = np.array([(self._reward(seat=number % 2) + 1) / 2 for number in range(games)])
        return float(shares.mean()), float(shares.std() / np.sqrt(games))

    def _reward(self, seat: int) -> float:
        state = self._game.new_initial_state()
        while not state.is_terminal():
            own = state.current_player() == seat
            state.apply_action(self._likeliest(state) if own else self._opponent.step(state))
        return float(state.returns()[seat])

    def _likeliest(self, state: pyspiel.State) -> int:
        """The action of highest probability, as the network says."""
        return int(max(self._evaluator.prior(state), key=lambda pair: float(pair[1]))[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--game",
        default="snakeden_snekagon(side=3)",
        help="a game for two without dice, as OpenSpiel calls it",
    )
    parser.add_argument("--steps", type=int, default=16, help="steps of the learner (default 16)")
    parser.add_argument("--states", type=int, default=256, help="states a step (default 256)")
    parser.add_argument(
        "--simulations", type=int, default=20, help="simulations a move of self-play (default 20)"
    )
    parser.add_argument("--games", type=int, default=300, help="games a match (default 300)")
    parser.add_argument("--path", default="", help="where to write; a new temporary folder by default")
    parser.add_argument("--curve", default="", metavar="FILE", help="where to write the learning curve")
    args = parser.parse_args()
    path = args.path or tempfile.mkdtemp(prefix="snakeden-alpha-zero-")
    settings = config(path, args.game, args.steps, args.simulations, args.states)
    alpha_zero.alpha_zero(settings)
    curve = Curve(
        args.curve,
        f"AlphaZero, {args.game.removeprefix('snakeden_')}",
        "games of self-play",
        f"won against MCTS ({SIMULATIONS} simulations)",
        {"as strong as MCTS": 0.5},
    )
    logged: list[dict[str, Any]] = [
        {"step": 0, "total_trajectories": 0},
        *map(json.loads, (Path(path) / "learner.jsonl").read_text().splitlines()),
    ]
    matches, often = Matches(settings), max(1, args.steps // MATCHES)
    for entry in logged:
        if entry["step"] % often == 0 or entry["step"] == args.steps:
            curve.add(entry["total_trajectories"], *matches.play(entry["step"], args.games))


if __name__ == "__main__":
    main()
