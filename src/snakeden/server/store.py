"""Keeping games: one writer with group commit, a few readers, SQLite or PostgreSQL.

A write is acknowledged when its transaction is on disk. All writes that wait while one transaction is being made
durable share the next one; if one of them cannot be done, that transaction is undone and each is tried alone.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import queue
import secrets
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine, make_url

from snakeden.server import tables
from snakeden.server.events import Entry
from snakeden.server.fair import CLIENT, FairPool
from snakeden.server.seats import Seat
from snakeden.server.stored import Conflict, NewGame, StoredGame

_T = TypeVar("_T")
_BATCH = 256
CHANNEL = "snakeden_entries"
_LISTENING: dict[str, Any] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
"""A connection that only listens would never notice that the other side is gone."""

_PATIENCE_S = 10.0
"""How long the database may take to answer before a request is given up."""
_STATEMENT_MS = 15_000
_MOST_WAITING = 20_000
"""Writes that may wait for a transaction."""
_STOP_S = 5.0
_READERS = 2
_HEALTH = "health"
_HEALTH_S = 2.0
"""How long it is believed that writing works."""

log = logging.getLogger("snakeden.store")


class Unanswered(Exception):
    """The database did not answer in time. What was to be written may still be: sent again it is done once."""


DATABASE_ERRORS = (sa.exc.SQLAlchemyError, Unanswered)
"""What is raised while the database is away, full or too slow."""


@dataclass
class _Job:
    """A write: what is to be done first, if anything, and the entries to be added to a game."""

    work: Callable[[Connection], None] | None
    game_id: str
    entries: Sequence[Entry]
    future: asyncio.Future[None]


def database_url(given: str) -> URL:
    """Where games are to be kept; raises ValueError in words for what cannot be. Opens and makes nothing."""
    try:
        url = make_url(given)
    except (sa.exc.ArgumentError, ValueError):
        message = "the database is given as sqlite:///FILE or postgresql://USER@HOST/NAME"
        if "://" not in given:  # else it may hold a password
            message += f", and {given!r} is neither; for the file of that name give sqlite:///{given}"
        raise ValueError(message) from None
    if url.drivername in ("sqlite", "sqlite+pysqlite"):
        if url.host or url.query or url.database in (None, "", ":memory:"):
            raise ValueError(
                "the database must be a file and nothing else: give sqlite:///FILE with three slashes; "
                "games in memory would be lost"
            )
        return url
    if url.get_backend_name() == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    raise ValueError(
        f"games are kept in SQLite or PostgreSQL, not in {url.drivername}: "
        "give sqlite:///FILE or postgresql://USER@HOST/NAME"
    )


def database_file(url: URL) -> Path | None:
    """The file of a SQLite database, in a folder that is made if need be; None for PostgreSQL."""
    if url.get_backend_name() != "sqlite":
        return None
    path = Path(str(url.database)).resolve()  # by whatever name: it is one file, and has one lock
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(
            f"there is no folder {path.parent} and it cannot be made: {error.strerror}; give another database"
        ) from None
    return path


def open_engine(given: str, *, timed: bool = False) -> Engine:
    """An engine for a database; raises ValueError in words for what cannot be one. If it is `timed`, PostgreSQL gives
    up statements that take too long."""
    url = database_url(given)
    file = database_file(url)
    if file is not None:
        if file.is_file() and file.stat().st_nlink > 1:
            raise ValueError(
                f"{file} has a second name (a hard link), under which another server could use it: remove one"
            )
        engine = sa.create_engine(url, connect_args={"check_same_thread": False, "timeout": 5})
        sa.event.listen(engine, "connect", _prepare_sqlite)
        sa.event.listen(engine, "begin", _begin_sqlite)
        return engine
    try:
        limits: dict[str, Any] = {"connect_timeout": 5, "tcp_user_timeout": 10_000}
        if timed and "options" not in url.query:
            limits["options"] = f"-c statement_timeout={_STATEMENT_MS} -c lock_timeout={_STATEMENT_MS}"
        return sa.create_engine(url, pool_pre_ping=True, pool_timeout=5, connect_args=limits)
    except ModuleNotFoundError:
        raise ValueError("PostgreSQL needs one more package: pip install 'snakeden[postgres]'") from None


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # transactions are begun by us, DDL included
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")  # a commit is on disk, not only in the kernel
    connection.execute("PRAGMA foreign_keys=ON")


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


class Store:
    def __init__(self, url: str) -> None:
        self.engine = open_engine(url, timed=True)
        self.shared = self.engine.dialect.name == "postgresql"
        """Whether other server processes may write to the same database."""
        self.hearing: int | None = None
        """The number of the connection that brings news of what they write; None while there is none."""
        self._heard = 0  # connections so far
        self._origin = secrets.token_hex(8)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(_READERS, "snakeden-read")
        self._reading = FairPool(
            range(_READERS), most_held=1, most_waiting=_MOST_WAITING, most_waiting_of_all=_MOST_WAITING
        )
        self._writer: threading.Thread | None = None
        self._healthy: tuple[float, asyncio.Task[None]] | None = None
        self.commits = 0
        self.writes = 0

    # -- machinery

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        self._writer = threading.Thread(
            target=self._write_all, args=(loop,), name="snakeden-write", daemon=True
        )
        self._writer.start()

    async def stop(self) -> None:
        """Finish what was asked, then close; a database that does not answer is not waited for."""
        if self._writer is not None:
            self._jobs.put(None)
            await asyncio.to_thread(self._writer.join, _STOP_S)
            if self._writer.is_alive():
                log.error("the database does not answer; ended without it")
                return
        self._readers.shutdown(wait=False, cancel_futures=True)
        self.engine.dispose()

    @property
    def waiting(self) -> int:
        return self._jobs.qsize()

    async def _write(
        self, game_id: str, entries: Sequence[Entry], work: Callable[[Connection], None] | None = None
    ) -> None:
        if self.waiting >= _MOST_WAITING:
            raise Unanswered("too many writes are waiting")
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._jobs.put(_Job(work, game_id, entries, future))
        try:
            await asyncio.wait_for(future, _PATIENCE_S)
        except TimeoutError:
            raise Unanswered("a write took too long") from None

    async def _read(self, work: Callable[[Connection], _T]) -> _T:
        """Clients take turns, and each reads one thing at a time: whoever asks for much waits for it alone."""

        def run() -> _T:
            with self.engine.connect() as connection:
                return work(connection)

        try:
            async with asyncio.timeout(_PATIENCE_S), self._reading.turn(CLIENT.get(), bounded=False):
                return await asyncio.get_running_loop().run_in_executor(self._readers, run)
        except TimeoutError:
            raise Unanswered("a reading took too long") from None

    def _write_all(self, loop: asyncio.AbstractEventLoop) -> None:
        running = True
        while running:
            batch: list[_Job] = []
            job = self._jobs.get()
            while job is not None:
                batch.append(job)
                if len(batch) == _BATCH:
                    break
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
            running = job is not None
            if batch:
                done = self._committed(batch)
                with suppress(RuntimeError):  # the loop is closed: nobody is left to be notified
                    loop.call_soon_threadsafe(_resolve, done)

    def _committed(self, batch: list[_Job]) -> list[tuple[_Job, Exception | None]]:
        """Commit, whatever happens: if this thread ended, every write would wait for ever."""
        try:
            return self._commit(batch)
        except Exception as error:
            log.exception("writing failed in a way that was not foreseen")
            return [(job, error) for job in batch]
        except BaseException as error:
            log.critical("the writer cannot go on; the server ends", exc_info=error)
            os.kill(os.getpid(), signal.SIGTERM)
            return [(job, Unanswered("the writer has ended")) for job in batch]

    def _commit(self, batch: list[_Job]) -> list[tuple[_Job, Exception | None]]:
        try:
            with self.engine.begin() as connection:
                for job in batch:
                    if job.work is not None:
                        job.work(connection)
                rows = [{"game": job.game_id, **entry._asdict()} for job in batch for entry in job.entries]
                if rows:
                    connection.execute(_INSERT_ENTRIES, rows)
                if rows and self.shared:
                    changed = {f"{self._origin} {job.game_id}" for job in batch if job.entries}
                    connection.execute(
                        _NOTIFY, [{"channel": CHANNEL, "payload": one} for one in sorted(changed)]
                    )
            self.commits += 1
            self.writes += len(batch)
            return [(job, None) for job in batch]
        except (Conflict, sa.exc.SQLAlchemyError) as error:
            if len(batch) == 1:
                return [(batch[0], Conflict() if isinstance(error, sa.exc.IntegrityError) else error)]
        return [done for job in batch for done in self._commit([job])]

    # -- games

    async def create(self, new: NewGame) -> None:
        await self._write(new.game.id, new.entries, lambda c: _insert_game(c, new))

    async def append(
        self, game_id: str, entries: Sequence[Entry], status: str, *, successor: NewGame | None = None
    ) -> None:
        """Keep what happened; raises Conflict if another writer has one of the entries' numbers. With a successor
        the rematch is made in the same stroke."""

        def work(connection: Connection) -> None:
            connection.execute(_SET_STATUS, {"b_id": game_id, "b_status": status})
            if successor is not None:
                _insert_game(connection, successor)
                _insert_entries(connection, successor.game.id, successor.entries)

        await self._write(game_id, entries, work if status == "over" else None)

    async def sit(
        self,
        game_id: str,
        seat: int,
        secret: bytes,
        client: bytes | None,
        invite: bytes | None,
        entries: Sequence[Entry],
        status: str,
    ) -> None:
        """Somebody takes a free seat, with the invitation it asks for; raises Conflict if it is gone."""

        def work(connection: Connection) -> None:
            t = tables.seats
            asked = t.c.invite.is_(None) if invite is None else t.c.invite == invite
            free = (t.c.game == game_id) & (t.c.seat == seat) & t.c.secret.is_(None) & asked
            name = next(entry.data for entry in entries if entry.kind == "join")
            taken = connection.execute(
                sa.update(t).where(free).values(secret=secret, client=client, invite=None, name=name)
            )
            if taken.rowcount != 1:
                raise Conflict
            connection.execute(_SET_STATUS, {"b_id": game_id, "b_status": status})

        await self._write(game_id, entries, work)

    async def invite(self, game_id: str, seat: int, invite: bytes) -> None:
        """A fresh invitation for a free seat; the one before is worth nothing any more."""

        def work(connection: Connection) -> None:
            t = tables.seats
            free = (t.c.game == game_id) & (t.c.seat == seat) & (t.c.kind == "link") & t.c.secret.is_(None)
            if connection.execute(sa.update(t).where(free).values(invite=invite)).rowcount != 1:
                raise Conflict

        await self._write(game_id, (), work)

    async def offer_handover(self, game_id: str, secrets_by_seat: Mapping[int, bytes], code: bytes) -> None:
        """A code for the seats that have these secrets; raises Conflict if one has another by now."""
        t = tables.seats

        def work(connection: Connection) -> None:
            for seat, secret in secrets_by_seat.items():
                held = (t.c.game == game_id) & (t.c.seat == seat) & (t.c.secret == secret)
                if connection.execute(sa.update(t).where(held).values(invite=code)).rowcount != 1:
                    raise Conflict

        await self._write(game_id, (), work)

    async def hand_over(
        self, game_id: str, secrets_by_seat: Mapping[int, bytes], client: bytes | None, code: bytes
    ) -> None:
        """Another device takes the seats that this code was made for; raises Conflict if it has been used."""
        t = tables.seats

        def work(connection: Connection) -> None:
            for seat, secret in secrets_by_seat.items():
                offered = (t.c.game == game_id) & (t.c.seat == seat) & (t.c.invite == code)
                taken = sa.update(t).where(offered, t.c.secret.is_not(None))
                if connection.execute(taken.values(secret=secret, client=client, invite=None)).rowcount != 1:
                    raise Conflict
            if self.shared:  # without an entry nobody else would hear of it
                notice = {"channel": CHANNEL, "payload": f"{self._origin} {game_id}"}
                connection.execute(_NOTIFY, notice)

        await self._write(game_id, (), work)

    async def load(self, game_id: str) -> tuple[StoredGame, list[Entry]] | None:
        """A game and everything that happened in it."""

        def work(connection: Connection) -> tuple[StoredGame, list[Entry]] | None:
            row = connection.execute(_GAME, {"b_id": game_id}).mappings().first()
            if row is None:
                return None
            return _stored(row, _seats(connection, game_id)), _entries(connection, game_id, 0)

        return await self._read(work)

    async def news(self, game_id: str, start: int) -> tuple[tuple[Seat, ...], list[Entry]]:
        """The seats now, and the entries from number `start` on."""
        return await self._read(lambda c: (_seats(c, game_id), _entries(c, game_id, start)))

    async def lobby(self, limit: int, since: float = 0.0) -> list[tuple[StoredGame, int]]:
        """Games made after `since` that wait and have a seat for anyone, newest first."""
        return await self._public("waiting", limit, since)

    async def running(self, limit: int, since: float = 0.0) -> list[tuple[StoredGame, int]]:
        """Games being played that had a seat for anyone, newest first. All others are private."""
        return await self._public("running", limit, since)

    async def still(self, statuses: Sequence[str], games: Sequence[str], since: float) -> list[str]:
        """Which of these games were made after `since` and still have one of these statuses."""
        t = tables.games
        found = sa.select(t.c.id).where(t.c.id.in_(games), t.c.status.in_(statuses), t.c.created > since)
        return await self._read(lambda c: list(c.execute(found).scalars())) if games else []

    async def _public(self, status: str, limit: int, since: float) -> list[tuple[StoredGame, int]]:
        t = tables.games
        found = sa.select(t).where(t.c.status == status, t.c.listed, t.c.created > since)
        return await self._list(found.order_by(t.c.created.desc()).limit(limit))

    async def games_of(self, client: bytes, limit: int) -> list[tuple[StoredGame, int]]:
        """The games in which a browser has a seat, newest first, and how many entries each has."""
        t, s = tables.games, tables.seats
        mine = sa.select(s.c.game).where(s.c.client == client)
        return await self._list(
            sa.select(t).where(t.c.id.in_(mine)).order_by(t.c.created.desc()).limit(limit)
        )

    async def _list(self, found: sa.Select[Any]) -> list[tuple[StoredGame, int]]:
        def work(connection: Connection) -> list[tuple[StoredGame, int]]:
            e, t = tables.entries, tables.seats
            rows = connection.execute(found).mappings().all()
            ids = [row["id"] for row in rows]
            counts = sa.select(e.c.game, sa.func.count()).where(e.c.game.in_(ids)).group_by(e.c.game)
            count: dict[str, int] = {row[0]: row[1] for row in connection.execute(counts)}
            seats: dict[str, list[Seat]] = {}
            for row in connection.execute(sa.select(t).where(t.c.game.in_(ids)).order_by(t.c.game, t.c.seat)):
                seats.setdefault(row.game, []).append(_seat(row))
            return [(_stored(row, tuple(seats[row["id"]])), count.get(row["id"], 0)) for row in rows]

        return await self._read(work)

    async def with_engines(self) -> list[str]:
        """The running games in which people play with engines."""
        t, s = tables.games, tables.seats
        people = sa.exists().where(s.c.game == t.c.id, s.c.kind != "engine")
        found = sa.select(t.c.id).where(t.c.status == "running", t.c.engines, people).order_by(t.c.created)
        return await self._read(lambda c: list(c.execute(found).scalars()))

    async def ready(self) -> None:
        """Raises whatever is wrong if the database cannot be asked and written to. It is found out every two seconds at
        most, however many ask."""
        now = time.monotonic()
        if self._healthy is None or (self._healthy[1].done() and now - self._healthy[0] > _HEALTH_S):
            trial = asyncio.create_task(self._try())
            # Nobody may be waiting any more when it fails; then its error is of no interest.
            trial.add_done_callback(lambda done: done.cancelled() or done.exception())
            self._healthy = (now, trial)
        async with asyncio.timeout(_PATIENCE_S):
            await asyncio.shield(self._healthy[1])

    async def _try(self) -> None:
        """Read what is there, and write a row."""
        CLIENT.set(_HEALTH)  # not in the turn of whoever asks: others wait for the same
        await self._read(lambda c: c.execute(sa.select(tables.games.c.id).limit(1)).first())

        def write(connection: Connection) -> None:
            connection.execute(sa.update(tables.health).values(at=time.time()))

        await self._write("", (), write)

    async def changes(self) -> AsyncIterator[str | None]:
        """Ids of games that other processes wrote to, on PostgreSQL. None means: there may be others, too."""
        import psycopg

        url = self.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        while True:
            try:
                listening = psycopg.AsyncConnection.connect(url, autocommit=True, **_LISTENING)
                async with await listening as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    self._heard += 1
                    self.hearing = self._heard
                    try:
                        yield None
                        async for notice in connection.notifies():
                            origin, _, game_id = notice.payload.partition(" ")
                            if origin != self._origin:
                                yield game_id
                    finally:
                        self.hearing = None
            except (psycopg.Error, OSError) as error:
                # The database is away; nothing can be written either. Whatever it was, one more try has to follow:
                # a server that hears nothing any more would go on showing its players old positions.
                log.warning("no news of other servers", extra={"why": str(error)[:300]})
                await asyncio.sleep(1)


def every_game(engine: Engine) -> list[str]:
    """The ids of all games, oldest first."""
    with engine.connect() as connection:
        t = tables.games
        return list(connection.execute(sa.select(t.c.id).order_by(t.c.created, t.c.id)).scalars())


def load_now(engine: Engine, game_id: str) -> tuple[StoredGame, list[Entry]]:
    """A game that exists, for programs without an event loop."""
    with engine.connect() as connection:
        row = connection.execute(_GAME, {"b_id": game_id}).mappings().one()
        return _stored(row, _seats(connection, game_id)), _entries(connection, game_id, 0)


# -- statements

_SET_STATUS = (
    sa.update(tables.games)
    .where(tables.games.c.id == sa.bindparam("b_id"))
    .values(status=sa.bindparam("b_status"))
)
_NOTIFY = sa.select(sa.func.pg_notify(sa.bindparam("channel"), sa.bindparam("payload")))
_GAME = sa.select(tables.games).where(tables.games.c.id == sa.bindparam("b_id"))
_SEATS = (
    sa.select(tables.seats).where(tables.seats.c.game == sa.bindparam("b_id")).order_by(tables.seats.c.seat)
)
_ENTRIES = (
    sa.select(
        tables.entries.c.number,
        tables.entries.c.kind,
        tables.entries.c.seat,
        tables.entries.c.data,
        tables.entries.c.at,
    )
    .where(tables.entries.c.game == sa.bindparam("b_id"), tables.entries.c.number >= sa.bindparam("b_start"))
    .order_by(tables.entries.c.number)
)
_INSERT_ENTRIES = sa.insert(tables.entries)


def _insert_entries(connection: Connection, game_id: str, entries: Sequence[Entry]) -> None:
    if entries:
        connection.execute(_INSERT_ENTRIES, [{"game": game_id, **entry._asdict()} for entry in entries])


def _insert_game(connection: Connection, new: NewGame) -> None:
    game = new.game
    connection.execute(
        sa.insert(tables.games),
        {
            "id": game.id,
            "game": game.game,
            "options": json.dumps(dict(game.options)),
            "rules_version": game.rules_version,
            "created": game.created,
            "hints": game.hints,
            "seed": game.seed,
            "status": game.status,
            "listed": game.listed,
            "engines": any(seat.kind == "engine" for seat in game.seats),
            "rematch_of": game.rematch_of,
        },
    )
    rows = [
        {
            "game": game.id,
            "seat": number,
            "kind": seat.kind,
            "name": seat.name,
            "agent": seat.agent,
            "secret": seat.secret,
            "invite": seat.invite,
            "client": new.clients.get(number),
        }
        for number, seat in enumerate(game.seats)
    ]
    connection.execute(sa.insert(tables.seats), rows)


def _seats(connection: Connection, game_id: str) -> tuple[Seat, ...]:
    return tuple(_seat(row) for row in connection.execute(_SEATS, {"b_id": game_id}))


def _seat(row: Any) -> Seat:
    return Seat(row.kind, row.name, row.agent, row.secret, row.invite)


def _entries(connection: Connection, game_id: str, start: int) -> list[Entry]:
    return [Entry(*row) for row in connection.execute(_ENTRIES, {"b_id": game_id, "b_start": start})]


def _stored(row: Any, seats: tuple[Seat, ...]) -> StoredGame:
    known = {
        name: row[name] for name in ("id", "game", "rules_version", "created", "hints", "seed", "status")
    }
    options = json.loads(row["options"])
    return StoredGame(
        **known, options=options, listed=row["listed"], seats=seats, rematch_of=row["rematch_of"]
    )


def _resolve(done: list[tuple[_Job, Exception | None]]) -> None:
    for job, error in done:
        if job.future.done():
            continue  # the caller is gone
        if error is None:
            job.future.set_result(None)
        else:
            job.future.set_exception(error)
