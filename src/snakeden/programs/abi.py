"""The functions that a program offers to the world outside: their names, and what they take and return.

A signature is a line of text:

    sample(t, s: state[words], rng: uint64) -> uint64, int64

`t` is the block of tables and comes first wherever it is there. An array names its type and its shape; a dimension is a
number, a number of the tables, an integer parameter, or an expression of these; `?n` is a length that the array itself
tells, and `n` the same length elsewhere. `state` is the game's own type for positions. A parameter whose type is a
structure stands for the structure's fields, one after the other.

Outside, an array is the address of its first element and every whole number has 64 bits. Behind the parameters come
the lengths that arrays tell, and then, if more than one number is returned, the addresses where these are written.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any

_LINE = re.compile(r"(\w+)\((.*)\)(?: -> (.*))?")
_SPLIT = re.compile(r",\s*(?![^\[]*\])")
_SCALARS = ("int64", "uint64", "float64")


@dataclass(frozen=True)
class Value:
    """A number, or an array if it has a shape."""

    name: str
    type: str
    shape: tuple[str, ...] | None = None
    """One expression a dimension."""


@dataclass(frozen=True)
class Structure:
    """Several values handed over as one: a NamedTuple and its fields."""

    name: str
    type: type[Any]
    fields: tuple[Value, ...]


@dataclass(frozen=True)
class Signature:
    """What a function takes and returns."""

    name: str
    has_tables: bool
    parameters: tuple[Value | Structure, ...]
    """All but the tables."""
    returns: tuple[str, ...]

    @property
    def lengths(self) -> dict[str, tuple[int, int]]:
        """The lengths that arrays tell: which of `values` tells it, and on which axis."""
        found: dict[str, tuple[int, int]] = {}
        for k, value in enumerate(self.values):
            for axis, size in enumerate(value.shape or ()):
                if size.startswith("?"):
                    found.setdefault(size[1:], (k, axis))
        return found

    @property
    def values(self) -> tuple[Value, ...]:
        """The parameters with structures as their fields."""
        return tuple(
            value
            for each in self.parameters
            for value in (each.fields if isinstance(each, Structure) else (each,))
        )


@dataclass(frozen=True, eq=False)
class Entry:
    """A function of a program, and how it is called from outside."""

    signature: Signature
    function: FunctionType


Structures = Mapping[str, tuple[type[Any], str]]
"""By name: the NamedTuple, and its fields as in a signature."""


def signature(line: str, structures: Structures | None = None) -> Signature:
    """The signature that a line of text says."""
    match = _LINE.fullmatch(line.strip())
    if match is None:
        raise ValueError(
            f"{line!r} is no signature; one is for example 'legal(t, out: int32[most_moves]) -> int64'"
        )
    name, inside, outside = match.groups()
    texts = [part.strip() for part in _SPLIT.split(inside) if part.strip()]
    has_tables = texts[:1] == ["t"]
    parameters = tuple(_parameter(text, structures or {}) for text in texts[has_tables:])
    return Signature(name, has_tables, parameters, tuple(re.split(r",\s*", outside)) if outside else ())


def entries(
    lines: str, functions: Mapping[str, Any], structures: Structures | None = None
) -> dict[str, Entry]:
    """The functions of these names with their signatures, one a line."""
    found = (signature(line, structures) for line in lines.strip().splitlines())
    return {each.name: Entry(each, functions[each.name]) for each in found}


def _parameter(text: str, structures: Structures) -> Value | Structure:
    name, _, kind = (part.strip() for part in text.partition(":"))
    if kind in structures:
        made, fields = structures[kind]
        # Two structures of a kind may have different lengths.
        lengths = set(re.findall(r"\?(\w+)", fields))
        if lengths:
            fields = re.sub(rf"\b({'|'.join(lengths)})\b(?!:)", rf"{name}_\1", fields)
        parts = [_parameter(field, structures) for field in _SPLIT.split(fields)]
        return Structure(
            name,
            made,
            tuple(Value(f"{name}_{p.name}", p.type, p.shape) for p in parts if isinstance(p, Value)),
        )
    base, bracket, shape = kind.partition("[")
    if not bracket:
        if base not in _SCALARS:
            raise ValueError(f"{text!r}: a number is one of {', '.join(_SCALARS)}")
        return Value(name, base)
    return Value(name, base, tuple(part.strip() for part in shape.rstrip("]").split(",")))


def dimension(text: str, numbers: Iterable[str]) -> str:
    """A dimension as an expression over a block `t` and these integer parameters and lengths."""
    known = set(numbers)
    text = text.removeprefix("?")

    class Names(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return node if node.id in known else ast.Attribute(ast.Name("t"), node.id)

    return ast.unparse(Names().visit(ast.parse(text, mode="eval")))
