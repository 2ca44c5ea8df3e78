"""What the pages for lessons, puzzles and analysis ask for: plain functions of what was sent, as what JSON can hold."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from snakeden import agents, analysis, lessons, puzzles
from snakeden.core.errors import BadOption, BadRecord, IllegalMove, UnreadableMove
from snakeden.core.game import CHANCE
from snakeden.core.registry import game as find_game
from snakeden.core.registry import games
from snakeden.core.setup import Piece, Setup, can_set_up, fitting, give_turn, read_setup, set_up, setup_of
from snakeden.core.state import State
from snakeden.nets.inputs import BadNet
from snakeden.puzzles import Puzzle
from snakeden.records import Record, read, record, variations_text
from snakeden.server.errors import NotFound, NotPossible
from snakeden.server.openings import opening
from snakeden.server.sharing import film_of
from snakeden.server.view import picture, seen_after, spoken, why_not
from snakeden.words import to_data


def _states(game: str, options: Mapping[str, Any], setup: str, moves: Sequence[str]) -> list[State]:
    """The position that is begun with, the first one or one that is set up, and those after each move."""
    try:
        state = opening(game, options)
        if setup:
            state = set_up(state, read_setup(setup))
        states = [state]
        for move in moves:
            states.append(states[-1].play(move))
    except BadOption as error:
        raise NotPossible("bad-option", reason=error.message) from None
    except IllegalMove as error:
        raise NotPossible("illegal-move", reason=error.message) from None
    return states


def position(game: str, options: Mapping[str, Any], setup: str, moves: Sequence[str]) -> dict[str, Any]:
    """The position after these moves: picture, legal moves, and how it stands."""
    state = _states(game, options, setup, moves)[-1]
    rolls = state.player == CHANCE
    playable = not state.is_over and not rolls
    return {
        **picture(state, moves[-1] if moves else None, playable=playable),
        "player": state.player if playable else None,
        "rolls": [[move.text, probability] for move, probability in state.chance_moves()] if rolls else [],
        "over": state.is_over,
        "scores": list(state.scores()),
        "winners": list(state.winners()),
        "can_set_up": can_set_up(state.variant.game),
        "spoken": _in_words(
            game, [*moves, *(move.text for move, _ in state.chance_moves())] if rolls else moves
        ),
    }


def _in_words(game: str, moves: Iterable[str]) -> dict[str, Any]:
    """Moves in words, where people do not say them as they are written."""
    said = {move: spoken(game, move) for move in moves}
    return {move: to_data(words) for move, words in said.items() if words != move}


def preview(
    game: str, options: Mapping[str, Any], setup: str, moves: Sequence[str], move: str
) -> dict[str, Any]:
    """The picture that a legal move would lead to."""
    try:
        return seen_after(_states(game, options, setup, moves)[-1], move)
    except IllegalMove as error:
        raise NotPossible("illegal-move", reason=error.message) from None


def why(
    game: str,
    options: Mapping[str, Any],
    setup: str,
    moves: Sequence[str],
    piece: str,
    turn: int,
    places: list[str],
) -> Any:
    """Which rule forbids to lay a piece there."""
    state = _states(game, options, setup, moves)[-1]
    return to_data(why_not(state, piece, turn, places)) if state.player is not None else ""


def arranged(game: str, options: Mapping[str, Any], setup: str, moves: Sequence[str]) -> dict[str, Any]:
    """A position as pieces that can be taken away: those that can lie together, with what they lie on, and those that
    cannot as things are."""
    try:
        start = opening(game, options)
        wanted = read_setup(setup) if setup else Setup()
        if moves:
            played = setup_of(_states(game, options, setup, moves), moves)
            wanted = Setup(wanted.pieces + played.pieces, played.turn)
        laid = fitting(start, wanted.pieces)
        set_up(start, Setup(turn=wanted.turn))
    except BadOption as error:
        raise NotPossible("bad-option", reason=error.message) from None
    except IllegalMove as error:
        raise NotPossible("illegal-move", reason=error.message) from None
    waiting = list(wanted.pieces)
    for piece in laid:
        waiting.remove(piece)
    for piece in waiting:
        _must_be_readable(start, piece.move)
    return {
        "setup": str(Setup(laid, wanted.turn)),
        "pieces": _pieces(start, laid),
        "waiting": [{"seat": piece.seat, "move": piece.move, "places": []} for piece in waiting],
        "spoken": _in_words(game, [piece.move for piece in wanted.pieces]),
        "turn": wanted.turn,
    }


def _must_be_readable(start: State, move: str) -> None:
    """Refuse what no position could allow: it would wait for ever."""
    try:
        start.move(move)
    except UnreadableMove as error:
        raise NotPossible("illegal-move", reason=error.message) from None
    except IllegalMove:
        pass


def _pieces(start: State, laid: Sequence[Piece]) -> list[dict[str, Any]]:
    """Pieces in the order in which they are laid, with the places where each lies."""
    found, state = [], start
    for seat, text in laid:
        state = give_turn(state, seat)
        move = state.move(text)
        targets = state.variant.game.view.move_targets(state)
        places = next(target.places for target in targets if target.move == move.text)
        found.append({"seat": seat, "move": text, "places": list(places)})
        state = state.play(move)
    return found


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
        "setup": str(found.setup) if found.setup is not None else "",
        "moves": list(found.moves),
        "spoken": [to_data(spoken(found.game, move)) for move in found.moves],
        "seats": list(found.seats) or [""] * last.seats,
        "variations": [variations_text([one]) for one in tried],
    }


def _record(game: str, options: Mapping[str, Any], setup: str, moves: Sequence[str], **more: Any) -> Record:
    _states(game, options, setup, moves)
    return record(opening(game, options), moves, setup=read_setup(setup) if setup else None, **more)


def written(
    game: str,
    options: Mapping[str, Any],
    setup: str,
    moves: Sequence[str],
    seats: Sequence[str],
    variations: Sequence[str],
) -> str:
    """A record of these moves, with the variations that were tried."""
    extra = {"Variations": "; ".join(variations)} if variations else {}
    names = tuple(seats) if any(seats) else ()
    try:
        kept = _record(game, options, setup, moves, seats=names, extra=extra)
        kept.variations()
        return kept.write()
    except BadRecord as error:
        raise NotPossible("bad-record", reason=error.message) from None


def look(
    game: str,
    options: Mapping[str, Any],
    setup: str,
    moves: Sequence[str],
    ply: int,
) -> dict[str, Any]:
    """What the engine thinks of a position, and of the move that was played there. It thinks with the game's network
    where the highest level does, once the kernels for that are compiled."""
    played = _record(game, options, setup, moves)
    if ply > len(moves):
        raise NotPossible("plies-so-far", plies=len(moves))
    try:
        net = agents.thinks_with_net(opening(game, options).variant)
        found = analysis.analyse_ply(played, ply, net=net, wait=False).data()
    except BadNet:
        found = analysis.analyse_ply(played, ply).data()
    return found | {"spoken": _in_words(game, [move for one in found["candidates"] for move in one["main"]])}


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
        "spoken": [to_data(spoken(game, one.text)) for one in verdict.line],
        "seats": [
            None if state.player == CHANCE else state.player
            for state in (found.state(), *verdict.states[:-1])
        ],
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
