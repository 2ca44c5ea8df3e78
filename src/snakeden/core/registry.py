"""The list of games: one line each."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from snakeden.core.game import Game

_GAMES = {
    "snekagon": "snakeden.games.snekagon:SNEKAGON",
    "snekagon-5g": "snakeden.games.snekagon:SNEKAGON_5G",
    "schlangennest": "snakeden.games.schlangennest:SCHLANGENNEST",
    "snakey-dice": "snakeden.games.snakey_dice:SNAKEY_DICE",
}


def game_ids() -> tuple[str, ...]:
    """The id of every game; quick, as it loads none."""
    return tuple(_GAMES)


@cache
def game(game_id: str) -> Game:
    """The game of this id."""
    # Imported here, so that `game_ids` stays quick.
    from snakeden.core.errors import BadOption
    from snakeden.core.game import Game
    from snakeden.words import Message

    if game_id not in _GAMES:
        raise BadOption(Message("option.no_game", game=repr(game_id), games=", ".join(_GAMES)))
    module, _, name = _GAMES[game_id].partition(":")
    found = getattr(import_module(module), name)
    assert isinstance(found, Game)
    return found


def games() -> dict[str, Game]:
    """Every game by its id, with its options."""
    return {game_id: game(game_id) for game_id in _GAMES}
