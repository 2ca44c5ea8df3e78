"""A hash over all that a program is made of.

It names compiled programs, so an edit is never run against something stale. It covers the kernels that an entry
reaches, the constants they use, how entries are called, and what translates them; comments and docstrings of kernels,
and everything that a program does not reach, do not count. Every version of Python gives the same hash, since the
modules in the package were built by one of them.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from threading import Lock
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from snakeden.core.kernel import inlining
from snakeden.programs.abi import Entry
from snakeden.programs.contents import Part, contents
from snakeden.programs.folder import cache_folder
from snakeden.programs.kernel_text import text_of, without_docstrings
from snakeden.programs.link import is_kernel, specialised
from snakeden.programs.specification import Specification

_PACKAGE = Path(__file__).resolve().parent.parent
_LOOKING = Lock()
"""Held while kernels are looked at: Python 3.11 raises a SystemError where two threads parse at once."""
_TRANSLATORS = ("abi.py", "blocks.py", "c_functions.py", "frontend.py", "kernel_compiler.py", "link.py")


def source_hash(wanted: Specification, part: Part) -> str:
    """The hash of a part of a program. Looking at the kernels takes a while, so it is kept as long as no file of the
    package has changed."""
    name = f"{wanted.name}-{part}"
    with _LOOKING:
        file = cache_folder() / f"sources-{_unchanged()}.json"
        known: dict[str, str] = json.loads(file.read_text()) if file.exists() else {}
        if name not in known:
            known[name] = fingerprint(contents(wanted.game, part), wanted.constants)
            # Processes that were forked have all but their number in common.
            unfinished = file.with_suffix(f".{os.getpid()}")
            unfinished.write_text(json.dumps(known))
            unfinished.replace(file)
        return known[name]


@cache
def _unchanged() -> str:
    """A hash of when the package's files were last written."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        status = path.stat()
        digest.update(f"{path} {status.st_mtime_ns} {status.st_size}\0".encode())
    return digest.hexdigest()[:20]


def fingerprint(entries: Mapping[str, Entry], constants: Mapping[str, int]) -> str:
    """The hash of these entries, linked with these constants."""
    digest = hashlib.sha256(repr(sorted(constants.items())).encode())
    for name in _TRANSLATORS:
        digest.update((_PACKAGE / "programs" / name).read_bytes())
    seen: dict[FunctionType, str] = {}
    for name, entry in sorted(entries.items()):
        digest.update(f"{name} {entry.signature!r} {_meaning(entry.function, constants, seen)}".encode())
    return digest.hexdigest()[:20]


def _meaning(kernel: FunctionType, constants: Mapping[str, int], seen: dict[FunctionType, str]) -> str:
    """What a kernel says, and what the kernels it reaches say, each once."""
    if kernel in seen:
        return seen[kernel]
    seen[kernel] = f"kernel {len(seen)}"
    definition = without_docstrings(specialised(kernel, constants))
    cells = zip(
        kernel.__code__.co_freevars, (cell.cell_contents for cell in kernel.__closure__ or ()), strict=True
    )
    names = {**kernel.__globals__, **dict(cells)}
    parts = [seen[kernel], str(inlining(kernel)), text_of(definition)]
    for node in ast.walk(definition):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = names.get(node.value.id)
            if isinstance(module, ModuleType) and module.__name__.startswith("snakeden."):
                parts.append(_value(getattr(module, node.attr, None), constants, seen))
        elif isinstance(node, ast.Name) and node.id in names:
            parts.append(f"{node.id} {_value(names[node.id], constants, seen)}")
    return "\0".join(parts)


def _value(value: Any, constants: Mapping[str, int], seen: dict[FunctionType, str]) -> str:
    if is_kernel(value):
        return _meaning(value, constants, seen)
    if isinstance(value, type):
        return f"{value.__name__} {getattr(value, '_fields', '')}"
    if isinstance(value, ModuleType | FunctionType):
        return value.__name__
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {value.tobytes()!r}"
    # Whatever else a kernel names, such as the type in an annotation, does not end up in the program.
    return repr(value) if isinstance(value, int | float | str | tuple | np.generic) else ""
