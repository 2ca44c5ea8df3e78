"""Snakey Dice: dice steer snakes over a board that fills up; alone, or two to four in a duel."""

from __future__ import annotations

from typing import Any

from snakeden.core.game import Game
from snakeden.core.options import MapEditor, Option, Square
from snakeden.games.snakey_dice.maps import (
    BLOCKADE,
    EMPTY,
    INLINE,
    MAPS,
    POWER_UP,
    START,
    canonical,
    find_map,
    from_file,
)
from snakeden.words import Message

_EDITOR = MapEditor(
    squares=(
        Square(EMPTY, Message("map.square.empty")),
        Square(BLOCKADE, Message("map.square.blockade"), "block", "blockade"),
        Square(POWER_UP, Message("map.square.power_up"), "star", "powerup"),
        Square(START, Message("map.square.start"), "ring", "start"),
    ),
    numbers=(("blockades", Message("map.blockades")), ("power-ups", Message("map.power_ups"))),
    text=lambda name: find_map(name).text(),
)
_MAP = Option(
    "map",
    "text",
    MAPS[0],
    Message("snakey-dice.option.map"),
    choices=MAPS,
    pattern=INLINE,
    pattern_help=Message("snakey-dice.map_help"),
    canonical=canonical,
    from_file=from_file,
    editor=_EDITOR,
)


def _board(options: dict[str, Any], given: frozenset[str]) -> dict[str, Any]:
    players, board = options["players"], options["map"]
    if players == 1:
        if board != _MAP.default:
            raise _MAP.refusal(board, Message("snakey-dice.solo_map"))
        return {"players": players}
    starts = len(find_map(board).squares(START))
    if starts < players:
        raise _MAP.refusal(board, Message("snakey-dice.few_starts", starts=starts, players=players))
    return options


SNAKEY_DICE = Game(
    id="snakey-dice",
    name="Snakey Dice",
    rules_version=1,
    package=__name__,
    options=(
        Option("players", "int", 1, Message("snakey-dice.option.players"), low=1, high=4),
        _MAP,
    ),
    resolve=_board,
    chance=True,
    equivalent_moves=(
        "a rolled square that is not empty changes nothing; on a full board the dice left over are alike"
    ),
)
