"""Which sources a program is made of, and a hash over what they say.

The hash names compiled programs, so an edit is never run against something stale. Comments and docstrings do not count.
"""

from __future__ import annotations

import ast
import hashlib
import re
from functools import cache
from pathlib import Path

from snakeden.core.game import Game
from snakeden.programs.contents import CONTENTS, Part

PACKAGE = Path(__file__).resolve().parent.parent
_IMPORT = re.compile(r"^ *from snakeden\.([\w.]+) import (\([^)]*\)|.*)", re.MULTILINE)


@cache
def source_hash(game: Game, part: Part) -> str:
    """A hash over the kernels of a part of a game's program, all that they import of the package, and the compiler
    here."""
    return hash_of(game, part, PACKAGE)


def hash_of(game: Game, part: Part, package: Path) -> str:
    """The same for the package in another folder."""
    folder = package.joinpath(*game.package.split(".")[1:], "kernels")
    waiting = [*folder.glob("*.py"), *(package / "programs").glob("*.py")]
    places = [place.partition(":")[0].split(".")[1:] for place in CONTENTS[part]]
    waiting += [package.joinpath(*place).with_suffix(".py") for place in places]
    reached = set(waiting)
    while waiting:
        for module, names in _IMPORT.findall(waiting.pop().read_text(encoding="utf-8")):
            place = package.joinpath(*module.split("."))
            files = [place.with_suffix(".py"), place / "__init__.py"]
            files += [place / f"{name}.py" for name in re.findall(r"\w+", names)]
            new = {file for file in files if file.is_file()} - reached
            reached |= new
            waiting += new
    digest = hashlib.sha256()
    for path in sorted(reached):
        digest.update(f"{path.relative_to(package).as_posix()}\0{_meaning(path)}\0".encode())
    return digest.hexdigest()[:20]


@cache
def _said(path: Path, changed: int) -> str:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            # Docstrings of modules, classes and functions, and those below fields.
            node.body = [s for s in body if not _is_text(s)] or [ast.Pass()]  # type: ignore[attr-defined]
    return ast.dump(tree)


def _meaning(path: Path) -> str:
    return _said(path, path.stat().st_mtime_ns)


def _is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
