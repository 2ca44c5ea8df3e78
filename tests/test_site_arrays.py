"""The arrays of the Python in a browser do as NumPy's do."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snakeden.site import arrays
from snakeden.site.seeding import SeedSequence

SHAPES = st.tuples(st.integers(1, 4), st.integers(1, 5))
NUMBERS = st.integers(-100, 100)


def both(draw: Any, kind: str = "int32") -> tuple[Any, Any]:
    """The same numbers as arrays of both kinds."""
    rows, columns = draw(SHAPES)
    numbers = draw(st.lists(NUMBERS, min_size=rows * columns, max_size=rows * columns))
    table = [numbers[k * columns : (k + 1) * columns] for k in range(rows)]
    return np.array(table, kind), arrays.array(table, kind)


def same(theirs: Any, ours: Any) -> None:
    if isinstance(theirs, np.ndarray):
        assert (ours.shape, ours.tolist()) == (theirs.shape, theirs.tolist())
        assert ours.dtype.name == theirs.dtype.name
    else:
        assert ours == theirs


@given(st.data())
def test_parts_and_numbers_chosen_by_lists(data: st.DataObject) -> None:
    theirs, ours = both(data.draw)
    rows, columns = theirs.shape
    k, j = data.draw(st.integers(-rows, rows - 1)), data.draw(st.integers(-columns, columns - 1))
    part = slice(
        data.draw(st.integers(-5, 5)), data.draw(st.integers(-5, 5)), data.draw(st.sampled_from([1, 2, -1]))
    )
    chosen = data.draw(st.lists(st.integers(0, rows - 1), min_size=1, max_size=6))
    across = data.draw(st.lists(st.integers(0, columns - 1), min_size=len(chosen), max_size=len(chosen)))
    for key in (
        k,
        (k, j),
        part,
        (part, j),
        (k, part),
        (slice(None), part),
        chosen,
        (chosen, j),
        (chosen, across),
    ):
        same(theirs[key], ours[key])
    same(theirs[:, None], ours[:, None])
    same(theirs[:, 0][theirs[:, 0] > 0], ours[:, 0][ours[:, 0] > 0])
    for key, value in ((k, 7), ((part, j), 8), ((chosen, j), 9), ((slice(None), part), 5)):
        theirs[key], ours[key] = value, value
        same(theirs, ours)


@given(st.data())
def test_arithmetic(data: st.DataObject) -> None:
    theirs, ours = both(data.draw)
    number = data.draw(NUMBERS.filter(bool))
    for work in (operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.truediv):
        same(work(theirs, number), work(ours, number))
    for work in (operator.eq, operator.ne, operator.lt, operator.ge):
        same(work(theirs, number), work(ours, number))
        same(work(theirs, theirs[0]), work(ours, ours[0]))
    same(theirs + theirs[:1], ours + ours[:1])
    same(theirs * 0.5, ours * 0.5)
    same(2 - theirs, 2 - ours)


@given(st.data())
def test_whole_arrays(data: st.DataObject) -> None:
    theirs, ours = both(data.draw, data.draw(st.sampled_from(["int16", "int64", "float64"])))
    for axis in (None, 0, 1):
        for name in ("max", "min", "all", "any"):
            same(getattr(theirs, name)(axis=axis), getattr(ours, name)(axis=axis))
    for axis in (0, -1):
        for name in ("max", "sum"):
            most, ours_most = (getattr(one, name)(axis=axis, keepdims=True) for one in (theirs, ours))
            same(most, ours_most)
            same(theirs == most, ours == ours_most)
    won, ours_won = (one == one.max(axis=-1, keepdims=True) for one in (theirs, ours))
    same(won / won.sum(axis=-1, keepdims=True), ours_won / ours_won.sum(axis=-1, keepdims=True))
    for name in ("copy", "ravel"):
        same(getattr(theirs, name)(), getattr(ours, name)())
    assert ours.tobytes() == theirs.tobytes()
    same(theirs.reshape(-1), ours.reshape(-1))
    same(np.flatnonzero(theirs), arrays.flatnonzero(ours))
    same(np.diff(theirs, axis=1), arrays.diff(ours, axis=1))
    for axis in (0, 1):
        same(np.concatenate([theirs, theirs], axis=axis), arrays.concatenate([ours, ours], axis=axis))
    same(np.where(theirs > 0, theirs, -theirs), arrays.where(ours > 0, ours, -ours))
    assert arrays.count_nonzero(ours) == np.count_nonzero(theirs)
    ordered = sorted(theirs[0].tolist())
    assert arrays.searchsorted(arrays.array(ordered), 3) == np.searchsorted(ordered, 3)
    same(np.array([-1, 5], np.int64).view(np.uint64), arrays.array([-1, 5], arrays.int64).view(arrays.uint64))


@given(st.lists(st.integers(0, 2**63 - 1), min_size=1, max_size=7))
def test_seeds(numbers: list[int]) -> None:
    theirs = np.random.SeedSequence(numbers).generate_state(3, np.uint64)
    assert SeedSequence(numbers).generate_state(3, None) == theirs.tolist()


def test_what_is_wrong_is_refused() -> None:
    row = arrays.arange(3)
    with pytest.raises(IndexError):
        row[3]
    with pytest.raises(ValueError, match="does not fit"):
        row[:] = [1, 2]
    with pytest.raises(OverflowError):
        arrays.zeros(2, arrays.uint8)[:] = 300
    assert (int(arrays.uint64(-1)), int(arrays.int8(200))) == (2**64 - 1, -56)
