"""Programs: compiled once and kept, never used when stale, and the same on every target."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from in_javascript import SEARCHED, check, in_node, job, option_sets, variants_of

import snakeden
from snakeden.core.game import variant as variant_of
from snakeden.core.registry import game as find_game
from snakeden.programs import Program, program
from snakeden.programs.ready_made import module_files
from snakeden.programs.wasm import is_available
from snakeden.search.thinking import Budget, Search

# ---- what is compiled


ADD_CONSTANTS = """
import ctypes, sys
import llvmlite.binding as llvm
import numpy as np
from snakeden.core.kernel import kernel
from snakeden.programs import abi
from snakeden.programs.cpu import target_machine
from snakeden.programs.frontend import Translator

THREES, FIVES = np.arange(5) * 3, np.arange(5) * 5

@kernel
def three(k):
    return THREES[k]

@kernel
def both(k):
    return 1000 * three(k) + FIVES[k]

translator = Translator()
entries = abi.entries("both(k: int64) -> int64", {"both": both})
translator.add(entries, np.dtype([("seats", np.int64)]), np.dtype(np.uint64), {})
machine = target_machine()
engine = llvm.create_mcjit_compiler(translator.module(), machine)
engine.finalize_object()
call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(engine.get_function_address("both"))
print([call(int(k)) for k in sys.argv[1:]], flush=True)
"""


def _add_constants(folder: Path, *numbers: int, **environment: str) -> subprocess.CompletedProcess[str]:
    """What the compiled kernel `both` gives for these numbers."""
    script = folder / "constants.py"
    script.write_text(ADD_CONSTANTS)
    return subprocess.run(
        [sys.executable, script, *map(str, numbers)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **environment},
    )


def test_constants_of_kernels_are_told_apart(tmp_path: Path) -> None:
    done = _add_constants(tmp_path, *range(5))
    assert done.stdout == "[0, 3005, 6010, 9015, 12020]\n", done.stderr


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals")
@pytest.mark.parametrize("outside", [5, -1])
def test_programs_can_be_made_to_stop_at_an_index_outside_its_array(tmp_path: Path, outside: int) -> None:
    inside = _add_constants(tmp_path, 4, SNAKEDEN_BOUNDSCHECK="1")
    assert (inside.returncode, inside.stdout) == (0, "[12020]\n"), inside.stderr
    assert _add_constants(tmp_path, outside, SNAKEDEN_BOUNDSCHECK="1").returncode < 0


# ---- kept on disk


def test_programs_mind_what_their_kernels_use_and_nothing_else(tmp_path: Path) -> None:
    package = tmp_path / "snakeden"
    shutil.copytree(
        Path(snakeden.__file__).parent, package, ignore=shutil.ignore_patterns("web", "__pycache__")
    )

    def hashes() -> str:
        """The hash in a process that has these files."""
        script = (
            "from snakeden.core.registry import game; from snakeden.programs.contents import contents; "
            "from snakeden.programs.sources import fingerprint; "
            "print(fingerprint(contents(game('schlangennest'), 'play'), {}))"
        )
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    before = hashes()
    for file, old, new, matters in (
        ("games/schlangennest/cards.py", "SUPPLY = (", "SUPPLY = (*(), ", False),
        ("games/schlangennest/kernels/layout.py", "OPEN, RING, COMPLETE", "OPEN, COMPLETE, RING", True),
        ("core/rng.py", "0x9E3779B97F4A7C15", "0x9E3779B97F4A7C17", True),
        ("search/backup.py", "tree.edges[edge, TRIED] += 1", "tree.edges[edge, TRIED] += 2", True),
        ("search/backup.py", '"""Take back what', '"""Take away what', False),
        ("core/state.py", "class State:", "MORE = 1\n\n\nclass State:", False),
        ("games/snakey_dice/kernels/layout.py", "LEFT_FACE", "LEFTMOST_FACE", False),
    ):
        text = (package / file).read_text(encoding="utf-8")
        assert old in text, (file, old)
        (package / file).write_text(text.replace(old, new), encoding="utf-8")
        assert (hashes() != before) == matters, (file, new)
        (package / file).write_text(text, encoding="utf-8")


OTHER_PYTHONS = [
    *filter(None, (shutil.which(f"python3.{minor}") for minor in range(11, 20))),
    *map(str, Path.home().glob(".pyenv/versions/3.1[1-9]*/bin/python3")),
]
TEXTS_OF_KERNELS = """
import ast, hashlib, sys
if sys.version_info < (3, 11):
    sys.exit(1)
folder, *files = sys.argv[1:]
sys.path.insert(0, folder)
from kernel_text import text_of, without_docstrings
marks, digest, count = {"kernel", "inline", "noinline"}, hashlib.sha256(), 0
for file in files:
    for node in ast.walk(ast.parse(open(file, encoding="utf-8").read())):
        if marks & {getattr(mark, "id", "") for mark in getattr(node, "decorator_list", ())}:
            digest.update(text_of(without_docstrings(node)).encode())
            count += 1
print(sys.version_info[1], count, digest.hexdigest())
"""


def test_every_version_of_python_reads_the_same_kernels() -> None:
    package = Path(snakeden.__file__).parent
    folders = [*package.glob("games/*/kernels"), *(package / name for name in ("core", "search", "adapters"))]
    files = [str(file) for folder in folders for file in sorted(folder.glob("*.py"))]
    texts = {}
    for python in {sys.executable, *OTHER_PYTHONS}:
        command = [python, "-c", TEXTS_OF_KERNELS, str(package / "programs"), *files]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        if done.returncode == 0 or python == sys.executable:
            minor, count, digest = done.stdout.split()
            assert int(count) > 100
            texts[minor] = digest
    if len(texts) < 2:
        pytest.skip("there is no other version of Python here")
    assert len(set(texts.values())) == 1, texts


def _says_compiling(cache: Path, script: str) -> bool:
    """Whether a process with this cache has something to compile."""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "XDG_CACHE_HOME": str(cache), "HOME": str(cache), "SNAKEDEN_TARGET": "cpu"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return "compiling" in done.stderr


ONE_MOVE = "import snakeden; assert snakeden.new_game('snakey-dice', players=2).codes().size"


def test_what_one_process_compiles_no_other_compiles_again(tmp_path: Path) -> None:
    assert _says_compiling(tmp_path, ONE_MOVE)
    assert not _says_compiling(tmp_path, ONE_MOVE)
    (kept,) = tmp_path.rglob("*.o")
    kept.unlink()
    assert _says_compiling(tmp_path, ONE_MOVE)


SEVERAL_AT_ONCE = """
import sys
from concurrent.futures import ThreadPoolExecutor
from snakeden.core.game import variant
from snakeden.core.registry import games
from snakeden.programs.sources import source_hash
from snakeden.programs.specification import specification

sys.setswitchinterval(1e-6)
wanted = [(specification(variant(one, {})), part) for one in games().values() for part in ("play", "batch")]
with ThreadPoolExecutor(len(wanted)) as threads:
    print(len(set(threads.map(source_hash, *zip(*wanted)))))
"""


def test_several_threads_may_need_programs_at_once(tmp_path: Path) -> None:
    environment = {**os.environ, "SNAKEDEN_PROGRAMS": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", SEVERAL_AT_ONCE], capture_output=True, text=True, env=environment, check=False
    )
    assert run.stderr == ""
    (kept,) = tmp_path.glob("sources-*.json")
    assert int(run.stdout) == len(json.loads(kept.read_text())) == 8


FORKED = """
import multiprocessing
from pathlib import Path
from snakeden.core.game import variant
from snakeden.core.registry import game
from snakeden.programs.sources import source_hash
from snakeden.programs.specification import specification

wanted, fork = specification(variant(game("snakey-dice"), {})), multiprocessing.get_context("fork")
both_wrote, replace = fork.Barrier(2), Path.replace

def look():
    Path.replace = lambda self, target: both_wrote.wait(60) >= 0 and replace(self, target)
    source_hash(wanted, "play")

processes = [fork.Process(target=look) for _ in range(2)]
for each in processes:
    each.start()
for each in processes:
    each.join()
print([each.exitcode for each in processes])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_forked_processes_may_need_a_program_at_once(tmp_path: Path) -> None:
    environment = {**os.environ, "SNAKEDEN_PROGRAMS": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", FORKED], capture_output=True, text=True, env=environment, check=False
    )
    assert (run.stdout.strip(), run.stderr) == ("[0, 0]", "")


def test_where_nothing_can_be_kept_programs_run_all_the_same(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("in the way")
    assert _says_compiling(in_the_way, ONE_MOVE)


# ---- the same on every target


def _played(here: Program, variant: Any, seed: int) -> tuple[list[int], list[int]]:
    """The moves and scores of a random game, drawn by the program's own `sample`."""
    array, scores = variant.game.rules.opening(variant.tables), np.zeros(variant.tables.seats, np.int64)
    moves: list[int] = []
    rng, move = here.sample(array, seed)
    while move >= 0:
        moves.append(move)
        here.apply(array, move)
        rng, move = here.sample(array, rng)
    here.scores(array, scores)
    return moves, scores.tolist()


@pytest.mark.parametrize("game", snakeden.games())
def test_the_modules_are_made_of_these_kernels(game: str) -> None:
    found = find_game(game)
    for options in found.program_options:
        assert is_available(variant_of(found, options)), (
            "the module is older than its kernels: run `make wasm`"
        )


@pytest.mark.parametrize("game", snakeden.games())
def test_a_module_is_small(game: str) -> None:
    assert module_files(game)[0].stat().st_size <= 300_000


@pytest.mark.parametrize(("game", "options"), option_sets())
def test_webassembly_plays_the_same_games(game: str, options: str) -> None:
    variant = snakeden.new_game(game, **json.loads(options)).variant
    compiled, ready_made = program(variant, "cpu"), program(variant, "wasm")
    for seed in range(3):
        assert _played(ready_made, variant, seed) == _played(compiled, variant, seed)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("snekagon", {}),
        ("snekagon", {"side": 7}),
        ("snekagon-5g", {"players": 3}),
        ("schlangennest", {}),
        ("snakey-dice", {}),
        ("snakey-dice", {"players": 2}),
    ],
    ids=str,
)
def test_webassembly_chooses_the_same_moves(game: str, options: dict[str, Any]) -> None:
    state = snakeden.new_game(game, **options)
    while state.player == snakeden.CHANCE:
        state = state.play(state.chance_moves()[0][0])
    compiled, ready_made = (
        Search(state.variant, seed=3, memory=16 << 20, target=target) for target in ("cpu", "wasm")
    )
    for _ in range(3):
        found, other = (search.think(state, Budget(simulations=400)) for search in (compiled, ready_made))
        assert other.lines == found.lines
        state = state.play(found.lines[0].move)
        while state.player == snakeden.CHANCE:
            state = state.play(state.chance_moves()[0][0])


# ---- in Node


@pytest.mark.parametrize("game", snakeden.games())
def test_node_plays_and_searches_as_the_cpu_does(game: str, tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("Node is not installed here")
    variants = variants_of(game)
    played = in_node(game, [job(variant, [1, 2], SEARCHED) for variant in variants], tmp_path)
    for variant, found in zip(variants, played, strict=True):
        check(found, variant)
