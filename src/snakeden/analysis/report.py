"""An analysis in words: a line a move, and a summary a player."""

from __future__ import annotations

import re

from snakeden.analysis.measure import MARKS
from snakeden.analysis.plies import Analysis, Ply
from snakeden.core.registry import game as find_game
from snakeden.words import Message, Player, word

_SERIOUS = ("inaccuracy", "mistake", "blunder")
"""What is worth a word about what would have been better."""
_LEVEL = re.compile(r"level:\d")


def is_serious(ply: Ply) -> bool:
    """Whether a move gave so much away that a better one is shown."""
    return ply.mark in _SERIOUS


def title(analysis: Analysis, language: str = "en") -> str:
    """What was played, by whom, and how it ended."""
    record = analysis.record
    names = " – ".join(name_of(analysis, seat, language) for seat in range(seats(analysis)))
    outcome = "" if record.outcome is None else ", " + " : ".join(map(str, record.outcome.scores))
    return f"{find_game(record.game).name}: {names}{outcome}"


def seats(analysis: Analysis) -> int:
    """How many play."""
    return next(len(ply.value.scores) for ply in analysis.plies if ply.value is not None)


def name_of(analysis: Analysis, seat: int, language: str = "en") -> str:
    return word(Player(seat), language, analysis.record.seats)


def standing(ply: Ply) -> Message:
    """How the game stands before a move: chances to win and expected scores."""
    assert ply.value is not None
    points = tuple(round(score) for score in ply.value.scores)
    if len(points) == 1:
        return Message("analysis.expected", points=points[0])
    return Message(
        "analysis.chances", chances=tuple(round(100 * won) for won in ply.value.wins), points=points
    )


def loss(ply: Ply) -> Message:
    """What a move gave away, and what would have been better."""
    best = ply.candidates[0]
    alone = len(best.value.scores) == 1
    lost = round(ply.given_away, 1) if alone else round(100 * ply.given_away)
    return Message("analysis.lost_points" if alone else "analysis.lost_chance", n=lost, better=best.move)


def at_best(analysis: Analysis, seat: int) -> Message | None:
    """What a level would have played at its best, where it played worse; None for people and where there is nothing."""
    names = analysis.record.seats
    if seat >= len(names) or not _LEVEL.fullmatch(names[seat]):
        return None
    instead = tuple(
        Message("analysis.instead", n=ply.number + 1, move=ply.move or "", better=ply.candidates[0].move)
        for ply in analysis.plies
        if ply.player == seat and is_serious(ply)
    )
    return Message("analysis.at_best", who=Player(seat), moves=instead) if instead else None


def mark(name: str) -> Message:
    return Message(f"analysis.mark.{name}")


def lines(analysis: Analysis, language: str = "en") -> list[str]:
    """The analysis as text, line by line."""
    names = analysis.record.seats
    text = [title(analysis, language), ""]
    for ply in analysis.plies:
        if ply.player is None or ply.value is None:
            continue
        # What was played comes first; the last position of an unfinished game has only its standing.
        number = f"{ply.number + 1:>4}. " if ply.move else "      "
        marked = word(mark(ply.mark), language) if ply.mark else ""
        proof = f" ({word(ply.proof, language)})" if ply.proof else ""
        who = name_of(analysis, ply.player, language)
        text.append(
            f"{number}{who:<12} {ply.move or '':<20} {marked:<12} {word(standing(ply), language)}{proof}"
        )
        if is_serious(ply):
            does = "; ".join(word(one, language, names) for one in ply.candidates[0].does)
            text.append(f"{'':19}{word(loss(ply), language)}{f' ({does})' if does else ''}")
            text.append(f"{'':19}{' '.join(ply.candidates[0].main)}")
    return [*text, "", *summary(analysis, language)]


def summary(analysis: Analysis, language: str = "en") -> list[str]:
    """For each seat, how often its moves got each mark; for levels also what they would have played."""
    lines = []
    for seat in range(seats(analysis)):
        marks = analysis.marks(seat)
        counts = ", ".join(f"{word(mark(name), language)} {marks[name]}" for name in MARKS)
        lines.append(f"{name_of(analysis, seat, language)}: {counts}")
        better = at_best(analysis, seat)
        if better is not None:
            lines.append(word(better, language, analysis.record.seats))
    return lines
