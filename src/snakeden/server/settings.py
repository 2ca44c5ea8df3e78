"""Everything an operator can choose, in one record."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path


def default_database() -> str:
    """A SQLite file in the user's data folder."""
    return f"sqlite:///{user_data_path('snakeden') / 'games.sqlite'}"


@dataclass(frozen=True)
class Settings:
    database: str
    """A SQLAlchemy URL: sqlite:///FILE or postgresql://…"""
    origins: tuple[str, ...] = ()
    """Public addresses under which browsers reach the server, such as https://games.example.org. Numeric
    addresses and localhost are always allowed: no foreign name can be made to point there unnoticed."""
    behind_proxy: bool = False
    """Believe X-Forwarded-For (its last address) and set Secure cookies."""
    web: Path | None = Path(__file__).resolve().parent.parent / "web"
    """The folder with the page."""

    cached_games: int = 2048
    """How many games are kept replayed in memory."""
    engine_workers: int = max(1, (os.cpu_count() or 2) - 1)
    engine_seconds: float = 10.0
    """The longest that one engine move may be asked to take."""
    hint_agent: str = "mcts:time=2s"
    outlook_agent: str = "mcts:time=200ms,solver=no"
    """Who says, unasked, how a game with hints stands, when no worker has anything else to do; empty for nobody."""
    prepared_agents: tuple[str, ...] | None = None
    """If given, the rules of all games and these agents are compiled and loaded from the start on, in the
    background, before anybody asks for them."""
    engine_megabytes: int = 2048
    """Address space that a worker may use beyond what it has when it is ready."""
    engine_queue: int = 256
    """Engine moves and hints that may wait for a worker."""

    body_bytes: int = 64 * 1024
    record_bytes: int = 1024 * 1024
    """For a request that brings a record."""
    message_bytes: int = 16 * 1024
    """One WebSocket message."""
    requests_per_second: float = 50.0
    requests_burst: int = 200
    games_per_hour: float = 240.0
    games_burst: int = 40
    hints_per_minute: float = 30.0
    hints_burst: int = 10
    sockets_per_client: int = 64
    clients_remembered: int = 50_000
