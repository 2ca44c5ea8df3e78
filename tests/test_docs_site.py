"""The docs as one site: every link leads somewhere, and all that the reference lists has a docstring."""

from __future__ import annotations

import importlib
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
LISTED = re.findall(r"^::: ([\w.]+)$", (ROOT / "docs" / "reference.md").read_text(encoding="utf-8"), re.M)


def found(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        module, _, own = name.rpartition(".")
        return getattr(importlib.import_module(module), own)


def documented(name: str, thing: Any) -> Iterator[tuple[str, Any]]:
    """What stands on the page under this name: the thing, and the public things in it that are its own."""
    yield name, thing
    if inspect.ismodule(thing) or inspect.isclass(thing):
        home = thing.__name__ if inspect.ismodule(thing) else thing.__module__
        for own, value in vars(thing).items():
            value = getattr(value, "__func__", value)
            callable_here = inspect.isfunction(value) or inspect.isclass(value) or isinstance(value, property)
            where = getattr(value.fget if isinstance(value, property) else value, "__module__", None)
            if not own.startswith("_") and callable_here and where == home:
                yield from documented(f"{name}.{own}", value)


@pytest.mark.parametrize("name", LISTED)
def test_what_the_reference_lists_has_docstrings(name: str) -> None:
    missing = [place for place, thing in documented(name, found(name)) if not inspect.getdoc(thing)]
    assert missing == []


def test_the_site_is_built_without_a_warning() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "docs_site.py")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    page = (ROOT / "build" / "site" / "reference" / "index.html").read_text(encoding="utf-8")
    for name in LISTED:
        assert f'id="{name}"' in page
