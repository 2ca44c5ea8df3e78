"""The search as WebAssembly in Node beside the compiled one, one thread each: `python bench/wasm.py [--json]`.

Both search the first position of each game with the same seed, in turns; the better of each's runs counts.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from in_javascript import in_node, job

import snakeden
from snakeden.core.game import Variant
from snakeden.programs import program
from snakeden.search.tree import new_tree
from snakeden.search.workspace import Parameters, new_workspace

GAMES: list[tuple[str, dict[str, Any], int]] = [
    ("snekagon", {}, 20_000),
    ("snekagon", {"side": 8}, 8_000),
    ("snekagon-5g", {}, 4_000),
    ("schlangennest", {}, 12_000),
    ("snakey-dice", {}, 12_000),
    ("snakey-dice", {"players": 2}, 12_000),
]
ROUNDS = 10


def compiled_rate(variant: Variant, simulations: int) -> float:
    """Simulations a second of the compiled search."""
    opening = variant.game.rules.opening(variant.tables)
    tree = new_tree(variant.tables.seats, 20_000)
    workspace = new_workspace(variant.tables, opening.dtype, np.zeros)
    began = time.perf_counter()
    _, done = program(variant, "cpu").simulate(tree, workspace, opening, 12345, simulations, Parameters())
    rate: float = done / (time.perf_counter() - began)
    return rate


def node_rate(variant: Variant, simulations: int) -> float:
    """Simulations a second in Node."""
    with tempfile.TemporaryDirectory() as folder:
        (found,) = in_node(variant.game.id, [job(variant, [], simulations)], Path(folder))
    return float(found["search"]["done"] / found["search"]["seconds"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    as_json = parser.parse_args().json
    rows = []
    for game, options, simulations in GAMES:
        variant = snakeden.new_game(game, **options).variant
        compiled_rate(variant, 100)
        pairs = [
            (compiled_rate(variant, simulations), node_rate(variant, simulations)) for _ in range(ROUNDS)
        ]
        cpu, node = (max(rates) for rates in zip(*pairs, strict=True))
        rows.append(
            {"game": game, "options": options, "cpu": round(cpu), "node": round(node), "ratio": node / cpu}
        )
        if not as_json:
            label = " ".join([game, *(f"{name}={value}" for name, value in options.items())])
            print(f"{label:24} {cpu:10,.0f} compiled {node:10,.0f} in Node  {node / cpu:.2f} x", flush=True)
    if as_json:
        print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
