"""Why a move is not legal."""

from __future__ import annotations

import numpy as np

from snakeden.core.kernel import inline, kernel
from snakeden.games.snakey_dice.kernels.choices import (
    blocked,
    bonus_mask,
    can_escape,
    escape_route,
    locked,
    looks_in,
    refused_at_set_up,
    value,
)
from snakeden.games.snakey_dice.kernels.hand import faces_up, how_many, one
from snakeden.games.snakey_dice.kernels.layout import (
    ACTION_SPENT,
    ACTIONS,
    BONUS,
    CAN_ESCAPE,
    CHOOSE,
    DICE,
    DICE_DUE,
    DIE_LOCKED,
    END,
    ESCAPE,
    FIVE_LEFT,
    FLIP,
    FLIP_TRACK,
    FLIPS,
    GIVEN_TWICE,
    HAND,
    IGNORE,
    IGNORE_TRACK,
    LEAVE,
    LEVEL,
    LEVEL_FIRST,
    LEVEL_SPENT,
    LEVEL_UP,
    LOOKS_OUT,
    MAKE,
    MANIPULATE,
    NO_MOVEMENT,
    NO_OBSTACLE,
    NO_SUCH_ACTION,
    NO_SUCH_DIE,
    NO_WAY_OUT,
    NOT_NOW,
    NOTHING_LOCKED,
    OBSTACLE,
    PHASE,
    PLACE,
    RAISE,
    REROLL,
    REROLL_ONCE,
    REROLL_TRACK,
    REROLL_X,
    REROLLS,
    ROLL,
    ROLLED_AGAIN,
    SET,
    SET_UP,
    SNAKE,
    START,
    START_PLACE,
    START_TAKEN,
    TAKE,
    TOO_DEAR,
    TOO_MANY,
    TOP,
    TOP_REACHED,
    UNLOCK,
    UNLOCK_ONCE,
    UNLOCK_TRACK,
    UNLOCK_X,
    UNLOCKED,
    UNLOCKS,
    USE,
    USE_DIE,
    WRONG_NUMBER,
    mine,
)


@inline
def fault_dice(s, dice, only_loose):
    """Why these dice cannot be taken from the hand: too few show a face, or a 6 is locked."""
    for face in range(1, 7):
        named, there = faces_up(dice, face), faces_up(s[HAND], face)
        if named > there:
            return NO_SUCH_DIE, face, there
        if only_loose and face == 6 and named > s[UNLOCKED]:
            return DIE_LOCKED, named, s[UNLOCKED]
    return 0, 0, 0


@inline
def fault_allowance(t, s, used, track, kind, once):
    """Why a level's use, or the one-time action beyond it, cannot be had."""
    allowed = value(t, s, track)
    if not once:
        return (LEVEL_SPENT, track, allowed) if used >= allowed else (0, 0, 0)
    if t.solo and kind == REROLL_ONCE:
        return NO_SUCH_ACTION, kind, 0
    if used < allowed:
        return LEVEL_FIRST, track, allowed - used
    if s[mine(s) + ACTIONS + kind] == 0:
        return ACTION_SPENT, kind, 0
    return 0, 0, 0


@inline
def fault_manipulation(t, s, move):
    if move >= IGNORE:
        dice, most = t.sets[move - IGNORE, SET], value(t, s, IGNORE_TRACK)
        if how_many(dice) > most:
            return TOO_MANY, how_many(dice), most
        return fault_dice(s, dice, False)
    if move < FLIP:
        once = move >= REROLL_X
        why = fault_allowance(t, s, s[REROLLS], REROLL_TRACK, REROLL_ONCE, once)
        if why[0]:
            return why
        return fault_dice(s, t.sets[move - (REROLL_X if once else REROLL) + 1, SET], True)
    if move < UNLOCK:
        why = fault_allowance(t, s, s[FLIPS], FLIP_TRACK, 0, False)
        if why[0]:
            return why
        return fault_dice(s, one(move - FLIP + 1), True)
    if locked(s) == 0:
        return NOTHING_LOCKED, s[UNLOCKED], 0
    return fault_allowance(t, s, s[UNLOCKS], UNLOCK_TRACK, UNLOCK_ONCE, move == UNLOCK_X)


@inline
def fault_use(t, s, move):
    """Of a move in step 4 or at the end of the turn."""
    moving = s[HAND] & 0xFFFFF
    if move < ESCAPE:
        way_used = move - USE_DIE
        face = way_used if way_used > FIVE_LEFT else way_used + 1
        if s[PHASE] == LEAVE:
            return NOT_NOW, LEAVE, 0
        if faces_up(s[HAND], face) == 0:
            return NO_SUCH_DIE, face, 0
        if face < 6 and blocked(t, s):
            return OBSTACLE, can_escape(t, s), 0
        return 0, 0, 0
    if move == END:
        return (0, 0, 0) if s[PHASE] == LEAVE else (NOT_NOW, USE, 0)
    if not blocked(t, s):
        return NO_OBSTACLE, 0, 0
    place, jumps, portals, _ = escape_route(t, s)
    if move == ESCAPE:
        if place < 0:
            return NO_WAY_OUT, 0, 0
        return (0, 0, 0) if can_escape(t, s) else (TOO_DEAR, jumps, portals)
    if can_escape(t, s):
        return CAN_ESCAPE, jumps, portals
    return (0, 0, 0) if moving else (NO_MOVEMENT, 0, 0)


@inline
def fault_start(t, s, n):
    place = t.squares[n >> 2, START_PLACE]
    if s[t.board + place] >= SNAKE:
        return START_TAKEN, s[t.board + place] - SNAKE, 0
    return (0, 0, 0) if looks_in(t, place, n & 3) else (LOOKS_OUT, 0, 0)


@inline
def phase_of(s, move, square_moves):
    """The phase a move belongs to; where there are two, the one that it is now."""
    phase = s[PHASE]
    if move < TAKE:
        return MANIPULATE
    if move < USE_DIE:
        return BONUS
    if move < LEVEL_UP:
        return LEAVE if phase == LEAVE else USE
    if move < DICE:
        return RAISE
    if move < CHOOSE:
        return ROLL
    if move < square_moves:
        return START
    return SET_UP if phase == SET_UP else MAKE


@kernel
def fault(t, s, move):
    """(0, 0, 0) if the move is legal, else why it is not."""
    phase = np.int64(s[PHASE])
    reason, a, b = 0, 0, 0
    if phase_of(s, move, t.square_moves) != phase:
        reason, a = NOT_NOW, phase
    elif phase == MANIPULATE:
        reason, a, b = fault_manipulation(t, s, move)
    elif phase == USE or phase == LEAVE:
        reason, a, b = fault_use(t, s, move)
    elif phase == BONUS:
        if (bonus_mask(t, s) >> (move - TAKE)) & 1 == 0:
            reason, a = NO_SUCH_ACTION if t.solo and move - TAKE == REROLL_ONCE else GIVEN_TWICE, move - TAKE
    elif phase == RAISE:
        if s[mine(s) + LEVEL + move - LEVEL_UP] == TOP:
            reason, a = TOP_REACHED, move - LEVEL_UP
    elif phase == START:
        reason, a, b = fault_start(t, s, move - CHOOSE)
    elif phase == ROLL:
        if how_many(t.sets[move - DICE + 1, SET]) != s[DICE_DUE]:
            reason, a = WRONG_NUMBER, np.int64(s[DICE_DUE])
    elif phase == SET_UP and refused_at_set_up(t, s, t.squares[move - t.square_moves, PLACE]):
        reason, a = ROLLED_AGAIN, move - t.square_moves
    return np.int64(reason), np.int64(a), np.int64(b)
