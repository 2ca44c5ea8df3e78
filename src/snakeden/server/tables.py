"""The tables of the database. `migrations/` makes them; a test holds the two together.

Nothing in `entries` is ever changed or deleted: a game is the list of its entries.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
)

metadata = MetaData()

games = Table(
    "games",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("options", Text, nullable=False),  # JSON: the options that are not the default
    Column("rules_version", Integer, nullable=False),
    Column("created", Float, nullable=False),  # seconds since 1970
    Column("hints", Boolean, nullable=False),
    Column("seed", LargeBinary, nullable=False),  # 32 bytes, secret until the game is over
    Column("status", String(10), nullable=False),  # waiting, running, over: to find games, never to decide
    Column(
        "listed", Boolean, nullable=False
    ),  # has a seat for anyone, and stands in the lobby while it waits
    Column("engines", Boolean, nullable=False),  # has a seat that an engine plays
    Column("rematch_of", String(32), nullable=True),
    Index("games_status", "status", "created"),
    Index("games_listed", "listed", "status", "created"),
)

seats = Table(
    "seats",
    metadata,
    Column("game", String(32), ForeignKey("games.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("kind", String(10), nullable=False),  # me, here, link, open, engine
    Column("name", String(60), nullable=False),
    Column("agent", String(80), nullable=False),  # of an engine
    Column(
        "secret", LargeBinary, nullable=True
    ),  # sha256 of the seat's secret; null until somebody sits there
    Column("invite", LargeBinary, nullable=True),  # sha256 of the join link's code; null once used
    Column("client", LargeBinary, nullable=True),  # sha256 of the browser's cookie, to list its games
    PrimaryKeyConstraint("game", "seat"),
    Index("seats_client", "client"),
)

entries = Table(
    "entries",
    metadata,
    Column("game", String(32), ForeignKey("games.id"), nullable=False),
    Column("number", Integer, nullable=False),  # from 0 on without a gap; two writers cannot both have one
    Column("kind", String(12), nullable=False),
    Column("seat", Integer, nullable=True),  # who did it; null for the server
    Column("data", Text, nullable=False),
    Column("at", Float, nullable=False),  # seconds since 1970
    PrimaryKeyConstraint("game", "number"),
)

health = Table(
    "health",
    metadata,
    Column("id", Integer, primary_key=True),  # one row, number 0
    Column("at", Float, nullable=False),  # when a server last made sure that it can write
)
