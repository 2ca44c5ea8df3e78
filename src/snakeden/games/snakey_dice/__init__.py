"""Snakey Dice: dice steer snakes over a board that fills up; alone, or two to four in a duel."""

from __future__ import annotations

from typing import Any

from snakeden.core.game import Game
from snakeden.core.options import Option
from snakeden.games.snakey_dice.maps import INLINE, MAPS, START, canonical, find_map, from_file

_MAP = Option(
    "map",
    "text",
    MAPS[0],
    "the duel's board; a file of your own will do",
    choices=MAPS,
    pattern=INLINE,
    pattern_help="the path of a map file, or a map in one line",
    canonical=canonical,
    from_file=from_file,
)


def _board(options: dict[str, Any], given: frozenset[str]) -> dict[str, Any]:
    players, board = options["players"], options["map"]
    if players == 1:
        if board != _MAP.default:
            raise _MAP.refusal(board, "the solo edition has a board of its own; maps are for 2 to 4 players")
        return {"players": players}
    starts = len(find_map(board).squares(START))
    if starts < players:
        raise _MAP.refusal(
            board, f"it has {starts} start{'s' if starts > 1 else ''}, too few for {players} players"
        )
    return options


SNAKEY_DICE = Game(
    id="snakey-dice",
    name="Snakey Dice",
    blurb="Roll dice, bend them a little, and steer a snake over a board that fills up; alone or in a duel.",
    credits=(
        "A print-and-play game, sheets V1.1 (solo) and V2.0 (2–4 players); the sheets name no designer."
    ),
    rules_version=1,
    package=__name__,
    options=(
        Option("players", "int", 1, "how many play; 1 is the solo edition, 2 to 4 the duel", low=1, high=4),
        _MAP,
    ),
    resolve=_board,
    chance=True,
    equivalent_moves=(
        "a rolled square that is not empty changes nothing; on a full board the dice left over are alike"
    ),
)
