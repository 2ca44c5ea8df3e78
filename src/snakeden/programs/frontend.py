"""From linked kernels to one LLVM module, by Numba, and not yet for any machine in particular.

Numba optimises every function by itself, with all that it calls, again and again. Here it only translates: its
libraries are collected as they are, joined once, and left to the target to optimise. A process that does this can run
nothing that Numba compiles, so programs are compiled in processes of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, codegen
from numba.core.imputils import impl_ret_borrowed, lower_getattr_generic
from numba.core.registry import cpu_target
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import intrinsic, models, register_model
from numba.np.arrayobj import make_array, populate_array

from snakeden.core.kernel import Inlining
from snakeden.programs.abi import Entry, Signature, Structure, Value, dimension
from snakeden.programs.link import Linker

# Kernels allocate nothing, so they need no reference counts; Numba's are atomic and dearer than the rules.
_FLAGS = {
    "nogil": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    "no_cpython_wrapper": True,
    "_nrt": False,
}
_FORCED = {Inlining.ALWAYS: True, Inlining.NEVER: False, Inlining.AUTO: False}
_LLVM_TYPES = {"int64": "i64", "uint64": "i64", "float64": "double"}


class _Library(codegen.AOTCodeLibrary):  # type: ignore[misc]
    """A library that is kept as Numba wrote it."""

    def _optimize_functions(self, ll_module: Any) -> None:
        pass

    def finalize(self) -> None:
        self._finalized = True
        self._codegen.modules.append(self._final_module)


class _Codegen(codegen.AOTCPUCodegen):  # type: ignore[misc]
    _library_class = _Library

    def __init__(self) -> None:
        super().__init__("snakeden")
        self.modules: list[Any] = []


def _collector() -> _Codegen:
    """Turns Numba of this process into a translator."""
    context, found = cpu_target.target_context, _Codegen()
    context._internal_codegen = found
    # Numba tells functions apart by what it would call: a new object each.
    context.get_executable = lambda library, fndesc, env: [].append
    return found


def _wrap(function: FunctionType, inlining: Inlining) -> Any:
    """A kernel for other kernels to call. It is translated once for all signed whole numbers, literal ones too: Numba
    would translate it again for every literal and every width."""
    made = numba.njit(**_FLAGS, forceinline=_FORCED[inlining])(function)
    template = made.get_call_template

    def widened(arguments: tuple[Any, ...], keywords: Any) -> Any:
        return template(tuple(map(_widened, arguments)), keywords)

    made.get_call_template = widened
    return made


def _widened(kind: Any) -> Any:
    plain = types.unliteral(kind)
    return types.int64 if isinstance(plain, types.Integer) and plain.signed else plain


class Translator:
    """Collects programs into one LLVM module, with a C function for each of their entries."""

    def __init__(self) -> None:
        self._collector = _collector()
        self._doors: list[str] = []
        self.names: list[str] = []
        """The C functions."""

    def add(
        self,
        entries: Mapping[str, Entry],
        block: np.dtype[Any],
        state: np.dtype[Any],
        constants: Mapping[str, int | bool],
        rename: Callable[[str], str] = str,
    ) -> None:
        """Add a program; its entries are called `rename(name)`."""
        linker = Linker(constants, _wrap)
        for name, entry in entries.items():
            compiled = numba.njit(**_FLAGS)(_door(entry.signature, linker.function(entry.function)))
            arguments = _argument_types(entry.signature, block, state)
            compiled.compile(arguments)
            result = compiled.overloads[arguments]
            result.library.finalize()
            self._doors.append(_c_function(rename(name), result.fndesc.llvm_func_name, entry.signature))
            self.names.append(rename(name))

    def module(self) -> Any:
        """The module; all but the C functions is internal to it."""
        module = self._collector.modules[0].clone()
        for other in self._collector.modules[1:]:
            module.link_in(other)
        module.link_in(llvm.parse_assembly(f'target triple = "{module.triple}"\n' + "\n".join(self._doors)))
        for function in module.functions:
            if not function.is_declaration and function.name not in self.names:
                function.linkage = "internal"
        for variable in module.global_variables:
            if variable.linkage == llvm.Linkage.common:
                variable.linkage = "internal"
        return module


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
        super().__init__(manager, kind, ir.IntType(8).as_pointer())


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


def _maker(made: type[Any]) -> Any:
    """A function for doors: a tuple of values -> the structure of them, for as long as the door is open."""

    @intrinsic  # type: ignore[untyped-decorator]
    def make(typing: Any, values: Any) -> Any:
        structure = _StructureType(made.__name__, dict(zip(made._fields, values, strict=True)))

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            memory = cgutils.alloca_once(builder, structure.memory(context))
            for k, value in enumerate(cgutils.unpack_tuple(builder, arguments[0])):
                builder.store(value, cgutils.gep_inbounds(builder, memory, 0, k))
            return builder.bitcast(memory, ir.IntType(8).as_pointer())

        return structure(values), build

    return make


# ---- the door of an entry: addresses outside, arrays inside


@intrinsic  # type: ignore[untyped-decorator]
def array_at(typing: Any, address: Any, shape: Any) -> Any:
    """The array of this shape that begins at an address. (Numba's `carray` wants reference counts.)"""
    made = types.Array(address.dtype, len(shape), "C")

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data, sizes = arguments[0], cgutils.unpack_tuple(builder, arguments[1])
        array = make_array(made)(context, builder)
        item = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(address.dtype)))
        strides = [item]
        for size in reversed(sizes[1:]):
            strides.insert(0, builder.mul(strides[0], size))
        populate_array(array, data=data, shape=sizes, strides=strides, itemsize=item, meminfo=None)
        return array._getvalue()

    return made(address, types.UniTuple(types.intp, len(shape))), build


def _door(signature: Signature, function: Any) -> FunctionType:
    """A function of addresses and numbers that calls the linked kernel with arrays."""
    names: dict[str, Any] = {"array_at": array_at, "call": function}
    numbers = [*(value.name for value in signature.values if value.shape is None), *signature.lengths]
    parameters = ["t_"] * signature.has_tables + [value.name for value in signature.values]
    parameters += signature.lengths
    results = [f"result_{k}" for k in range(len(signature.returns))] if len(signature.returns) > 1 else []
    lines = [f"def door({', '.join([*parameters, *results])}):"]
    if signature.has_tables:
        lines.append("    t = array_at(t_, (1,))[0]")
    given = ["t"] if signature.has_tables else []
    for parameter in signature.parameters:
        if isinstance(parameter, Structure):
            names[f"make_{parameter.name}"] = _maker(parameter.type)
            fields = ", ".join(_inside(field, numbers) for field in parameter.fields)
            given.append(f"make_{parameter.name}(({fields}))")
        else:
            given.append(_inside(parameter, numbers))
    lines.append(f"    returned = call({', '.join(given)})")
    lines += [f"    array_at({result}, (1,))[0] = returned[{k}]" for k, result in enumerate(results)]
    if len(signature.returns) == 1:
        lines.append("    return returned")
    exec("\n".join(lines), names)
    made = names["door"]
    assert isinstance(made, FunctionType)
    made.__module__ = "snakeden.programs.door"
    made.__qualname__ = signature.name
    return made


def _inside(value: Value, numbers: list[str]) -> str:
    """A parameter as the kernel takes it."""
    if value.shape is None:
        return value.name
    shape = "".join(f"{dimension(size, numbers)}, " for size in value.shape)
    return f"array_at({value.name}, ({shape}))"


def _argument_types(
    signature: Signature, block: np.dtype[Any] | None, state: np.dtype[Any]
) -> tuple[Any, ...]:
    found: list[Any] = []
    if signature.has_tables:
        found.append(types.CPointer(numba.from_dtype(block)))
    for value in signature.values:
        kind = numba.from_dtype(state if value.type == "state" else np.dtype(value.type))
        found.append(kind if value.shape is None else types.CPointer(kind))
    found += [types.int64] * len(signature.lengths)
    if len(signature.returns) > 1:
        found += [types.CPointer(numba.from_dtype(np.dtype(each))) for each in signature.returns]
    return tuple(found)


def _c_function(name: str, inner: str, signature: Signature) -> str:
    """LLVM's text of a C function that calls one with Numba's calling convention."""
    kinds = ["ptr"] * signature.has_tables
    kinds += ["ptr" if value.shape is not None else _LLVM_TYPES[value.type] for value in signature.values]
    kinds += ["i64"] * len(signature.lengths)
    several = len(signature.returns) > 1
    kinds += ["ptr"] * (len(signature.returns) if several else 0)
    result = _LLVM_TYPES[signature.returns[0]] if len(signature.returns) == 1 else None
    parameters = ", ".join(f"{kind} %a{k}" for k, kind in enumerate(kinds))
    handed = ", ".join(["ptr %result", "ptr %error", *(f"{kind} %a{k}" for k, kind in enumerate(kinds))])
    declared = ", ".join(["ptr", "ptr", *kinds])
    return "\n".join(
        [
            f'declare i32 @"{inner}"({declared})',
            f"define {result or 'void'} @{name}({parameters}) {{",
            f"  %result = alloca {result or 'ptr'}",
            "  %error = alloca ptr",
            f'  %status = call i32 @"{inner}"({handed})',
            f"  %value = load {result}, ptr %result\n  ret {result} %value" if result else "  ret void",
            "}",
        ]
    )
