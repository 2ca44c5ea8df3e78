"""Vector environments over batches: what Gymnasium's own vector of single environments says, step by step."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from numpy.typing import NDArray

import snakeden
import snakeden.adapters.gymnasium
from snakeden.adapters.observations import observe

N = 3

# No dice and no random opponent: both must play the very same games.
CERTAIN: list[tuple[str, dict[str, Any]]] = [
    ("snekagon", {"side": 3}),
    ("snekagon", {"side": 3, "seat": 1, "reward": "margin"}),
    ("snekagon-5g", {"side": 4, "players": 3, "seat": 2}),
    ("schlangennest", {"nest": "3x3", "seat": 1}),
]


def first_legal(planes: Any, mask: Any) -> Any:
    return mask.argmax(axis=-1)


def legal_actions(mask: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
    return np.array([rng.choice(np.flatnonzero(row)) for row in mask])


def make(game: str, **arguments: Any) -> Any:
    return gymnasium.make_vec(f"snakeden/{game}-v0", num_envs=N, **arguments)


def same(ours: Any, theirs: Any, where: NDArray[np.bool_] | None = None) -> bool:
    rows = slice(None) if where is None else where
    return bool((np.asarray(ours)[rows] == np.asarray(theirs)[rows]).all())


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize(("game", "arguments"), CERTAIN)
def test_a_batch_says_what_single_environments_say(
    game: str, arguments: dict[str, Any], mode: AutoresetMode
) -> None:
    arguments = {**arguments, "opponent": first_legal}
    ours = make(game, autoreset_mode=mode, **arguments)
    single = [lambda: gymnasium.make(f"snakeden/{game}-v0", **arguments)] * N
    theirs = SyncVectorEnv(single, autoreset_mode=mode)
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"]
    assert ours.observation_space == theirs.observation_space
    (seen, info), (seen_too, info_too) = ours.reset(seed=1), theirs.reset(seed=1)
    rng, ended = np.random.default_rng(2), 0
    for _ in range(40):
        assert same(seen, seen_too)
        assert same(info["action_mask"], info_too["action_mask"])
        assert info["scores"].tolist() == list(info_too["scores"])
        chosen = legal_actions(info["action_mask"], rng)
        if rng.random() < 0.1:
            chosen[0] = 0  # perhaps illegal
        seen, reward, over, cut, info = ours.step(chosen)
        seen_too, reward_too, over_too, cut_too, info_too = theirs.step(chosen)
        assert same(reward, reward_too)
        assert same(over, over_too)
        assert same(cut, cut_too)
        ended += over.sum()
        assert ("final_obs" in info) == ("final_obs" in info_too)
        if "final_obs" in info:
            assert same(info["_final_obs"], info_too["_final_obs"])
            for i in np.flatnonzero(over):
                assert same(info["final_obs"][i], info_too["final_obs"][i])
                assert info["final_info"]["scores"][i].tolist() == info_too["final_info"]["scores"][i]
            assert same(
                info["final_info"]["action_mask"], info_too["final_info"]["action_mask"], info["_final_info"]
            )
    assert ended > 5


@pytest.mark.parametrize(
    ("game", "arguments"),
    [
        ("snakey-dice", {}),
        ("snakey-dice", {"players": 3, "seat": "random"}),
        ("snekagon", {"side": 3, "opponent": "greedy", "seat": "random"}),
    ],
)
def test_a_seed_decides_all(game: str, arguments: dict[str, Any]) -> None:
    def play(seed: Any) -> list[Any]:
        env, rng, steps = make(game, **arguments), np.random.default_rng(3), []
        _, info = env.reset(seed=seed)
        for _ in range(60):
            seen, reward, over, _, info = env.step(legal_actions(info["action_mask"], rng))
            steps.append((seen.sum(), reward.tolist(), over.tolist(), info["seat"].tolist()))
        return steps

    assert play(4) == play(4)
    assert play(4) != play(5)
    assert play([7, 8, 9]) == play([7, 8, 9])


def test_masks_are_ones_at_the_end_and_scores_the_final_ones() -> None:
    env, rng, ended = make("snakey-dice"), np.random.default_rng(1), 0
    _, info = env.reset(seed=1)
    while ended < 4:
        _, reward, over, _, info = env.step(legal_actions(info["action_mask"], rng))
        ended += over.sum()
        assert (info["action_mask"][over] == 1).all()
        assert (info["scores"][over, 0] == reward[over]).all()
        assert (reward[~over] == 0).all()


def test_chosen_games_are_reset_and_started_anywhere() -> None:
    env = make("snekagon", side=4, opponent=first_legal, autoreset_mode="Disabled")
    _, info = env.reset(seed=1)
    over = np.zeros(N, bool)
    while not over.any():
        _, _, over, _, info = env.step(legal_actions(info["action_mask"], np.random.default_rng(1)))
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset it with"):
        env.step(legal_actions(info["action_mask"], np.random.default_rng(1)))
    start = snakeden.new_game("snekagon", side=4).play("a1").play("d5-d6-d7")
    seen, info = env.reset(options={"reset_mask": over, "state": start})
    assert (seen[over] == observe(start, 0)).all()
    env.step(legal_actions(info["action_mask"], np.random.default_rng(1)))
    with pytest.raises(snakeden.BadOption, match="3 bools"):
        env.reset(options={"reset_mask": [True]})


def test_a_function_is_asked_for_all_waiting_games_at_once() -> None:
    asked = []

    def opponent(planes: Any, mask: Any) -> Any:
        asked.append(len(planes))
        return first_legal(planes, mask)

    make("snekagon", side=3, seat=1, opponent=opponent).reset(seed=1)
    assert asked == [N]
    with pytest.raises(snakeden.IllegalMove, match="was asked for 3 actions"):
        make("snekagon", side=3, seat=1, opponent=lambda planes, mask: 0).reset(seed=1)


def test_a_vector_environment_can_be_copied_in_mid_game() -> None:
    env = make("snakey-dice", players=2, seat="random")
    _, info = env.reset(seed=1)
    twin = pickle.loads(pickle.dumps(env))
    for _ in range(30):
        chosen = legal_actions(info["action_mask"], np.random.default_rng(1))
        (seen, reward, *_, info), (seen_too, reward_too, *_) = env.step(chosen), twin.step(chosen)
        assert same(seen, seen_too)
        assert same(reward, reward_too)
