"""`snakeden arena AGENT AGENT…`: let agents play each other, and rate them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path

from snakeden.agents import known_names
from snakeden.arena import Match, Played, Standing, play_all, sprt, standings
from snakeden.arena.ratings import points_of
from snakeden.cli.game_options import add_settings, read_options
from snakeden.cli.lab import add_workers
from snakeden.core.registry import game as find_game
from snakeden.core.registry import games

_MOST_ELO = 4000
"""Differences beyond this cannot be distinguished from a clean sweep."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "agents",
        metavar="AGENT",
        nargs="+",
        help=f"two or more of {known_names()}, engine:COMMAND (see docs/engines.md)",
    )
    parser.add_argument(
        "--game", metavar="ID", default="snekagon", help=", ".join(games()) + " (default snekagon)"
    )
    add_settings(parser)
    parser.add_argument("--games", type=int, default=100, help="how many games in all (default 100)")
    parser.add_argument("--seed", type=int, default=0, help="decides openings, dice and agents (default 0)")
    parser.add_argument(
        "--opening",
        type=int,
        metavar="PLIES",
        help="random moves at the start (default 1; none alone, and where a game begins with dice)",
    )
    parser.add_argument(
        "--balanced",
        action="store_true",
        help="draw the random moves again as long as a short search thinks that they favour a seat",
    )
    add_workers(parser)
    parser.add_argument(
        "--sprt",
        metavar="ELO0,ELO1",
        help="with two agents: stop as soon as the first one's advantage is shown to be one or the other",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="append every game as a line of JSON, and go on where that file ends",
    )
    parser.add_argument(
        "--visits", action="store_true", help="keep in the records how often searches tried each move"
    )
    parser.add_argument(
        "--json", action="store_true", help="print every game and, last, the table as objects"
    )


def run(args: argparse.Namespace) -> int:
    game = find_game(args.game)
    options = read_options(game, args.settings)
    match = Match(
        tuple(args.agents),
        game.id,
        options,
        args.games,
        args.seed,
        args.opening,
        balanced=args.balanced,
        visits=args.visits,
    )
    hypotheses = _hypotheses(args.sprt, match)
    played: list[Played] = []
    verdict = 0
    stopped = False
    with (
        _shown(match, len(match.plan()), plain=args.json) as show,
        closing(play_all(match, on=args.on, jobs=args.jobs, out=args.out)) as results,
    ):
        try:
            for result in results:
                played.append(result)
                if args.json:
                    print(json.dumps(asdict(result), ensure_ascii=False), flush=True)
                if result.error:
                    print(f"snakeden arena: game {result.index} broke: {result.error}", file=sys.stderr)
                for forfeit in result.forfeits:
                    print(f"snakeden arena: game {result.index} lost by {forfeit}", file=sys.stderr)
                show(played)
                if hypotheses is not None:
                    verdict = sprt(points_of(match.agents[0], played), *hypotheses)
                    if verdict:
                        break
        except KeyboardInterrupt:
            stopped = True
    table = standings(match.agents, played)
    broken = sum(bool(result.error) for result in played)
    forfeited = sum(bool(result.forfeits) for result in played)
    if args.json:
        last = {
            "agents": [asdict(standing) for standing in table],
            "broken": broken,
            "forfeited": forfeited,
            "interrupted": stopped,
        }
        if hypotheses is not None:
            last["sprt"] = {1: "elo1", -1: "elo0", 0: "open"}[verdict]
        print(json.dumps(last))
    else:
        for line in table_lines(table):
            print(line)
        if verdict and hypotheses is not None:
            print(
                f"The test ended: {match.agents[0]} is {hypotheses[verdict == 1]:+.0f} Elo rather than "
                f"{hypotheses[verdict != 1]:+.0f}."
            )
        if forfeited:
            print(
                f"{forfeited} of {len(played)} games were lost by engines that crashed, cheated or took too long."
            )
        if broken:
            print(f"{broken} of {len(played)} games broke and count for nobody.")
    return 130 if stopped else 0


def table_lines(table: list[Standing]) -> list[str]:
    """The table as lines of text."""
    width = max(len("agent"), *(len(standing.agent) for standing in table))
    lines = [
        f"{'agent':{width}}  games   wins  draws losses  points  share (95 %)      Elo (95 %)   mean score (95 %)"
    ]
    lines += [
        f"{s.agent:{width}} {s.games:6} {s.wins:6} {s.draws:6} {s.losses:6} {s.points:7.1f} "
        f"{100 * s.share:6.1f} % ± {100 * s.share_error:<4.1f}"
        f"{s.elo:+7.0f} ± {s.elo_error:<5.0f} {s.mean_score:9.1f} ± {s.score_error:.1f}"
        for s in table
    ]
    return lines


def _hypotheses(text: str | None, match: Match) -> tuple[float, float] | None:
    if text is None:
        return None
    if len(match.agents) != 2:
        raise ValueError("--sprt compares two agents")
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"--sprt {text} is not possible: give two Elo differences, such as 0,50") from None
    if not -_MOST_ELO <= low < high <= _MOST_ELO:
        raise ValueError(
            f"--sprt {text} is not possible: give Elo differences from -{_MOST_ELO} to {_MOST_ELO}, "
            "the smaller one first"
        )
    return low, high


@contextmanager
def _shown(match: Match, total: int, *, plain: bool) -> Iterator[Callable[[list[Played]], None]]:
    """A live table with a progress bar on the error stream, where somebody is looking."""
    if plain or not sys.stderr.isatty():
        yield lambda played: None
        return
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.text import Text

    bar = Progress(TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    task = bar.add_task("games", total=total)
    with Live(bar, console=Console(stderr=True), transient=True, refresh_per_second=4) as live:

        def show(played: list[Played]) -> None:
            bar.update(task, completed=len(played))
            live.update(Group(Text("\n".join(table_lines(standings(match.agents, played)))), bar))

        yield show
