"""Whether a GPU plays the CPU's games: random games on both, compared by the fingerprints of all moves and scores.

On a machine with an NVIDIA GPU, after `pip install 'snakeden[cuda]'`:

    python bench/gpu_check.py

Where the machine with the GPU has only CuPy, prepare the work on another machine and carry the folder over:

    python bench/gpu_check.py --prepare FOLDER    compiles for the GPU, and plays on the CPU; needs no GPU
    python bench/gpu_check.py --from FOLDER       plays on the GPU and compares; needs only NumPy and CuPy

Fingerprints are compared as sums over blocks of 64 games, so that a prepared folder stays small.
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
"""The GPU's time is the median of so many runs, after one that is not counted."""
HOPPER = (9, 0)


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

    def play(first: int) -> None:
        part = slice(first, min(first + CHUNK, games))
        scores = np.zeros(variant.tables.seats, np.int64)
        program.play_games(opening, opening.copy(), scores, seed, first, fingerprints[part], plies[part])

    start = time.perf_counter()
    with (
        ThreadPoolExecutor(os.cpu_count()) as pool,
        Progress(console=Console(stderr=True), transient=True) as bar,
    ):
        chunks = range(0, games, CHUNK)
        for _ in bar.track(pool.map(play, chunks), total=len(chunks), description=f"{title}, CPU"):
            pass
    return sums(fingerprints, plies), time.perf_counter() - start


def variant_of(name: str) -> Any:
    import snakeden

    game, options = VARIANTS[name]
    return snakeden.new_game(game, **options).variant


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
    """Play by numba-cuda: the sums, and the seconds it took."""
    from numba import cuda

    from snakeden.programs.cuda import CudaProgram

    program = CudaProgram(variant)
    fingerprints, plies = cuda.device_array(games, np.uint64), cuda.device_array(games, np.int32)
    seconds = timed(lambda: program.launch(seed, 0, fingerprints, plies), cuda.synchronize)
    return sums(fingerprints.copy_to_host(), plies.copy_to_host()), seconds


def play_prepared(folder: Path, prepared: dict[str, Any], seed: int, games: int) -> tuple[Sums, float]:
    """Play machine code from a prepared folder by CuPy: the sums, and the seconds it took."""
    import cupy

    stored = np.load(folder / f"{prepared['file']}.npz")
    kernel = cupy.RawModule(path=str(folder / f"{prepared['file']}.cubin")).get_function(prepared["symbol"])
    tables, opening = cupy.asarray(stored["tables"]), cupy.asarray(stored["opening"])
    # Values that no game has, so that a game which is not written is noticed.
    fingerprints, plies = (
        cupy.full(games, np.uint64(2**64 - 1), cupy.uint64),
        cupy.full(games, -1, cupy.int32),
    )
    arguments = (
        *array_arguments(tables.data.ptr, 1, tables.nbytes),
        *array_arguments(opening.data.ptr, opening.size, opening.itemsize),
        *(np.int64(seed), np.int64(0)),
        *array_arguments(fingerprints.data.ptr, games, fingerprints.itemsize),
        *array_arguments(plies.data.ptr, games, plies.itemsize),
    )
    threads = prepared["threads"]
    shape = ((-(-games // threads),), (threads,))
    seconds = timed(lambda: kernel(*shape, arguments), cupy.cuda.Device().synchronize)
    return sums(fingerprints.get(), plies.get()), seconds


def array_arguments(address: int, size: int, item: int) -> list[Any]:
    """An array of one dimension as numba-cuda's kernels take it: no owner, no parent, then size, bytes of an item,
    address, shape, strides."""
    return [
        np.uint64(address) if k == 4 else np.int64(v)
        for k, v in enumerate((0, 0, size, item, address, size, item))
    ]


def stored_sums(folder: Path, prepared: dict[str, Any]) -> Sums:
    stored = np.load(folder / f"{prepared['file']}.npz")
    return Sums(stored["fingerprints"], stored["plies"])


# ---- the three ways to run


def prepare(folder: Path, seed: int, games: int) -> None:
    """Write everything that `--from` needs."""
    from snakeden.programs.cuda import THREADS, assemble, compile_ptx
    from snakeden.programs.specification import block

    folder.mkdir(parents=True, exist_ok=True)
    prepared = []
    for name in VARIANTS:
        variant = variant_of(name)
        print(f"{name}: compiling for the GPU …", file=sys.stderr, flush=True)
        ptx = compile_ptx(variant, "play_games", HOPPER)
        file = name.lower().replace(",", "").replace(" ", "-")
        (folder / f"{file}.cubin").write_bytes(assemble(ptx, HOPPER))
        played, seconds = play_on_cpu(variant, seed, games, name)
        np.savez_compressed(
            folder / f"{file}.npz",
            tables=np.frombuffer(np.array([block(variant)]).tobytes(), np.uint8),
            opening=variant.game.rules.opening(variant.tables),
            **asdict(played),
        )
        prepared.append(
            {"name": name, "file": file, "symbol": ptx.symbol, "threads": THREADS, "cpu_seconds": seconds}
        )
    about = {
        "seed": seed,
        "games": games,
        "cpu": cpu_name(),
        **versions(),
    }
    (folder / "prepared.json").write_text(json.dumps({**about, "variants": prepared}, indent=2))


def check_prepared(folder: Path) -> tuple[dict[str, Any], list[Row]]:
    """What was compared and where, and how it went."""
    file = folder / "prepared.json"
    if not file.exists():
        raise FileNotFoundError(f"{folder} is not a prepared folder; --prepare FOLDER makes one")
    about = json.loads(file.read_text())
    seed, games, variants = about["seed"], about["games"], about.pop("variants")
    about = {**gpu_name_by_cupy(), **about}
    rows = []
    for prepared in variants:
        expected = stored_sums(folder, prepared)
        played, seconds = play_prepared(folder, prepared, seed, games)
        rows.append(compared(prepared["name"], games, played, seconds, expected, prepared["cpu_seconds"]))
    return about, rows


def check_here(seed: int, games: int) -> tuple[dict[str, Any], list[Row]]:
    """What was compared and where, and how it went."""
    from snakeden.programs.cuda import require_gpu

    require_gpu()
    about = {**gpu_name_by_numba(), "seed": seed, "games": games, "cpu": cpu_name(), **versions()}
    rows = []
    for name in VARIANTS:
        variant = variant_of(name)
        played, seconds = play_on_gpu(variant, seed, games)
        rows.append(compared(name, games, played, seconds, *play_on_cpu(variant, seed, games, name)))
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
    for package in ("snakeden", "numba", "numba-cuda", "nvidia-nvvm", "numpy"):
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


def gpu_name_by_cupy() -> dict[str, str]:
    import cupy

    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    driver = cupy.cuda.runtime.driverGetVersion()
    return {"gpu": name, "driver's CUDA": f"{driver // 1000}.{driver % 1000 // 10}", "cupy": cupy.__version__}


def gpu_name_by_numba() -> dict[str, str]:
    from numba import cuda

    device = cuda.get_current_device() if hasattr(cuda, "get_current_device") else None
    name = getattr(device, "name", "none, but Numba's simulator")
    return {"gpu": name.decode() if isinstance(name, bytes) else str(name)}


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
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--prepare", type=Path, metavar="FOLDER", help="write what --from needs")
    way.add_argument("--from", type=Path, metavar="FOLDER", dest="source", help="check a prepared folder")
    args = parser.parse_args()
    if args.games < 1:
        parser.error("--games must be at least 1")
    try:
        if args.prepare:
            prepare(args.prepare, args.seed, args.games)
            return 0
        about, rows = check_prepared(args.source) if args.source else check_here(args.seed, args.games)
    except (RuntimeError, OSError, ImportError) as error:
        parser.exit(2, f"gpu_check: {error}\n")
    if args.json:
        print(json.dumps({**about, "variants": [asdict(row) for row in rows]}))
    else:
        print_rows(about, rows)
    return 1 if any(row.different_blocks for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
