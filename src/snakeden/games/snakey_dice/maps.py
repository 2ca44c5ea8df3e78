"""Maps: small text files that say what stands on the board before anything is rolled.

A file's lines, in this order:

| line             | meaning                                                                          |
| ---------------- | -------------------------------------------------------------------------------- |
| `; …`, empty     | nothing; allowed anywhere                                                        |
| `blockades 6`    | how many blockades are rolled at the set-up (0 if the line is missing)           |
| `power-ups 6`    | how many power-ups are rolled after them (0 if the line is missing)              |
| 11 or 16 rows    | as many squares: `.` empty, `+` power-up, `#` blockade, `S` start; blanks do not |
|                  | count. 11 rows make a board of 2–12 by 2–12, 16 rows one of 3–18 by 3–18.        |

The same map in one line, `6,6:S....+....S/…`, is what records keep: the two numbers, then the rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from snakeden.core.errors import MessageError
from snakeden.words import Message, Text

EMPTY, POWER_UP, BLOCKADE, START = ".", "+", "#", "S"
MAPS = ("original", "pinwheel", "diy", "fishy", "diy-xl")
"""The maps of the duel that come with the game; a file of each lies in `boards`."""
SOLO = "solo"
"""The solo edition's board, in the same folder."""
INLINE = r"\d{1,3},\d{1,3}:[^\s/]+(?:/[^\s/]+)+|[^\n]{0,10000}\n[\s\S]{0,10000}"
"""What a map in one line looks like, or the text of a map file, which has several."""

_DICE_BY_SIDE = {11: 2, 16: 3}
_LONGEST_FILE = 10_000
_ROLLED = ("blockades", "power-ups")

Square = tuple[int, int]
"""Column and row, counted from 0."""


@dataclass(frozen=True)
class Map:
    """A board before the set-up rolls."""

    rows: tuple[str, ...]
    """One text a row, one character a square."""
    blockades: int
    """How many blockades are rolled at the set-up."""
    power_ups: int
    """How many power-ups are rolled after them."""

    @property
    def side(self) -> int:
        return len(self.rows)

    @property
    def dice(self) -> int:
        """How many dice a column or a row is rolled with; also the number of the first column and row."""
        return _DICE_BY_SIDE[self.side]

    def squares(self, kind: str) -> list[Square]:
        """The squares that hold this, row by row."""
        return [(x, y) for y, row in enumerate(self.rows) for x, held in enumerate(row) if held == kind]

    def kept_clear(self) -> set[Square]:
        """Where nothing is rolled at a duel's set-up: the starts and the squares sharing an edge with one."""
        clear = set()
        for x, y in self.squares(START):
            clear |= {(x, y), (x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)}
        return {(x, y) for x, y in clear if 0 <= x < self.side and 0 <= y < self.side}

    def text(self) -> str:
        """The map as the text of a file."""
        return "\n".join([f"blockades {self.blockades}", f"power-ups {self.power_ups}", *self.rows])

    def inline(self) -> str:
        """The map in one line without blanks."""
        return f"{self.blockades},{self.power_ups}:{'/'.join(self.rows)}"


class MapError(MessageError):
    """A text that is no map: the line or row, and the reason."""

    def __init__(self, place: Text, reason: Message) -> None:
        super().__init__(Message("map.at", place=place, reason=reason))

    def __reduce__(self) -> tuple[type[MessageError], tuple[Text]]:
        return MessageError, (self.message,)


def _checked(rows: list[tuple[Message, str]], blockades: int, power_ups: int) -> Map:
    """The map of these (place for error messages, row); raises MapError."""
    side = len(rows)
    if side not in _DICE_BY_SIDE:
        last = rows[-1][0] if rows else Message("map.end")
        raise MapError(last, Message("map.rows", n=side))
    for place, row in rows:
        if len(row) != side:
            raise MapError(place, Message("map.row_length", n=len(row), rows=side))
        for held in row:
            if held not in (EMPTY, POWER_UP, BLOCKADE, START):
                raise MapError(place, Message("map.no_square", held=repr(held)))
    found = Map(tuple(row for _, row in rows), blockades, power_ups)
    if not found.squares(START):
        raise MapError(rows[-1][0], Message("map.no_start"))
    clear = found.kept_clear()
    room = sum(square not in clear for square in found.squares(EMPTY))
    if blockades + power_ups > room:
        raise MapError(rows[-1][0], Message("map.no_room", blockades=blockades, ups=power_ups, room=room))
    return found


def read_map(lines: Iterable[str]) -> Map:
    """The map that a file's lines describe; raises MapError."""
    rolled: dict[str, int] = {}
    rows: list[tuple[Message, str]] = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith(";"):
            continue
        name, _, value = text.partition(" ")
        line_place = Message("map.line", n=number)
        if name in _ROLLED:
            if name in rolled:
                raise MapError(line_place, Message("map.twice", name=name))
            if rows:
                raise MapError(line_place, Message("map.too_late", name=name))
            if not (value.strip().isascii() and value.strip().isdigit() and len(value.strip()) <= 3):
                raise MapError(line_place, Message("map.no_number", name=name))
            rolled[name] = int(value)
        else:
            rows.append((line_place, "".join(text.split())))
    return _checked(rows, rolled.get("blockades", 0), rolled.get("power-ups", 0))


def read_inline(text: str) -> Map:
    """The map that this line describes; raises MapError."""
    numbers, _, squares = text.partition(":")
    blockades, power_ups = map(int, numbers.split(","))
    rows = [(Message("map.row", n=i), row) for i, row in enumerate(squares.split("/"), 1)]
    return _checked(rows, blockades, power_ups)


def canonical(text: str) -> str:
    """A map in one line, or the text of a map file: in one line, checked."""
    return (read_map(text.splitlines()) if "\n" in text else read_inline(text)).inline()


def from_file(path: str) -> str:
    """The map of this file in one line; raises MapError or OSError."""
    with Path(path).open(encoding="utf-8", errors="replace") as file:
        text = file.read(_LONGEST_FILE + 1)
    if len(text) > _LONGEST_FILE:
        raise MapError(Message("map.line", n=text.count("\n") + 1), Message("map.too_long"))
    return read_map(text.splitlines()).inline()


@lru_cache(64)
def find_map(name: str) -> Map:
    """The map that comes with the game by this name, or the one of this line."""
    if name in MAPS or name == SOLO:
        return read_map(
            (files(__package__) / "boards" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        )
    return read_inline(name)
