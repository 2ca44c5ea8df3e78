"""One game: looking at it, sitting down, playing."""

from __future__ import annotations

from base64 import b64decode
from contextlib import nullcontext
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from snakeden.core.errors import IllegalMove
from snakeden.server import actions, handover, schema
from snakeden.server.api.context import PROBLEMS, TEXT, Client, ContextDep, Sitter, Who, public_address
from snakeden.server.api.lobby import forget_settled, game_path, join_path
from snakeden.server.errors import NotFound, NotPossible
from snakeden.server.events import Entry
from snakeden.server.live import held_seats
from snakeden.server.match import Match
from snakeden.server.recording import record_of
from snakeden.server.sharing import svg_of
from snakeden.server.stored import StoredGame
from snakeden.server.view import seen_after, stood, why_not
from snakeden.words import to_data

router = APIRouter(prefix="/api/games/{game_id}", responses=PROBLEMS)


def _facts(match: Match) -> schema.Facts:
    return schema.Facts.model_validate(match.facts())


@router.get("", response_model=schema.StateAnswer)
async def state(game_id: schema.GameId, context: ContextDep, who: Who) -> Response:
    """Everything about a game: seats, plies, scores, the scene, the legal moves."""
    live = await context.hub.get(game_id)
    described = await context.hub.describe(live, await context.hub.held(live, who))
    return Response(described, media_type="application/json")


@router.get("/targets", response_model=schema.TargetsAnswer)
async def targets(game_id: schema.GameId, context: ContextDep) -> Response:
    """The legal moves with what they touch, where there are so many that the state has none."""
    found = await context.hub.targets(await context.hub.get(game_id))
    return Response(found, media_type="application/json")


@router.get("/entries", response_model=schema.EntriesAnswer)
async def entries(
    game_id: schema.GameId, context: ContextDep, seen: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0
) -> Response:
    """What happened after the entries you have seen."""
    match = (await context.hub.get(game_id, seen)).match
    return Response(await context.hub.news(match, seen), media_type="application/json")


@router.get("/position", response_model=schema.Position)
async def position(
    game_id: schema.GameId, context: ContextDep, ply: Annotated[int, Query(ge=0, le=2**31 - 1)]
) -> Response:
    """The picture after the first plies."""
    match = (await context.hub.get(game_id)).match
    if ply > match.line.count:
        raise NotPossible("plies-so-far", plies=match.line.count)
    return await context.hub.pictures.json(stood, match.line, ply, match.outcome)


@router.post("/preview", response_model=schema.Position)
async def preview(game_id: schema.GameId, wanted: schema.PreviewRequest, context: ContextDep) -> Response:
    """The picture that a legal move would lead to; nothing is played."""
    match = (await context.hub.get(game_id)).match
    try:
        return await context.hub.pictures.json(seen_after, match.state, wanted.move)
    except IllegalMove as error:
        raise NotPossible("illegal-move", reason=error.message) from None


@router.post("/why")
async def why(game_id: schema.GameId, wanted: schema.WhyRequest, context: ContextDep) -> schema.Why:
    """Which rule forbids the player to move to lay a piece on these places."""
    match = (await context.hub.get(game_id)).match
    if match.player is None:
        return schema.Why(reason="")
    reason = await context.hub.pictures.work(why_not, match.state, wanted.piece, wanted.turn, wanted.places)
    return schema.Why(reason=to_data(reason))


@router.get("/record", response_class=Response, responses=TEXT)
async def record(game_id: schema.GameId, context: ContextDep) -> PlainTextResponse:
    """The game so far as a record."""
    found = await context.store.load(game_id)
    if found is None:
        raise NotFound("no-such-game")
    return PlainTextResponse(await context.hub.pictures.work(_record_text, *found))


def _record_text(stored: StoredGame, entries: list[Entry]) -> str:
    return record_of(stored, entries).write()


_SVG: dict[int | str, dict[str, Any]] = {200: {"content": {"image/svg+xml": {}}}}
_WEBP: dict[int | str, dict[str, Any]] = {200: {"content": {"image/webp": {}}}}


@router.get("/picture", response_class=Response, responses=_SVG)
async def picture_to_share(game_id: schema.GameId, context: ContextDep) -> Response:
    """The position as it stands, as an SVG picture."""
    match = (await context.hub.get(game_id)).match
    names = [seat.name for seat in match.seats]
    drawn = await context.hub.pictures.work(svg_of, match.line, names, match.outcome)
    return Response(drawn, media_type="image/svg+xml")


@router.get("/film", response_class=Response, responses=_WEBP)
async def film_to_share(game_id: schema.GameId, context: ContextDep, client: Client) -> Response:
    """The game so far as a moving picture. Films count as hints do."""
    context.hints_allowed.take(client, "hints")
    found = await context.store.load(game_id)
    if found is None:
        raise NotFound("no-such-game")
    text = await context.hub.pictures.work(_record_text, *found)
    made = await context.engines.study("film", found[0].game, text, client=client)
    return Response(
        b64decode(made["film"]),
        media_type="image/webp",
        headers={"content-disposition": f'inline; filename="{game_id}.webp"'},
    )


@router.post("/join")
async def join(
    game_id: schema.GameId, wanted: schema.JoinRequest, context: ContextDep, who: Sitter, client: Client
) -> schema.Seated:
    """Take a seat, with a join link's code or from the lobby. A link works once."""
    joined = context.joined_games
    counts = wanted.code is None and game_id not in joined.of(client)
    if counts:
        await forget_settled(context, joined, client, "waiting", "running")
    with joined.one_more(client) if counts else nullcontext():
        live, _ = await actions.join(context.hub, who, game_id, wanted.code, wanted.name, wanted.seat)
        if counts:
            joined.add(client, game_id)
    return schema.Seated(id=game_id, you=sorted(held_seats(live, who)), path=game_path(game_id))


@router.post("/invite")
async def invite(
    game_id: schema.GameId, wanted: schema.InviteRequest, context: ContextDep, who: Who
) -> schema.Invitation:
    """A new join link for a seat that is still free; the old one stops working."""
    code = await actions.invite(context.hub, who, game_id, wanted.seat)
    return schema.Invitation(seat=wanted.seat, code=code, path=join_path(game_id, code))


@router.post("/handover")
async def offer_handover(
    game_id: schema.GameId, _: schema.Empty, context: ContextDep, who: Who, client: Client, request: Request
) -> schema.Handover:
    """A link by which another device takes your seats in this game. It works once, and only for some minutes.
    Such links count as hints do."""
    context.hints_allowed.take(client, "hints")
    code = await handover.offer(context.hub, who, game_id)
    path = f"/#/take/{game_id}/{code}"
    drawn = await context.hub.pictures.work(handover.qr_code, public_address(context, request), path)
    return schema.Handover(code=code, path=path, picture=drawn, seconds=handover.SECONDS)


@router.post("/takeover")
async def take_over(
    game_id: schema.GameId, wanted: schema.TakeoverRequest, context: ContextDep, who: Sitter
) -> schema.Seated:
    """Take the seats that a handover's code is for; the device that made it watches from then on."""
    live = await handover.take(context.hub, who, game_id, wanted.code)
    return schema.Seated(id=game_id, you=sorted(held_seats(live, who)), path=game_path(game_id))


@router.post("/link")
async def link(game_id: schema.GameId, wanted: schema.LinkRequest, context: ContextDep) -> schema.LinkAnswer:
    """Whether a link can still be used; asking does not use it."""
    return schema.LinkAnswer(seats=await handover.opened(context.hub, game_id, wanted.code))


@router.post("/play")
async def play(
    game_id: schema.GameId, wanted: schema.PlayRequest, context: ContextDep, who: Who
) -> schema.Facts:
    """Play a move. The same message sent again changes nothing and is answered alike."""
    return _facts(await actions.play(context.hub, who, game_id, wanted.move, wanted.seen, wanted.seat))


@router.post("/resign")
async def resign(
    game_id: schema.GameId, wanted: schema.ResignRequest, context: ContextDep, who: Who
) -> schema.Facts:
    """Give up. With more than two players the seat is played on at random and cannot win."""
    return _facts(await actions.resign(context.hub, who, game_id, wanted.seat))


@router.post("/undo")
async def undo(
    game_id: schema.GameId, wanted: schema.UndoRequest, context: ContextDep, who: Who
) -> schema.Facts:
    """Ask to take back your last move and what followed; never past a roll of dice. The other people have to
    agree; engines always do."""
    return _facts(await actions.ask_undo(context.hub, who, game_id, wanted.seen, wanted.seat))


@router.post("/undo/answer")
async def undo_answer(
    game_id: schema.GameId, wanted: schema.UndoAnswerRequest, context: ContextDep, who: Who
) -> schema.Facts:
    """Say whether another may take their move back."""
    return _facts(await actions.answer_undo(context.hub, who, game_id, wanted.allow, wanted.seen))


@router.post("/hint")
async def hint(
    game_id: schema.GameId, _: schema.Empty, context: ContextDep, who: Who, client: Client
) -> schema.Advice:
    """An engine's advice and evaluation, in games that were made with hints; for players only."""
    context.hints_allowed.take(client, "hints")
    advice = await actions.hint(context.hub, who, game_id, context.settings.hint_agent)
    return schema.Advice.model_validate(advice)


@router.get("/outlook", response_model=schema.Outlook)
async def outlook(game_id: schema.GameId, context: ContextDep, who: Who) -> dict[str, Any]:
    """How the game stands by an engine's short look, in games that were made with hints; for players only."""
    return await actions.outlook(context.hub, who, game_id, context.settings.outlook_agent)


@router.get("/curve")
async def curve(game_id: schema.GameId, context: ContextDep, who: Who) -> schema.CurveAnswer:
    """How the chances went in a game that is over, if it was made with hints; for its players. What is not known yet
    comes with a later question."""
    found, better = await actions.curve(context.hub, who, game_id, context.settings.outlook_agent)
    points = [schema.CurvePoint(ply=ply, wins=wins) for ply, wins in sorted(found.wins.items())]
    told = [schema.BetterMove(**one) for one in better]
    return schema.CurveAnswer(points=points, better=told, complete=found.complete)


@router.post("/rematch")
async def rematch(
    game_id: schema.GameId, _: schema.Empty, context: ContextDep, who: Who, client: Client
) -> schema.Seated:
    """The same game again with the seats moved on by one. Everybody who wants to play asks for it."""
    live, you = await actions.rematch(
        context.hub, who, game_id, lambda: context.games_allowed.take(client, "new_games")
    )
    return schema.Seated(id=live.match.id, you=you, path=game_path(live.match.id))
