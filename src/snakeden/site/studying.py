"""Lessons, puzzles and analysis where there is no server: the requests of `snakeden.server.api.study`, without HTTP."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import date
from typing import Any

from snakeden.server import study
from snakeden.server.live import Hub
from snakeden.site.fields import Fields, Unreadable


def _position(body: Fields) -> tuple[str, dict[str, Any], str, list[str]]:
    options, setup = body.get("options", dict, default={}), body.get("setup", str, default="")
    return body.get("game", str), options, setup, body.texts("moves")


async def _shown(hub: Hub, query: Fields, body: Fields) -> Any:
    return study.position(*_position(body))


async def _preview(hub: Hub, query: Fields, body: Fields) -> Any:
    return study.preview(*_position(body), body.get("move", str))


async def _why(hub: Hub, query: Fields, body: Fields) -> Any:
    about = body.get("piece", str, default=""), body.get("turn", int, default=0), body.texts("places")
    return {"reason": study.why(*_position(body), *about)}


async def _set_up(hub: Hub, query: Fields, body: Fields) -> Any:
    return study.arranged(*_position(body))


async def _open(hub: Hub, query: Fields, body: Fields) -> Any:
    return study.opened(body.get("record", str))


async def _write(hub: Hub, query: Fields, body: Fields) -> Any:
    return study.written(*_position(body), body.texts("seats"), body.texts("variations"))


async def _look(hub: Hub, query: Fields, body: Fields) -> Any:
    return await hub.engines.study("look", *_position(body), body.get("ply", int))


async def _all_puzzles(hub: Hub, query: Fields, body: Fields) -> Any:
    return {"games": study.all_puzzles()}


async def _daily(hub: Hub, game: str, query: Fields, body: Fields) -> Any:
    try:
        day = date.fromisoformat(query.get("day", str))
    except ValueError:
        raise Unreadable("day: must be a date, such as 2026-01-31") from None
    return {"id": study.daily(game, day)}


async def _puzzle(hub: Hub, game: str, name: str, query: Fields, body: Fields) -> Any:
    return study.puzzle(game, name)


async def _answer(hub: Hub, game: str, name: str, query: Fields, body: Fields) -> Any:
    return study.judged(game, name, body.get("move", str))


async def _all_lessons(hub: Hub, query: Fields, body: Fields) -> Any:
    return {"lessons": study.all_lessons()}


async def _lesson_answer(hub: Hub, lesson: str, step: str, query: Fields, body: Fields) -> Any:
    return study.lesson_answer(lesson, int(step), body.get("move", str))


_NAME = "([A-Za-z0-9_-]{1,40})"

ROUTES: list[tuple[str, str, Callable[..., Awaitable[Any]]]] = [
    ("POST", "api/study/position", _shown),
    ("POST", "api/study/preview", _preview),
    ("POST", "api/study/why", _why),
    ("POST", "api/study/set-up", _set_up),
    ("POST", "api/study/open", _open),
    ("POST", "api/study/write", _write),
    ("POST", "api/study/look", _look),
    ("GET", "api/puzzles", _all_puzzles),
    ("GET", f"api/puzzles/{_NAME}/daily", _daily),
    ("GET", f"api/puzzles/{_NAME}/{_NAME}", _puzzle),
    ("POST", f"api/puzzles/{_NAME}/{_NAME}/answer", _answer),
    ("GET", "api/lessons", _all_lessons),
    ("POST", f"api/lessons/{_NAME}/([0-9]{{1,3}})", _lesson_answer),
]
"""The method, the path and what answers; it takes the hub, the parts of the path, the query and the body."""
