"""The rules of Snekagon and Snekagon 5G. Snekagon is played on a single floor, and so has no links.

A floor's cells are bits of a set: the board stands in rows of `stride` = 2 * side bits, so that the six
neighbours of all cells of a set at once are six shifts.

A state is an array of 64-bit words:

| where                  | what                                                                        |
| ---------------------- | --------------------------------------------------------------------------- |
| 0                      | the seat to move, or OVER_WORD                                              |
| 1 + seat               | the seat's supply, a bit a tile, and bit 63 once it can place nothing more  |
| cells_at(t, ...)       | per floor and seat: the set of the seat's cells                             |
| links_at(t, ...)       | per floor: the fields where a snake is drilled through to the next floor    |
| joints_at(t, ...)      | per floor and axis: cells joined to their neighbour by being one tile. Only |
|                        | pictures ask for it, so it lies behind the words that decide the game.      |

A move's number is (floor * 5 + link) * placements + placement. `link` is 0 for none; else 1 + 2 * end + way,
where `end` says which end of the tile's path is linked (0 or 1) and `way` whether the snake comes from the
floor before (0) or after (1) in the circle. Two floors do not close the circle.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from snakeden.core.bitset import (
    ONE,
    ZERO,
    add_at,
    column,
    common,
    down,
    has,
    load,
    lowest,
    meet,
    single,
    size,
    union,
    up,
    without,
)
from snakeden.core.game import OVER
from snakeden.core.hexgrid import DIRECTIONS, hex_board
from snakeden.core.kernel import inner, kernel
from snakeden.core.rng import below
from snakeden.games.snekagon import SNAKE_TILES
from snakeden.games.snekagon.tiles import BASIC, TILES, eye_cells, placements

DTYPE = np.uint64

LINKS = 5
"""Ways to link one placement: not at all, or either end to the floor before or after."""

OVER_WORD = np.uint64(255)
DONE = np.uint64(1) << np.uint64(63)

# Why a placement is not legal: the first number that `fault` returns; the others are cells or a tile.
TILE_USED, NOT_SINGLE, OCCUPIED, TOUCHES_ONLY_OTHERS = 1, 2, 3, 4
FROM_THE_SIDE, TILE_INSIDE, BRANCHES, SHARP_TURN = 5, 6, 7, 8
NO_SUCH_LINK, NO_OPEN_END, LINK_BRANCHES, HEADING_LOST = 9, 10, 11, 12

# Columns and rows of the tables.
FIRST, HEXES = 0, 1
TILE, END, HEADING, PATH = 0, 1, 3, 5
CELLS, INNER, GAP, JOINTS = 0, 1, 2, 3
CELL, FROM = 0, 1

# Random placements tried before all are looked at: about as much work as looking at all of them. With fewer
# candidates than WORTH_TRYING, in the last moves, looking at all of them at once is quicker. Measured with
# `snakeden bench --game …`: both are flat around their best.
TRIES = 40
WORTH_TRYING = 800
WORTH_TRYING_FLOORS = 3200
# Placements counted at once when the n-th legal one is looked for.
CHUNK = 16


class Tables(NamedTuple):
    seats: int
    words: int
    key_words: int
    actions: int
    most_moves: int
    floors: int
    side: int
    width: int
    """Words a set."""
    placements: int
    first_single: bool
    """Seat 0's first move must be the one-hex tile."""
    advanced: bool
    stride: np.uint64
    board: tuple[np.uint64, ...]
    """The set of all cells."""
    gap_tile: int
    """The tile whose two ends can both touch one more cell without its inside touching it, or -1."""
    supplies: NDArray[np.uint64]
    """[seats] the tiles each seat begins with."""
    tiles: NDArray[np.int32]
    """[tiles + 1, 2] FIRST: the first placement of each tile; HEXES: how many it has."""
    places: NDArray[np.int32]
    """[placements, 10] TILE; END and END + 1: the bits of both ends; HEADING and HEADING + 1: the direction of
    the first step from either end, -1 for a single hex; PATH to PATH + 4: the indices of the cells along the
    chain, from the end that comes first, then -1."""
    masks: NDArray[np.uint64]
    """[6 * width, placements] the words of six sets a placement: CELLS it covers; INNER ones, of a two-hex tile
    the two cells that touch both its hexes; the GAP that both ends of the gap tile touch; and per axis
    (JOINTS to JOINTS + 2) the cells it joins to their neighbour in direction 0, 1 or 2."""
    fields: NDArray[np.int32]
    """[bits, 2 + tiles] per bit CELL: its index or -1; FROM + tile: where in `from_list` the tile's placements
    with an end there begin."""
    from_list: NDArray[np.int32]
    """placement * 2 + end, by the bit of that end, then by placement; a single hex stands once."""


class Sight(NamedTuple):
    """What a seat sees on a floor: sets that decide where its tiles fit."""

    own: tuple[np.uint64, ...]
    taken: tuple[np.uint64, ...]
    """Cells of anybody."""
    near_own: tuple[np.uint64, ...]
    near_taken: tuple[np.uint64, ...]
    near_two: tuple[np.uint64, ...]
    """Cells next to two own cells or more."""
    sharp: tuple[np.uint64, ...]
    """Cells that a one-hex tile would turn into a branch or a sharp turn."""
    beside: tuple[np.uint64, ...]
    """Cells next to an own cell that has both its neighbours already."""
    astray: tuple[np.uint64, ...]
    """Cells where a snake that came through a floor would lose its heading."""
    ended: tuple[np.uint64, ...]
    """Own cells that have a neighbour or a link."""
    full: tuple[np.uint64, ...]
    """Own cells that have two."""
    blocked: tuple[np.uint64, ...]
    """Where no cell of a tile of two or more hexes may lie."""
    blocked_single: tuple[np.uint64, ...]
    """Where no one-hex tile may lie."""


# ---- tables


def _sets(width: int, sets: list[list[int]]) -> NDArray[np.uint64]:
    """[width, sets] sets of bits, one row a word."""
    words = np.zeros((width, len(sets)), np.uint64)
    for i, bits in enumerate(sets):
        for bit in bits:
            words[bit >> 6, i] |= np.uint64(1 << (bit & 63))
    return words


def tables(options: Mapping[str, Any]) -> Tables:
    """The tables for options of Snekagon, or of 5G, which has floors because it has `players`."""
    side: int = options["side"]
    flat = "players" not in options
    seats = 2 if flat else options["players"]
    floors = 1 if flat else options["players"]
    codes = BASIC if flat else TILES
    holes = eye_cells(side) if options.get("eyes") else frozenset()
    board, places = hex_board(side), placements(side, codes, holes)
    stride, width = 2 * side, 2 if side <= 6 else 4

    bit_of = [(y + side - 1) * stride + x for x, y in board.cells]
    fields = np.full((64 * width, 2 + len(codes)), -1, np.int32)
    fields[bit_of, CELL] = np.arange(len(board.cells))

    def neighbours(cell: int) -> set[int]:
        x, y = board.cells[cell]
        return {board.rank[x + dx, y + dy] for dx, dy in DIRECTIONS if (x + dx, y + dy) in board.rank}

    def bits(cells: Any) -> list[int]:
        return [bit_of[cell] for cell in cells]

    inner, gap = [], []
    joints: list[list[list[int]]] = [[], [], []]
    for place in places:
        path = place.path
        inner.append(bits(neighbours(path[0]) & neighbours(path[1]) if len(path) == 2 else path[1:-1]))
        both = (neighbours(path[0]) & neighbours(path[-1])) - set(path) if len(path) > 2 else set()
        gap.append(bits(cell for cell in both if not neighbours(cell) & set(path[1:-1])))
        joined: tuple[list[int], list[int], list[int]] = ([], [], [])
        for a, b in pairwise(path):
            step = (board.cells[b][0] - board.cells[a][0], board.cells[b][1] - board.cells[a][1])
            way = DIRECTIONS.index(step)
            joined[way % 3].append(bit_of[a if way < 3 else b])
        for axis in range(3):
            joints[axis].append(joined[axis])
    gap_tiles = {place.tile for place, cells in zip(places, gap, strict=True) if cells}
    assert len(gap_tiles) <= 1

    starts: list[list[int]] = [[] for _ in range(64 * width)]
    for i, place in enumerate(places):
        for end in range(1 if len(place.path) == 1 else 2):
            starts[bit_of[place.path[-end]]].append(2 * i + end)

    supply = sum(1 << i for i in range(len(BASIC)))
    if flat:
        supplies = [supply, supply if options["second_single"] else supply & ~1]
    else:
        supplies = [
            supply | sum(1 << codes.index(code) for code in SNAKE_TILES[snake]) for snake in options["snakes"]
        ]
    # A seat's tiles have two ends each, and each end can be drilled into two floors.
    most_linked = 4 * max(map(int.bit_count, supplies)) * max(map(len, starts))
    key_words = 1 + seats + floors * seats * width + floors * width
    tile_of = [place.tile for place in places]
    passed = 0
    for bit, entries in enumerate(starts):
        for tile in range(len(codes) + 1):
            fields[bit, FROM + tile] = passed + bisect_left(
                entries, tile, key=lambda entry: tile_of[entry >> 1]
            )
        passed += len(entries)
    tiles = [[bisect_left(tile_of, tile), int(code[0])] for tile, code in enumerate(codes)]
    return Tables(
        seats=seats,
        words=key_words + 3 * floors * width,
        key_words=key_words,
        actions=len(places) if flat else floors * LINKS * len(places),
        most_moves=floors * len(places) + (most_linked if floors > 1 else 0),
        floors=floors,
        side=side,
        width=width,
        placements=len(places),
        first_single=flat,
        advanced=bool(options.get("advanced")),
        stride=np.uint64(stride),
        board=tuple(_sets(width, [bits(range(len(board.cells)))])[:, 0]),
        gap_tile=gap_tiles.pop() if gap_tiles else -1,
        supplies=np.array(supplies, np.uint64),
        tiles=np.array([*tiles, [len(places), 0]], np.int32),
        places=np.array(
            [
                [place.tile, bit_of[place.path[0]], bit_of[place.path[-1]], *place.headings]
                + [*place.path, -1, -1, -1, -1][:5]
                for place in places
            ],
            np.int32,
        ),
        masks=np.concatenate(
            [_sets(width, sets) for sets in ([bits(p.path) for p in places], inner, gap, *joints)]
        ),
        fields=fields,
        from_list=np.array([entry for entries in starts for entry in entries], np.int32),
    )


def opening(t: Tables) -> NDArray[np.uint64]:
    """The empty board with seat 0 to move."""
    s = np.zeros(t.words, np.uint64)
    s[1 : 1 + t.seats] = t.supplies
    return s


# ---- where things stand in a state


@inner
def cells_at(t, floor, seat):
    """Where the set of a seat's cells on a floor begins."""
    return 1 + t.seats + (floor * t.seats + seat) * t.width


@inner
def links_at(t, floor):
    """Where the set of fields linked between this floor and the next in the circle begins."""
    return 1 + t.seats + (t.floors * t.seats + floor) * t.width


@inner
def joints_at(t, floor, axis):
    """Where the set of cells begins that one tile joins to their neighbour in direction `axis`."""
    return t.key_words + (floor * 3 + axis) * t.width


@kernel
def floor_by(t, floor, way):
    """The floor before (way 0) or after (way 1) this one in the circle."""
    if way == 0:
        return floor - 1 if floor > 0 else t.floors - 1
    return floor + 1 if floor + 1 < t.floors else 0


@kernel
def adjacent(t, floor, way):
    """Whether there is a floor that way: two floors lie side by side once, not in a circle."""
    return t.floors > 2 or (t.floors == 2 and floor != way)


@inner
def links_by(t, s, floor, way):
    """Fields of this floor that are linked to the floor before (way 0) or after (way 1)."""
    return load(t.board, s, links_at(t, floor_by(t, floor, 0) if way == 0 else floor))


@inner
def hand(t, s, seat):
    """The tiles a seat may choose from: its supply, but for a forced first move."""
    if t.first_single and seat == 0 and s[1] == t.supplies[0]:
        return ONE
    return s[1 + seat] & ~DONE


@inner
def split(t, move):
    """(floor, link, placement) of a move's number."""
    return move // (t.placements * LINKS), move // t.placements % LINKS, move % t.placements


@kernel
def number(t, floor, link, place):
    return (floor * LINKS + link) * t.placements + place


@inner
def cells_of(t, place):
    return column(t.board, t.masks, CELLS, place)


@inner
def inner_of(t, place):
    return column(t.board, t.masks, INNER * t.width, place)


@inner
def gap_of(t, place):
    return column(t.board, t.masks, GAP * t.width, place)


# ---- geometry on sets


@inner
def near(t, a):
    """All cells next to a cell of the set."""
    level = union(up(a, ONE), down(a, ONE))
    above = union(up(a, t.stride), up(a, t.stride - ONE))
    under = union(down(a, t.stride), down(a, t.stride - ONE))
    return meet(union(level, union(above, under)), t.board)


@inner
def step_bit(t, bit, way):
    """The bit next to this one in a direction; it may lie outside the board, even below 0."""
    stride = np.int64(t.stride)
    if way == 0:
        return bit + 1
    if way == 1:
        return bit + stride
    if way == 2:
        return bit + stride - 1
    if way == 3:
        return bit - 1
    if way == 4:
        return bit - stride
    return bit - stride + 1


@inner
def way_to_own(t, own, bit):
    """The direction of a cell of the set next to this bit, -1 if there is none."""
    for way in range(6):
        if has(own, step_bit(t, bit, way)):
            return way
    return -1


# ---- what a seat sees


@inner
def own_counts(t, own):
    """Of the cells next to cells of the set: (next to one or more, to two or more, to three or more or to
    two that touch each other). May contain bits outside the board."""
    a, b, c = up(own, ONE), up(own, t.stride), up(own, t.stride - ONE)
    d, e, f = down(own, ONE), down(own, t.stride), down(own, t.stride - ONE)
    ab, cd, ef = union(a, b), union(c, d), union(e, f)
    one = union(ab, union(cd, ef))
    pairs = union(meet(a, b), union(meet(c, d), meet(e, f)))
    two = union(pairs, union(meet(ab, cd), union(meet(ab, ef), meet(cd, ef))))
    # Three of six always include two in a row or are every second one.
    rows = union(pairs, union(meet(b, c), union(meet(d, e), meet(f, a))))
    spread = union(meet(a, meet(c, e)), meet(b, meet(d, f)))
    return one, two, union(rows, spread)


@inner
def full_cells(t, s, floor, own, near_one, near_two):
    """Own cells that have two neighbours, links counted, and those that have one or two."""
    if t.floors == 1:
        return meet(own, near_two), meet(own, near_one)
    earlier, later = links_by(t, s, floor, 0), links_by(t, s, floor, 1)
    linked = union(earlier, later)
    full = meet(own, union(near_two, union(meet(near_one, linked), meet(earlier, later))))
    return full, meet(own, union(near_one, linked))


@inner
def open_ends(t, s, seat, floor):
    """The cells of a seat on a floor that can be drilled through: those with one neighbour or none."""
    own = load(t.board, s, cells_at(t, floor, seat))
    near_one, near_two, _ = own_counts(t, own)
    full, _ = full_cells(t, s, floor, own, near_one, near_two)
    return without(own, full)


@inner
def far_heading(t, s, seat, floor, bit):
    """The direction in which an open end's snake leaves this field, on its floor or, if the end came through
    floors, where it went in; -1 if it does not leave it."""
    came = -1
    while True:
        way = way_to_own(t, load(t.board, s, cells_at(t, floor, seat)), bit)
        if way >= 0:
            return way
        if came != 1 and has(links_by(t, s, floor, 1), bit):
            floor, came = floor_by(t, floor, 1), 0
        elif came != 0 and has(links_by(t, s, floor, 0), bit):
            floor, came = floor_by(t, floor, 0), 1
        else:
            return -1


@inner
def keeps_heading(leaves, goes):
    """Whether a snake that leaves a field in one direction may leave it in the other too: it goes on within
    60 degrees of where it was going. -1 stands for a step not made yet."""
    if leaves < 0 or goes < 0:
        return True
    turn = (goes - leaves + 6) % 6
    return turn >= 2 and turn <= 4


@inner
def astray_cells(t, s, seat, floor, ends):
    """Cells next to the given ends, all come through a floor, where their snakes would lose their heading."""
    found = without(ends, ends)
    while common(ends, ends) != ZERO:
        bit = lowest(ends)
        ends = without(ends, single(t.board, bit))
        leaves = far_heading(t, s, seat, floor, bit)
        for way in range(6):
            if not keeps_heading(leaves, way):
                beside = step_bit(t, bit, way)
                if has(t.board, beside):
                    found = union(found, single(t.board, beside))
    return found


@inner
def taken_cells(t, s, floor):
    """The cells of all seats on a floor."""
    taken = load(t.board, s, cells_at(t, floor, 0))
    for seat in range(1, t.seats):
        taken = union(taken, load(t.board, s, cells_at(t, floor, seat)))
    return taken


@inner
def sight(t, s, seat, floor):
    """What the seat sees on the floor."""
    own = load(t.board, s, cells_at(t, floor, seat))
    taken = taken_cells(t, s, floor)
    near_one, near_two, sharp = own_counts(t, own)
    full, ended = full_cells(t, s, floor, own, near_one, near_two)
    beside = near(t, full)
    astray = without(own, own)
    if t.advanced:
        astray = astray_cells(t, s, seat, floor, without(without(ended, full), near_one))
    common_blocks = union(taken, union(beside, astray))
    return Sight(
        own,
        taken,
        near_one,
        near(t, taken),
        near_two,
        sharp,
        beside,
        astray,
        ended,
        full,
        union(common_blocks, near_two),
        union(common_blocks, sharp),
    )


# ---- legality


@inner
def clear(cells, inner, blocked, tender, near_own, near_taken):
    """Whether a placement without a link is legal: no cell blocked, its inside away from own cells, and
    either touching an own cell or touching nothing."""
    bad = common(cells, blocked) | common(inner, tender)
    return (bad == ZERO) & ((common(cells, near_own) != ZERO) | (common(cells, near_taken) == ZERO))


@inner
def limits(t, v, tile):
    """(blocked, tender) for `clear`, by the size of the tile."""
    if t.tiles[tile, HEXES] == 1:
        return v.blocked_single, v.own
    if t.tiles[tile, HEXES] == 2:
        return v.blocked, v.own
    return v.blocked, v.near_own


@inner
def fits(t, v, tile, place):
    """Whether the placement, one of the tile's, is legal without a link."""
    blocked, tender = limits(t, v, tile)
    cells = cells_of(t, place)
    flat = clear(cells, inner_of(t, place), blocked, tender, v.near_own, v.near_taken)
    # No early way out: the whole test is cheaper than a branch that is hard to foresee.
    return flat & ((tile != t.gap_tile) | (common(gap_of(t, place), v.ended) == ZERO))


@inner
def fits_linked(t, v, tile, place, end, leaves):
    """Whether the placement, one of the tile's, is legal with a link at that end, from an open end whose snake leaves the field
    in direction `leaves` (-1 if in none, or if headings do not matter)."""
    if common(cells_of(t, place), v.blocked) != ZERO:
        return False
    bit = t.places[place, END + end]
    goes = np.int64(t.places[place, HEADING + end])
    if t.tiles[tile, HEXES] == 1:
        return keeps_heading(leaves, way_to_own(t, v.own, bit))
    if has(v.near_own, bit) or not keeps_heading(leaves, goes):
        return False
    return common(inner_of(t, place), limits(t, v, tile)[1]) == ZERO


@inner
def flag_tile(t, v, tile, out, at):
    """Write 1 or 0 for each placement of the tile to out[at:]: is it legal without a link? Returns how many
    placements there are. One pass that the compiler turns into vector instructions."""
    blocked, tender = limits(t, v, tile)
    near_own, near_taken = v.near_own, v.near_taken
    first, count = np.uint64(t.tiles[tile, FIRST]), np.uint64(t.tiles[tile + 1, FIRST] - t.tiles[tile, FIRST])
    start = np.uint64(at)
    for i in range(count):
        place = first + i
        out[start + i] = clear(cells_of(t, place), inner_of(t, place), blocked, tender, near_own, near_taken)
    if tile == t.gap_tile:
        for i in range(count):
            out[start + i] &= common(gap_of(t, first + i), v.ended) == ZERO
    return np.int64(count)


@inner
def count_range(t, v, tile, first, last):
    """How many placements of the tile from `first` to before `last` are legal without a link. One pass too."""
    blocked, tender = limits(t, v, tile)
    near_own, near_taken, ended = v.near_own, v.near_taken, v.ended
    found = 0
    if tile == t.gap_tile:
        for place in range(np.uint64(first), np.uint64(last)):
            flat = clear(cells_of(t, place), inner_of(t, place), blocked, tender, near_own, near_taken)
            found += flat & (common(gap_of(t, place), ended) == ZERO)
    else:
        for place in range(np.uint64(first), np.uint64(last)):
            found += clear(cells_of(t, place), inner_of(t, place), blocked, tender, near_own, near_taken)
    return found


@inner
def count_tile(t, v, tile):
    """How many placements of the tile are legal without a link."""
    return count_range(t, v, tile, t.tiles[tile, FIRST], t.tiles[tile + 1, FIRST])


@inner
def nth_of_tile(t, v, tile, n):
    """The n-th legal placement of the tile without a link; there must be one."""
    place = np.int64(t.tiles[tile, FIRST])
    last = np.int64(t.tiles[tile + 1, FIRST])
    while True:
        count = count_range(t, v, tile, place, min(place + CHUNK, last))
        if n < count:
            break
        n -= count
        place += CHUNK
    while True:
        n -= fits(t, v, tile, place)
        if n < 0:
            return place
        place += 1


@inner
def drills(t, s, seat, floor, way, taken):
    """Fields of this floor that a snake of the seat can come to from the floor before or after."""
    if not adjacent(t, floor, way):
        return without(taken, taken)
    return without(open_ends(t, s, seat, floor_by(t, floor, way)), taken)


@inner
def next_linked(t, s, seat, floor, v, later, way, fields, tile, entry):
    """The next legal linked move on this floor: (way, fields, tile, entry) to go on from, and its number or -1.

    Begin with way 0, the drills from the floor before, tile 0 and entry 0; `later` are the drills from the floor
    after.
    """
    tiles = hand(t, s, seat)
    while True:
        if common(fields, fields) == ZERO:
            if way == 1:
                return way, fields, tile, entry, np.int64(-1)
            way, fields = 1, later
            continue
        bit = lowest(fields)
        leaves = far_heading(t, s, seat, floor_by(t, floor, way), bit) if t.advanced else -1
        while tile < len(t.tiles) - 1:
            if (tiles >> np.uint64(tile)) & ONE != ZERO:
                at, last = t.fields[bit, FROM + tile] + entry, t.fields[bit, FROM + tile + 1]
                while at < last:
                    place, end = np.int64(t.from_list[at] >> 1), np.int64(t.from_list[at] & 1)
                    at += 1
                    entry += 1
                    if fits_linked(t, v, tile, place, end, leaves):
                        return way, fields, tile, entry, np.int64(number(t, floor, 1 + 2 * end + way, place))
            tile += 1
            entry = 0
        fields = without(fields, single(t.board, bit))
        tile = 0


@inner
def can_place(t, s, seat):
    """Whether the seat has any legal move."""
    tiles = hand(t, s, seat)
    for floor in range(t.floors):
        v = sight(t, s, seat, floor)
        for tile in range(len(t.tiles) - 1):
            if (tiles >> np.uint64(tile)) & ONE and count_tile(t, v, tile) > 0:
                return True
        if t.floors > 1:
            earlier, later = drills(t, s, seat, floor, 0, v.taken), drills(t, s, seat, floor, 1, v.taken)
            if next_linked(t, s, seat, floor, v, later, 0, earlier, 0, 0)[4] >= 0:
                return True
    return False


# ---- the protocol


@kernel
def turn(t, s):
    """The seat to move, or OVER."""
    return OVER if s[0] == OVER_WORD else np.int64(s[0])


@inner
def pass_on(t, s):
    """Hand the turn to the next seat that is not done; the game is over if there is none."""
    seat = np.int64(s[0])
    for ahead in range(1, t.seats + 1):
        following = (seat + ahead) % t.seats
        if s[1 + following] & DONE == ZERO:
            s[0] = np.uint64(following)
            return
    s[0] = OVER_WORD


@inner
def give_up(t, s):
    """The seat to move can place nothing, and never will again: others only take room away."""
    s[1 + np.int64(s[0])] |= DONE
    pass_on(t, s)


@kernel
def settle(t, s):
    """Pass over seats that cannot place."""
    while s[0] != OVER_WORD and not can_place(t, s, np.int64(s[0])):
        give_up(t, s)


@inner
def sort_tail(out, first, last):
    """Sort out[first:last] in place (Shell sort: short, and allocates nothing)."""
    gap = (last - first) // 2
    while gap > 0:
        for i in range(first + gap, last):
            value, j = out[i], i
            while j >= first + gap and out[j - gap] > value:
                out[j] = out[j - gap]
                j -= gap
            out[j] = value
        gap //= 2


@inner
def legal_here(t, s, seat, out):
    """Write the seat's legal moves in ascending order; how many."""
    found = 0
    tiles = hand(t, s, seat)
    for floor in range(t.floors):
        v = sight(t, s, seat, floor)
        for tile in range(len(t.tiles) - 1):
            if (tiles >> np.uint64(tile)) & ONE:
                count = flag_tile(t, v, tile, out, found)
                first = number(t, floor, 0, t.tiles[tile, FIRST])
                # The flags stand where the moves go: no more moves than flags have been passed.
                at = found
                for i in range(count):
                    flag = out[at + i]
                    out[found] = first + i
                    found += flag
        if t.floors > 1:
            earlier, later = drills(t, s, seat, floor, 0, v.taken), drills(t, s, seat, floor, 1, v.taken)
            start = found
            way, fields, at, entry, move = next_linked(t, s, seat, floor, v, later, 0, earlier, 0, 0)
            while move >= 0:
                out[found] = move
                found += 1
                way, fields, at, entry, move = next_linked(
                    t, s, seat, floor, v, later, way, fields, at, entry
                )
            sort_tail(out, start, found)
    return found


@kernel
def legal(t, s, out):
    """Settle, write the legal moves in ascending order, return how many."""
    while s[0] != OVER_WORD:
        found = legal_here(t, s, np.int64(s[0]), out)
        if found > 0:
            return found
        give_up(t, s)
    return 0


@kernel
def apply(t, s, move):
    """Place a tile, unchecked, and hand the turn on."""
    floor, link, place = split(t, move)
    seat = np.int64(s[0])
    add_at(s, cells_at(t, floor, seat), cells_of(t, place))
    for axis in range(3):
        add_at(s, joints_at(t, floor, axis), column(t.board, t.masks, (JOINTS + axis) * t.width, place))
    if link > 0:
        way, end = (link - 1) & 1, (link - 1) >> 1
        add_at(
            s,
            links_at(t, floor_by(t, floor, 0) if way == 0 else floor),
            single(t.board, t.places[place, END + end]),
        )
    s[1 + seat] &= ~(ONE << np.uint64(t.places[place, TILE]))
    pass_on(t, s)


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
                if common(cells_of(t, place), taken_cells(t, s, floor)) == ZERO:
                    if fits(t, sight(t, s, seat, floor), tile, place):
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


@kernel
def sample(t, s, rng):
    """Settle and draw a legal move, each with the same probability: random placements until one is legal, and
    after TRIES of them a draw from all legal moves, which is uniform too."""
    while s[0] != OVER_WORD:
        seat = np.int64(s[0])
        if t.floors == 1:
            rng, move = sample_flat(t, s, seat, rng)
        else:
            rng, move = sample_floors(t, s, seat, rng)
        if move >= 0:
            return rng, move
        give_up(t, s)
    return rng, np.int64(-1)


@kernel
def weight(t, s, move):
    """There is no chance in this game."""
    return 1.0


# ---- scores


@inner
def walk(t, s, seat, floor, bit):
    """Follow a snake from this cell until it ends or closes: (cells passed, last floor, last bit; a ring's last
    bit is -1)."""
    start_floor, start_bit = floor, bit
    own = load(t.board, s, cells_at(t, floor, seat))
    length = 1
    came = -1  # the direction of the last step; 6 and 7 for a step to the floor before and after
    while True:
        onward = -1
        if came >= 0 and came < 6:
            # No sharp turns: a snake goes straight on or bends by 60 degrees.
            for way in (came, came + 1 if came < 5 else 0, came - 1 if came > 0 else 5):
                if has(own, step_bit(t, bit, way)):
                    onward = way
                    break
        else:
            onward = way_to_own(t, own, bit)
        if onward < 0 and t.floors > 1:
            if came != 7 and has(links_by(t, s, floor, 0), bit):
                onward = 6
            elif came != 6 and has(links_by(t, s, floor, 1), bit):
                onward = 7
        if onward < 0:
            return length, floor, bit
        if onward < 6:
            bit = step_bit(t, bit, onward)
        else:
            floor = floor_by(t, floor, onward - 6)
            own = load(t.board, s, cells_at(t, floor, seat))
        came = onward
        if floor == start_floor and bit == start_bit:
            return length, floor, -1
        length += 1


@inner
def longest(t, s, seat):
    """The number of cells of a seat's longest snake."""
    best, unseen = 0, 0
    for floor in range(t.floors):
        unseen += 2 * size(load(t.board, s, cells_at(t, floor, seat)))
        ends = open_ends(t, s, seat, floor)
        while common(ends, ends) != ZERO:
            bit = lowest(ends)
            length, last_floor, last_bit = walk(t, s, seat, floor, bit)
            best = max(best, length)
            # Every chain is counted from both its ends; where both are on this floor, at once.
            ends = without(ends, single(t.board, bit))
            unseen -= length
            if last_floor == floor:
                ends = without(ends, single(t.board, last_bit))
                unseen -= length
    if unseen == 0:
        return best
    for floor in range(t.floors):
        rest = without(load(t.board, s, cells_at(t, floor, seat)), open_ends(t, s, seat, floor))
        while common(rest, rest) != ZERO:
            bit = lowest(rest)
            rest = without(rest, single(t.board, bit))
            length, _, last_bit = walk(t, s, seat, floor, bit)
            if last_bit < 0:
                best = max(best, length)
    return best


@kernel
def scores(t, s, out):
    """The length of each seat's longest snake."""
    for seat in range(t.seats):
        out[seat] = longest(t, s, seat)


# ---- why not


@inner
def touching(t, bit, among):
    """The index of a cell of the set next to this bit."""
    way = way_to_own(t, among, bit)
    return np.int64(t.fields[step_bit(t, bit, way), CELL]) if way >= 0 else np.int64(-1)


@kernel
def fault(t, s, move):
    """(0, 0, 0) if the move is legal, else the first rule it breaks and the cells (or the tile) it is about."""
    floor, link, place = split(t, move)
    seat = np.int64(s[0])
    tile, cells, inner = t.places[place, TILE], cells_of(t, place), inner_of(t, place)
    hexes = t.tiles[tile, HEXES]
    if (s[1 + seat] >> np.uint64(tile)) & ONE == ZERO:
        return TILE_USED, np.int64(tile), 0
    if (hand(t, s, seat) >> np.uint64(tile)) & ONE == ZERO:
        return NOT_SINGLE, 0, 0
    v = sight(t, s, seat, floor)
    clash = meet(cells, v.taken)
    if common(clash, clash) != ZERO:
        return OCCUPIED, np.int64(t.fields[lowest(clash), CELL]), 0
    end, leaves = 0, -1
    if link > 0:
        way, end = (link - 1) & 1, (link - 1) >> 1
        bit = np.int64(t.places[place, END + end])
        if not adjacent(t, floor, way) or (hexes == 1 and end == 1):
            return NO_SUCH_LINK, 0, 0
        source = floor_by(t, floor, way)
        if not has(open_ends(t, s, seat, source), bit):
            return NO_OPEN_END, np.int64(t.fields[bit, CELL]), source
        if t.advanced:
            leaves = far_heading(t, s, seat, source, bit)
    clash = meet(cells, v.beside)
    if common(clash, clash) != ZERO:
        bit = lowest(clash)
        return FROM_THE_SIDE, touching(t, bit, v.full), np.int64(t.fields[bit, CELL])
    if hexes > 2:
        clash = meet(inner, v.near_own)
        if common(clash, clash) != ZERO:
            bit = lowest(clash)
            return TILE_INSIDE, np.int64(t.fields[bit, CELL]), touching(t, bit, v.own)
    if hexes == 2:
        clash = meet(inner, v.own)
        if common(clash, clash) != ZERO:
            return SHARP_TURN, np.int64(t.fields[lowest(clash), CELL]), 0
    if hexes > 1 or link > 0:
        clash = meet(cells, v.near_two)
        if common(clash, clash) != ZERO:
            return BRANCHES, np.int64(t.fields[lowest(clash), CELL]), 0
    elif common(cells, v.sharp) != ZERO:
        bit = lowest(cells)
        return SHARP_TURN, touching(t, bit, v.own), np.int64(t.fields[bit, CELL])
    clash = meet(gap_of(t, place), v.ended)
    if common(clash, clash) != ZERO:
        return BRANCHES, np.int64(t.fields[lowest(clash), CELL]), 0
    clash = meet(cells, v.astray)
    if common(clash, clash) != ZERO:
        return HEADING_LOST, np.int64(t.fields[lowest(clash), CELL]), 0
    if link > 0:
        bit = np.int64(t.places[place, END + end])
        if hexes > 1 and has(v.near_own, bit):
            return LINK_BRANCHES, np.int64(t.fields[bit, CELL]), touching(t, bit, v.own)
        goes = way_to_own(t, v.own, bit) if hexes == 1 else np.int64(t.places[place, HEADING + end])
        if not keeps_heading(leaves, goes):
            return HEADING_LOST, np.int64(t.fields[bit, CELL]), 0
        return 0, 0, 0
    if common(cells, v.near_own) == ZERO:
        clash = meet(cells, v.near_taken)
        if common(clash, clash) != ZERO:
            bit = lowest(clash)
            return TOUCHES_ONLY_OTHERS, np.int64(t.fields[bit, CELL]), touching(t, bit, v.taken)
    return 0, 0, 0
