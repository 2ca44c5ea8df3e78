"""What a GPU has instructions of its own for: bits of words, two words at once, numbers for threads."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import cuda, types
from numba.cuda.extending import intrinsic

from snakeden.core import bitset, gpu_operations
from snakeden.core.kernel import inline, unrolled


@inline
def word_size(x):
    return np.int64(cuda.popc(x))


@inline
def nth_of_word(word, n):
    """As `bitset._nth_of_word`, by halving: every thread takes the same number of steps."""
    at = 0
    for width in unrolled((32, 16, 8, 4, 2, 1)):
        below = np.int64(cuda.popc((word >> np.uint64(at)) & np.uint64((1 << width) - 1)))
        if n >= below:
            n -= below
            at += width
    return at


@inline
def nth(a, n):
    """As `bitset.nth`: the word is found first, so that all threads look into theirs at the same time."""
    word, first = a[0], 0
    for k in unrolled(range(1, 4)):
        if k < len(a):
            before = np.int64(cuda.popc(word))
            is_behind = n >= before and first == 64 * (k - 1)
            n -= before if is_behind else 0
            word = a[k] if is_behind else word
            first += 64 if is_behind else 0
    return first + nth_of_word(word, n)


@intrinsic  # type: ignore[untyped-decorator]
def _store(typing_context: Any, array: Any, k: Any, low: Any, high: Any) -> Any:
    """Write a pair of words to an array, as its k-th sixteen bytes."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from numba.cuda.np import arrayobj

        made = arrayobj.make_array(signature.args[0])(context, builder, arguments[0])
        pair = ir.VectorType(ir.IntType(64), 2)
        place = builder.gep(builder.bitcast(made.data, pair.as_pointer()), [arguments[1]])
        value = builder.insert_element(ir.Constant(pair, ir.Undefined), arguments[2], ir.IntType(32)(0))
        value = builder.insert_element(value, arguments[3], ir.IntType(32)(1))
        builder.store(value, place, align=16)
        return context.get_dummy_value()

    return types.void(array, k, low, high), code


@inline
def store_pair(out, k, low, high):
    _store(out, np.int64(k), np.uint64(low), np.uint64(high))


@intrinsic  # type: ignore[untyped-decorator]
def _load(typing_context: Any, array: Any, k: Any) -> Any:
    """Read a pair of words of an array of uint64."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from numba.cuda.np import arrayobj

        made = arrayobj.make_array(signature.args[0])(context, builder, arguments[0])
        number, pair = ir.IntType(64), ir.VectorType(ir.IntType(64), 2)
        place = builder.gep(made.data, [builder.mul(arguments[1], number(2))])
        value = builder.load(builder.bitcast(place, pair.as_pointer()), align=16)
        words = [builder.extract_element(value, ir.IntType(32)(at)) for at in range(2)]
        return context.make_tuple(builder, signature.return_type, words)

    return types.UniTuple(types.uint64, 2)(array, k), code


@inline
def load_pair(array, k):
    return _load(array, np.int64(k))


@intrinsic  # type: ignore[untyped-decorator]
def _address(typing_context: Any, array: Any, k: Any) -> Any:
    """Where a row begins. What is written here is not looked through by compilers, which would otherwise find out the
    row anew for each number that is written."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from numba.cuda.np import arrayobj

        made = arrayobj.make_array(signature.args[0])(context, builder, arguments[0])
        number = ir.IntType(64)
        place = builder.gep(made.data, [builder.mul(arguments[1], builder.extract_value(made.shape, 1))])
        move = ir.InlineAsm(ir.FunctionType(number, [number]), "mov.u64 $0, $1;", "=l,l")
        return builder.call(move, [builder.ptrtoint(place, number)])

    return types.uint64(array, k), code


@intrinsic  # type: ignore[untyped-decorator]
def _put(typing_context: Any, row: Any, at: Any, value: Any) -> Any:
    """Write a number of 32 bits to a row of the GPU's memory, which LLVM calls address space 1."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number = ir.IntType(64)
        behind = builder.mul(builder.zext(arguments[1], number), number(4))
        place = builder.inttoptr(builder.add(arguments[0], behind), ir.IntType(32).as_pointer(1))
        builder.store(arguments[2], place, align=4)
        return context.get_dummy_value()

    return types.void(row, at, value), code


@inline
def row_of(array, k):
    return _address(array, np.int64(k))


@inline
def put(row, at, number):
    _put(row, np.uint32(at), np.int32(number))


@inline
def take_number(taken):
    return np.int64(cuda.atomic.add(taken, 0, 1))


REPLACED = {
    bitset.word_size: word_size,
    bitset._nth_of_word: nth_of_word,
    bitset.nth: nth,
    gpu_operations.store_pair: store_pair,
    gpu_operations.store_bytes: store_pair,
    gpu_operations.load_pair: load_pair,
    gpu_operations.row_of: row_of,
    gpu_operations.put: put,
    gpu_operations.take_number: take_number,
}
