"""The games in OpenSpiel: its own tests, stored playthroughs, and its algorithms at play."""

from __future__ import annotations

import hashlib
import pickle
import random
import re
import subprocess
import sys
import unittest
import warnings
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from absl import flags

import snakeden
from snakeden.adapters import actions
from snakeden.adapters.open_spiel import short_name

PLAYTHROUGHS = sorted((Path(__file__).parent / "data" / "playthroughs").glob("*.txt"))

TABLES = [
    "snakeden_snekagon",
    "snakeden_snekagon_5g(players=3,side=4,snakes=mamba+cobra+python)",
    "snakeden_schlangennest(players=3,border=fence,nest=5x7)",
    "snakeden_schlangennest(snakes=2)",
    "snakeden_snakey_dice",
    "snakeden_snakey_dice(players=4,map=fishy)",
]


def abridged(playthrough: str) -> str:
    """A playthrough in which long lines, of tensors and legal moves, end in a hash of what is left out."""
    lines = []
    for line in playthrough.splitlines():
        if len(line) > 240:
            line = f"{line[:160]} … sha256 {hashlib.sha256(line.encode()).hexdigest()[:16]}"
        lines.append(line)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", TABLES)
def test_random_simulations(name: str) -> None:
    pyspiel.random_sim_test(
        pyspiel.load_game(name), num_sims=2, serialize=True, verbose=False, mask_test=True
    )


def test_the_integration_tests_of_open_spiel() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what OpenSpiel imports
        from open_spiel.integration_tests import api_test
    flags.FLAGS(["api_test", "--test_only_games=snakeden_.*"])
    suite = api_test.load_tests(unittest.defaultTestLoader, None, None)
    result = unittest.TestResult()
    suite.run(result)
    assert [text for _, text in result.errors + result.failures] == []
    assert result.testsRun >= 5 * len(snakeden.games())


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=[path.stem for path in PLAYTHROUGHS])
def test_stored_playthroughs(path: Path) -> None:
    from absl import flags
    from open_spiel.python.algorithms import generate_playthrough

    # It reads a flag, and flags are parsed by programs only.
    flags.FLAGS.mark_as_parsed()
    stored, replayed = generate_playthrough.replay(path)
    assert abridged(replayed) == stored


def test_every_game_has_a_playthrough() -> None:
    named = {
        re.search(r'^GameType\.short_name = "(.*)"$', path.read_text(encoding="utf-8"), re.M)[1]  # type: ignore[index]
        for path in PLAYTHROUGHS
    }
    assert named == {short_name(game) for game in snakeden.games()}


def test_open_spiel_plays_the_game_that_states_play() -> None:
    spiel = pyspiel.load_game("snakeden_snakey_dice(players=2)").new_initial_state()
    state, rng = snakeden.new_game("snakey-dice", players=2), random.Random(4)
    while not spiel.is_terminal():
        assert spiel.legal_actions() == state.codes().tolist()
        if spiel.is_chance_node():
            assert state.player == snakeden.CHANCE
            assert sum(probability for _, probability in spiel.chance_outcomes()) == pytest.approx(1)
        action = rng.choice(spiel.legal_actions())
        text = spiel.action_to_string(action)
        assert actions.number(state, text) == action
        spiel.apply_action(action)
        state = state.play(text)
    assert state.is_over
    best = max(spiel.returns())
    assert tuple(seat for seat in range(2) if spiel.returns()[seat] == best) == state.winners()


@pytest.mark.parametrize("name", TABLES)
def test_games_and_states_can_be_pickled(name: str) -> None:
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    for _ in range(3):
        state.apply_action(state.legal_actions()[0])
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    again = pickle.loads(pickle.dumps(state))
    assert (str(again), again.history()) == (str(state), state.history())


def test_a_pickled_game_is_found_in_a_process_that_has_not_imported_the_games() -> None:
    kept = pickle.dumps(pyspiel.load_game(TABLES[1])).hex()
    code = f"import pickle; print(pickle.loads(bytes.fromhex('{kept}')).num_players())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "3"


@pytest.mark.parametrize("name", ["snakeden_snekagon(side=4)", "snakeden_snakey_dice(players=2)"])
def test_algorithms_of_open_spiel_play(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from open_spiel.python.algorithms import mcts
        from open_spiel.python.bots import uniform_random
    game, rng = pyspiel.load_game(name), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bots = [mcts.MCTSBot(game, 2.0, 6, evaluator, random_state=rng), uniform_random.UniformRandomBot(1, rng)]
    state = game.new_initial_state()
    moves = 0
    while moves < 6 and not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=chances)))
            continue
        action = bots[state.current_player()].step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
        moves += 1
    assert moves == 6
