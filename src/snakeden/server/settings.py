"""Everything an operator can choose, in one record."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path

from snakeden.server.page_engines import Policy


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
    """Believe X-Forwarded-For and set Secure cookies."""
    proxies: tuple[str, ...] = ()
    """Addresses or networks of the proxies. Whoever else comes directly is not believed, and of X-Forwarded-For counts
    the last address that is none of them. If none are given, whoever comes counts as a proxy."""
    engines_in_page: Policy = "prefer"
    """Whether a page thinks for the engines that its visitor plays against: wherever it can, only while the server's
    own are busy, or never."""
    engine_files: Path | None = None
    """The folder with what a page needs for that: `python` of a site that `make site` built. Without it no page
    thinks."""
    web: Path | None = Path(__file__).resolve().parent.parent / "web"
    """The folder with the page."""

    cached_games: int = 2048
    """How many games are kept in memory that nobody needs just now."""
    cached_bytes: int = 256 * 1024 * 1024
    """About how much memory they may take."""
    engine_workers: int = max(1, (os.cpu_count() or 2) - 1)
    engine_seconds: float = 10.0
    """The longest that one engine move may be asked to take."""
    hint_agent: str = "best:time=2s"
    outlook_agent: str = "mcts:time=200ms,solver=no"
    """Who says, unasked, how a game with hints stands, when no worker has anything else to do; empty for nobody."""
    compile_at_start: bool = False
    """Whether the programs of all games are compiled from the start on, in the background. Games are played at once
    all the same, by ready-made WebAssembly."""
    engine_megabytes: int = 2048
    """Memory that a worker may use beyond what it has when it is ready."""
    engine_queue: int = 1024
    """Engine moves and hints that may wait for a worker."""
    engine_queue_per_client: int = 16
    thinking_games: int = 8
    """Games of one client in which an engine thinks or waits for a worker; others of the same client come after."""

    body_bytes: int = 64 * 1024
    record_bytes: int = 256 * 1024
    """For a request that may bring a record."""
    body_seconds: float = 15.0
    """How long a request's body may take to come."""
    requests_at_once: int = 64
    """Requests of one client that are being answered."""
    connections_per_client: int = 128
    """HTTP connections; live ones are counted apart. Behind a proxy all are the proxy's, and it has to see to this."""
    message_bytes: int = 16 * 1024
    """One WebSocket message."""
    requests_per_second: float = 50.0
    requests_burst: int = 200
    games_per_hour: float = 240.0
    games_burst: int = 40
    hints_per_minute: float = 30.0
    hints_burst: int = 10
    sockets_per_client: int = 64
    open_games_per_client: int = 6
    """Games that wait in the lobby."""
    joined_games_per_client: int = 16
    """Games joined from the lobby that are not over: who took every seat there would leave nobody an opponent."""
    lobby_hours: float = 24.0
    """How long a game is shown in the lobby."""
    clients_remembered: int = 50_000
