"""The games in Gymnasium and PettingZoo: the packages' own suites, with warnings as errors."""

from __future__ import annotations

import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

import snakeden
import snakeden.adapters.gymnasium
from snakeden.adapters import actions
from snakeden.adapters.pettingzoo import env as pettingzoo_env

TABLES: list[tuple[str, dict[str, Any]]] = [
    ("snekagon", {}),
    ("snekagon-5g", {"players": 2, "side": 4}),
    ("snekagon-5g", {"players": 5, "side": 4}),
    ("schlangennest", {"players": 2, "snakes": 2}),
    ("schlangennest", {"players": 4}),
    ("snakey-dice", {"players": 1}),
    ("snakey-dice", {"players": 4}),
]
ids = ["-".join([game, *(f"{k}={v}" for k, v in options.items())]) for game, options in TABLES]
tables = pytest.mark.parametrize(("game", "options"), TABLES, ids=ids)


def test_every_game_is_here() -> None:
    assert {game for game, _ in TABLES} == set(snakeden.games())


# ---- PettingZoo


@tables
def test_pettingzoo_api(game: str, options: dict[str, Any]) -> None:
    api_test(pettingzoo_env(game, **options), num_cycles=60)


@tables
def test_pettingzoo_seeds(game: str, options: dict[str, Any]) -> None:
    seed_test(lambda: pettingzoo_env(game, **options), num_cycles=20)


@pytest.mark.parametrize("game", list(snakeden.games()))
def test_pettingzoo_renders(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    svg = {"svg": lambda picture: picture.startswith("<svg")}
    render_test(lambda **mode: pettingzoo_env(game, **mode), custom_tests=svg)
    assert snakeden.games()[game].name in capsys.readouterr().out


def test_pettingzoo_plays_the_game_that_states_play() -> None:
    table = pettingzoo_env("schlangennest", snakes=2)
    table.reset(seed=3)
    state, rng, in_a_row, before = snakeden.new_game("schlangennest", snakes=2), random.Random(3), 0, None
    while not state.is_over:
        assert table.agent_selection == f"player_{state.player}"
        in_a_row += table.agent_selection == before
        before = table.agent_selection
        _, reward, over, _, info = table.last()
        assert not over
        assert reward == 0
        assert np.flatnonzero(info["action_mask"]).tolist() == actions.legal(state)
        action = rng.choice(actions.legal(state))
        state = state.play(actions.text(state, action))
        table.step(action)
    assert in_a_row > 0
    won = [table.rewards[f"player_{seat}"] == max(table.rewards.values()) for seat in range(2)]
    assert tuple(seat for seat in range(2) if won[seat]) == state.winners()
    assert all(table.terminations.values())


def test_pettingzoo_ends_at_an_illegal_action() -> None:
    table = pettingzoo_env("snekagon", side=3)
    table.reset(seed=1)
    table.step(0)
    table.step(0)
    assert table.rewards == {"player_0": 0, "player_1": -1}
    assert "you have no such tile of 1 hex left" in table.infos["player_1"]["illegal"]
    assert table.terminations == {"player_0": True, "player_1": True}


# ---- Gymnasium

CHECKED: list[tuple[str, dict[str, Any]]] = [
    ("snakeden/snakey-dice-v0", {}),
    ("snakeden/snakey-dice-v0", {"players": 3, "seat": 1}),
    ("snakeden/snekagon-v0", {"opponent": "greedy", "side": 4}),
    ("snakeden/snekagon-5g-v0", {"side": 4, "seat": 1}),
    ("snakeden/schlangennest-v0", {}),
]


@pytest.mark.parametrize(("name", "arguments"), CHECKED)
def test_gymnasium_checks(name: str, arguments: dict[str, Any]) -> None:
    check_env(gymnasium.make(name, **arguments).unwrapped)


@pytest.mark.parametrize(("name", "arguments"), CHECKED)
def test_gymnasium_plays_whole_games(name: str, arguments: dict[str, Any]) -> None:
    env = gymnasium.make(name, **arguments)
    _, info = env.reset(seed=5)
    env.action_space.seed(5)
    over, rewards = False, []
    while not over:
        _, reward, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
        rewards.append(float(reward))
    assert set(rewards[:-1]) <= {0.0}
    final = info["scores"]
    seat = arguments.get("seat", 0)
    if len(final) == 1:
        assert rewards[-1] == final[0]
    else:
        assert (rewards[-1] > 0) == (final[seat] == max(final) > min(final))
    assert "illegal" not in info


def test_gymnasium_ends_at_an_illegal_action_and_says_why() -> None:
    env = gymnasium.make("snakeden/snekagon-v0", side=3)
    _, info = env.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, over, _, info = env.step(wrong)
    assert (reward, over) == (-1.0, True)
    assert "the first move of the game must be the one-hex tile" in info["illegal"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"seat": 2}, "allowed is 0 to 1"),
        ({"opponent": "clever"}, "agents are"),
        ({"render_mode": "film"}, "one of ansi, svg"),
        ({"side": 99}, "a whole number from 3 to 8"),
    ],
)
def test_what_cannot_be_made_is_refused_in_words(arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        snakeden.adapters.gymnasium.GameEnv("snekagon", **arguments)
