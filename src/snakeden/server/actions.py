"""What a player can do, whichever way the message came: HTTP or WebSocket."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, TypeVar

from snakeden import agents
from snakeden.core.errors import BadOption
from snakeden.core.registry import game as find_game
from snakeden.core.state import State
from snakeden.server import seats as secret
from snakeden.server.curve import Curve, better_moves
from snakeden.server.dice import new_seed
from snakeden.server.errors import NobodyKnown, NotAllowed, NotNow, NotPossible
from snakeden.server.fair import CLIENT
from snakeden.server.line import Ply
from snakeden.server.live import Hub, Live, held_seats
from snakeden.server.match import Draft, Match
from snakeden.server.openings import opening
from snakeden.server.recording import game_of, plies_of
from snakeden.server.seats import Credentials, Seat
from snakeden.server.stored import Conflict, NewGame, StoredGame
from snakeden.server.view import spoken
from snakeden.words import Player, to_data

_T = TypeVar("_T")


@dataclass(frozen=True)
class WantedSeat:
    kind: str
    name: str
    agent: str


@dataclass(frozen=True)
class Made:
    """A game just made: its join links' codes by seat."""

    live: Live
    codes: dict[int, str]


def check_agent(name: str) -> None:
    """Refuses what is no agent, or wants more of the machine than a guest may ask for."""
    if any(setting in name for setting in ("threads=", "memory=", "file=")):
        raise NotPossible("agent-resources", agent=name)
    try:
        agents.make(name)
    except agents.BadAgent as error:
        raise NotPossible("bad-agent", reason=error.message) from None


async def _who(
    hub: Hub, live: Live, credentials: Credentials, seat: int | None
) -> tuple[int, frozenset[int]]:
    """The seat to act for, and all that are held; refuses strangers."""
    held = await hub.held(live, credentials)
    if not held:
        raise NobodyKnown("no-seat") if credentials.key is None else NotAllowed("no-seat")
    if seat is not None and seat not in held:
        raise NotAllowed("not-your-seat", who=Player(seat))
    if seat is None:
        player = live.match.player
        seat = player if player is not None and player in held else min(held)
    return seat, held


async def beginning(
    hub: Hub, game_id: str, options: dict[str, Any], record: str | None
) -> tuple[State, list[Ply]]:
    """The first position of a game that is wanted, by its name and options or by a record of it, and the plies of
    the record."""
    try:
        if record is None:
            await hub.engines.warm(find_game(game_id).id)
            return await hub.pictures.work(opening, game_id, options), []
        if game_id or options:
            raise NotPossible("record-alone")
        await hub.engines.warm(game_of(record))
        return await hub.pictures.work(plies_of, record)
    except BadOption as error:
        raise NotPossible("bad-option", reason=error.message) from None


async def create(
    hub: Hub,
    credentials: Credentials,
    game_id: str,
    options: dict[str, Any],
    wanted: Sequence[WantedSeat],
    *,
    hints: bool,
    record: str | None = None,
    begins: int | Literal["lot"] = 0,
) -> Made:
    """A new game, its seats as wanted, from the one that begins on; with a record it goes on where that ends."""
    for seat in wanted:
        if (seat.kind == "engine") != bool(seat.agent):
            raise NotPossible("engine-needs-agent")
        if seat.agent:
            check_agent(seat.agent)
    first, plies = await beginning(hub, game_id, options, record)
    if len(wanted) != first.seats:
        raise NotPossible("wrong-number-of-seats", seats=first.seats, given=len(wanted))
    beginner = secrets.randbelow(first.seats) if begins == "lot" else begins
    if beginner >= first.seats or (record is not None and begins != 0):
        raise NotPossible("nobody-begins-there", seats=first.seats)
    if beginner:
        wanted = turned(wanted, beginner)
        first, _ = await beginning(hub, game_id, seated_options(game_id, options, beginner), None)
    if sum(seat.kind == "me" for seat in wanted) > 1:
        raise NotPossible("one-seat-is-yours")
    match_id, codes, seats = secret.new_id(), {}, []
    for number, seat in enumerate(wanted):
        mine = seat.kind in ("me", "here")
        if seat.kind == "link":
            codes[number] = secret.new_code()
        seats.append(
            Seat(
                seat.kind,
                seat.name,
                seat.agent,
                credentials.secret(match_id, number) if mine else None,
                secret.hashed(codes[number]) if number in codes else None,
            )
        )
    hub.may_store(1 + len(plies))
    # In a thread, since the plies of a record are played through.
    new, match = await hub.pictures.work(
        partial(_new_game, listed=any(seat.kind == "open" for seat in wanted)),
        Match(match_id, first, tuple(seats), new_seed(), hints=hints),
        credentials,
        plies,
    )
    await hub.store.create(new)
    return Made(hub.keep(new.game, match), codes)


def turned(some: Sequence[_T], first: int) -> list[_T]:
    """The same, from this one on."""
    return [*some[first:], *some[:first]]


def seated_options(game_id: str, options: dict[str, Any], first: int) -> dict[str, Any]:
    """Options for seats that are turned: what is chosen for each seat goes with who sits there."""
    listed = {option.name for option in find_game(game_id).options if option.kind == "list"}
    return {
        name: turned(value, first) if name in listed and isinstance(value, list) else value
        for name, value in options.items()
    }


def _new_game(
    match: Match,
    credentials: Credentials,
    plies: Sequence[Ply] = (),
    *,
    listed: bool,
    rematch_of: str | None = None,
) -> tuple[NewGame, Match]:
    """The game as it is kept, and as it stands; if nobody is missing, it has begun."""
    client, now = credentials.client, time.time()
    given = match.take_over(plies, now)
    begun = given.after.begin(now)
    stored = StoredGame(
        id=match.id,
        game=match.opening.game,
        options=dict(match.opening.variant.given),
        rules_version=match.opening.variant.game.rules_version,
        created=now,
        hints=match.hints,
        seed=match.seed,
        status=begun.after.status,
        listed=listed,
        seats=match.seats,
        rematch_of=rematch_of,
    )
    sitting = [n for n, seat in enumerate(match.seats) if seat.secret is not None]
    clients = {n: client for n in sitting if client is not None}
    return NewGame(stored, clients, [*given.entries, *begun.entries]), begun.after


async def join(
    hub: Hub, credentials: Credentials, game_id: str, code: str | None, name: str, seat: int | None
) -> tuple[Live, int]:
    """Sit down: by a join link's code, or without one on a seat for anyone."""
    live = await hub.get(game_id)
    invite = secret.hashed(code) if code is not None else None
    await hub.catch_up(live)
    _seat_to_take(
        live.match, credentials, invite, seat
    )  # strangers without a seat do not hold up the players
    async with live.lock:
        await hub.seats_now(live)
        number, taken = _seat_to_take(live.match, credentials, invite, seat)
        if not taken:
            await _sit(hub, live, credentials, number, name or live.match.seats[number].name, invite)
        return live, number


def _seat_to_take(
    match: Match, credentials: Credentials, invite: bytes | None, seat: int | None
) -> tuple[int, bool]:
    """Which seat this player sits down on, and whether they sit there already: the answer got lost, and they ask
    again. Refuses who finds none."""
    for number in sorted(credentials.held(match.id, match.seats)):
        if match.seats[number].kind == ("open" if invite is None else "link") and seat in (None, number):
            return number, True
    if invite is None:
        free = [
            n for n, s in enumerate(match.seats) if s.kind == "open" and not s.taken and seat in (None, n)
        ]
        if not free:
            raise NotNow("no-free-seat")
    else:
        free = [n for n, s in enumerate(match.seats) if s.invite == invite and not s.taken]
        if not free:
            raise NotAllowed("link-used")
    return free[0], False


async def _sit(
    hub: Hub, live: Live, credentials: Credentials, seat: int, name: str, invite: bytes | None
) -> None:
    """Take a free seat; the caller holds the lock."""
    match = live.match
    mine = credentials.secret(match.id, seat)
    sitting = replace(match.seats[seat], name=name, secret=mine, invite=None)
    entries, after = match.sit(seat, sitting, time.time())
    try:
        await hub.store.sit(match.id, seat, mine, credentials.client, invite, entries, after.status)
    except Conflict:
        await hub.refresh_locked(live)
        raise NotNow("somebody-faster") from None
    hub.show(live, after, entries)


async def invite(hub: Hub, credentials: Credentials, game_id: str, seat: int) -> str:
    """A fresh join link's code for a seat nobody has taken; the old one is void. For the game's maker."""
    live = await hub.get(game_id)
    _, held = await _who(hub, live, credentials, None)
    async with live.lock:
        await hub.seats_now(live)
        match = live.match
        if not any(match.seats[number].kind == "me" for number in held):
            raise NotAllowed("only-maker-invites")
        if not 0 <= seat < len(match.seats) or match.seats[seat].kind != "link" or match.seats[seat].taken:
            raise NotNow("seat-not-waiting", who=Player(seat))
        code = secret.new_code()
        try:
            await hub.store.invite(match.id, seat, secret.hashed(code))
        except Conflict:
            await hub.refresh_locked(live)
            raise NotNow("seat-just-taken") from None
        live.match = match.with_seat(seat, replace(match.seats[seat], invite=secret.hashed(code)))
        return code


async def play(
    hub: Hub, credentials: Credentials, game_id: str, move: str, seen: int, seat: int | None = None
) -> Match:
    live = await hub.get(game_id, seen)
    acting, held = await _who(hub, live, credentials, seat)
    own = held if seat is None else frozenset({seat})

    def draft(match: Match, now: float) -> Draft | None:
        return None if match.repeated("move", own, seen, move) else match.play(acting, move, seen, now)

    return await hub.act(live, draft)


async def resign(hub: Hub, credentials: Credentials, game_id: str, seat: int | None = None) -> Match:
    live = await hub.get(game_id)
    acting, _ = await _who(hub, live, credentials, seat)

    def draft(match: Match, now: float) -> Draft | None:
        return None if acting in match.resigned else match.resign(acting, now)

    return await hub.act(live, draft)


async def ask_undo(
    hub: Hub, credentials: Credentials, game_id: str, seen: int, seat: int | None = None
) -> Match:
    """Ask to take back the last move of a seat: of the one given, or of the one held that moved last."""
    live = await hub.get(game_id, seen)
    acting, held = await _who(hub, live, credentials, seat)
    own = held if seat is None else frozenset({seat})

    def draft(match: Match, now: float) -> Draft | None:
        if match.repeated("undo", own, seen):
            return None
        asking = acting
        if seat is None:
            asking = next((ply.seat for ply in match.line.backwards() if ply.seat in held), acting)
        return match.ask_undo(asking, held, seen, now)

    return await hub.act(live, draft)


async def answer_undo(hub: Hub, credentials: Credentials, game_id: str, allow: bool, seen: int) -> Match:
    live = await hub.get(game_id, seen)
    _, held = await _who(hub, live, credentials, None)

    def draft(match: Match, now: float) -> Draft | None:
        return None if match.answered(held, allow, seen) else match.answer_undo(held, allow, seen, now)

    return await hub.act(live, draft)


async def _with_hints(hub: Hub, credentials: Credentials, game_id: str) -> Live:
    """A game of the asker's in which advice is allowed."""
    live = await hub.get(game_id)
    await _who(hub, live, credentials, None)
    if not live.match.hints:
        raise NotAllowed("no-hints")
    return live


async def outlook(hub: Hub, credentials: Credentials, game_id: str, agent: str) -> dict[str, Any]:
    """Each seat's chance to win and expected score, where the game's maker allowed hints."""
    return await hub.outlook(await _with_hints(hub, credentials, game_id), agent)


async def curve(
    hub: Hub, credentials: Credentials, game_id: str, agent: str
) -> tuple[Curve, list[dict[str, Any]]]:
    """How the chances went, once the game is over, and what its engines would have played at their best."""
    live = await _with_hints(hub, credentials, game_id)
    if live.match.status != "over":
        raise NotNow("game-not-over")
    found = await hub.curve(live, agent)
    game = live.match.opening.game
    return found, [
        one._asdict()
        | {"said": to_data(spoken(game, one.move)), "better_said": to_data(spoken(game, one.better))}
        for one in better_moves(found, live.match)
    ]


async def hint(hub: Hub, credentials: Credentials, game_id: str, agent: str) -> dict[str, Any]:
    """What a strong engine would do for the player to move, where the game's maker allowed to ask."""
    live = await _with_hints(hub, credentials, game_id)
    match = live.match
    if match.player is None:
        raise NotNow("nobody-to-move")
    advice = await hub.engines_of(live).choose(
        match.state, agent, [seat.name for seat in match.seats], client=CLIENT.get(), keep=f"{match.id}/hint"
    )
    said = to_data(spoken(match.opening.game, advice["move"]))
    return {"seen": len(match.entries), "seat": match.player, "said": said, **advice}


async def rematch(
    hub: Hub, credentials: Credentials, game_id: str, may_make: Callable[[], None]
) -> tuple[Live, list[int]]:
    """The same game again, everybody one seat on, so that another begins. Whoever asks first makes it, if `may_make`
    does not refuse; every player of the old game takes their seat by asking too."""
    live = await hub.get(game_id)
    _, held = await _who(hub, live, credentials, None)
    async with live.lock:
        await hub.seats_now(live)
        if live.match.rematch is None:
            made = await _make_rematch(hub, live, credentials, held, may_make)
            if made is not None:
                return made, sorted(held_seats(made, credentials))
            await hub.refresh_locked(live)
        successor = live.match.rematch
    if successor is None:
        raise NotNow("somebody-faster")
    following = await hub.get(successor)
    async with following.lock:
        await hub.seats_now(following)
        for old in sorted(held):
            new = (old - 1) % len(live.match.seats)
            seat = following.match.seats[new]
            if not seat.taken:
                await _sit(hub, following, credentials, new, seat.name, None)
    return following, sorted(held_seats(following, credentials))


async def _make_rematch(
    hub: Hub, live: Live, credentials: Credentials, held: frozenset[int], may_make: Callable[[], None]
) -> Live | None:
    match = live.match
    match_id = secret.new_id()
    entries, after = match.offer_rematch(min(held), match_id, time.time())
    may_make()
    seats = []
    for new in range(len(match.seats)):
        old = (new + 1) % len(match.seats)
        seat = match.seats[old]
        seats.append(
            replace(
                seat,
                kind="link" if seat.kind == "open" else seat.kind,
                secret=credentials.secret(match_id, new) if old in held else None,
                invite=None,
            )
        )
    successor, following = _new_game(
        Match(match_id, match.opening, tuple(seats), new_seed(), hints=match.hints),
        credentials,
        listed=False,
        rematch_of=match.id,
    )
    try:
        await hub.store.append(match.id, entries, after.status, successor=successor)
    except Conflict:
        return None
    made = hub.keep(successor.game, following)
    hub.show(live, after, entries)
    return made
