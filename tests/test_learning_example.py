"""The learning example does what its page says."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parent.parent / "examples" / "reinforce.py"


def test_reinforce_beats_random_by_the_stated_margin() -> None:
    run = [sys.executable, str(EXAMPLE), "--seconds", "600", "--updates", "15"]
    printed = subprocess.run(run, check=True, capture_output=True, text=True).stdout
    results = {
        name: (float(mean), float(error))
        for name, mean, error in re.findall(r"^(random|learned) +(-?[\d.]+) ± ([\d.]+) points", printed, re.M)
    }
    (random, random_error), (learned, learned_error) = results["random"], results["learned"]
    # The margin of docs/research.md, and more than chance can explain.
    assert learned - random > 10
    assert learned - random > 4 * (random_error**2 + learned_error**2) ** 0.5


# ---- The curves of the examples that `make test-clients` runs

CURVES = EXAMPLE.parent.parent / "docs" / "curves"
ROW = re.compile(
    r"^\| \[`(\w+)\.py`\]\(\.\./examples/\w+\.py\) \|.*\| (-?[\d., ]+) \| (-?[\d., ]+) \|$", re.MULTILINE
)


def told() -> list[tuple[str, str, str]]:
    """The name of every curve in the docs, and the figures at its ends. An example with several runs has as many
    curves, numbered from 1 on."""
    found = []
    page = (EXAMPLE.parent.parent / "docs" / "research.md").read_text(encoding="utf-8")
    for name, first, last in ROW.findall(page):
        runs = list(zip(first.split(", "), last.split(", "), strict=True))
        found += [(f"{name}-{k}" if len(runs) > 1 else name, *ends) for k, ends in enumerate(runs, 1)]
    return found


TOLD = told()


def points(name: str) -> list[dict[str, float]]:
    lines = (CURVES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[1:]]


def test_the_docs_tell_of_every_curve() -> None:
    assert {name for name, _, _ in TOLD} == {path.stem for path in CURVES.glob("*.jsonl")}
    assert len(TOLD) == 7


@pytest.mark.parametrize(("name", "first", "last"), TOLD)
def test_the_docs_tell_what_a_curve_shows(name: str, first: str, last: str) -> None:
    curve = points(name)
    digits = len(first.partition(".")[2])
    assert f"{curve[0]['y']:.{digits}f}" == first
    assert f"{curve[-1]['y']:.{digits}f}" == last
    # Of exploitability less is better, of all else more. Three standard errors are no accident.
    gained = (curve[-1]["y"] - curve[0]["y"]) * (-1 if name == "cfr" else 1)
    assert gained > 3 * (curve[0]["error"] ** 2 + curve[-1]["error"] ** 2) ** 0.5


def test_the_cheapest_example_runs(tmp_path: Path) -> None:
    curve = tmp_path / "curve.jsonl"
    run = [sys.executable, str(EXAMPLE.parent / "cfr.py"), "--iterations", "8", "--curve", str(curve)]
    printed = subprocess.run(run, check=True, capture_output=True, text=True).stdout
    found = [json.loads(line)["y"] for line in curve.read_text(encoding="utf-8").splitlines()[1:]]
    assert found == sorted(found, reverse=True)
    assert "values +0.9" in printed or "values +1.0" in printed
