"""Programs for NVIDIA GPUs, compiled by numba-cuda: `pip install 'snakeden[cuda]'`.

The kernels are the same as everywhere. Each becomes a device function, and a game's tables are an array with one block.
Kernels can be compiled for a GPU without one: `compile_ptx` and `assemble` need only the packages.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from filelock import FileLock
from numba import cuda
from numpy.typing import NDArray

from snakeden.core.game import Game, Variant
from snakeden.core.game import variant as new_variant
from snakeden.core.learning import observation
from snakeden.core.registry import game as find_game
from snakeden.programs import abi, rules
from snakeden.programs.folder import cache_folder
from snakeden.programs.gpu_kernels import (
    LANES,
    begins_together,
    device_entry,
    flag_words,
    flags_in_pairs,
    global_kernel,
    gpu_module,
    is_simulated,
    linker_for,
    lists_by_places,
    lists_from_flags,
    loop_entries,
    own_loops,
    packs_masks,
    whole_words,
)
from snakeden.programs.gpu_launch import Kernel, LoadedKernel, Offered, SimulatedKernel, clear
from snakeden.programs.partial_evaluation import VariantLinker
from snakeden.programs.sources import source_hash
from snakeden.programs.specification import block, specification

_TRANSLATORS = (
    "cuda.py",
    "gpu_bits.py",
    "gpu_kernels.py",
    "partial_evaluation.py",
    "random_games.py",
)
WIDE = {"unpack_floats": "write_float_planes", "unpack_bytes": "write_byte_planes"}
"""Kernels that write observations number by number, and those that write sixteen bytes at once."""
BY_PARTS = {"pack_games": "pack_parts"}
"""Kernels of which one thread does a game's work, and those that do the same by many."""
ComputeCapability = tuple[int, int]
_OBSERVATION = """
observe(t, s: state[words], seat: int64, bits: uint32[?marked, ?bit_words], values: float32[?constant])
mask(t, s: state[words], out: uint8[actions]) -> int64
"""


class CudaMissing(ValueError):
    """A package or a GPU is missing."""


# ---- what is needed


def is_installed() -> bool:
    """Whether kernels can be compiled for GPUs here."""
    return is_simulated() or all(map(find_spec, ("numba_cuda", "cuda")))


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


def loops(game: Game) -> tuple[str, ...]:
    """The kernels that are started on many threads."""
    return tuple(loop_entries(game))


def compile_ptx(variant: Variant, name: str, compute_capability: ComputeCapability) -> Ptx:
    """Compile one of the variant's kernels: one of `loops`, or one of `entries`."""
    _require_package()
    linker, is_global = linker_for(variant, name), name in loops(variant.game)
    function, kinds = (
        global_kernel(variant, name, linker)
        if is_global
        else device_entry(entries(variant.game)[name], linker, specification(variant))
    )
    with _compiling_for(compute_capability):
        text, _ = cuda.compile_ptx(function, kinds, device=not is_global, cc=compute_capability)
    found = re.search(r"\.visible \.(?:entry|func) +(?:\([^)]*\) *)?(\w+)\(", text)
    assert found is not None, text[:2000]
    return Ptx(text.replace(found[1], name), name)


@contextmanager
def _compiling_for(compute_capability: ComputeCapability) -> Iterator[None]:
    """Let numba-cuda compile device functions for this kind of GPU; it would ask the driver which one is here. It would
    also ask whether an index is negative, and kernels count from the front only."""
    from numba.core import types
    from numba.cuda import dispatcher
    from numba.cuda.np import arrayobj

    ask, fix = dispatcher.get_current_device, arrayobj.fix_integer_index
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=compute_capability)
    arrayobj.fix_integer_index = lambda context, builder, kind, value, size: context.cast(
        builder, value, kind, types.intp
    )
    try:
        yield
    finally:
        dispatcher.get_current_device, arrayobj.fix_integer_index = ask, fix


def assemble(ptx: Ptx, compute_capability: ComputeCapability, registers: int | None = None) -> bytes:
    """The machine code (a cubin) for this kind of GPU, with this many registers a thread at most. Unlike PTX it also
    runs under an older driver of the same major version of CUDA."""
    _require_package()
    from cuda.bindings import nvjitlink

    major, minor = compute_capability
    text = ptx.text.encode()
    options = [f"-arch=sm_{major}{minor}", *([f"-maxrregcount={registers}"] if registers else [])]
    handle = nvjitlink.create(len(options), options)
    try:
        nvjitlink.add_data(handle, nvjitlink.InputType.PTX, text, len(text), f"{ptx.symbol[:64]}.ptx")
        nvjitlink.complete(handle)
        code = bytearray(nvjitlink.get_linked_cubin_size(handle))
        nvjitlink.get_linked_cubin(handle, code)
    finally:
        nvjitlink.destroy(handle)
    return bytes(code)


# ---- running on the GPU of this machine


def array_namespace() -> Any:
    """The module with the functions of the GPU's arrays: CuPy, or NumPy in the simulator."""
    if is_simulated():
        return np
    import cupy

    return cupy


def synchronize() -> None:
    """Wait until the GPU has finished everything that was started on it."""
    if not is_simulated():
        array_namespace().cuda.Device().synchronize()


def gpu_name() -> str:
    """What the GPU in use is called."""
    if is_simulated():
        return "none, but Numba's simulator"
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


class CudaProgram:
    """A variant's program on this machine's GPU. Every loop of `contents` is a method with the signature that it has on
    the CPU, but with arrays of the GPU; one thread does the work for one game. Methods are compiled when they are first
    asked for, and kept on disk. They start the work on the current stream and do not wait for it. What `prepared` of a
    step returns takes another array of `actions` each time, if it gets one."""

    target = "cuda"
    lanes = LANES

    def __init__(self, variant: Variant) -> None:
        require_gpu()
        self._variant = variant
        namespace = array_namespace()
        tables = np.array([block(variant)])
        self._tables = tables if is_simulated() else namespace.asarray(tables.view(np.uint8))
        self._play_games: Kernel | None = None
        opening = np.zeros(whole_words(variant), np.uint64)
        words = variant.game.rules.opening(variant.tables)
        opening.view(words.dtype)[: len(words)] = words
        self._opening = namespace.asarray(opening)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in loops(self._variant.game):
            raise AttributeError(f"this program has no entry {name!r}")
        if name == "step_lists" and lists_from_flags(self._variant):
            offered = self._lists_of_flags()
        elif name == "step_lists" and lists_by_places(self._variant):
            offered = self._by_places()
        elif name == "step_masks" and packs_masks(self._variant.game):
            offered = self._flagging(name)
        elif BY_PARTS.get(name) in loops(self._variant.game):
            offered = self._by_parts(BY_PARTS[name])
        elif name in WIDE:
            offered = self._widely(WIDE[name], self._loop(name))
        else:
            offered = self._loop(name)
        setattr(self, name, offered)
        return offered

    def _loop(self, name: str) -> Offered:
        """A kernel that is started on a thread for each number from `begin` to `end`."""
        kernel = self._loaded(name)
        signature = loop_entries(self._variant.game)[name].signature
        names = ["tables", *(value.name for value in signature.values)]

        def prepared(*arguments: Any) -> Callable[..., None]:
            begin, end = arguments[-2:]
            return kernel.prepared(end - begin, names, (self._tables, *arguments))

        return Offered(prepared)

    def _widely(self, name: str, narrow: Offered) -> Offered:
        """`unpack_floats` or `unpack_bytes`, sixteen bytes a thread where all of an array is written and lies as that
        needs it; else by `narrow`, which writes number by number."""

        def unpack(bits: Any, values: Any, out: Any, lanes: int, begin: int, end: int) -> Callable[..., None]:
            n, planes, fields = out.shape
            each = 16 // out.itemsize
            is_whole = begin == 0 and end == n * planes * lanes and len(bits) == len(values) == n
            fits = out.itemsize == 1 or out.size % each == 0
            if not (is_whole and fits and fields >= each and bits.size and starts_wide(out)):
                return narrow.prepared(bits, values, out, lanes, begin, end)
            numbers = (values if out.itemsize == 1 else values.view(np.uint32)).reshape(-1)
            pairs, rest = _in_pairs(out)
            sizes = planes, *bits.shape[1:], fields, lanes
            threads = max(-(-len(pairs) // (2 * own_loops().GROUPS * lanes)) * lanes, len(rest))
            wide: Offered = getattr(self, name)
            return wide.prepared(bits.reshape(-1), numbers, pairs, rest, *sizes, 0, threads)

        return Offered(unpack)

    def _by_parts(self, name: str) -> Offered:
        """`pack_games` by many threads a game."""
        seen = gpu_module(self._variant.game, "gpu_observation")
        tables = self._variant.tables
        parts = int(seen.bit_parts(tables)), int(seen.value_parts(tables))

        def pack(
            states: Any, seats: Any, bits: Any, values: Any, begin: int, end: int
        ) -> Callable[..., None]:
            games = end - begin
            work: Offered = getattr(self, name)
            return work.prepared(states, seats, bits, values, begin, games, *parts, 0, games * sum(parts))

        return Offered(pack)

    def _flagging(self, name: str) -> Offered:
        """A step that flags legal actions by bits: `step_flags` in the array `mask`, `step_masks` in one of its own, of
        which it makes the masks of all games of a batch."""
        kernel, variant = self._loaded(name), self._variant
        words, in_pairs = flag_words(int(variant.tables.actions)), flags_in_pairs(variant)
        values = [value.name for value in loop_entries(variant.game)[name].signature.values]
        names = ["tables", *values[:-2], "flags", "flat", "out", *values[-2:]]
        place = values.index("mask")
        kept, nothing = self.array((0, words), np.uint32), self.array(0, np.uint8)

        def prepared(*arguments: Any) -> Callable[..., None]:
            nonlocal kept
            mask, (begin, end) = arguments[place], arguments[-2:]
            flags, out = mask, nothing
            if name == "step_masks":
                if len(kept) != len(mask):
                    kept = self.array((len(mask), words), np.uint32)
                flags, out = kept, mask.reshape(-1)
            flat = flags.reshape(-1)
            given = [self._tables, *arguments[:-2], flat.view(np.uint64), flat, out, begin, end]
            given[1 + place] = flags.view(np.uint64) if in_pairs else flags
            return kernel.prepared(end - begin, names, given)

        return Offered(prepared)

    def _lists_of_flags(self) -> Offered:
        """A step of all games of a batch with lists that are made of flags."""
        words, step = flag_words(int(self._variant.tables.actions)), self._flagging("step_flags")
        kept = self.array((0, words), np.uint32)

        def prepared(*arguments: Any) -> Callable[..., None]:
            nonlocal kept
            # As in the signature of `step_lists`.
            codes, moves, mask = arguments[3:6]
            if len(kept) != len(mask):
                kept = self.array((len(mask), words), np.uint32)
            flag = step.prepared(*arguments[:5], kept, *arguments[6:])
            flat, sizes = kept.reshape(-1).view(np.uint64), (words, LANES, 0, len(mask) * LANES)
            write = self.list_flags.prepared(flat, codes, moves, *sizes)

            def step_and_list(**moved: Any) -> None:
                flag(**moved)
                write(**moved)

            return step_and_list

        return Offered(prepared)

    def _by_places(self) -> Offered:
        """A step with lists, of which some are made by many threads. With masks each list is written by one."""
        places = int(gpu_module(self._variant.game).most_places(self._variant.tables))
        kept_queue, kept_flags = self.array(0, np.int32), self.array(0, np.uint32)
        by_one: Offered | None = None

        def prepared(*arguments: Any) -> Callable[..., None]:
            nonlocal kept_queue, kept_flags, by_one
            # As in the signature of `step_lists`.
            states, _, codes, moves, mask, counts = arguments[1:7]
            if mask.shape[1]:
                by_one = by_one or self._loop("step_lists")
                return by_one.prepared(*arguments)
            n = len(states)
            if len(kept_queue) != n:
                kept_queue, kept_flags = self.array(n, np.int32), self.array(n * places, np.uint32)
            queue, flags, taken = kept_queue, kept_flags, self.array(1, np.int32)
            play = self.step_unlisted.prepared(*arguments)
            put = self.queue_games.prepared(states, codes, queue, taken, 0, n)
            flag = self.flag_places.prepared(states, queue, taken, flags, places, 0, n * places)
            sizes = places, LANES, 0, n * LANES
            write = self.list_places.prepared(states, queue, taken, flags, moves, counts, *sizes)

            def step(**moved: Any) -> None:
                clear(taken)
                play(**moved)
                put(**moved)
                flag()
                write()

            return step

        return Offered(prepared)

    def array(self, shape: tuple[int, ...] | int, dtype: Any) -> Any:
        """An array of zeros on the GPU."""
        return array_namespace().zeros(shape, dtype)

    def _loaded(self, name: str) -> Kernel:
        if is_simulated():
            function, _ = global_kernel(self._variant, name, _simulated_linker(self._variant, name))
            return SimulatedKernel(function)
        return LoadedKernel(_machine_code(self._variant, name), name)

    def play_games(
        self, seed: int, first: int, count: int
    ) -> tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.int32]]:
        """Play random games, one a thread: the fingerprints [count], the numbers of plies [count] and the final scores
        [count, seats] of the games from number `first` on, as `programs.random_games` has them."""
        written = self.room(count)
        self.launch(seed, first, *written)
        if is_simulated():
            return written
        fingerprints, plies, results = (array.get() for array in written)
        return fingerprints, plies, results

    def room(self, count: int) -> tuple[Any, Any, Any]:
        """Arrays of the GPU that `launch` writes so many games to."""
        seats = int(self._variant.tables.seats)
        return (
            self.array(count, np.uint64),
            self.array(count, np.int32),
            self.array((count, seats), np.int32),
        )

    def launch(self, seed: int, first: int, fingerprints: Any, plies: Any, results: Any) -> None:
        """Start `play_games` on arrays of the GPU, and do not wait for it."""
        if self._play_games is None:
            self._play_games = self._loaded("play_games")
        taken = self.array(1, np.int32)
        threads = len(fingerprints)
        if not begins_together(self._variant):
            threads = min(threads, self._play_games.resident)
        names = ("tables", "opening", "seed", "first", "fingerprints", "plies", "results", "taken")
        given = (self._tables, self._opening, seed, first, fingerprints, plies, results, taken)
        self._play_games.prepared(threads, names, given)()


def starts_wide(array: Any) -> bool:
    """Whether an array begins where sixteen bytes can be written at once."""
    return is_simulated() or array.data.ptr % 16 == 0


def _in_pairs(array: Any) -> tuple[Any, Any]:
    """The bytes of a contiguous array in pairs of 64-bit words, and those behind the last pair."""
    flat = array.reshape(-1).view(np.uint8)
    whole = flat.size // 16 * 16
    return flat[:whole].view(np.uint64), flat[whole:]


def _simulated_linker(variant: Variant, name: str) -> VariantLinker:
    """The linker of a kernel. Most of a variant's kernels share one; linking takes longer than the simulator plays."""
    return linker_for(variant, name) if name in ("step_unlisted", "play_games") else _shared_linker(variant)


@lru_cache(maxsize=4)
def _shared_linker(variant: Variant) -> VariantLinker:
    return linker_for(variant, "")


def _machine_code(variant: Variant, name: str) -> Path:
    """The machine code of a kernel for this GPU, compiled if it is not there yet."""
    capability = tuple(cuda.get_current_device().compute_capability)
    file, registers = code_file(variant, name, capability), _registers(variant, name)
    with FileLock(file.with_suffix(".lock")):
        if not file.exists():
            unfinished = file.with_suffix(f".{os.getpid()}")
            ptx = compile_ptx(variant, name, capability)
            unfinished.write_bytes(assemble(ptx, capability, registers))
            unfinished.replace(file)
    return file


def code_file(variant: Variant, name: str, compute_capability: ComputeCapability) -> Path:
    """Where the machine code of a kernel is kept."""
    wanted = specification(variant)
    parts = f"{wanted.name}-{_tables_hash(variant)}-{name}-{source_hash(wanted, 'batch')}"
    made_for = f"sm{''.join(map(str, compute_capability))}"
    made_by = f"{_translator_hash(variant.game)}-{_registers(variant, name)}"
    return cache_folder() / f"{parts}-{made_by}-{made_for}.cubin"


def _registers(variant: Variant, name: str) -> int | None:
    """How many registers a thread of a kernel gets at most; as many as the compiler likes if it is None. With fewer of
    them more threads run at the same time."""
    module = gpu_module(variant.game)
    found: int | None = module.registers(variant.tables, name) if hasattr(module, "registers") else None
    return found


def _tables_hash(variant: Variant) -> str:
    """A hash of the numbers that stand in the code."""
    return hashlib.sha256(block(variant).tobytes()).hexdigest()[:12]


def _translator_hash(game: Game) -> str:
    """A hash of what makes the code of a GPU, and of what a game has for GPUs alone."""
    module, own = gpu_module(game), [Path(own_loops().__file__)]
    if module is not None:
        own += sorted(Path(module.__file__).parent.glob("gpu*.py"))
    found = hashlib.sha256(version("numba-cuda").encode())
    for file in [*(Path(__file__).with_name(name) for name in _TRANSLATORS), *own]:
        found.update(file.read_bytes())
    return found.hexdigest()[:8]


def compile_for_gpu(wanted: Sequence[tuple[Variant, str]]) -> None:
    """Compile these kernels, each the name of one of `loops`, on all cores; what is compiled already is left alone.
    Without this, each is compiled when it is first used."""
    if is_simulated():
        return
    jobs = [(variant.game.id, dict(variant.given), name) for variant, name in wanted]
    # Not forked: the driver of a GPU does not survive that.
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        list(pool.map(_compile_job, jobs))


def _compile_job(job: tuple[str, dict[str, Any], str]) -> None:
    game, options, name = job
    _machine_code(new_variant(find_game(game), options), name)
