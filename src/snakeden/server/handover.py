"""Taking seats along to another device: a link that works once, for a few minutes.

The code names the second at which it ends. What is stored with the seats is the hash of the whole code, so that nobody
can lengthen it. Using it replaces the secret of the seats: from then on the other device plays, and this one watches.
"""

from __future__ import annotations

import time
from dataclasses import replace
from urllib.parse import urljoin

import segno

from snakeden.server import seats as secret
from snakeden.server.errors import NobodyKnown, NotAllowed
from snakeden.server.live import Hub, Live, held_seats
from snakeden.server.match import Match
from snakeden.server.seats import Credentials
from snakeden.server.stored import Conflict

SECONDS = 600
"""How long a code can be used."""


async def offer(hub: Hub, credentials: Credentials, game_id: str, now: float | None = None) -> str:
    """A code that hands over all seats of this player in a game; one that was made before is void."""
    live = await hub.get(game_id)
    await hub.held(live, credentials)
    async with live.lock:
        if held_seats(live, credentials):
            await hub.seats_now(live)
        held = credentials.held(live.match.id, live.match.seats)
        if not held:
            raise NobodyKnown("no-seat") if credentials.key is None else NotAllowed("no-seat")
        code = f"{int(now or time.time()) + SECONDS:08x}-{secret.new_code()}"
        try:
            await hub.store.offer_handover(live.match.id, _secrets(live.match, held), secret.hashed(code))
        except Conflict:
            await hub.refresh_locked(live)
            raise NotAllowed("no-seat") from None
        live.match = _with(live.match, held, invite=secret.hashed(code))
    return code


async def take(hub: Hub, credentials: Credentials, game_id: str, code: str, now: float | None = None) -> Live:
    """Sit down where the code's maker sat. Doing so again changes nothing and is answered alike."""
    live = await hub.get(game_id)
    offered = secret.hashed(code)
    await hub.catch_up(live)
    if not _offered(live.match, offered) and not credentials.held(live.match.id, live.match.seats):
        raise NotAllowed("handover-over")  # before anybody waits: strangers do not hold up the players
    async with live.lock:
        await hub.seats_now(live)
        match = live.match
        moved = _offered(match, offered)
        if not moved and credentials.held(match.id, match.seats):
            return live  # the answer got lost, and the same player asks again
        if not moved or not _in_time(code, now):
            raise NotAllowed("handover-over")
        mine = {seat: credentials.secret(match.id, seat) for seat in moved}
        try:
            await hub.store.hand_over(match.id, mine, credentials.client, offered)
        except Conflict:
            await hub.refresh_locked(live)
            raise NotAllowed("handover-over") from None
        for seat in moved:
            match = match.with_seat(seat, replace(match.seats[seat], secret=mine[seat], invite=None))
        hub.reseat(live, match)
    return live


async def opened(hub: Hub, game_id: str, code: str, now: float | None = None) -> list[int]:
    """The seats that a link's code opens now: a free one by an invitation, those of another device by a handover.
    None if the link has been used or replaced, or if it is too old."""
    live = await hub.get(game_id)
    await hub.catch_up(live)
    known = secret.hashed(code)
    return [
        n
        for n, seat in enumerate(live.match.seats)
        if seat.invite == known and (not seat.taken or _in_time(code, now))
    ]


def _in_time(code: str, now: float | None) -> bool:
    return int(code[:8], 16) >= (now or time.time())


def _offered(match: Match, code: bytes) -> frozenset[int]:
    """The seats that are to be had by a code."""
    return frozenset(n for n, seat in enumerate(match.seats) if seat.taken and seat.invite == code)


def qr_code(address: str, path: str) -> str:
    """A picture of a link, for a camera: SVG as a data address."""
    drawn: str = segno.make(urljoin(address, path), error="m", micro=False).svg_data_uri(
        scale=6, border=3, light="#fff", dark="#14221d", omitsize=True
    )
    return drawn


def _secrets(match: Match, held: frozenset[int]) -> dict[int, bytes]:
    found = {seat: match.seats[seat].secret for seat in held}
    return {seat: known for seat, known in found.items() if known is not None}


def _with(match: Match, seats: frozenset[int], *, invite: bytes) -> Match:
    for seat in seats:
        match = match.with_seat(seat, replace(match.seats[seat], invite=invite))
    return match
