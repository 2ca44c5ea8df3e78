"""The rules of Snakey Dice, both editions. How a state is written down stands in `layout`."""

from __future__ import annotations

import numpy as np

from snakeden.core.game import CHANCE, OVER
from snakeden.core.kernel import inline, kernel
from snakeden.core.rng import below
from snakeden.games.snakey_dice.kernels.choices import (
    blocked,
    bonus_mask,
    can_escape,
    dice_in_turn,
    escape_route,
    flips_mask,
    levels_mask,
    looks_in,
    loose,
    refused_at_set_up,
    rerolls,
    unlocks,
    use_mask,
    value,
)
from snakeden.games.snakey_dice.kernels.faults import fault
from snakeden.games.snakey_dice.kernels.hand import (
    bits_set,
    faces_mask,
    faces_up,
    how_many,
    ignorable,
    nth_bit,
    nth_ignored,
    number_of,
    one,
    part,
    parts,
    within,
)
from snakeden.games.snakey_dice.kernels.layout import (
    ACTIONS,
    BLOCKADE,
    BLOCKADES,
    BLOCKADES_DUE,
    BONUS,
    CHANCES,
    CHOOSE,
    CRASH,
    DICE,
    DICE_DUE,
    DTYPE,
    EATEN,
    EMPTY,
    ESCAPE,
    FINISHED,
    FIRST,
    FIVE_LEFT,
    FLIP,
    FLIPS,
    FREE,
    FRONT,
    GIVEN,
    HAND,
    IGNORE,
    IGNORE_TRACK,
    JUMP,
    JUMPED,
    LAST,
    LEAVE,
    LEVEL,
    LEVEL_DUE,
    LEVEL_UP,
    LOCKED,
    LOCKED_FOR_BONUS,
    MAKE,
    MANIPULATE,
    OUT,
    PHASE,
    PLACE,
    PORTAL,
    POWER_UP,
    POWER_UPS_DUE,
    RAISE,
    REROLL,
    REROLL_ONCE,
    REROLL_X,
    REROLLS,
    ROLL,
    SEAT,
    SET,
    SET_FROM,
    SET_UP,
    SNAKE,
    START,
    START_PLACE,
    TAKE,
    TOP,
    TRAIL,
    UNLOCK,
    UNLOCK_ONCE,
    UNLOCKED,
    UNLOCKS,
    USE,
    USE_DIE,
    WAY,
    WAYS,
    mine,
    opening,
    seat_at,
    step,
    tables,
    way_after,
)
from snakeden.games.snakey_dice.kernels.score import scores

__all__ = [
    "DTYPE",
    "apply",
    "fault",
    "legal",
    "opening",
    "sample",
    "scores",
    "settle",
    "tables",
    "turn",
    "weight",
]

# ---- what can be done


@kernel
def turn(t, s):
    """The seat to move, CHANCE or OVER."""
    phase = s[PHASE]
    if phase == FINISHED:
        return OVER
    if phase == SET_UP or phase == ROLL or phase == MAKE:
        return CHANCE
    return np.int64(s[SEAT])


@kernel
def settle(t, s):
    """Nothing: `apply` leaves every state settled."""


@inline
def write_mask(out, found, first, mask):
    while mask:
        out[found] = first + nth_bit(mask, 0)
        mask &= mask - 1
        found += 1
    return found


@inline
def sort(out, count):
    """Sort out[:count] in place (it is short)."""
    for i in range(1, count):
        moved, j = out[i], i
        while j > 0 and out[j - 1] > moved:
            out[j] = out[j - 1]
            j -= 1
        out[j] = moved


@inline
def legal_manipulations(t, s, out):
    found = 0
    dice = np.int64(loose(s))
    first = rerolls(t, s)
    if first >= 0:
        for n in range(1, parts(dice)):
            out[found] = first + number_of(t, part(dice, n)) - 1
            found += 1
        sort(out, found)
    found = write_mask(out, found, FLIP, flips_mask(t, s))
    unlocking = unlocks(t, s)
    if unlocking >= 0:
        out[found] = unlocking
        found += 1
    most = value(t, s, IGNORE_TRACK)
    for number in range(SET_FROM[most + 1]):
        out[found] = IGNORE + number
        found += within(t.sets[number, SET], s[HAND])
    return found


@kernel
def legal(t, s, out):
    """Write the legal moves or chance outcomes in ascending order, return how many."""
    phase = s[PHASE]
    found = 0
    if phase == MANIPULATE:
        return legal_manipulations(t, s, out)
    if phase == USE or phase == LEAVE:
        return write_mask(out, 0, USE_DIE, use_mask(t, s))
    if phase == BONUS:
        return write_mask(out, 0, TAKE, bonus_mask(t, s))
    if phase == RAISE:
        return write_mask(out, 0, LEVEL_UP, levels_mask(s))
    if phase == START:
        for n in range(4 * t.starts):
            place = t.squares[n >> 2, START_PLACE]
            out[found] = CHOOSE + n
            found += s[t.board + place] < SNAKE and looks_in(t, place, n & 3)
    elif phase == ROLL:
        for number in range(SET_FROM[s[DICE_DUE]], SET_FROM[s[DICE_DUE] + 1]):
            out[found] = DICE + number - 1
            found += 1
    elif phase != FINISHED:
        for number in range(t.side * t.side):
            out[found] = t.square_moves + number
            found += phase == MAKE or not refused_at_set_up(t, s, t.squares[number, PLACE])
    return found


@inline
def sample_square(t, s, rng):
    while True:
        rng, thrown = below(rng, t.throws)
        number = np.int64(t.rolls[thrown])
        if s[PHASE] == MAKE or not refused_at_set_up(t, s, t.squares[number, PLACE]):
            return rng, t.square_moves + number


@inline
def sample_dice(t, s, rng):
    due = s[DICE_DUE]
    span = 1
    for _ in range(due):
        span *= 6
    rng, thrown = below(rng, span)
    dice = 0
    for _ in range(due):
        dice += 1 << (4 * (thrown % 6))
        thrown //= 6
    return rng, np.int64(DICE + number_of(t, dice) - 1)


@inline
def sample_manipulation(t, s, rng):
    hand, dice = np.int64(s[HAND]), np.int64(loose(s))
    rerolling = rerolls(t, s)
    rerolled = parts(dice) - 1 if rerolling >= 0 else 0
    flips = flips_mask(t, s)
    flipped = bits_set(flips)
    unlocking = unlocks(t, s)
    unlocked = np.int64(unlocking >= 0)
    most = np.int64(value(t, s, IGNORE_TRACK))
    rng, n = below(rng, rerolled + flipped + unlocked + ignorable(hand, most))
    if n < rerolled:
        return rng, np.int64(rerolling + number_of(t, part(dice, n + 1)) - 1)
    n -= rerolled
    if n < flipped:
        return rng, np.int64(FLIP + nth_bit(flips, n))
    n -= flipped
    if n < unlocked:
        return rng, np.int64(unlocking)
    n -= unlocked
    if most == 1:
        few = 0 if n == 0 else 1 << (4 * nth_bit(faces_mask(hand), n - 1))
        return rng, np.int64(IGNORE + number_of(t, few))
    return rng, np.int64(IGNORE + nth_ignored(t, hand, most, n))


@inline
def sample_mask(rng, first, mask):
    rng, n = below(rng, bits_set(mask))
    return rng, np.int64(first + nth_bit(mask, n))


@inline
def sample_start(t, s, rng):
    while True:
        rng, n = below(rng, 4 * t.starts)
        place = t.squares[n >> 2, START_PLACE]
        if s[t.board + place] < SNAKE and looks_in(t, place, n & 3):
            return rng, CHOOSE + n


@kernel
def sample(t, s, rng):
    """Draw a legal move, each with the same probability, or a chance outcome by its own."""
    phase = s[PHASE]
    if phase == MANIPULATE:
        return sample_manipulation(t, s, rng)
    if phase == ROLL:
        return sample_dice(t, s, rng)
    if phase == USE or phase == LEAVE:
        return sample_mask(rng, USE_DIE, use_mask(t, s))
    if phase == MAKE or phase == SET_UP:
        return sample_square(t, s, rng)
    if phase == RAISE:
        return sample_mask(rng, LEVEL_UP, levels_mask(s))
    if phase == BONUS:
        return sample_mask(rng, TAKE, bonus_mask(t, s))
    if phase == START:
        return sample_start(t, s, rng)
    return rng, np.int64(-1)


@kernel
def weight(t, s, move):
    """The probability of a chance outcome."""
    if s[PHASE] == ROLL:
        throws = 1
        for _ in range(s[DICE_DUE]):
            throws *= 6
        return t.sets[move - DICE + 1, WAYS] / throws
    chances = t.squares[move - t.square_moves, CHANCES]
    if s[PHASE] == MAKE:
        return chances / t.throws
    total = 0
    for number in range(t.side * t.side):
        if not refused_at_set_up(t, s, t.squares[number, PLACE]):
            total += t.squares[number, CHANCES]
    return chances / total


# ---- playing a move


@inline
def finish(s):
    s[PHASE] = FINISHED
    s[HAND] = 0


@inline
def begin_turn(t, s, seat):
    s[SEAT] = seat
    s[DICE_DUE] = dice_in_turn(t, s, seat)
    s[PHASE] = ROLL


@inline
def hand_on(t, s):
    """The next player who is not out begins a turn."""
    seat = np.int64(s[SEAT])
    for ahead in range(1, t.seats + 1):
        following = (seat + ahead) % t.seats
        if s[seat_at(following) + OUT] == 0:
            begin_turn(t, s, following)
            return


@inline
def drop_out(t, s):
    """The player whose turn it is has crashed. Whoever is the last one standing stays it."""
    if t.solo or s[LAST] == 1:
        finish(s)
        return
    s[HAND] = 0
    s[mine(s) + OUT] = 1
    left = 0
    for seat in range(t.seats):
        left += 1 - s[seat_at(seat) + OUT]
    if left == 1:
        s[LAST] = 1
    hand_on(t, s)


@inline
def go_on(t, s):
    """The next die, or the end of the turn."""
    if s[HAND] != 0:
        s[PHASE] = USE
    elif blocked(t, s):
        if can_escape(t, s):
            s[PHASE] = LEAVE
        else:
            drop_out(t, s)
    elif s[LAST] == 1:
        finish(s)
    else:
        hand_on(t, s)


@inline
def die_resolved(t, s):
    if s[FREE] == 0:
        finish(s)
    else:
        go_on(t, s)


@inline
def made(t, s):
    """Everything is made that had to be; a level may have to be raised."""
    if s[LEVEL_DUE] == 1:
        s[LEVEL_DUE] = 0
        if levels_mask(s) != 0:
            s[PHASE] = RAISE
            return
    die_resolved(t, s)


@inline
def visit(t, s, at, place, way_in, way_out):
    """The head of the seat whose words begin here enters the place and faces the next one."""
    order = t.side * t.side - s[FREE] - s[BLOCKADES]
    s[t.key_words + place] = (order + 1) << 4 | way_in << 2 | way_out
    s[t.board + place] = SNAKE + s[SEAT]
    s[FREE] -= 1
    s[at + TRAIL] += 1
    s[at + FRONT] = place + step(t, way_out)
    s[at + WAY] = way_out


@inline
def choose_start(t, s, n):
    way = n & 3
    visit(t, s, mine(s), np.int64(t.squares[n >> 2, START_PLACE]), way, way)
    if s[SEAT] + 1 < t.seats:
        s[SEAT] += 1
    else:
        begin_turn(t, s, 0)


@inline
def put_square(t, s, number):
    at = t.board + t.squares[number, PLACE]
    if s[BLOCKADES_DUE] > 0:
        s[BLOCKADES_DUE] -= 1
        if s[at] == EMPTY:
            s[at] = BLOCKADE
            s[BLOCKADES] += 1
            s[FREE] -= 1
    else:
        s[POWER_UPS_DUE] -= 1
        if s[at] == EMPTY:
            s[at] = POWER_UP
    if s[BLOCKADES_DUE] == 0 and s[POWER_UPS_DUE] == 0:
        if s[PHASE] == SET_UP:
            s[PHASE] = START
        else:
            made(t, s)


@inline
def spend_locked(t, s):
    """In the duel, three locked dice are spent on the special bonus."""
    if not t.solo:
        s[HAND] -= LOCKED_FOR_BONUS * one(6)
    go_on(t, s)


@inline
def ignore(t, s, dice):
    s[HAND] -= dice
    s[UNLOCKED] = 0
    s[REROLLS] = 0
    s[FLIPS] = 0
    s[UNLOCKS] = 0
    if faces_up(s[HAND], 6) < LOCKED_FOR_BONUS:
        go_on(t, s)
    elif bonus_mask(t, s) != 0:
        s[PHASE] = BONUS
    else:
        spend_locked(t, s)


@inline
def reroll(s, dice):
    s[HAND] -= dice
    s[UNLOCKED] -= faces_up(dice, 6)
    s[DICE_DUE] = how_many(dice)
    s[PHASE] = ROLL


@inline
def manipulate(t, s, move):
    if move >= IGNORE:
        ignore(t, s, t.sets[move - IGNORE, SET])
    elif move < REROLL_X:
        s[REROLLS] += 1
        reroll(s, t.sets[move - REROLL + 1, SET])
    elif move < FLIP:
        s[mine(s) + ACTIONS + REROLL_ONCE] -= 1
        reroll(s, t.sets[move - REROLL_X + 1, SET])
    elif move < UNLOCK:
        face = move - FLIP + 1
        s[HAND] += one(7 - face) - one(face)
        s[UNLOCKED] -= face == 6
        s[FLIPS] += 1
    else:
        s[UNLOCKED] += 1
        if move == UNLOCK:
            s[UNLOCKS] += 1
        else:
            s[mine(s) + ACTIONS + UNLOCK_ONCE] -= 1


@inline
def escape(t, s):
    at = mine(s)
    place, jumps, portals, jumped = escape_route(t, s)
    s[at + FRONT] = place
    s[at + ACTIONS + JUMP] -= jumps
    s[at + ACTIONS + PORTAL] -= portals
    s[at + JUMPED] += jumped
    go_on(t, s)


@inline
def drive(t, s, way_used):
    """Use a movement die: enter the front square, turn, and eat what is there."""
    at = mine(s)
    place, way = np.int64(s[at + FRONT]), np.int64(s[at + WAY])
    eats = s[t.board + place] == POWER_UP
    s[HAND] -= one(min(way_used, FIVE_LEFT) + 1)
    visit(t, s, at, place, way, way_after(way, way_used))
    if eats:
        s[at + EATEN] += 1
        s[LEVEL_DUE] = 1
        if t.solo:
            s[BLOCKADES_DUE] = 2
        else:
            s[POWER_UPS_DUE] = 1
        s[PHASE] = MAKE
    else:
        die_resolved(t, s)


@inline
def use(t, s, move):
    if move < USE_DIE + LOCKED:
        drive(t, s, move - USE_DIE)
    elif move == USE_DIE + LOCKED:
        s[HAND] -= one(6)
        s[BLOCKADES_DUE] = 1 if t.solo else 2
        s[PHASE] = MAKE
    elif move == ESCAPE:
        escape(t, s)
    elif move == CRASH:
        drop_out(t, s)
    elif s[LAST] == 1:
        finish(s)
    else:
        hand_on(t, s)


@inline
def raise_level(t, s, track):
    at = mine(s) + LEVEL + track
    s[at] += 1
    if s[at] == TOP and s[FIRST + track] == 0:
        s[FIRST + track] = s[SEAT] + 1
    die_resolved(t, s)


@kernel
def apply(t, s, move):
    """Play a legal move, unchecked."""
    phase = s[PHASE]
    if phase == MANIPULATE:
        manipulate(t, s, move)
    elif phase == ROLL:
        s[HAND] += t.sets[move - DICE + 1, SET]
        s[DICE_DUE] = 0
        s[PHASE] = MANIPULATE
    elif phase == USE or phase == LEAVE:
        use(t, s, move)
    elif phase == MAKE or phase == SET_UP:
        put_square(t, s, move - t.square_moves)
    elif phase == RAISE:
        raise_level(t, s, move - LEVEL_UP)
    elif phase == BONUS:
        at = mine(s)
        s[at + ACTIONS + move - TAKE] += 1
        s[at + GIVEN + move - TAKE] += 1
        spend_locked(t, s)
    else:
        choose_start(t, s, move - CHOOSE)
