"""Scenes as text for a terminal: boards on a grid of letters, everything else in words.

Without colours nothing is lost: a seat's snake shows the seat's letter, large at the head, and every seat
draws its lines in a way of its own.
"""

from __future__ import annotations

from itertools import pairwise

from rich.text import Text

from snakeden.drawing.scene import Area, Cell, Item, Label, Mark, Panel, Path, Piece, Point, Scene
from snakeden.drawing.themes import letters, terminal_styles
from snakeden.words import word

_ACROSS, _DOWN = 4, 2
"""Letters between neighbouring columns of a board, and lines between its rows."""

_CELLS = {"cell": "·", "room": "·", "eye": "O", "outside": " ", "start": "□"}
_MARKS = {"dot": "•", "ring": "o", "cross": "x", "star": "*", "block": "#", "hole": "o", "lock": "6"}
_TRACES = {"last": "", "highlight": "X", "candidate": "?"}
_ARROWS = "→↘↓↙←↖↑↗"

# Lines and corners by where they lead: up, right, down, left as bits 1, 2, 4, 8.
_LIGHT = {5: "│", 10: "─", 3: "╰", 6: "╭", 12: "╮", 9: "╯"}
_LINES = {
    "seat0": {5: "┃", 10: "━", 3: "┗", 6: "┏", 12: "┓", 9: "┛"},
    "seat1": {5: "║", 10: "═", 3: "╚", 6: "╔", 12: "╗", 9: "╝"},
    "seat2": {5: "┇", 10: "┅", 3: "┗", 6: "┏", 12: "┓", 9: "┛"},
    "seat3": {5: "╏", 10: "╍", 3: "┕", 6: "┍", 12: "┑", 9: "┙"},
    "seat4": {5: "┃", 10: "━", 3: "┖", 6: "┎", 12: "┒", 9: "┚"},
}
_BIT = {(0, -1): 1, (1, 0): 2, (0, 1): 4, (-1, 0): 8}

_EMPTY = {"room", "outside", "quiet"}
"""Roles of places that may never be part of the board, and of names."""

Spot = tuple[int, int]
"""Column and line."""


class _Canvas:
    """Letters with styles on a grid that grows as it needs to."""

    def __init__(self, panel: Panel) -> None:
        self.pitch = panel.pitch
        cells = [item for layer in panel.layers for item in layer.items if isinstance(item, Cell)]
        self.zero = (min(c.x for c in cells), min(c.y for c in cells))
        self.letters: dict[Spot, tuple[str, str]] = {}
        self.centres = {self.spot((c.x, c.y)) for c in cells}

    def spot(self, point: Point) -> Spot:
        column = (point[0] - self.zero[0]) / self.pitch[0] * _ACROSS
        line = (point[1] - self.zero[1]) / self.pitch[1] * _DOWN
        return (round(column), round(line))

    def put(self, spot: Spot, text: str, role: str) -> None:
        """A text with its first letter here."""
        for i, letter in enumerate(text):
            self.letters[spot[0] + i, spot[1]] = (letter, role)

    def style(self, spot: Spot, role: str) -> None:
        """Another style for what stands here."""
        letter, old = self.letters.get(spot, (" ", role))
        self.letters[spot] = (letter, f"{old} {role}")

    def crop(self, lines: int) -> None:
        """Leave lines out at the top and bottom where nothing stands but empty places, if there are more than
        this many. What is named on a line of its own stays."""
        if not self.letters:
            return
        tall = max(y for _, y in self.letters) - min(y for _, y in self.letters) + 1
        busy = [y for (_, y), (_, roles) in self.letters.items() if not {*roles.split()} <= _EMPTY]
        if tall <= lines or not busy:
            return
        spare = max((lines - (max(busy) - min(busy) + 1)) // 2, 2 * _DOWN)
        top, bottom = min(busy) - spare, max(busy) + spare
        names = {y for _, y in self.letters} - {
            y for (_, y), (_, roles) in self.letters.items() if roles != "quiet"
        }
        under = min((y for y in names if y > bottom), default=None)
        kept = {spot: held for spot, held in self.letters.items() if top <= spot[1] <= bottom}
        if under is not None:
            kept |= {(x, bottom + 1): held for (x, y), held in self.letters.items() if y == under}
        self.letters = kept

    def rows(self) -> list[Text]:
        styles = terminal_styles()
        left, right = min(x for x, _ in self.letters), max(x for x, _ in self.letters)
        top, bottom = min(y for _, y in self.letters), max(y for _, y in self.letters)
        rows = []
        for y in range(top, bottom + 1):
            row = Text()
            for x in range(left, right + 1):
                letter, roles = self.letters.get((x, y), (" ", ""))
                row.append(letter, " ".join(styles[role] for role in roles.split() if role in styles) or None)
            rows.append(row)
        return rows


def _steps(a: Spot, b: Spot) -> list[Spot]:
    """The spots from one to the other, each beside the one before; long ways first."""
    at, found = a, [a]
    while at != b:
        dx, dy = b[0] - at[0], b[1] - at[1]
        # Across by two letters is as far as down by one line.
        if abs(dx) > 2 * abs(dy) or dy == 0 or (abs(dx) == 2 * abs(dy) and len(found) % 2):
            at = (at[0] + (1 if dx > 0 else -1), at[1])
        else:
            at = (at[0], at[1] + (1 if dy > 0 else -1))
        found.append(at)
    return found


def _body(canvas: _Canvas, path: Path) -> None:
    spots = [canvas.spot(point) for point in path.points]
    letter = letters().get(path.role, "o")
    lines = _LINES.get(path.role, _LIGHT)
    around = [*spots, spots[0]] if path.closed else spots
    for a, b in pairwise(around):
        dx, dy = b[0] - a[0], b[1] - a[1]
        if abs(dx) == 2 and abs(dy) == 2:
            canvas.put((a[0] + dx // 2, a[1] + dy // 2), "╲" if dx == dy else "╱", path.role)
            continue
        way = _steps(a, b)
        for before, at, after in zip(way, way[1:], way[2:], strict=False):
            _corner(canvas, lines, before, at, after, path.role)
    for before, at, after in zip(around, around[1:], around[2:], strict=False):
        if at not in canvas.centres:
            _corner(canvas, lines, _steps(before, at)[-2], at, _steps(at, after)[1], path.role)
    for spot in spots:
        if spot in canvas.centres:
            canvas.put(spot, letter.lower(), path.role)
    for cap, spot in ((path.start, spots[0]), (path.end, spots[-1])):
        if cap == "head":
            canvas.put(spot, letter, path.role)
        elif cap == "tail":
            canvas.put(spot, letter.lower(), path.role)
        elif spot not in canvas.centres and len(spots) > 1:
            other = spots[1] if spot == spots[0] else spots[-2]
            step = _steps(spot, other)[1]
            bit = _BIT[step[0] - spot[0], step[1] - spot[1]]
            canvas.put(spot, lines[5 if bit in (1, 4) else 10], path.role)


def _corner(canvas: _Canvas, lines: dict[int, str], before: Spot, at: Spot, after: Spot, role: str) -> None:
    bits = _BIT[before[0] - at[0], before[1] - at[1]] | _BIT[after[0] - at[0], after[1] - at[1]]
    canvas.put(at, lines[bits], role)


def _draw(canvas: _Canvas, item: Item) -> None:
    if isinstance(item, Cell):
        spot = canvas.spot((item.x, item.y))
        if canvas.pitch[0] < item.size and item.role not in _CELLS:
            # There is room for the corners of a card.
            half = item.size / 2
            for corner in ((-half, -half), (-half, half), (half, -half), (half, half)):
                canvas.put(canvas.spot((item.x + corner[0], item.y + corner[1])), "+", item.role)
        canvas.put(spot, _CELLS.get(item.role, " "), item.role)
    elif isinstance(item, Path | Area) and item.role in _TRACES:
        spots = [canvas.spot(point) for point in item.points]
        if isinstance(item, Area):
            xs, ys = [x for x, _ in item.points], [y for _, y in item.points]
            spots = [canvas.spot(((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2))]
        for spot in spots:
            if item.role == "last":
                canvas.style(spot, item.role)
            else:
                canvas.put(spot, _TRACES[item.role], item.role)
    elif isinstance(item, Path):
        _body(canvas, item)
    elif isinstance(item, Mark):
        arrow = _ARROWS[round(item.angle / 45) % 8]
        canvas.put(canvas.spot((item.x, item.y)), item.text or _MARKS.get(item.shape, arrow), item.role)
    elif isinstance(item, Label):
        column, line = canvas.spot((item.x, item.y))
        text = word(item.text)
        shift = {"start": 0, "middle": len(text) // 2, "end": len(text) - 1}[item.anchor]
        role = "quiet" if item.role.startswith("tray-") else item.role
        canvas.put((column - shift, line), text, role)
    elif isinstance(item, Piece):
        for part in item.items:
            _draw(canvas, part)


def _names(canvas: _Canvas, panel: Panel) -> None:
    """The names of the first and last cell of every row, beside it."""
    rows: dict[int, list[Cell]] = {}
    for layer in panel.layers:
        for item in layer.items:
            if isinstance(item, Cell) and item.label:
                rows.setdefault(canvas.spot((item.x, item.y))[1], []).append(item)
    for line, cells in rows.items():
        first, last = min(cells, key=lambda c: c.x), max(cells, key=lambda c: c.x)
        canvas.put((canvas.spot((first.x, first.y))[0] - 2 - len(first.label), line), first.label, "quiet")
        canvas.put((canvas.spot((last.x, last.y))[0] + 3, line), last.label, "quiet")


def board_rows(panel: Panel, height: int | None = None) -> list[Text]:
    """A board, line by line; of at most this many lines, if that can be done by leaving empty places out."""
    canvas = _Canvas(panel)
    for layer in panel.layers:
        if layer.name != "ground":
            for item in layer.items:
                _draw(canvas, item)
    _names(canvas, panel)
    if height is not None:
        canvas.crop(height)
    return canvas.rows()


def _beside(blocks: list[list[Text]], gap: int) -> list[Text]:
    """Blocks of lines side by side."""
    widths = [max((row.cell_len for row in block), default=0) for block in blocks]
    rows = []
    for y in range(max(len(block) for block in blocks)):
        row = Text()
        for block, width in zip(blocks, widths, strict=True):
            held = block[y] if y < len(block) else Text()
            row += held + Text(" " * (width - held.cell_len + gap))
        row.rstrip()
        rows.append(row)
    return rows


def text(scene: Scene, width: int = 100, height: int | None = None) -> Text:
    """The scene for a terminal of this many columns: boards side by side where they fit, the rest below. Of a
    board that is higher than `height` lines, empty outer places are left out."""
    styles = terminal_styles()
    boards = [panel for panel in scene.panels if panel.kind == "board"]
    lines: list[Text] = []
    row: list[list[Text]] = []
    for panel in boards:
        block = board_rows(panel, height)
        if len(boards) > 1:
            block = [Text(word(panel.title), "bold"), *block]
        block_width = max(line.cell_len for line in block)
        used = sum(max(line.cell_len for line in held) + 4 for held in row)
        if row and used + block_width > width:
            lines += [*_beside(row, 4), Text()]
            row = []
        row.append(block)
    lines += _beside(row, 4)
    for panel in scene.panels:
        if panel.kind != "board" and panel.lines:
            lines.append(Text())
            role = panel.role if panel.role in styles else "ink"
            sign = f"{letters()[panel.role]} " if panel.role in letters() else ""
            lines.append(Text(sign + word(panel.lines[0]), f"bold {styles[role]}"))
            lines += [Text("  " + word(line)) for line in panel.lines[1:]]
    lines += [Text(), Text(word(scene.title))]
    return Text("\n").join(lines)
