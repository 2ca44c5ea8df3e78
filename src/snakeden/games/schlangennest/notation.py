"""Schlangennest's notation: `C(1,0)NW`, `turn(1,0)SE`, `swap(0,0)W`; with two snakes the colour first,
`0:C(1,0)NW`."""

from __future__ import annotations

import re
from typing import Any

from numpy.typing import NDArray

from snakeden.core.errors import IllegalMove, UnreadableMove
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
from snakeden.games.schlangennest.kernels import moves
from snakeden.games.schlangennest.kernels.crowding import FOUR_COLOURS, NO_CURVE, THREE_SNAKES
from snakeden.games.schlangennest.kernels.layout import (
    BOARD,
    DEEDS,
    SEAT,
    TURN,
    Tables,
)
from snakeden.words import Message, Player

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


def way_name(way: str) -> Message:
    """Which sides of a card its coloured part touches: "NW" is "top left"."""
    named = next(known for _, known in FACES if set(known) == set(way))
    return Message(f"schlangennest.way.{named}")


def spoken(text: str) -> Message:
    """A move as people say it."""
    read = _MOVE.fullmatch(text)
    assert read is not None
    colour, what, x, y, way = read.groups()
    name = CARD_NAMES.get(what, what)
    said = Message(f"schlangennest.move.{name}", square=f"({x},{y})".replace("-", "−"), way=way_name(way))
    return said if colour is None else Message("schlangennest.move_of_colour", n=int(colour), move=said)


def piece(t: Tables, text: str) -> str:
    """The card that a move lays, or that it turns or swaps one."""
    read = _MOVE.fullmatch(text)
    assert read is not None
    return CARD_NAMES.get(read[2], read[2])


def parse(t: Tables, s: NDArray[Any], text: str) -> int:
    """The number of the move that is meant; whether it is legal is for `rules.fault` to say."""
    read = _MOVE.fullmatch(text.strip())
    prefix = "0:" if t.snakes == 2 else ""
    example = tuple(prefix + one for one in ("S(0,0)EW", "C(1,0)NW", "T(-1,0)E", "turn(1,0)SE", "swap(0,0)W"))
    if read is None or (read[1] is None) != (t.snakes == 1):
        raise UnreadableMove(Message("move.unreadable", text=repr(text), example=example))
    colour = int(read[1] or 0)
    if t.snakes == 2 and colour >= t.colours:
        raise UnreadableMove(Message("schlangennest.no_snake", text=text, n=colour, most=t.colours - 1))
    what, x, y = read[2], int(read[3]), int(read[4])
    deeds = {frozenset(way): deed for deed, (name, way) in enumerate(DEED_NAMES) if name == what}
    deed = deeds.get(frozenset(read[5]))
    if deed is None or len(set(read[5])) < len(read[5]):
        ways = ", ".join(way for name, way in DEED_NAMES if name == what)
        raise UnreadableMove(
            Message("schlangennest.lies_otherwise", text=text, what=what, way=read[5], ways=ways)
        )
    column, row = x + t.origin % t.stride, y + t.origin // t.stride
    if not (0 < column < t.stride - 1 and 0 < row < t.squares // t.stride - 1):
        raise IllegalMove(Message("schlangennest.too_far_out", text=text, square=f"({x},{y})"))
    return (colour * t.squares + row * t.stride + column) * DEEDS + deed


# ---- why not


def _snake(t: Tables, s: NDArray[Any], colour: int) -> Message:
    """A colour's snake, as the player to move calls it."""
    if colour >= t.colours:
        return Message("schlangennest.fence")
    seat = colour % t.seats
    if seat == int(s[SEAT]):
        own = Message("schlangennest.your_snake")
        return own if t.snakes == 1 else Message("schlangennest.your_colour", n=colour)
    who = Player(seat)
    if t.snakes == 1:
        return Message("schlangennest.snake_of", who=who)
    return Message("schlangennest.colour_of", who=who, n=colour)


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


def _joining(t: Tables, s: NDArray[Any], square: int, card: int) -> Message:
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
            return Message(
                "schlangennest.joins",
                one=_snake(t, s, one),
                other=_snake(t, s, other),
                squares=tuple(_at(t, step) for step in squares),
            )
    return Message("schlangennest.joins_colours")


def _crowded(t: Tables, s: NDArray[Any], rule: int, a: int, b: int) -> Message:
    if rule == THREE_SNAKES:
        snakes = tuple(_snake(t, s, colour) for colour in range(t.colours) if b >> colour & 1)
        return Message("schlangennest.three_snakes", square=_at(t, a), snakes=snakes)
    if rule == FOUR_COLOURS:
        return Message("schlangennest.four_colours", one=_at(t, a), other=_at(t, b))
    assert rule == NO_CURVE
    return Message(
        "schlangennest.no_curve",
        square=_at(t, a),
        one=_snake(t, s, b >> 4),
        other=_snake(t, s, b >> 2 & 3),
        lacking=_snake(t, s, b & 3),
    )


_PLAIN = {
    moves.OTHER_TAIL_FIRST: "other_tail_first",
    moves.TAIL_FIRST: "tail_first",
    moves.SNAKE_DONE: "snake_done",
    moves.SNAKE_STUCK: "snake_stuck",
    moves.RING_FIRST: "ring_first",
    moves.NO_RING: "no_ring",
    moves.TOUCHES_NOTHING: "touches_nothing",
    moves.NOT_A_QUARTER: "not_a_quarter",
    moves.STAYS_CLOSED: "stays_closed",
    moves.TURN_INSTEAD: "turn_instead",
    moves.WRONG_SIDE: "wrong_side",
    moves.TOO_FAR: "too_far",
    moves.NOT_AT_ORIGIN: "not_at_origin",
}
"""Faults that say all there is to say."""
_ABOUT_A_SNAKE = {moves.NOT_YOURS: "not_yours", moves.MOVED_ALREADY: "moved_already"}
_ABOUT_THE_SQUARE = {moves.OCCUPIED: "occupied", moves.NOT_JOINED: "not_joined"}


def explain(t: Tables, s: NDArray[Any], move: int, fault: tuple[int, int, int]) -> Message:
    """The broken rule."""
    return Message("move.refused", move=text(t, move), why=_reason(t, s, move, *map(int, fault)))


def _reason(t: Tables, s: NDArray[Any], move: int, reason: int, a: int, b: int) -> Message:
    rest, deed = divmod(move, DEEDS)
    colour, square = divmod(rest, t.squares)
    if t.snakes == 1:
        colour = int(s[SEAT])
    if reason in _PLAIN:
        return Message(f"schlangennest.fault.{_PLAIN[reason]}")
    if reason in _ABOUT_A_SNAKE:
        return Message(f"schlangennest.snake_fault.{_ABOUT_A_SNAKE[reason]}", n=a)
    if reason in _ABOUT_THE_SQUARE:
        return Message(f"schlangennest.square_fault.{_ABOUT_THE_SQUARE[reason]}", square=_at(t, square))
    if reason == moves.NO_CARD_LEFT:
        return Message(f"schlangennest.none_left.{CARD_NAMES[KINDS[a]]}")
    if reason == moves.OUTSIDE:
        first = deed < TURN and FACES[deed][0] in "TH"
        key = "schlangennest.outside.first" if first else "schlangennest.outside.growth"
        return Message(key, x=t.long - 1, y=t.short - 1)
    if reason == moves.TOO_WIDE:
        sizes = f"{t.long}x{t.short}", f"{t.short}x{t.long}"
        return Message("schlangennest.too_wide", w=a, h=b, one=sizes[0], other=sizes[1])
    if reason == moves.NOT_YOUR_CARD:
        key = "schlangennest.no_curve_of_yours" if b else "schlangennest.no_straight_of_yours"
        return Message(key, square=_at(t, square))
    if reason == moves.JOINS:
        face = deed if deed < TURN else FIRST_CURVE + deed - TURN
        return _joining(t, s, square, 1 + colour * len(FACES) + face)
    assert reason > moves.CROWDED
    return _crowded(t, s, reason - moves.CROWDED, a, b)
