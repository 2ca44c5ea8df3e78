"""Making the tables, and bringing them up to this version."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Engine, make_url

from snakeden.server.store import open_engine

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


def upgrade(url: str) -> tuple[str | None, str | None]:
    """Bring a database up to this version; the revisions before and after."""
    engine = open_engine(url)
    try:
        before = revision(engine)
        if before is None or before != newest():
            command.upgrade(_config(engine), "head")
        return before, revision(engine)
    finally:
        engine.dispose()


def check_current(url: str) -> None:
    """Raises ValueError, in words, if a database is not of this version; changes nothing."""
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite" and not Path(str(parsed.database)).exists():
        raise ValueError(f"there is no database {parsed.database}")
    engine = open_engine(url)
    try:
        if revision(engine) != newest():
            raise ValueError("the database is of another version: run `snakeden db upgrade` first")
    finally:
        engine.dispose()
