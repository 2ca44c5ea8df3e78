"""Programs as ready-made WebAssembly, run by the browser that this Python runs in.

Python has no NumPy there, but `snakeden.site.arrays`. A program has a memory of its own, which Python reaches through
JavaScript: `web/js/programs.js` has the other half.
"""

from __future__ import annotations

from array import array as packed
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from snakeden.core.game import Game, Variant
from snakeden.programs.ready_made import description

_ALIGNED = 64
_PAGE = 65536


class Memory(Protocol):
    """A module's instance in JavaScript."""

    heap: int
    """Where memory begins that is free."""
    size: int
    views: Any
    """Per type of elements a typed array over all of the memory; made anew when it grows."""

    def grow(self, pages: int) -> None: ...
    def bound(self, name: str, widths: str, returns: str) -> Callable[..., Any]: ...


instance: Any = None
"""Makes an instance of a game's module, whose code must have been fetched before; set by who starts Python."""


class Elements:
    """All elements of one type in a program's memory, as a `memoryview` would show them."""

    def __init__(self, memory: Memory, type_name: str, code: str) -> None:
        self._memory, self._type, self._code = memory, type_name, code

    def __getitem__(self, key: Any) -> Any:
        view = getattr(self._memory.views, self._type)
        if isinstance(key, slice):
            found = packed(self._code, bytes((key.stop - key.start) * packed(self._code).itemsize))
            view.subarray(key.start, key.stop).assign_to(found)
            return memoryview(found)
        found = view[key]
        return found if isinstance(found, float) else int(found)

    def __setitem__(self, key: Any, value: Any) -> None:
        view = getattr(self._memory.views, self._type)
        if isinstance(key, slice):
            view.subarray(key.start, key.stop).assign(value)
        else:
            self[key : key + 1] = memoryview(packed(self._code, [value]))

    def fill_zeros(self, start: int, stop: int) -> None:
        view = self._memory.views.uint8
        size = packed(self._code).itemsize
        view.fill(0, start * size, stop * size)


class BrowserProgram:
    """A variant's program in the browser: every entry of it is a method, with the tables bound."""

    target = "browser"

    def __init__(self, variant: Variant) -> None:
        self._np = import_module("numpy")
        about = description(variant.game)
        assert about is not None
        number = _program_number(variant, about)
        layout = about["programs"][number]
        self._memory = instance(variant.game.id)
        self._free = self._used = self._memory.heap
        self._tables = self._take(layout["size"])
        self._write(self._tables, _block(variant, layout))
        for name, entry in about["entries"].items():
            setattr(self, name, self._caller(f"p{number}_{name}", entry))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"this program has no entry {name!r}")

    def array(self, shape: Any, dtype: Any) -> Any:
        """An array of zeros that the program reads and writes without copying."""
        kind = self._np.dtype(dtype)
        sizes = tuple(shape) if isinstance(shape, tuple) else (shape,)
        count = 1
        for size in sizes:
            count *= int(size)
        address = self._take(count * kind.itemsize)
        elements = Elements(self._memory, kind.name, kind.code)
        found = self._np.ndarray(kind, tuple(map(int, sizes)), elements, address // kind.itemsize)
        if address < self._used:
            elements.fill_zeros(found.at, found.at + count)
        self._used = max(self._used, self._free)
        return found

    def empty(self, shape: Any, dtype: Any) -> Any:
        """The same with anything in it; here that is zeros."""
        return self.array(shape, dtype)

    def _take(self, size: int) -> int:
        """The address of this many bytes that are free."""
        address: int = -(-self._free // _ALIGNED) * _ALIGNED
        self._free = address + size
        missing = self._free - self._memory.size
        if missing > 0:
            self._memory.grow(-(-missing // _PAGE))
        return address

    def _write(self, address: int, data: Any) -> None:
        octets = memoryview(data).cast("B")
        if len(octets):
            self._memory.views.uint8.subarray(address, address + len(octets)).assign(octets)

    def _caller(self, name: str, entry: dict[str, Any]) -> Callable[..., Any]:
        """A Python function that calls the one in the module."""
        has_shape = [len(each) > 2 for each in entry["parameters"]]
        returns = entry["returns"] if len(entry["returns"]) > 1 else []
        lengths = list(entry["lengths"].values())
        tables = [self._tables] * bool(entry["tables"])
        only = entry["returns"][0] if len(entry["returns"]) == 1 else ""
        # Addresses have 32 bits, whole numbers 64.
        kinds = ["-" if len(each) > 2 or each[1] == "float64" else "w" for each in entry["parameters"]]
        widths = "".join(["-" * len(tables), *kinds, "w" * len(lengths), "-" * len(returns)])
        function = self._memory.bound(name, widths, only)

        def call(*arguments: Any) -> Any:
            free = self._free
            parts = list(_flattened(arguments))
            copied: list[tuple[Any, int]] = []
            given = [
                self._address(part, copied) if shaped else part
                for part, shaped in zip(parts, has_shape, strict=True)
            ]
            given += [parts[k].shape[axis] for k, axis in lengths]
            results = self._take(8 * len(returns)) if returns else 0
            given += [results + 8 * k for k in range(len(returns))]
            returned = function(*tables, *given)
            for part, address in copied:
                self._read(part, address)
            values = [self._number(results + 8 * k, kind) for k, kind in enumerate(returns)]
            self._used = max(self._used, self._free)
            self._free = free
            if returns:
                return tuple(values)
            return int(returned) if only and only != "float64" else returned

        return call

    def _number(self, address: int, kind: str) -> int | float:
        found: Any = getattr(self._memory.views, kind)[address // 8]
        return float(found) if kind == "float64" else int(found)

    def _address(self, part: Any, copied: list[tuple[Any, int]]) -> int:
        """Where an array lies in the program's memory; one from elsewhere is copied there, and noted in `copied`."""
        if isinstance(part.items, Elements) and part.items._memory is self._memory:
            return int(part.at * part.dtype.itemsize)
        address = self._take(part.nbytes)
        self._write(address, part.tobytes())
        if part.flags.writeable:
            copied.append((part, address))
        return address

    def _read(self, part: Any, address: int) -> None:
        if not part.nbytes:
            return
        octets = bytearray(part.nbytes)
        self._memory.views.uint8.subarray(address, address + part.nbytes).assign_to(octets)
        part.assign(self._np.frombuffer(octets, part.dtype).reshape(part.shape))


def _flattened(arguments: tuple[Any, ...]) -> Iterator[Any]:
    """Structures as their fields."""
    for argument in arguments:
        if isinstance(argument, tuple):
            yield from argument
        else:
            yield argument


@cache
def _layout_of(game: Game) -> Any:
    return import_module(f"{game.package}.kernels.layout")


def _program_number(variant: Variant, about: dict[str, Any]) -> int:
    """Which of the programs in the game's module plays the variant."""
    tables = variant.tables
    constants = {name: int(getattr(tables, name)) for name in _layout_of(variant.game).constants(tables)}
    return next(n for n, each in enumerate(about["programs"]) if each["constants"] == constants)


def _block(variant: Variant, layout: dict[str, Any]) -> bytearray:
    """The variant's tables as its program reads them: a block of memory with known offsets."""
    block = bytearray(layout["size"])
    np = import_module("numpy")
    for name, (offset, kind, *shape) in layout["tables"].items():
        value = getattr(variant.tables, name)
        held = value if hasattr(value, "shape") else np.array(value, kind)
        if held.shape[1:] != tuple(shape[1:]):
            raise AssertionError(f"{name} has shape {held.shape}, but its capacity is {shape}")
        data = held.astype(kind).tobytes()
        block[offset : offset + len(data)] = data
    return block
