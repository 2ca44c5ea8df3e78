"""Numba as a translator of kernels, cut down to what kernels need.

Kernels allocate nothing and raise nothing, and nobody runs them here. So most of Numba's passes have nothing to do, a
function returns its value instead of a status, and LLVM's modules are only collected.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from llvmlite import ir
from numba.core import cgutils, codegen, types
from numba.core.callconv import BaseCallConv, Status
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager, _pass_registry
from numba.core.cpu import CPUContext
from numba.core.registry import cpu_target
from numba.core.typed_passes import (
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.types.functions import BaseFunction
from numba.core.untyped_passes import (
    DeadBranchPrune,
    FixupArgs,
    GenericRewrites,
    ReconstructSSA,
    RewriteSemanticConstants,
    TranslateByteCode,
)
from numba.np import arrayobj

from snakeden.programs.folder import checks_bounds

_METADATA = re.compile(r"!(\d+)")
_PASSES = (
    TranslateByteCode,
    FixupArgs,
    RewriteSemanticConstants,
    DeadBranchPrune,
    GenericRewrites,
    ReconstructSSA,
    NopythonTypeInference,
    PreLowerStripPhis,
    NativeLowering,
    NoPythonBackend,
)


class _Passes(PassManager):  # type: ignore[misc]
    """Runs passes and nothing else. Numba's also tells listeners of each, and describes all types to them in words."""

    def run(self, state: Any) -> None:
        for kind, _ in self.passes:
            each = _pass_registry.get(kind).pass_inst
            each.analysis = self._analysis
            each.run_pass(state)


class KernelCompiler(CompilerBase):  # type: ignore[misc]
    """The `pipeline_class` of kernels. Among the passes that it leaves out is the one that marks where variables end:
    without reference counts nothing has to be done there."""

    def define_pipelines(self) -> list[Any]:
        passes = _Passes("kernels")
        for each in _PASSES:
            passes.add_pass(each, each._name)
        passes.finalize()
        return [passes]


def _returns_by_address(function: Any) -> bool:
    return isinstance(function.ftype.return_type, ir.VoidType)


class _PlainCalls(BaseCallConv):  # type: ignore[misc]
    """The calling convention: arguments in, value out. Several values at once go to an address: as a
    structure they made the sampling of moves slower."""

    _fine = Status(
        ir.Constant(ir.IntType(32), 0), *[ir.Constant(ir.IntType(1), k) for k in (1, 0, 0, 0, 0, 0)], None
    )

    def get_function_type(self, result: Any, arguments: Any) -> Any:
        returned = self.context.data_model_manager[result].get_return_type()
        taken = list(self._get_arg_packer(arguments).argument_types)
        if isinstance(returned, ir.Aggregate):
            return ir.FunctionType(ir.VoidType(), [returned.as_pointer(), *taken])
        return ir.FunctionType(returned, taken)

    def call_function(self, builder: Any, callee: Any, result: Any, kinds: Any, arguments: Any) -> Any:
        given = list(self._get_arg_packer(kinds).as_arguments(builder, arguments))
        if _returns_by_address(callee):
            place = cgutils.alloca_once(builder, callee.args[0].type.pointee)
            builder.call(callee, [place, *given])
            value = builder.load(place)
        else:
            value = builder.call(callee, given)
        return self._fine, self.context.get_returned_value(builder, result, value)

    def return_value(self, builder: Any, value: Any) -> None:
        if _returns_by_address(builder.function):
            builder.store(value, builder.function.args[0])
            builder.ret_void()
        else:
            builder.ret(value)

    def return_user_exc(self, builder: Any, *_: Any, **__: Any) -> None:
        """Numba writes this where a step of zero would be refused, for example."""
        if _returns_by_address(builder.function):
            builder.ret_void()
        else:
            builder.ret(ir.Constant(builder.function.ftype.return_type, None))

    def return_status_propagate(self, builder: Any, status: Any) -> None:
        self.return_user_exc(builder)

    def get_arguments(self, function: Any) -> Any:
        return function.args[_returns_by_address(function) :]

    def decorate_function(self, function: Any, *_: Any, **__: Any) -> None:
        if _returns_by_address(function):
            function.args[0].add_attribute("noalias")

    def _make_call_helper(self, builder: Any) -> None:
        pass


class _Library(codegen.AOTCodeLibrary):  # type: ignore[misc]
    """Hands on what Numba wrote."""

    def add_ir_module(self, module: Any) -> None:
        self._codegen.modules.append(module)

    def finalize(self) -> None:
        self._finalized = True


class _Codegen(codegen.AOTCPUCodegen):  # type: ignore[misc]
    _library_class = _Library

    def __init__(self) -> None:
        super().__init__("snakeden")
        self.modules: list[ir.Module] = []


class _Context(CPUContext):  # type: ignore[misc]
    """Numba's description of its target."""

    allow_dynamic_globals = False

    @property
    def call_conv(self) -> Any:
        return _PlainCalls(self)

    def get_executable(self, library: Any, description: Any, environment: Any) -> Any:
        # Numba tells functions apart by what it would call: a new object each.
        return [].append

    def create_cfunc_wrapper(self, *_: Any, **__: Any) -> None:
        """Numba's own functions, such as `max`, ask for one."""

    def insert_user_function(self, function: Any, description: Any, libraries: Any = ()) -> None:
        def call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            callee = context.declare_function(builder.module, description)
            convention = context.call_conv
            return convention.call_function(
                builder, callee, description.restype, description.argtypes, arguments
            )[1]

        call.signature = description.argtypes  # type: ignore[attr-defined]
        self._defns[function].append(call, call.signature)  # type: ignore[attr-defined]

    def add_dynamic_addr(self, builder: Any, address: int, info: str) -> Any:
        """A kernel as a value is nothing: whoever calls it names it."""
        return ir.Constant(ir.IntType(8).as_pointer(), None)

    def get_abi_sizeof(self, kind: Any) -> int:
        return _size(kind, self.target_data)


@cache
def _size(kind: Any, layout: Any) -> int:
    """LLVM is asked by a text that it has to parse."""
    found: int = kind.get_abi_size(layout)
    return found


def collect_modules() -> list[ir.Module]:
    """Turns Numba of this process into a translator; the list to which it adds what it translates."""
    context, found = cpu_target.target_context, _Codegen()
    context.refresh()
    context.__class__ = _Context
    context._internal_codegen = found
    arrayobj.fix_integer_index = _index
    _remember_signatures()
    return found.modules


def _index(context: Any, builder: Any, kind: Any, value: Any, size: Any) -> Any:
    """An index as it is. Numba would ask whether it is negative, and kernels count from the front only."""
    found = context.cast(builder, value, kind, types.intp)
    if checks_bounds():
        with builder.if_then(builder.icmp_unsigned(">=", found, size), likely=False):
            trap = ir.FunctionType(ir.VoidType(), [])
            builder.call(cgutils.get_or_insert_function(builder.module, trap, "llvm.trap"), [])
    return found


def _remember_signatures() -> None:
    """Let Numba look up only once what an operator makes of operands of some types."""
    resolve = BaseFunction.get_call_type
    known: dict[Any, Any] = {}

    def get_call_type(function: Any, context: Any, arguments: tuple[Any, ...], keywords: Any) -> Any:
        key = function, arguments, tuple(keywords.items())
        if key not in known:
            known[key] = resolve(function, context, arguments, keywords)
        return known[key]

    BaseFunction.get_call_type = get_call_type  # type: ignore[assignment, method-assign]


def joined(modules: list[ir.Module]) -> str:
    """The modules as the text of one."""
    defined: dict[str, str] = {}
    declared: dict[str, str] = {}
    metadata: list[str] = []
    for module in modules:
        for name, value in module.globals.items():
            if getattr(value, "is_declaration", False):
                declared[name] = str(value)
            elif value.linkage == "internal":
                # A constant, which has the same name in every module.
                defined[f"{name} of {module.name}"] = _own(value, module, len(metadata))
            else:
                defined[name] = _own(value, module, len(metadata))
        metadata += [_own(each, module, len(metadata)) for each in module.metadata]
    first = modules[0]
    return "\n".join(
        [
            f'target triple = "{first.triple}"\ntarget datalayout = "{first.data_layout}"',
            *(text for name, text in declared.items() if name not in defined),
            *defined.values(),
            *metadata,
        ]
    )


def _own(value: Any, module: ir.Module, metadata: int) -> str:
    """The text of a module's value among those of other modules, which have so many metadata already."""
    text = str(value)
    if module.metadata:
        text = _METADATA.sub(lambda number: f"!{int(number[1]) + metadata}", text)
    for name, other in module.globals.items():
        if getattr(other, "linkage", "") == "internal":
            text = text.replace(f'@"{name}"', f'@"{name} of {module.name}"')
    return text
