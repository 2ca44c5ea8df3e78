"""Refusals as answers of HTTP and WebSocket."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from snakeden.server import errors
from snakeden.server.errors import NotPossible, Refused
from snakeden.words import from_data, to_data

STATUS: dict[type[Refused], int] = {
    errors.NobodyKnown: 401,
    errors.NotAllowed: 403,
    errors.NotFound: 404,
    errors.TooSlow: 408,
    errors.NotNow: 409,
    errors.TooLong: 413,
    errors.NotJson: 415,
    errors.WrongName: 421,
    errors.NotPossible: 422,
    errors.TooOften: 429,
    errors.Failed: 500,
    errors.TooBusy: 503,
}


def status_of(refused: Refused) -> int:
    return STATUS[type(refused)]


def answer_of(refused: Refused) -> dict[str, Any]:
    """The body of a refusal."""
    return {"error": refused.reason, "message": to_data(refused.message)}


def invalid(found: Sequence[Any]) -> NotPossible:
    """What a validator found wrong, as one refusal."""
    problems = []
    for error in found[:5]:
        place = ".".join(str(part)[:40] for part in error["loc"] if part != "body")
        problems.append(f"{place}: {error['msg']}" if place else str(error["msg"]))
    return NotPossible("invalid", reason="; ".join(problems))


def refusal_from(error: Mapping[str, Any]) -> Refused:
    """What a worker says went wrong."""
    if "refused" in error:
        said = from_data(error["message"])
        kind = errors.NotFound if error["refused"] == errors.NotFound.__name__ else NotPossible
        return kind(said.key.removeprefix("server."), **said.args)
    if "reason" in error:
        return NotPossible(error["key"], reason=from_data(error["reason"]))
    return errors.TooBusy(error["key"])
