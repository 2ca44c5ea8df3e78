"""What the pages for lessons, puzzles and analysis ask for: plain functions of what was sent, as what JSON can hold."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from snakeden import analysis, lessons, puzzles
from snakeden.core.errors import BadOption, BadRecord, IllegalMove
from snakeden.core.game import CHANCE
from snakeden.core.registry import game as find_game
from snakeden.core.registry import games
from snakeden.core.state import State
from snakeden.puzzles import Puzzle
from snakeden.records import read, record, variations_text
from snakeden.server.errors import NotFound, NotPossible
from snakeden.server.openings import opening
from snakeden.server.sharing import film_of
from snakeden.server.view import picture, seen_after, spoken, why_not
from snakeden.words import to_data

SIMULATIONS = 2000
"""This many are spent on a position of an analysis."""


def _played(game: str, options: Mapping[str, Any], moves: Sequence[str]) -> State:
    try:
        state = opening(game, options)
        for move in moves:
            state = state.play(move)
    except BadOption as error:
        raise NotPossible("bad-option", reason=error.message) from None
    except IllegalMove as error:
        raise NotPossible("illegal-move", reason=error.message) from None
    return state


def position(game: str, options: Mapping[str, Any], moves: Sequence[str]) -> dict[str, Any]:
    """The position after these moves: picture, legal moves, and how it stands."""
    state = _played(game, options, moves)
    rolls = state.player == CHANCE
    playable = not state.is_over and not rolls
    return {
        **picture(state, moves[-1] if moves else None, playable=playable),
        "player": state.player if playable else None,
        "rolls": [[move.text, probability] for move, probability in state.chance_moves()] if rolls else [],
        "over": state.is_over,
        "scores": list(state.scores()),
        "winners": list(state.winners()),
    }


def preview(game: str, options: Mapping[str, Any], moves: Sequence[str], move: str) -> dict[str, Any]:
    """The picture that a legal move would lead to."""
    try:
        return seen_after(_played(game, options, moves), move)
    except IllegalMove as error:
        raise NotPossible("illegal-move", reason=error.message) from None


def why(
    game: str, options: Mapping[str, Any], moves: Sequence[str], piece: str, turn: int, places: list[str]
) -> Any:
    """Which rule forbids to lay a piece there."""
    state = _played(game, options, moves)
    return to_data(why_not(state, piece, turn, places)) if state.player is not None else ""


def opened(text: str) -> dict[str, Any]:
    """A record as what the page works with."""
    try:
        found = read(text)
        last = found.check()
        tried = found.variations()
    except BadRecord as error:
        raise NotPossible("bad-record", reason=error.message) from None
    return {
        "game": found.game,
        "name": find_game(found.game).name,
        "options": dict(found.options),
        "moves": list(found.moves),
        "spoken": [to_data(spoken(found.game, move)) for move in found.moves],
        "seats": list(found.seats) or [""] * last.seats,
        "variations": [variations_text([one]) for one in tried],
    }


def written(
    game: str,
    options: Mapping[str, Any],
    moves: Sequence[str],
    seats: Sequence[str],
    variations: Sequence[str],
) -> str:
    """A record of these moves, with the variations that were tried."""
    _played(game, options, moves)
    extra = {"Variations": "; ".join(variations)} if variations else {}
    names = tuple(seats) if any(seats) else ()
    try:
        kept = record(opening(game, options), moves, seats=names, extra=extra)
        kept.variations()
        return kept.write()
    except BadRecord as error:
        raise NotPossible("bad-record", reason=error.message) from None


def look(
    game: str, options: Mapping[str, Any], moves: Sequence[str], ply: int, simulations: int
) -> dict[str, Any]:
    """What the engine thinks of a position, and of the move that was played there."""
    _played(game, options, moves)
    if ply > len(moves):
        raise NotPossible("plies-so-far", plies=len(moves))
    found = analysis.look(record(opening(game, options), moves), ply, simulations=simulations)
    return found.data()


def film(game: str, text: str) -> dict[str, str]:
    """A record as a moving picture; its bytes as text."""
    try:
        return {"film": b64encode(film_of(read(text))).decode()}
    except BadRecord as error:  # of another version of the rules
        raise NotPossible("bad-record", reason=error.message) from None


# ---- puzzles


def all_puzzles() -> list[dict[str, Any]]:
    """The games that have puzzles: each puzzle's id, difficulty and themes."""
    return [
        {
            "game": game,
            "name": find_game(game).name,
            "themes": _themes(game, held),
            "puzzles": [
                {"id": one.id, "difficulty": one.difficulty, "themes": list(one.themes)} for one in held
            ],
        }
        for game in games()
        if (held := puzzles.shipped(game))
    ]


def _themes(game: str, held: Sequence[Puzzle]) -> dict[str, Any]:
    words = find_game(game).part("reasons")
    assert words is not None
    names = dict.fromkeys(theme for puzzle in held for theme in puzzle.themes)
    return {name: to_data(words.theme_name(name)) for name in names}


def find_puzzle(game: str, name: str) -> Puzzle:
    """A puzzle of this name; refuses if there is none."""
    try:
        found = puzzles.find(game, name)
    except BadOption as error:
        raise NotPossible("bad-option", reason=error.message) from None
    if found is None:
        raise NotFound("no-such-puzzle")
    return found


def daily(game: str, day: date) -> str:
    """The id of a day's puzzle."""
    try:
        found = puzzles.daily(game, day)
    except BadOption as error:
        raise NotPossible("bad-option", reason=error.message) from None
    if found is None:
        raise NotFound("no-such-puzzle")
    return found.id


def puzzle(game: str, name: str) -> dict[str, Any]:
    """A puzzle without its solution."""
    found = find_puzzle(game, name)
    return {
        "game": game,
        "id": found.id,
        "name": find_game(game).name,
        "options": dict(found.options),
        "moves": list(found.moves),
        "difficulty": found.difficulty,
        "found": list(found.found),
        "themes": list(found.themes),
        "goal": to_data(puzzles.goal(found)),
        "finder": to_data(puzzles.finder(found)),
        "command": puzzles.collection(game).command,
    }


def judged(game: str, name: str, move: str) -> dict[str, Any]:
    """What an answer is worth, with the line that shows it: a picture a move."""
    found = find_puzzle(game, name)
    try:
        verdict = puzzles.judge(found, move)
    except IllegalMove as error:
        raise NotPossible("illegal-move", reason=error.message) from None
    shown = [
        picture(state, one.text, playable=False)["scene"]
        for one, state in zip(verdict.line, verdict.states, strict=True)
    ]
    return {
        "right": verdict.right,
        "message": to_data(verdict.message),
        "note": to_data(verdict.note) if verdict.note is not None else None,
        "line": [one.text for one in verdict.line],
        "scenes": shown,
    }


# ---- lessons


def all_lessons() -> list[dict[str, Any]]:
    """Every lesson with its steps."""
    return [
        {
            "id": lesson.id,
            "game": lesson.game,
            "name": find_game(lesson.game).name,
            "title": to_data(lesson.title),
            "then": dict(lesson.then),
            "steps": [
                {"text": to_data(step.text), "options": dict(step.options), "moves": list(step.moves)}
                for step in lesson.steps
            ],
        }
        for lesson in lessons.lessons()
    ]


def lesson_answer(name: str, number: int, move: str) -> dict[str, Any]:
    """What a move in a step of a lesson is worth."""
    lesson = lessons.find(name)
    if lesson is None or not 0 <= number < len(lesson.steps):
        raise NotFound("no-such-lesson")
    try:
        found = lessons.answer(lesson, lesson.steps[number], move)
    except IllegalMove as error:
        raise NotPossible("illegal-move", reason=error.message) from None
    return {
        "right": found.right,
        "does": [to_data(one) for one in found.does],
        "scene": picture(found.after, move, playable=False)["scene"],
    }
