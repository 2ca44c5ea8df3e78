"""Schlangennest to print and play: four decks, a card with the sizes of the nest, and the rules in short."""

from __future__ import annotations

from snakeden.core.game import Variant
from snakeden.drawing.pages import MARGIN, TEXT, Page, crop_marks, page, summary
from snakeden.drawing.scene import Area, Item, Label, Point
from snakeden.games.schlangennest import NESTS
from snakeden.games.schlangennest.cards import KINDS, SUPPLY
from snakeden.games.schlangennest.view import card_items
from snakeden.words import Message, Text

CARD = 44.0
"""Millimetres a card is wide and high."""
UNIT = 14.0
COLUMNS = 4
OTHER_NESTS = {3: (5, 9), 4: (6, 10)}
"""The other recommended sizes, by the number of players."""


def _deck(game: str, name: str, colour: int, paper: Point) -> Page:
    """The eighteen cards of a colour."""
    kinds = [kind for kind, count in zip(KINDS, SUPPLY, strict=True) for _ in range(count)]
    rows = -(-len(kinds) // COLUMNS)
    size = CARD / UNIT
    left = (paper[0] / UNIT - COLUMNS * size) / 2
    top = (paper[1] / UNIT - rows * size) / 2
    items: list[Item] = []
    for i, kind in enumerate(kinds):
        row, column = divmod(i, COLUMNS)
        items += card_items(
            kind, f"seat{colour}", left + (column + 0.5) * size, top + (row + 0.5) * size, size
        )
    title = Message("print.deck", game=name, n=colour + 1)
    return page(game, title, paper, UNIT, [*items, *crop_marks(left, top, COLUMNS, rows, size)])


def _nest_card(game: str, name: str, paper: Point) -> Page:
    """A card that says how large the nest is."""
    width, height = 12.6, 4.6
    left, top = (paper[0] / UNIT - width) / 2, (MARGIN + 5 * TEXT) / UNIT
    corners = ((left, top), (left + width, top), (left + width, top + height), (left, top + height))
    items: list[Item] = [
        Area("", (*corners, corners[0]), "cut", closed=False),
        Label(left + width / 2, top + 0.5, Message("print.nest_cards"), "ink", 0.42, bold=True),
    ]
    columns = [left + width * share for share in (0.12, 0.33, 0.56, 0.84)]
    for x, players in zip(columns[1:], (2, 3, 4), strict=True):
        items.append(Label(x, top + 1.3, Message("print.players", n=players), "quiet", 0.32))
    for row, (nest, sizes) in enumerate(NESTS.items()):
        y = top + 2.1 + row * 0.75
        items.append(Label(columns[0], y, Message(f"schlangennest.nest.{nest}"), "ink", 0.36))
        for x, players in zip(columns[1:], (2, 3, 4), strict=True):
            size: Text = "{} × {}".format(*sizes[players])
            if nest == "recommended" and players in OTHER_NESTS:
                other = "{} × {}".format(*OTHER_NESTS[players])
                size = Message("print.either", one=size, other=other)
            items.append(Label(x, y, size, "ink", 0.32, bold=nest == "recommended"))
    return page(game, Message("print.nest", game=name), paper, UNIT, items)


def pages(variant: Variant, paper: Point, language: str = "en") -> tuple[Page, ...]:
    """Four decks serve every variant."""
    game = variant.game
    decks = [_deck(game.id, game.name, colour, paper) for colour in range(4)]
    return (
        *decks,
        _nest_card(game.id, game.name, paper),
        summary(game.id, game.name, game.credits, paper, language),
    )
