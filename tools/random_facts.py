# ruff: noqa: E501 - lines of the page are as long as those of other pages
"""The part of docs/facts.md about random play, made of the sums in docs/studies/random/.

`python tools/random_facts.py --moves 1e7 --plies 1e10 --device cuda` prints the commands that play the games: one for
every game with every set of options that its stored games have. A file is named by what it holds, and a command goes on
from it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from math import floor, log10, sqrt
from pathlib import Path

from snakeden.core.game import Variant, variant
from snakeden.core.registry import game_ids, games
from snakeden.lab.measures import Estimate
from snakeden.lab.random_play import Kept, read_kept
from snakeden.lab.random_sums import figures, playout_figures

ROOT = Path(__file__).parent.parent
SUMS = ROOT / "docs" / "studies" / "random"
STORED = ROOT / "tests" / "data"
DIGITS = 4


def digits(estimate: Estimate, scale: float = 1) -> str:
    """A number to four digits, or to as many as are known within five of the last one."""
    value, half = scale * estimate.value, scale * (estimate.high - estimate.low) / 2
    if not value:
        return "0"
    wanted = DIGITS - 1 - floor(log10(abs(value)))
    known = -floor(log10(2 * half)) if half > 0 else DIGITS
    return f"{value:.{max(0, min(wanted, known))}f}"


def shortest_number(total: int, squared: int, games: int, kept: Kept) -> str:
    """A short number of moves or plies that asks for the same blocks, of which there are so many in all games."""
    mean = total / games
    # What the last block has at least: sums of blocks hardly differ.
    spread = sqrt(kept.block * max(0.0, squared / games - mean**2))
    least = total - max(kept.block, int(kept.block * mean - 6 * spread)) + 1
    for places in range(17):
        unit = 10 ** max(0, len(str(total)) - 1 - places)
        if (number := total // unit * unit) >= least:
            break
    return f"{number:.{places}e}".replace("e+0", "e").replace("e+", "e")


def command(kept: Kept) -> str:
    """What plays these games."""
    asked = "".join(f" --set {name}={value}" for name, value in kept.options.items())
    stepped, played_out = kept.sums, kept.playouts
    if stepped.games:
        asked += f" --moves {shortest_number(stepped.moves, stepped.moves_squared, stepped.games, kept)}"
    if played_out.games:
        asked += (
            f" --plies {shortest_number(played_out.plies, played_out.plies_squared, played_out.games, kept)}"
        )
    seed = f" --seed {kept.seed}" if kept.seed else ""
    return f"snakeden lab random {kept.game}{asked} --block {kept.block}{seed}"


HEADER = (
    "command",
    "games",
    "moves of a game",
    "plies",
    "legal moves",
    "scores",
    "points",
    "shared victories",
)


def row(kept: Kept) -> list[str]:
    """The cells of one set of options, as in HEADER."""
    stepped = figures(kept.sums) if kept.sums.games else None
    played_out = playout_figures(kept.playouts) if kept.playouts.games else None
    found = played_out or stepped
    assert found is not None, "a file holds games"
    has_dice = games()[kept.game].chance
    # Without dice plies are moves, and more of them are played out than stepped.
    lengths = stepped if has_dice else found
    plies = played_out if has_dice else None
    return [
        f"`{command(kept)}`",
        f"{found.games:,}",
        *(
            f"{digits(each.length)} ({each.shortest} to {each.longest})" if each else ""
            for each in (lengths, plies)
        ),
        digits(stepped.choices) if stepped else "",
        ", ".join(map(digits, found.scores)),
        ", ".join(f"{digits(share, 100)} %" for share in found.points) or "alone",
        f"{digits(found.shared, 100)} %" if found.points else "",
    ]


def table(rows: Sequence[Sequence[str]]) -> str:
    """Without columns that are empty."""
    used = [k for k in range(len(HEADER)) if any(cells[k] for cells in rows)]
    lines = (HEADER, ["---", *["---:"] * (len(HEADER) - 1)], *rows)
    return "".join(f"| {' | '.join(cells[k] for k in used)} |\n" for cells in lines)


def section() -> str:
    """All tables, one for each game."""
    order = list(game_ids())
    kept = sorted(
        map(read_kept, SUMS.glob("*.json")),
        key=lambda each: (order.index(each.game), sorted(each.options.items())),
    )
    parts = [
        f"### {games()[game].name}\n{table([*map(row, rows)])}"
        for game, rows in groupby(kept, key=lambda each: each.game)
    ]
    return """## At random
What the games are like when everybody moves at random, with the options that the games of the test suite are played with. The same command
gives the same figures, on a CPU and, with `--device cuda`, on a GPU; `docs/studies/random` has the sums. A figure has four digits, or
as many as are known within five of the last one, with 95 % confidence. Moves are those of players; plies are moves and rolls of dice. Games that
are stepped (`--moves`) tell how many moves are legal, and where there are dice how many moves a game has. All other figures are
of games that are played out (`--plies`), and so is the number of games. Scores and points are by seat.

""" + "\n".join(parts)


def stored_variants() -> Iterator[Variant]:
    """Every game with every set of options that its stored games have."""
    for game_id, game in games().items():
        lines = (STORED / f"{game_id}.jsonl").read_text(encoding="utf-8").splitlines()
        seen = {json.dumps(json.loads(line)["options"], sort_keys=True) for line in lines if line.strip()}
        for options in sorted(seen, key=lambda text: (len(text), text)):
            yield variant(game, json.loads(options))


def commands(asked: str, device: str) -> Iterator[str]:
    """What plays the games of all tables, into their files; `asked` is how many."""
    for each in stored_variants():
        options = [f"{name}={each.game.option(name).write(value)}" for name, value in each.given.items()]
        name = "-".join([each.game.id, *options]).replace("=", "-").replace(",", "-")
        file = SUMS / f"{name}.json"
        block = read_kept(file).block if file.exists() else new_block(each, device)
        settings = "".join(f" --set {option}" for option in options)
        yield (
            f"snakeden lab random {each.game.id}{settings}{asked} --block {block} --device {device} "
            f"--keep {file.relative_to(ROOT)}"
        )


def new_block(variant: Variant, device: str) -> int:
    """A game's list of legal moves decides how many games fit into memory side by side."""
    has_long_lists = variant.tables.most_moves > 10_000
    if device == "cpu":
        return 2**11 if has_long_lists else 2**14
    return 2**17 if has_long_lists else 2**18


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", help="that are stepped, of each (default 1e8, or none with --plies)")
    parser.add_argument("--plies", help="that are played out, of each")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    args = parser.parse_args()
    moves = args.moves or (None if args.plies else "1e8")
    asked = (f" --moves {moves}" if moves else "") + (f" --plies {args.plies}" if args.plies else "")
    print(*commands(asked, args.device), sep="\n")


if __name__ == "__main__":
    main()
