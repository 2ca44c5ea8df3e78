"""Train a network for Snekagon on a board of side 3, on a CPU, in ten minutes, and let it play against greedy.

    pip install 'snakeden[train]'
    python examples/train_small.py

The network plays by its policy and a search of 50 simulations, without the solver, which would know the whole game.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--out", type=Path, help="keep the run in this folder")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.out or Path(temporary) / "run"
        snakeden("train", "snekagon", "--set", "side=3", "--minutes", str(args.minutes), "--out", str(folder))
        player = f"net:sims=50,solver=no,file={folder / 'net.onnx'}"
        snakeden("arena", player, "greedy", "--set", "side=3", "--games", "100")


def snakeden(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "snakeden", *arguments], check=True)


if __name__ == "__main__":
    main()
