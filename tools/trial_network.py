"""The network of Snekagon's first trial, as the search asks networks: `python tools/trial_network.py -o trial.onnx`.

The trial had a trainer, planes and outputs of its own. Its weights stay as they are; the planes are those of today in
another order, and a few that follow from them. Then `snakeden arena net net:file=trial.onnx` plays it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from snakeden.core.state import new_game
from snakeden.nets import checkpoints
from snakeden.nets.export import Graph
from snakeden.nets.inputs import SCORE_UNIT, Layout, layout_for
from snakeden.nets.model import ConvNorm
from snakeden.nets.quantise import quantise

TRAINING = Path(__file__).resolve().parents[1] / "training"
PLANES = (0, 1, 2, 21, 22, 23, 24, 25, 26, 27, 28, None, *range(3, 21))
"""Today's plane in the place of each of the trial's first 30; None stands for the cells next to any snake."""
NEAR = ((0, 1, 1), (1, 0, 1), (1, 1, 0))
"""The neighbours of a cell, in the middle, as the board lies in its grid."""
SCORE_SCALE, MARGIN_UNIT = 1 / 16, 10.0
"""In the trial's inputs and outputs."""


def convolution(weights: dict[str, Tensor], conv: str, norm: str) -> nn.Conv2d:
    """One of the trial's convolutions with its normalisation inside."""
    kernel = weights[f"{conv}.weight"]
    made = ConvNorm(kernel.shape[1], kernel.shape[0])
    made.conv.weight = nn.Parameter(kernel)
    made.norm.load_state_dict({name: weights[f"{norm}.{name}"] for name in made.norm.state_dict()})
    made.eval().fold()
    return made.conv


def linear(weights: dict[str, Tensor], name: str) -> nn.Linear:
    kernel = weights[f"{name}.weight"].flatten(1)
    made = nn.Linear(kernel.shape[1], kernel.shape[0])
    made.weight, made.bias = nn.Parameter(kernel), nn.Parameter(weights[f"{name}.bias"])
    return made


def shown(graph: Graph) -> str:
    """The trial's 32 planes, of which the last two are the scores. Outside the board all are 0."""
    snakes = graph.add("Gather", "planes", graph.weight(np.array([1, 2])), axis=1)
    taken = graph.add("ReduceMax", snakes, axes=[1], keepdims=1)
    around = graph.add("Conv", taken, graph.weight(np.array(NEAR, np.float32)[None, None]), pads=[1] * 4)
    near = graph.add("Min", around, graph.weight(np.ones(1, np.float32)))
    known = graph.add("Concat", "planes", near, axis=1)
    places = [len(layout().planes) if plane is None else plane for plane in PLANES]
    ordered = graph.add("Gather", known, graph.weight(np.array(places)), axis=1)
    scores = graph.add("Mul", "standings", graph.weight(np.full(1, SCORE_UNIT * SCORE_SCALE, np.float32)))
    everywhere = graph.add("Unsqueeze", scores, graph.weight(np.array([2, 3])))
    return graph.add(
        "Concat",
        graph.add("Mul", ordered, "inside"),
        graph.add("Mul", everywhere, "inside"),
        axis=1,
    )


def layout() -> Layout:
    return layout_for([new_game("snekagon").variant])


def export(trial: dict[str, Any], path: Path, card: dict[str, Any]) -> None:
    """Write the network, with the inputs and outputs of `snakeden.nets.export`."""
    weights = {name: each.float() for name, each in trial["state"].items()}
    graph, inside = Graph(), "inside"
    fields = graph.add("ReduceSum", inside, graph.weight(np.array([2, 3])), keepdims=0)
    stem = convolution(weights, "stem", "stem_bn")
    x = graph.add("Relu", graph.convolution(shown(graph), stem))
    for k in range(trial["blocks"]):
        y = graph.add("Relu", graph.convolution(x, convolution(weights, f"c1.{k}", f"b1.{k}")))
        y = graph.convolution(y, convolution(weights, f"c2.{k}", f"b2.{k}"))
        x = graph.add("Relu", graph.add("Add", y, x))
    over_all = graph.pooled(x, inside, fields)
    on_board = graph.add(
        "Add",
        graph.convolution(x, convolution(weights, "pc", "pb")),
        graph.everywhere(over_all, linear(weights, "pool")),
    )
    last = nn.Conv2d(trial["channels"], layout().policy_planes, 1)
    last.weight, last.bias = nn.Parameter(weights["policy.weight"]), nn.Parameter(weights["policy.bias"])
    planes = graph.convolution(graph.add("Relu", on_board), last)
    graph.add("Identity", planes, out="policy")
    values = graph.linear(
        graph.add("Relu", graph.linear(over_all, linear(weights, "v1"))), linear(weights, "v2")
    )
    # Chances to win, share and lose; a shared victory is half a one.
    chances = graph.add("Softmax", columns(graph, values, 0, 3), axis=1)
    halves = np.array([[1, 0], [0.5, 0.5], [0, 1]], np.float32)
    graph.add("MatMul", chances, graph.weight(halves), out="wins")
    lead = graph.add(
        "MatMul", columns(graph, values, 3, 4), graph.weight(np.array([[0.5, -0.5]], np.float32))
    )
    unit = graph.weight(np.full(1, MARGIN_UNIT / SCORE_UNIT, np.float32))
    graph.add("Mul", lead, unit, out="scores")
    graph.write(path, layout(), card)


def columns(graph: Graph, x: str, first: int, end: int) -> str:
    """Some columns of an array."""
    return graph.add("Gather", x, graph.weight(np.arange(first, end)), axis=1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("-o", "--out", type=Path, required=True, help="the file to write")
    parser.add_argument("--full", action="store_true", help="with 32 bits, not with eight")
    args = parser.parse_args()
    trial = torch.load(TRAINING / "snekagon-trial.pt", map_location="cpu", weights_only=True)
    card = {"game": "snekagon", **{name: trial["meta"][name] for name in ("minutes", "games", "positions")}}
    if args.full:
        export(trial, args.out, card)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        full = Path(folder) / "full.onnx"
        export(trial, full, card)
        # What numbers occur is seen in games of another network, which the trial's is the beginning of.
        player = checkpoints.read_net(TRAINING / "snekagon" / checkpoints.NET)
        quantise(full, args.out, player, [new_game("snekagon").variant])
    return 0


if __name__ == "__main__":
    sys.exit(main())
