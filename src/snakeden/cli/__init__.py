"""The command line. Each command is a module here with `configure(parser)` and `run(args) -> exit status`;
it is imported only when it is called, so that `snakeden --help` stays quick."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from types import ModuleType

COMMANDS = {
    "play": "play a game in the terminal",
    "serve": "play in the browser, alone or with others",
    "db": "look after the server's games",
    "verify": "replay stored games and show the first difference",
    "export": "make a table of played games, a row a position, and back",
    "perft": "count the sequences of moves from a position",
    "bench": "measure the speed of the games",
    "arena": "let agents play each other, and rate them",
    "lab": "play studies of the games, and report what they found",
    "engine": "speak UGI, so that other programs can play against an agent",
    "solve": "find the value of a position under best play",
    "train": "train a network for a game by self-play",
    "nets": "list, export and measure networks",
    "analyse": "show how a recorded game went, and what each move gave away",
    "puzzles": "make puzzles with proven solutions, and prove them again",
    "draw": "draw a position or a whole game of a record",
    "print": "make a PDF to print and play",
}
"""Every command and what it does; the module has the command's name."""
_OTHER_NAMES = {"print": "printing"}
"""Commands whose module is named otherwise: one called `print` would hide Python's own here."""


def _module(command: str) -> ModuleType:
    return import_module(f"snakeden.cli.{_OTHER_NAMES.get(command, command)}")


def main(argv: list[str] | None = None) -> int:
    """Run one command; the exit status."""
    parser = argparse.ArgumentParser(
        prog="snakeden", description="The home of the snake-building board games.", allow_abbrev=False
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    arguments = sys.argv[1:] if argv is None else argv
    called = next((word for word in arguments if not word.startswith("-")), None)
    for name, purpose in COMMANDS.items():
        command = commands.add_parser(
            name, help=purpose, description=purpose.capitalize() + ".", allow_abbrev=False
        )
        if name == called:
            _module(name).configure(command)
    parsed = parser.parse_args(arguments)
    try:
        status: int = _module(parsed.command).run(parsed)
        sys.stdout.flush()
    except ValueError as error:
        print(f"snakeden {parsed.command}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\nsnakeden {parsed.command}: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader has gone; what is still buffered must not be written at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        print(f"snakeden {parsed.command}: {error}", file=sys.stderr)
        return 2
    return status
