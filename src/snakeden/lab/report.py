"""What a study found, as a report: tables with intervals, plots, and what is significant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean

from snakeden.arena.ratings import elo
from snakeden.core.registry import game as find_game
from snakeden.core.state import new_game
from snakeden.lab import plots
from snakeden.lab.document import Block, Code, Figure, Heading, Paragraph, Table
from snakeden.lab.measures import Estimate, Summary, grouped, summarised
from snakeden.lab.pieces import uses
from snakeden.lab.results import Row, read_rows
from snakeden.lab.statistics import holm, p_of_difference
from snakeden.lab.study import BadStudy, Setting, Study, different_moves, read_study

_SIGNIFICANT = 0.05
_MOST_COMPARISONS = 30
"""Rows of the table of differences, the clearest first."""


def report(folder: Path) -> tuple[str, list[Block]]:
    """The title of the study in a folder, and its report. Raises BadStudy."""
    kept = folder / "study.toml"
    if not kept.exists():
        raise BadStudy(f"{folder} is not the folder of a study: it has no study.toml")
    study, rows = read_study(kept), grouped(read_rows(folder))
    played = [setting for setting in study.settings if setting.key in rows]
    if not played:
        raise BadStudy(f"{folder} has no games yet: snakeden lab run plays them")
    found = [summarised(setting, rows[setting.key]) for setting in played]
    labels = dict(zip((setting.key for setting in played), _labels(played), strict=True))
    several = [summary for summary in found if len(summary.points) > 1]
    blocks: list[Block] = [Paragraph(study.question)] if study.question else []
    blocks += _played(study, found)
    if several:
        blocks += _who_wins(several, labels)
        blocks += _options(several)
        blocks += _differences(several, rows, labels)
        blocks += _agents(several, rows)
    blocks += _first_moves(several)
    blocks += _scores(found, rows, labels)
    blocks += _play(found, rows, labels)
    blocks += _pieces(played, rows)
    blocks += _again(folder)
    return study.title, blocks


def _labels(settings: Sequence[Setting]) -> list[str]:
    """What distinguishes the settings of a study, as short as it can be."""
    parts, alike = [], _alike(settings)
    for s in settings:
        equal = len(set(s.seating)) == 1
        agents = s.seating[0] if equal else " – ".join(s.seating)
        opening = f"opening {s.opening}" if s.opening else ""
        given = [f"{name}={text}" for name, text in s.given if (name, text) not in alike[s.game]]
        parts.append((s.game, " ".join(given) or "standard", " ".join(s.first_moves), agents, opening))
    # A single setting is called by its options.
    varied = [k for k in range(5) if len({part[k] for part in parts}) > 1] or [1]
    return [", ".join(part[k] for k in varied if part[k]) for part in parts]


def _alike(settings: Sequence[Setting]) -> dict[str, list[tuple[str, str]]]:
    """Per game the options that all its settings have, if there are several."""
    found = {}
    for game in dict.fromkeys(s.game for s in settings):
        given = [s.given for s in settings if s.game == game]
        found[game] = [
            option for option in given[0] if len(given) > 1 and all(option in one for one in given)
        ]
    return found


def percent(estimate: Estimate) -> str:
    """As in "52.0 % (49.1 to 54.9)"."""
    return f"{100 * estimate.value:.1f} % ({100 * estimate.low:.1f} to {100 * estimate.high:.1f})"


def number(estimate: Estimate) -> str:
    """As in "12.4 (11.9 to 12.9)"."""
    return f"{estimate.value:.1f} ({estimate.low:.1f} to {estimate.high:.1f})"


def _played(study: Study, found: Sequence[Summary]) -> Iterator[Block]:
    games = sum(summary.games for summary in found)
    yield Paragraph(
        f"{games:,} games in {_settings(len(found))}, seed {study.seed}. Intervals are of 95 %: of shares by Wilson's "
        "score, of means by the bootstrap. Seats are counted from 0, which moves first. A shared victory counts "
        "in parts."
    )
    for game, options in _alike([summary.setting for summary in found]).items():
        if options:
            listed = ", ".join(f"{name}={text}" for name, text in options)
            yield Paragraph(f"All settings of {game} have {listed}.")
    agents = {agent for summary in found for agent in summary.setting.seating}
    if len(agents) == 1:
        yield Paragraph(f"Every seat is played by {agents.pop()}.")
    missing = len(study.settings) - len(found)
    if missing:
        yield Paragraph(f"Without games yet: {_settings(missing)} of the study.")
    clocks = [s for s in found if not s.setting.repeatable]
    if clocks:
        yield Paragraph(
            f"In {_settings(len(clocks))} agents watch the clock: their games cannot be repeated."
        )


def _settings(count: int) -> str:
    return f"{count} setting{'s' if count != 1 else ''}"


def _who_wins(found: Sequence[Summary], labels: dict[str, str]) -> Iterator[Block]:
    yield Heading("Who wins")
    corrected = holm([summary.unfair for summary in found])
    seats = max(len(summary.points) for summary in found)
    header = ("setting", "games", *(f"seat {seat}" for seat in range(seats)), "shared", "p (Holm)", "")
    rows = []
    for summary, p in zip(found, corrected, strict=True):
        shares = [percent(points) for points in summary.points] + [""] * (seats - len(summary.points))
        verdict = _favoured(summary) if p < _SIGNIFICANT else ""
        shared = f"{100 * summary.shared:.1f} %"
        label = labels[summary.setting.key]
        rows.append((label, str(summary.games), *shares, shared, _probability(p), verdict))
    yield Table(header, tuple(rows))
    yield Paragraph(
        "p: how probable shares so far from equal would be if the seats were equal, corrected for the number of "
        "settings. The last column names the seat that is favoured where p is below 0.05."
    )
    for count in sorted({len(summary.points) for summary in found}):
        shown = [s for s in found if len(s.points) == count]
        yield Figure(
            plots.intervals(
                "Points of seat 0",
                [(labels[s.setting.key], s.points[0]) for s in shown],
                reference=1 / count,
                unit="%",
            ),
            f"Points of seat 0 with their intervals; the line is a fair share of {count} seats.",
        )


def _favoured(summary: Summary) -> str:
    values = [points.value for points in summary.points]
    return f"seat {values.index(max(values))}"


def _probability(p: float) -> str:
    return f"{p:.3f}" if p >= 0.001 else "< 0.001"


def _options(found: Sequence[Summary]) -> Iterator[Block]:
    """A matrix of seat 0's points for every two options that both vary, all else equal."""
    groups: dict[tuple[str, ...], list[Summary]] = {}
    for summary in found:
        s = summary.setting
        if len(summary.points) == 2:
            groups.setdefault((s.game, *s.seating, str(s.opening), *s.first_moves), []).append(summary)
    for (game, agent, *_), group in groups.items():
        options = [dict(summary.setting.options) for summary in group]
        option = find_game(game).option
        full = [
            {
                name: option(name).write(value)
                for name, value in new_game(game, **given).variant.options.items()
            }
            for given in options
        ]
        varied = [name for name in full[0] if len({some[name] for some in full}) > 1]
        if len(varied) != 2:
            continue
        # The longer list goes down the page.
        first, second = sorted(varied, key=lambda name: -len({some[name] for some in full}))
        values = {(o[first], o[second]): s.points[0].value for o, s in zip(full, group, strict=True)}
        left, top = ([*dict.fromkeys(o[name] for o in full)] for name in (first, second))
        grid = [[values.get((a, b)) for b in top] for a in left]
        picture = plots.matrix(f"{first} and {second}", [f"{first}={a}" for a in left], top, grid)
        yield Figure(picture, f"{game}, {agent}: points of seat 0 by {first} (down) and {second} (across).")


def _differences(
    found: Sequence[Summary], rows: dict[str, list[Row]], labels: dict[str, str]
) -> Iterator[Block]:
    """Settings that differ in one thing, compared by the points of seat 0."""
    pairs = [(a, b) for a, b in combinations(found, 2) if _one_apart(a.setting, b.setting)]
    if not pairs:
        return
    points = {s.setting.key: [row["points"][0] for row in rows[s.setting.key]] for s in found}
    tested = holm([p_of_difference(points[a.setting.key], points[b.setting.key]) for a, b in pairs])
    clear = sorted((p, k) for k, p in enumerate(tested) if p < _SIGNIFICANT)
    yield Heading("What differs")
    yield Paragraph(
        f"{len(pairs)} pairs of settings differ in one thing only. In {len(clear)} of them the points of seat 0 differ "
        "significantly, after Holm's correction."
    )
    if clear:
        shown = []
        for p, k in clear[:_MOST_COMPARISONS]:
            a, b = pairs[k]
            difference = 100 * (a.points[0].value - b.points[0].value)
            shown.append(
                (labels[a.setting.key], labels[b.setting.key], f"{difference:+.1f} %", _probability(p))
            )
        yield Table(("one", "other", "difference", "p (Holm)"), tuple(shown), left=2)


def _one_apart(a: Setting, b: Setting) -> bool:
    if a.game != b.game or len(a.seating) != len(b.seating):
        return False
    one, other = ({"agents": s.seating, "opening": s.opening, "first": s.first_moves} for s in (a, b))
    given = [dict(s.given) for s in (a, b)]
    names = set(given[0]) | set(given[1])
    apart = sum(one[key] != other[key] for key in one)
    return apart + sum(given[0].get(name) != given[1].get(name) for name in names) == 1


def _agents(found: Sequence[Summary], rows: dict[str, list[Row]]) -> Iterator[Block]:
    """Elo of agents that met each other."""
    games: dict[str, list[tuple[str, str, float]]] = {}
    for summary in found:
        seating = summary.setting.seating
        if len(seating) == 2 and seating[0] != seating[1]:
            place = f"{summary.setting.game} {summary.setting.options_text}".strip()
            met = games.setdefault(place, [])
            met += [(*seating, row["points"][0]) for row in rows[summary.setting.key]]
    for place, results in games.items():
        names = list(dict.fromkeys(name for a, b, _ in results for name in (a, b)))
        ratings = sorted(elo(names, results).items(), key=lambda rated: rated[1][0])
        yield Heading(f"How far apart the agents are: {place}", 3)
        table = []
        for (name, (rating, error)), before in zip(ratings, [None, *ratings], strict=False):
            step = "" if before is None else f"{rating - before[1][0]:.0f}"
            table.append((name, f"{rating:+.0f} ± {error:.0f}", step))
        yield Table(("agent", "Elo", "above the last"), tuple(table))
        span = ratings[-1][1][0] - ratings[0][1][0]
        yield Paragraph(f"From the weakest to the strongest it is {span:.0f} Elo, over {len(results)} games.")


def _first_moves(found: Sequence[Summary]) -> Iterator[Block]:
    """First moves ranked, and on the board."""
    groups: dict[tuple[str, str, tuple[str, ...]], list[Summary]] = {}
    for summary in found:
        s = summary.setting
        if len(s.first_moves) == 1:
            groups.setdefault((s.game, s.options_text, s.seating), []).append(summary)
    for (game, options, seating), group in groups.items():
        if len(group) < 2:
            continue
        start = new_game(game, **group[0].setting.options)
        alike = different_moves(start)
        ranked = sorted(group, key=lambda summary: -summary.points[0].value)
        yield Heading(f"First moves: {' '.join((game, options)).strip()}, {seating[0]}")
        rows = tuple(
            (
                s.setting.first_moves[0],
                str(len(alike.get(s.setting.first_moves[0], [""]))),
                percent(s.points[0]),
            )
            for s in ranked
        )
        yield Table(("move", "alike", "points of who plays it"), rows)
        low, high = ranked[-1].points[0].value, ranked[0].points[0].value
        weights = [
            (move, 0.05 + 0.95 * (s.points[0].value - low) / ((high - low) or 1))
            for s in group
            for move in alike.get(s.setting.first_moves[0], list(s.setting.first_moves))
        ]
        yield Figure(
            start.svg(candidates=weights),
            f"First moves by the points they bring: the stronger the mark, the more, from {100 * low:.0f} to "
            f"{100 * high:.0f} %.",
        )


def _scores(found: Sequence[Summary], rows: dict[str, list[Row]], labels: dict[str, str]) -> Iterator[Block]:
    yield Heading("Scores and length")
    seats = max(len(summary.scores) for summary in found)
    header = ("setting", "games", *(f"score of seat {seat}" for seat in range(seats)), "moves", "legal moves")
    table = []
    for s in found:
        scores = [number(score) for score in s.scores] + [""] * (seats - len(s.scores))
        table.append((labels[s.setting.key], str(s.games), *scores, number(s.plies), number(s.branching)))
    yield Table(header, tuple(table))
    best = [(labels[s.setting.key], [float(max(r["scores"])) for r in rows[s.setting.key]]) for s in found]
    yield Figure(
        plots.boxes("Best scores", best), "The best score of a game: the middle half, the median, 5 to 95 %."
    )
    lengths = [(labels[s.setting.key], [float(r["plies"]) for r in rows[s.setting.key]]) for s in found]
    yield Figure(
        plots.boxes("Moves", lengths), "Moves and rolls of a game: the middle half, the median, 5 to 95 %."
    )


def _play(found: Sequence[Summary], rows: dict[str, list[Row]], labels: dict[str, str]) -> Iterator[Block]:
    yield Heading("What play is like")
    table = []
    for s in found:
        cells = [
            percent(value) if value is not None else ""
            for value in (s.settled, s.comebacks, s.behind, s.matters)
        ]
        if any(cells):
            table.append((labels[s.setting.key], *cells))
    if table:
        yield Table(
            ("setting", "settled after", "comebacks", "behind in the middle", "choices that matter"),
            tuple(table),
        )
        yield Paragraph(
            "Settled after: the part of a game after which its winner is seen to win with 75 % or more, to the end, by "
            "whoever moves. Comebacks: games whose winner was once seen with 25 % or less. Behind in the middle: games "
            "whose winner had the lower score then. Choices that matter: those whose best move looked better than the "
            "second best by 5 % or more. For two seats, and as well as the agents see it."
        )
    shown = found[:8]
    series = [(labels[s.setting.key], _by_choice(rows[s.setting.key])) for s in shown]
    yield Figure(
        plots.lines(
            "Legal moves", [(name, values) for name, values in series if values], "choice of the game"
        ),
        "Legal moves at each choice, on average"
        + (f"; the first {len(shown)} settings." if len(shown) < len(found) else "."),
    )


def _by_choice(rows: Sequence[Row]) -> list[float]:
    """The mean number of legal moves at the first choice, the second, and so on, while half of the games go on."""
    lengths = sorted(len(row["legal"]) for row in rows)
    return [
        fmean(row["legal"][k] for row in rows if len(row["legal"]) > k)
        for k in range(lengths[len(lengths) // 2])
    ]


def _pieces(played: Sequence[Setting], rows: dict[str, list[Row]]) -> Iterator[Block]:
    yield Heading("What is used")
    several = False
    for game in dict.fromkeys(setting.game for setting in played):
        found = uses([row for s in played if s.game == game for row in rows[s.key]])
        compared = any(use.won is not None and use.lost is not None for use in found)
        several = several or compared
        header = (
            "piece",
            "used by",
            "times a game",
            *(("by winners", "by losers", "p (Holm)") if compared else ()),
        )
        table = [
            (
                use.piece,
                percent(use.users),
                f"{use.times:.2f}",
                *((f"{use.won:.2f}", f"{use.lost:.2f}", _probability(p)) if compared else ()),
            )
            for use, p in zip(found, holm([use.p for use in found]), strict=True)
        ]
        yield Heading(game, 3)
        yield Table(header, tuple(table))
    yield Paragraph(
        "Used by: the share of players who used the piece by their own choice in a game, over all settings. Times a "
        "game: how often a player did."
        + (
            " p: how probable the difference between winners and losers is if the piece makes no difference."
            * several
        )
    )


def _again(folder: Path) -> Iterator[Block]:
    yield Heading("To repeat it")
    yield Code(
        f"snakeden lab run {folder.name}/study.toml -o again\nsnakeden lab report again -o report.html"
    )
    yield Paragraph("The study itself:")
    yield Code((folder / "study.toml").read_text(encoding="utf-8").strip())
