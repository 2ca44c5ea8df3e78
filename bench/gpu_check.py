"""Whether a GPU plays the CPU's games: random games on both, compared by the fingerprints of all moves and scores.

On a machine with an NVIDIA GPU, after `pip install 'snakeden[cuda]'`:

    python bench/gpu_check.py             a million games of the variants that `bench/gpu.py` measures
    python bench/gpu_check.py --stored    the same with the options of every stored game
    python bench/gpu_check.py --sums sums --cpu-only
                                          what the CPU plays, into a folder; later runs with --sums read it there

Fingerprints are compared as sums over blocks of 64 games.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "Snekagon": ("snekagon", {}),
    "Snekagon 5G, two players": ("snekagon-5g", {"players": 2}),
    "Snekagon 5G, five players, advanced": ("snekagon-5g", {"players": 5, "advanced": True}),
    "Schlangennest": ("schlangennest", {}),
    "Snakey Dice, solo": ("snakey-dice", {"players": 1}),
    "Snakey Dice, duel": ("snakey-dice", {"players": 2}),
}
BLOCK = 64
"""Games whose fingerprints are added up."""
CHUNK = 4096
"""Games that a thread of the CPU plays at a time."""
REPEATS = 5
"""The GPU's time is the median of this many runs, after one that is not counted."""
STORED = Path(__file__).resolve().parents[1] / "tests" / "data"


@dataclass(frozen=True)
class Sums:
    """What a machine played."""

    fingerprints: NDArray[np.uint64]  # [blocks] modulo 2**64
    plies: NDArray[np.int64]  # [blocks]

    def differences(self, other: Sums) -> int:
        """The number of blocks that are not the same."""
        differ = (self.fingerprints != other.fingerprints) | (self.plies != other.plies)
        return int(np.count_nonzero(differ))


def sums(fingerprints: NDArray[np.uint64], plies: NDArray[np.int32]) -> Sums:
    starts = np.arange(0, len(plies), BLOCK)
    return Sums(np.add.reduceat(fingerprints, starts), np.add.reduceat(plies.astype(np.int64), starts))


@dataclass(frozen=True)
class Row:
    """The comparison of one variant."""

    name: str
    games: int
    plies: int
    blocks: int
    different_blocks: int
    gpu_plies_per_second: float
    cpu_plies_per_second: float


# ---- on the CPU


def play_on_cpu(variant: Any, seed: int, games: int, title: str) -> tuple[Sums, float]:
    """Play on all cores: the sums, and the seconds it took."""
    from rich.console import Console
    from rich.progress import Progress

    from snakeden.programs import compiled

    program, opening = compiled(variant, "batch"), variant.game.rules.opening(variant.tables)
    fingerprints, plies = np.zeros(games, np.uint64), np.zeros(games, np.int32)
    results = np.zeros((games, variant.tables.seats), np.int32)

    def play(first: int) -> None:
        part = slice(first, min(first + CHUNK, games))
        scores = np.zeros(variant.tables.seats, np.int64)
        written = fingerprints[part], plies[part], results[part]
        program.play_games(opening, opening.copy(), scores, seed, first, *written)

    start = time.perf_counter()
    with (
        ThreadPoolExecutor(os.cpu_count()) as pool,
        Progress(console=Console(stderr=True), transient=True) as bar,
    ):
        chunks = range(0, games, CHUNK)
        for _ in bar.track(pool.map(play, chunks), total=len(chunks), description=f"{title}, CPU"):
            pass
    return sums(fingerprints, plies), time.perf_counter() - start


def sums_file(folder: Path, variant: Any, seed: int, games: int) -> Path:
    described = "-".join(f"{name}={value}" for name, value in sorted(dict(variant.given).items()))
    return folder / f"{variant.game.id}-{described}-{seed}-{games}.npz".replace(" ", "")


def kept_sums(folder: Path | None, variant: Any, seed: int, games: int, title: str) -> tuple[Sums, float]:
    """What `play_on_cpu` gives, read from a file in the folder if it is there, and else written to it."""
    if folder is None:
        return play_on_cpu(variant, seed, games, title)
    file = sums_file(folder, variant, seed, games)
    if file.exists():
        with np.load(file) as held:
            return Sums(held["fingerprints"], held["plies"]), float(held["seconds"])
    found, seconds = play_on_cpu(variant, seed, games, title)
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_suffix(".part.npz")
    np.savez_compressed(unfinished, fingerprints=found.fingerprints, plies=found.plies, seconds=seconds)
    unfinished.replace(file)
    return found, seconds


def variant_of(game: str, options: dict[str, Any]) -> Any:
    import snakeden

    return snakeden.new_game(game, **options).variant


def stored_variants() -> dict[str, tuple[str, dict[str, Any]]]:
    """The options of all stored games."""
    found = {}
    for file in sorted(STORED.glob("*.jsonl")):
        for line in file.read_text().splitlines():
            stored = json.loads(line)
            options = stored["options"]
            name = " ".join([stored["game"], *(f"{key}={value}" for key, value in options.items())])
            found[name] = (stored["game"], options)
    return found


# ---- on the GPU


def timed(run: Callable[[], None], synchronize: Callable[[], None]) -> float:
    """The median of the seconds that runs take."""
    seconds = []
    for _ in range(REPEATS + 1):
        start = time.perf_counter()
        run()
        synchronize()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds[1:])


def play_on_gpu(variant: Any, seed: int, games: int) -> tuple[Sums, float]:
    """Play on the GPU: the sums, and the seconds it took."""
    from snakeden.programs.cuda import CudaProgram, synchronize

    program = CudaProgram(variant)
    fingerprints, plies, _ = written = program.room(games)
    # Values that no game has, so that a game which is not written is noticed.
    fingerprints[:], plies[:] = 2**64 - 1, -1
    seconds = timed(lambda: program.launch(seed, 0, *written), synchronize)
    return sums(to_host(fingerprints), to_host(plies)), seconds


def to_host(array: Any) -> NDArray[Any]:
    """An array of the GPU in NumPy."""
    found: NDArray[Any] = array.get() if hasattr(array, "get") else array
    return found


def check(
    variants: dict[str, tuple[str, dict[str, Any]]], seed: int, games: int, folder: Path | None
) -> tuple[dict[str, Any], list[Row]]:
    """What was compared and where, and how it went."""
    from snakeden.programs.cuda import compile_for_gpu, gpu_name, require_gpu

    require_gpu()
    found = {name: variant_of(*described) for name, described in variants.items()}
    compile_for_gpu([(variant, "play_games") for variant in found.values()])
    about = {"gpu": gpu_name(), "seed": seed, "games": games, "cpu": cpu_name(), **versions()}
    rows = []
    for name, variant in found.items():
        played, seconds = play_on_gpu(variant, seed, games)
        rows.append(compared(name, games, played, seconds, *kept_sums(folder, variant, seed, games, name)))
    return about, rows


def compared(
    name: str, games: int, played: Sums, gpu_seconds: float, expected: Sums, cpu_seconds: float
) -> Row:
    plies = int(expected.plies.sum())
    different = played.differences(expected)
    return Row(name, games, plies, len(expected.plies), different, plies / gpu_seconds, plies / cpu_seconds)


# ---- what is printed


def cpu_name() -> str:
    """This machine's processor and the number of threads."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        model = platform.processor() or platform.machine()
    return f"{model}, {os.cpu_count()} threads"


def versions() -> dict[str, str]:
    """Of Python and of the packages that are installed here."""
    found = {"python": platform.python_version()}
    for package in ("snakeden", "numba", "numba-cuda", "cupy-cuda13x", "numpy"):
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


def print_rows(about: dict[str, Any], rows: list[Row]) -> None:
    for key, value in about.items():
        print(f"{key}: {value}")
    print()
    print(
        "| variant | games | plies | different blocks | GPU, million plies/s | CPU, million plies/s | ratio |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for row in rows:
        gpu, cpu = row.gpu_plies_per_second, row.cpu_plies_per_second
        print(
            f"| {row.name} | {row.games:,} | {row.plies:,} | {row.different_blocks} of {row.blocks:,} "
            f"| {gpu / 1e6:,.0f} | {cpu / 1e6:,.2f} | {gpu / cpu:,.0f} |"
        )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=1_000_000, help="games of each variant (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which games (%(default)s)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--stored", action="store_true", help="play with the options of the stored games")
    parser.add_argument(
        "--only",
        metavar="TEXT",
        default="",
        help="only variants that have this in their name, such as snakes=2",
    )
    parser.add_argument(
        "--sums",
        type=Path,
        metavar="FOLDER",
        help="keep what the CPU plays there, and read what is there already",
    )
    parser.add_argument(
        "--cpu-only", action="store_true", help="only fill the folder of --sums; needs no GPU"
    )
    args = parser.parse_args()
    if args.games < 1:
        parser.error("--games must be at least 1")
    if args.cpu_only and args.sums is None:
        parser.error("--cpu-only needs --sums")
    known = stored_variants() if args.stored else VARIANTS
    variants = {name: described for name, described in known.items() if args.only in name}
    if not variants:
        parser.error(f"--only {args.only!r} is in no name; there are {', '.join(known)}")
    if args.cpu_only:
        for name, described in variants.items():
            kept_sums(args.sums, variant_of(*described), args.seed, args.games, name)
        return 0
    try:
        about, rows = check(variants, args.seed, args.games, args.sums)
    except (RuntimeError, OSError, ImportError) as error:
        parser.exit(2, f"gpu_check: {error}\n")
    if args.json:
        print(json.dumps({**about, "variants": [asdict(row) for row in rows]}))
    else:
        print_rows(about, rows)
    return 1 if any(row.different_blocks for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
