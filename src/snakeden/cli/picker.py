"""Choosing a move with the arrow keys: take a piece, turn it, and push it over the board.

Knows no rules: it walks among the targets that the game's view gives.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point as Spot
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import HSplit, Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.output import Output

from snakeden.core.state import State
from snakeden.drawing.scene import Cell, Point, Scene, Target

KEYS = "arrows: place   r: turn   p/Tab: next piece   n: other move there   Enter: play   Esc: back"
_ARROWS: dict[str, Point] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def _centres(scene: Scene) -> dict[str, Point]:
    """Where the cells of all boards are."""
    return {
        item.id: (item.x, item.y)
        for panel in scene.panels
        if panel.kind == "board"
        for layer in panel.layers
        for item in layer.items
        if isinstance(item, Cell) and item.id
    }


class Picker:
    """A choice among the targets of a position. At any time one of them is pointed at."""

    def __init__(self, targets: tuple[Target, ...], scene: Scene) -> None:
        self._all = targets
        self._centres = _centres(scene)
        self.chosen = self._start()

    def _start(self) -> Target:
        """The move nearest to the middle of all."""
        placed = [target for target in self._all if self._at(target) is not None]
        if not placed:
            return self._all[0]
        points = [self._at(target) for target in placed]
        x = sum(p[0] for p in points if p) / len(points)
        y = sum(p[1] for p in points if p) / len(points)
        return min(placed, key=lambda target: self._away(target, (x, y)))

    def _at(self, target: Target) -> Point | None:
        """The middle of the cells that a move touches; None if it touches none."""
        points = [self._centres[name] for name in target.places if name in self._centres]
        if not points:
            return None
        return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)

    def _away(self, target: Target, point: Point) -> float:
        at = self._at(target)
        return inf if at is None else (at[0] - point[0]) ** 2 + (at[1] - point[1]) ** 2

    def _nearest(self, among: list[Target]) -> None:
        """Point at the one of these that is nearest to what is pointed at now."""
        at = self._at(self.chosen)
        self.chosen = among[0] if at is None else min(among, key=lambda target: self._away(target, at))

    def alike(self) -> list[Target]:
        """The moves with the same piece, lying the same way."""
        held = (self.chosen.piece, self.chosen.turn)
        return [target for target in self._all if (target.piece, target.turn) == held]

    def push(self, way: Point) -> None:
        """Go to the next place in a direction; where moves have no places, to the next or previous move."""
        at = self._at(self.chosen)
        if at is None:
            step = 1 if way[0] + way[1] > 0 else -1
            self.chosen = self._all[(self._all.index(self.chosen) + step) % len(self._all)]
            return
        best, found = inf, self.chosen
        for target in self.alike():
            point = self._at(target)
            if point is None:
                continue
            dx, dy = point[0] - at[0], point[1] - at[1]
            along, across = dx * way[0] + dy * way[1], abs(dx * way[1]) + abs(dy * way[0])
            # Straight ahead is better than near: a step aside costs twice.
            if along > 0.1 and across <= 2 * along and along + 2 * across < best:
                best, found = along + 2 * across, target
        self.chosen = found

    def turn(self, back: bool = False) -> None:
        """Turn the piece to the next way in which it can be laid somewhere."""
        turns = sorted({target.turn for target in self._all if target.piece == self.chosen.piece})
        turn = turns[(turns.index(self.chosen.turn) + (-1 if back else 1)) % len(turns)]
        self._nearest([t for t in self._all if t.piece == self.chosen.piece and t.turn == turn])

    def next_piece(self) -> None:
        pieces = list(dict.fromkeys(target.piece for target in self._all))
        piece = pieces[(pieces.index(self.chosen.piece) + 1) % len(pieces)]
        self._nearest([target for target in self._all if target.piece == piece])

    def other(self) -> None:
        """Another move with the same piece on the same places, if there is one."""
        same = [t for t in self._all if t.places == self.chosen.places and t.piece == self.chosen.piece]
        self.chosen = same[(same.index(self.chosen) + 1) % len(same)]


def pick(
    state: State,
    draw: Callable[[Scene], str],
    names: tuple[str, ...],
    input: Input | None = None,
    output: Output | None = None,
) -> str | None:
    """Let a move be chosen on a full screen; its notation, or None. `draw` makes a scene a coloured text."""
    view = state.variant.game.view
    targets: tuple[Target, ...] = view.move_targets(state)
    if not targets:
        return None
    picker = Picker(targets, view.scene(state, names=names))
    keys = KeyBindings()

    def shown() -> str:
        return draw(view.scene(state, highlight=picker.chosen.move, names=names))

    def cursor() -> Spot:
        # The window scrolls so that the move pointed at can be seen.
        for y, line in enumerate(_plain(shown()).splitlines()):
            if "X" in line:
                return Spot(x=line.index("X"), y=y)
        return Spot(0, 0)

    def status() -> str:
        chosen = picker.chosen
        piece = chosen.piece.rpartition("/")[2]
        held = f"{piece}  " if piece else ""
        return f"{held}{chosen.move}  {chosen.label}\n{KEYS}"

    for key, way in _ARROWS.items():
        keys.add(key)(lambda event, way=way: picker.push(way))
    keys.add("r")(lambda event: picker.turn())
    keys.add("R")(lambda event: picker.turn(back=True))
    keys.add("p")(lambda event: picker.next_piece())
    keys.add("tab")(lambda event: picker.next_piece())
    keys.add("n")(lambda event: picker.other())

    @keys.add("enter")
    def _(event: KeyPressEvent) -> None:
        event.app.exit(result=picker.chosen.move)

    @keys.add("escape", eager=True)
    @keys.add("q")
    @keys.add("c-c")
    def _(event: KeyPressEvent) -> None:
        event.app.exit(result=None)

    board = Window(
        FormattedTextControl(
            lambda: ANSI(shown()), get_cursor_position=cursor, show_cursor=False, focusable=True
        )
    )
    bar = Window(FormattedTextControl(status), height=2, style="reverse")
    application: Application[str | None] = Application(
        Layout(HSplit([board, bar])), key_bindings=keys, full_screen=True, input=input, output=output
    )
    return application.run()


def _plain(coloured: str) -> str:
    return "".join(fragment[1] for fragment in ANSI(coloured).__pt_formatted_text__())
