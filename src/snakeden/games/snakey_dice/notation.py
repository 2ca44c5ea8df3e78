"""The notation of Snakey Dice: what is done, and to what: `reroll:135`, `use:5L`, `escape`."""

from __future__ import annotations

import re
from typing import Any

from numpy.typing import NDArray

from snakeden.core.errors import UnreadableMove
from snakeden.games.snakey_dice import layout
from snakeden.games.snakey_dice.layout import Tables

WAYS = ("up", "right", "down", "left")
TRACKS = ("reroll", "flip", "unlock", "ignore")
KINDS = ("portal", "jump", "reroll", "unlock")
USES = ("1", "2", "3", "4", "5L", "5R", "6")

_WORDS = {
    "unlock": layout.UNLOCK,
    "unlock!": layout.UNLOCK_X,
    "escape": layout.ESCAPE,
    "crash": layout.CRASH,
    "end": layout.END,
}
_CHOICES: dict[str, tuple[int, tuple[str, ...]]] = {
    "flip": (layout.FLIP, ("1", "2", "3", "4", "5", "6")),
    "bonus": (layout.TAKE, KINDS),
    "use": (layout.USE_DIE, USES),
    "level": (layout.LEVEL_UP, TRACKS),
}
_SETS = {"reroll": layout.REROLL, "reroll!": layout.REROLL_X, "ignore": layout.IGNORE, "dice": layout.DICE}
_SHAPES = (
    "start:2,12:up, reroll:135, reroll!:135, flip:3, unlock, unlock!, ignore:16, ignore:, bonus:portal, "
    "use:1, use:5L, escape, crash, level:flip, end; what dice decide is dice:135 or square:7,4"
)


def faces(dice: int) -> str:
    """The faces of a set of dice, in ascending order."""
    return "".join(str(face) * (dice >> 4 * (face - 1) & 15) for face in range(1, 7))


def packed(text: str) -> int:
    """The set of dice with these faces."""
    return sum(1 << 4 * (int(face) - 1) for face in text)


def square_name(t: Tables, place: int) -> str:
    """A place's column and row, as they are rolled: `7,4`."""
    width = t.side + 2
    return f"{place % width - 1 + t.low},{place // width - 1 + t.low}"


def text(t: Tables, move: int) -> str:
    """The move's text."""
    if move >= t.square_moves:
        return f"square:{square_name(t, int(t.squares[move - t.square_moves, layout.PLACE]))}"
    if move >= layout.CHOOSE:
        start, way = divmod(move - layout.CHOOSE, 4)
        return f"start:{square_name(t, int(t.squares[start, layout.START_PLACE]))}:{WAYS[way]}"
    if move >= layout.DICE:
        return f"dice:{faces(int(t.sets[move - layout.DICE + 1, layout.SET]))}"
    for word, number in _WORDS.items():
        if move == number:
            return word
    for word, (first, choices) in _CHOICES.items():
        if first <= move < first + len(choices):
            return f"{word}:{choices[move - first]}"
    if move >= layout.IGNORE:
        return f"ignore:{faces(int(t.sets[move - layout.IGNORE, layout.SET]))}"
    word, first = ("reroll", layout.REROLL) if move < layout.REROLL_X else ("reroll!", layout.REROLL_X)
    return f"{word}:{faces(int(t.sets[move - first + 1, layout.SET]))}"


def _set_number(t: Tables, text: str, word: str, named: str) -> int:
    """The number of a move that names dice."""
    if not re.fullmatch("[1-6]*", named):
        raise UnreadableMove(f"{text}: dice are written by their faces, 1 to 6, such as {word}:135")
    most = layout.MOST_IGNORED if word == "ignore" else layout.MOST_DICE
    if len(named) > most:
        raise UnreadableMove(
            f"{text} names {len(named)} dice, but there are never more than {most} to {word.rstrip('!')}"
        )
    if not named and word != "ignore":
        raise UnreadableMove(f"{text} names no dice; write their faces, such as {word}:135")
    dice = packed(named)
    number = int(t.halves[dice & 4095, len(named)] + t.halves[dice >> 12, layout.UPPER])
    return layout.IGNORE + number if word == "ignore" else _SETS[word] + number - 1


def _place(t: Tables, text: str, named: str) -> int:
    """The place of a square written as column and row."""
    read = re.fullmatch(r"(\d{1,2}),(\d{1,2})", named)
    if read is None:
        raise UnreadableMove(f"{text}: a square is written as column and row, such as {t.low},{t.low + 1}")
    column, row = int(read[1]) - t.low, int(read[2]) - t.low
    if not (0 <= column < t.side and 0 <= row < t.side):
        high = t.low + t.side - 1
        raise UnreadableMove(
            f"{text}: there is no square {named}; columns and rows run from {t.low} to {high}"
        )
    return (row + 1) * (t.side + 2) + column + 1


def _start_number(t: Tables, text: str, rest: str) -> int:
    named, _, way = rest.partition(":")
    place = _place(t, text, named)
    starts = t.squares[: t.starts, layout.START_PLACE].tolist()
    if place not in starts:
        told = " ".join(square_name(t, start) for start in starts)
        raise UnreadableMove(f"{text}: {named} is no start; the starts are {told}")
    if way not in WAYS:
        raise UnreadableMove(
            f"{text}: a start needs a direction, one of {', '.join(WAYS)}, such as start:{named}:down"
        )
    return int(layout.CHOOSE + 4 * starts.index(place) + WAYS.index(way))


def parse(t: Tables, s: NDArray[Any], text: str) -> int:
    """The number of the move that is meant; whether it is legal is for `rules.fault` to say."""
    told = text.strip()
    if told in _WORDS:
        return _WORDS[told]
    word, colon, rest = told.partition(":")
    if colon and word in _SETS:
        return _set_number(t, told, word, rest)
    if colon and word in _CHOICES:
        first, choices = _CHOICES[word]
        if rest not in choices:
            raise UnreadableMove(f"{told}: after {word}: comes one of {', '.join(choices)}")
        return first + choices.index(rest)
    if colon and word == "square":
        return int(t.square_moves + t.squares[_place(t, told, rest), layout.NUMBER])
    if colon and word == "start":
        return _start_number(t, told, rest)
    raise UnreadableMove(f"{text!r} is not a move of this game; moves look like {_SHAPES}")


_NOW = {
    layout.SET_UP: "the squares of the set-up are being rolled",
    layout.START: "choose a start and a direction",
    layout.ROLL: "the dice are being rolled",
    layout.MANIPULATE: "reroll, flip or unlock dice, or end that by naming the dice you ignore",
    layout.BONUS: "take the special bonus for three locked dice",
    layout.USE: "use the dice you have left",
    layout.MAKE: "a square is being rolled",
    layout.RAISE: "raise one of your tracks",
    layout.LEAVE: "your dice are used; escape from the obstacle ahead or end the turn",
}


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


def _price(jumps: int, portals: int) -> str:
    """What an escape costs."""
    told = [f"{n} {name}{'s' if n > 1 else ''}" for n, name in ((jumps, "jump"), (portals, "portal")) if n]
    return " and ".join(told)


def _explain_dice(told: str, reason: int, a: int, b: int) -> str | None:
    """Faults of moves that name dice or what a level allows."""
    if reason == layout.NO_SUCH_DIE:
        return f"{told}: " + f"{f'only {b}' if b else 'none'} of your dice show{'s' if b < 2 else ''} {a}"
    if reason == layout.DIE_LOCKED:
        unlocked = {0: "none of yours is", 1: "one of yours is"}.get(b, f"{b} of yours are")
        return f"{told}: a 6 is locked until you unlock it, and {unlocked} unlocked"
    if reason == layout.LEVEL_SPENT:
        return f"{told}: your {TRACKS[a]} level allows it {_times(b)} in this turn" + (
            ", and it is done" if b else ""
        )
    if reason == layout.LEVEL_FIRST:
        return (
            f"{told}: your {TRACKS[a]} level still allows it in this turn; use that before a one-time action"
        )
    if reason == layout.ACTION_SPENT:
        return f"{told}: you have no one-time {KINDS[a]} left"
    if reason == layout.NOTHING_LOCKED:
        return f"{told}: " + ("every 6 you have is unlocked already" if a else "none of your dice is locked")
    if reason == layout.TOO_MANY:
        return f"{told} ignores {a} dice, but your level allows only {b}"
    return None


def _explain_way(told: str, reason: int, a: int, b: int) -> str | None:
    """Faults of moves on the board."""
    if reason == layout.OBSTACLE:
        return f"{told}: there is an obstacle ahead; " + (
            "escape before you move" if a else "you cannot escape it, so a movement die is a crash"
        )
    if reason == layout.NO_OBSTACLE:
        return f"{told}: there is no obstacle ahead, the square in front can be entered"
    if reason == layout.TOO_DEAR:
        return f"{told}: it costs {_price(a, b)}, and you have not got that"
    if reason == layout.NO_WAY_OUT:
        return f"{told}: no square on the whole line can be entered"
    if reason == layout.CAN_ESCAPE:
        return f"{told}: you can escape for {_price(a, b)}, so you do not have to crash"
    if reason == layout.NO_MOVEMENT:
        return f"{told}: only a movement die crashes, and you have none left"
    return None


def explain(t: Tables, s: NDArray[Any], move: int, fault: tuple[int, int, int]) -> str:
    """The broken rule in a player's words."""
    told = text(t, move)
    reason, a, b = (int(number) for number in fault)
    if reason == layout.NOT_NOW:
        return f"{told} cannot be played now: {_NOW[a]}"
    if reason == layout.START_TAKEN:
        return f"{told}: seat {a} starts there already"
    if reason == layout.LOOKS_OUT:
        return f"{told}: from there you would look into the wall; choose a direction into the board"
    if reason == layout.GIVEN_TWICE:
        return f"{told}: the bonus has given you two one-time {KINDS[a]} actions already, and gives no more"
    if reason == layout.NO_SUCH_ACTION:
        return f"{told}: the solo edition has no one-time {KINDS[a]}"
    if reason == layout.TOP_REACHED:
        return f"{told}: your {TRACKS[a]} track is at level {layout.TOP} already"
    if reason == layout.WRONG_NUMBER:
        return f"{told}: " + ("one die is thrown here" if a == 1 else f"{a} dice are thrown here")
    if reason == layout.ROLLED_AGAIN:
        where = "a start" if t.solo else "or beside a start"
        return f"{told}: at the set-up, a roll on {where} or on a square that is taken is rolled again"
    known = _explain_dice(told, reason, a, b) or _explain_way(told, reason, a, b)
    assert known is not None
    return known
