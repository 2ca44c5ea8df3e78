"""Drawing a legal move at random without listing them all."""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import ONE, ZERO, common, lowest, single, without
from snakeden.core.kernel import inner
from snakeden.core.rng import below
from snakeden.games.snekagon.layout import FIRST, FROM, cells_of, floor_by, hand, number
from snakeden.games.snekagon.legality import count_tile, drills, fits, fits_linked, next_linked, nth_of_tile
from snakeden.games.snekagon.sight import far_heading, sight, taken_cells

# Random placements tried before all are looked at: about as much work as looking at all of them. With fewer
# candidates than WORTH_TRYING, in the last moves, looking at all of them at once is quicker. Measured with
# `snakeden bench --game …`: both are flat around their best.
TRIES = 40
WORTH_TRYING = 800
WORTH_TRYING_FLOORS = 3200


@inner
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
        for tile in range(len(t.tiles) - 1):
            if (tiles >> np.uint64(tile)) & ONE:
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


@inner
def candidates(t, tiles):
    """How many placements on one floor the tiles have, legal or not."""
    total = 0
    for tile in range(len(t.tiles) - 1):
        if (tiles >> np.uint64(tile)) & ONE:
            total += t.tiles[tile + 1, FIRST] - t.tiles[tile, FIRST]
    return total


@inner
def candidate(t, tiles, n):
    """(tile, placement) of the n-th of them."""
    for tile in range(len(t.tiles) - 1):
        if (tiles >> np.uint64(tile)) & ONE:
            count = t.tiles[tile + 1, FIRST] - t.tiles[tile, FIRST]
            if n < count:
                return tile, t.tiles[tile, FIRST] + n
            n -= count
    return -1, -1


@inner
def linked_candidates(t, s, seat, floor):
    """How many placements of the seat's tiles on this floor begin where one of its snakes can come through,
    legal or not."""
    tiles, taken = hand(t, s, seat), taken_cells(t, s, floor)
    total = 0
    for way in range(2):
        fields = drills(t, s, seat, floor, way, taken)
        while common(fields, fields) != ZERO:
            bit = lowest(fields)
            fields = without(fields, single(t.board, bit))
            for tile in range(len(t.tiles) - 1):
                if (tiles >> np.uint64(tile)) & ONE != ZERO:
                    total += t.fields[bit, FROM + tile + 1] - t.fields[bit, FROM + tile]
    return total


@inner
def try_linked(t, s, seat, floor, n):
    """The number of the n-th of them, or -1 if it is not legal."""
    tiles, taken = hand(t, s, seat), taken_cells(t, s, floor)
    for way in range(2):
        fields = drills(t, s, seat, floor, way, taken)
        while common(fields, fields) != ZERO:
            bit = lowest(fields)
            fields = without(fields, single(t.board, bit))
            for tile in range(len(t.tiles) - 1):
                if (tiles >> np.uint64(tile)) & ONE != ZERO:
                    first, last = t.fields[bit, FROM + tile], t.fields[bit, FROM + tile + 1]
                    if n < last - first:
                        place, end = (
                            np.int64(t.from_list[first + n] >> 1),
                            np.int64(t.from_list[first + n] & 1),
                        )
                        leaves = far_heading(t, s, seat, floor_by(t, floor, way), bit) if t.advanced else -1
                        if fits_linked(t, sight(t, s, seat, floor), tile, place, end, leaves):
                            return np.int64(number(t, floor, 1 + 2 * end + way, place))
                        return np.int64(-1)
                    n -= last - first
    return np.int64(-1)


@inner
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


@inner
def sample_floors(t, s, seat, rng):
    """(rng, a legal move drawn over all floors, or -1 if there is none)."""
    tiles = hand(t, s, seat)
    count = candidates(t, tiles)
    flat, linked = count * t.floors, 0
    if flat >= WORTH_TRYING_FLOORS:
        for floor in range(t.floors):
            linked += linked_candidates(t, s, seat, floor)
        for _ in range(TRIES):
            rng, n = below(rng, flat + linked)
            if n < flat:
                floor = n // count
                tile, place = candidate(t, tiles, n - floor * count)
                # Most are refused because they lie on something; only the others are worth a closer look.
                free = common(cells_of(t, place), taken_cells(t, s, floor)) == ZERO
                if free and fits(t, sight(t, s, seat, floor), tile, place):
                    return rng, np.int64(number(t, floor, 0, place))
                continue
            n -= flat
            floor = 0
            while n >= linked_candidates(t, s, seat, floor):
                n -= linked_candidates(t, s, seat, floor)
                floor += 1
            move = try_linked(t, s, seat, floor, n)
            if move >= 0:
                return rng, move
    return draw(t, s, seat, rng)
