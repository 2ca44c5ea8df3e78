# ruff: noqa: E501 - lines of the page are as long as those of other pages
"""docs/facts.md, made of the studies in docs/studies/: `python tools/facts.py -o docs/facts.md`.

`--solve` works out anew what is solved, some minutes of processor time, and keeps it in docs/studies/solved.jsonl.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean, median
from typing import Any

import random_facts

from snakeden.arena.ratings import elo
from snakeden.lab.balance import balance
from snakeden.lab.measures import Estimate, Summary, grouped, summarised
from snakeden.lab.pieces import uses
from snakeden.lab.report import number, percent
from snakeden.lab.results import Row, read_rows
from snakeden.lab.statistics import bootstrap, holm, p_of_mean, wilson
from snakeden.lab.study import Setting, read_study
from snakeden.puzzles import collection

STUDIES = Path(__file__).parent.parent / "docs" / "studies"
SEARCH = "mcts:sims=100,solver=no"
SOLVED = {
    "Snekagon, side 3": "--game snekagon --set side=3",
    "Snekagon, side 3, second single": "--game snekagon --set side=3 --set second_single=true",
    "Snekagon, side 4": "--game snekagon --set side=4",
    "Snekagon, side 4, second single": "--game snekagon --set side=4 --set second_single=true",
    "Schlangennest, nest of 2 by 2": "--game schlangennest --set nest=2x2",
    "Schlangennest, nest of 3 by 3": "--game schlangennest --set nest=3x3",
    "Schlangennest, nest of 3 by 4": "--game schlangennest --set nest=3x4",
    "Schlangennest, nest of 3 by 5": "--game schlangennest --set nest=3x5 --memory 1024",
    "Schlangennest, nest of 3 by 6": "--game schlangennest --set nest=3x6 --memory 1024",
    "Schlangennest, nest of 3 by 7": "--game schlangennest --set nest=3x7 --memory 1024",
    "Schlangennest, nest of 4 by 4": "--game schlangennest --set nest=4x4 --memory 1024",
    "Schlangennest, nest of 4 by 5": "--game schlangennest --set nest=4x5 --memory 1024",
    "Schlangennest, nest of 5 by 5": "--game schlangennest --set nest=5x5 --memory 2048 --seconds 600",
}
"""What is solved or was tried, and how `snakeden solve` is asked."""
FIRST_MOVES = tuple(list(SOLVED)[:4])
"""Where the value of every first move is known as well."""
LEVELS_THEN = {
    "level:1": "`greedy:slip=0.25`",
    "level:2": "`mcts:sims=12`",
    "level:3": "`mcts:sims=100`",
    "level:4": "`mcts:sims=600`",
}
"""What studies call levels, as these were when they were played."""


@dataclass(frozen=True)
class Found:
    """A study and its games."""

    name: str
    settings: tuple[Setting, ...]
    rows: dict[str, list[Row]]

    def intro(self) -> str:
        command = f"snakeden lab report docs/studies/{self.name} -o report.html"
        return f"[study](studies/{self.name}.toml), `{command}`."

    def points(self, setting: Setting) -> list[float]:
        """Seat 0's points in every game of a setting."""
        return [row["points"][0] for row in self.rows[setting.key]]

    def summary(self, game: str, options: str, agent: str) -> Summary:
        wanted = (game, options, agent)
        (setting,) = (s for s in self.settings if (s.game, s.options_text, s.seating[0]) == wanted)
        return summarised(setting, self.rows[setting.key])


@cache
def found(name: str) -> Found:
    study = read_study(STUDIES / f"{name}.toml")
    rows = grouped(read_rows(STUDIES / name))
    return Found(name, tuple(s for s in study.settings if s.key in rows), rows)


def share(points: Sequence[float]) -> Estimate:
    return Estimate(fmean(points), *wilson(fmean(points), len(points)))


def table(header: str, rows: Sequence[Sequence[str]], texts: int = 1) -> str:
    """A table; its first columns are texts, the others numbers. `header` names the columns, divided by bars."""
    names = header.split("|")
    line = ["---"] * texts + ["---:"] * (len(names) - texts)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (names, line, *rows)) + "\n"


def probability(p: float) -> str:
    return f"{p:.3f}" if p >= 0.001 else "< 0.001"


def unfair(points: Sequence[float]) -> float:
    """How probable seat 0's points are if two seats are equal, as reports say it."""
    return min(1.0, 2 * min(p_of_mean(points, 0.5), p_of_mean([1 - value for value in points], 0.5)))


def moving_first(study: Found) -> str:
    """A table of settings, with what moving first brings in each."""
    points = [study.points(setting) for setting in study.settings]
    rows = []
    for setting, own, p in zip(study.settings, points, holm([unfair(own) for own in points]), strict=True):
        shared = fmean(max(row["points"]) < 1 for row in study.rows[setting.key])
        options = f"`{setting.options_text}`"
        rows.append((options, str(len(own)), percent(share(own)), f"{100 * shared:.0f} %", probability(p)))
    return table("setting|games|points of seat 0|shared|p (Holm)", rows)


# ---- Snekagon


def boards() -> str:
    study = found("snekagon-boards")
    points = {(s.options_text, s.seating[0]): study.points(s) for s in study.settings}
    corrected = dict(zip(points, holm([unfair(own) for own in points.values()]), strict=True))
    rows = []
    for side in range(3, 9):
        cells = [str(side)]
        for agent in ("random", SEARCH):
            for second in ("", "second_single=true"):
                # The standard side is not named.
                options = " ".join(part for part in (f"side={side}" * (side != 6), second) if part)
                star = " *" if corrected[options, agent] < 0.05 else ""
                cells.append(percent(share(points[options, agent])) + star)
        rows.append(cells)
    made = table("side|random|random, second single|search|search, second single", rows)
    return f"""### Moving first, by board and reading of the rule for singles
{study.intro()} Points of seat 0 between equals; 1,000 games each at random, 300 by search. A star marks those that differ from 50 %
significantly, corrected for the {len(points)} settings.

{made}
On the boards of side 7 and 8 there is room for everybody, and seat 0 has a single more to lay: it wins. With a single for both
most games there are shared.
"""


def first_moves() -> str:
    study = found("snekagon-first-moves")
    ranked = sorted(
        ((s.first_moves[0], share(study.points(s))) for s in study.settings), key=lambda row: -row[1].value
    )
    made = table("first move|points of who plays it", [(move, percent(points)) for move, points in ranked])
    return f"""### First moves on the board of side 6
{study.intro()} 200 games each by `mcts:sims=200,solver=no`; a move stands for all its turns and mirror images.

{made}"""


# ---- what is solved


def solved() -> dict[str, dict[str, Any]]:
    """What `--solve` kept, by name."""
    lines = (STUDIES / "solved.jsonl").read_text(encoding="utf-8").splitlines()
    return {line.pop("name"): line for line in map(json.loads, lines)}


def solve() -> Iterator[str]:
    """Solve everything; a line of JSON for each."""
    for name, asked in SOLVED.items():
        kept: dict[str, Any] = {"name": name, "value": _answer(asked)}
        if name in FIRST_MOVES:
            kept["moves"] = _answer(f"{asked} --moves")["moves"]
        yield json.dumps(kept)


def _answer(asked: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "snakeden", "solve", *asked.split(), "--json"]
    done = subprocess.run(command, capture_output=True)
    if done.returncode not in (0, 1):  # 1: not solved
        done.check_returncode()
    answer: dict[str, Any] = json.loads(done.stdout)
    answer.pop("seconds", None)
    return answer


def _outcome(value: dict[str, Any]) -> str:
    if not value["solved"]:
        return "not solved in this time, on a busy core"
    own, other = value["scores"]
    if own == other:
        return f"shared, {own} : {other}"
    return f"seat 0 wins {own} : {other}" if own > other else f"seat 1 wins {other} : {own}"


def values(game: str) -> str:
    rows = [
        (
            name.partition(", ")[2],
            f"`snakeden solve {SOLVED[name]}`",
            _outcome(kept["value"]),
            f"{kept['value']['positions']:,}",
        )
        for name, kept in solved().items()
        if name.startswith(game)
    ]
    return table("board|command|with best play|positions", rows, 3)


def first_move_values() -> str:
    rows = []
    for name in FIRST_MOVES:
        by_value: dict[int, list[str]] = {}
        for move in solved()[name]["moves"]:
            assert move["low"] == move["high"]
            by_value.setdefault(move["low"], []).append(move["move"])
        told = "; ".join(
            f"{', '.join(by_value[value])}: {value:+}" for value in sorted(by_value, reverse=True)
        )
        rows.append((name.partition(", ")[2], told))
    return table("board|seat 0's lead after each first move, up to symmetry", rows, 2)


def side_5() -> str:
    """How far the proof about side 5 is, by the checkpoint's summary."""
    kept = json.loads((STUDIES / "snekagon-side-5.json").read_text(encoding="utf-8"))
    answers = {
        text: [move for move, answer in kept["moves"].items() if answer is wanted]
        for text, wanted in (("yes", True), ("no", False), ("not known yet", None))
    }
    told = "; ".join(f"{text}: {', '.join(moves)}" for text, moves in answers.items() if moves)
    low = "not known" if kept["low"] < -1000 else f"{kept['low']:+}"
    high = "not known" if kept["high"] > 1000 else f"{kept['high']:+}"
    state = "solved" if kept["low"] == kept["high"] else "not solved yet"
    asked = ", ".join(
        f"{asked:,} after {'one move' if depth == 1 else f'{depth} moves'} ({answered:,} answered)"
        for depth, (asked, answered) in enumerate(kept["depths"])
        if depth
    )
    return f"""Side 5 is {state}. The question "does seat 0 end level or ahead?" was put to

```sh
snakeden solve --game snekagon --set side=5 --goal 0 --checkpoint side-5 --memory 1024
```

which looked at {kept["positions"]:,} positions in {kept["jobs"]:,} jobs on less than one core. Lower bound of seat 0's lead: {low}; upper
bound: {high}. The answer after each first move, up to symmetry: {told}.
Positions asked about: {asked}.
"""


# ---- the other games


def snakes() -> str:
    study = found("snekagon-5g-snakes")
    points: dict[str, list[float]] = {}
    first: list[float] = []
    for setting in study.settings:
        pair = setting.options.get("snakes")
        if pair is None:
            continue
        first += study.points(setting)
        for seat, snake in enumerate(pair):
            points.setdefault(snake, []).extend(row["points"][seat] for row in study.rows[setting.key])
    ranked = sorted(points.items(), key=lambda each: -fmean(each[1]))
    made = table("snake|games|points", [(name, str(len(own)), percent(share(own))) for name, own in ranked])
    rows = []
    for setting in study.settings:
        if "snakes" not in setting.options:
            played = study.rows[setting.key]
            seats = [fmean(row["points"][seat] for row in played) for seat in range(len(setting.seating))]
            shared = fmean(max(row["points"]) < 1 for row in played)
            rows.append(
                (str(len(seats)), f"{100 * shared:.0f} %", ", ".join(f"{100 * own:.0f} %" for own in seats))
            )
    players = "\n".join(
        ["| players | shared victories | points of each seat |", "| --- | ---: | --- |"]
        + [f"| {' | '.join(row)} |" for row in rows]
    )
    return f"""## Snekagon 5G
{study.intro()} Two players on floors of side 4, `mcts:sims=50,solver=no`, every pair of snakes in both orders, 60 games each. A snake's
points, added up over its eight settings:

{made}
Moving first brought {percent(share(first))} over all {len(first):,} games. On floors of side 6 there is so much room that most games are shared,
however many play (100 games each):

{players}
"""


def nests() -> str:
    study = found("schlangennest-nests")
    return f"""### Moving first
{study.intro()} Between equals; two players, standard options but for those named.

{moving_first(study)}"""


def fair_nest() -> str:
    with tempfile.TemporaryDirectory() as folder:
        # Looking costs no game, but a run writes into its folder.
        kept = shutil.copytree(STUDIES / "schlangennest-balance", Path(folder) / "kept")
        result = balance(read_study(STUDIES / "schlangennest-balance.toml"), kept, jobs=1)
    made = table(
        "setting|points of seat 0",
        [(f"`{arm.setting.options_text}`", percent(arm.points)) for arm in result.confirmed],
    )
    own = found("schlangennest-4x4")
    points = share(own.points(own.settings[0]))
    return f"""### A fair setting
[study](studies/schlangennest-balance.toml), `snakeden lab balance docs/studies/schlangennest-balance.toml`. Seven nests, the fence and
the frame, each without and with a point for the first player. The three fairest, measured anew by 1,000 games each:

{made}
The nest of 4 by 4 is the fairest, but these games do not quite show that it is between 45 and 55 %. 2,000 games of its own do
([study](studies/schlangennest-4x4.toml), `snakeden lab report docs/studies/schlangennest-4x4 -o report.html`): seat 0 has {percent(points)} of the points between equals
of this strength. A point for the first player is too much on every nest that was tried.
"""


def duel() -> str:
    study = found("snakey-dice-maps")
    return f"""### Moving first in a duel
{study.intro()} By `mcts:sims=30`.

{moving_first(study)}
No map was shown to favour a seat.
"""


def alone() -> str:
    study = found("snakey-dice-alone")
    rows = []
    for setting in study.settings:
        scores = [float(row["scores"][0]) for row in study.rows[setting.key]]
        mean = Estimate(fmean(scores), *bootstrap(scores))
        agent = setting.seating[0]
        rows.append((LEVELS_THEN.get(agent, agent), str(len(scores)), number(mean)))
    return f"""### Scores alone
{study.intro()} The study
calls these agents by the levels that they were when it was played.

{table("agent|games|mean score", rows)}"""


def turns() -> str:
    """What the puzzles with dice say: the exact values of their positions."""
    puzzles = [puzzle for puzzle in collection("snakey-dice").puzzles if puzzle.values]
    safer, richer = [], []
    for puzzle in puzzles:
        known = puzzle.values or {}
        best = known[puzzle.solutions[0]]
        other = max(value for move, value in known.items() if move not in puzzle.solutions)
        if best[0] - other[0] > 1e-9:
            safer.append(best[0] - other[0])
        else:
            richer.append(best[1] - other[1])
    rows = []
    for name, gains, shown in (
        ("is in after the turn more often", safer, lambda gain: f"{100 * gain:.1f} %"),
        ("is in as often and expects more points", richer, lambda gain: f"{gain:.1f} points"),
    ):
        rows.append(
            (name, str(len(gains)), *((shown(median(gains)), shown(max(gains))) if gains else ("", "")))
        )
    moves = sum(len(puzzle.values or ()) for puzzle in puzzles)
    return f"""### Exact values of turns
`snakeden puzzles prove --game snakey-dice`. In {len(puzzles)} positions of games played alone every choice and every fall of the dice until the
end of the turn was looked at, for all {moves:,} moves. `src/snakeden/puzzles/data/snakey-dice.jsonl` has the values. Who plays the best move
instead of the next best

{table("|positions|by, median|by, at most", rows)}"""


# ---- all games


def depth() -> str:
    study = found("levels")
    games = ("snekagon", "schlangennest")
    ratings: dict[str, dict[str, tuple[float, float]]] = {}
    for game in games:
        results = [
            (s.seating[0], s.seating[1], points)
            for s in study.settings
            if s.game == game
            for points in study.points(s)
        ]
        names = list(dict.fromkeys(name for a, b, _ in results for name in (a, b)))
        ratings[game] = elo(names, results)
    agents = sorted(ratings[games[0]], key=lambda name: ratings[games[0]][name][0])
    rows = [
        (
            LEVELS_THEN.get(name, name),
            *(f"{ratings[game][name][0]:+.0f} ± {ratings[game][name][1]:.0f}" for game in games),
        )
        for name in agents
    ]
    return f"""## How deep the games are
{study.intro()} 400 games each, every pair in both orders; Elo, the mean is 0. The
study calls these agents by the levels that they were when it was played; [today's levels](strength.md#the-levels) differ from game to game.

{table("agent|" + "|".join(games), rows)}"""


def play() -> str:
    settings = (
        ("Snekagon, side 6", "snekagon-boards", "snekagon", "", SEARCH),
        ("Snekagon 5G, two players", "snekagon-5g-snakes", "snekagon-5g", "", "mcts:sims=50,solver=no"),
        ("Schlangennest, nest of 5 by 7", "schlangennest-nests", "schlangennest", "nest=5x7", SEARCH),
        ("Snakey Dice, duel", "snakey-dice-maps", "snakey-dice", "players=2", "mcts:sims=30"),
    )
    rows = []
    for name, study, *which in settings:
        s = found(study).summary(*which)
        told = [percent(value) if value else "" for value in (s.settled, s.comebacks, s.behind, s.matters)]
        rows.append((name, str(s.games), number(s.plies), number(s.branching), *told))
    made = table(
        "game|games|moves|legal moves|settled after|comebacks|behind in the middle|choices that matter", rows
    )
    return f"""## What play is like
From the studies above, between equals. Settled after: the part of a game after which its winner is seen to win with 75 % or more, to the
end, by whoever moves. Comebacks: games whose winner was once seen with 25 % or less. Behind in the middle: games whose winner had
the lower score then. Choices that matter: those whose best move looked better than the second best by 5 % or more. All of it as well
as such agents see it, and only of games that one seat won alone.

{made}"""


def pieces() -> str:
    parts = []
    for name, study, game in (
        ("Tiles of Snekagon, all boards", "snekagon-boards", "snekagon"),
        (
            "Tiles of Snekagon 5G (a player has two of the ten of five hexes)",
            "snekagon-5g-snakes",
            "snekagon-5g",
        ),
        ("Cards of Schlangennest", "schlangennest-nests", "schlangennest"),
        ("Dice, powers and bonuses of Snakey Dice, all maps", "snakey-dice-maps", "snakey-dice"),
    ):
        each = found(study)
        rows = [
            row
            for s in each.settings
            if s.game == game and s.seating[0] != "random" and len(s.seating) == 2
            for row in each.rows[s.key]
        ]
        used = uses(rows)
        cells = [
            (
                use.piece,
                percent(use.users),
                f"{use.times:.2f}",
                f"{use.won:.2f}",
                f"{use.lost:.2f}",
                probability(p),
            )
            for use, p in zip(used, holm([use.p for use in used]), strict=True)
        ]
        made = table("piece|used by|times a game|by winners|by losers|p (Holm)", cells)
        parts.append(
            f"### {name}\n[study](studies/{study}.toml), {len(rows):,} games of two, by search.\n\n{made}"
        )
    return """## What is used
How many players use a piece by their own choice in a game, and how often those who win alone and those who lose do. A tile's code is its
number of hexes, then straight, left or right at each inner hex. p is of the difference, corrected. Who wins a long game uses more of
everything: that a piece goes with winning does not say that it makes a winner.

""" + "\n".join(parts)


def page() -> str:
    """The whole page."""
    return f"""# Facts

What the [lab](lab.md) has found so far. Every table comes from a study in this repository with its games. The command beside it
writes the whole report, and `snakeden lab run` plays the games anew. Intervals are of 95 %. Seat 0 moves first. "Search" is
`{SEARCH}` unless something else is named: facts are about games between such players, and better ones may
find something else. `python tools/facts.py -o docs/facts.md` makes this page of the studies.

## Snekagon
{boards()}
{first_moves()}
### Solved
{values("Snekagon")}
The first moves of these boards, by `snakeden solve` with `--moves`:

{first_move_values()}
{side_5()}
{snakes()}
## Schlangennest
{nests()}
{fair_nest()}
### Solved
{values("Schlangennest")}
The nest of 4 by 4, the fairest between searching equals, is shared under best play, too. The nests of 3 by 7, 4 by 5
and 5 by 5 were given to the solver when it still looked at every game to its end; now it looks at about a third fewer positions.

On the recommended nest whoever begins with the tail or the head loses by three points or more. With `head.txt` of the lines
`[Game "schlangennest"]`, `[Rules "1"]`, an empty one and `1. H(0,0)N`, `snakeden solve head.txt --seconds 150` says that seat 0's lead is -3 at most
(46,785,454 positions), and so it does for `T(0,0)N` (47,571,689). Which way the card lies does not matter: the first position
looks the same from all sides. Whether a straight or a curve loses was not found out with 18 million positions each.

## Snakey Dice
{duel()}
{alone()}
{turns()}
{depth()}
{play()}
{random_facts.section()}
{pieces()}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "-o", "--out", type=Path, metavar="FILE", help="where to write the page (default: print)"
    )
    parser.add_argument("--solve", action="store_true", help="solve anew what is solved, and keep it")
    args = parser.parse_args()
    if args.solve:
        lines = list(solve())
        (STUDIES / "solved.jsonl").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    if args.out:
        args.out.write_text(page(), encoding="utf-8")
    else:
        print(page(), end="")


if __name__ == "__main__":
    main()
