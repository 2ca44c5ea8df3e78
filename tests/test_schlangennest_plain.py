"""Schlangennest once more, plainly and slowly, by the letter of the rules: every question is answered by
finding all strands on the table anew. The kernels, which keep the snakes' ends and walk the rest, must agree
with it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import snakeden
from snakeden.stored import stored_games

DATA = Path(__file__).parent / "data" / "schlangennest.jsonl"

Square = tuple[int, int]
Card = tuple[str, int, str]
"""Kind (F for a frame card), colour, and the sides that its coloured part touches (a frame card's only
part)."""

STEP = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
OPPOSITE = {"N": "S", "S": "N", "E": "W", "W": "E"}
WAYS = {
    "S": ("EW", "NS"),
    "C": ("NE", "SE", "SW", "NW"),
    "T": ("N", "E", "S", "W"),
    "H": ("N", "E", "S", "W"),
}
NESTS = {
    "easy": {2: (6, 6), 3: (7, 7), 4: (8, 8)},
    "recommended": {2: (7, 5), 3: (8, 6), 4: (9, 7)},
    "hard": {2: (8, 4), 3: (10, 4), 4: (11, 5)},
}


def beside(square: Square, side: str) -> Square:
    return square[0] + STEP[side][0], square[1] + STEP[side][1]


def toward(a: Square, b: Square) -> str:
    return next(side for side in STEP if beside(a, side) == b)


def curve_or_straight(sides: str) -> tuple[str, str]:
    return next((kind, way) for kind in "SC" for way in WAYS[kind] if set(way) == set(sides))


def parts(card: Card) -> list[tuple[str, int | None]]:
    """The sides each part touches and its colour."""
    kind, colour, way = card
    if kind == "F":
        return [(way, None)]
    rest = "".join(side for side in STEP if side not in way)
    if kind in "SC":
        return [(way, colour), (rest, None)]
    return [(way, colour), (OPPOSITE[way], None), (rest.replace(OPPOSITE[way], ""), None)]


@dataclass
class Strand:
    parts: int = 0
    colours: set[int] = field(default_factory=set)
    reaches: list[tuple[Square, str]] = field(default_factory=list)
    """Its open ends: the free square and the side of it they come in by."""
    closed: int = 0
    """Heads, tails and sides closed by the frame."""

    @property
    def ring(self) -> bool:
        return not self.reaches and not self.closed


def strands(cards: dict[Square, Card]) -> list[Strand]:
    """Every strand on the table."""
    at = {
        (square, side): (square, number)
        for square, card in cards.items()
        for number, (sides, _) in enumerate(parts(card))
        for side in sides
    }
    found, seen = [], set()
    for start in at.values():
        if start in seen:
            continue
        seen.add(start)
        strand, waiting = Strand(), [start]
        while waiting:
            square, number = waiting.pop()
            sides, colour = parts(cards[square])[number]
            strand.parts += 1
            strand.colours |= {colour} if colour is not None else set()
            strand.closed += len(sides) == 1
            for side in sides:
                near, facing = beside(square, side), OPPOSITE[side]
                if near not in cards:
                    strand.reaches.append((near, facing))
                elif (near, facing) not in at:
                    strand.closed += 1
                elif at[near, facing] not in seen:
                    seen.add(at[near, facing])
                    waiting.append(at[near, facing])
        found.append(strand)
    return found


class Plain:
    """A game in progress."""

    def __init__(
        self,
        players: int = 2,
        nest: str = "recommended",
        border: str = "floating",
        tail_first: bool = False,
        snakes: int = 1,
        cards_per_turn: int = 2,
    ) -> None:
        self.players, self.border, self.snakes = players, border, snakes
        self.tail_first = tail_first or snakes == 2
        self.per_turn = cards_per_turn if snakes == 2 else 1
        self.colours = range(players * snakes)
        size = NESTS[nest][len(self.colours)] if nest in NESTS else tuple(map(int, nest.split("x")))
        self.long, self.short = max(size), min(size)
        self.cards: dict[Square, Card] = {}
        if border == "fence":
            self.lay_fence()
        if border == "frame":
            self.lay_frame()
        self.fixed = border in ("fence", "frame")
        self.supply = [{"S": 7, "C": 9, "T": 1, "H": 1} for _ in self.colours]
        self.laid: set[int] = set()
        self.finished_rings: set[int] = set()
        self.seat: int | None = 0
        self.pending = self.own(0)

    def own(self, seat: int) -> set[int]:
        return {colour for colour in self.colours if colour % self.players == seat}

    def lay_fence(self) -> None:
        climbs = (self.long + self.short - 10) // 2
        path: list[Square] = []
        row = 0
        for column in range(self.long):
            path.append((column, row))
            for j in range(1, climbs + 1):
                if column == j * self.long // (climbs + 1):
                    top = j * (self.short - 1) // climbs
                    path += [(column, y) for y in range(row + 1, top + 1)]
                    row = top
        colour = len(self.colours)
        self.cards[path[0]] = ("T", colour, toward(path[0], path[1]))
        self.cards[path[-1]] = ("H", colour, toward(path[-1], path[-2]))
        for before, square, after in zip(path, path[1:], path[2:], strict=False):
            kind, way = curve_or_straight(toward(square, before) + toward(square, after))
            self.cards[square] = (kind, colour, way)

    def lay_frame(self) -> None:
        w, h = self.long, self.short
        left, top = [(-1, y) for y in range(h)], [(x, h) for x in range(w)]
        right, bottom = [(w, y) for y in range(h)][::-1], [(x, -1) for x in range(w)][::-1]
        pairs = [
            (inwards, squares[i], squares[i + 1])
            for inwards, squares in (("E", left), ("S", top), ("W", right), ("N", bottom))
            for i in range(0, len(squares) - 1, 2)
        ]
        for inwards, one, other in pairs[:9]:
            self.cards[one] = ("F", -1, curve_or_straight(inwards + toward(one, other))[1])
            self.cards[other] = ("F", -1, curve_or_straight(inwards + toward(other, one))[1])

    def snakes_of(self, found: list[Strand]) -> dict[int, Strand]:
        return {colour: strand for strand in found for colour in strand.colours if colour in self.colours}

    # -- what a move may not do

    def fits(self, kind: str, square: Square, first: bool) -> bool:
        if self.border == "none" or (kind in "TH" and not (first and self.fixed)):
            return True
        if self.fixed:
            return 0 <= square[0] < self.long and 0 <= square[1] < self.short
        extent = [place for place, card in self.cards.items() if card[0] in "SC"] + [square]
        wide, high = (
            max(place[i] for place in extent) - min(place[i] for place in extent) + 1 for i in (0, 1)
        )
        return min(wide, high) <= self.short and max(wide, high) <= self.long

    def at_a_corner(self, snakes: dict[int, Strand], square: Square) -> list[int]:
        """The snakes that come to this square with both ends, on neighbouring sides."""
        return [
            colour
            for colour, strand in snakes.items()
            if [place for place, _ in strand.reaches] == [square, square]
            and OPPOSITE[strand.reaches[0][1]] != strand.reaches[1][1]
        ]

    def crowds(self, after: dict[int, Strand], supply: list[dict[str, int]]) -> bool:
        assert self.seat is not None
        reached: dict[Square, set[int]] = {}
        for colour, strand in after.items():
            for square, _ in strand.reaches:
                reached.setdefault(square, set()).add(colour)
        before = self.snakes_of(strands(self.cards))
        for square, colours in reached.items():
            if len(colours) >= 3:
                return True
            for side in "NE":
                if len(colours | reached.get(beside(square, side), set())) == 4:
                    return True
            both = self.at_a_corner(after, square)
            if len(both) == 2 and set(both) != set(self.at_a_corner(before, square)):
                first = min(both, key=lambda colour: (colour - self.seat - 1) % self.players)  # type: ignore[operator]
                if supply[first]["C"] == 0:
                    return True
        return False

    def allowed(self, colour: int, square: Square, card: Card, spends: str) -> Strand | None:
        """The mover's snake after the table has changed so, or None if two colours are joined or a square
        crowded."""
        found = strands({**self.cards, square: card})
        if any(len(strand.colours) > 1 for strand in found):
            return None
        supply = [dict(kinds) for kinds in self.supply]
        if spends:
            supply[colour][spends] -= 1
        snakes = self.snakes_of(found)
        return None if self.crowds(snakes, supply) else snakes[colour]

    # -- the moves

    def moves_of(self, colour: int) -> Iterator[str]:
        if colour not in self.laid:
            yield from self.first_cards(colour)
            return
        snake = self.snakes_of(strands(self.cards))[colour]
        if snake.ring:
            if colour not in self.finished_rings:
                yield from list(self.turns(colour)) or self.swaps(colour)
            return
        for kind, ways in WAYS.items():
            for square in {square for square, _ in snake.reaches}:
                for way in ways:
                    meets = any(place == square and side in way for place, side in snake.reaches)
                    possible = self.supply[colour][kind] and meets and self.fits(kind, square, False)
                    if possible and self.allowed(colour, square, (kind, colour, way), kind):
                        yield self.text(colour, kind, square, way)

    def first_cards(self, colour: int) -> Iterator[str]:
        near = {(x + dx, y + dy) for x, y in self.cards for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        squares = near - set(self.cards)
        if not self.laid and self.border == "frame":
            squares = {(x, y) for x in range(self.long) for y in range(self.short)}
        if not self.cards:
            squares = {(0, 0)}
        for kind in "T" if self.tail_first else "SCTH":
            for square in squares:
                for way in WAYS[kind]:
                    if self.fits(kind, square, True) and self.allowed(
                        colour, square, (kind, colour, way), kind
                    ):
                        yield self.text(colour, kind, square, way)

    def turns(self, colour: int) -> Iterator[str]:
        for square, (kind, owner, way) in self.cards.items():
            if (kind, owner) == ("C", colour):
                for turned in WAYS["C"]:
                    if len(set(way) & set(turned)) == 1:
                        snake = self.allowed(colour, square, ("C", colour, turned), "")
                        if snake and snake.reaches:
                            yield self.text(colour, "turn", square, turned)

    def swaps(self, colour: int) -> Iterator[str]:
        for square, (kind, owner, way) in self.cards.items():
            if (kind, owner) == ("S", colour) and self.supply[colour]["T"]:
                for side in way:
                    if self.allowed(colour, square, ("T", colour, side), "T"):
                        yield self.text(colour, "swap", square, side)

    def text(self, colour: int, what: str, square: Square, way: str) -> str:
        prefix = f"{colour}:" if self.snakes == 2 else ""
        return f"{prefix}{what}({square[0]},{square[1]}){way}"

    def moves(self) -> set[str]:
        """The legal moves, after passing over who cannot move."""
        asked = 0
        while self.seat is not None:
            now = self.pending - self.laid or self.pending
            found = {move for colour in now for move in self.moves_of(colour)}
            if found:
                return found
            snakes = self.snakes_of(strands(self.cards))
            self.finished_rings |= {colour for colour in self.pending & set(snakes) if snakes[colour].ring}
            self.next_seat()
            asked += 1
            if asked > self.players:
                self.seat = None
        return set()

    def next_seat(self) -> None:
        assert self.seat is not None
        self.seat = (self.seat + 1) % self.players
        self.pending = self.own(self.seat)

    def play(self, move: str) -> None:
        read = re.fullmatch(r"(?:(\d):)?(\w+)\((-?\d+),(-?\d+)\)(\w+)", move)
        assert read is not None
        assert self.seat is not None
        colour = int(read[1] or self.seat)
        what, square, way = read[2], (int(read[3]), int(read[4])), read[5]
        kind = {"turn": "C", "swap": "T"}.get(what, what)
        opening_card = not self.laid
        self.cards[square] = (kind, colour, way)
        self.laid.add(colour)
        if what != "turn":
            self.supply[colour][kind] -= 1
        self.pending = self.pending - {colour}
        if self.per_turn == 1 or opening_card or not self.pending:
            self.next_seat()

    def scores(self) -> list[int]:
        snakes = self.snakes_of(strands(self.cards))
        return [sum(snakes[c].parts for c in self.own(seat) & set(snakes)) for seat in range(self.players)]


# ---- the kernels agree


VARIANTS: list[dict[str, Any]] = [
    {},
    {"nest": "3x3"},
    {"nest": "12x3", "players": 3},
    {"nest": "hard", "players": 4},
    {"nest": "3x4", "players": 4, "tail_first": True},
    {"border": "none"},
    {"border": "none", "players": 3},
    {"border": "fence"},
    {"border": "fence", "players": 3, "nest": "easy"},
    {"border": "fence", "nest": "3x11", "tail_first": True},
    {"border": "frame"},
    {"border": "frame", "nest": "5x3"},
    {"snakes": 2},
    {"snakes": 2, "nest": "4x4", "cards_per_turn": 1},
    {"snakes": 2, "border": "none", "cards_per_turn": 1},
]


def assert_same(plain: Plain, state: snakeden.State) -> None:
    assert {str(move) for move in state.legal_moves()} == plain.moves()
    assert state.player == plain.seat
    assert list(state.scores()) == plain.scores()


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_random_games_are_the_same_by_the_letter_of_the_rules(options: dict[str, Any]) -> None:
    dice = random.Random(str(options))
    for _ in range(3):
        plain, state = Plain(**options), snakeden.new_game("schlangennest", **options)
        assert_same(plain, state)
        while not state.is_over:
            moves = [str(move) for move in state.legal_moves()]
            # Heads and tails end games early: they are seldom chosen.
            growing = [move for move in moves if "T(" not in move and "H(" not in move]
            move = dice.choice(growing if growing and dice.random() < 0.9 else moves)
            state = state.play(move)
            plain.play(move)
            assert_same(plain, state)


def test_stored_games_with_rings_are_the_same_by_the_letter_of_the_rules() -> None:
    """Random games seldom make rings; some stored ones do."""
    opened = {"turn": 0, "swap": 0}
    for _, game in stored_games(DATA):
        moves = [ply["move"] for ply in game["plies"]]
        if not any(move.startswith("swap") for move in moves):
            continue
        plain, state = Plain(**game["options"]), snakeden.new_game("schlangennest", **game["options"])
        for move in moves:
            if move[:4] in opened:
                opened[move[:4]] += 1
                assert_same(plain, state)
            else:
                plain.moves()
            state = state.play(move)
            plain.play(move)
        assert_same(plain, state)
    assert opened["turn"] > 5
    assert opened["swap"] > 5
