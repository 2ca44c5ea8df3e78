"""How far playouts use a GPU: NVIDIA's profiler `ncu` looks at one launch of each variant's kernel.

    python bench/gpu_profile.py

prints the share of the slots in which an instruction could be issued that are used, how many of a warp's 32 threads
take part in an instruction, the share of the warps that could be resident, and the share of the memory's bandwidth.
"""

from __future__ import annotations

import argparse
import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path

from gpu_check import VARIANTS, variant_of

METRICS = {
    "smsp__issue_active.avg.pct_of_peak_sustained_active": "issue slots, %",
    "smsp__thread_inst_executed_per_inst_executed.ratio": "threads of a warp",
    "sm__warps_active.avg.pct_of_peak_sustained_active": "warps, %",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed": "memory, %",
}


class NoCounters(RuntimeError):
    """The profiler is not there, or may not read the card's counters."""


def launch_all(games: int) -> None:
    """Start the playouts of each variant once."""
    from snakeden.programs.cuda import CudaProgram, synchronize

    for described in VARIANTS.values():
        program = CudaProgram(variant_of(*described))
        program.launch(1, 0, *program.room(games))
        synchronize()


def profile(games: int) -> dict[str, dict[str, float]]:
    """What the profiler reads, by variant."""
    ncu = shutil.which("ncu")
    if ncu is None:
        raise NoCounters("ncu, NVIDIA's profiler Nsight Compute, is not installed")
    asked = ["--clock-control", "none", "--csv", "--page", "raw", "--kernel-name", "play_games"]
    itself = [sys.executable, str(Path(__file__).resolve()), "--launch", "--games", str(games)]
    done = subprocess.run(
        [ncu, *asked, "--metrics", ",".join(METRICS), *itself], capture_output=True, text=True, check=False
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith('"')]
    # The second line has the units.
    rows = list(csv.DictReader(lines))[1:]
    if done.returncode or len(rows) != len(VARIANTS):
        raise NoCounters(f"the card's counters cannot be read: {(done.stdout + done.stderr)[-500:].strip()}")
    return {
        name: {title: float(row[metric].replace(",", "")) for metric, title in METRICS.items()}
        for name, row in zip(VARIANTS, rows, strict=True)
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=1 << 17, help="games of each variant (%(default)s)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--launch", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.launch:
        launch_all(args.games)
        return 0
    try:
        found = profile(args.games)
    except NoCounters as error:
        parser.exit(2, f"gpu_profile: {error}\n")
    if args.json:
        print(json.dumps(found))
        return 0
    print(f"| variant | {' | '.join(METRICS.values())} |\n| --- |{' --- |' * len(METRICS)}")
    for name, row in found.items():
        print(f"| {name} | {' | '.join(f'{value:.1f}' for value in row.values())} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
