"""What the player whose turn it is can do.

A short list of moves is a mask: bit i stands for the move with the first number + i.
"""

from __future__ import annotations

from snakeden.core.kernel import inline
from snakeden.games.snakey_dice.kernels.hand import faces_mask, faces_up
from snakeden.games.snakey_dice.kernels.layout import (
    ACTIONS,
    CLEAR,
    CRASH,
    DICE_ROW,
    EMPTY,
    END,
    ESCAPE,
    FIVE_RIGHT,
    FLIP_TRACK,
    FLIPS,
    FRONT,
    GIVEN,
    HAND,
    JUMP,
    LEAVE,
    LEVEL,
    LOCKED,
    MOST_GIVEN,
    NUMBER,
    PHASE,
    PORTAL,
    POWER_UP,
    REROLL,
    REROLL_ONCE,
    REROLL_TRACK,
    REROLL_X,
    REROLLS,
    TOP,
    UNLOCK,
    UNLOCK_ONCE,
    UNLOCK_TRACK,
    UNLOCK_X,
    UNLOCKED,
    UNLOCKS,
    USE_DIE,
    WALL,
    WAY,
    mine,
    seat_at,
    step,
)


@inline
def value(t, s, track):
    """How often the seat whose turn it is may do what the track is for, in a turn."""
    return t.values[track, s[mine(s) + LEVEL + track]]


@inline
def dice_in_turn(t, s, seat):
    """How many snake dice a seat rolls: by its highest level."""
    at = seat_at(seat) + LEVEL
    highest = max(max(s[at], s[at + 1]), max(s[at + 2], s[at + 3]))
    return t.values[DICE_ROW, highest]


@inline
def loose(s):
    """The dice of the hand that are not locked."""
    return (s[HAND] & 0xFFFFF) | (s[UNLOCKED] << 20)


@inline
def locked(s):
    """How many dice of the hand are locked while dice are manipulated."""
    return faces_up(s[HAND], 6) - s[UNLOCKED]


@inline
def blocked(t, s):
    """Whether the seat whose turn it is faces an obstacle."""
    return s[t.board + s[mine(s) + FRONT]] > POWER_UP


@inline
def escape_route(t, s):
    """How the seat whose turn it is would escape: (the place it would face then, or -1 if the whole line is
    blocked; jumps and portals it costs; squares jumped over)."""
    at = mine(s)
    place, ahead = s[at + FRONT], step(t, s[at + WAY])
    jumps, portals, jumped = 0, 0, 0
    running = False
    for _ in range(t.side + 1):
        held = s[t.board + place]
        if held <= POWER_UP:
            return place, jumps, portals, jumped
        if held == WALL:
            portals += 1
            running = False
            place -= t.side * ahead
        else:
            if not running:
                jumps += 1
                running = True
            jumped += 1
            place += ahead
    return -1, jumps, portals, jumped


@inline
def can_escape(t, s):
    """Whether there is an escape and the seat whose turn it is can pay for it."""
    at = mine(s) + ACTIONS
    place, jumps, portals, _ = escape_route(t, s)
    return place >= 0 and s[at + JUMP] >= jumps and s[at + PORTAL] >= portals


@inline
def refused_at_set_up(t, s, place):
    """Whether a set-up roll of this square is rolled again."""
    return t.squares[place, CLEAR] == 1 or s[t.board + place] != EMPTY


@inline
def looks_in(t, place, way):
    """Whether a head that starts here and looks there looks into the board."""
    return t.squares[place + step(t, way), NUMBER] >= 0


@inline
def rerolls(t, s):
    """How the dice may be rerolled: REROLL, REROLL_X, or -1."""
    if s[REROLLS] < value(t, s, REROLL_TRACK):
        return REROLL
    return REROLL_X if s[mine(s) + ACTIONS + REROLL_ONCE] > 0 else -1


@inline
def unlocks(t, s):
    """How a die may be unlocked: UNLOCK, UNLOCK_X, or -1."""
    if locked(s) == 0:
        return -1
    if s[UNLOCKS] < value(t, s, UNLOCK_TRACK):
        return UNLOCK
    return UNLOCK_X if s[mine(s) + ACTIONS + UNLOCK_ONCE] > 0 else -1


@inline
def flips_mask(t, s):
    """The faces that may be flipped, from FLIP on."""
    return faces_mask(loose(s)) if s[FLIPS] < value(t, s, FLIP_TRACK) else 0


@inline
def bonus_mask(t, s):
    """The kinds that the special bonus can still give, from TAKE on."""
    at = mine(s) + GIVEN
    mask = 0
    for kind in range(4):
        mask |= (s[at + kind] < MOST_GIVEN and not (t.solo and kind == REROLL_ONCE)) << kind
    return mask


@inline
def levels_mask(s):
    """The tracks that can be raised, from LEVEL_UP on."""
    at = mine(s) + LEVEL
    mask = 0
    for track in range(4):
        mask |= (s[at + track] < TOP) << track
    return mask


@inline
def use_mask(t, s):
    """What can be done in the phases USE and LEAVE, from USE_DIE on."""
    faces = faces_mask(s[HAND])
    sixes = (faces >> 5) << LOCKED
    moving = faces & 31
    if not blocked(t, s):
        return moving | (moving >> 4) << FIVE_RIGHT | sixes
    if can_escape(t, s):
        leaving = 1 << (END - USE_DIE) if s[PHASE] == LEAVE else 0
        return sixes | 1 << (ESCAPE - USE_DIE) | leaving
    return sixes | (moving > 0) << (CRASH - USE_DIE)
