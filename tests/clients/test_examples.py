"""The examples that need other people's clients, for as short as they can run: they learn something, and write their
curve. How well they learn is shown by the curves in docs/curves, which are made by longer runs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"

SHORT = {
    "ppo": ["--updates", "2", "--matches", "10", "--side", "3"],
    "maskable_ppo": ["--steps", "1", "--episodes", "4"],
    "dqn": ["--rounds", "2", "--games", "8"],
    "alpha_zero": ["--steps", "1", "--simulations", "4"],
}


@pytest.mark.parametrize("name", SHORT)
def test_an_example_runs_and_writes_its_curve(name: str, tmp_path: Path) -> None:
    path, picture = tmp_path / "curve.jsonl", tmp_path / "curve.svg"
    run = [sys.executable, str(EXAMPLES / f"{name}.py"), *SHORT[name], "--curve", str(path)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=1200, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Exception caught" not in done.stdout  # AlphaZero's actors go on without saying so otherwise
    head, *points = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert {"title", "x", "y"} <= head.keys()
    assert points[-1]["x"] > 0
    subprocess.run([sys.executable, str(EXAMPLES / "curve.py"), str(path), "-o", str(picture)], check=True)
    assert head["y"] in picture.read_text(encoding="utf-8")
