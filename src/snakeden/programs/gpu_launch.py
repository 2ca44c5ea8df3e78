"""Starting kernels on a GPU, or in Numba's simulator. Arguments are made ready once for arrays that stay where they
are: looking at them takes longer than a kernel that steps thousands of games."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numba import cuda

from snakeden.programs.gpu_kernels import is_simulated

THREADS = 128
"""Threads in a block of threads."""
_ADDRESS = 4
"""Where the address stands in `array_arguments`."""


class Launch(Protocol):
    """A kernel with its arguments."""

    def __call__(self, **moved: Any) -> None:
        """Start the kernel on the current stream and do not wait for it; `moved` are arrays in place of others, by the
        names of the kernel's parameters, of the same shape and type."""


class Kernel(Protocol):
    """A kernel that can be started."""

    resident: int
    """How many of its threads the GPU can run at the same time."""

    def prepared(self, threads: int, names: Sequence[str], arguments: Sequence[Any]) -> Launch:
        """With as many threads, and with these arguments for the parameters of these names."""


class Offered:
    """A method of a program: called, it works at once; `prepared` makes a call ready, to be made as often as wanted on
    arrays that stay where they are."""

    def __init__(self, prepared: Callable[..., Callable[..., None]]) -> None:
        self.prepared = prepared

    def __call__(self, *arguments: Any) -> None:
        self.prepared(*arguments)()


def address(array: Any) -> int:
    """Where an array begins in memory."""
    return int(array.ctypes.data if is_simulated() else array.data.ptr)


class SimulatedKernel:
    """A kernel of the simulator."""

    # A thread costs time, also one without work.
    resident = 2

    def __init__(self, function: Callable[..., None]) -> None:
        self._kernel = cuda.jit(function)

    def prepared(self, threads: int, names: Sequence[str], arguments: Sequence[Any]) -> Launch:
        given = dict(zip(names, map(_not_copied, arguments), strict=True))

        def launch(**moved: Any) -> None:
            assert moved.keys() <= given.keys()
            if threads:
                held = {name: _not_copied(array) for name, array in moved.items()}
                self._kernel[1, threads](*(given | held).values())

        return launch


def _not_copied(argument: Any) -> Any:
    """An array that the simulator's kernels work on in place; a plain one they would copy to and fro."""
    if not isinstance(argument, np.ndarray):
        return argument
    from numba.cuda.simulator.cudadrv.devicearray import FakeCUDAArray

    return FakeCUDAArray(argument)


class LoadedKernel:
    """A kernel from machine code."""

    def __init__(self, file: Path, name: str) -> None:
        import cupy

        self._arrays = cupy.ndarray
        self._kernel = cupy.RawModule(path=str(file)).get_function(name).kernel
        self._start, self._stream = cupy.cuda.driver.launchKernel, cupy.cuda.get_current_stream
        blocks = cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(self._kernel.ptr, THREADS, 0)
        self.resident = THREADS * blocks * cupy.cuda.Device().attributes["MultiProcessorCount"]

    def prepared(self, threads: int, names: Sequence[str], arguments: Sequence[Any]) -> Launch:
        numbers: list[int] = []
        addresses: dict[str, int] = {}
        for name, argument in zip(names, arguments, strict=True):
            if isinstance(argument, self._arrays):
                addresses[name] = len(numbers) + _ADDRESS
                numbers += array_arguments(argument.data.ptr, argument.shape, argument.itemsize)
            else:
                numbers.append(int(argument))
        held, pointers, place = parameters(numbers)
        kernel, start, stream = self._kernel, self._start, self._stream
        blocks = -(-threads // THREADS)

        # What has an address here must live as long as the function.
        def launch(*, _alive: Any = (pointers, arguments), **moved: Any) -> None:
            for name, array in moved.items():
                held[addresses[name]] = array.data.ptr
            if blocks:
                start(kernel.ptr, blocks, 1, 1, THREADS, 1, 1, 0, stream().ptr, place, 0)

        return launch


def parameters(numbers: Sequence[int]) -> tuple[Any, Any, int]:
    """Arguments of 64 bits as CUDA's driver takes them: the numbers, a pointer to each, and where the pointers lie."""
    held = np.array(numbers, np.int64)
    pointers = np.arange(len(held), dtype=np.int64) * 8 + held.ctypes.data
    return held, pointers, int(pointers.ctypes.data)


@lru_cache(maxsize=1024)
def array_arguments(address: int, shape: tuple[int, ...], item: int) -> tuple[int, ...]:
    """A contiguous array as numba-cuda's kernels take it: no owner, no parent, then the number of items, bytes of an
    item, address, shape, strides."""
    strides = (item * math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
    return (0, 0, math.prod(shape), item, address, *shape, *strides)


def unowned(array: Any) -> Any:
    """The same place in memory as an array that does not keep it."""
    if is_simulated():
        return array
    import cupy

    memory = cupy.cuda.UnownedMemory(array.data.ptr, array.nbytes, None)
    return cupy.ndarray(array.shape, array.dtype, memptr=cupy.cuda.MemoryPointer(memory, 0))


def clear(array: Any) -> None:
    """Make all numbers of an array zero, without a kernel."""
    if is_simulated():
        array[:] = 0
    else:
        array.data.memset_async(0, array.nbytes)
