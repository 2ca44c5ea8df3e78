"""Making the tables, and bringing them up to this version."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Engine
from sqlalchemy.exc import DBAPIError

from snakeden.server.store import database_url, open_engine

_MIGRATIONS = Path(__file__).resolve().parent / "migrations"


def _config(engine: Engine) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.set_main_option("path_separator", "os")
    config.attributes["engine"] = engine
    return config


def newest() -> str | None:
    """The revision that this version of the program works with."""
    return ScriptDirectory(str(_MIGRATIONS)).get_current_head()


def revision(engine: Engine) -> str | None:
    """The revision of a database; None if it has no tables of ours."""
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


@contextmanager
def _opened(given: str) -> Iterator[Engine]:
    """A database to work on; raises ValueError in words if it does not answer as one should."""
    engine = open_engine(given)
    advice = (
        "give the file of a server, or one that is not there yet"
        if engine.dialect.name == "sqlite"
        else "see that it runs, and that host, port, user, password and name are right"
    )
    try:
        yield engine
    except DBAPIError as error:
        reason = next(iter(str(error.orig).splitlines()), "no reason is given")
        raise ValueError(f"the database {engine.url.database} cannot be used: {reason}; {advice}") from error
    finally:
        engine.dispose()


def _check_known(found: str | None) -> None:
    """Raises ValueError, in words, for the revision of a database that this version cannot read."""
    known = {script.revision for script in ScriptDirectory(str(_MIGRATIONS)).walk_revisions()}
    if found is not None and found not in known:
        raise ValueError(
            f"the database is of revision {found}, and this version of Snakeden knows none after {newest()}: "
            "install the version that made it, or give another database"
        )


def upgrade(given: str) -> tuple[str | None, str | None]:
    """Bring a database up to this version; the revisions before and after."""
    with _opened(given) as engine, _alone(engine):
        before = revision(engine)
        _check_known(before)
        if before != newest():
            command.upgrade(_config(engine), "head")
        return before, revision(engine)


_LOCK = 0x534E414B45444E  # "SNAKEDN"


@contextmanager
def _alone(engine: Engine) -> Iterator[None]:
    """Processes that start together bring a PostgreSQL up to date one after the other. A SQLite file has one server."""
    if engine.dialect.name != "postgresql":
        yield
        return
    with engine.connect() as connection:
        connection.exec_driver_sql(f"SELECT pg_advisory_lock({_LOCK})")
        try:
            yield
        finally:
            connection.exec_driver_sql(f"SELECT pg_advisory_unlock({_LOCK})")


def check_current(given: str) -> None:
    """Raises ValueError, in words, if a database is not of this version; changes nothing."""
    url = database_url(given)
    if url.get_backend_name() == "sqlite" and not Path(str(url.database)).exists():
        raise ValueError(f"there is no database {url.database}")
    with _opened(given) as engine:
        found = revision(engine)
        _check_known(found)
        if found != newest():
            raise ValueError("the database is of another version: run `snakeden db upgrade` first")
