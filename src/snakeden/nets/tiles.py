"""Networks in the form that ONNX Runtime is fastest with where processors multiply tiles of numbers (Intel's AMX).

Where the zero points of a convolution's weights are all 0, ONNX Runtime has kernels of its own for it. They are the
best for other processors, but know no tiles. Weights and zero points that are all less by 1 mean the same to the last
bit, and go the general way, which knows them: a network takes a sixth to a third less time so. Elsewhere it would take
longer.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import prod

import numpy as np
from numpy.typing import NDArray

# Numbers of fields in ONNX's format, and of a type of numbers.
_GRAPH, _INITIALIZER = 7, 5
_DIMS, _DATA_TYPE, _INT32_DATA, _RAW_DATA = 1, 2, 5, 9
_INT8 = 3

# How Protocol Buffers write a field: the lowest bits of its tag.
_NUMBER, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5

_LOWEST = -128


@cache
def are_there() -> bool:
    """Whether this processor multiplies tiles of numbers of eight bits."""
    import llvmlite.binding as llvm  # in a browser there is none, and nobody asks there

    return bool(llvm.get_host_cpu_features().get("amx-int8"))


def for_tiles(model: bytes) -> bytes:
    """A network's file in this form; as it is where its weights are not in eight bits as `quantise` writes them."""
    changed = bytearray(model)
    arrays = list(_signed_arrays(memoryview(changed)))
    if any(each is None or (each == _LOWEST).any() or (each.ndim < 2 and each.any()) for each in arrays):
        return model
    for each in arrays:
        assert each is not None
        each -= 1
    return bytes(changed)


def _signed_arrays(model: memoryview) -> Iterator[NDArray[np.int8] | None]:
    """Views of the arrays of signed numbers of eight bits in a file; None for one that has not a byte for each."""
    for graph in _within(model, _GRAPH):
        for tensor in _within(graph, _INITIALIZER):
            dims, kind, data, tag = [], 0, tensor[:0], 0
            for at, field, value in _fields(tensor):
                if isinstance(value, memoryview):
                    if field in (_INT32_DATA, _RAW_DATA):
                        data, tag = value, at
                elif field == _DIMS:
                    dims.append(value)
                elif field == _DATA_TYPE:
                    kind = value
            if kind != _INT8:
                continue
            if len(data) != prod(dims):
                yield None
                continue
            # Small numbers look the same in both ways to write them, but a negative one is a byte in this one only.
            tensor[tag] = _RAW_DATA << 3 | _BYTES
            yield np.frombuffer(data, np.int8).reshape(dims)


def _within(message: memoryview, wanted: int) -> Iterator[memoryview]:
    """The messages in this field of a message."""
    for _, field, value in _fields(message):
        if field == wanted and isinstance(value, memoryview):
            yield value


def _fields(message: memoryview) -> Iterator[tuple[int, int, int | memoryview]]:
    """The fields of a message: (where it begins, the field's number, what it holds)."""
    end = 0
    while end < len(message):
        at = end
        tag, end = _number(message, at)
        written = tag & 7
        if written == _NUMBER:
            number, end = _number(message, end)
            yield at, tag >> 3, number
            continue
        if written == _BYTES:
            size, end = _number(message, end)
        else:
            size = {_FOUR_BYTES: 4, _EIGHT_BYTES: 8}[written]
        end += size
        yield at, tag >> 3, message[end - size : end]


def _number(message: memoryview, at: int) -> tuple[int, int]:
    """(a number as it stands there, seven bits a byte, where it ends)."""
    number = shift = 0
    while message[at] >= 0x80:
        number |= (message[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
    return number | message[at] << shift, at + 1
