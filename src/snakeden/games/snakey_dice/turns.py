"""A turn of Snakey Dice as the horizon of exact chances: where the next one begins, and which rolled squares make no
difference until then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from snakeden.games.snakey_dice.kernels.layout import (
    ACTIONS,
    BLOCKADES_DUE,
    CHANCES,
    EMPTY,
    FRONT,
    HAND,
    JUMP,
    MAKE,
    NUMBER,
    PHASE,
    PLACE,
    PORTAL,
    POWER_UP,
    REROLLS,
    ROLL,
    SEAT_WORDS_AT,
    WALL,
    Tables,
)
from snakeden.games.snakey_dice.notation import faces

if TYPE_CHECKING:
    from snakeden.core.state import State


def turn_begins(state: State) -> bool:
    """Whether the dice of a new turn are to be rolled now."""
    array = state.array()
    return bool(array[PHASE] == ROLL and array[HAND] == 0 and array[REROLLS] == 0)


def chances(state: State) -> list[tuple[int, float]]:
    """One chance outcome of each sort and the probability of the sort, for a player alone. Outcomes of a sort are
    worth the same until the turn ends: squares that are not empty, since nothing is made there, and empty squares that
    the snake can neither reach nor escape to and that are as likely to be rolled again."""
    outcomes = [(move.code, probability) for move, probability in state.chance_moves()]
    array, t = state.array(), state.variant.tables
    if array[PHASE] != MAKE:
        return outcomes
    near = _near(t, array)
    sorts: dict[tuple[str, int], tuple[int, float]] = {}
    for code, probability in outcomes:
        number = code - t.square_moves
        place = int(t.squares[number, PLACE])
        if array[t.board + place] != EMPTY:
            sort = "held", 0
        elif place in near:
            sort = "near", place
        else:
            sort = "far", int(t.squares[number, CHANCES])
        first, sum_so_far = sorts.get(sort, (code, 0.0))
        sorts[sort] = first, sum_so_far + probability
    return list(sorts.values())


def _near(t: Tables, array: NDArray[Any]) -> set[int]:
    """The places that the rest of the turn may ask about; rather too many than too few."""
    hand = faces(int(array[HAND]))
    steps = sum(face != "6" for face in hand)
    # What may still be made in this turn, which can fill squares that an escape would end on.
    made = int(array[BLOCKADES_DUE]) + hand.count("6") + 2 * steps
    actions = array[SEAT_WORDS_AT + ACTIONS :]
    escapes = bool(actions[JUMP] + actions[PORTAL])
    ways = (1, -1, t.side + 2, -(t.side + 2))
    fronts = near = {int(array[SEAT_WORDS_AT + FRONT])}
    for step in range(steps + 1):
        if escapes:
            landed = {
                place for front in fronts for way in ways for place in _ahead(t, array, front, way, made)
            }
            near, fronts = near | landed, fronts | landed
        if step < steps:
            fronts = {front + way for front in fronts if t.squares[front, NUMBER] >= 0 for way in ways}
            near = near | fronts
    return near


def _ahead(t: Tables, array: NDArray[Any], place: int, way: int, made: int) -> set[int]:
    """The places on which an escape in this direction may end, if this many things are made before."""
    found: set[int] = set()
    for _ in range(t.side + 1):
        if array[t.board + place] == WALL:
            place -= t.side * way
            if not 0 <= place < len(t.squares) or t.squares[place, NUMBER] < 0:
                break  # along the wall, not through it
        if array[t.board + place] <= POWER_UP:
            found.add(place)
            if len(found) > made:
                break
        place += way
    return found
