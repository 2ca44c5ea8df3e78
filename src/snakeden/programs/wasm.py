"""Programs as ready-made WebAssembly, run by Wasmtime: slower than compiled ones, and there at once."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import hashlib
import os
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from threading import Lock
from typing import Any
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from snakeden.core.game import Variant
from snakeden.programs.abi import Signature, Structure
from snakeden.programs.contents import contents
from snakeden.programs.folder import cache_folder
from snakeden.programs.ready_made import description, module_files
from snakeden.programs.sources import source_hash
from snakeden.programs.specification import Specification, block, specification

_ALIGNED = 64


def is_available(variant: Variant) -> bool:
    """Whether the variant's program is ready-made and there is something to run it with."""
    return find_spec("wasmtime") is not None and program_number(specification(variant)) is not None


def program_number(wanted: Specification) -> int | None:
    """Which of the programs in the game's module this is; None if it is not there, or older than the kernels."""
    found = description(wanted.game)
    for number, each in enumerate(found["programs"] if found else ()):
        if each["name"] == wanted.name and each["sources"] == source_hash(wanted, "play"):
            return number
    return None


@cache
def _module(game_id: str) -> Any:
    """(engine, module) of a game. Wasmtime takes a second to compile a module, so what it made is kept."""
    import wasmtime

    config = wasmtime.Config()
    config.cranelift_opt_level = "speed"
    # Arrays in a program's memory stay where they are.
    config.memory_may_move = False
    engine = wasmtime.Engine(config)
    code = module_files(game_id)[0].read_bytes()
    kept = cache_folder() / f"{game_id}-{hashlib.sha256(code).hexdigest()[:16]}-{version('wasmtime')}.cwasm"
    with contextlib.suppress(OSError, wasmtime.WasmtimeError):
        return engine, wasmtime.Module.deserialize_file(engine, str(kept))
    module = wasmtime.Module(engine, code)
    with contextlib.suppress(OSError):
        unfinished = kept.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(module.serialize())
        unfinished.replace(kept)
    return engine, module


_programs: WeakSet[WasmProgram] = WeakSet()


@atexit.register
def _close() -> None:
    """Let go of what Wasmtime holds while there is still an interpreter to do it."""
    for each in list(_programs):
        each._store.close()
    _module.cache_clear()


class WasmProgram:
    """A variant's program in WebAssembly: every entry of it is a method, with the tables bound.

    It has a memory of its own. Arrays made by `array` lie there; others are copied there and back at every call.
    """

    target = "wasm"

    def __init__(self, variant: Variant) -> None:
        import wasmtime

        number = program_number(specification(variant))
        engine, module = _module(variant.game.id)
        self._store = wasmtime.Store(engine)
        _programs.add(self)
        self._lock = Lock()
        exports: Any = wasmtime.Instance(self._store, module, []).exports(self._store)
        self._memory: Any = exports["memory"]
        self._free = int(exports["__heap_base"].value(self._store))
        self._used = self._free
        """Where memory begins that nothing was ever written to."""
        self._base = ctypes.addressof(self._memory.data_ptr(self._store).contents)
        tables = np.array([block(variant)]).view(np.uint8)
        self._tables = self._take(tables.nbytes)
        self._view(self._tables, tables.nbytes)[:] = tables
        for name, entry in contents(variant.game, "play").items():
            setattr(self, name, self._caller(exports[f"p{number}_{name}"], entry.signature))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"this program has no entry {name!r}")

    def array(self, shape: tuple[int, ...] | int, dtype: Any) -> NDArray[Any]:
        """An array of zeros that the program reads and writes without copying."""
        kind = np.dtype(dtype)
        count = int(np.prod(shape))
        address = self._take(count * kind.itemsize)
        memory = self._view(address, count * kind.itemsize)
        # Fresh memory is zero already, and untouched costs nothing.
        memory[: max(0, self._used - address)] = 0
        self._used = max(self._used, self._free)
        found: NDArray[Any] = memory.view(kind).reshape(shape)
        return found

    def empty(self, shape: tuple[int, ...] | int, dtype: Any) -> NDArray[Any]:
        """The same with anything in it; here that is zeros."""
        return self.array(shape, dtype)

    def _take(self, size: int) -> int:
        """The address of this many bytes that are free."""
        address = -(-self._free // _ALIGNED) * _ALIGNED
        self._free = address + size
        missing = self._free - self._memory.data_len(self._store)
        if missing > 0:
            self._memory.grow(self._store, -(-missing // 65536))
            self._base = ctypes.addressof(self._memory.data_ptr(self._store).contents)
        return address

    def _view(self, address: int, size: int) -> NDArray[np.uint8]:
        memory: Any = (ctypes.c_uint8 * size).from_address(self._base + address)
        # The array keeps this program, and so its memory, alive.
        memory.program = self
        found: NDArray[np.uint8] = np.frombuffer(memory, np.uint8)
        return found

    def _caller(self, function: Any, signature: Signature) -> Callable[..., Any]:
        """A Python function that calls the one in the module."""
        returns = signature.returns if len(signature.returns) > 1 else ()

        def call(*arguments: Any) -> Any:
            with self._lock:
                free = self._free
                given: list[Any] = [self._tables] * signature.has_tables
                copied: list[tuple[NDArray[Any], int]] = []
                parts: list[Any] = []
                for parameter, argument in zip(signature.parameters, arguments, strict=True):
                    parts += argument if isinstance(parameter, Structure) else (argument,)
                given += [
                    self._address(part, copied) if isinstance(part, np.ndarray) else _number_of(part)
                    for part in parts
                ]
                given += [parts[k].shape[axis] for k, axis in signature.lengths.values()]
                results = self._take(8 * len(returns)) if returns else 0
                given += [results + 8 * k for k in range(len(returns))]
                returned = function(self._store, *given)
                for array, address in copied:
                    array[...] = self._view(address, array.nbytes).view(array.dtype).reshape(array.shape)
                written = self._view(results, 8 * len(returns))
                values = [written[8 * k : 8 * k + 8].view(kind)[0].item() for k, kind in enumerate(returns)]
                self._used = max(self._used, self._free)
                self._free = free
            if returns:
                return tuple(values)
            if signature.returns == ("uint64",):
                return returned % (1 << 64)
            return returned

        return call

    def _address(self, array: NDArray[Any], copied: list[tuple[NDArray[Any], int]]) -> int:
        """Where an array lies in the program's memory; one from elsewhere is copied there, and noted in `copied`."""
        offset = array.ctypes.data - self._base
        if 0 <= offset < self._free:
            return offset
        address = self._take(array.nbytes)
        self._view(address, array.nbytes)[:] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        if array.flags.writeable:
            copied.append((array, address))
        return address


def _number_of(value: Any) -> int | float:
    """A number as Wasmtime takes it: 64 bits, signed."""
    if isinstance(value, float | np.floating):
        return float(value)
    whole = int(value)
    return whole - (1 << 64) if whole >= 1 << 63 else whole
