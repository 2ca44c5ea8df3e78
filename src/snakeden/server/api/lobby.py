"""What there is to play, making games, and finding them."""

from __future__ import annotations

import time
from contextlib import nullcontext
from functools import partial
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from snakeden.core.registry import game as find_game
from snakeden.nets.evaluator import is_installed
from snakeden.server import actions, schema
from snakeden.server.api.context import PROBLEMS, Client, Context, ContextDep, Sitter, Who
from snakeden.server.catalogue import about_beginning
from snakeden.server.describing import seat_facts
from snakeden.server.limits import OpenGames
from snakeden.server.seats import Credentials
from snakeden.server.stored import StoredGame

router = APIRouter(prefix="/api", responses=PROBLEMS)

_LISTED = 100


def game_path(game_id: str) -> str:
    return f"/#/game/{game_id}"


def join_path(game_id: str, code: str) -> str:
    return f"/#/join/{game_id}/{code}"


@router.get("/catalogue", response_model=schema.Catalogue)
async def catalogue(context: ContextDep) -> Response:
    """The games with their options, and the engines."""
    return await context.catalogue.answer()


@router.post("/options", response_model=schema.OptionsAnswer)
async def options(wanted: schema.OptionsRequest, context: ContextDep) -> Response:
    """Check options, or a record: which game it would be, how many play, and how it looks at first."""
    first, plies = await actions.beginning(context.hub, wanted.game, wanted.options, wanted.record)
    about = partial(about_beginning, nets=is_installed())
    return await context.hub.pictures.json(about, first, len(plies))


@router.post("/games", status_code=201)
async def create(
    wanted: schema.CreateRequest, context: ContextDep, who: Sitter, client: Client
) -> schema.Created:
    """Make a game."""
    context.games_allowed.take(client, "new_games")
    seats = [actions.WantedSeat(seat.kind, seat.name, seat.agent) for seat in wanted.seats]
    in_lobby = any(seat.kind == "open" for seat in seats)
    if in_lobby:
        await forget_settled(context, context.open_games, client, "waiting")
    with context.open_games.one_more(client) if in_lobby else nullcontext():
        made = await actions.create(
            context.hub,
            who,
            wanted.game,
            wanted.options,
            seats,
            hints=wanted.hints,
            record=wanted.record,
            begins=wanted.begins,
        )
        match = made.live.match
        if in_lobby:
            context.open_games.add(client, match.id)
    return schema.Created(
        id=match.id,
        you=sorted(who.held(match.id, match.seats)),
        path=game_path(match.id),
        invitations=[
            schema.Invitation(seat=seat, code=code, path=join_path(match.id, code))
            for seat, code in made.codes.items()
        ],
    )


async def forget_settled(context: Context, games: OpenGames, client: str, *statuses: str) -> None:
    """Before a client is refused who has as many games as it may have, see which of them still have these statuses."""
    if games.full(client):
        known = games.of(client)
        counted = await context.store.still(statuses, known, _shown_since(context))
        come_meanwhile = [game for game in games.of(client) if game not in known]
        games.keep(client, [*counted, *come_meanwhile])


def _shown_since(context: Context) -> float:
    return time.time() - 3600 * context.settings.lobby_hours


@router.get("/lobby", response_model=schema.GameList)
async def lobby(context: ContextDep, who: Who) -> Response:
    """Games that wait for anyone, newest first."""
    found = await context.store.lobby(_LISTED, _shown_since(context))
    return await context.hub.pictures.json(_list, found, who)


@router.get("/running", response_model=schema.GameList)
async def running(context: ContextDep, who: Who) -> Response:
    """Games that had a seat for anyone and are being played, newest first: to watch."""
    found = await context.store.running(_LISTED, _shown_since(context))
    return await context.hub.pictures.json(_list, found, who)


@router.get("/mine", response_model=schema.GameList)
async def mine(context: ContextDep, who: Who) -> Response:
    """The games in which you have a seat, newest first."""
    found = await context.store.games_of(who.client, _LISTED) if who.client is not None else []
    return await context.hub.pictures.json(_list, found, who)


def _list(found: list[tuple[StoredGame, int]], who: Credentials) -> dict[str, Any]:
    return {"games": [_listed(stored, entries, who) for stored, entries in found]}


def _listed(stored: StoredGame, entries: int, who: Credentials) -> dict[str, Any]:
    return {
        "id": stored.id,
        "game": stored.game,
        "name": find_game(stored.game).name,
        "options": dict(stored.options),
        "status": stored.status,
        "created": stored.created,
        "seats": seat_facts(stored.seats),
        "you": sorted(who.held(stored.id, stored.seats)),
        "entries": entries,
    }
