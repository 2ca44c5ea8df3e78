"""Live updates, and playing, over a WebSocket."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import suppress
from typing import Any

from fastapi import APIRouter
from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from snakeden.server import actions, schema
from snakeden.server.answers import answer_of, invalid, status_of
from snakeden.server.api.context import Context, client_of, context_of, credentials_of
from snakeden.server.errors import NotNow, NotPossible, Refused, TooBusy, TooOften
from snakeden.server.live import Live
from snakeden.server.match import Match
from snakeden.server.store import DATABASE_ERRORS
from snakeden.server.watching import Watcher

router = APIRouter()

TOO_SLOW = 1013
"""Close code: the client did not read fast enough; it may come again and catch up."""

_REFUSED_S = 0.1
"""How long nothing more is read after a message too many."""
_LONGEST_REFERENCE = 1000
_SEND_S = 30.0
"""How long a client may take to read a message."""

log = logging.getLogger("snakeden.live")

_GAME_ID: TypeAdapter[str] = TypeAdapter(schema.GameId)


@router.websocket("/api/games/{game_id}/live")
async def live(socket: WebSocket, game_id: str) -> None:
    context = context_of(socket)
    client = client_of(socket)
    query = socket.query_params
    if not context.sockets.enter(client):
        await socket.close(1008, "too many connections from your address")
        return
    try:
        try:
            _GAME_ID.validate_python(game_id)
            seen = _count(query.get("seen"))
            found = await context.hub.get(game_id, seen or 0)
        except (Refused, ValueError) as error:
            await socket.close(
                1008, "there is no such game" if isinstance(error, ValueError) else error.reason
            )
            return
        except DATABASE_ERRORS as error:
            log.error("the database failed", extra={"why": str(error)[:300]})
            await socket.close(TOO_SLOW, "the database does not answer; come again")
            return
        await _serve(socket, context, found, seen, query.get("pictures") == "1")
    finally:
        context.sockets.leave(client)


def _count(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError("seen is a number")
    return int(text)


async def _serve(socket: WebSocket, context: Context, live: Live, seen: int | None, pictures: bool) -> None:
    credentials = credentials_of(socket)
    watcher = Watcher(credentials, pictures)
    match = live.match
    # Before anything is waited for: a game that nobody watches may be thrown out of memory meanwhile, and whoever
    # watched that copy would hear of nothing more.
    context.hub.watch(live, watcher)
    try:
        if seen is not None:
            watcher.begin(await context.hub.news(match, seen))
        await socket.accept()
        held = await context.hub.held(live, credentials)
        if seen is None or pictures:
            watcher.show(await context.hub.describe(live, held))
        sender = asyncio.create_task(_send(socket, watcher))
        try:
            await _receive(socket, context, live, watcher)
        finally:
            sender.cancel()
            await asyncio.gather(sender, return_exceptions=True)
    except WebSocketDisconnect:
        pass
    finally:
        live.watchers.discard(watcher)
        if watcher.engine is not None:
            watcher.engine.close()


async def _send(socket: WebSocket, watcher: Watcher) -> None:
    while (message := await watcher.next()) is not None:
        async with asyncio.timeout(_SEND_S):
            await socket.send_text(message)
    await socket.close(TOO_SLOW, "come again and catch up")


async def _receive(socket: WebSocket, context: Context, live: Live, watcher: Watcher) -> None:
    client = client_of(socket)
    while True:
        text = await _heard(socket)
        await watcher.room()
        context.metrics.messages.inc()
        answer: dict[str, Any]
        reference: Any = None
        try:
            context.messages_allowed.take(client, "messages")
            message = _read(text)
            reference = _reference(message)
            match = await _do(context, live, watcher, message)
            answer = {"type": "pong" if match is None else "done", "re": reference}
            if match is not None:
                answer["seen"] = len(match.entries)
        except Refused as refused:
            answer = _refusal(reference, refused)
            if isinstance(refused, TooOften):
                await asyncio.sleep(_REFUSED_S)
        except ValidationError as error:
            answer = _refusal(reference, invalid(error.errors()))
        except DATABASE_ERRORS:
            log.exception("a message could not be answered")
            answer = _refusal(reference, TooBusy("database-away"))
        watcher.send(json.dumps(answer))


def _reference(message: dict[str, Any]) -> Any:
    """What the client calls its message, to know the answer by: any JSON, since nothing is done with it."""
    given = message.pop("re", None)
    with suppress(RecursionError):
        if len(json.dumps(given)) <= _LONGEST_REFERENCE:
            return given
    raise NotPossible("message-reference", characters=_LONGEST_REFERENCE)


def _refusal(reference: Any, refused: Refused) -> dict[str, Any]:
    return {"type": "refused", "re": reference, "status": status_of(refused), **answer_of(refused)}


async def _heard(socket: WebSocket) -> str | None:
    """What the client says next; None if it is bytes."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message["code"])
    text: str | None = message.get("text")
    return text


def _read(text: str | None) -> dict[str, Any]:
    if text is None:
        raise NotPossible("message-not-text")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):  # a number too long to be read is a plain ValueError
        raise NotPossible("message-not-json") from None
    if not isinstance(message, dict):
        raise NotPossible("message-not-object")
    return message


async def _do(context: Context, live: Live, watcher: Watcher, message: dict[str, Any]) -> Match | None:
    """Do what a message says; None for a ping."""
    game_id, credentials = live.match.id, watcher.credentials
    kind = message.pop("type", None)
    if kind == "ping":
        return None
    if kind == "engine":
        context.hub.take_engine(live, watcher, schema.EngineOffer.model_validate(message).workers)
        return live.match
    if kind == "thought":
        thought = schema.Thought.model_validate(message)
        if watcher.engine is None:
            raise NotNow("nothing-asked")
        watcher.engine.answer(thought.number, thought.answer.model_dump() if thought.answer else None)
        return live.match
    if kind == "play":
        wanted = schema.PlayRequest.model_validate(message)
        return await actions.play(context.hub, credentials, game_id, wanted.move, wanted.seen, wanted.seat)
    if kind == "resign":
        given_up = schema.ResignRequest.model_validate(message)
        return await actions.resign(context.hub, credentials, game_id, given_up.seat)
    if kind == "undo":
        asked = schema.UndoRequest.model_validate(message)
        return await actions.ask_undo(context.hub, credentials, game_id, asked.seen, asked.seat)
    if kind == "undo-answer":
        answered = schema.UndoAnswerRequest.model_validate(message)
        return await actions.answer_undo(context.hub, credentials, game_id, answered.allow, answered.seen)
    raise NotPossible("message-type")
