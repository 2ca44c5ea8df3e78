"""The learning example does what its page says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parent.parent / "examples" / "reinforce.py"


def test_reinforce_beats_random_by_the_stated_margin() -> None:
    run = [sys.executable, str(EXAMPLE), "--seconds", "600", "--updates", "15"]
    printed = subprocess.run(run, check=True, capture_output=True, text=True).stdout
    told = {
        name: (float(mean), float(error))
        for name, mean, error in re.findall(r"^(random|learned) +(-?[\d.]+) ± ([\d.]+) points", printed, re.M)
    }
    (random, random_error), (learned, learned_error) = told["random"], told["learned"]
    # The margin of docs/research.md, and more than chance can explain.
    assert learned - random > 10
    assert learned - random > 4 * (random_error**2 + learned_error**2) ** 0.5
