"""A network as an ONNX file, written node by node: convolutions with the normalisations inside, and nothing else that a
runtime would have to find out."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from torch import Tensor, nn

from snakeden.nets.evaluator import CARD
from snakeden.nets.inputs import Layout
from snakeden.nets.model import Block, Net, folded

OPSET = 17


def can_export() -> bool:
    """Whether the package that writes ONNX files is installed."""
    return find_spec("onnx") is not None


class Graph:
    """Collects the nodes and weights of a graph."""

    def __init__(self) -> None:
        from onnx import helper, numpy_helper

        self._helper, self._numpy = helper, numpy_helper
        self.nodes: list[Any] = []
        self.weights: list[Any] = []

    def add(self, operator: str, *inputs: str, out: str = "", **attributes: Any) -> str:
        """Add a node; the name of its output."""
        name = out or f"{operator.lower()}_{len(self.nodes)}"
        self.nodes.append(self._helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def weight(self, values: Tensor | np.ndarray) -> str:
        """Add an array that is known; its name."""
        array = values.detach().cpu().float().numpy() if isinstance(values, Tensor) else values
        name = f"weight_{len(self.weights)}"
        self.weights.append(self._numpy.from_array(np.ascontiguousarray(array), name))
        return name

    def convolution(self, x: str, conv: nn.Conv2d) -> str:
        size = conv.kernel_size[0]
        assert conv.bias is not None
        return self.add(
            "Conv",
            x,
            self.weight(conv.weight),
            self.weight(conv.bias),
            kernel_shape=[size, size],
            pads=[size // 2] * 4,
        )

    def linear(self, x: str, linear: nn.Linear, out: str = "") -> str:
        return self.add("Gemm", x, self.weight(linear.weight), self.weight(linear.bias), transB=1, out=out)

    def everywhere(self, x: str, linear: nn.Linear) -> str:
        """A linear layer of [n, …] as [n, channels, 1, 1]."""
        return self.add("Unsqueeze", self.linear(x, linear), self.weight(np.array([2, 3])))

    def pooled(self, x: str, inside: str, fields: str) -> str:
        """As `model.pooled`."""
        kept = self.add("Mul", x, inside)
        total = self.add("ReduceSum", kept, self.weight(np.array([2, 3])), keepdims=0)
        highest = self.add("ReduceMax", kept, axes=[2, 3], keepdims=0)
        return self.add("Concat", self.add("Div", total, fields), highest, axis=1)

    def looked_at(self, x: str, marked: list[int]) -> str:
        """As `model.looked_at`, of these of the input planes."""
        planes = self.add("Gather", "planes", self.weight(np.array(marked)), axis=1)
        flat = [self.add("Reshape", each, self.weight(np.array([0, 0, -1]))) for each in (planes, x)]
        found = self.add("MatMul", flat[0], self.add("Transpose", flat[1], perm=[0, 2, 1]))
        return self.add("Flatten", found, axis=1)

    def write(self, path: Path, layout: Layout, card: dict[str, Any]) -> None:
        """Write the graph as a network of this layout, with what the card says inside. Its inputs are planes
        [n, planes, rows, columns], standings [n, seats] and inside [1, 1, rows, columns], as `Net.forward` has them.
        Its outputs are policy [n, policy planes, rows, columns], loose [n, loose] if there are any, wins [n, seats] as
        chances, and scores [n, seats]."""
        import onnx

        inputs = {
            "planes": ["n", len(layout.planes), "rows", "columns"],
            "standings": ["n", layout.seats],
            "inside": [1, 1, "rows", "columns"],
        }
        outputs = {"policy": ["n", layout.policy_planes, "rows", "columns"]}
        if layout.loose:
            outputs["loose"] = ["n", layout.loose]
        outputs |= {"wins": ["n", layout.seats], "scores": ["n", layout.seats]}

        def infos(named: dict[str, list[Any]]) -> list[Any]:
            return [
                self._helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)
                for name, shape in named.items()
            ]

        made = self._helper.make_graph(self.nodes, "net", infos(inputs), infos(outputs), self.weights)
        model = self._helper.make_model(
            made, opset_imports=[self._helper.make_opsetid("", OPSET)], ir_version=8
        )
        model.metadata_props.add(key=CARD, value=json.dumps({**card, "layout": layout.as_data()}))
        onnx.checker.check_model(model)
        fresh = path.with_name(path.name + ".new")
        onnx.save(model, str(fresh))
        fresh.replace(path)


def _block(graph: Graph, x: str, block: Block, inside: str, fields: str) -> str:
    y = graph.convolution(x, block.first.conv)
    if block.pool is not None:
        y = graph.add("Add", y, graph.everywhere(graph.pooled(x, inside, fields), block.pool))
    y = graph.convolution(graph.add("Relu", y), block.second.conv)
    return graph.add("Relu", graph.add("Add", y, x))


def export(net: Net, path: Path, card: dict[str, Any]) -> None:
    """Write the network, with what the card says inside; `Graph.write` says what goes in and comes out."""
    net, graph = folded(net.cpu()), Graph()
    inside, layout = "inside", net.layout
    fields = graph.add("ReduceSum", inside, graph.weight(np.array([2, 3])), keepdims=0)
    x = graph.add(
        "Add", graph.convolution("planes", net.stem.conv), graph.everywhere("standings", net.standing)
    )
    x = graph.add("Relu", x)
    for block in net.blocks:
        assert isinstance(block, Block)
        x = _block(graph, x, block, inside, fields)
    over_all = graph.pooled(x, inside, fields)
    on_board = graph.add(
        "Add", graph.convolution(x, net.policy_first.conv), graph.everywhere(over_all, net.policy_pool)
    )
    planes = graph.convolution(graph.add("Relu", on_board), net.policy_planes)
    graph.add("Identity", planes, out="policy")
    seen = over_all
    if layout.focus:
        seen = graph.add("Concat", over_all, graph.looked_at(x, net.focus.tolist()), axis=1)
    hidden = graph.add("Relu", graph.linear(seen, net.hidden))
    if net.loose is not None:
        graph.linear(hidden, net.loose, out="loose")
    graph.add("Softmax", graph.linear(hidden, net.wins), axis=1, out="wins")
    scores = graph.linear(hidden, net.scores, out="" if layout.gains else "scores")
    if layout.gains:
        # Not "Add", which `quantise` would round.
        graph.add("Sum", scores, "standings", out="scores")
    graph.write(path, layout, card)
