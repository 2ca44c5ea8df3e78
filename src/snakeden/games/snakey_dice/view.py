"""Snakey Dice as a scene: the board with trails, blockades and power-ups, the dice on the table, and a score
sheet for every player.

Ids: `7,4` is a square, `die/0` the first die in hand (they lie by face), `sheet/0/flip` a track of seat 0 and
`sheet/0/once/portal` its one-time actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from snakeden.drawing.scene import (
    Area,
    Box,
    Cap,
    Cell,
    Item,
    Label,
    Layer,
    Mark,
    MarkShape,
    Panel,
    Path,
    Piece,
    Point,
    Scene,
    Seat,
    box_around,
    mood_of,
    seats_of,
    standing,
)
from snakeden.games.snakey_dice.kernels import layout
from snakeden.games.snakey_dice.kernels.layout import Tables
from snakeden.games.snakey_dice.notation import KINDS, TRACKS, faces, parse, square_name
from snakeden.games.snakey_dice.prompts import STEPS, move_targets, place_at, prompt, way_through_front
from snakeden.games.snakey_dice.sheet import Line, lines, rating

if TYPE_CHECKING:
    from snakeden.core.moves import Move
    from snakeden.core.state import State

__all__ = [
    "board_cells",
    "board_frame",
    "die_items",
    "hand_faces",
    "move_targets",
    "pointed",
    "prompt",
    "scene",
    "sheet_items",
]

BODY = 0.6
"""The width of a trail; a square is one wide."""
GAP = 0.35
TRAY = "tray-ochre"
WIDE, BOLD = 0.48, 0.53
"""How wide a letter is on average against its height, and a bold one."""
SHEET: Point = (6.7, 9.6)
"""The width and height of a score sheet."""
Role = Literal["last", "highlight", "candidate"]
"""As what a move is shown."""
_ANGLES = (-90, 0, 90, 180)
FACES: dict[str, tuple[MarkShape, str]] = {
    "1": ("arrow", "forward"),
    "2": ("arrow", "forward"),
    "3": ("turn-left", "left"),
    "4": ("turn-right", "right"),
    "5": ("turn-both", "left or right"),
    "6": ("lock", "locked"),
}


def _box(box: Box, role: str, name: str = "", rounded: float = 0.2, title: str = "") -> Area:
    x, y, w, h = box
    return Area(name, ((x, y), (x + w, y), (x + w, y + h), (x, y + h)), role, rounded, title=title)


# ---- the board


def _trails(t: Tables, array: Any, seat: int) -> list[list[tuple[int, int, int]]]:
    """A seat's trail as (place, direction in, direction out), cut where it went through obstacles."""
    held = array[t.board : t.key_words]
    visited = []
    for place in (held == layout.SNAKE + seat).nonzero()[0].tolist():
        word = int(array[t.key_words + place])
        visited.append((word >> 4, place, word >> 2 & 3, word & 3))
    width = t.side + 2
    parts: list[list[tuple[int, int, int]]] = []
    due = -1
    for _, place, way_in, way_out in sorted(visited):
        if place != due:
            parts.append([])
        parts[-1].append((place, way_in, way_out))
        due = place + (-width, 1, width, -1)[way_out]
    return parts


def _bodies(t: Tables, array: Any, seat: int, who: Seat) -> list[Item]:
    items: list[Item] = []
    parts = _trails(t, array, seat)
    squares = sum(map(len, parts))
    title = f"{who.name}: {squares} square{'s' if squares > 1 else ''}"
    for i, part in enumerate(parts):
        points = [place_at(t, place) for place, _, _ in part]
        dx, dy = STEPS[part[0][1]]
        ex, ey = STEPS[part[-1][2]]
        points.insert(0, (points[0][0] - 0.2 * dx, points[0][1] - 0.2 * dy))
        points.append((points[-1][0] + 0.1 * ex, points[-1][1] + 0.1 * ey))
        start: Cap = "tail" if i == 0 else "hole"
        end: Cap = "head" if i == len(parts) - 1 else "hole"
        items.append(Path("", tuple(points), who.role, BODY, start, end, title=title, mood=mood_of(who)))
    return items


def _front(t: Tables, array: Any, seat: int) -> Item | None:
    """An arrow where the head will go in, if it can and the seat still plays."""
    at = layout.SEAT_WORDS_AT + seat * layout.SEAT_WORDS
    place = int(array[at + layout.FRONT])
    if not array[at + layout.TRAIL] or array[at + layout.OUT] or array[t.board + place] > layout.POWER_UP:
        return None
    x, y = place_at(t, place)
    way = int(array[at + layout.WAY])
    title = f"the front square is {square_name(t, place)}"
    return Mark("", "arrow", x, y, f"seat{seat}", 0.5, _ANGLES[way], title=title)


def board_cells(t: Tables, array: Any, names: tuple[str, ...] = ()) -> tuple[list[Item], list[Item]]:
    """The squares, and the signs on them."""
    cells: list[Item] = []
    marks: list[Item] = []
    starts = set(t.squares[: t.starts, layout.START_PLACE].tolist())
    for number in range(t.side * t.side):
        place = int(t.squares[number, layout.PLACE])
        held, name = int(array[t.board + place]), square_name(t, place)
        x, y = place_at(t, place)
        role, title = ("start", f"{name}, a start") if place in starts else ("cell", name)
        if held >= layout.SNAKE:
            role, title = f"seat{held - layout.SNAKE}", f"{name}, trail of {names[held - layout.SNAKE]}"
        elif held == layout.POWER_UP:
            title = f"{name}, a power-up"
            marks.append(Mark("", "star", x, y, "powerup", 0.7))
        elif held == layout.BLOCKADE:
            title = f"{name}, a blockade"
            marks.append(Mark("", "block", x, y, "blockade", 0.92))
        cells.append(Cell(name, x, y, "square", role, title=title))
    return cells, marks


def board_frame(t: Tables) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """The wall, and the numbers of columns and rows."""
    wall = _box((0.5, 0.5, float(t.side), float(t.side)), "wall", "wall", 0.0, "the wall")
    labels: list[Item] = []
    for i in range(t.side):
        labels.append(Label(i + 1.0, 0.0, str(i + t.low), TRAY, 0.36))
        labels.append(Label(0.0, i + 1.0, str(i + t.low), TRAY, 0.36))
    return (wall,), tuple(labels)


def _board_signs(state: State, move: Move | str | None, role: Role, weight: float) -> list[Item]:
    """A move on the board, if it has a place there: a frame around its square, or the way into the front."""
    if move is None:
        return []
    t: Tables = state.variant.tables
    array = state.array()
    code = parse(t, array, str(move))
    use = code - layout.USE_DIE
    moving = 0 <= use < layout.LOCKED
    if moving and role != "last":
        line = way_through_front(t, array, use)
        return [Path("", line, role, 0.3, weight=weight, title=str(move))]
    place = None
    if code >= t.square_moves:
        place = int(t.squares[code - t.square_moves, layout.PLACE])
    elif code >= layout.CHOOSE:
        place = int(t.squares[(code - layout.CHOOSE) // 4, layout.START_PLACE])
    elif moving:
        place = _newest(t, array)
    if place is None:
        return []
    x, y = place_at(t, place)
    return [_frame(x, y, 0.92, role, weight, str(move))]


def _frame(x: float, y: float, size: float, role: str, weight: float, title: str) -> Area:
    h = size / 2
    return replace(_box((x - h, y - h, size, size), role, "", 0.1, title), weight=weight)


def _newest(t: Tables, array: Any) -> int:
    """The place that was entered last of all."""
    held = array[t.board : t.key_words]
    trail = array[t.key_words : t.key_words + len(held)]
    return int(((trail >> 4) * (held >= layout.SNAKE)).argmax())


# ---- the dice


def hand_faces(array: Any) -> str:
    """The dice in hand by face; of the sixes the unlocked ones come last."""
    return faces(int(array[layout.HAND]))


def die_items(face: str, x: float, y: float, size: float, loose: bool = False) -> tuple[Any, ...]:
    """A die that shows this face: its sign, drawn as if the snake looked up, and its number."""
    shape, _ = FACES[face]
    angle = -90 if shape != "lock" else 0
    role = "locked" if shape == "lock" and not loose else "face"
    sign = Mark("", shape, x, y + 0.02 * size, role, 0.56 * size, angle)
    label = Label(x - 0.31 * size, y - 0.31 * size, face, role, 0.19 * size, bold=True)
    items: list[Item] = [Mark("", "die", x, y, role, size), sign, label]
    if loose:
        items.append(Label(x, y + 0.38 * size, "unlocked", "pip", 0.17 * size))
    return tuple(items)


def _thrown(dice: int) -> str:
    return "1 die is rolled" if dice == 1 else f"{dice} dice are rolled"


def _die_at(left: float, top: float, i: int) -> Point:
    return (left + 0.95 + i * 1.45, top + 1.5)


def _dice_panel(
    array: Any,
    ready: Set[str],
    shown: list[tuple[tuple[str, ...], Role, float]],
    left: float,
    top: float,
    width: float,
) -> Panel:
    """The dice in hand; `shown` are moves as what they touch, as what they are shown and how strongly."""
    told = hand_faces(array)
    phase, loose = int(array[layout.PHASE]), int(array[layout.UNLOCKED])
    items: list[Item] = []
    for i, face in enumerate(told):
        unlocked = face == "6" and i >= len(told) - loose
        x, y = _die_at(left, top, i)
        items.append(
            Piece(
                f"die/{i}",
                "face",
                die_items(face, x, y, 1.2, unlocked),
                "ready" if f"die/{i}" in ready else "waiting",
                f"a die that shows {face}: {'unlocked' if unlocked else FACES[face][1]}",
                face,
            )
        )
    now = {
        layout.SET_UP: "set-up: a square is rolled",
        layout.START: "choose a start and a direction",
        layout.ROLL: _thrown(int(array[layout.DICE_DUE])),
        layout.MANIPULATE: "reroll, flip, unlock, or name the dice to ignore",
        layout.BONUS: "three locked dice: take a one-time action",
        layout.USE: "use the dice",
        layout.MAKE: "a square is rolled",
        layout.RAISE: "raise a track",
        layout.LEAVE: "escape, or end the turn",
        layout.FINISHED: "the game is over",
    }[phase]
    ground = (
        _box((left, top, width, 2.4), "panel"),
        Label(left + 0.3, top + 0.45, "Dice", "ink", 0.4, "start", bold=True),
        Label(left + width - 0.3, top + 0.45, now, "ink", 0.36, "end"),
    )
    signs = []
    for places, role, weight in shown:
        for name in places:
            if name.startswith("die/"):
                x, y = _die_at(left, top, int(name.removeprefix("die/")))
                signs.append(_frame(x, y, 1.3, role, weight, ""))
    words = " ".join(f"{face}={FACES[face][1].replace(' ', '-')}" for face in told)
    lines = (f"Dice: {now}", words or "no dice in hand")
    layers = (Layer("ground", ground), Layer("pieces", tuple(items)), Layer("marks", tuple(signs)))
    return Panel("dice", "dice", (left, top, width, 2.4), layers, "Dice", lines=lines)


# ---- the sheets


def _track(
    t: Tables, seat: int, track: int, level: int, first: bool, left: float, y: float, ready: Set[str]
) -> Piece:
    values = [int(v) for v in t.values[track, :5]]
    items: list[Any] = [Label(left, y, TRACKS[track], "ink", 0.36, "start")]
    for i, value in enumerate(values):
        x = left + 2.5 + i * 0.78
        items.append(
            _box((x - 0.32, y - 0.28, 0.64, 0.56), f"seat{seat}" if i <= level else "slot", "", 0.12)
        )
        items.append(Label(x, y, str(value), "ink", 0.32, bold=i == level))
    if first:
        items.append(
            Mark("", "star", left + 2.5 + 5 * 0.78 - 0.2, y, "powerup", 0.42, title="first to the top")
        )
    name = f"sheet/{seat}/{TRACKS[track]}"
    return Piece(
        name,
        f"seat{seat}",
        tuple(items),
        "ready" if name in ready else "waiting",
        f"{TRACKS[track]}: level {level}, {values[level]} a turn",
        f"{TRACKS[track]} {values[level]} (level {level})",
    )


def _once(t: Tables, array: Any, seat: int, kind: int, left: float, y: float, ready: Set[str]) -> Piece:
    at = layout.SEAT_WORDS_AT + seat * layout.SEAT_WORDS
    free = int(array[at + layout.ACTIONS + kind])
    printed = int(t.first[at + layout.ACTIONS + kind])
    given = int(array[at + layout.GIVEN + kind])
    used = printed + given - free
    items: list[Any] = [Label(left, y, KINDS[kind], "ink", 0.36, "start")]
    for i in range(printed + layout.MOST_GIVEN):
        x = left + 2.5 + i * 0.66
        there = i < printed + given
        items.append(_box((x - 0.22, y - 0.22, 0.44, 0.44), "panel" if there else "slot", "", 0.22))
        if there and i < used:
            items.append(Mark("", "cross", x, y, "ink", 0.4))
    name = f"sheet/{seat}/once/{KINDS[kind]}"
    status: Literal["ready", "waiting", "used"] = "ready" if name in ready else "waiting" if free else "used"
    return Piece(name, f"seat{seat}", tuple(items), status, f"one-time {KINDS[kind]}: {free} left", str(free))


def sheet_items(
    t: Tables, array: Any, seat: int, left: float, top: float, ready: Set[str] = frozenset()
) -> list[Piece]:
    """The lines of a score sheet: tracks, dice and one-time actions."""
    at = layout.SEAT_WORDS_AT + seat * layout.SEAT_WORDS
    levels = [int(array[at + layout.LEVEL + track]) for track in range(4)]
    items: list[Piece] = []
    y = top + 1.2
    for track in range(4):
        first = int(array[layout.FIRST + track]) == seat + 1 and not t.solo
        items.append(_track(t, seat, track, levels[track], first, left + 0.3, y, ready))
        y += 0.68
    row: list[Any] = [Label(left + 0.3, y, "snake dice", "ink", 0.36, "start")]
    for i, value in enumerate(t.values[layout.DICE_ROW, :5].tolist()):
        now = max(levels) == i
        row.append(Label(left + 2.8 + i * 0.78, y, str(value), "ink" if now else "quiet", 0.34, bold=now))
    title = f"{t.values[layout.DICE_ROW, max(levels)]} dice a turn"
    items.append(Piece(f"sheet/{seat}/dice", f"seat{seat}", tuple(row), "waiting", title))
    y += 0.72
    for kind in _kinds(t):
        items.append(_once(t, array, seat, kind, left + 0.3, y, ready))
        y += 0.56
    return items


def _kinds(t: Tables) -> list[int]:
    """The kinds of one-time actions that the edition has."""
    at = layout.SEAT_WORDS_AT + layout.ACTIONS
    return [kind for kind in range(4) if t.first[at + kind]]


def _score_items(counted: tuple[Line, ...], left: float, top: float) -> list[Label]:
    """The lines of the score: what is counted, how often, and what that is worth."""
    items = []
    for i, line in enumerate(counted):
        y, role = top + i * 0.46, "ink" if line.count else "quiet"
        items.append(Label(left + 0.3, y, line.label, role, 0.32, "start"))
        items.append(Label(left + 5.3, y, _signed(f"{line.count} × {line.multiplier}"), "quiet", 0.32, "end"))
        items.append(Label(left + SHEET[0] - 0.3, y, _signed(str(line.total)), role, 0.32, "end"))
    return items


def _signed(text: str) -> str:
    """The text with minus signs instead of hyphens."""
    return text.replace("-", "−")


def _sheet(t: Tables, array: Any, seat: int, who: Seat, ready: Set[str], left: float, top: float) -> Panel:
    at = layout.SEAT_WORDS_AT + seat * layout.SEAT_WORDS
    levels = [int(array[at + layout.LEVEL + track]) for track in range(4)]
    ended = "out" if array[at + layout.OUT] else "won" if who.status == "won" and not t.solo else ""
    points = f"{who.score} point{'s' if who.score != 1 else ''}" + (f", {ended}" if ended else "")
    # A long name is written smaller, so that it ends before the points begin.
    size = min(0.45, (SHEET[0] - 0.7 - 0.4 * WIDE * len(points)) / (BOLD * max(1, len(who.name))))
    ground = (
        _box((left, top, *SHEET), "panel", f"sheet/{seat}"),
        Label(left + 0.3, top + 0.5, who.name, f"seat{seat}", size, "start", bold=True),
        Label(left + SHEET[0] - 0.3, top + 0.5, points, "ink", 0.4, "end"),
    )
    tracks = ", ".join(f"{TRACKS[i]} {t.values[i, levels[i]]} (level {levels[i]})" for i in range(4))
    once = ", ".join(f"{KINDS[kind]} {array[at + layout.ACTIONS + kind]}" for kind in _kinds(t))
    counted = lines(t, array, seat)
    told = [f"{line.label} {line.count}×{line.multiplier}={line.total}" for line in counted]
    texts = (
        f"{who.name}: {points}",
        f"{tracks}; {t.values[layout.DICE_ROW, max(levels)]} dice",
        f"one-time: {once}",
        ", ".join(told[:3]),
        ", ".join(told[3:]),
    )
    items = tuple(sheet_items(t, array, seat, left, top, ready))
    score = tuple(_score_items(counted, left, top + SHEET[1] - 2.65))
    layers = (Layer("ground", ground), Layer("pieces", items), Layer("labels", score))
    return Panel(f"sheet/{seat}", "sheet", (left, top, *SHEET), layers, who.name, f"seat{seat}", lines=texts)


# ---- the scene


def _title(state: State, seats: tuple[Seat, ...]) -> str:
    told = standing(seats)
    if state.player is None and len(seats) == 1:
        told = f"{seats[0].name} {seats[0].score}; the game is over: {rating(seats[0].score)}"
    elif state.player is not None and state.player < 0:
        told += "; the dice are rolled"
    return f"Snakey Dice: {told}"


def scene(
    state: State,
    last_move: Move | str | None = None,
    highlight: Move | str | None = None,
    candidates: Iterable[tuple[Move | str, float]] = (),
    names: tuple[str, ...] = (),
) -> Scene:
    """The position; with the move that led to it, a move pointed at, and moves considered, each with a weight
    of up to 1. `names` are the players', by seat."""
    t: Tables = state.variant.tables
    array = state.array()
    names = names or tuple(f"Player {i + 1}" for i in range(state.seats))
    seats = seats_of(state.player, state.scores(), state.winners(), names)
    seats = tuple(
        Seat(seat.role, seat.name, seat.score, "out")
        if _is_out(array, i) and seat.status == "waiting"
        else seat
        for i, seat in enumerate(seats)
    )
    targets = move_targets(state)
    ready = {name for target in targets for name in (*target.places, *target.via)}

    cells, marks = board_cells(t, array, names)
    wall, labels = board_frame(t)
    bodies = [item for seat in range(t.seats) for item in _bodies(t, array, seat, seats[seat])]
    fronts = [item for seat in range(t.seats) if (item := _front(t, array, seat)) is not None]
    considered: list[tuple[Move | str | None, Role, float]] = [(m, "candidate", w) for m, w in candidates]
    considered += [(highlight, "highlight", 1.0)] if highlight is not None else []
    signs = [
        item
        for move, role, weight in ((last_move, "last", 1.0), *considered)
        for item in _board_signs(state, move, role, weight)
    ]
    touched = {target.move: target.places for target in targets}
    on_dice = [(touched.get(str(move), ()), role, weight) for move, role, weight in considered]
    side = t.side + 1.2
    box = (-0.5, -0.5, side, side)
    board = Panel(
        "board",
        "board",
        box,
        (
            Layer("ground", (_box((box[0], box[1], side, side - 0.14), TRAY, "", 0.5),)),
            Layer("cells", (*cells, *wall)),
            Layer("paths", tuple(bodies)),
            Layer("marks", (*marks, *fronts, *signs)),
            Layer("labels", labels),
        ),
        "Board",
    )
    panels = [board]
    right, across = box[0] + side + GAP, min(t.seats, 2)
    for seat in range(t.seats):
        row, column = divmod(seat, across)
        x, y = right + column * (SHEET[0] + GAP), box[1] + row * (SHEET[1] + GAP)
        panels.append(_sheet(t, array, seat, seats[seat], ready, x, y))
    panels.append(_dice_panel(array, ready, on_dice, box[0], box[1] + side + GAP, side))
    return Scene(state.game, _title(state, seats), box_around(panels, 0.25), seats, tuple(panels))


def _is_out(array: Any, seat: int) -> bool:
    return bool(array[layout.SEAT_WORDS_AT + seat * layout.SEAT_WORDS + layout.OUT])


def pointed(state: State, piece: str, turn: int, places: tuple[str, ...]) -> str:
    """Nothing is held over the board in this game."""
    return ""
