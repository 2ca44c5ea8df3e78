"""Other people's programs, unmodified, with the games as they come: run by `make test-clients`.

Each test is short: it shows that the client reads the masks, plays legal actions only and can update its policy. None
shows that it learns.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import snakeden.adapters.gymnasium
from snakeden.adapters.gymnasium import MaskInObservation
from snakeden.adapters.pettingzoo import env as pettingzoo_env

pytestmark = pytest.mark.filterwarnings("default")


class Refusing(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Fails the test at an illegal action, which the environment itself only punishes."""

    def step(self, action: Any) -> Any:
        result = self.env.step(action)
        assert "illegal" not in result[-1], result[-1]["illegal"]
        return result

    def action_masks(self) -> Any:
        """sb3-contrib asks the outermost environment."""
        return self.env.get_wrapper_attr("action_masks")()


def test_tianshou_plays_whole_games_and_learns() -> None:
    pytest.importorskip("tianshou")
    from tianshou.algorithm import DQN
    from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
    from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv, PettingZooEnv
    from tianshou.utils.net.common import Net
    from tianshou.utils.torch_utils import policy_within_training_step

    def make() -> Any:
        return PettingZooEnv(pettingzoo_env("snekagon", side=3))

    table = make()
    shape = table.observation_space["observation"].shape
    net = Net(state_shape=shape, action_shape=table.action_space.n, hidden_sizes=[32])
    learner = DQN(
        policy=DiscreteQLearningPolicy(model=net, action_space=table.action_space, eps_training=0.3),
        optim=AdamOptimizerFactory(lr=1e-3),
    )
    other = MARLRandomDiscreteMaskedOffPolicyAlgorithm(table.action_space)
    both = MultiAgentOffPolicyAlgorithm(algorithms=[learner, other], env=table)
    collector = Collector(both, DummyVectorEnv([make] * 2), VectorReplayBuffer(2000, 2))
    collector.reset()
    result = collector.collect(n_episode=6)
    assert result.n_collected_episodes >= 6
    # Lengths would not show it: legal games on this board last three to seven moves.
    buffer = collector.buffer
    stored = buffer.sample_indices(0)
    masks, chosen = buffer.obs.mask[stored], buffer.act[stored].astype(int)
    assert 0 < masks.sum() < masks.size
    assert masks[np.arange(len(stored)), chosen].all()
    with policy_within_training_step(both.policy):
        both.update(buffer, sample_size=16)


def test_sb3_contrib_learns_with_masks() -> None:
    sb3_contrib = pytest.importorskip("sb3_contrib")
    from sb3_contrib.common.maskable.evaluation import evaluate_policy

    env = Refusing(gymnasium.make("snakeden/snakey-dice-v0"))
    model = sb3_contrib.MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=32, n_epochs=1, seed=1)
    model.learn(128)
    rewards, lengths = evaluate_policy(model, env, n_eval_episodes=2, return_episode_rewards=True, warn=False)
    assert len(rewards) == len(lengths) == 2


def test_rllib_trains_with_its_own_masking_module() -> None:
    ray = pytest.importorskip("ray")
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
    from ray.tune.registry import register_env

    def make(settings: Any) -> Any:
        spec = "snakeden.adapters.gymnasium:snakeden/snekagon-v0"
        return MaskInObservation(Refusing(gymnasium.make(spec, side=3)))

    register_env("masked-snekagon", make)
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        model = {"conv_filters": [[8, 3, 1]], "fcnet_hiddens": [32], "head_fcnet_hiddens": []}
        config = (
            PPOConfig()
            .environment("masked-snekagon")
            .env_runners(num_env_runners=0)
            .training(train_batch_size_per_learner=64, minibatch_size=32, num_epochs=1)
            .rl_module(
                rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=model)
            )
        )
        result = config.build_algo().train()["env_runners"]
    finally:
        ray.shutdown()
    assert result["num_episodes"] > 3


def test_rllib_plays_the_pettingzoo_games() -> None:
    pytest.importorskip("ray")
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv

    table = PettingZooEnv(pettingzoo_env("snekagon-5g", players=3, side=4))
    seen, _ = table.reset(seed=1)
    over, rewards = False, {}
    while not over:
        agent, observed = next(iter(seen.items()))
        assert table.observation_spaces[agent].contains(observed)
        action = int(np.flatnonzero(observed["action_mask"])[0])
        seen, rewards, ended, _, _ = table.step({agent: action})
        over = ended["__all__"]
    assert sum(rewards.values()) == pytest.approx(0)
    assert len(rewards) == 3


def test_torch_reads_observations_without_a_copy() -> None:
    torch = pytest.importorskip("torch")
    games = snakeden.batch("snekagon", 3, seed=1, side=3)
    tensor = torch.zeros((3, *games.observation_shape))
    assert games.observe(tensor) is tensor
    assert (tensor.numpy() == games.observe()).all()


def test_masks_at_the_end_leave_a_distribution() -> None:
    torch = pytest.importorskip("torch")
    envs = gymnasium.make_vec("snakeden/snekagon-v0", num_envs=2, side=3)
    _, info = envs.reset(seed=1)
    ended = 0
    while ended < 3:
        logits = torch.where(torch.as_tensor(info["action_mask"]) > 0, 0.0, -torch.inf)
        chosen = torch.distributions.Categorical(logits=logits).sample()
        *_, over, _, info = envs.step(chosen.numpy())
        ended += over.sum()
