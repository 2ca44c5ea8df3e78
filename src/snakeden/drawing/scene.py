"""A scene: a position as plain data that can be drawn by anything that knows no rules.

A scene has panels (a board, a floor, a hand, a row of dice, a score sheet), a panel has layers, a layer has
items, and items are drawn in the order they stand. Coordinates are the scene's own: x to the right, y down,
neighbouring cells of a board one apart. There are no colours, only roles:

| role                              | what it is                                                         |
| --------------------------------- | ------------------------------------------------------------------ |
| `seat0` … `seat4`                 | a player's things; a theme gives each a colour and a pattern       |
| `neutral`, `fence`                | a snake that is nobody's, yet or for good                          |
| `cell`, `outside`, `eye`, `start` | a place on a board: ordinary, beyond it, a hole, where one begins  |
| `room`                            | a place that may still become part of the board                    |
| `face`, `locked`, `pip`           | the ground of a die and its sign, of a locked one; its number      |
| `blockade`, `powerup`, `wall`     | what stands on a board                                             |
| `last`, `highlight`, `candidate`  | the move just made, one pointed at, one that is considered         |
| `tray-pine` and others            | the board itself, in the colour of the game's box                  |
| `panel`, `slot`, `line`, `cut`    | a panel's ground, an empty place in it, thin lines, where to cut   |
| `ink`, `quiet`                    | text to be read, text to be found when looked for                  |

An id that is not empty is stable: the same thing has the same id in every scene of the same game, so that a
page that is pointed at "1/f6" knows what is meant. A game's `move_targets` says which ids each legal move
touches.

Texts are messages, or plain texts that are the same in every language; `worded` makes a scene of plain texts.
This module imports nothing of the house but those.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any, Literal, TypeVar

from snakeden import words
from snakeden.words import Message, Player, Text, word

VERSION = 1
"""Raised when a reader of older scenes could misread a new one."""

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, width, height."""

CellShape = Literal["hex", "square", "card", "blank"]
Mood = Literal["open", "shut", "happy"]
Cap = Literal["flat", "round", "head", "tail", "hole"]
MarkShape = Literal[
    "dot",
    "ring",
    "cross",
    "star",
    "block",
    "hole",
    "arrow",
    "heading",
    "turn-left",
    "turn-right",
    "turn-both",
    "lock",
    "die",
]


@dataclass(frozen=True)
class Cell:
    """A place of a board: a hexagon with a corner on top, or a square, each a well in the board; a card; or the hexagon
    of a tile (`blank`)."""

    id: str
    x: float
    y: float
    shape: CellShape
    role: str = "cell"
    size: float = 1.0
    """From side to opposite side."""
    label: str = ""
    """Its name, where it is printed on paper and beside the rows in a terminal."""
    title: Text = ""
    """What a screen reader says."""
    weight: float = 1.0


@dataclass(frozen=True)
class Path:
    """A body along a line: a snake, a strand of one, a trail. Corners are to be rounded."""

    id: str
    points: tuple[Point, ...]
    role: str
    width: float = 0.5
    start: Cap = "round"
    end: Cap = "round"
    closed: bool = False
    """From the last point back to the first; a head at the end then bites its own tail."""
    seams: tuple[float, ...] = ()
    """Where one piece ends and the next begins: 2 is at points[2], 2.5 half way to points[3]."""
    title: Text = ""
    weight: float = 1.0
    """How strongly it is meant, above 0 and up to 1: a candidate move's share."""
    mood: Mood = "open"
    """The eyes of its head: open while it plays, shut if it is out or has lost, happy if it has won."""
    counted: tuple[Point, ...] = ()
    """Of a snake whose length is the score: the middles of what is counted, from the tail on."""


@dataclass(frozen=True)
class Mark:
    """A sign. `text` is what stands in it, if anything, and what a terminal shows instead."""

    id: str
    shape: MarkShape
    x: float
    y: float
    role: str
    size: float = 0.5
    angle: float = 0.0
    """Degrees clockwise; 0 is as if looking to the right."""
    text: str = ""
    title: Text = ""
    weight: float = 1.0


@dataclass(frozen=True)
class Label:
    """A text on one line; y is the middle of its letters."""

    x: float
    y: float
    text: Text
    role: str = "ink"
    size: float = 0.4
    anchor: Literal["start", "middle", "end"] = "middle"
    bold: bool = False
    id: str = ""


@dataclass(frozen=True)
class Area:
    """A filled polygon, or with `closed` false an open line of straight parts."""

    id: str
    points: tuple[Point, ...]
    role: str
    round: float = 0.0
    """Radius of its corners."""
    closed: bool = True
    title: Text = ""
    weight: float = 1.0


@dataclass(frozen=True)
class Piece:
    """Things that belong together and are pointed at as one: a tile in hand, a card, a die."""

    id: str
    role: str
    items: tuple[Cell | Path | Mark | Label | Area, ...]
    status: Literal["ready", "waiting", "used"] = "ready"
    """Can be chosen now, is there for later, is gone."""
    title: Text = ""
    text: Text = ""
    """The piece in a terminal."""


Item = Cell | Path | Mark | Label | Area | Piece


@dataclass(frozen=True)
class Layer:
    name: Literal["ground", "cells", "paths", "pieces", "marks", "labels"]
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Panel:
    """A part of the scene with a frame of its own."""

    id: str
    kind: Literal["board", "hand", "dice", "sheet"]
    box: Box
    layers: tuple[Layer, ...]
    title: Text = ""
    role: str = "panel"
    """Whose it is, if it is a seat's."""
    pitch: Point = (1.0, 1.0)
    """Of a board: the distance of its columns and rows, to put it on a grid of letters."""
    lines: tuple[Text, ...] = ()
    """Anything but a board in words, line by line: for a terminal and a screen reader."""


@dataclass(frozen=True)
class Seat:
    role: str
    name: Text
    score: int
    status: Literal["waiting", "to move", "out", "won", "lost"]


@dataclass(frozen=True)
class Scene:
    game: str
    title: Text
    """The position in one sentence."""
    box: Box
    seats: tuple[Seat, ...]
    panels: tuple[Panel, ...]
    version: int = VERSION


def moved(item: Any, dx: float, dy: float) -> Any:
    """The item somewhere else."""
    if isinstance(item, Path | Area):
        points = tuple((x + dx, y + dy) for x, y in item.points)
        if isinstance(item, Area):
            return replace(item, points=points)
        return replace(item, points=points, counted=tuple((x + dx, y + dy) for x, y in item.counted))
    if isinstance(item, Piece):
        return replace(item, items=tuple(moved(part, dx, dy) for part in item.items))
    return replace(item, x=item.x + dx, y=item.y + dy)


def _moved_panel(panel: Panel, dx: float, dy: float) -> Panel:
    left, top, width, height = panel.box
    layers = tuple(
        Layer(layer.name, tuple(moved(item, dx, dy) for item in layer.items)) for layer in panel.layers
    )
    return replace(panel, box=(left + dx, top + dy, width, height), layers=layers)


def aligned(scenes: Sequence[Scene]) -> list[Scene]:
    """The scenes of one game in one box, for a film: boards stay where they are, and what stands below a board that
    grows or shrinks stands below the largest."""

    def bottom(scene: Scene) -> float:
        return max(panel.box[1] + panel.box[3] for panel in scene.panels if panel.kind == "board")

    lowest = max(map(bottom, scenes))
    found = []
    for scene in scenes:
        low = bottom(scene)
        panels = tuple(
            _moved_panel(panel, 0.0, lowest - low) if panel.box[1] >= low else panel for panel in scene.panels
        )
        left, top, width, height = scene.box
        found.append(replace(scene, panels=panels, box=(left, top, width, height + lowest - low)))
    box = common_box(found)
    return [replace(scene, box=box) for scene in found]


def common_box(scenes: Sequence[Scene]) -> Box:
    """The box around the boxes of all these scenes."""
    left, top = min(s.box[0] for s in scenes), min(s.box[1] for s in scenes)
    right = max(s.box[0] + s.box[2] for s in scenes)
    bottom = max(s.box[1] + s.box[3] for s in scenes)
    return (left, top, right - left, bottom - top)


def seats_of(
    player: int | None, scores: tuple[int, ...], winners: tuple[int, ...] | None, names: Sequence[Text]
) -> tuple[Seat, ...]:
    """The seats of a position: seat n has the role `seatn`. `winners` is None while the game goes on."""

    def status(seat: int) -> Literal["waiting", "to move", "out", "won", "lost"]:
        if winners is not None:
            return "won" if seat in winners else "lost"
        return "to move" if seat == player else "waiting"

    return tuple(Seat(f"seat{i}", name, scores[i], status(i)) for i, name in enumerate(names))


def mood_of(seat: Seat) -> Mood:
    """The eyes of a seat's snakes."""
    return {"won": "happy", "lost": "shut", "out": "shut"}.get(seat.status, "open")  # type: ignore[return-value]


def names_of(names: tuple[str, ...], seats: int) -> tuple[Text, ...]:
    """What to call the players: their names if they are given, else by seat."""
    return names or tuple(map(Player, range(seats)))


def standing(seats: tuple[Seat, ...]) -> Message:
    """The scores, and who is to move or has won, in one line."""
    scores = tuple(Message("scene.score", who=seat.name, n=seat.score) for seat in seats)
    won = tuple(seat.name for seat in seats if seat.status == "won")
    if won:
        return Message("scene.wins" if len(won) == 1 else "scene.shared", scores=scores, who=won)
    to_move = tuple(seat.name for seat in seats if seat.status == "to move")
    return Message("scene.to_move" if to_move else "scene.scores", scores=scores, who=to_move)


def box_around(panels: Iterable[Panel], margin: float) -> Box:
    """The box that holds them all, with this margin."""
    boxes = [panel.box for panel in panels]
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
    return left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin


# ---- what can be done by pointing

Icon = Literal[
    "reroll",
    "flip",
    "unlock",
    "ignore",
    "go-on",
    "forward",
    "turn-left",
    "turn-right",
    "up",
    "right",
    "down",
    "left",
    "blockade",
    "escape",
    "crash",
    "portal",
    "jump",
    "raise",
    "turn",
    "swap",
]
"""The sign on an action's button."""


@dataclass(frozen=True)
class Target:
    """A legal move as something to point at."""

    move: str
    """Its notation: what is played."""
    places: tuple[str, ...]
    """The ids it touches, in order. Of all moves with the same piece and turn, the n-th places lie alike, so
    any of them can serve as the handle by which the piece is held."""
    piece: str = ""
    """The id of what is taken in hand for it."""
    turn: int = 0
    """Which way the piece lies. Turning steps through the numbers that occur with this piece."""
    via: tuple[str, ...] = ()
    """Further ids that it involves, such as the end of a snake that it comes through a floor from."""
    label: Text = ""
    """What it does, in a few words that distinguish it from other moves on the same places; may be empty where piece,
    turn and places say it all."""
    angle: int = 0
    """Of a piece that covers one place: how far it is turned from how it lies in hand, in degrees clockwise."""
    action: str = ""
    """The id of the action of the prompt that it is made by, once its places are chosen."""
    warning: Text = ""
    """What a player should know before making it, as a sentence; empty if there is nothing to warn of."""
    trace: tuple[Point, ...] = ()
    """The way it takes, as a line on the board that holds its places or what it involves."""


@dataclass(frozen=True)
class Action:
    """Something to do with the things that are chosen, as a button. One without a legal move is shown, but off."""

    id: str
    label: Text
    icon: Icon
    note: Text = ""
    """How much of it is left, in a few words."""
    ask: Text = ""
    """What has to be chosen for it, as a sentence."""
    main: bool = False
    """Whether it is how the turn goes on: at most one of a prompt's actions is."""


@dataclass(frozen=True)
class Prompt:
    """What the player to move is asked to do. A prompt without text asks for a piece and a place."""

    text: Text = ""
    steps: tuple[Text, ...] = ()
    """The steps of a turn, in order, in a word each."""
    step: int = 0
    """Which of them it is."""
    actions: tuple[Action, ...] = ()


_LEFT_OUT: tuple[Any, ...] = (-1, 0, [], "", 0, -1, "", [])
"""What stands for piece, turn, via, label, angle, action, warning and trace of a move where its row ends before
them."""


def targets_to_data(targets: tuple[Target, ...], prompt: Prompt) -> dict[str, Any]:
    """Targets and their prompt in a compact form for JSON: `ids` is a list of ids, and a row of `moves` is
    [move, places, piece, turn, via, label, angle, action, warning, trace], cut where the rest is empty; ids are
    numbers into that list, and an action is its number in the prompt."""
    ids: dict[str, int] = {}
    actions = {action.id: n for n, action in enumerate(prompt.actions)}

    def numbers(names: tuple[str, ...]) -> list[int]:
        return [ids.setdefault(name, len(ids)) for name in names]

    moves = []
    for target in targets:
        piece = numbers((target.piece,))[0] if target.piece else -1
        label, warning = words.to_data(target.label), words.to_data(target.warning)
        row = [target.move, numbers(target.places), piece, target.turn, numbers(target.via), label]
        action = actions[target.action] if target.action else -1
        row += [target.angle, action, warning, _rounded(target.trace)]
        while len(row) > 2 and row[-1] == _LEFT_OUT[len(row) - 3]:
            row.pop()
        moves.append(row)
    return {"version": VERSION, "ids": list(ids), "moves": moves, "prompt": _to_data(prompt)}


def targets_from_data(data: Mapping[str, Any]) -> tuple[tuple[Target, ...], Prompt]:
    """The targets and the prompt that `targets_to_data` wrote."""
    _check_version(data)
    held = dict(data.get("prompt", {}))
    held["actions"] = tuple(
        Action(**{name: _frozen(value) for name, value in action.items()})
        for action in held.get("actions", ())
    )
    prompt = Prompt(**{name: _frozen(value) for name, value in held.items()})
    ids: list[str] = [*data["ids"], ""]
    actions = [*(action.id for action in prompt.actions), ""]
    found = []
    for row in data["moves"]:
        move, places, piece, turn, via, label, angle, action, warning, trace = (
            tuple(row) + _LEFT_OUT[len(row) - 2 :]
        )
        touched, involved = tuple(ids[i] for i in places), tuple(ids[i] for i in via)
        found.append(
            Target(
                move,
                touched,
                ids[piece],
                turn,
                involved,
                _frozen(label),
                angle,
                actions[action],
                _frozen(warning),
                _frozen(trace),
            )
        )
    return tuple(found), prompt


# ---- in words

_Held = TypeVar("_Held")


def worded(held: _Held, language: str = "en", names: Sequence[str] = ()) -> _Held:
    """A scene or a part of one with every message worded in this language. `names` are the players', by seat."""
    return _worded(held, language, names)  # type: ignore[no-any-return]


def _worded(held: Any, language: str, names: Sequence[str]) -> Any:
    if isinstance(held, Message | Player):
        return word(held, language, names)
    if isinstance(held, tuple):
        return tuple(_worded(part, language, names) for part in held)
    if not hasattr(held, "__dataclass_fields__"):
        return held
    changed = {}
    for field in fields(held):
        old = getattr(held, field.name)
        if isinstance(old, Message | Player) or (isinstance(old, tuple) and field.name not in _NUMBERS):
            changed[field.name] = _worded(old, language, names)
    return replace(held, **changed) if changed else held


_NUMBERS = frozenset({"points", "seams", "box", "pitch", "trace"})
"""Fields that hold no text, and may be long."""


# ---- JSON

_KINDS: dict[str, type] = {
    "cell": Cell,
    "path": Path,
    "mark": Mark,
    "label": Label,
    "area": Area,
    "piece": Piece,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def _check_version(data: Mapping[str, Any]) -> None:
    if data.get("version") != VERSION:
        raise ValueError(f"this is version {data.get('version')!r}, and this program reads version {VERSION}")


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        short = round(value, 4)
        return int(short) if short == int(short) else short
    if isinstance(value, Message | Player):
        return words.to_data(value)
    if isinstance(value, tuple):
        return [_rounded(part) for part in value]
    return _to_data(value) if hasattr(value, "__dataclass_fields__") else value


def _to_data(value: Any) -> dict[str, Any]:
    data: dict[str, Any] = {"kind": _NAMES[type(value)]} if type(value) in _NAMES else {}
    for field in fields(value):
        held = getattr(value, field.name)
        if field.default is MISSING or held != field.default or field.name == "version":
            data[field.name] = _rounded(held)
    return data


def to_data(scene: Scene) -> dict[str, Any]:
    """The scene as what JSON can hold. A field that is left out has its default; an item says its kind."""
    return _to_data(scene)


def to_json(scene: Scene) -> str:
    """The scene as JSON, the same to the byte for the same scene."""
    return json.dumps(to_data(scene), ensure_ascii=False, separators=(",", ":"))


def _frozen(value: Any) -> Any:
    if isinstance(value, dict) and ("key" in value or "player" in value):
        return words.from_data(value)
    return tuple(_frozen(part) for part in value) if isinstance(value, list) else value


def _item(data: Mapping[str, Any]) -> Any:
    kind = _KINDS[data["kind"]]
    known = {field.name for field in fields(kind)}
    held = {name: _frozen(value) for name, value in data.items() if name in known}
    if kind is Piece:
        held["items"] = tuple(_item(item) for item in data["items"])
    return kind(**held)


def from_data(data: Mapping[str, Any]) -> Scene:
    """The scene that `to_data` wrote; raises ValueError where it is none. What else an item holds, such as shapes to
    draw it with, is left out."""
    _check_version(data)
    try:
        panels = []
        for panel in data["panels"]:
            held = {name: _frozen(value) for name, value in panel.items() if name != "layers"}
            layers = tuple(
                Layer(layer["name"], tuple(map(_item, layer["items"]))) for layer in panel["layers"]
            )
            panels.append(Panel(**held, layers=layers))
        seats = tuple(
            Seat(**{name: _frozen(value) for name, value in seat.items()}) for seat in data["seats"]
        )
        return Scene(data["game"], _frozen(data["title"]), _frozen(data["box"]), seats, tuple(panels))
    except (KeyError, TypeError) as error:
        raise ValueError(f"this is not a scene: {error}") from None


def from_json(text: str) -> Scene:
    """The scene that `to_json` wrote."""
    return from_data(json.loads(text))
