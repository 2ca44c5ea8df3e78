"""Snekagon and 5G against a second, plain reading of the rules: cells in a dictionary, every condition spelled out."""

from __future__ import annotations

import random
from typing import Any

import pytest

import snakeden
from snakeden.core.hexgrid import DIRECTIONS, hex_board
from snakeden.games.snekagon import SNAKE_TILES
from snakeden.games.snekagon.tiles import BASIC, TILES, eye_cells, placements

Cell = tuple[int, int]
"""(floor, index of the cell on the board)"""


class Plain:
    """A game as a person would keep it: who lies where, what is drilled, which tiles are left."""

    def __init__(self, **options: Any) -> None:
        self.flat = "players" not in options
        self.board = hex_board(options.get("side", 6))
        self.seats = options.get("players", 2)
        self.floors = 1 if self.flat else self.seats
        self.advanced = options.get("advanced", False)
        holes = eye_cells(self.board.side) if not self.flat and options.get("eyes", True) else frozenset()
        self.places = placements(self.board.side, BASIC if self.flat else TILES, holes)
        basic = [set(BASIC) for _ in range(self.seats)]
        if self.flat and not options.get("second_single"):
            basic[1].discard("1")
        snakes = options.get("snakes") or list(SNAKE_TILES)
        self.hands = (
            basic if self.flat else [basic[i] | set(SNAKE_TILES[snakes[i]]) for i in range(self.seats)]
        )
        self.owner: dict[Cell, int] = {}
        self.links: set[frozenset[Cell]] = set()
        self.moved = False

    def beside(self, cell: Cell) -> list[tuple[int, Cell]]:
        x, y = self.board.cells[cell[1]]
        steps = ((way, (x + dx, y + dy)) for way, (dx, dy) in enumerate(DIRECTIONS))
        return [(way, (cell[0], self.board.rank[place])) for way, place in steps if place in self.board.rank]

    def adjacent_floors(self, floor: int) -> set[int]:
        return {(floor + 1) % self.floors, (floor - 1) % self.floors} - {floor}

    def own_beside(self, cell: Cell, own: set[Cell]) -> list[tuple[int, Cell]]:
        return [(way, other) for way, other in self.beside(cell) if other in own]

    def through(self, cell: Cell, links: set[frozenset[Cell]]) -> list[Cell]:
        return [next(iter(link - {cell})) for link in links if cell in link]

    def snakes_hold(self, own: set[Cell], links: set[frozenset[Cell]], around: set[Cell]) -> bool:
        for cell in around:
            flat = self.own_beside(cell, own)
            if len(flat) + len(self.through(cell, links)) > 2:
                return False
            if len(flat) == 2 and flat[1][1] in {other for _, other in self.own_beside(flat[0][1], own)}:
                return False
        return not self.advanced or all(self.heading_kept(cell, own, links) for cell in around)

    def heading_kept(self, cell: Cell, own: set[Cell], links: set[frozenset[Cell]]) -> bool:
        column, rest = {cell}, [cell]
        while rest:
            for other in self.through(rest.pop(), links):
                if other not in column:
                    column.add(other)
                    rest.append(other)
        if len(column) == 1:
            return True
        steps = [way for one in column for way, _ in self.own_beside(one, own)]
        return len(steps) < 2 or (steps[0] - steps[1]) % 6 in (2, 3, 4)

    def moves(self, seat: int) -> set[str]:
        own = {cell for cell, who in self.owner.items() if who == seat}
        ends = {
            cell for cell in own if len(self.own_beside(cell, own)) + len(self.through(cell, self.links)) <= 1
        }
        found = set()
        for floor in range(self.floors):
            for place in self.places:
                code = (BASIC if self.flat else TILES)[place.tile]
                forced = self.flat and not self.moved and code != "1"
                cells = [(floor, cell) for cell in place.path]
                if code not in self.hands[seat] or forced or any(cell in self.owner for cell in cells):
                    continue
                grown = own | set(cells)
                touched = {other for cell in cells for _, other in self.beside(cell)} - set(cells)
                around = set(cells) | (touched & own)
                names = [self.board.names[cell] for cell in place.path]
                prefix = "" if self.flat else f"{floor + 1}:"
                alone = not any(other in self.owner for other in touched)
                if alone or (touched & own and self.snakes_hold(grown, self.links, around)):
                    found.add(prefix + "-".join(names))
                for end in {cells[0], cells[-1]}:
                    for below in self.adjacent_floors(floor) if self.floors > 1 else ():
                        if (below, end[1]) in ends:
                            links = self.links | {frozenset({end, (below, end[1])})}
                            if self.snakes_hold(grown, links, around | {(below, end[1])}):
                                path = names if end == cells[0] else names[::-1]
                                found.add(f"{prefix}{'-'.join(path)}/{below + 1}")
        return found

    def play(self, seat: int, text: str) -> None:
        floor, _, rest = text.rpartition(":") if ":" in text else ("1", "", text)
        path, _, below = rest.partition("/")
        cells = [(int(floor) - 1, self.board.by_name[name]) for name in path.split("-")]
        for cell in cells:
            self.owner[cell] = seat
        if below:
            self.links.add(frozenset({cells[0], (int(below) - 1, cells[0][1])}))
        order = tuple(cell[1] for cell in cells)
        place = next(p for p in self.places if p.path in (order, order[::-1]))
        self.hands[seat].remove((BASIC if self.flat else TILES)[place.tile])
        self.moved = True

    def scores(self) -> tuple[int, ...]:
        longest = [0] * self.seats
        left = set(self.owner)
        while left:
            start = left.pop()
            snake, rest = {start}, [start]
            while rest:
                cell = rest.pop()
                near = [other for _, other in self.beside(cell)] + self.through(cell, self.links)
                for other in near:
                    linked = other[0] == cell[0] or frozenset({cell, other}) in self.links
                    if other in left and self.owner[other] == self.owner[cell] and linked:
                        left.discard(other)
                        snake.add(other)
                        rest.append(other)
            longest[self.owner[start]] = max(longest[self.owner[start]], len(snake))
        return tuple(longest)


GAMES: list[tuple[str, dict[str, Any], int]] = [
    ("snekagon", {"side": 3}, 4),
    ("snekagon", {"side": 5, "second_single": True}, 2),
    ("snekagon", {"side": 7}, 1),
    ("snekagon", {"side": 8}, 1),
    ("snekagon-5g", {"players": 2, "side": 4}, 2),
    ("snekagon-5g", {"players": 2, "side": 4, "advanced": True}, 2),
    ("snekagon-5g", {"players": 3, "side": 4, "advanced": True}, 2),
    ("snekagon-5g", {"players": 3, "side": 5, "eyes": False, "snakes": ["python", "rattler", "cobra"]}, 1),
    (
        "snekagon-5g",
        {"players": 4, "side": 4, "advanced": True, "snakes": ["sidewinder", "python", "cobra", "mamba"]},
        1,
    ),
]


@pytest.mark.parametrize(("game", "options", "count"), GAMES, ids=lambda value: str(value))
def test_the_kernels_agree_with_the_plain_reading(game: str, options: dict[str, Any], count: int) -> None:
    for seed in range(count):
        generator = random.Random(seed)
        state, plain = snakeden.new_game(game, **options), Plain(**options)
        previous = 0
        while state.player is not None:
            seat = state.player
            # Whoever was passed over had nothing to place.
            for skipped in range(1, state.seats):
                if plain.moved and (previous + skipped) % state.seats == seat:
                    break
                if plain.moved:
                    assert not plain.moves((previous + skipped) % state.seats)
            legal = [str(move) for move in state.legal_moves()]
            assert set(legal) == plain.moves(seat), f"seed {seed}: {state.text}"
            # Linked moves are rare among many: half the time one of them is played where there is one.
            linked = [text for text in legal if "/" in text]
            text = generator.choice(linked if linked and generator.random() < 0.5 else legal)
            state = state.play(text)
            plain.play(seat, text)
            assert state.scores() == plain.scores()
            previous = seat
        assert all(not plain.moves(seat) for seat in range(state.seats))
