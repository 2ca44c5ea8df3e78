"""`import snakeden`, the list of games and the help load nothing heavy."""

from __future__ import annotations

import subprocess
import sys

import pytest

import snakeden

HEAVY = ("numba", "numpy", "rich", "prompt_toolkit", "PIL", "sqlalchemy", "starlette", "hypothesis")


@pytest.mark.parametrize(
    "code",
    [
        "import snakeden",
        "import snakeden; snakeden.games()['snekagon'].options",
        "import snakeden.cli, contextlib, io\n"
        "with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):\n"
        "    snakeden.cli.main(['--help'])",
    ],
)
def test_nothing_heavy_is_loaded(code: str) -> None:
    script = f"{code}\nimport sys\nprint(*sorted(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_every_public_name_is_there() -> None:
    assert set(dir(snakeden)) == set(snakeden.__all__)
    for name in snakeden.__all__:
        assert getattr(snakeden, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        snakeden.nothing  # noqa: B018
