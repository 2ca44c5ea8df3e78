"""Schlangennest as a scene: the table with its cards, the squares where the nest may still come to lie, and
what every colour has left.

Ids: `(2,-1)` is a square, `hand/0/C` the curve cards that colour 0 has left. A card's ground has its owner's
colour; a strand has its snake's colour all along, or is neutral.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from snakeden.drawing.scene import (
    Area,
    Cap,
    Cell,
    CellShape,
    Item,
    Label,
    Layer,
    Panel,
    Path,
    Piece,
    Point,
    Scene,
    Seat,
    box_around,
    mood_of,
    names_of,
    seats_of,
    standing,
)
from snakeden.games.schlangennest.cards import (
    BLANK,
    COLOURED,
    ENDS,
    FACES,
    FRAME,
    FREE,
    KINDS,
    SIDES,
    STEPS,
    face_parts,
)
from snakeden.games.schlangennest.kernels.layout import (
    BOARD,
    COMPLETE,
    DEEDS,
    FENCE,
    FLOATING,
    FRAMED,
    LEFT,
    NO_BORDER,
    PARTS,
    RIGHT,
    RING,
    STATUS,
    STUCK,
    SUPPLY_AT,
    Tables,
    border_is_fixed,
    snake_at,
)
from snakeden.games.schlangennest.kernels.moves import has_room
from snakeden.games.schlangennest.notation import CARD_NAMES, DEED_NAMES, parse, place
from snakeden.games.schlangennest.prompts import SHOWN, Square, move_targets, pointed, prompt, square_id
from snakeden.words import Message, Text

if TYPE_CHECKING:
    from snakeden.core.moves import Move
    from snakeden.core.outcome import Outcome
    from snakeden.core.state import State

__all__ = ["card_items", "move_targets", "pointed", "prompt", "scene"]

BODY = 0.26
"""The width of a snake; a card is one wide."""
GAP = 0.3
TRAY = "tray-wine"
NEAR = 2
"""As many columns and rows of a nest that is not fixed yet are shown beyond the cards."""
HAND = 2.05
"""The height of what a colour has left."""

Part = tuple[Square, int]
"""A square and a side that a part of its card touches: of a part that touches two, either."""

_EXIT = COLOURED - 1
_MIDDLE = {0: (0.0, -0.5), 1: (0.5, 0.0), 2: (0.0, 0.5), 3: (-0.5, 0.0)}
"""The middle of each side, seen from the middle of the card."""


class _Table:
    """What lies on the table, read from a state."""

    def __init__(self, state: State) -> None:
        self.t: Tables = state.variant.tables
        self.array = state.array()
        self.cards: dict[Square, int] = {}
        """Cards by square, as they stand in a state."""
        board = self.array[BOARD:]
        for square in board.nonzero()[0].tolist():
            self.cards[place(self.t, square)] = int(board[square])
        assert FREE == 0

    def does(self, part: Part) -> int:
        """What the part does when it is entered by its side."""
        return int(self.t.cards[self.cards[part[0]], part[1]])

    def leaves(self, part: Part) -> int | None:
        """The other side that the part touches; None if it ends on the card."""
        way = self.does(part) & _EXIT
        return None if way in (ENDS, BLANK) else way

    def beyond(self, square: Square, side: int) -> Part | None:
        """The part that meets this side of a card from the neighbouring one."""
        dx, dy = STEPS[side]
        part = ((square[0] + dx, square[1] + dy), side ^ 2)
        return part if part[0] in self.cards and self.does(part) & _EXIT != BLANK else None

    def card_colour(self, square: Square) -> int | None:
        """The colour of a card; None for one of the frame."""
        card = self.cards[square]
        return None if card >= FRAME else (card - 1) // len(FACES)

    def kind(self, square: Square) -> str:
        """The kind of a card; none for one of the frame."""
        card = self.cards[square]
        return "" if card >= FRAME else FACES[(card - 1) % len(FACES)][0]


class _Strand:
    """Parts in a row: each as (square, side entered by or None, side left by or None)."""

    def __init__(self) -> None:
        self.parts: list[tuple[Square, int | None, int | None]] = []
        self.colour: int | None = None
        self.ring = False


def _strands(table: _Table) -> list[_Strand]:
    """Every strand on the table."""
    seen: set[Part] = set()
    found = []
    for square in sorted(table.cards):
        for side in range(4):
            if (square, side) in seen or table.does((square, side)) & _EXIT == BLANK:
                continue
            first = _first_part(table, square, side)
            strand = _along(table, first)
            for at, a, b in strand.parts:
                seen.update((at, way) for way in (a, b) if way is not None)
            found.append(strand)
    return found


def _first_part(table: _Table, square: Square, side: int) -> tuple[Square, int | None, int | None]:
    """Where a strand begins that goes through this part; the part itself in a ring."""
    start = (square, side)
    at, out = square, side
    while True:
        beyond = table.beyond(at, out)
        if beyond is None:
            return (at, out, table.leaves((at, out)))
        onward = table.leaves(beyond)
        if onward is None:
            return (beyond[0], None, beyond[1])
        at, out = beyond[0], onward
        if (at, out) == start:
            return (at, out, table.leaves((at, out)))


def _along(table: _Table, first: tuple[Square, int | None, int | None]) -> _Strand:
    strand = _Strand()
    at, enters, leaves = first
    while True:
        strand.parts.append((at, enters, leaves))
        touching = enters if enters is not None else leaves
        assert touching is not None
        if table.does((at, touching)) & COLOURED:
            strand.colour = table.card_colour(at)
        if leaves is None:
            return strand
        beyond = table.beyond(at, leaves)
        if beyond is None:
            return strand
        at, enters, leaves = beyond[0], beyond[1], table.leaves(beyond)
        if (at, enters, leaves) == first:
            strand.ring = True
            return strand


# ---- where things stand on the picture


def _centre(square: Square) -> Point:
    return (float(square[0]), float(-square[1]))


def _points(square: Square, enters: int | None, leaves: int | None) -> list[Point]:
    """The middle line of a part, from side to side."""
    x, y = _centre(square)
    if enters is None or leaves is None:
        side = leaves if enters is None else enters
        assert side is not None
        dx, dy = _MIDDLE[side]
        line = [(x + dx, y + dy), (x + 0.5 * dx, y + 0.5 * dy)]
        return line if leaves is None else line[::-1]
    (ax, ay), (bx, by) = _MIDDLE[enters], _MIDDLE[leaves]
    if enters == leaves ^ 2:
        return [(x + ax, y + ay), (x, y), (x + bx, y + by)]
    return [(x + ax, y + ay), (x + ax / 2, y + ay / 2), (x + bx / 2, y + by / 2), (x + bx, y + by)]


def _role(t: Tables, colour: int | None) -> str:
    return "neutral" if colour is None else f"seat{colour}" if colour < t.colours else "fence"


def _cap(table: _Table, square: Square, own: bool) -> Cap:
    """How a strand ends that ends on this card: with the card's own part, or with its gray one."""
    return "head" if (table.kind(square) == "H") == own else "tail"


def _body(table: _Table, strand: _Strand, seats: tuple[Seat, ...]) -> Path:
    points: list[Point] = []
    seams: list[float] = []
    for square, enters, leaves in strand.parts:
        line = _points(square, enters, leaves)
        if points:
            seams.append(float(len(points) - 1))
            line = line[1:]
        points += line
    start: Cap = "flat"
    end: Cap = "flat"
    square, enters, leaves = strand.parts[0]
    if enters is None and leaves is not None:
        start = _cap(table, square, bool(table.does((square, leaves)) & COLOURED))
    square, enters, leaves = strand.parts[-1]
    if leaves is None and enters is not None:
        end = _cap(table, square, bool(table.does((square, enters)) & COLOURED))
    if strand.ring:
        points.pop()
        seams = [0.0, *seams]
    names = tuple(seat.name for seat in seats)
    neutral = strand.colour is None
    whose = Message("schlangennest.nobody") if neutral else _colour_name(table.t, strand.colour or 0, names)
    count = len(strand.parts)
    title = Message("schlangennest.a_ring" if strand.ring else "schlangennest.a_strand", who=whose, n=count)
    role = _role(table.t, strand.colour)
    counted = tuple(_middle_of(_points(*part)) for part in strand.parts) if role.startswith("seat") else ()
    owned = strand.colour is not None and strand.colour < table.t.colours
    mood = mood_of(seats[strand.colour % table.t.seats]) if owned and strand.colour is not None else "open"
    return Path(
        "",
        tuple(points),
        role,
        BODY,
        start,
        end,
        strand.ring,
        tuple(seams),
        title,
        mood=mood,
        counted=counted,
    )


def _middle_of(line: list[Point]) -> Point:
    """Where a part's number stands when it is counted."""
    a, b = line[(len(line) - 1) // 2], line[len(line) // 2]
    return ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)


def _colour_name(t: Tables, colour: int, names: tuple[Text, ...]) -> Text:
    if colour >= t.colours:
        return Message("schlangennest.fence")
    name = names[colour % t.seats]
    return name if t.snakes == 1 else Message("schlangennest.of_colour", who=name, n=colour)


def _bridges(table: _Table, strands: list[_Strand]) -> list[Item]:
    """The coloured straights once more: they lie over the gray parts that they cross."""
    colour_at = {}
    for strand in strands:
        for square, enters, _ in strand.parts:
            if enters is not None and table.does((square, enters)) & COLOURED:
                colour_at[square] = strand.colour
    items: list[Item] = []
    for square, colour in sorted(colour_at.items()):
        if table.kind(square) == "S":
            face = (table.cards[square] - 1) % len(FACES)
            a, b = (SIDES.index(side) for side in FACES[face][1])
            line = tuple(_points(square, a, b))
            items.append(Path("", line, _role(table.t, colour), BODY, "flat", "flat"))
    return items


# ---- the nest


def _room(table: _Table) -> set[Square]:
    """The squares near what lies there on which the border leaves room for straights and curves."""
    t, s = table.t, table.array
    if t.border in (FENCE, FRAMED):
        columns, rows = range(t.long), range(t.short)
    elif not table.cards:
        return {(0, 0)}
    else:
        # Where nothing is bounded yet, there is room everywhere: the squares next to cards are shown.
        far = t.long - 1 if _is_bounded(table) else 1
        columns = _around([x for x, _ in table.cards], far, t.origin % t.stride, t.stride)
        rows = _around([y for _, y in table.cards], far, t.origin // t.stride, t.squares // t.stride)
    squares = {(x, y): t.origin + y * t.stride + x for x in columns for y in rows}
    return {square for square, number in squares.items() if has_room(t, s, number)}


def _around(taken: list[int], far: int, zero: int, size: int) -> range:
    """The columns or rows at most `far` from those taken, within the grid: it has `size` of them, `zero` of these below
    0."""
    return range(max(min(taken) - far, -zero), min(max(taken) + far, size - 1 - zero) + 1)


def _is_bounded(table: _Table) -> bool:
    """Whether there are squares without room: not before the first straight or curve has fixed where a floating
    nest may lie."""
    return table.t.border != NO_BORDER and (
        table.t.border != FLOATING or int(table.array[RIGHT]) >= int(table.array[LEFT])
    )


def _shown(table: _Table, room: set[Square]) -> set[Square]:
    """The squares on the picture: the cards with a ring around them, and the nest; of one that may still lie here or
    there, what is near the cards."""
    if not table.cards:
        return {*room, *((x, y) for x in range(-2, 3) for y in range(-2, 3))}
    near = room
    if not border_is_fixed(table.t, table.array):
        columns, rows = [x for x, _ in table.cards], [y for _, y in table.cards]
        left, right, low, high = min(columns) - NEAR, max(columns) + NEAR, min(rows) - NEAR, max(rows) + NEAR
        near = {(x, y) for x, y in room if left <= x <= right and low <= y <= high}
    ring = {(x + dx, y + dy) for x, y in table.cards for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    return {*near, *ring}


def _outline(squares: set[Square], shown: set[Square]) -> list[tuple[Point, ...]]:
    """The edges between these squares and the rest, as lines, as far as they are shown."""
    lines: list[tuple[Point, ...]] = []
    for x, y in sorted(squares & shown):
        for side, (dx, dy) in enumerate(STEPS):
            if (x + dx, y + dy) not in squares:
                mx, my = _MIDDLE[side]
                cx, cy = _centre((x, y))
                along = (abs(my), abs(mx))
                lines.append(
                    (
                        (cx + mx - along[0], cy + my - along[1]),
                        (cx + mx + along[0], cy + my + along[1]),
                    )
                )
    return lines


def _frame_of(square: Square, role: str, title: Text, weight: float = 1.0) -> Area:
    x, y = _centre(square)
    corners = ((x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5))
    return Area("", corners, role, 0.1, title=title, weight=weight)


def _move_signs(
    state: State, move: Move | str | None, role: Literal["last", "highlight", "candidate"], weight: float
) -> list[Item]:
    """A move on the picture: a frame around its square, and unless it has been made the part it lays."""
    if move is None:
        return []
    t: Tables = state.variant.tables
    rest, deed = divmod(parse(t, state.array(), str(move)), DEEDS)
    square = place(t, rest % t.squares)
    title = Message("scene.last_move", move=str(move)) if role == "last" else str(move)
    items: list[Item] = [_frame_of(square, role, title, weight)]
    if role != "last":
        sides = [SIDES.index(side) for side in DEED_NAMES[deed][1]]
        line = _points(square, sides[0], sides[1] if len(sides) > 1 else None)
        items.append(Path("", tuple(line), role, BODY, weight=weight, title=str(move)))
    return items


def _table_panel(table: _Table, seats: tuple[Seat, ...], under: list[Item], over: list[Item]) -> Panel:
    names = tuple(seat.name for seat in seats)
    room, bounded = _room(table), _is_bounded(table)
    shown = _shown(table, room)
    cells: list[Item] = []
    for square in sorted(shown):
        x, y = _centre(square)
        if square in table.cards:
            colour = table.card_colour(square)
            role = "neutral" if colour is None else _role(table.t, colour)
            frame = colour is None
            whose = Message("schlangennest.frame") if frame else _colour_name(table.t, colour or 0, names)
            kind = CARD_NAMES.get(table.kind(square), "curve")
            title: Text = Message(f"schlangennest.card.{kind}", square=square_id(square), who=whose)
        else:
            role = "room" if square in room else "outside"
            title = square_id(square)
            if bounded and square not in room:
                title = Message("schlangennest.outside_nest", square=title)
        faint = 0.14 if role == "outside" else 1.0
        shape: CellShape = "card" if square in table.cards else "square"
        cells.append(Cell(square_id(square), x, y, shape, role, title=title, weight=faint))
    strands = _strands(table)
    bodies: list[Item] = [_body(table, strand, seats) for strand in strands]
    neutral = [body for body in bodies if isinstance(body, Path) and body.role == "neutral"]
    coloured = [body for body in bodies if body not in neutral]
    border: list[Item] = [
        Area("", line, "wall" if border_is_fixed(table.t, table.array) else "room", closed=False)
        for line in _outline(room, shown)
        if table.cards and bounded
    ]
    columns, rows = sorted({x for x, _ in shown}), sorted({y for _, y in shown})
    low, left = -rows[0] + 0.75, columns[0] - 0.75
    labels: list[Item] = [Label(float(x), low, str(x), TRAY, 0.24) for x in columns]
    labels += [Label(left, float(-y), str(y), TRAY, 0.24) for y in rows]
    top = -rows[-1] - 0.7
    box = (left - 0.3, top, columns[-1] + 0.7 - left + 0.3, low + 0.35 - top)
    box = (box[0], box[1], box[2], box[3] + 0.15)
    left, top, width, height = box
    ground = (_rectangle((left + 0.02, top + 0.02, width - 0.04, height - 0.18), TRAY, "table", 0.3),)
    layers = (
        Layer("ground", ground),
        Layer("cells", (*cells, *border, *under)),
        Layer("paths", (*neutral, *coloured, *_bridges(table, strands))),
        Layer("marks", tuple(over)),
        Layer("labels", tuple(labels)),
    )
    return Panel("table", "board", box, layers, Message("scene.table"), pitch=(0.5, 0.5))


def _rectangle(
    box: tuple[float, float, float, float], role: str, name: str = "", round_: float = 0.2
) -> Area:
    x, y, w, h = box
    return Area(name, ((x, y), (x + w, y), (x + w, y + h), (x, y + h)), role, round_)


# ---- what is left in hand

_STATUS = {COMPLETE: "complete", RING: "ring", STUCK: "stuck"}


def card_items(
    kind: str, role: str, x: float, y: float, size: float, face: int | None = None
) -> tuple[Any, ...]:
    """A card by itself: its ground, its gray parts and its coloured part."""
    face = SHOWN[kind] if face is None else face
    items: list[Item] = [Cell("", x, y, "card", role, size)]
    parts = list(enumerate(face_parts(face)))
    for number, sides in reversed(parts):
        ways = [SIDES.index(side) for side in sides]
        line = _points((0, 0), ways[0], ways[1] if len(ways) > 1 else None)
        points = tuple((x + px * size, y + py * size) for px, py in line)
        end: Cap = "flat"
        if len(ways) == 1:
            end = "head" if (kind == "H") == (number == 0) else "tail"
        items.append(Path("", points, role if number == 0 else "neutral", BODY * size, "flat", end))
    return tuple(items)


def _hand(
    table: _Table, colour: int, name: Text, ready: set[str], left: float, top: float, width: float
) -> Panel:
    role, at = f"seat{colour}", snake_at(colour)
    supply = [int(n) for n in table.array[at + SUPPLY_AT : at + SUPPLY_AT + 4]]
    parts, status = int(table.array[at + PARTS]), int(table.array[at + STATUS])
    size, items = 0.8, []
    for i, kind in enumerate(KINDS):
        x, y = left + width * (2 * i + 1) / 8, top + 1.1
        count = Label(x, y + 0.62, f"× {supply[i]}", "ink", 0.28)
        card_id = f"hand/{colour}/{kind}"
        items.append(
            Piece(
                card_id,
                role,
                (*card_items(kind, role, x, y, size), count),
                "used" if not supply[i] else "ready" if card_id in ready else "waiting",
                Message(f"schlangennest.cards.{CARD_NAMES[kind]}", n=int(supply[i])),
                f"{kind}×{supply[i]}",
            )
        )
    parts_text = Message(f"schlangennest.parts.{_STATUS.get(status, 'open')}", n=parts)
    ground = (
        _rectangle((left, top, width, HAND), "panel"),
        Label(left + 0.25, top + 0.35, name, role, 0.34, "start", bold=True),
        Label(left + width - 0.25, top + 0.35, parts_text, "ink", 0.3, "end"),
    )
    cards = " ".join(f"{kind}×{n}" for kind, n in zip(KINDS, supply, strict=True) if n)
    lines = (
        Message("scene.of", who=name, what=parts_text),
        Message("schlangennest.cards_left", cards=cards) if cards else Message("schlangennest.no_cards_left"),
    )
    layers = (Layer("ground", ground), Layer("pieces", tuple(items)))
    return Panel(f"hand/{colour}", "hand", (left, top, width, HAND), layers, name, role, lines=lines)


# ---- the scene


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
    called = names_of(names, state.seats)
    table = _Table(state)
    ended = outcome or state.outcome()
    seats = seats_of(state.player, state.scores(), ended.winners if ended else None, called)
    under = _move_signs(state, last_move, "last", 1.0)
    over = [item for move, weight in candidates for item in _move_signs(state, move, "candidate", weight)]
    over += _move_signs(state, highlight, "highlight", 1.0)
    board = _table_panel(table, seats, under, over)
    ready = {target.piece for target in move_targets(state)}

    left, top, wide, high = board.box
    width = max(5.2, (wide - GAP) / 2)
    panels = [board]
    start = left + wide / 2 - width - GAP / 2
    for colour in range(t.colours):
        row, column = divmod(colour, 2)
        x, y = start + column * (width + GAP), top + high + GAP + row * (HAND + GAP)
        panels.append(_hand(table, colour, _colour_name(t, colour, called), ready, x, y, width))
    title = Message("schlangennest.position", standing=standing(seats))
    return Scene(state.game, title, box_around(panels, 0.2), seats, tuple(panels))
