"""What a move of Snakey Dice does, in a player's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from snakeden.games.snakey_dice.notation import KINDS, TRACKS, kind_name, price, track_name
from snakeden.games.snakey_dice.position import Head, Square, actions, cells, dice, head, tracks
from snakeden.words import Message, Player

if TYPE_CHECKING:
    from snakeden.core.moves import Move
    from snakeden.core.state import State

THEMES = {
    "rerolls": "reroll",
    "flips": "flip",
    "unlocks": "unlock",
    "leaves": "ignore",
    "gains": "bonus",
    "raises": "level",
    "blockades": "locked",
    "escapes": "escape",
    "eats": "eat",
    "goes": "steer",
    "ends": "steer",
}
"""What puzzles are sorted by: the theme of each reason, by how its key begins."""

_STEPS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}


def theme_name(theme: str) -> Message:
    """What a theme is called."""
    return Message(f"snakey-dice.theme.{theme}")


def reasons(state: State, move: Move) -> tuple[Message, ...]:
    """What a legal move does: to the player's own snake and sheet first, then to the others'."""
    seat = state.player
    assert seat is not None
    after = state.play(move)
    reasons = [*_deed(state, after, move.text, seat), *_where(state, after, seat)]
    gained = after.scores()[seat] - state.scores()[seat]
    if gained:
        reasons.append(Message("snakey-dice.reason.points", n=gained))
    for ahead in range(1, state.seats):
        other = (seat + ahead) % state.seats
        old, new = head(state, other), head(after, other)
        if old and new and old.front == new.front and new.front and new.blocked > old.blocked:
            reasons.append(
                Message("snakey-dice.reason.in_the_way", who=Player(other), square=_name(new.front))
            )
    return tuple(reasons)


def _name(square: Square) -> str:
    return f"{square[0]},{square[1]}"


def _deed(state: State, after: State, text: str, seat: int) -> list[Message]:
    """What is done, by the move's first word."""
    word, _, rest = text.partition(":")
    if word in ("reroll", "reroll!"):
        return [Message("snakey-dice.reason.rerolls", n=len(rest))]
    if word == "flip":
        return [Message("snakey-dice.reason.flips", face=int(rest), other=7 - int(rest))]
    if word in ("unlock", "unlock!"):
        return [Message("snakey-dice.reason.unlocks")]
    if word == "ignore":
        left = tuple(die.face for die in dice(after))
        if not left:
            return [Message("snakey-dice.reason.leaves_none")]
        return [Message("snakey-dice.reason.leaves", n=len(left), faces=left)]
    if word == "bonus":
        return [Message("snakey-dice.reason.gains", kind=kind_name(KINDS.index(rest)))]
    if word == "level":
        level = {track.name: track.level for track in tracks(after, seat)}[rest]
        highest = max(track.level for track in tracks(state, seat))
        more = [Message("snakey-dice.reason.more_dice", n=level + 2)] if level > highest else []
        return [Message("snakey-dice.reason.raises", track=track_name(TRACKS.index(rest)), n=level), *more]
    if word == "use" and rest == "6":
        return [Message("snakey-dice.reason.blockades", n=1 if state.seats == 1 else 2)]
    if word == "escape":
        spent = {
            one.name: one.left - now.left
            for one, now in zip(actions(state, seat), actions(after, seat), strict=True)
        }
        return [Message("snakey-dice.reason.escapes", price=price(spent["jump"], spent["portal"]))]
    if word == "crash":
        return [Message("snakey-dice.reason.crashes")]
    return [Message("snakey-dice.reason.ends")] if word == "end" else []


def _where(state: State, after: State, seat: int) -> list[Message]:
    """Where the snake has come to, and what lies ahead of it."""
    old, new = head(state, seat), head(after, seat)
    if new is None or old == new or (old is not None and old.square == new.square and old.front == new.front):
        return []
    reasons = []
    entered = {cell.square: cell.held for cell in cells(state)}
    if old is None or old.square != new.square:
        food = entered[new.square] == "power-up"
        key = "snakey-dice.reason.eats" if food else "snakey-dice.reason.goes"
        reasons.append(Message(key, square=_name(new.square)))
    if new.blocked:
        return [*reasons, Message("snakey-dice.reason.faces_obstacle")]
    ahead = _ahead(after, new)
    return [*reasons, Message("snakey-dice.reason.ahead", n=ahead)]


def _ahead(state: State, at: Head) -> int:
    """How many squares straight ahead can be entered."""
    free = {cell.square for cell in cells(state) if cell.held in ("empty", "power-up")}
    dx, dy = _STEPS[at.way]
    count, square = 0, at.front
    while square in free:
        count += 1
        square = (square[0] + dx, square[1] + dy)
    return count
