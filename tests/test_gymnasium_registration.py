"""Programs that import only Gymnasium find the environments, in every kind of installation."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
from pathlib import Path

import pytest

pytest.importorskip("gymnasium")

ROOT = Path(__file__).parents[1]
LINE = "snakeden_gymnasium.pth"

EVERYWHERE = """
import gymnasium, sys

if __name__ == "__main__":
    loaded = [name for name in sys.modules if name.startswith(("snakeden.games", "snakeden.words", "numba", "babel"))]
    assert not loaded, loaded
    env = gymnasium.make("snakeden/snekagon-v0", side=3)
    env.reset(seed=1)
    assert gymnasium.make_vec("snakeden/snakey-dice-v0", num_envs=3).reset(seed=1)[0].shape[0] == 3
    spawned = gymnasium.make_vec(
        "snakeden/snekagon-v0", num_envs=2, vectorization_mode="async", vector_kwargs={"context": "spawn"}, side=3
    )
    planes, _ = spawned.reset(seed=1)
    assert planes.shape == (2, *env.observation_space.shape)
    spawned.close()
    print("made by", env.unwrapped.__class__.__module__)
"""

AMONG_OTHER_FINDERS = """
import importlib, importlib.util, sys

class Asking:  # a hook of somebody else, who asks all finders
    asked = 0
    def find_spec(self, name, path=None, target=None):
        if name == "gymnasium" and not self.asked:
            self.asked += 1
            return importlib.util.find_spec("gymnasium")

class Old:  # of the kind that Python had before find_spec
    def find_module(self, name, path=None):
        return None

sys.meta_path[:0] = [Old(), Asking()]
import gymnasium
importlib.reload(gymnasium)
import snakeden.adapters.gymnasium  # registers nothing twice, which would warn
print(*sorted(name for name in gymnasium.registry if name.startswith("snakeden/")))
"""

IDS = [f"snakeden/{game}-v0" for game in ("schlangennest", "snakey-dice", "snekagon-5g", "snekagon")]


def run(python: str | Path, *arguments: str | Path, **environment: str) -> str:
    """What Python prints; it says nothing on standard error."""
    done = subprocess.run(
        [python, "-W", "error::UserWarning", *arguments],
        capture_output=True,
        text=True,
        env=os.environ | environment,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


def test_an_import_of_gymnasium_is_enough(tmp_path: Path) -> None:
    files = importlib.metadata.files("snakeden") or []
    assert LINE in map(str, files), (
        "installed before there was such a file: run pip install --editable '.[test]'"
    )
    (tmp_path / "script.py").write_text(EVERYWHERE)
    assert run(sys.executable, tmp_path / "script.py") == "made by snakeden.adapters.gymnasium"


def test_other_finders_are_asked_and_nothing_is_registered_twice() -> None:
    assert run(sys.executable, "-c", AMONG_OTHER_FINDERS).split() == sorted(IDS)


def test_it_can_be_switched_off() -> None:
    names = "print(*(name for name in gymnasium.registry if name.startswith('snakeden/')))"
    assert run(sys.executable, "-c", f"import gymnasium\n{names}", SNAKEDEN_GYMNASIUM="off") == ""
    explicit = f"import gymnasium, snakeden.adapters.gymnasium\n{names}"
    assert sorted(run(sys.executable, "-c", explicit, SNAKEDEN_GYMNASIUM="off").split()) == sorted(IDS)


def build(source: Path, target: str, folder: Path) -> Path:
    """A distribution built by the backend that pip asks, too."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (built,) = folder.iterdir()
    return built


def test_a_wheel_from_the_source_distribution_registers_and_starts_quietly(tmp_path: Path) -> None:
    with tarfile.open(build(ROOT, "sdist", tmp_path / "sdist")) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    wheel = build(source, "wheel", tmp_path / "wheel")

    home = tmp_path / "fresh"
    venv.create(home)
    python = Path(sysconfig.get_path("scripts", "venv", {"base": str(home)})) / Path(sys.executable).name
    packages = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"))
    # What snakeden needs is borrowed from here, as a path: of the .pth files there none is read.
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    install = ["install", "--quiet", "--no-deps", "--no-index", "--no-compile", str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", "--python", str(python), *install], check=True)

    made = (
        "import gymnasium; print(gymnasium.make('snakeden/snakey-dice-v0').unwrapped.__class__.__module__); "
        "import snakeden; print(snakeden.__file__)"
    )
    assert run(python, "-I", "-c", made).split() == [
        "snakeden.adapters.gymnasium",
        str(packages / "snakeden" / "__init__.py"),
    ]
    # Nothing is imported at a start, so a package that was removed in part disturbs nobody.
    loaded = "import sys; print(*(name for name in sys.modules if name.startswith('snakeden')))"
    assert run(python, "-I", "-c", loaded) == run(python, "-S", "-c", loaded) == ""
    (packages / "snakeden" / "adapters" / "gymnasium_registration.py").unlink()
    assert run(python, "-c", "import gymnasium; print('imported')") == "imported"
