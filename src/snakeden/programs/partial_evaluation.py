"""Linking for one variant alone: what its tables decide is evaluated before anything is compiled.

A GPU's program has the numbers of its variant's tables in its code. Shifts by known distances, divisions by known
numbers and branches that a table decides cost it much less than those it has to look up. Loops marked `unrolled` are
written out, pass after pass, and kernels that are always inlined are copied for each set of known arguments.
"""

from __future__ import annotations

import ast
import pickle
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from snakeden.core.kernel import Inlining, inlining, unrolled
from snakeden.programs.link import Linker, Wrap, _made, is_kernel, specialised

_UNKNOWN: Any = object()
_LIMIT = 1 << 63
_WHOLE = (int, np.integer, np.bool_)
_ARITHMETIC: dict[type, Any] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
    ast.BitAnd: lambda a, b: a & b,
    ast.BitOr: lambda a, b: a | b,
    ast.BitXor: lambda a, b: a ^ b,
    ast.LShift: lambda a, b: a << b,
    ast.RShift: lambda a, b: a >> b,
}
_COMPARISON: dict[type, Any] = {
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}


class VariantLinker(Linker):
    """Links kernels for the program of one variant."""

    def __init__(self, tables: Any, wrap: Wrap, replaced: Mapping[FunctionType, FunctionType]) -> None:
        """`replaced` are kernels in whose place others are linked."""
        super().__init__({}, wrap)
        self.tables = tables
        self._replaced = replaced
        self._copies: dict[Any, Any] = {}

    def function(self, kernel: FunctionType) -> Any:
        """The linked copy of a kernel."""
        return self.copy(kernel, {})

    def copy(self, kernel: FunctionType, known: Mapping[str, Any]) -> Any:
        """The linked copy of a kernel for known arguments. Those that are numbers are no parameters of the copy. What
        is known of other names holds in the kernel itself and in kernels of modules that it calls."""
        kernel = self._replaced.get(kernel, kernel)
        key = kernel, *((name, _identity(value)) for name, value in sorted(known.items()))
        if key not in self._copies:
            self._copies[key] = self._linked_copy(kernel, known)
        return self._copies[key]

    def _linked_copy(self, kernel: FunctionType, known: Mapping[str, Any]) -> Any:
        free = zip(kernel.__code__.co_freevars, kernel.__closure__ or (), strict=True)
        cells = {name: cell.cell_contents for name, cell in free}
        evaluation = _Evaluation(self, kernel, {**kernel.__globals__, **cells}, known)
        definition = evaluation.visit(pickle.loads(_pickled(kernel)))
        parameters = definition.args
        parameters.args = [each for each in parameters.args if not _is_number(known.get(each.arg, _UNKNOWN))]
        names = {**kernel.__globals__, **evaluation.made}
        used = {node.id for node in ast.walk(definition) if isinstance(node, ast.Name)}
        for name in used & set(kernel.__globals__):
            names[name] = self._linked(names[name])
        linked = _made(
            kernel, definition, names, {name: self._linked(value) for name, value in cells.items()}
        )
        return self._wrap(linked, inlining(kernel) or Inlining.AUTO)

    def called(self, kernel: FunctionType) -> FunctionType:
        """The kernel that stands in this one's place."""
        return self._replaced.get(kernel, kernel)


def _identity(value: Any) -> Any:
    return id(value) if isinstance(value, np.ndarray | tuple) else (type(value), value)


def _is_always_inlined(called: Any) -> bool:
    return is_kernel(called) and inlining(called) is Inlining.ALWAYS


def _parameters(kernel: FunctionType) -> tuple[str, ...]:
    return kernel.__code__.co_varnames[: kernel.__code__.co_argcount]


def _is_number(value: Any) -> bool:
    return isinstance(value, _WHOLE)


@cache
def _definition(kernel: FunctionType) -> ast.FunctionDef:
    return specialised(kernel, {})


@cache
def _pickled(kernel: FunctionType) -> bytes:
    """The definition for making copies: `copy.deepcopy` takes several times as long."""
    return pickle.dumps(_definition(kernel))


@cache
def _stored(kernel: FunctionType) -> Counter[str]:
    """How often a kernel's text gives each of its names a value; parameters once already."""
    definition = _definition(kernel)
    found = Counter(each.arg for each in ast.walk(definition) if isinstance(each, ast.arg))
    for node in ast.walk(definition):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] += 1
    return found


class _Evaluation(ast.NodeTransformer):
    """Evaluates what is known of one kernel."""

    def __init__(
        self,
        linker: VariantLinker,
        kernel: FunctionType,
        names: Mapping[str, Any],
        known: Mapping[str, Any],
    ) -> None:
        self._linker, self._kernel, self._names, self._known = linker, kernel, names, dict(known)
        self._once: set[str] = set()
        self._said: dict[str, Any] = {}
        self._evaluated: dict[type, Callable[[Any], Any]] = {
            ast.Constant: self._literal,
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Tuple: self._tuple,
            ast.Subscript: self._element,
            ast.UnaryOp: self._unary,
            ast.BinOp: self._binary,
            ast.Compare: self._comparison,
            ast.BoolOp: self._boolean,
            ast.Call: self._conversion,
        }
        self.made: dict[str, Any] = {}
        """What the kernel names after its evaluation."""

    # ---- values

    def value(self, node: ast.AST) -> Any:
        """What an expression is, if that is known: a whole number, a table, or a tuple."""
        method = self._evaluated.get(type(node))
        return _UNKNOWN if method is None else method(node)

    def _values(self, nodes: list[ast.expr]) -> Any:
        found = [self.value(node) for node in nodes]
        return _UNKNOWN if any(value is _UNKNOWN for value in found) else found

    def _literal(self, node: ast.Constant) -> Any:
        return node.value if isinstance(node.value, int) else _UNKNOWN

    def _name(self, node: ast.Name) -> Any:
        if not isinstance(node.ctx, ast.Load):
            return _UNKNOWN
        if node.id in self._known:
            return self._known[node.id]
        found = _UNKNOWN if node.id in self._local else self._names.get(node.id, _UNKNOWN)
        return found if _is_number(found) else _UNKNOWN

    def _attribute(self, node: ast.Attribute) -> Any:
        if isinstance(node.value, ast.Name) and node.value.id == "t":
            found = getattr(self._linker.tables, node.attr)
            # Tables hold them as numbers.
            return int(found) if isinstance(found, bool) else found
        return _UNKNOWN

    def _tuple(self, node: ast.Tuple) -> Any:
        found = self._values(node.elts)
        return found if found is _UNKNOWN else tuple(found)

    def _element(self, node: ast.Subscript) -> Any:
        base, place = self.value(node.value), self.value(node.slice)
        if base is _UNKNOWN or place is _UNKNOWN:
            return _UNKNOWN
        try:
            found = base[place]
        except IndexError:
            # In a branch for wider sets, which Numba leaves out.
            return _UNKNOWN
        return found if _is_number(found) else _UNKNOWN

    def _unary(self, node: ast.UnaryOp) -> Any:
        operand = self.value(node.operand)
        if not _is_number(operand):
            return _UNKNOWN
        if isinstance(node.op, ast.Not):
            return not operand
        if isinstance(node.op, ast.USub) and not isinstance(operand, np.unsignedinteger):
            return -int(operand)
        return _UNKNOWN

    def _binary(self, node: ast.BinOp) -> Any:
        a, b = self.value(node.left), self.value(node.right)
        work = _ARITHMETIC.get(type(node.op))
        if work is None or not _is_number(a) or not _is_number(b):
            return _UNKNOWN
        unsigned = isinstance(a, np.unsignedinteger), isinstance(b, np.unsignedinteger)
        if all(unsigned) and type(a) is type(b):
            with np.errstate(over="ignore"):
                return work(a, b)
        if any(unsigned) or (isinstance(node.op, ast.FloorDiv | ast.Mod) and b == 0):
            return _UNKNOWN
        found = work(int(a), int(b))
        return found if -_LIMIT <= found < _LIMIT else _UNKNOWN

    def _comparison(self, node: ast.Compare) -> Any:
        found = self._values([node.left, *node.comparators])
        if found is _UNKNOWN or not all(map(_is_number, found)):
            return _UNKNOWN
        pairs = zip(node.ops, found, found[1:], strict=False)
        return all(_COMPARISON[type(op)](int(a), int(b)) for op, a, b in pairs)

    def _boolean(self, node: ast.BoolOp) -> Any:
        deciding = isinstance(node.op, ast.Or)
        found = [self.value(value) for value in node.values]
        # What stands before it has no effects.
        if any(_is_number(value) and bool(value) == deciding for value in found):
            return deciding
        return not deciding if all(map(_is_number, found)) else _UNKNOWN

    def _conversion(self, node: ast.Call) -> Any:
        """Of a conversion."""
        function, numbers = node.func, self._values(node.args)
        if not isinstance(function, ast.Attribute) or numbers is _UNKNOWN or len(numbers) != 1:
            return _UNKNOWN
        if not isinstance(function.value, ast.Name) or self._names.get(function.value.id) is not np:
            return _UNKNOWN
        if not _is_number(numbers[0]):
            return _UNKNOWN
        if function.attr == "int64":
            return int(np.array(int(numbers[0]) & (2 * _LIMIT - 1), np.uint64).astype(np.int64))
        return np.uint64(int(numbers[0]) & (2 * _LIMIT - 1)) if function.attr == "uint64" else _UNKNOWN

    # ---- writing

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.expr) and not isinstance(node, ast.Constant):
            found = self.value(node)
            if _is_number(found):
                return ast.copy_location(self._written(found), node)
        return super().visit(node)

    def _written(self, value: Any) -> ast.expr:
        if isinstance(value, int):
            return ast.Constant(value)
        return self._named(f"fixed_{type(value).__name__}_{value}".replace("-", "m"), value)

    def _named(self, name: str, value: Any) -> ast.expr:
        assert self.made.setdefault(name, value) is value or self.made[name] == value
        return ast.Name(name, ast.Load())

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        stored = _stored(self._kernel)
        self._local = set(stored)
        self._said = {name: value for name, value in self._known.items() if name not in stored}
        self._once = {name for name, times in stored.items() if times == 1}
        node.body = self._visited(node.body)
        return node

    def _visited(self, body: list[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in body:
            new = self.visit(statement)
            found += new if isinstance(new, list) else [new]
            if isinstance(found[-1], ast.Return):
                break
        return found or [ast.Pass()]

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        target = node.targets[0]
        if isinstance(target, ast.Name) and target.id in self._once:
            value = self.value(node.value)
            if _is_number(value):
                self._known[target.id] = value
        return node

    def visit_If(self, node: ast.If) -> Any:
        test = self.value(node.test)
        if _is_number(test):
            return self._visited(node.body if test else node.orelse)
        node.test = self.visit(node.test)
        node.body = self._visited(node.body)
        node.orelse = self._visited(node.orelse) if node.orelse else []
        return node

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        test = self.value(node.test)
        if _is_number(test):
            return self.visit(node.body if test else node.orelse)
        return self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        rest = [self.visit(value) for value in node.values if not _is_number(self.value(value))]
        return rest[0] if len(rest) == 1 else ast.copy_location(ast.BoolOp(node.op, rest), node)

    def visit_For(self, node: ast.For) -> Any:
        passes = self._passes(node.iter)
        if passes is None:
            return self.generic_visit(node)
        assert isinstance(node.target, ast.Name)
        found: list[ast.stmt] = []
        body = pickle.dumps(node.body)
        for number in passes:
            self._known[node.target.id] = number
            found += self._visited(pickle.loads(body))
        return found or [ast.Pass()]

    def _passes(self, node: ast.expr) -> Any:
        """The numbers that an unrolled loop goes through; None for other loops."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            return None
        if self._names.get(node.func.id) is not unrolled:
            return None
        inner = node.args[0]
        if isinstance(inner, ast.Call):
            limits = self._values(inner.args)
            assert limits is not _UNKNOWN, (
                f"the limits of an unrolled loop must be known: {ast.unparse(inner)}"
            )
            return range(*map(int, limits))
        numbers = self.value(inner)
        assert numbers is not _UNKNOWN, f"the numbers of an unrolled loop must be known: {ast.unparse(inner)}"
        return numbers

    def visit_Call(self, node: ast.Call) -> Any:
        function = node.func
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            called = getattr(self._names.get(function.value.id), function.attr, None)
            known = self._said if is_kernel(called) else {}
        else:
            called = self._names.get(function.id) if isinstance(function, ast.Name) else None
            known = self._known_arguments(called, node.args) if _is_always_inlined(called) else {}
        if not any(map(_is_number, known.values())):
            return self.generic_visit(node)
        assert isinstance(called, FunctionType)
        rest = zip(_parameters(called), node.args, strict=True)
        node.args = [self.visit(each) for name, each in rest if not _is_number(known.get(name, _UNKNOWN))]
        node.func = self._named(f"{called.__name__}_{len(self.made)}", self._linker.copy(called, known))
        return node

    def _known_arguments(self, called: Any, arguments: list[ast.expr]) -> dict[str, Any]:
        """The arguments that a copy of a kernel is made for: what decides something of the tables."""
        called = self._linker.called(called)
        parameters, stored = _parameters(called), _stored(called)
        known = {}
        for name, argument in zip(parameters, arguments, strict=True):
            value = self.value(argument)
            if value is _UNKNOWN or stored[name] > 1:
                continue
            # Kernels are compiled once for all signed whole numbers.
            is_signed = _is_number(value) and not isinstance(value, np.unsignedinteger)
            known[name] = int(value) if is_signed else value
        tables = parameters[0] == "t" or any(isinstance(value, np.ndarray) for value in known.values())
        return known if tables else {}
