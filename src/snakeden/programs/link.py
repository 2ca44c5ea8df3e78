"""Linking: kernels, which are plain functions, become the functions of one program.

A linked kernel is a copy of the plain one. It calls the linked copies of the kernels that it names, and where it reads
a table's number that the program fixes (`t.floors`), that number stands in its code. Branches which the fixed numbers
decide are left out, so that they are not compiled.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType
from typing import Any

from snakeden.core.kernel import Inlining, inlining

Wrap = Callable[[FunctionType, Inlining], Any]
"""Makes of a linked copy what the other copies call: for Numba a dispatcher."""


class Linker:
    """Links kernels for one program: each kernel once."""

    def __init__(self, constants: Mapping[str, int | bool], wrap: Wrap) -> None:
        self._constants = constants
        self._wrap = wrap
        self._functions: dict[FunctionType, Any] = {}
        self._modules: dict[ModuleType, ModuleType] = {}

    def function(self, kernel: FunctionType) -> Any:
        """The linked copy of a kernel."""
        if kernel not in self._functions:
            definition = specialised(kernel, self._constants)
            names = dict(kernel.__globals__)
            for node in ast.walk(definition):
                if isinstance(node, ast.Name) and node.id in names:
                    names[node.id] = self._linked(names[node.id])
            cells = {
                name: self._linked(cell.cell_contents)
                for name, cell in zip(kernel.__code__.co_freevars, kernel.__closure__ or (), strict=True)
            }
            copy = _made(kernel, definition, names, cells)
            self._functions[kernel] = self._wrap(copy, inlining(kernel) or Inlining.AUTO)
        return self._functions[kernel]

    def module(self, module: ModuleType) -> ModuleType:
        """The module with linked copies of its kernels, all else as it is."""
        if module not in self._modules:
            linked = self._modules[module] = ModuleType(module.__name__)
            for name, value in vars(module).items():
                setattr(linked, name, self.function(value) if is_kernel(value) else value)
        return self._modules[module]

    def _linked(self, value: Any) -> Any:
        if is_kernel(value):
            return self.function(value)
        if isinstance(value, ModuleType) and any(map(is_kernel, vars(value).values())):
            return self.module(value)
        return value


def is_kernel(value: object) -> bool:
    return isinstance(value, FunctionType) and inlining(value) is not None


def specialised(kernel: FunctionType, constants: Mapping[str, int | bool]) -> ast.FunctionDef:
    """The kernel's definition, in which `t.name` is the constant of this name."""
    lines, first = inspect.getsourcelines(kernel)
    tree = ast.parse(textwrap.dedent("".join(lines)))
    ast.increment_lineno(tree, first - 1)
    definition = _Fixed(constants).visit(tree.body[0])
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []
    return definition


def _made(
    kernel: FunctionType, definition: ast.FunctionDef, names: dict[str, Any], cells: dict[str, Any]
) -> FunctionType:
    """The function of this definition. Its globals are `names`, and it closes over `cells`."""
    # A function that closes over values is made inside one that is handed them.
    outer = ast.parse(f"def _({', '.join(cells)}):\n    pass\n    return {kernel.__name__}").body[0]
    assert isinstance(outer, ast.FunctionDef)
    outer.body[0] = definition
    module = ast.fix_missing_locations(ast.Module([outer], []))
    exec(compile(module, kernel.__code__.co_filename, "exec"), names)
    copy = names.pop("_")(**cells)
    assert isinstance(copy, FunctionType)
    copy.__qualname__, copy.__module__ = kernel.__qualname__, kernel.__module__
    return copy


class _Fixed(ast.NodeTransformer):
    """Writes constants for numbers of the tables `t`, and leaves out branches that they decide."""

    def __init__(self, constants: Mapping[str, int | bool]) -> None:
        self._constants = constants

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id == "t" and node.attr in self._constants:
            return ast.copy_location(ast.Constant(self._constants[node.attr]), node)
        self.generic_visit(node)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        return _folded(node, (node.left, *node.comparators))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        return _folded(node, (node.operand,))

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        deciding = isinstance(node.op, ast.Or)
        rest = []
        for value in node.values:
            if not isinstance(value, ast.Constant):
                rest.append(value)
            elif bool(value.value) == deciding:
                # What stands before it has no effects.
                return ast.copy_location(ast.Constant(deciding), node)
        if not rest:
            return ast.copy_location(ast.Constant(not deciding), node)
        return rest[0] if len(rest) == 1 else ast.copy_location(ast.BoolOp(node.op, rest), node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node

    def visit_If(self, node: ast.If) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return (node.body if node.test.value else node.orelse) or [ast.copy_location(ast.Pass(), node)]
        return node


def _folded(node: ast.expr, operands: tuple[ast.expr, ...]) -> ast.expr:
    """The node's value if its operands are constants, else the node."""
    if not all(isinstance(operand, ast.Constant) for operand in operands):
        return node
    value = eval(compile(ast.fix_missing_locations(ast.Expression(node)), "<constants>", "eval"))
    return ast.copy_location(ast.Constant(value), node)
