"""Schlangennest's notation: `C(1,0)NW`, `turn(1,0)SE`, `swap(0,0)W`; with two snakes the colour first,
`0:C(1,0)NW`."""

from __future__ import annotations

import re
from typing import Any

from numpy.typing import NDArray

from snakeden.core.errors import IllegalMove, UnreadableMove
from snakeden.games.schlangennest import moves
from snakeden.games.schlangennest.cards import (
    BLANK,
    COLOURED,
    ENDS,
    FACES,
    FIRST_CURVE,
    FREE,
    KINDS,
    SIDES,
    STEPS,
    face_parts,
)
from snakeden.games.schlangennest.crowding import FOUR_COLOURS, NO_CURVE, THREE_SNAKES
from snakeden.games.schlangennest.layout import (
    BOARD,
    DEEDS,
    SEAT,
    TURN,
    Tables,
)

_MOVE = re.compile(r"(?:(\d{1,2}):)?(S|C|T|H|turn|swap)\((-?\d{1,4}),(-?\d{1,4})\)([NESW]{1,2})")

DEED_NAMES = (
    *FACES,
    *(("turn", way) for _, way in FACES[FIRST_CURVE : FIRST_CURVE + 4]),
    *(("swap", way) for way in SIDES),
)
"""What a move does and how the card lies then, by the number of the deed."""

CARD_NAMES = {"S": "straight", "C": "curve", "T": "tail", "H": "head"}


def place(t: Tables, square: int) -> tuple[int, int]:
    """The coordinates of a square."""
    return square % t.stride - t.origin % t.stride, square // t.stride - t.origin // t.stride


def _at(t: Tables, square: int) -> str:
    return "({},{})".format(*place(t, square))


def text(t: Tables, move: int) -> str:
    """The move's text."""
    rest, deed = divmod(move, DEEDS)
    colour, square = divmod(rest, t.squares)
    what, way = DEED_NAMES[deed]
    prefix = f"{colour}:" if t.snakes == 2 else ""
    return f"{prefix}{what}{_at(t, square)}{way}"


def parse(t: Tables, s: NDArray[Any], text: str) -> int:
    """The number of the move that is meant; whether it is legal is for `rules.fault` to say."""
    read = _MOVE.fullmatch(text.strip())
    prefix = "0:" if t.snakes == 2 else ""
    example = (
        f"{prefix}S(0,0)EW, {prefix}C(1,0)NW, {prefix}T(-1,0)E, {prefix}turn(1,0)SE or {prefix}swap(0,0)W"
    )
    if read is None or (read[1] is None) != (t.snakes == 1):
        raise UnreadableMove(f"{text!r} is not a move of this game; moves look like {example}")
    colour = int(read[1] or 0)
    if t.snakes == 2 and colour >= t.colours:
        raise UnreadableMove(f"{text}: there is no snake {colour}; the snakes are 0 to {t.colours - 1}")
    what, x, y = read[2], int(read[3]), int(read[4])
    deeds = {frozenset(way): deed for deed, (name, way) in enumerate(DEED_NAMES) if name == what}
    deed = deeds.get(frozenset(read[5]))
    if deed is None or len(set(read[5])) < len(read[5]):
        ways = ", ".join(way for name, way in DEED_NAMES if name == what)
        raise UnreadableMove(f"{text}: {what} cannot lie {read[5]}; it lies {ways}")
    column, row = x + t.origin % t.stride, y + t.origin // t.stride
    if not (0 < column < t.stride - 1 and 0 < row < t.squares // t.stride - 1):
        raise IllegalMove(f"{text}: no card can ever come to lie as far out as ({x},{y})")
    return (colour * t.squares + row * t.stride + column) * DEEDS + deed


# ---- why not


def _who(t: Tables, s: NDArray[Any], colour: int) -> str:
    """A colour's snake in the words of the player to move."""
    if colour >= t.colours:
        return "the fence"
    seat = colour % t.seats
    snake = "your snake" if seat == int(s[SEAT]) else f"the snake of seat {seat}"
    return snake if t.snakes == 1 else f"{snake} (colour {colour})"


def _and(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _ways_to_colours(t: Tables, board: NDArray[Any], square: int) -> dict[tuple[int, int], list[int]]:
    """From each part of the card on a square, along its strand and both ways, to the nearest coloured part:
    {(side that is left by, colour): squares on the way, both ends included}."""
    found = {}
    for side in range(4):
        path, here, out = [square], square, side
        while True:
            dx, dy = STEPS[out]
            here += dy * t.stride + dx
            card = int(board[here])
            if card == FREE or int(t.cards[card, out ^ 2]) & 7 == BLANK:
                break
            part = int(t.cards[card, out ^ 2])
            path.append(here)
            if part & COLOURED:
                found[side, (card - 1) // len(FACES)] = path
                break
            out = part & 7
            if out == ENDS or len(path) > t.squares:
                break
    return found


def _joining(t: Tables, s: NDArray[Any], square: int, card: int) -> str:
    """Which two colours this card on this square would join, and through which squares."""
    board = s[BOARD:].copy()
    board[square] = card
    ways = _ways_to_colours(t, board, square)
    own = (card - 1) // len(FACES)
    for part, sides in enumerate(face_parts((card - 1) % len(FACES))):
        ends = [(colour, path) for (side, colour), path in ways.items() if SIDES[side] in sides]
        if part == 0:
            ends = [(own, [square]), *(end for end in ends if end[0] != own)]
        if len({colour for colour, _ in ends}) > 1:
            (one, there), (other, here) = ends[:2]
            squares = [*reversed(there), *here[1:]]
            through = _and([_at(t, step) for step in squares])
            return f"{_who(t, s, one)} and {_who(t, s, other)} would be joined through {through}"
    return "two colours would be joined"


def _crowded(t: Tables, s: NDArray[Any], rule: int, a: int, b: int) -> str:
    if rule == THREE_SNAKES:
        colours = [_who(t, s, colour) for colour in range(t.colours) if b >> colour & 1]
        return f"{_at(t, a)} would be crowded: {_and(colours)} would all reach it, and at most two snakes may"
    if rule == FOUR_COLOURS:
        both = f"{_at(t, a)} and {_at(t, b)}"
        return f"{both} beside it would be crowded: all four colours would reach these two squares"
    assert rule == NO_CURVE
    one, other, lacking = b >> 4, b >> 2 & 3, b & 3
    return (
        f"{_at(t, a)} would be crowded: both ends of {_who(t, s, one)} and of {_who(t, s, other)} would come "
        f"to it round a corner, and {_who(t, s, lacking)}, next to move of the two, has no curve left"
    )


def explain(t: Tables, s: NDArray[Any], move: int, fault: tuple[int, int, int]) -> str:
    """The broken rule in a player's words."""
    return f"{text(t, move)}: {_reason(t, s, move, *(int(number) for number in fault))}"


def _reason(t: Tables, s: NDArray[Any], move: int, reason: int, a: int, b: int) -> str:
    rest, deed = divmod(move, DEEDS)
    colour, square = divmod(rest, t.squares)
    if t.snakes == 1:
        colour = int(s[SEAT])
    told = {
        moves.NOT_YOURS: f"snake {a} is not yours",
        moves.MOVED_ALREADY: f"snake {a} has had its card in this turn",
        moves.OTHER_TAIL_FIRST: "lay your other snake's tail first",
        moves.TAIL_FIRST: "the first card of a snake must be its tail",
        moves.SNAKE_DONE: "this snake is complete; no more cards are laid for it",
        moves.SNAKE_STUCK: "this snake is a ring that could not be opened; it is finished",
        moves.RING_FIRST: "your snake is a ring: turn one of its curves, or swap a straight if none turns",
        moves.NO_RING: "only a snake that is a ring is opened",
        moves.OCCUPIED: f"there is a card on {_at(t, square)} already",
        moves.TOUCHES_NOTHING: "a first card must touch a card on the table by an edge or a corner",
        moves.NOT_JOINED: f"its coloured part does not meet an open end of your snake at {_at(t, square)}",
        moves.NOT_A_QUARTER: "a curve is turned by 90°, one way or the other",
        moves.STAYS_CLOSED: "your snake would have no open end after this turn",
        moves.TURN_INSTEAD: "a straight is swapped only where no curve can be turned",
        moves.WRONG_SIDE: "the tail must lie along the straight it replaces",
        moves.TOO_FAR: "no card can ever come to lie so far out",
    }
    if reason in told:
        return told[reason]
    if reason == moves.NO_CARD_LEFT:
        return f"this colour has no {CARD_NAMES[KINDS[a]]} card left"
    if reason == moves.NOT_AT_ORIGIN:
        return "the first card of the game lies on (0,0)"
    if reason == moves.OUTSIDE:
        size = f"x from 0 to {t.long - 1}, y from 0 to {t.short - 1}"
        kind = "a first card" if deed < TURN and FACES[deed][0] in "TH" else "a straight or curve"
        return f"{kind} must lie inside the nest, {size}"
    if reason == moves.TOO_WIDE:
        return (
            f"straights and curves would then extend {a} wide and {b} high, "
            f"and the nest is {t.long}x{t.short} or {t.short}x{t.long}"
        )
    if reason == moves.NOT_YOUR_CARD:
        return f"there is no {('straight', 'curve')[b]} of yours on {_at(t, square)}"
    if reason == moves.JOINS:
        face = deed if deed < TURN else FIRST_CURVE + deed - TURN
        return _joining(t, s, square, 1 + colour * len(FACES) + face)
    assert reason > moves.CROWDED
    return _crowded(t, s, reason - moves.CROWDED, a, b)
