"""The games in Gymnasium and PettingZoo: the packages' own suites, with warnings as errors."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import snakeden
import snakeden.adapters.gymnasium
from snakeden import agents
from snakeden.adapters import actions
from snakeden.adapters.observations import observe
from snakeden.adapters.pettingzoo import env as pettingzoo_env

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of PettingZoo's own games, which it imports where pygame is installed
    from pettingzoo.test import api_test, render_test, seed_test

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


# The suite expects dictionaries, with masks in them, of PettingZoo's own games only, which it knows by name.
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
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
        seen, reward, over, _, info = table.last()
        assert not over
        assert reward == 0
        assert np.flatnonzero(info["action_mask"]).tolist() == actions.legal(state)
        assert (seen["action_mask"] == info["action_mask"]).all()
        assert (seen["observation"] == observe(state)).all()
        assert state.player is not None
        idle = table.observe(f"player_{1 - state.player}")
        assert not idle["action_mask"].any()
        assert (idle["observation"] == observe(state, 1 - state.player)).all()
        action = rng.choice(actions.legal(state))
        state = state.play(actions.text(state, action))
        table.step(action)
    assert in_a_row > 0
    won = [table.rewards[f"player_{seat}"] == max(table.rewards.values()) for seat in range(2)]
    assert tuple(seat for seat in range(2) if won[seat]) == state.winners()
    assert all(table.terminations.values())
    # A policy is defined at the end, too: a mask of zeros would make its probabilities NaN.
    assert all(table.observe(agent)["action_mask"].all() for agent in table.agents)
    assert all(info["action_mask"].all() for info in table.infos.values())


def test_pettingzoo_starts_anywhere() -> None:
    start = snakeden.new_game("snekagon", side=4).play("a1").play("d5-d6-d7")
    table = pettingzoo_env("snekagon", side=4)
    for given in (start, start.text):
        table.reset(options={"state": given})
        assert table.unwrapped.state_of_play == start
    with pytest.raises(snakeden.BadOption, match="under the same options"):
        table.reset(options={"state": snakeden.new_game("snekagon", side=3)})


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
    assert info["action_mask"].all()
    assert env.unwrapped.action_masks().all()  # type: ignore[attr-defined]


def test_gymnasium_ends_at_an_illegal_action_and_says_why() -> None:
    env = gymnasium.make("snakeden/snekagon-v0", side=3)
    _, info = env.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, over, _, info = env.step(wrong)
    assert (reward, over) == (-1.0, True)
    assert "the first move of the game must be the one-hex tile" in info["illegal"]


def first_legal(planes: Any, mask: Any) -> int:
    return int(mask.argmax())


def played(env: gymnasium.Env[Any, Any], seed: int = 5, **reset: Any) -> tuple[float, dict[str, Any]]:
    """A game of random moves: its reward and the last info."""
    _, info = env.reset(seed=seed, **reset)
    env.action_space.seed(5)
    over, reward = False, 0.0
    while not over:
        _, worth, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
        reward = float(worth)
    return reward, info


def test_gymnasium_says_its_masks_as_sb3_contrib_asks_for_them() -> None:
    env = gymnasium.make("snakeden/snekagon-v0", side=3)
    _, info = env.reset(seed=1)
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == np.bool_
    assert (masks == info["action_mask"].astype(bool)).all()


def test_gymnasium_finds_the_games_by_their_module() -> None:
    name = "'snakeden.adapters.gymnasium:snakeden/snekagon-v0'"
    code = f"import gymnasium as g; print(g.make({name}).spec.id, g.make_vec({name}, 2).num_envs)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["snakeden/snekagon-v0", "2"]


@pytest.mark.parametrize("opponent", ["random", "greedy", first_legal])
def test_a_seed_decides_what_opponents_play(opponent: Any) -> None:
    env = gymnasium.make("snakeden/snekagon-v0", opponent=opponent, side=3)
    assert played(env)[1]["scores"] == played(env)[1]["scores"]


def test_an_agent_plays_the_other_seats() -> None:
    class Watched:
        name = "watched"

        def __init__(self) -> None:
            self.agent, self.asked = agents.make("greedy"), 0

        def choose(self, state: snakeden.State, stop: Any = None) -> agents.Choice:
            self.asked += 1
            assert state.player == 1
            return self.agent.choose(state)

    watched = Watched()
    played(gymnasium.make("snakeden/snekagon-v0", opponent=watched, side=3))
    assert watched.asked > 1


def test_a_function_plays_what_it_returns() -> None:
    asked: list[int | None] = []

    def opponent(planes: Any, mask: Any) -> int:
        state = env.unwrapped.state_of_play  # type: ignore[attr-defined]
        assert (planes == observe(state)).all()
        assert (mask == actions.mask(state)).all()
        asked.append(state.player)
        return first_legal(planes, mask)

    env = gymnasium.make("snakeden/snekagon-5g-v0", opponent=opponent, seat=1, players=3, side=4)
    played(env)
    assert set(asked) == {0, 2}


def test_a_function_that_plays_an_illegal_action_is_told_so() -> None:
    env = gymnasium.make("snakeden/snekagon-v0", opponent=lambda planes, mask: 0, seat=1, side=3)
    env.reset(seed=1)  # 0 is a1, which is legal once
    with pytest.raises(snakeden.IllegalMove, match="no such tile of 1 hex"):
        env.step(np.int64(np.flatnonzero(env.get_wrapper_attr("action_masks")())[0]))


def test_the_seat_is_random_and_the_reward_the_margin() -> None:
    env = gymnasium.make("snakeden/snekagon-v0", seat="random", reward="margin", side=3)
    seats = set()
    for seed in range(12):
        reward, info = played(env, seed)
        seats.add(info["seat"])
        own, other = info["scores"][info["seat"]], info["scores"][1 - info["seat"]]
        assert reward == own - other
    assert seats == {0, 1}


def test_gymnasium_starts_anywhere() -> None:
    start = snakeden.new_game("snekagon", side=4).play("a1").play("d5-d6-d7")
    env = gymnasium.make("snakeden/snekagon-v0", side=4)
    planes, _ = env.reset(seed=1, options={"state": start.text})
    assert (planes == observe(start, 0)).all()
    env.reset(seed=1)
    assert env.unwrapped.state_of_play == snakeden.new_game("snekagon", side=4)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seat": 2}, "allowed is 0 to 1, or 'random'"),
        ({"opponent": 7}, "an agent, or a function"),
        ({"reward": "score"}, "allowed is 'outcome' or 'margin'"),
        ({"opponent": "clever"}, "agents are"),
        ({"render_mode": "film"}, "one of ansi, svg"),
        ({"side": 99}, "a whole number from 2 to 8"),
    ],
)
def test_what_cannot_be_made_is_refused_in_words(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        snakeden.adapters.gymnasium.GameEnv("snekagon", **arguments)


def copied(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


@pytest.mark.parametrize("copy_of", [copied, copy.deepcopy])
@pytest.mark.parametrize(("game", "opponent"), [("snakey-dice", "random"), ("snekagon", "greedy")])
def test_an_environment_that_is_copied_in_mid_game_goes_its_own_way(
    game: str, opponent: str, copy_of: Any
) -> None:
    def play_on(env: Any) -> list[Any]:
        steps = []
        for _ in range(5):
            action = first_legal(None, env.get_wrapper_attr("action_masks")())
            planes, reward, _, _, info = env.step(action)
            steps.append((planes.tobytes(), reward, info["scores"]))
        return steps

    env = gymnasium.make(f"snakeden/{game}-v0", opponent=opponent)
    env.reset(seed=1)
    play_on(env)
    before = env.unwrapped.state_of_play  # type: ignore[attr-defined]
    twin = copy_of(env)
    played_by_the_twin = play_on(twin)
    assert env.unwrapped.state_of_play == before != twin.unwrapped.state_of_play  # type: ignore[attr-defined]
    assert play_on(env) == played_by_the_twin  # dice and opponents included


@pytest.mark.parametrize("copy_of", [copied, copy.deepcopy])
def test_a_table_of_pettingzoo_can_be_copied(copy_of: Any) -> None:
    table = pettingzoo_env("snakey-dice", players=2)
    table.reset(seed=1)
    twin = copy_of(table)
    for _ in range(8):
        twin.step(first_legal(None, twin.last()[0]["action_mask"]))
    assert table.unwrapped.state_of_play != twin.unwrapped.state_of_play
    for _ in range(8):
        table.step(first_legal(None, table.last()[0]["action_mask"]))
    assert table.unwrapped.state_of_play == twin.unwrapped.state_of_play
