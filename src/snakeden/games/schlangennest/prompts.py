"""What the player to move is asked in Schlangennest, and every legal move as something to point at.

The ids are those of the scene, see `view`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from snakeden.drawing.scene import Action, Prompt, Target
from snakeden.games.schlangennest.cards import FACES, KINDS
from snakeden.games.schlangennest.kernels.layout import (
    COMPLETE,
    DEEDS,
    PARTS,
    RING,
    STATUS,
    STUCK,
    Tables,
    snake_at,
)
from snakeden.games.schlangennest.notation import CARD_NAMES, DEED_NAMES, place, way_name
from snakeden.words import Message, Text

if TYPE_CHECKING:
    from snakeden.core.moves import Move
    from snakeden.core.state import State

Square = tuple[int, int]

SHOWN = {"S": FACES.index(("S", "EW")), "C": FACES.index(("C", "NE"))}
SHOWN |= {kind: FACES.index((kind, "W")) for kind in "TH"}
"""The face with which each kind of card lies in hand."""
_ENDED = {COMPLETE: "complete", RING: "ring", STUCK: "stuck"}
"""What to say before one's own snake comes to this."""


def square_id(square: Square) -> str:
    return f"({square[0]},{square[1]})"


def prompt(state: State) -> Prompt:
    """The player lays a card; or turns or swaps one that lies there, where the rules allow it."""
    deeds = {DEED_NAMES[move.code % DEEDS] for move in state.legal_moves()}
    actions = [
        Action(
            f"turn/{way}",
            Message("schlangennest.action.turn", way=way_name(way)),
            "turn",
            ask=Message("schlangennest.action.choose_curve"),
        )
        for name, way in DEED_NAMES
        if name == "turn" and (name, way) in deeds
    ]
    actions += [
        Action(
            f"swap/{way}",
            Message("schlangennest.action.swap", way=way_name(way)),
            "swap",
            ask=Message("schlangennest.action.choose_card"),
        )
        for name, way in DEED_NAMES
        if name == "swap" and (name, way) in deeds
    ]
    return Prompt(actions=tuple(actions))


def move_targets(state: State) -> tuple[Target, ...]:
    """Every legal move: its square, the card in hand, which way it lies, and a warning where it ends one's own
    snake."""
    return tuple(_target(state, move) for move in state.legal_moves())


def _target(state: State, move: Move) -> Target:
    t: Tables = state.variant.tables
    rest, deed = divmod(move.code, DEEDS)
    colour, square = divmod(rest, t.squares)
    what, way = DEED_NAMES[deed]
    if t.snakes == 1:
        colour = state.player or 0
    ways = [other for name, other in DEED_NAMES if name == what]
    places = (square_id(place(t, square)),)
    warning = _warning(state, move, colour)
    if what not in KINDS:
        label = (
            Message("schlangennest.turns", way=way_name(way))
            if what == "turn"
            else Message("schlangennest.swaps")
        )
        return Target(
            move.text, places, turn=ways.index(way), label=label, action=f"{what}/{way}", warning=warning
        )
    shown = ways.index(FACES[SHOWN[what]][1])
    angle = 90 * (ways.index(way) - shown) % 360
    label = Message(f"schlangennest.lays.{CARD_NAMES[what]}", way=way_name(way))
    return Target(
        move.text,
        places,
        f"hand/{colour}/{what}",
        ways.index(way),
        label=label,
        angle=angle,
        warning=warning,
    )


def _warning(state: State, move: Move, colour: int) -> Text:
    """What to know before a move after which one's own snake can grow no more."""
    at = snake_at(colour)
    after = state.play(move).array()
    status, parts = int(after[at + STATUS]), int(after[at + PARTS])
    if status not in _ENDED or status == int(state.array()[at + STATUS]):
        return ""
    return Message(f"schlangennest.warning.{_ENDED[status]}", n=parts)


def pointed(state: State, piece: str, turn: int, places: tuple[str, ...]) -> str:
    """The notation of a card held over a square, whether it may lie there or not; empty if it is none."""
    t: Tables = state.variant.tables
    _, _, rest = piece.partition("/")
    colour, _, what = rest.partition("/")
    ways = [way for name, way in DEED_NAMES if name == what]
    if what not in KINDS or not 0 <= turn < len(ways) or len(places) != 1:
        return ""
    return (f"{colour}:" if t.snakes == 2 else "") + f"{what}{places[0]}{ways[turn]}"
