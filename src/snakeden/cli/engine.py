"""`snakeden engine`: an agent as an engine that speaks UGI on standard input and output."""

from __future__ import annotations

import argparse
import sys

from snakeden.agents import known_names
from snakeden.agents.ugi import Engine
from snakeden.core.registry import games


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--agent",
        default="level:4",
        help=f"who plays where `go` sets no limit: {known_names()} (default level:4)",
    )
    parser.add_argument(
        "--game", metavar="ID", default="snekagon", help=", ".join(games()) + " (default snekagon)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="decides what the agent leaves to chance (default 0)"
    )


def run(args: argparse.Namespace) -> int:
    def write(line: str) -> None:
        print(line, flush=True)

    Engine(args.agent, write, game=args.game, seed=args.seed).run(sys.stdin)
    return 0
