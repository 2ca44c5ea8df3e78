"""A game and its options from a command line: flags made from the options' own description."""

from __future__ import annotations

import argparse
from typing import Any

from snakeden.core.errors import BadOption
from snakeden.core.game import Game
from snakeden.core.registry import game as find_game
from snakeden.core.registry import games


def add_game(parser: argparse.ArgumentParser) -> None:
    """A GAME argument and `--set NAME=VALUE` for its options."""
    parser.add_argument("game", metavar="GAME", help=", ".join(games()))
    add_settings(parser)


def add_settings(parser: argparse.ArgumentParser, note: str = "") -> None:
    """`--set NAME=VALUE`, for `read_options`."""
    parser.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        dest="settings",
        help=f"{note}an option of the game, such as side=4; may be given several times",
    )


def add_device(parser: argparse.ArgumentParser) -> None:
    """`--device`: a processor or a GPU."""
    parser.add_argument(
        "--device", choices=["cpu", "cuda"], default="cpu", help="cuda: an NVIDIA GPU, with snakeden[cuda]"
    )


def read_options(game: Game, settings: list[str]) -> dict[str, Any]:
    """The options that these NAME=VALUE texts mean; raises BadOption."""
    options = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        known = {option.name: option for option in game.options}
        if not equals or name not in known:
            known_options = "; ".join(
                f"{o.name}: {o.help} ({o.allowed()}; default {o.default})" for o in game.options
            )
            raise BadOption(f"--set {setting}: give NAME=VALUE with an option of {game.id}: {known_options}")
        options[name] = known[name].read(known[name].opened(value))
    return options


def chosen_game(args: argparse.Namespace) -> tuple[Game, dict[str, Any]]:
    """The game and options of a command line made by `add_game`."""
    game = find_game(args.game)
    return game, read_options(game, args.settings)
