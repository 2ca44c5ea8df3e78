"""What there is to play, making games, and finding them."""

from __future__ import annotations

import time
from functools import partial

from fastapi import APIRouter

from snakeden.core.registry import game as find_game
from snakeden.server import actions, schema
from snakeden.server.api.context import PROBLEMS, Client, Context, ContextDep, Sitter, Who
from snakeden.server.catalogue import about_games
from snakeden.server.errors import TooOften
from snakeden.server.seats import Credentials, Seat
from snakeden.server.stored import StoredGame
from snakeden.server.view import picture

router = APIRouter(prefix="/api", responses=PROBLEMS)

_LISTED = 100


def game_path(game_id: str) -> str:
    return f"/#/game/{game_id}"


def join_path(game_id: str, code: str) -> str:
    return f"/#/join/{game_id}/{code}"


@router.get("/catalogue")
async def catalogue() -> schema.Catalogue:
    """The games with their options, and the engines."""
    return schema.Catalogue.model_validate(about_games())


@router.post("/options")
async def options(wanted: schema.OptionsRequest, context: ContextDep) -> schema.OptionsAnswer:
    """Check options, or a record: which game it would be, how many play, and how it looks at first."""
    first, plies = await actions.beginning(context.hub, wanted.game, wanted.options, wanted.record)
    drawn = await context.hub.pictures.work(partial(picture, first, None, playable=False))
    return schema.OptionsAnswer(
        game=first.game,
        seats=first.seats,
        plies=len(plies),
        options=dict(first.options),
        scene=drawn["scene"],
    )


@router.post("/games", status_code=201)
async def create(
    wanted: schema.CreateRequest, context: ContextDep, who: Sitter, client: Client
) -> schema.Created:
    """Make a game."""
    context.games_allowed.take(client, "new_games")
    seats = [actions.WantedSeat(seat.kind, seat.name, seat.agent) for seat in wanted.seats]
    in_lobby = any(seat.kind == "open" for seat in seats)
    if in_lobby:
        await _check_open_games(context, client)
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
        context.open_games.keep(client, [*context.open_games.of(client), match.id])
    return schema.Created(
        id=match.id,
        you=sorted(who.held(match.id, match.seats)),
        path=game_path(match.id),
        invitations=[
            schema.Invitation(seat=seat, code=code, path=join_path(match.id, code))
            for seat, code in made.codes.items()
        ],
    )


async def _check_open_games(context: Context, client: str) -> None:
    """One client cannot fill the lobby."""
    open_games = context.open_games
    if len(open_games.of(client)) >= open_games.most:
        waiting = await context.store.still_open(open_games.of(client), _shown_since(context))
        open_games.keep(client, waiting)
        if len(waiting) >= open_games.most:
            raise TooOften("too-many-open-games", games=len(waiting))


def _shown_since(context: Context) -> float:
    return time.time() - 3600 * context.settings.lobby_hours


@router.get("/lobby")
async def lobby(context: ContextDep, who: Who) -> schema.GameList:
    """Games that wait for anyone, newest first."""
    found = await context.store.lobby(_LISTED, _shown_since(context))
    return schema.GameList(games=[_listed(*game, who) for game in found])


@router.get("/running")
async def running(context: ContextDep, who: Who) -> schema.GameList:
    """Games that had a seat for anyone and are being played, newest first: to watch."""
    found = await context.store.running(_LISTED, _shown_since(context))
    return schema.GameList(games=[_listed(*game, who) for game in found])


@router.get("/mine")
async def mine(context: ContextDep, who: Who) -> schema.GameList:
    """The games in which you have a seat, newest first."""
    found = await context.store.games_of(who.client, _LISTED) if who.client is not None else []
    return schema.GameList(games=[_listed(*game, who) for game in found])


def _listed(stored: StoredGame, entries: int, who: Credentials) -> schema.ListedGame:
    return schema.ListedGame(
        id=stored.id,
        game=stored.game,
        name=find_game(stored.game).name,
        options=dict(stored.options),
        status=stored.status,
        created=stored.created,
        seats=[about_seat(seat) for seat in stored.seats],
        you=sorted(who.held(stored.id, stored.seats)),
        entries=entries,
    )


def about_seat(seat: Seat) -> schema.SeatAbout:
    return schema.SeatAbout(kind=seat.kind, name=seat.name, agent=seat.agent or None, taken=seat.taken)
