"""The learning example does what its page says."""

from __future__ import annotations

import importlib.util
from pathlib import Path

EXAMPLE = Path(__file__).parent.parent / "examples" / "reinforce.py"


def test_reinforce_beats_random_by_the_stated_margin() -> None:
    spec = importlib.util.spec_from_file_location("reinforce", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    policy = example.learn(seconds=600, updates=15)
    untaught = example.Policy(*policy.weights.shape)
    random, random_error = example.score(untaught, 256, seed=77)
    learned, learned_error = example.score(policy, 256, seed=78)
    # The margin of docs/research.md, and more than chance can explain.
    assert learned - random > 10
    assert learned - random > 4 * (random_error**2 + learned_error**2) ** 0.5
