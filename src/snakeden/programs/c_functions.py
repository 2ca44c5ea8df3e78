"""The C function of an entry: addresses outside, arrays inside.

It is written in LLVM's language at once. As Python that Numba compiles it would be as dear as the kernel it calls.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import impl_ret_borrowed, lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import models, register_model
from numba.np.arrayobj import make_array, populate_array

from snakeden.programs.abi import Signature, Structure, Value, dimension

_ADDRESS = ir.IntType(8).as_pointer()
_INT64 = ir.IntType(64)
_OPERATORS: dict[type[ast.operator], Callable[[ir.IRBuilder, Any, Any], Any]] = {
    ast.Add: ir.IRBuilder.add,
    ast.Sub: ir.IRBuilder.sub,
    ast.Mult: ir.IRBuilder.mul,
}


# ---- structures: inside, one address instead of the hundred numbers that their arrays consist of


class _StructureType(types.Type):  # type: ignore[misc]
    """Several arrays and numbers behind one address, read as `structure.field`."""

    def __init__(self, name: str, fields: dict[str, Any]) -> None:
        super().__init__(f"{name}({', '.join(f'{key}: {kind}' for key, kind in fields.items())})")
        self.fields = fields

    def memory(self, context: Any) -> Any:
        """What stands at the address, as a type of LLVM."""
        return ir.LiteralStructType([context.get_value_type(kind) for kind in self.fields.values()])


@register_model(_StructureType)
class _StructureModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _ADDRESS)


@infer_getattr
class _StructureFields(AttributeTemplate):  # type: ignore[misc]
    key = _StructureType

    def generic_resolve(self, structure: _StructureType, field: str) -> Any:
        return structure.fields.get(field)


@lower_getattr_generic(_StructureType)  # type: ignore[untyped-decorator]
def _read_field(context: Any, builder: Any, structure: _StructureType, address: Any, field: str) -> Any:
    memory = builder.bitcast(address, structure.memory(context).as_pointer())
    value = builder.load(cgutils.gep_inbounds(builder, memory, 0, list(structure.fields).index(field)))
    return impl_ret_borrowed(context, builder, structure.fields[field], value)


# ---- what a kernel takes


def argument_types(signature: Signature, block: np.dtype[Any], state: np.dtype[Any]) -> tuple[Any, ...]:
    """The types of the arguments with which an entry's kernel is called."""

    def kind(value: Value) -> Any:
        item = numba.from_dtype(state if value.type == "state" else np.dtype(value.type))
        return item if value.shape is None else types.Array(item, len(value.shape), "C")

    found: list[Any] = [numba.from_dtype(block)] if signature.has_tables else []
    for each in signature.parameters:
        if isinstance(each, Structure):
            kinds = dict(zip(each.type._fields, map(kind, each.fields), strict=True))
            found.append(_StructureType(each.type.__name__, kinds))
        else:
            found.append(kind(each))
    return tuple(found)


# ---- the function


def c_function(name: str, signature: Signature, compiled: Any, block: np.dtype[Any]) -> ir.Module:
    """A module with a C function of this name that calls an entry's compiled kernel."""
    module = ir.Module(name)
    function = ir.Function(module, _function_type(signature), name)
    builder = ir.IRBuilder(function.append_basic_block())
    context, kernel = compiled.target_context, compiled.fndesc
    outside = _Outside(context, builder, signature, block)
    given = []
    if outside.tables is not None:
        given.append(builder.bitcast(outside.tables, context.get_value_type(kernel.argtypes[0])))
    for each, kind in zip(signature.parameters, kernel.argtypes[len(given) :], strict=True):
        given.append(
            outside.structure(each, kind) if isinstance(each, Structure) else outside.value(each, kind)
        )
    callee = context.declare_function(module, kernel)
    _, returned = context.call_conv.call_function(builder, callee, kernel.restype, kernel.argtypes, given)
    wanted = [numba.from_dtype(np.dtype(each)) for each in signature.returns]
    if len(wanted) == 1:
        builder.ret(context.cast(builder, returned, kernel.restype, wanted[0]))
        return module
    if wanted:
        found = cgutils.unpack_tuple(builder, returned)
        for value, had, want, address in zip(
            found, kernel.restype, wanted, function.args[-len(wanted) :], strict=True
        ):
            converted = context.cast(builder, value, had, want)
            builder.store(converted, builder.bitcast(address, converted.type.as_pointer()))
    builder.ret_void()
    return module


def _function_type(signature: Signature) -> Any:
    kinds = [_ADDRESS] * signature.has_tables
    kinds += [_ADDRESS if value.shape is not None else _number(value.type) for value in signature.values]
    kinds += [_INT64] * len(signature.lengths)
    if len(signature.returns) == 1:
        return ir.FunctionType(_number(signature.returns[0]), kinds)
    return ir.FunctionType(ir.VoidType(), kinds + [_ADDRESS] * len(signature.returns))


def _number(kind: str) -> Any:
    return ir.DoubleType() if kind == "float64" else _INT64


class _Outside:
    """The arguments of a C function, as the kernel takes them."""

    def __init__(self, context: Any, builder: Any, signature: Signature, block: np.dtype[Any]) -> None:
        self._context, self._builder, self._block = context, builder, block
        given = list(builder.function.args)
        self.tables = given.pop(0) if signature.has_tables else None
        names = [*(value.name for value in signature.values), *signature.lengths]
        self._given = dict(zip(names, given, strict=False))
        arrays = {value.name for value in signature.values if value.shape is not None}
        self._numbers = [name for name in names if name not in arrays]

    def value(self, value: Value, kind: Any) -> Any:
        """A number, or the array that begins at an address. (Numba's `carray` wants reference counts.)"""
        given, context, builder = self._given[value.name], self._context, self._builder
        if value.shape is None:
            return given
        sizes = [
            self._size(ast.parse(dimension(text, self._numbers), mode="eval").body) for text in value.shape
        ]
        array = make_array(kind)(context, builder)
        item = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
        strides = [item]
        for size in reversed(sizes[1:]):
            strides.insert(0, builder.mul(strides[0], size))
        data = builder.bitcast(given, array.data.type)
        populate_array(array, data=data, shape=sizes, strides=strides, itemsize=item, meminfo=None)
        return array._getvalue()

    def structure(self, structure: Structure, kind: _StructureType) -> Any:
        """The address of the structure, for as long as the C function runs."""
        builder = self._builder
        memory = cgutils.alloca_once(builder, kind.memory(self._context))
        for k, (value, inner) in enumerate(zip(structure.fields, kind.fields.values(), strict=True)):
            builder.store(self.value(value, inner), cgutils.gep_inbounds(builder, memory, 0, k))
        return builder.bitcast(memory, _ADDRESS)

    def _size(self, node: ast.expr) -> Any:
        """The value of a dimension."""
        match node:
            case ast.Constant(value):
                return ir.Constant(_INT64, value)
            case ast.Name(name):
                return self._given[name]
            case ast.Attribute(ast.Name("t"), name):
                assert self._block.fields is not None
                offset = ir.Constant(_INT64, self._block.fields[name][1])
                address = self._builder.gep(self.tables, [offset])
                return self._builder.load(self._builder.bitcast(address, _INT64.as_pointer()))
            case ast.BinOp(left, operator, right) if type(operator) in _OPERATORS:
                return _OPERATORS[type(operator)](self._builder, self._size(left), self._size(right))
        raise ValueError(f"{ast.unparse(node)!r} is no dimension: it may have numbers, names, +, - and *")
