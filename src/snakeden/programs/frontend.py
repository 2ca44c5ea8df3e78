"""From linked kernels to one LLVM module, by Numba, and not yet for any machine in particular.

Numba optimises every function by itself, with all that it calls, again and again. Here it only translates: what it
writes is collected, joined once, and left to the target to optimise. A process that does this can run nothing that
Numba compiles, so programs are compiled in processes of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numba import types

from snakeden.core.kernel import Inlining
from snakeden.programs.abi import Entry
from snakeden.programs.c_functions import argument_types, c_function
from snakeden.programs.kernel_compiler import KernelCompiler, collect_modules, joined
from snakeden.programs.link import Linker

# Kernels allocate nothing, so they need no reference counts; Numba's are atomic and dearer than the rules.
_FLAGS = {
    "nogil": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    "no_cpython_wrapper": True,
    "_nrt": False,
    "pipeline_class": KernelCompiler,
}


class _Widened:
    """A kernel's template for calls, looked up once for each kind of arguments."""

    def __init__(self, template: Callable[..., Any]) -> None:
        self._template = template
        self._known: dict[tuple[Any, ...], Any] = {}

    def __call__(self, arguments: tuple[Any, ...], keywords: Any) -> Any:
        key = tuple(map(_widened, arguments)), tuple(keywords.items())
        if key not in self._known:
            self._known[key] = self._template(key[0], keywords)
        return self._known[key]


def _widened(kind: Any) -> Any:
    plain = types.unliteral(kind)
    return types.int64 if isinstance(plain, types.Integer) and plain.signed else plain


class Translator:
    """Collects programs into one LLVM module, with a C function for each of their entries."""

    def __init__(self) -> None:
        self._modules = collect_modules()
        self._apart: list[Any] = []
        """The kernels that are never inlined."""
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
        linker = Linker(constants, self._wrap)
        for name, entry in entries.items():
            kernel = linker.function(entry.function)
            arguments = argument_types(entry.signature, block, state)
            kernel.compile(arguments)
            compiled = kernel.overloads[arguments]
            self._modules.append(c_function(rename(name), entry.signature, compiled, block))
            self.names.append(rename(name))

    def _wrap(self, function: FunctionType, inlining: Inlining) -> Any:
        """A kernel for other kernels to call. It is translated once for all signed whole numbers, literal ones too:
        Numba would translate it again for every literal and every width."""
        made = numba.njit(**_FLAGS, forceinline=inlining is Inlining.ALWAYS)(function)
        made.get_call_template = _Widened(made.get_call_template)
        if inlining is Inlining.NEVER:
            self._apart.append(made)
        return made

    def module(self) -> Any:
        """The module; all but the C functions is internal to it."""
        module = llvm.parse_assembly(joined(self._modules))
        for kernel in self._apart:
            for compiled in kernel.overloads.values():
                module.get_function(compiled.fndesc.llvm_func_name).add_function_attribute("noinline")
        for function in module.functions:
            if not function.is_declaration and function.name not in self.names:
                function.linkage = "internal"
        for variable in module.global_variables:
            if variable.linkage == llvm.Linkage.common:
                variable.linkage = "internal"
        return module
