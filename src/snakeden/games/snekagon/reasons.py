"""What a move of Snekagon or 5G does, in a player's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from snakeden.core.hexgrid import hex_board, neighbours
from snakeden.games.snekagon.kernels import layout
from snakeden.games.snekagon.kernels.layout import Tables
from snakeden.games.snekagon.position import Place, Position, moved, plain, position, snakes
from snakeden.words import Message, Player

if TYPE_CHECKING:
    from snakeden.core.moves import Move
    from snakeden.core.state import State

MOST_CELLS = 3
"""As many cells are named; where more are meant, only how many."""

THEMES = {
    "ring": "join",
    "joins": "join",
    "begins": "begin",
    "longest": "grow",
    "grows": "grow",
    "through": "through",
    "stops": "block",
    "keeps_from": "block",
}
"""What puzzles are sorted by: the theme of each reason, by how its key begins."""

_floor_by = plain(layout.floor_by)


def theme_name(theme: str) -> Message:
    """What a theme is called."""
    return Message(f"snekagon.theme.{theme}")


def reasons(state: State, move: Move) -> tuple[Message, ...]:
    """What a legal move does: to the player's own snakes first, then to the others'."""
    t: Tables = state.variant.tables
    seat = state.player
    assert seat is not None
    after = state.play(move)
    old, new = position(state), position(after)
    reasons = _own(t, old, new, seat, moved(t, move, after))
    for ahead in range(1, t.seats):
        other = (seat + ahead) % t.seats
        reasons += _against(t, state, after, other, old, new)
    return tuple(reasons)


def _own(t: Tables, old: Position, new: Position, seat: int, laid: list[Place]) -> list[Message]:
    """What becomes of the snakes of who lays the tile."""
    chain, ring = next((chain, ring) for chain, ring in snakes(t, new, seat) if laid[-1] in chain)
    before = [snake for snake, _ in snakes(t, old, seat)]
    taken_in = [snake for snake in before if snake[0] in chain]
    length = len(chain)
    if ring:
        reasons = [Message("snekagon.reason.ring", n=length)]
    elif len(taken_in) > 1:
        only = len(before) == len(taken_in)
        reasons = [Message("snekagon.reason.joins_both" if only else "snekagon.reason.joins_two", n=length)]
    elif not taken_in:
        reasons = [Message("snekagon.reason.begins", n=length)]
    elif length > max(map(len, before)):
        reasons = [Message("snekagon.reason.longest", n=length)]
    else:
        reasons = [Message("snekagon.reason.grows", n=length)]
    if laid[0][0] != laid[-1][0]:
        floor, cell = laid[0]
        through = hex_board(t.side).names[cell]
        reasons.append(Message("snekagon-5g.reason.through", n=floor + 1, cell=through))
    return reasons


def _against(t: Tables, state: State, after: State, seat: int, old: Position, new: Position) -> list[Message]:
    """What another player can do no longer."""
    room = _growth(t, state, old, seat)
    if not room:
        return []
    left = _growth(t, after, new, seat)
    if not left:
        length = max(len(chain) for chain, _ in snakes(t, old, seat))
        return [Message("snekagon.reason.stops", who=Player(seat), n=length)]
    lost = sorted(room - left)
    if not lost:
        return []
    if len(lost) > MOST_CELLS:
        return [Message("snekagon.reason.keeps_from_many", who=Player(seat), n=len(lost))]
    board = hex_board(t.side).names
    said = [board[cell] if t.floors == 1 else f"{floor + 1}:{board[cell]}" for floor, cell in lost]
    return [Message("snekagon.reason.keeps_from", who=Player(seat), cells=", ".join(said))]


def _growth(t: Tables, state: State, p: Position, seat: int) -> set[Place]:
    """The cells by which a seat's longest snakes could grow if it were its turn."""
    grown = snakes(t, p, seat)
    longest = {place for chain, _ in grown if len(chain) == max(len(c) for c, _ in grown) for place in chain}
    array = state.array()
    array[0] = seat
    out = np.empty(t.most_moves, np.int32)
    moves = out[: state.variant.program.legal(array, out)]
    if not longest or int(array[0]) != seat:
        return set()
    places, rest = moves % t.placements, moves // t.placements
    links, floors = rest % layout.LINKS, rest // layout.LINKS
    hexes = t.tiles[t.places[places, layout.TILE], layout.HEXES]
    ends = t.places[places, layout.PATH], t.places[places, layout.PATH + hexes - 1]
    found = set()
    for tips in ends:
        # A legal tile touches a snake of its own nowhere but at an open end.
        for floor, cell in set(zip(floors.tolist(), tips.tolist(), strict=True)):
            if any((floor, beside) in longest for beside in neighbours(t.side, cell)):
                found.add((floor, cell))
    linked = np.flatnonzero(links)
    far_end = np.where(links > 2, ends[1], ends[0])
    for floor, way, cell in set(
        zip(
            floors[linked].tolist(),
            ((links[linked] - 1) % 2).tolist(),
            far_end[linked].tolist(),
            strict=True,
        )
    ):
        if (int(_floor_by(t, floor, way)), cell) in longest:
            found.add((floor, cell))
    return found
