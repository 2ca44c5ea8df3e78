"""Drawing a legal move at random without listing them all."""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import ONE, ZERO, common, nth, size, without, word_lowest
from snakeden.core.kernel import inline, kernel
from snakeden.core.rng import below
from snakeden.games.snekagon.kernels.layout import (
    FIRST,
    FROM,
    MOST_AT_END,
    adjacent,
    cells_of,
    floor_by,
    hand,
    number,
)
from snakeden.games.snekagon.kernels.legality import (
    count_tile,
    drills,
    fits,
    linked_at,
    next_linked,
    nth_of_tile,
)
from snakeden.games.snekagon.kernels.sight import open_ends, sight, taken_cells

# Random placements tried before all are looked at, and with how many candidates that is worth it: in the last
# moves few fit, and looking at all of them at once is quicker. Measured with `snakeden bench --game …`: all four
# are flat around their best.
TRIES, WORTH_TRYING = 3, 1500
TRIES_FLOORS, WORTH_TRYING_FLOORS = 60, 1600


@kernel
def draw(t, s, seat, rng):
    """(rng, one of all the seat's legal moves or -1), each with the same probability.

    Each group of moves replaces what was drawn before it with the probability of its share so far.
    """
    tiles = hand(t, s, seat)
    total = 0
    floor_drawn, tile_drawn, count_drawn = 0, -1, 0
    move_drawn = np.int64(-1)
    v = sight(t, s, seat, 0)
    for floor in range(t.floors):
        if floor > 0:
            v = sight(t, s, seat, floor)
        rest = tiles
        while rest != ZERO:
            tile = word_lowest(rest)
            rest &= rest - ONE
            count = count_tile(t, v, tile)
            if count > 0:
                total += count
                rng, n = below(rng, total)
                if n < count:
                    floor_drawn, tile_drawn, count_drawn = floor, tile, n
        if t.floors > 1:
            earlier, later = drills(t, s, seat, floor, 0, v.taken), drills(t, s, seat, floor, 1, v.taken)
            way, fields, at, entry, move = next_linked(t, s, seat, floor, v, later, 0, earlier, 0, 0)
            while move >= 0:
                total += 1
                rng, n = below(rng, total)
                if n == 0:
                    move_drawn, tile_drawn = move, -1
                way, fields, at, entry, move = next_linked(
                    t, s, seat, floor, v, later, way, fields, at, entry
                )
    if tile_drawn >= 0:
        if floor_drawn != t.floors - 1:
            v = sight(t, s, seat, floor_drawn)
        place = nth_of_tile(t, v, tile_drawn, count_drawn)
        move_drawn = np.int64(number(t, floor_drawn, 0, place))
    return rng, move_drawn


@inline
def candidates(t, tiles):
    """How many placements on one floor the tiles have, legal or not."""
    total = 0
    while tiles != ZERO:
        tile = word_lowest(tiles)
        tiles &= tiles - ONE
        total += t.tiles[tile + 1, FIRST] - t.tiles[tile, FIRST]
    return total


@inline
def candidate(t, tiles, n):
    """(tile, placement) of the n-th of them."""
    while tiles != ZERO:
        tile = word_lowest(tiles)
        tiles &= tiles - ONE
        count = t.tiles[tile + 1, FIRST] - t.tiles[tile, FIRST]
        if n < count:
            return tile, t.tiles[tile, FIRST] + n
        n -= count
    return -1, -1


@inline
def entries(t, tiles):
    """How many places with an end in the same field the tiles have at most, both ends counted."""
    total = 0
    while tiles != ZERO:
        tile = word_lowest(tiles)
        tiles &= tiles - ONE
        total += t.tiles[tile, MOST_AT_END]
    return total


@kernel
def openings(t, s, seat):
    """How many fields there are where a snake of the seat can come through a floor, over all floors and ways."""
    total = 0
    for floor in range(t.floors):
        ends = open_ends(t, s, seat, floor)
        for way in range(2):
            if adjacent(t, floor, way):
                total += size(without(ends, taken_cells(t, s, floor_by(t, floor, way))))
    return total


@kernel
def try_linked(t, s, seat, tiles, opening, n):
    """The move that begins at this one of the openings with the n-th of the tiles' `entries`; -1 if there is none
    so far or it is not legal."""
    for source in range(t.floors):
        ends = open_ends(t, s, seat, source)
        for way in range(2):
            if not adjacent(t, source, way):
                continue
            floor = floor_by(t, source, way)
            fields = without(ends, taken_cells(t, s, floor))
            count = size(fields)
            if opening >= count:
                opening -= count
                continue
            bit = nth(fields, opening)
            while tiles != ZERO:
                tile = word_lowest(tiles)
                tiles &= tiles - ONE
                if n >= t.tiles[tile, MOST_AT_END]:
                    n -= t.tiles[tile, MOST_AT_END]
                    continue
                at = t.fields[bit, FROM + tile] + n
                if at >= t.fields[bit, FROM + tile + 1]:
                    return np.int64(-1)
                v = sight(t, s, seat, floor)
                link, place = linked_at(t, s, seat, floor, v, 1 - way, bit, tile, at)
                return np.int64(number(t, floor, link, place)) if place >= 0 else place
    return np.int64(-1)


@kernel
def sample_flat(t, s, seat, rng):
    """(rng, a legal move drawn on the only floor there is, or -1 if there is none)."""
    tiles = hand(t, s, seat)
    count = candidates(t, tiles)
    if count >= WORTH_TRYING:
        v = sight(t, s, seat, 0)
        for _ in range(TRIES):
            rng, n = below(rng, count)
            tile, place = candidate(t, tiles, n)
            if fits(t, v, tile, place):
                return rng, np.int64(place)
    return draw(t, s, seat, rng)


@kernel
def sample_floors(t, s, seat, rng):
    """(rng, a legal move drawn over all floors, or -1 if there is none)."""
    tiles = hand(t, s, seat)
    count = candidates(t, tiles)
    flat = count * t.floors
    if flat >= WORTH_TRYING_FLOORS:
        ways = entries(t, tiles)
        linked = openings(t, s, seat) * ways
        for _ in range(TRIES_FLOORS):
            rng, n = below(rng, flat + linked)
            if n >= flat:
                opening = (n - flat) // ways
                move = try_linked(t, s, seat, tiles, opening, n - flat - opening * ways)
                if move >= 0:
                    return rng, move
                continue
            floor = n // count
            tile, place = candidate(t, tiles, n - floor * count)
            # Most are refused because they lie on something; only the others are worth a closer look.
            free = common(cells_of(t, place), taken_cells(t, s, floor)) == ZERO
            if free and fits(t, sight(t, s, seat, floor), tile, place):
                return rng, np.int64(number(t, floor, 0, place))
    return draw(t, s, seat, rng)
