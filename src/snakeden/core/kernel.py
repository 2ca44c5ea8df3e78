"""The decorator of every kernel: compiled by Numba, cached on disk, never against stale sources.

Numba checks the age of the file a function stands in, not of the files it calls into or takes constants from. So
the cache folder's name is a hash over all files with kernels in them and what they import of ours: an edit anywhere
among them starts a fresh folder.
"""

from __future__ import annotations

import atexit
import hashlib
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import config, event
from platformdirs import user_cache_path

_PACKAGE = Path(__file__).resolve().parent.parent
_KEPT_FOLDERS = 16


_IMPORT = re.compile(r"^ *from snakeden\.([\w.]+) import (.*)", re.MULTILINE)


def source_hash(package: Path = _PACKAGE) -> str:
    """A hash over every source file of the package that mentions the kernel decorator, over all that these import
    of the package, and Numba's version."""
    digest = hashlib.sha256(f"numba {numba.__version__} python {sys.version_info[:3]}".encode())
    sources = {path: path.read_text(encoding="utf-8") for path in package.rglob("*.py")}
    waiting = [path for path, source in sources.items() if "core.kernel" in source]
    reached = set(waiting)
    while waiting:
        for module, names in _IMPORT.findall(sources[waiting.pop()]):
            place = package.joinpath(*module.split("."))
            files = [place.with_suffix(".py"), place / "__init__.py"]
            files += [place / f"{name}.py" for name in re.findall(r"\w+", names)]
            new = {file for file in files if file in sources} - reached
            reached |= new
            waiting += new
    for path in sorted(reached):
        digest.update(f"{path.relative_to(package)}\0{sources[path]}".encode())
    return digest.hexdigest()[:20]


@cache
def cache_folder() -> Path:
    """Where compiled kernels of just these sources are kept; folders of older sources are removed."""
    root = user_cache_path("snakeden") / "kernels"
    folder = root / source_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.touch()
        with tempfile.TemporaryFile(dir=folder):
            pass  # Numba wants to write there
        old = sorted((p for p in root.iterdir() if p.is_dir()), key=lambda p: p.stat().st_mtime, reverse=True)
        for stale in old[_KEPT_FOLDERS:]:
            shutil.rmtree(stale, ignore_errors=True)
    except OSError:
        # Without a folder of its own a process compiles for itself: that costs time, nothing else.
        folder = Path(tempfile.mkdtemp(prefix="snakeden-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


class _SayCompiling(event.Listener):  # type: ignore[misc]
    """Says once per process, on the error stream, that kernels are being compiled."""

    said = False

    def on_start(self, event: Any) -> None:
        if not self.said:
            self.said = True
            print(
                "snakeden: compiling the rules for this machine; this happens once …",
                file=sys.stderr,
                flush=True,
            )

    def on_end(self, event: Any) -> None:
        pass


@cache
def _announce() -> None:
    event.register("numba:compile", _SayCompiling())


# Rules allocate nothing, so they need no reference counts; Numba's are atomic and dearer than the rules.
_RULES = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}
_DRIVER = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def _cached(function: Callable[..., Any], flags: dict[str, Any]) -> Any:
    _announce()
    ours, theirs = str(cache_folder()), config.CACHE_DIR
    config.CACHE_DIR = ours
    try:
        return numba.njit(cache=True, **flags)(function)
    finally:
        config.CACHE_DIR = theirs


def kernel(function: Callable[..., Any]) -> Any:
    """A rule that Python calls too: compiled when it is first called, for the argument types it is called with.
    It cannot allocate."""
    return _cached(function, _RULES)


def inner(function: Callable[..., Any]) -> Any:
    """A rule that only kernels call. It has no door to Python, which would take longer to compile than it does,
    and no cache of its own: it is part of what its callers keep. It cannot allocate."""
    return numba.njit(no_cpython_wrapper=True, forceinline=True, **_RULES)(function)


def routine(function: Callable[..., Any]) -> Any:
    """An `inner` rule that is long and called from several places. It is called, not copied to each of them,
    which would multiply the time it takes to compile. A call costs nanoseconds, more the more arrays it hands
    over. (Numba lets callees inherit `forceinline`, so it is refused in words.)"""
    return numba.njit(no_cpython_wrapper=True, forceinline=False, **_RULES)(function)


def driver(function: Callable[..., Any]) -> Any:
    """A loop around kernels, such as a search: compiled like a kernel, but free to allocate."""
    return _cached(function, _DRIVER)
