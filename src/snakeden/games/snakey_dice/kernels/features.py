"""What a network sees of Snakey Dice beyond the observation: how far each snake's room goes.

Which squares a head can still come to depends on walls and trails far away, so a few layers of a network do not see it.
"""

from __future__ import annotations

import numpy as np

from snakeden.core.kernel import inline, kernel
from snakeden.core.learning import viewed
from snakeden.core.planes import FIELDS, mark
from snakeden.games.snakey_dice.kernels.layout import FRONT, OUT, POWER_UP, TRAIL, Tables, seat_at

_NONE = np.uint32(0)


def planes(t: Tables) -> tuple[str, ...]:
    """What each plane means. Walking is going from square to neighbouring square without an escape."""
    who = viewed(t.seats)
    return (
        "squares that nobody can walk to",
        *(f"squares that {seat} can walk to in as few steps as anybody" for seat in who),
        *(f"squares that {seat} can walk to" for seat in who if t.seats > 1),
    )


@inline
def neighbours(before, here, after, width):
    """A word of the squares next to some, which are bits of this word and of the words before and after it."""
    along, across = np.uint32(1), np.uint32(width)
    back, back_across = np.uint32(FIELDS - 1), np.uint32(FIELDS - width)
    found = (here << along) | (before >> back) | (here >> along) | (after << back)
    found |= (here << across) | (before >> back_across) | (here >> across) | (after << back_across)
    return np.uint32(found)


@inline
def spread(bits, plane, room, width):
    """Add to a plane the squares of the plane `room` that are next to its own; whether there were any."""
    before, last, grew = _NONE, bits.shape[1] - 1, False
    for word in range(bits.shape[1]):
        here = bits[plane, word]
        after = bits[plane, word + 1] if word < last else _NONE
        more = np.uint32(neighbours(before, here, after, width) & bits[room, word] & ~here)
        if more:
            bits[plane, word] = np.uint32(here | more)
            grew = True
        before = here
    return grew


@inline
def take_away(bits, room, first, count):
    """Take the squares of `count` planes from `first` on away from the plane `room`."""
    for plane in range(first, first + count):
        for word in range(bits.shape[1]):
            bits[room, word] = np.uint32(bits[room, word] & ~bits[plane, word])


@inline
def mark_front(t, s, seat, bits, plane):
    """Mark the square that a snake faces, if it can enter it."""
    at = seat_at(seat)
    if s[at + TRAIL] > 0 and s[at + OUT] == 0:
        front = np.int64(s[at + FRONT])
        if s[t.board + front] <= POWER_UP:
            mark(bits, plane, front)


@kernel
def observe(t, s, seat, bits, values):
    """Write the planes as the seat sees them."""
    width = t.side + 2
    soonest, reached = 1, 1 + t.seats
    # The first plane holds what nobody has come to yet; all snakes walk at once, step by step.
    for place in range(width * width):
        if s[t.board + place] <= POWER_UP:
            mark(bits, 0, place)
    for ahead in range(t.seats):
        mark_front(t, s, (seat + ahead) % t.seats, bits, soonest + ahead)
        if t.seats > 1:
            mark_front(t, s, (seat + ahead) % t.seats, bits, reached + ahead)
            while spread(bits, reached + ahead, 0, width):
                pass
    take_away(bits, 0, soonest, t.seats)
    grew = True
    while grew:
        grew = False
        for ahead in range(t.seats):
            grew |= spread(bits, soonest + ahead, 0, width)
        take_away(bits, 0, soonest, t.seats)
