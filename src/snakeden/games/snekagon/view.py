"""Snekagon and 5G as scenes: floors side by side, the supplies of all seats below.

Ids: `1/f6` is cell f6 of floor 1, `floor/1` the floor, `hand/0/4SL` a tile of seat 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING, Any

from snakeden.core.hexgrid import DIRECTIONS, hex_board, neighbours
from snakeden.drawing.scene import (
    Area,
    Box,
    Cap,
    Cell,
    Item,
    Label,
    Layer,
    Mark,
    Panel,
    Path,
    Piece,
    Point,
    Prompt,
    Scene,
    Seat,
    Target,
    box_around,
    mood_of,
    names_of,
    seats_of,
    standing,
)
from snakeden.games.snekagon.kernels import layout
from snakeden.games.snekagon.kernels.layout import Tables
from snakeden.games.snekagon.notation import path_of
from snakeden.games.snekagon.position import Place, Position, moved, plain, position, snakes
from snakeden.games.snekagon.tiles import MIRROR, TILES, eye_cells, headings_along, turns_along
from snakeden.words import Message, Player, Text

if TYPE_CHECKING:
    from snakeden.core.moves import Move
    from snakeden.core.outcome import Outcome
    from snakeden.core.state import State

BODY = 0.5
"""The width of a snake; cells are one apart."""
ROW = sqrt(3) / 2
RIM = 0.78
"""From the middles of the outermost cells to the edge of the board."""
SMALL = 0.34
"""The size of a tile in hand against one on the board."""
GAP = 0.5

_floor_by, _hand_of = map(plain, (layout.floor_by, layout.hand))


# ---- where floors and tiles stand on the picture


def _floor_centre(t: Tables, floor: int) -> Point:
    across = 1 if t.floors == 1 else 2 if t.floors in (2, 4) else 3
    row, column = divmod(floor, across)
    in_row = min(across, t.floors - row * across)
    width, height = 2 * t.side + GAP, _floor_height(t) + GAP
    return ((column - (in_row - 1) / 2) * width, row * height)


def _floor_height(t: Tables) -> float:
    return (2 * t.side - 2) * ROW + 2 * RIM + 0.2


def _floor_box(t: Tables, floor: int) -> Box:
    x, y = _floor_centre(t, floor)
    width, height = 2 * (t.side - 1) + 2 * RIM + 0.1, _floor_height(t)
    return (x - width / 2, y - height / 2, width, height)


def _tray(t: Tables, floor: int) -> tuple[Point, ...]:
    """The corners of a floor's board."""
    x, y = _floor_centre(t, floor)
    reach = t.side - 1 + RIM / ROW
    return tuple((x + reach * cos(pi / 3 * i), y - 0.06 + reach * sin(pi / 3 * i)) for i in range(6))


def _at(t: Tables, place: Place) -> Point:
    x, y = hex_board(t.side).centre(place[1])
    cx, cy = _floor_centre(t, place[0])
    return (cx + x, cy - y - 0.06)


def _id(t: Tables, place: Place) -> str:
    return f"{place[0] + 1}/{hex_board(t.side).names[place[1]]}"


@cache
def tile_shape(code: str) -> tuple[Point, ...]:
    """The centres of a tile's hexes, laid flat, its middle at (0, 0)."""
    heading, points = 0, [(0.0, 0.0)]
    for turn in "S" * (code != "1") + code[1:]:
        heading = (heading + {"S": 0, "L": 1, "R": -1}[turn]) % 6
        dx, dy = DIRECTIONS[heading]
        x, y = points[-1]
        points.append((x + dx + dy / 2, y - dy * ROW))
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    return tuple((x - (left + right) / 2, y - (top + bottom) / 2) for x, y in points)


# ---- the scene


def _halo(t: Tables, places: list[Place], role: str, weight: float, title: Text) -> list[Item]:
    """A move as a broad line under (or a thin one over) the snakes, floor by floor."""
    items: list[Item] = []
    for floor in dict.fromkeys(floor for floor, _ in places):
        points = tuple(_at(t, place) for place in places if place[0] == floor)
        items.append(Path("", points, role, 0.84 if role == "last" else 0.36, weight=weight, title=title))
    return items


def _bodies(t: Tables, p: Position, seat: int, who: Seat) -> list[tuple[int, Item]]:
    """The seat's snakes as (floor, path): a snake on several floors is a path on each."""
    items: list[tuple[int, Item]] = []
    for chain, ring in snakes(t, p, seat):
        # A ring through floors is cut where it goes through one.
        if ring:
            cut = next((i for i in range(len(chain)) if chain[i - 1][0] != chain[i][0]), 0)
            chain = chain[cut:] + chain[:cut]
        parts: list[list[Place]] = [[]]
        for place in chain:
            if parts[-1] and parts[-1][-1][0] != place[0]:
                parts.append([])
            parts[-1].append(place)
        title = Message("snekagon.a_ring" if ring else "snekagon.a_snake", who=who.name, n=len(chain))
        for i, part in enumerate(parts):
            flat_ring = ring and len(parts) == 1
            first: Cap = "tail" if i == 0 and (not ring or flat_ring) else "hole"
            last: Cap = "head" if i == len(parts) - 1 and (not ring or flat_ring) else "hole"
            steps = zip(part, [*part[1:], *part[:1]] if flat_ring else part[1:], strict=False)
            seams = tuple(
                n + 0.5 for n, (a, b) in enumerate(steps) if (a[0], frozenset((a[1], b[1]))) not in p.joints
            )
            points = tuple(_at(t, place) for place in part)
            body = Path(
                "",
                points,
                who.role,
                BODY,
                first,
                last,
                flat_ring,
                seams,
                title,
                mood=mood_of(who),
                counted=points,
            )
            items.append((part[0][0], body))
    return items


def _floor(
    t: Tables, p: Position, floor: int, seats: tuple[Seat, ...], under: list[Item], over: list[Item]
) -> Panel:
    board = hex_board(t.side)
    eyes = eye_cells(t.side) - set(t.places[:, layout.PATH].tolist()) if t.floors > 1 else frozenset()
    owner = {cell: seat for seat in range(t.seats) for cell in p.cells[floor][seat]}
    cells: list[Item] = []
    for cell in range(len(board.cells)):
        x, y = _at(t, (floor, cell))
        role = f"seat{owner[cell]}" if cell in owner else "eye" if cell in eyes else "cell"
        title: Text = board.names[cell]
        if cell in owner:
            title = Message("snekagon.cell", cell=board.names[cell], who=seats[owner[cell]].name)
        elif cell in eyes:
            title = Message("snekagon-5g.eye", cell=board.names[cell])
        cells.append(
            Cell(
                _id(t, (floor, cell)),
                x,
                y,
                "hex",
                role,
                label=board.names[cell],
                title=title,
            )
        )
    marks: list[Item] = []
    if t.floors > 1:
        for way, linked in (("before", p.links[floor - 1]), ("after", p.links[floor])):
            other = (floor - 1 if way == "before" else floor + 1) % t.floors
            for cell in sorted(linked):
                x, y = _at(t, (floor, cell))
                # Two holes on one field stand beside each other; one beside the face of a lone head.
                both = cell in p.links[floor - 1] and cell in p.links[floor]
                lone = not {*neighbours(t.side, cell)} & p.cells[floor][owner[cell]]
                shift = -0.2 if both and way == "before" else 0.2 if both else -0.26 if lone else 0.0
                title = Message("snekagon-5g.hole", cell=board.names[cell], n=other + 1)
                marks.append(Mark("", "hole", x + shift, y, "line", 0.36, text=str(other + 1), title=title))
    bodies: list[Item] = [
        item for seat in range(t.seats) for at, item in _bodies(t, p, seat, seats[seat]) if at == floor
    ]
    box = _floor_box(t, floor)
    title = Message("snekagon-5g.floor", n=floor + 1) if t.floors > 1 else Message("scene.board")
    tray = "tray-indigo" if t.floors > 1 else "tray-pine"
    ground: list[Item] = [Area(f"floor/{floor + 1}", _tray(t, floor), tray, RIM, title=title)]
    for row, first in _row_starts(t.side):
        x, y = _at(t, (floor, first))
        ground.append(Label(x - 0.64, y, row, tray, 0.22))
    if t.floors > 1:
        ground.append(Label(box[0] + 0.1, box[1] + 0.35, title, "ink", 0.45, "start", bold=True))
    layers = (
        Layer("ground", tuple(ground)),
        Layer("cells", tuple(cells)),
        Layer("paths", (*under, *bodies, *over)),
        Layer("marks", tuple(marks)),
    )
    return Panel(f"floor/{floor + 1}", "board", box, layers, title, pitch=(1.0, ROW))


@cache
def _row_starts(side: int) -> tuple[tuple[str, int], ...]:
    """The letter of each row, and its first cell."""
    names = hex_board(side).names
    return tuple((name[0], cell) for cell, name in enumerate(names) if name[1:] == "1")


def _hand(
    t: Tables,
    array: Any,
    seat: int,
    name: Text,
    score: int,
    ready: bool,
    left: float,
    top: float,
    width: float,
) -> Panel:
    """A seat's tiles in a row: what is left of them."""
    supply = int(array[1 + seat])
    own = [tile for tile in range(len(t.tiles) - 1) if int(t.supplies[seat]) >> tile & 1]
    chosen = int(_hand_of(t, array, seat)) if ready else 0
    items: list[Item] = []
    codes = [TILES[tile] for tile in own]
    spans = [max(x for x, _ in tile_shape(code)) * 2 + 1 for code in codes]
    # On a small board the tiles in hand are smaller still.
    inside, least = width - 0.6, 0.12
    scale = min(SMALL, (inside - least * (len(own) - 1)) / sum(spans))
    gap = min(0.4, (inside - sum(spans) * scale) / max(len(own) - 1, 1))
    x, y = left + 0.3, top + 1.45
    for tile, code, span in zip(own, codes, spans, strict=True):
        there = bool(supply >> tile & 1)
        middle = x + span * scale / 2
        points = tuple((middle + dx * scale, y + dy * scale) for dx, dy in tile_shape(code))
        hexes = tuple(
            Cell("", px, py, "blank", f"seat{seat}" if there else "outside", scale) for px, py in points
        )
        body = Path("", points, f"seat{seat}", BODY * scale) if there else None
        items.append(
            Piece(
                f"hand/{seat}/{code}",
                f"seat{seat}",
                (*hexes, body) if body else hexes,
                ("ready" if chosen >> tile & 1 else "waiting") if there else "used",
                Message("snekagon.tile" if there else "snekagon.tile_laid", code=code),
                code,
            )
        )
        x += span * scale + gap
    height = 2.2
    corners = ((left, top), (left + width, top), (left + width, top + height), (left, top + height))
    ground = (
        Area("", corners, "panel", 0.3),
        Label(left + 0.3, top + 0.42, name, f"seat{seat}", 0.45, "start", bold=True),
        Label(left + width - 0.3, top + 0.42, Message("snekagon.longest", n=score), "ink", 0.4, "end"),
    )
    rest = [TILES[tile] for tile in own if supply >> tile & 1]
    lines = (
        Message("snekagon.longest_of", who=name, n=score),
        Message("snekagon.tiles_left", codes=" ".join(rest)) if rest else Message("snekagon.no_tiles_left"),
    )
    layers = (Layer("ground", ground), Layer("pieces", tuple(items)))
    return Panel(f"hand/{seat}", "hand", (left, top, width, height), layers, name, f"seat{seat}", lines=lines)


def scene(
    state: State,
    last_move: Move | str | None = None,
    highlight: Move | str | None = None,
    candidates: Iterable[tuple[Move | str, float]] = (),
    names: tuple[str, ...] = (),
    outcome: Outcome | None = None,
) -> Scene:
    """The position; with the move that led to it, a move pointed at, and moves considered, each with a weight
    of up to 1. `names` are the players', by seat; `outcome` is the game's where the board alone does not say it,
    as after a resignation."""
    t: Tables = state.variant.tables
    snakes_led = state.options.get("snakes")
    called = names_of(names, state.seats)
    if not names and snakes_led:
        called = tuple(
            Message("snekagon-5g.leads", who=Player(seat), snake=Message(f"option.choice.{snake}"))
            for seat, snake in enumerate(snakes_led)
        )
    p, array, scores = position(state), state.array(), state.scores()
    ended = outcome or state.outcome()
    seats = seats_of(state.player, scores, ended.winners if ended else None, called)

    last = moved(t, last_move, state)
    shown = [(moved(t, move, state), "candidate", weight, f"{move}") for move, weight in candidates]
    if highlight is not None:
        shown.append((moved(t, highlight, state), "highlight", 1.0, f"{highlight}"))
    panels = []
    for floor in range(t.floors):
        title = Message("scene.last_move", move=str(last_move))
        under = _halo(t, [place for place in last if place[0] == floor], "last", 1.0, title)
        over = [
            item
            for places, role, weight, text in shown
            for item in _halo(t, [place for place in places if place[0] == floor], role, weight, text)
        ]
        panels.append(_floor(t, p, floor, seats, under, over))

    left, top, whole, height = box_around(panels, 0)
    across = 1 if t.floors == 1 else 2 if t.floors in (2, 4) else 3
    width = (whole - GAP * (across - 1)) / across
    for seat in range(t.seats):
        row, column = divmod(seat, across)
        x, y = left + column * (width + GAP), top + height + GAP / 2 + row * (2.2 + GAP / 2)
        panels.append(_hand(t, array, seat, called[seat], scores[seat], state.player == seat, x, y, width))
    standings = Message("snekagon.position", game=state.variant.game.name, standing=standing(seats))
    return Scene(state.game, standings, box_around(panels, 0.25), seats, tuple(panels))


# ---- moves by pointing


def prompt(state: State) -> Prompt:
    """A tile and a place are all that is asked for."""
    return Prompt()


@cache
def _turn(side: int, path: tuple[int, ...], code: str) -> int:
    """Which way a tile lies: the direction it is read in, and 6 more if it is mirrored."""
    ways = headings_along(side, path)
    found = []
    for along in (ways, [(way + 3) % 6 for way in reversed(ways)]):
        turns = turns_along(along)
        if turns == code[1:]:
            found.append(along[0])
        if turns.translate(MIRROR) == code[1:]:
            found.append(along[0] + 6)
    return min(found)


def move_targets(state: State) -> tuple[Target, ...]:
    """Every legal move: its cells along the tile from the end that comes first, the tile, and how it lies."""
    t: Tables = state.variant.tables
    ids = [
        [_id(t, (floor, cell)) for cell in range(len(hex_board(t.side).cells))] for floor in range(t.floors)
    ]
    # A placement can be legal on every floor and with several links: it is looked at once.
    known: dict[int, tuple[tuple[int, ...], str, int]] = {}
    found = []
    for move in state.legal_moves():
        rest, place = divmod(move.code, t.placements)
        floor, link = divmod(rest, layout.LINKS)
        if place not in known:
            path = path_of(t, place)
            code = TILES[int(t.places[place, layout.TILE])]
            turn = 0 if code == "1" else _turn(t.side, path, code)
            known[place] = path, f"hand/{state.player}/{code}", turn
        path, piece, turn = known[place]
        via: tuple[str, ...] = ()
        label: Text = ""
        if link:
            source = int(_floor_by(t, floor, (link - 1) % 2))
            cell = path[-1] if link > 2 else path[0]
            via = (ids[source][cell],)
            label = Message("snekagon-5g.from_floor", n=source + 1, cell=hex_board(t.side).names[cell])
        names = ids[floor]
        found.append(Target(move.text, tuple([names[cell] for cell in path]), piece, turn, via, label))
    return tuple(found)


def pointed(state: State, piece: str, turn: int, places: tuple[str, ...]) -> str:
    """The notation of a tile held over cells, whether it may lie there or not."""
    floors = {place.partition("/")[0] for place in places}
    cells = "-".join(place.partition("/")[2] for place in places)
    if len(floors) != 1:
        return ""
    return cells if state.variant.tables.floors == 1 else f"{floors.pop()}:{cells}"
