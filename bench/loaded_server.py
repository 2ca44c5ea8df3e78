"""A process that has loaded the server and a game's rules, and forks a server for every database named on its input:
`python loaded_server.py GAME`. It says the server's process and address when it is ready, and when it has ended."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from snakeden.server.openings import play_through
from snakeden.server.run import bind, serve
from snakeden.server.settings import Settings

_MANY = 10**9


def serve_here(database: str) -> None:
    """Serve until the process is asked to end; no engines are prepared."""
    settings = Settings(
        database,
        engine_workers=1,
        sockets_per_client=_MANY,
        games_per_hour=_MANY,
        games_burst=_MANY,
        requests_per_second=_MANY,
        requests_burst=_MANY,
    )
    with suppress(KeyboardInterrupt):
        serve(settings, bind("127.0.0.1", 0), lambda at: print(os.getpid(), at, flush=True), browser=False)


def main() -> None:
    play_through(sys.argv[1])
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            serve_here(line.strip())
            return
        os.waitpid(child, 0)
        print("ended", flush=True)


if __name__ == "__main__":
    main()
