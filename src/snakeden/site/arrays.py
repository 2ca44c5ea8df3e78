"""The part of NumPy that positions, tables and views use, for a Python that has no NumPy: the one in a browser.

Compiled kernels do the counting there as everywhere, so arrays are made, filled and read here, seldom more. What is
here does as NumPy does, which the tests compare; what is not here raises AttributeError. Elements are plain numbers.
An array's elements may also lie in the memory of a program (`snakeden.programs.browser`).
"""

from __future__ import annotations

import operator
from array import array as _packed
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import prod
from math import sqrt as sqrt
from struct import pack, unpack
from types import SimpleNamespace
from typing import Any

from snakeden.site.seeding import SeedSequence

integer, floating, bool_ = int, float, bool


def _whole(name: str, low: int, high: int) -> type[int]:
    """A type of whole numbers; what does not fit wraps around."""

    def new(cls: type[int], value: Any = 0) -> int:
        return int.__new__(cls, (int(value) - low) % (high - low) + low)

    return type(name, (int,), {"__new__": new})


int8, int16, int32, int64 = (_whole(f"int{n}", -(1 << n - 1), 1 << n - 1) for n in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (_whole(f"uint{n}", 0, 1 << n) for n in (8, 16, 32, 64))


class float64(float):  # noqa: N801 - NumPy's names
    """A float of Python."""


class float32(float):  # noqa: N801
    """A float with as many bits as its name says."""

    def __new__(cls, value: Any = 0.0) -> float32:
        return float.__new__(cls, unpack("f", pack("f", value))[0])


_CODES = {
    "int8": "b",
    "uint8": "B",
    "bool": "B",
    "int16": "h",
    "uint16": "H",
    "int32": "i",
    "uint32": "I",
    "int64": "q",
    "uint64": "Q",
    "float32": "f",
    "float64": "d",
}


class dtype:  # noqa: N801
    """A type of elements."""

    def __init__(self, given: Any) -> None:
        name = given.name if isinstance(given, dtype) else getattr(given, "__name__", given)
        self.name: str = {"int": "int64", "float": "float64"}.get(name, name)
        self.code = _CODES[self.name]
        self.itemsize = _packed(self.code).itemsize
        self.floats = self.code in "fd"

    def newbyteorder(self, _: str) -> dtype:
        """The same: a browser's numbers are little-endian."""
        return self

    def __eq__(self, other: object) -> bool:
        return self.name == dtype(other).name

    def __hash__(self) -> int:
        return hash(self.name)


_BOOL, _INT64, _FLOAT64 = dtype("bool"), dtype("int64"), dtype("float64")


def _strides(shape: Sequence[int]) -> tuple[int, ...]:
    """How far apart elements lie along each axis, where nothing lies between them."""
    found, step = [], 1
    for size in reversed(shape):
        found.append(step)
        step *= size
    return tuple(reversed(found))


class ndarray:  # noqa: N801
    """An array: flat elements somewhere, and how they are looked at."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self, kind: dtype, shape: tuple[int, ...], items: Any, at: int = 0, strides: Any = None
    ) -> None:
        self.dtype, self.shape, self.items, self.at = kind, shape, items, at
        self.strides: tuple[int, ...] = _strides(shape) if strides is None else strides
        self.flags = SimpleNamespace(writeable=True)

    # -- what it is

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    def __len__(self) -> int:
        return self.shape[0]

    def __bool__(self) -> bool:
        (only,) = self.flat()
        return bool(only)

    def __int__(self) -> int:
        (only,) = self.flat()
        return int(only)

    def __repr__(self) -> str:
        return f"array({self.tolist()}, {self.dtype.name})"

    # -- elements

    def places(self) -> Iterable[int]:
        """Where its elements lie, in order."""
        if self.strides == _strides(self.shape):
            return range(self.at, self.at + self.size)
        found = [self.at]
        for size, step in zip(self.shape, self.strides, strict=True):
            found = [at + k * step for at in found for k in range(size)]
        return found

    def flat(self) -> list[Any]:
        """Its elements in order."""
        where = self.places()
        if isinstance(where, range):
            found = self.items[where.start : where.stop].tolist()
        else:
            found = [self.items[at] for at in where]
        return list(map(bool, found)) if self.dtype is _BOOL else found

    def tolist(self) -> Any:
        return _nested(self.flat(), self.shape)

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self))) if self.ndim > 1 else iter(self.flat())

    def tobytes(self) -> bytes:
        return _packed(self.dtype.code, self.flat()).tobytes()

    def assign(self, values: Any) -> None:
        """Set all elements: to one number, or each to its own."""
        where = self.places()
        if isinstance(values, ndarray | list | tuple | range):
            given = values if isinstance(values, ndarray) else array(values)
            numbers = (given if given.shape == self.shape else given.spread(self.shape)).flat()
        else:
            numbers = [values] * self.size
        if isinstance(where, range):
            self.items[where.start : where.stop] = memoryview(_packed(self.dtype.code, numbers))
        else:
            for at, number in zip(where, numbers, strict=True):
                self.items[at] = number

    # -- parts

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, int) and len(self.shape) == 1:
            return self.items[self.at + _index(key, self.shape[0]) * self.strides[0]]
        keys = key if isinstance(key, tuple) else (key,)
        if any(isinstance(each, ndarray | list) for each in keys):
            where, shape = self._chosen(keys)
            return _made(self.dtype, shape, [self.items[at] for at in where])
        part = self._part(keys)
        return part if part.shape else self.items[part.at]

    def __setitem__(self, key: Any, value: Any) -> None:
        keys = key if isinstance(key, tuple) else (key,)
        if any(isinstance(each, ndarray | list) for each in keys):
            where, shape = self._chosen(keys)
            for at, number in zip(where, full(shape, value, self.dtype).flat(), strict=True):
                self.items[at] = number
            return
        part = self._part(keys)
        if part.shape:
            part.assign(value)
        else:
            self.items[part.at] = value

    def _part(self, keys: tuple[Any, ...]) -> ndarray:
        """What whole numbers, slices and None choose, on the same elements."""
        at, shape, strides, axis = self.at, [], [], 0
        for key in keys:
            if key is None:
                shape.append(1)
                strides.append(0)
                continue
            size, step = self.shape[axis], self.strides[axis]
            axis += 1
            if isinstance(key, slice):
                chosen = range(size)[key]
                at += (chosen.start if chosen else 0) * step
                shape.append(len(chosen))
                strides.append(chosen.step * step)
            else:
                at += _index(key, size) * step
        return ndarray(
            self.dtype, (*shape, *self.shape[axis:]), self.items, at, (*strides, *self.strides[axis:])
        )

    def _chosen(self, keys: tuple[Any, ...]) -> tuple[list[int], tuple[int, ...]]:
        """Where the elements lie that lists of numbers choose, and their shape."""
        if len(keys) == 1 and isinstance(keys[0], ndarray) and keys[0].dtype is _BOOL:
            keys = (flatnonzero(keys[0]),)
        lists = [list(key) if isinstance(key, ndarray | list) else None for key in keys]
        count = max(len(each) for each in lists if each is not None)
        rest, steps = self.shape[len(keys) :], self.strides[len(keys) :]
        columns = [
            [_index(number, self.shape[axis]) for number in (each if each is not None else [key] * count)]
            for axis, (each, key) in enumerate(zip(lists, keys, strict=True))
        ]
        starts = [
            self.at + sum(number * step for number, step in zip(row, self.strides, strict=False))
            for row in zip(*columns, strict=True)
        ]
        inner = list(ndarray(self.dtype, rest, self.items, 0, steps).places()) if rest else [0]
        return [start + step for start in starts for step in inner], (count, *rest)

    # -- others of the same elements

    def copy(self) -> ndarray:
        return _made(self.dtype, self.shape, self.flat())

    def astype(self, kind: Any) -> ndarray:
        return _made(dtype(kind), self.shape, self.flat())

    def ravel(self) -> ndarray:
        return _made(self.dtype, (self.size,), self.flat())

    def reshape(self, *shape: Any) -> ndarray:
        sizes = shape[0] if isinstance(shape[0], tuple) else shape
        if -1 in sizes:
            sizes = tuple(self.size // -prod(sizes) if size == -1 else size for size in sizes)
        return ndarray(self.dtype, sizes, self.items, self.at) if self._dense else self.ravel().reshape(sizes)

    @property
    def _dense(self) -> bool:
        return self.strides == _strides(self.shape)

    def view(self, kind: Any) -> ndarray:
        """A copy of the same bytes as elements of another type."""
        wanted = dtype(kind)
        items = _packed(wanted.code)
        items.frombytes(self.tobytes())
        return ndarray(wanted, (*self.shape[:-1], len(items) // prod(self.shape[:-1])), memoryview(items))

    def spread(self, shape: tuple[int, ...]) -> ndarray:
        """As if it were repeated along the axes that it lacks, or along which it has one element."""
        missing = len(shape) - self.ndim
        sizes, steps = (1,) * missing + self.shape, (0,) * missing + self.strides
        if any(size not in (1, wanted) for size, wanted in zip(sizes, shape, strict=True)):
            raise ValueError(f"an array of shape {self.shape} does not fit one of shape {shape}")
        strides = tuple(0 if size == 1 else step for size, step in zip(sizes, steps, strict=True))
        return ndarray(self.dtype, shape, self.items, self.at, strides)

    def __truediv__(self, other: Any) -> ndarray:
        return _combined(self, other, operator.truediv, None if _common(self, other).floats else _FLOAT64)

    def __neg__(self) -> ndarray:
        return _made(self.dtype, self.shape, [-x for x in self.flat()])

    # -- in sum

    def _lines(self, axis: int | None) -> tuple[list[list[Any]], tuple[int, ...]]:
        """The elements along an axis, for each place on the others; all of them without an axis."""
        if axis is None:
            return [self.flat()], ()
        axis %= self.ndim
        shape = self.shape[:axis] + self.shape[axis + 1 :]
        steps = self.strides[:axis] + self.strides[axis + 1 :]
        starts = ndarray(self.dtype, shape, self.items, self.at, steps).places()
        size, step = self.shape[axis], self.strides[axis]
        return [[self.items[at + k * step] for k in range(size)] for at in starts], shape

    def _reduced(
        self,
        work: Callable[[list[Any]], Any],
        axis: int | None,
        kind: dtype | None = None,
        keepdims: bool = False,
    ) -> Any:
        lines, shape = self._lines(axis)
        found = [work(line) for line in lines]
        if keepdims and axis is not None:
            axis %= self.ndim
            shape = (*self.shape[:axis], 1, *self.shape[axis + 1 :])
        return _made(kind or self.dtype, shape, found) if shape else found[0]

    def max(self, axis: int | None = None, keepdims: bool = False) -> Any:
        return self._reduced(max, axis, keepdims=keepdims)

    def min(self, axis: int | None = None) -> Any:
        return self._reduced(min, axis)

    def sum(self, axis: int | None = None, keepdims: bool = False) -> Any:
        return self._reduced(sum, axis, self.dtype if self.dtype.floats else _INT64, keepdims)

    def all(self, axis: int | None = None) -> Any:
        return self._reduced(all, axis, _BOOL)

    def any(self, axis: int | None = None) -> Any:
        return self._reduced(any, axis, _BOOL)

    def nonzero(self) -> tuple[ndarray]:
        """Where a row of elements is not zero."""
        assert self.ndim == 1
        return (flatnonzero(self),)

    def argmax(self) -> int:
        numbers = self.flat()
        return numbers.index(max(numbers))


# ---- element by element


def _combined(a: Any, b: Any, work: Callable[[Any, Any], Any], kind: dtype | None) -> ndarray:
    kind = kind or _common(a, b)
    if not isinstance(b, ndarray | list | tuple):
        return _made(kind, a.shape, [work(x, b) for x in a.flat()])
    other = b if isinstance(b, ndarray) else array(b)
    if not isinstance(a, ndarray | list | tuple):
        return _made(kind, other.shape, [work(a, y) for y in other.flat()])
    a = a if isinstance(a, ndarray) else array(a)
    count = max(a.ndim, other.ndim)
    sizes = ((1,) * (count - each.ndim) + each.shape for each in (a, other))
    shape = tuple(m if n == 1 else n for n, m in zip(*sizes, strict=True))
    numbers = zip(a.spread(shape).flat(), other.spread(shape).flat(), strict=True)
    return _made(kind, shape, [work(x, y) for x, y in numbers])


def _common(a: Any, b: Any) -> dtype:
    """The type of what comes out of two: a plain number takes the array's."""
    kinds = [each.dtype for each in (a, b) if isinstance(each, ndarray)]
    plain = [each for each in (a, b) if not isinstance(each, ndarray)]
    if any(isinstance(each, float) for each in plain) and not any(kind.floats for kind in kinds):
        return _FLOAT64
    return max(kinds, key=lambda kind: (kind.floats, kind.itemsize))


for _name in ("add", "sub", "mul", "floordiv", "mod", "and", "or", "xor", "lshift", "rshift"):
    _work = getattr(operator, f"{_name}_" if _name in ("and", "or") else _name)
    setattr(ndarray, f"__{_name}__", lambda a, b, work=_work: _combined(a, b, work, None))
    setattr(ndarray, f"__r{_name}__", lambda a, b, work=_work: _combined(b, a, work, None))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    _work = getattr(operator, _name)
    setattr(ndarray, f"__{_name}__", lambda a, b, work=_work: _combined(a, b, work, _BOOL))


# ---- making arrays


def _index(number: Any, size: int) -> int:
    found = operator.index(number)
    if not -size <= found < size:
        raise IndexError(f"there is no element {found} among {size}")
    return found + size if found < 0 else found


def _nested(numbers: list[Any], shape: tuple[int, ...]) -> Any:
    if len(shape) < 2:
        return numbers if shape else numbers[0]
    step = prod(shape[1:])
    return [_nested(numbers[k * step : (k + 1) * step], shape[1:]) for k in range(shape[0])]


def _sized(shape: Any) -> tuple[int, ...]:
    return tuple(map(int, shape)) if isinstance(shape, tuple | list) else (int(shape),)


def _made(kind: dtype, shape: tuple[int, ...], numbers: Iterable[Any]) -> ndarray:
    values = numbers if kind.floats else map(int, numbers)
    return ndarray(kind, shape, memoryview(_packed(kind.code, values)))


def _cast(data: Any, kind: dtype) -> Any:
    """Bytes as elements of a type."""
    code: Any = kind.code
    return memoryview(data).cast("B").cast(code)


def zeros(shape: Any, kind: Any = float64) -> ndarray:
    sizes, found = _sized(shape), dtype(kind)
    return ndarray(found, sizes, _cast(bytearray(prod(sizes) * found.itemsize), found))


empty = zeros


def full(shape: Any, value: Any, kind: Any = None) -> ndarray:
    found = zeros(shape, kind or (float64 if isinstance(value, float) else int64))
    found.assign(value)
    return found


def array(given: Any, kind: Any = None) -> ndarray:
    """An array of what is given: an array, a number, or numbers in lists of the same length."""
    if isinstance(given, ndarray):
        return given.astype(kind or given.dtype)
    shape: list[int] = []
    numbers: Any = [given]
    while numbers and isinstance(numbers[0], ndarray | list | tuple | range):
        if len({len(each) for each in numbers}) > 1:
            raise ValueError("rows of an array have the same length")
        shape.append(len(numbers[0]))
        numbers = [each for row in numbers for each in row]
    if kind is None:
        kinds = {type(each) for each in numbers}
        kind = bool if kinds == {bool} else float64 if any(issubclass(k, float) for k in kinds) else int64
    return _made(dtype(kind), tuple(shape), numbers)


def asarray(given: Any, kind: Any = None) -> ndarray:
    if isinstance(given, ndarray) and (kind is None or given.dtype == dtype(kind)):
        return given
    return array(given, kind)


def arange(*bounds: int) -> ndarray:
    numbers = range(*bounds)
    return _made(_INT64, (len(numbers),), numbers)


def frombuffer(data: Any, kind: Any) -> ndarray:
    found = dtype(kind)
    items = _cast(data, found)
    return ndarray(found, (len(items),), items)


# ---- looking through arrays


def flatnonzero(given: ndarray) -> ndarray:
    found = [k for k, value in enumerate(given.flat()) if value]
    return _made(_INT64, (len(found),), found)


def count_nonzero(given: ndarray) -> int:
    return sum(map(bool, given.flat()))


def where(chosen: ndarray, a: ndarray, b: ndarray) -> ndarray:
    triples = zip(chosen.flat(), a.flat(), b.flat(), strict=True)
    return _made(a.dtype, chosen.shape, [x if first else y for first, x, y in triples])


def concatenate(given: Sequence[ndarray], axis: int = 0) -> ndarray:
    if axis == 0:
        shape = (sum(map(len, given)), *given[0].shape[1:])
        return _made(given[0].dtype, shape, [value for each in given for value in each.flat()])
    rows = zip(*(each.tolist() for each in given), strict=True)
    return array([[value for part in row for value in part] for row in rows], given[0].dtype)


def diff(given: ndarray, axis: int) -> ndarray:
    lines, shape = given._lines(axis)
    if axis % given.ndim != given.ndim - 1:
        raise NotImplementedError("differences are taken along the last axis")
    found = [b - a for line in lines for a, b in pairwise(line)]
    return _made(given.dtype, (*shape, given.shape[-1] - 1), found)


def partition(given: ndarray, _: int) -> ndarray:
    return _made(given.dtype, given.shape, sorted(given.flat()))


def searchsorted(given: ndarray, value: Any) -> int:
    return bisect_left(given.flat(), value)


def array_equal(a: ndarray, b: ndarray) -> bool:
    return a.shape == b.shape and a.flat() == b.flat()


random = SimpleNamespace(SeedSequence=SeedSequence)
"""`numpy.random`: the seeds of a search are the same everywhere."""


class _Described:
    """What stands in annotations only."""

    def __class_getitem__(cls, _: Any) -> Any:
        return Any


typing = SimpleNamespace(NDArray=_Described, ArrayLike=_Described)
"""`numpy.typing`."""
