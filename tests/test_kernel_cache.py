"""Compiled kernels are kept on disk, said to be compiling when they are not there, and never used when stale."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import snakeden
from snakeden.core.kernel import source_hash

BATCHES = """
import snakeden
for legal in ("mask", "list"):
    batch = snakeden.batch("snekagon", 2, seed=1, legal=legal, side=3)
    batch.step(batch.sample())
    batch.observe()
"""
PROBE = """
from snakeden.core.kernel import kernel
from snakeden.core.rng import bits
import numpy as np

@kernel
def probe(x):
    return bits(x)[1]

if __name__ == "__main__":
    print(int(probe(np.uint64(1))))
"""


def _run(package: Path, cache: Path) -> tuple[int, bool]:
    """(what the probe says, whether it spoke of compiling)."""
    done = subprocess.run(
        [sys.executable, "-m", "snakeden.core.probe"],
        env={**os.environ, "PYTHONPATH": str(package), "XDG_CACHE_HOME": str(cache), "HOME": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout), "compiling" in done.stderr


def test_an_edit_in_another_file_is_noticed(tmp_path: Path) -> None:
    package = tmp_path / "src"
    shutil.copytree(Path(snakeden.__file__).parent, package / "snakeden")
    (package / "snakeden/core/probe.py").write_text(PROBE)
    cache = tmp_path / "cache"
    first, cold = _run(package, cache)
    assert cold
    again, compiled = _run(package, cache)
    assert again == first
    assert not compiled, "the second run found what the first compiled"

    called = package / "snakeden/core/rng.py"
    text = called.read_text()
    assert "0x9E3779B97F4A7C15" in text
    called.write_text(text.replace("0x9E3779B97F4A7C15", "0x9E3779B97F4A7C17"))
    changed, compiled = _run(package, cache)
    assert compiled
    assert changed != first
    called.write_text(text)
    assert _run(package, cache) == (first, False)


def test_the_cache_minds_constants_too_and_nothing_that_kernels_do_not_use(tmp_path: Path) -> None:
    package = tmp_path / "snakeden"
    shutil.copytree(
        Path(snakeden.__file__).parent, package, ignore=shutil.ignore_patterns("web", "__pycache__")
    )
    before = source_hash(package)
    for file, matters in (
        ("games/schlangennest/layout.py", True),
        ("games/schlangennest/cards.py", True),
        ("games/snakey_dice/maps.py", True),
        ("games/schlangennest/view.py", False),
        ("cli/play.py", False),
    ):
        text = (package / file).read_text(encoding="utf-8")
        (package / file).write_text(text + "\nMORE = 1\n", encoding="utf-8")
        assert (source_hash(package) != before) == matters, file
        (package / file).write_text(text, encoding="utf-8")
    assert source_hash(package) == before


def test_where_nothing_can_be_kept_kernels_run_all_the_same(tmp_path: Path) -> None:
    package = tmp_path / "src"
    shutil.copytree(Path(snakeden.__file__).parent, package / "snakeden")
    (package / "snakeden/core/probe.py").write_text(PROBE)
    no_folder = tmp_path / "file"
    no_folder.write_text("in the way")
    first, compiled = _run(package, no_folder)
    assert compiled
    assert _run(package, tmp_path / "cache")[0] == first
    assert not list(package.rglob("*.nbi")), "nothing is kept where an edit would not be noticed"


def test_what_one_process_compiles_for_batches_no_other_compiles_again() -> None:
    first, second = (
        subprocess.run([sys.executable, "-c", BATCHES], capture_output=True, text=True) for _ in range(2)
    )
    assert first.returncode == 0, first.stderr
    assert (second.returncode, second.stderr) == (0, "")
