# ruff: noqa: E501 - lines of the page are as long as those of other pages
"""The part of docs/facts.md about random play, made of the sums in docs/studies/random/.

`python tools/random_facts.py --moves 1e10 --device cuda` prints the commands that play the games: one for every game
with every set of options that its stored games have. A file is named by what it holds, and a command goes on from it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import groupby
from math import floor, log10
from pathlib import Path

from snakeden.core.game import Variant, variant
from snakeden.core.registry import game_ids, games
from snakeden.lab.measures import Estimate
from snakeden.lab.random_play import Figures, Kept, figures, read_kept

ROOT = Path(__file__).parent.parent
SUMS = ROOT / "docs" / "studies" / "random"
STORED = ROOT / "tests" / "data"
DIGITS = 4


def digits(estimate: Estimate, scale: float = 1) -> str:
    """A number to four digits, or to as many as are known within five of the last one."""
    value, half = scale * estimate.value, scale * (estimate.high - estimate.low) / 2
    wanted = DIGITS - 1 - floor(log10(abs(value))) if value else DIGITS
    known = -floor(log10(2 * half)) if half > 0 else DIGITS
    return f"{value:.{max(0, min(wanted, known))}f}"


def shortest_number(kept: Kept) -> str:
    """A short number of moves that asks for the same blocks."""
    most = kept.sums.moves
    least = most - most // kept.blocks // 2
    for places in range(17):
        unit = 10 ** max(0, len(str(most)) - 1 - places)
        if (number := most // unit * unit) >= least:
            break
    return f"{number:.{places}e}".replace("e+0", "e").replace("e+", "e")


def command(kept: Kept) -> str:
    """What plays these games."""
    options = "".join(f" --set {name}={value}" for name, value in kept.options.items())
    seed = f" --seed {kept.seed}" if kept.seed else ""
    return (
        f"snakeden lab random {kept.game}{options} --moves {shortest_number(kept)} --block {kept.block}{seed}"
    )


def row(kept: Kept) -> list[str]:
    """The cells of one set of options."""
    found: Figures = figures(kept.sums)
    return [
        f"`{command(kept)}`",
        f"{found.games:,}",
        f"{digits(found.length)} ({found.shortest} to {found.longest})",
        digits(found.choices),
        ", ".join(map(digits, found.scores)),
        ", ".join(f"{digits(share, 100)} %" for share in found.points) or "alone",
        f"{100 * found.shared:.2f} %" if found.points else "",
    ]


def section() -> str:
    """All tables, one for each game."""
    order = list(game_ids())
    kept = sorted(
        map(read_kept, SUMS.glob("*.json")),
        key=lambda each: (order.index(each.game), sorted(each.options.items())),
    )
    parts = []
    for game, rows in groupby(kept, key=lambda each: each.game):
        header = [
            "command",
            "games",
            "moves of a game",
            "legal moves",
            "scores",
            "points",
            "shared victories",
        ]
        line = ["---", *["---:"] * (len(header) - 1)]
        lines = [f"| {' | '.join(cells)} |" for cells in (header, line, *map(row, rows))]
        parts.append(f"### {games()[game].name}\n" + "\n".join(lines) + "\n")
    return """## At random
What the games are like when everybody moves at random, with the options that the games of the test suite are played with. The same command
gives the same figures, on a CPU and, with `--device cuda`, on a GPU; `docs/studies/random` has the sums. A figure has four digits, or
as many as are known within five of the last one, with 95 % confidence. Moves are those of players, without dice. Scores and points are by seat.

""" + "\n".join(parts)


def stored_variants() -> Iterator[Variant]:
    """Every game with every set of options that its stored games have."""
    for game_id, game in games().items():
        lines = (STORED / f"{game_id}.jsonl").read_text(encoding="utf-8").splitlines()
        seen = {json.dumps(json.loads(line)["options"], sort_keys=True) for line in lines if line.strip()}
        for options in sorted(seen, key=lambda text: (len(text), text)):
            yield variant(game, json.loads(options))


def commands(moves: str, device: str) -> Iterator[str]:
    """What plays the games of all tables, into their files."""
    for each in stored_variants():
        options = [f"{name}={each.game.option(name).write(value)}" for name, value in each.given.items()]
        # A game's list of legal moves decides how many games fit into memory side by side.
        block = 2**17 if each.tables.most_moves > 10_000 else 2**18
        if device == "cpu":
            block = 2**11 if each.tables.most_moves > 10_000 else 2**14
        name = "-".join([each.game.id, *options]).replace("=", "-").replace(",", "-")
        settings = "".join(f" --set {option}" for option in options)
        yield (
            f"snakeden lab random {each.game.id}{settings} --moves {moves} --block {block} --device {device} "
            f"--keep docs/studies/random/{name}.json"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", default="1e8", help="of each (default %(default)s)")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    args = parser.parse_args()
    print(*commands(args.moves, args.device), sep="\n")


if __name__ == "__main__":
    main()
