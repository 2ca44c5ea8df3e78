"""The tables, and games that today's rules cannot play."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from looping import in_own_thread
from serving import Player, done, make_client, refused, seats

from postgres import postgres
from snakeden.server import tables
from snakeden.server.database import check_current, newest, revision, upgrade
from snakeden.server.seats import Credentials
from snakeden.server.store import open_engine
from snakeden.server.watching import Watcher


def assert_migrations_make_the_tables(url: str) -> None:
    assert upgrade(url) == (None, newest())
    assert upgrade(url) == (newest(), newest())
    engine = open_engine(url)
    try:
        with engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            assert compare_metadata(context, tables.metadata) == []
        assert revision(engine) == newest()
    finally:
        engine.dispose()


def test_migrations_make_the_tables_in_sqlite(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new' / 'games.sqlite'}"
    with pytest.raises(ValueError, match="there is no database"):
        check_current(url)
    assert_migrations_make_the_tables(url)
    check_current(url)


def test_migrations_make_the_tables_in_postgresql() -> None:
    with postgres() as server:
        with pytest.raises(ValueError, match="snakeden db upgrade"):
            check_current(server.url)
        assert_migrations_make_the_tables(server.url)
        check_current(server.url)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("what", "'what' is neither"),
        ("postgresql://ann:secret@host:port/name", "sqlite:///FILE or postgresql://USER@HOST/NAME"),
        ("mysql://ann@host/name", "not in mysql"),
        ("sqlite+aiosqlite:///{folder}/games.sqlite", "not in sqlite.aiosqlite"),
        ("sqlite://", "three slashes"),
        ("sqlite:///:memory:", "would be lost"),
        ("sqlite://games.sqlite", "three slashes"),
        ("sqlite:///{folder}/games.sqlite?mode=ro", "nothing else"),
        ("sqlite:///{folder}/text", "file is not a database; give the file of a server"),
        ("sqlite:///{folder}", "unable to open database file"),
        ("sqlite:///{folder}/text/games.sqlite", "it cannot be made"),
        ("postgresql://ann:secret@127.0.0.1:1/name", "refused.*; see that it runs"),
    ],
)
def test_databases_that_cannot_be(tmp_path: Path, given: str, message: str) -> None:
    (tmp_path / "text").write_text("Just a text, and long enough that it could be something else.\n" * 20)
    with pytest.raises(ValueError, match=message) as error:
        upgrade(given.format(folder=tmp_path))
    assert "secret" not in str(error.value)
    assert [path.name for path in tmp_path.iterdir()] == ["text"]


def test_a_database_of_a_newer_version_is_left_as_it_is(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite'}"
    upgrade(url)
    engine = open_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = 'from the future'")
    for work in (upgrade, check_current):
        with pytest.raises(ValueError, match=r"revision from the future.* install the version"):
            work(url)
    assert revision(engine) == "from the future"
    engine.dispose()


def test_a_game_of_other_rules_is_kept_and_can_be_read(tmp_path: Path) -> None:
    with make_client(tmp_path) as client:
        ann = Player(client)
        game = done(ann.post("/api/games", game="snekagon", options={"side": 3}, seats=seats("me", "here")))[
            "id"
        ]
        ann.act(game, "play", move="c3", seen=0)
    engine = open_engine(f"sqlite:///{tmp_path / 'games.sqlite'}")
    with engine.begin() as connection:
        connection.execute(sa.update(tables.games).values(rules_version=99))
    engine.dispose()
    with make_client(tmp_path) as client:
        ann.server = client
        assert "99" in refused(ann.get(f"/api/games/{game}"), 409)
        refused(ann.post(f"/api/games/{game}/play", move="a1-a2", seen=1), 409)
        text = ann.get(f"/api/games/{game}/record").text
        assert '[Rules "99"]' in text
        assert "1. c3" in text


def test_damaged_games_hold_up_no_engine(tmp_path: Path) -> None:
    with make_client(tmp_path) as client:
        ann = Player(client)
        wanted = {"game": "snekagon", "options": {"side": 3}, "seats": seats("me", "engine")}
        made = [done(ann.post("/api/games", **wanted))["id"] for _ in range(20)]
        for game in made:
            ann.act(game, "play", move="c3", seen=0)
    engine = open_engine(f"sqlite:///{tmp_path / 'games.sqlite'}")
    t = tables.entries
    with engine.begin() as connection:
        connection.execute(sa.delete(t).where(t.c.number == 1))
        # The oldest game is the last to be taken up again, after those that cannot be read.
        connection.execute(sa.update(t).where(t.c.game != made[0]).values(data="nowhere"))
    moves = sa.select(sa.func.count()).select_from(t).where(t.c.game == made[0])

    def moved() -> bool:
        with engine.connect() as connection:
            return connection.execute(moves).scalar_one() == 2

    with make_client(tmp_path):
        end = time.monotonic() + 60
        while not moved():
            assert time.monotonic() < end, "the engine goes on by itself"
            time.sleep(0.01)
    engine.dispose()


def test_a_watcher_who_does_not_read_is_let_go() -> None:
    async def watch() -> list[str | None]:
        watcher = Watcher(Credentials(), pictures=False)
        for number in range(1000):
            watcher.send(str(number))
        received = [await watcher.next()]
        while received[-1] is not None:
            received.append(await watcher.next())
        return received

    received = in_own_thread(asyncio.run, watch())
    assert 64 < len(received) < 1000
    assert received[:-1] == [str(number) for number in range(len(received) - 1)], "what came before is whole"
