"""`snakeden serve`: the games on a web page, for this machine or for everybody."""

from __future__ import annotations

import argparse
import contextlib
import ipaddress
import os
from pathlib import Path
from urllib.parse import urlsplit

_RANGES = {
    "port": (0, 65535),
    "workers": (1, 1024),
    "engine_seconds": (0.01, 3600),
    "sockets_per_client": (1, 1_000_000),
    "games_per_hour": (0.01, 1_000_000_000),
    "requests_per_second": (0.01, 1_000_000),
}
"""The smallest and the largest number that each option can be."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to listen on; 0.0.0.0 for everybody (default: %(default)s)",
    )
    parser.add_argument(
        "--port", type=int, default=None, help="default: 8330, or any free one if that is taken"
    )
    parser.add_argument(
        "--database",
        default=os.environ.get("SNAKEDEN_DATABASE"),
        help="sqlite:///FILE or postgresql://… (default: $SNAKEDEN_DATABASE, else a file in your data folder)",
    )
    parser.add_argument(
        "--origin",
        action="append",
        default=[],
        help="public address, such as https://games.example.org; repeatable",
    )
    parser.add_argument(
        "--behind-proxy", action="store_true", help="trust X-Forwarded-For, and send Secure cookies"
    )
    parser.add_argument(
        "--proxy",
        action="append",
        default=[],
        help="address or network of a proxy, such as 10.0.0.0/8: only these are believed; repeatable",
    )
    parser.add_argument(
        "--share-port", action="store_true", help="let several servers with one PostgreSQL listen on one port"
    )
    parser.add_argument(
        "--workers", type=int, default=None, help="engine processes (default: one less than cores)"
    )
    parser.add_argument(
        "--engine-seconds",
        type=float,
        default=10.0,
        help="longest time for an engine's move (default: %(default)g)",
    )
    parser.add_argument(
        "--engine-files",
        type=Path,
        default=None,
        metavar="FOLDER",
        help="engine for pages: the folder python of what `make site` built (default: none, so no page thinks)",
    )
    parser.add_argument(
        "--engines-in-page",
        default="prefer",
        choices=["prefer", "allow", "forbid"],
        help="whether the page of who plays without other people thinks for the engines: wherever it can, only while "
        "the server's are busy, or never (default: %(default)s)",
    )
    parser.add_argument(
        "--sockets-per-client",
        type=int,
        default=64,
        help="live connections from one address (default: %(default)s)",
    )
    parser.add_argument(
        "--games-per-hour",
        type=float,
        default=240.0,
        help="new games from one address (default: %(default)g)",
    )
    parser.add_argument(
        "--requests-per-second",
        type=float,
        default=50.0,
        help="requests from one address (default: %(default)g)",
    )
    parser.add_argument("--browser", action="store_true", help="open the page in a browser")
    parser.add_argument(
        "--log",
        default="warning",
        choices=["debug", "info", "warning", "error"],
        help="log level (default: %(default)s)",
    )


def _check(args: argparse.Namespace) -> None:
    """Raises ValueError, in words, for what cannot be."""
    for name, (low, high) in _RANGES.items():
        value = getattr(args, name)
        if value is not None and not low <= value <= high:
            raise ValueError(
                f"--{name.replace('_', '-')} {value} is not possible: allowed is {low} to {high}"
            )
    if args.engine_files is not None:
        from snakeden.site.contents import check_engine_files

        check_engine_files(args.engine_files)
    for proxy in args.proxy:
        try:
            ipaddress.ip_network(proxy, strict=False)
        except ValueError:
            raise ValueError(
                f"--proxy {proxy} is not possible: allowed is an address or a network, such as 10.0.0.0/8"
            ) from None
    if args.proxy and not args.behind_proxy:
        raise ValueError("--proxy says whom to believe: it goes with --behind-proxy")
    for origin in args.origin:
        try:
            split = urlsplit(origin)
            possible = split.scheme in ("http", "https") and split.netloc and not split.path.strip("/")
        except ValueError:
            possible = False
        if not possible:
            raise ValueError(
                f"--origin {origin} is not possible: allowed is a scheme and a name, such as "
                "https://games.example.org"
            )


def run(args: argparse.Namespace) -> int:
    _check(args)
    from snakeden.server import logs
    from snakeden.server.run import bind, serve
    from snakeden.server.settings import Settings, default_database

    logs.set_up(args.log)
    chosen = {} if args.workers is None else {"engine_workers": args.workers}
    settings = Settings(
        database=args.database or default_database(),
        origins=tuple(origin.rstrip("/") for origin in args.origin),
        behind_proxy=args.behind_proxy,
        proxies=tuple(args.proxy),
        engine_seconds=args.engine_seconds,
        engine_files=args.engine_files,
        engines_in_page=args.engines_in_page,
        sockets_per_client=args.sockets_per_client,
        games_per_hour=args.games_per_hour,
        games_burst=max(40, int(args.games_per_hour)),
        requests_per_second=args.requests_per_second,
        requests_burst=max(200, int(4 * args.requests_per_second)),
        compile_at_start=True,
        **chosen,
    )
    if args.port is None:
        try:
            sock = bind(args.host, 8330, shared=args.share_port)
        except ValueError:
            sock = bind(args.host, 0, shared=args.share_port)
    else:
        sock = bind(args.host, args.port, shared=args.share_port)
    with contextlib.suppress(KeyboardInterrupt):  # the usual way to end it; everything is closed by then
        serve(settings, sock, _say, browser=args.browser)
    return 0


def _say(address: str) -> None:
    print(f"Snakeden is at {address} (Ctrl-C ends it)", flush=True)
