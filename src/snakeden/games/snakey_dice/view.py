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
    names_of,
    seats_of,
    standing,
)
from snakeden.games.snakey_dice.kernels import layout
from snakeden.games.snakey_dice.kernels.layout import Tables
from snakeden.games.snakey_dice.notation import (
    KINDS,
    TRACKS,
    faces,
    kind_name,
    parse,
    square_name,
    track_name,
)
from snakeden.games.snakey_dice.prompts import STEPS, move_targets, place_at, prompt, way_through_front
from snakeden.games.snakey_dice.sheet import Line, lines, rating
from snakeden.words import Message, Text, word

if TYPE_CHECKING:
    from snakeden.core.moves import Move
    from snakeden.core.outcome import Outcome
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
BOX = 0.74
"""From one box of a track to the next."""
SHEET: Point = (6.7, 9.6)
"""The width and height of a score sheet."""
Role = Literal["last", "highlight", "candidate"]
"""As what a move is shown."""
_ANGLES = (-90, 0, 90, 180)
FACES: dict[str, MarkShape] = {
    "1": "arrow",
    "2": "arrow",
    "3": "turn-left",
    "4": "turn-right",
    "5": "turn-both",
    "6": "lock",
}
_PHASES = {
    layout.SET_UP: "set_up",
    layout.START: "start",
    layout.MANIPULATE: "manipulate",
    layout.BONUS: "bonus",
    layout.USE: "use",
    layout.MAKE: "make",
    layout.RAISE: "raise",
    layout.LEAVE: "leave",
    layout.FINISHED: "finished",
}


def _box(box: Box, role: str, name: str = "", rounded: float = 0.2, title: Text = "") -> Area:
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
    title = Message("snakey-dice.squares_of", who=who.name, n=squares)
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
    title = Message("snakey-dice.front", square=square_name(t, place))
    return Mark("", "heading", x, y, f"seat{seat}", 0.5, _ANGLES[way], title=title)


def board_cells(t: Tables, array: Any, names: tuple[Text, ...] = ()) -> tuple[list[Item], list[Item]]:
    """The squares, and the signs on them."""
    cells: list[Item] = []
    marks: list[Item] = []
    starts = set(t.squares[: t.starts, layout.START_PLACE].tolist())
    for number in range(t.side * t.side):
        place = int(t.squares[number, layout.PLACE])
        held, name = int(array[t.board + place]), square_name(t, place)
        x, y = place_at(t, place)
        title: Text
        role, title = "cell", name
        if place in starts:
            role, title = "start", Message("snakey-dice.square.start", square=name)
        if held >= layout.SNAKE:
            seat = held - layout.SNAKE
            role, title = f"seat{seat}", Message("snakey-dice.square.trail", square=name, who=names[seat])
        elif held == layout.POWER_UP:
            title = Message("snakey-dice.square.power_up", square=name)
            marks.append(Mark("", "star", x, y, "powerup", 0.7))
        elif held == layout.BLOCKADE:
            title = Message("snakey-dice.square.blockade", square=name)
            marks.append(Mark("", "block", x, y, "blockade", 0.92))
        cells.append(Cell(name, x, y, "square", role, title=title))
    return cells, marks


def board_frame(t: Tables) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """The wall, and the numbers of columns and rows."""
    wall = _box((0.5, 0.5, float(t.side), float(t.side)), "wall", "wall", 0.0, Message("snakey-dice.wall"))
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
    shape = FACES[face]
    angle = -90 if shape != "lock" else 0
    role = "locked" if shape == "lock" and not loose else "face"
    sign = Mark("", shape, x, y + 0.02 * size, role, 0.56 * size, angle)
    label = Label(x - 0.31 * size, y - 0.31 * size, face, role, 0.21 * size, bold=True)
    items: list[Item] = [Mark("", "die", x, y, role, size), sign, label]
    if loose:
        items.append(Label(x, y + 0.38 * size, Message("snakey-dice.unlocked"), "pip", 0.17 * size))
    return tuple(items)


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
    faces = hand_faces(array)
    phase, loose = int(array[layout.PHASE]), int(array[layout.UNLOCKED])
    items: list[Item] = []
    for i, face in enumerate(faces):
        unlocked = face == "6" and i >= len(faces) - loose
        x, y = _die_at(left, top, i)
        items.append(
            Piece(
                f"die/{i}",
                "face",
                die_items(face, x, y, 1.2, unlocked),
                "ready" if f"die/{i}" in ready else "waiting",
                Message(
                    "snakey-dice.die",
                    n=int(face),
                    what=Message("snakey-dice.unlocked" if unlocked else f"snakey-dice.face.{face}"),
                ),
                face,
            )
        )
    if phase == layout.ROLL:
        now = Message("snakey-dice.rolling", n=int(array[layout.DICE_DUE]))
    else:
        now = Message(f"snakey-dice.phase.{_PHASES[phase]}")
    ground = (
        _box((left, top, width, 2.4), "panel"),
        Label(left + 0.3, top + 0.45, Message("snakey-dice.dice"), "ink", 0.4, "start", bold=True),
        Label(left + width - 0.3, top + 0.45, now, "ink", 0.36, "end"),
    )
    signs = []
    for places, role, weight in shown:
        for name in places:
            if name.startswith("die/"):
                x, y = _die_at(left, top, int(name.removeprefix("die/")))
                signs.append(_frame(x, y, 1.3, role, weight, ""))
    held = tuple(
        Message("snakey-dice.die_short", n=int(face), what=Message(f"snakey-dice.face.{face}"))
        for face in faces
    )
    lines = (
        Message("snakey-dice.dice_now", now=now),
        Message("snakey-dice.hand", dice=held) if held else Message("snakey-dice.no_dice"),
    )
    layers = (Layer("ground", ground), Layer("pieces", tuple(items)), Layer("marks", tuple(signs)))
    return Panel("dice", "dice", (left, top, width, 2.4), layers, Message("snakey-dice.dice"), lines=lines)


# ---- the sheets


def _track(
    t: Tables, seat: int, track: int, level: int, first: bool, left: float, y: float, ready: Set[str]
) -> Piece:
    values = [int(v) for v in t.values[track, :5]]
    items: list[Any] = [Label(left, y, track_name(track), "ink", 0.36, "start")]
    for i, value in enumerate(values):
        x = left + 2.5 + i * BOX
        items.append(
            _box((x - 0.32, y - 0.28, 0.64, 0.56), f"seat{seat}" if i <= level else "slot", "", 0.12)
        )
        items.append(Label(x, y, str(value), "ink", 0.32, bold=i == level))
    if first:
        items.append(
            Mark(
                "",
                "star",
                left + 2.5 + 4 * BOX + 0.56,
                y,
                "powerup",
                0.42,
                title=Message("snakey-dice.first_to_top"),
            )
        )
    name = f"sheet/{seat}/{TRACKS[track]}"
    return Piece(
        name,
        f"seat{seat}",
        tuple(items),
        "ready" if name in ready else "waiting",
        Message("snakey-dice.track_level", track=track_name(track), level=level, n=values[level]),
        Message("snakey-dice.track_short", track=track_name(track), level=level, n=values[level]),
    )


def _once(t: Tables, array: Any, seat: int, kind: int, left: float, y: float, ready: Set[str]) -> Piece:
    at = layout.SEAT_WORDS_AT + seat * layout.SEAT_WORDS
    free = int(array[at + layout.ACTIONS + kind])
    printed = int(t.first[at + layout.ACTIONS + kind])
    given = int(array[at + layout.GIVEN + kind])
    used = printed + given - free
    items: list[Any] = [Label(left, y, kind_name(kind), "ink", 0.36, "start")]
    for i in range(printed + layout.MOST_GIVEN):
        x = left + 2.5 + i * 0.66
        there = i < printed + given
        items.append(_box((x - 0.22, y - 0.22, 0.44, 0.44), f"seat{seat}" if there else "slot", "", 0.22))
        if there and i < used:
            items.append(Mark("", "cross", x, y, "ink", 0.4))
    name = f"sheet/{seat}/once/{KINDS[kind]}"
    status: Literal["ready", "waiting", "used"] = "ready" if name in ready else "waiting" if free else "used"
    return Piece(
        name,
        f"seat{seat}",
        tuple(items),
        status,
        Message("snakey-dice.once_left", kind=kind_name(kind), n=free),
        str(free),
    )


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
    row: list[Any] = [Label(left + 0.3, y, Message("snakey-dice.snake_dice"), "ink", 0.36, "start")]
    for i, value in enumerate(t.values[layout.DICE_ROW, :5].tolist()):
        now = max(levels) == i
        row.append(Label(left + 2.8 + i * BOX, y, str(value), "ink" if now else "quiet", 0.34, bold=now))
    title = Message("snakey-dice.dice_a_turn", n=int(t.values[layout.DICE_ROW, max(levels)]))
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
    ended = "out" if array[at + layout.OUT] else "won" if who.status == "won" and not t.solo else "playing"
    points = Message(f"snakey-dice.points.{ended}", n=who.score)
    # A long name is written smaller, so that it ends before the points begin.
    size = min(0.45, (SHEET[0] - 0.7 - 0.4 * WIDE * len(str(points))) / (BOLD * max(1, len(word(who.name)))))
    ground = (
        _box((left, top, *SHEET), "panel", f"sheet/{seat}"),
        Label(left + 0.3, top + 0.5, who.name, f"seat{seat}", size, "start", bold=True),
        Label(left + SHEET[0] - 0.3, top + 0.5, points, "ink", 0.4, "end"),
    )
    tracks = tuple(
        Message(
            "snakey-dice.track_short", track=track_name(i), level=levels[i], n=int(t.values[i, levels[i]])
        )
        for i in range(4)
    )
    once = tuple(
        Message("snakey-dice.once_short", kind=kind_name(kind), n=int(array[at + layout.ACTIONS + kind]))
        for kind in _kinds(t)
    )
    counted = lines(t, array, seat)
    counts = tuple(
        Message("snakey-dice.counted", what=line.label, n=line.count, by=line.multiplier, total=line.total)
        for line in counted
    )
    dice = int(t.values[layout.DICE_ROW, max(levels)])
    texts = (
        Message("scene.of", who=who.name, what=points),
        Message("snakey-dice.tracks", tracks=tracks, n=dice),
        Message("snakey-dice.one_time", kinds=once),
        Message("snakey-dice.counts", counts=counts[:3]),
        Message("snakey-dice.counts", counts=counts[3:]),
    )
    items = tuple(sheet_items(t, array, seat, left, top, ready))
    score = tuple(_score_items(counted, left, top + SHEET[1] - 2.65))
    layers = (Layer("ground", ground), Layer("pieces", items), Layer("labels", score))
    return Panel(f"sheet/{seat}", "sheet", (left, top, *SHEET), layers, who.name, f"seat{seat}", lines=texts)


# ---- the scene


def _title(state: State, seats: tuple[Seat, ...]) -> Message:
    if state.player is None and len(seats) == 1:
        score = seats[0].score
        return Message("snakey-dice.over", who=seats[0].name, n=score, rating=rating(score))
    rolling = state.player is not None and state.player < 0
    key = "snakey-dice.position_rolling" if rolling else "snakey-dice.position"
    return Message(key, standing=standing(seats))


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
    array = state.array()
    called = names_of(names, state.seats)
    ended = outcome or state.outcome()
    seats = seats_of(state.player, state.scores(), ended.winners if ended else None, called)
    seats = tuple(
        Seat(seat.role, seat.name, seat.score, "out")
        if _is_out(array, i) and seat.status == "waiting"
        else seat
        for i, seat in enumerate(seats)
    )
    targets = move_targets(state)
    ready = {name for target in targets for name in (*target.places, *target.via)}

    cells, marks = board_cells(t, array, called)
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
        Message("scene.board"),
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
