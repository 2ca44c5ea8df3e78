"""Lessons, puzzles and analysis: questions about positions that belong to no game on the server."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import Field, StringConstraints
from starlette.responses import PlainTextResponse, Response

from snakeden.server import study
from snakeden.server.api.context import PROBLEMS, TEXT, Client, ContextDep, Fixed
from snakeden.server.schema import MoveText, Name, Request, WhyRequest

router = APIRouter(prefix="/api", responses=PROBLEMS)

_MOST_MOVES = 2000
_NAME = Annotated[str, StringConstraints(max_length=40)]
_ANY = dict[str, Any]


class StudyRequest(Request):
    """A position: a game, what was set up if it did not begin as usual, and what was played."""

    game: _NAME
    options: dict[_NAME, Any] = Field(default_factory=dict, max_length=32)
    setup: Annotated[str, StringConstraints(max_length=8000)] = Field(
        default="", description="pieces with their seats, and who is to move, as in 0=d4 1=a1-b1-c1; 1"
    )
    moves: Annotated[list[MoveText], Field(max_length=_MOST_MOVES)] = Field(default_factory=list)

    def position(self) -> tuple[str, dict[str, Any], str, list[str]]:
        return self.game, self.options, self.setup, self.moves


class StudyMove(StudyRequest):
    move: MoveText


class StudyWhy(StudyRequest, WhyRequest):
    pass


class StudyLook(StudyRequest):
    ply: Annotated[int, Field(ge=0, le=_MOST_MOVES)]


class StudyWrite(StudyRequest):
    seats: Annotated[list[Name], Field(max_length=8)] = Field(default_factory=list)
    variations: Annotated[list[Annotated[str, StringConstraints(max_length=4000)]], Field(max_length=100)] = (
        Field(default_factory=list)
    )


class RecordRequest(Request):
    record: Annotated[str, StringConstraints(max_length=100_000)]


class AnswerRequest(Request):
    move: MoveText


@router.post("/study/position", response_model=_ANY)
async def position(wanted: StudyRequest, context: ContextDep) -> Response:
    """The position after these moves: picture, legal moves, scores."""
    return await context.hub.pictures.json(study.position, *wanted.position())


@router.post("/study/preview", response_model=_ANY)
async def preview(wanted: StudyMove, context: ContextDep) -> Response:
    """The picture that a legal move would lead to."""
    return await context.hub.pictures.json(study.preview, *wanted.position(), wanted.move)


@router.post("/study/why")
async def why(wanted: StudyWhy, context: ContextDep) -> dict[str, Any]:
    """Which rule forbids to lay a piece on these places."""
    about = wanted.piece, wanted.turn, wanted.places
    return {"reason": await context.hub.pictures.work(study.why, *wanted.position(), *about)}


@router.post("/study/set-up", response_model=_ANY)
async def set_up(wanted: StudyRequest, context: ContextDep) -> Response:
    """The position as pieces that can be taken away, and those of the setup that cannot lie there."""
    return await context.hub.pictures.json(study.arranged, *wanted.position())


@router.post("/study/open", response_model=_ANY)
async def open_record(wanted: RecordRequest, context: ContextDep) -> Response:
    """A record as its game, options, moves, names and variations."""
    return await context.hub.pictures.json(study.opened, wanted.record)


@router.post("/study/write", response_class=Response, responses=TEXT)
async def write_record(wanted: StudyWrite, context: ContextDep) -> PlainTextResponse:
    """A record of these moves, with variations."""
    names_and_variations = wanted.seats, wanted.variations
    return PlainTextResponse(
        await context.hub.pictures.work(study.written, *wanted.position(), *names_and_variations)
    )


@router.post("/study/look")
async def look(wanted: StudyLook, context: ContextDep, client: Client) -> dict[str, Any]:
    """What the engine thinks of the position after this many of the moves, and of the next of them."""
    return await context.engines.study("look", *wanted.position(), wanted.ply, client=client)


_PUZZLES = Fixed(lambda: {"games": study.all_puzzles()})
_LESSONS = Fixed(lambda: {"lessons": study.all_lessons()})


@router.get("/puzzles", response_model=_ANY)
async def all_puzzles() -> Response:
    """The puzzles there are, by game: ids, difficulties and themes."""
    return await _PUZZLES.answer()


@router.get("/puzzles/{game}/daily")
async def daily(game: _NAME, day: Annotated[date, Query()]) -> dict[str, str]:
    """The id of a day's puzzle."""
    return {"id": study.daily(game, day)}


@router.get("/puzzles/{game}/{puzzle}")
async def puzzle(game: _NAME, puzzle: _NAME) -> dict[str, Any]:
    """A puzzle, without its solution."""
    return study.puzzle(game, puzzle)


@router.post("/puzzles/{game}/{puzzle}/answer", response_model=_ANY)
async def answer(
    game: _NAME, puzzle: _NAME, wanted: AnswerRequest, context: ContextDep, client: Client
) -> Response:
    """Whether an answer is right, and the line that shows it."""
    study.find_puzzle(game, puzzle)
    found = await context.engines.study("judged", game, puzzle, wanted.move, client=client)
    return await context.hub.pictures.json(dict, found)


@router.get("/lessons", response_model=_ANY)
async def all_lessons() -> Response:
    """Every lesson with its steps."""
    return await _LESSONS.answer()


@router.post("/lessons/{lesson}/{step}", response_model=_ANY)
async def lesson_answer(
    lesson: _NAME, step: Annotated[int, Field(ge=0, le=100)], wanted: AnswerRequest, context: ContextDep
) -> Response:
    """Whether a move does what a step asks for, and what it does."""
    return await context.hub.pictures.json(study.lesson_answer, lesson, step, wanted.move)
