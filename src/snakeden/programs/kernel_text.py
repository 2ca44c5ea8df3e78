"""What a kernel says, as a text: without comments and docstrings, and the same in every version of Python.

It is source text and not bytecode or a dump of the syntax tree, as these differ between versions. Only the standard
library is used here, so that a test can ask other versions for the same text.
"""

from __future__ import annotations

import ast
from typing import Any


def text_of(tree: ast.AST) -> str:
    """The source of a tree."""
    return ast.unparse(tree)


def without_docstrings(tree: Any) -> Any:
    """The tree without docstrings of modules, classes and functions, and without those below fields."""
    node: Any
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [statement for statement in body if not _is_docstring(statement)] or [ast.Pass()]
    return tree


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
