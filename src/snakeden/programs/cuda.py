"""Programs for NVIDIA GPUs, compiled by numba-cuda: `pip install 'snakeden[cuda]'`.

The kernels are the same as everywhere. Each becomes a device function, and a game's tables are an array with one block.
Kernels can be compiled for a GPU without one: `compile_ptx` and `assemble` need only the packages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from types import FunctionType, SimpleNamespace
from typing import Any

import numba
import numpy as np
from numba import cuda, types
from numpy.typing import NDArray

from snakeden.core.game import Game, Variant
from snakeden.core.kernel import Inlining
from snakeden.core.learning import observation
from snakeden.programs import abi, rules
from snakeden.programs.link import Linker
from snakeden.programs.random_games import game_player
from snakeden.programs.specification import Specification, block, specification

THREADS = 128
"""Threads in a block of threads."""
ComputeCapability = tuple[int, int]
_OBSERVATION = """
observe(t, s: state[words], seat: int64, out: float32[?planes, ?rows, ?columns])
mask(t, s: state[words], out: uint8[actions]) -> int64
"""


class CudaMissing(RuntimeError):
    """A package or a GPU is missing."""


# ---- what is needed


def is_installed() -> bool:
    """Whether kernels can be compiled for GPUs here."""
    return _is_simulated() or all(map(find_spec, ("numba_cuda", "cuda")))


def _is_simulated() -> bool:
    """Whether Numba runs GPU code as plain Python (NUMBA_ENABLE_CUDASIM=1), which needs neither package nor GPU."""
    return bool(numba.config.ENABLE_CUDASIM)


def _require_package() -> None:
    if not is_installed():
        raise CudaMissing(
            "compiling for GPUs needs the package numba-cuda, which is not installed: pip install 'snakeden[cuda]'"
        )


def require_gpu() -> None:
    """Raise CudaMissing where programs for GPUs cannot run."""
    _require_package()
    if not cuda.is_available():
        raise CudaMissing(
            "no NVIDIA GPU can be used: there is none, or its driver is missing or too old for CUDA 13 "
            "(580 or newer); `nvidia-smi` shows both"
        )


# ---- linking


def _widened(kind: Any) -> Any:
    plain = types.unliteral(kind)
    return types.int64 if isinstance(plain, types.Integer) and plain.signed else plain


def _device_function(function: FunctionType, inlining: Inlining) -> Any:
    """A kernel for other kernels to call, compiled once for all signed whole numbers, as on the CPU."""
    if _is_simulated():
        return function
    made = cuda.jit(device=True, forceinline=inlining is Inlining.ALWAYS)(function)
    template = made.get_call_template

    def widened(arguments: tuple[Any, ...], keywords: Any) -> Any:
        return template(tuple(map(_widened, arguments)), keywords)

    made.get_call_template = widened
    return made


def _array(kind: np.dtype[Any], dimensions: int = 1) -> Any:
    return types.Array(numba.from_dtype(kind), dimensions, "C")


def _play_games(variant: Variant, linker: Linker) -> tuple[Callable[..., None], tuple[Any, ...]]:
    """The kernel by which each thread plays one random game, and the types of its arguments."""
    wanted = specification(variant)
    play_game = linker.function(game_player(variant.game.rules))
    words, seats = int(variant.tables.words), int(variant.tables.seats)
    state, score = numba.from_dtype(wanted.state), types.int64

    def play_games(tables: Any, opening: Any, seed: Any, first: Any, fingerprints: Any, plies: Any) -> None:
        game = cuda.grid(1)
        if game < fingerprints.shape[0]:
            s = cuda.local.array(words, state)
            scores = cuda.local.array(seats, score)
            fingerprints[game], plies[game] = play_game(tables[0], opening, s, scores, seed, first + game)

    written = (_array(np.dtype(np.uint64)), _array(np.dtype(np.int32)))
    return play_games, (_array(wanted.block), _array(wanted.state), types.int64, types.int64, *written)


def _called(
    entry: abi.Entry, linker: Linker, wanted: Specification
) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """A device function that hands the tables' block to an entry, and the types of its arguments."""
    signature = entry.signature
    values = ", ".join(value.name for value in signature.values)
    names: dict[str, Any] = {"call": linker.function(entry.function)}
    exec(f"def {signature.name}(tables, {values}):\n    return call(tables[0], {values})", names)
    kinds = [_array(wanted.block)]
    for value in signature.values:
        kind = wanted.state if value.type == "state" else np.dtype(value.type)
        kinds.append(numba.from_dtype(kind) if value.shape is None else _array(kind, len(value.shape)))
    return names[signature.name], tuple(kinds)


# ---- compiling, for a GPU that need not be here


@dataclass(frozen=True)
class Ptx:
    """A kernel in the assembly language of NVIDIA's GPUs."""

    text: str
    symbol: str
    """What the kernel is called in it."""


def entries(game: Game) -> Mapping[str, abi.Entry]:
    """What a game offers to the code of a GPU: its rules, observations and masks."""
    study = vars(observation(game))
    offered = [line for line in _OBSERVATION.strip().splitlines() if line.partition("(")[0] in study]
    return rules.entries(game) | abi.entries("\n".join(offered), study)


def compile_ptx(variant: Variant, name: str, compute_capability: ComputeCapability) -> Ptx:
    """Compile one of the variant's kernels: `play_games`, or one of `entries`."""
    _require_package()
    wanted = specification(variant)
    linker = Linker(wanted.constants, _device_function)
    is_global = name == "play_games"
    function, kinds = (
        _play_games(variant, linker) if is_global else _called(entries(variant.game)[name], linker, wanted)
    )
    with _compiling_for(compute_capability):
        text, _ = cuda.compile_ptx(function, kinds, device=not is_global, cc=compute_capability)
    found = re.search(r"\.visible \.(?:entry|func) +(?:\([^)]*\) *)?(\w+)\(", text)
    assert found is not None, text[:2000]
    return Ptx(text, found[1])


@contextmanager
def _compiling_for(compute_capability: ComputeCapability) -> Iterator[None]:
    """Let numba-cuda compile device functions for this kind of GPU; it would ask the driver which one is here."""
    from numba.cuda import dispatcher

    ask = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=compute_capability)
    try:
        yield
    finally:
        dispatcher.get_current_device = ask


def assemble(ptx: Ptx, compute_capability: ComputeCapability) -> bytes:
    """The machine code (a cubin) for this kind of GPU. Unlike PTX it also runs under an older driver of the same major
    version of CUDA."""
    _require_package()
    from cuda.bindings import nvjitlink

    major, minor = compute_capability
    text = ptx.text.encode()
    handle = nvjitlink.create(1, [f"-arch=sm_{major}{minor}"])
    try:
        nvjitlink.add_data(handle, nvjitlink.InputType.PTX, text, len(text), f"{ptx.symbol[:64]}.ptx")
        nvjitlink.complete(handle)
        code = bytearray(nvjitlink.get_linked_cubin_size(handle))
        nvjitlink.get_linked_cubin(handle, code)
    finally:
        nvjitlink.destroy(handle)
    return bytes(code)


# ---- running on the GPU of this machine


class CudaProgram:
    """A variant's program on this machine's GPU."""

    target = "cuda"

    def __init__(self, variant: Variant) -> None:
        require_gpu()
        function, _ = _play_games(variant, Linker(specification(variant).constants, _device_function))
        self._play_games = cuda.jit(function)
        self._tables = cuda.to_device(np.array([block(variant)]))
        self._opening = cuda.to_device(variant.game.rules.opening(variant.tables))

    def play_games(self, seed: int, first: int, count: int) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
        """Play random games, one a thread: the fingerprints and the numbers of plies of the `count` games from number
        `first` on, as `programs.random_games` has them."""
        fingerprints, plies = cuda.device_array(count, np.uint64), cuda.device_array(count, np.int32)
        self.launch(seed, first, fingerprints, plies)
        return fingerprints.copy_to_host(), plies.copy_to_host()

    def launch(self, seed: int, first: int, fingerprints: Any, plies: Any) -> None:
        """Start `play_games` on arrays of the GPU, and do not wait for it."""
        if count := len(fingerprints):
            self._play_games[blocks_of_threads(count), THREADS](
                self._tables, self._opening, seed, first, fingerprints, plies
            )


def blocks_of_threads(games: int) -> int:
    """How many blocks of threads play so many games."""
    return -(-games // THREADS)
