"""A network in whole numbers of eight bits, which processors multiply faster."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch

from snakeden.core.game import Variant
from snakeden.core.learning import START
from snakeden.nets.games import Games
from snakeden.nets.inputs import view_of
from snakeden.nets.model import Net, folded
from snakeden.nets.search import LOW, Encoder

_ROWS = 32
"""Games played side by side to see which numbers occur."""


def occurring(net: Net, variant: Variant, batches: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Batches of inputs as they occur in games in which the network plays by its policy alone."""
    device = torch.device("cpu")
    games, player = Games(variant, _ROWS, device, seed), folded(net)
    encoder = Encoder(view_of(variant, net.layout), len(net.layout.planes), device)
    generator = torch.Generator().manual_seed(seed)
    states = games.opening.repeat(_ROWS, 1)
    games.step(states, torch.full((_ROWS,), START, dtype=torch.int32))
    for _ in range(batches):
        planes, standings, fields = encoder.inputs(games, states, net.layout.seats)
        yield {
            "planes": planes.numpy().copy(),
            "standings": standings.numpy(),
            "inside": encoder.inside.numpy(),
        }
        with torch.no_grad():
            policy = player(planes, standings, encoder.inside).policy
        logits = encoder.logits(encoder.put_back(policy, fields)).masked_fill(games.mask == 0, LOW)
        noise = -torch.log(-torch.log(torch.rand(logits.shape, generator=generator).clamp(1e-20, 1 - 1e-7)))
        games.step(states, (logits + noise).argmax(1).int(), again=True)


def quantise(full: Path, path: Path, net: Net, variants: list[Variant], batches: int = 48) -> None:
    """Write a network that was exported in full once more in eight bits; what numbers occur is seen in games."""
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

    class Reader(CalibrationDataReader):
        def __init__(self) -> None:
            self._inputs = (each for variant in variants for each in occurring(net, variant, batches))

        def get_next(self) -> dict[str, np.ndarray] | None:
            return next(self._inputs, None)

    quantize_static(
        str(full),
        str(path),
        Reader(),
        quant_format=QuantFormat.QDQ,
        per_channel=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        op_types_to_quantize=["Conv", "Add", "Relu"],
    )
