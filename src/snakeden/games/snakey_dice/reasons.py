"""What a move of Snakey Dice does, in a player's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from snakeden.games.snakey_dice.position import Head, Square, actions, cells, dice, head, tracks

if TYPE_CHECKING:
    from snakeden.core.moves import Move
    from snakeden.core.state import State

_STEPS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}


def reasons(state: State, move: Move, names: tuple[str, ...]) -> tuple[str, ...]:
    """What a legal move does: to the player's own snake and sheet first, then to the others'."""
    seat = state.player
    assert seat is not None
    after = state.play(move)
    told = [*_deed(state, after, move.text, seat), *_where(state, after, seat)]
    gained = after.scores()[seat] - state.scores()[seat]
    if gained:
        told.append(f"{gained:+d} point{'' if abs(gained) == 1 else 's'}")
    for ahead in range(1, state.seats):
        other = (seat + ahead) % state.seats
        old, new = head(state, other), head(after, other)
        if old and new and old.front == new.front and new.front and new.blocked > old.blocked:
            told.append(f"stands in {names[other]}'s way at {_name(new.front)}")
    return tuple(told)


def _name(square: Square) -> str:
    return f"{square[0]},{square[1]}"


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"


def _deed(state: State, after: State, text: str, seat: int) -> list[str]:
    """What is done, by the move's first word."""
    word, _, rest = text.partition(":")
    if word in ("reroll", "reroll!"):
        return [f"throws {_dice(len(rest))} again"]
    if word == "flip":
        return [f"turns a {rest} into a {7 - int(rest)}"]
    if word in ("unlock", "unlock!"):
        return ["unlocks a 6, to be thrown again or flipped"]
    if word == "ignore":
        left = "".join(str(die.face) for die in dice(after))
        return [f"leaves {_dice(len(left))} to use: {left}" if left else "leaves no die to use"]
    if word == "bonus":
        return [f"gains a one-time {rest}"]
    if word == "level":
        level = {track.name: track.level for track in tracks(after, seat)}[rest]
        highest = max(track.level for track in tracks(state, seat))
        more = [f"rolls {_dice(level + 2)} from the next turn on"] if level > highest else []
        return [f"raises {rest} to level {level}", *more]
    if word == "use" and rest == "6":
        return ["makes a blockade" if state.seats == 1 else "makes two blockades"]
    if word == "escape":
        spent = {
            one.name: one.left - now.left
            for one, now in zip(actions(state, seat), actions(after, seat), strict=True)
        }
        cost = [f"{count} {name}{'s' if count > 1 else ''}" for name, count in spent.items() if count]
        return [f"escapes for {' and '.join(cost)}"]
    if word == "crash":
        return ["crashes: there is no other way"]
    return ["ends the turn in front of the obstacle"] if word == "end" else []


def _where(state: State, after: State, seat: int) -> list[str]:
    """Where the snake has come to, and what lies ahead of it."""
    old, new = head(state, seat), head(after, seat)
    if new is None or old == new or (old is not None and old.square == new.square and old.front == new.front):
        return []
    told = []
    entered = {cell.square: cell.held for cell in cells(state)}
    if old is None or old.square != new.square:
        food = entered[new.square] == "power-up"
        told.append(f"eats the power-up on {_name(new.square)}" if food else f"goes to {_name(new.square)}")
    if new.blocked:
        return [*told, "faces an obstacle then"]
    ahead = _ahead(after, new)
    return [*told, f"has {ahead} free square{'' if ahead == 1 else 's'} ahead"]


def _ahead(state: State, at: Head) -> int:
    """How many squares straight ahead can be entered."""
    free = {cell.square for cell in cells(state) if cell.held in ("empty", "power-up")}
    dx, dy = _STEPS[at.way]
    count, square = 0, at.front
    while square in free:
        count += 1
        square = (square[0] + dx, square[1] + dy)
    return count
