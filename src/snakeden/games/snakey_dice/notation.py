"""The notation of Snakey Dice: what is done, and to what: `reroll:135`, `use:5L`, `escape`."""

from __future__ import annotations

import re
from typing import Any

from numpy.typing import NDArray

from snakeden.core.errors import UnreadableMove
from snakeden.games.snakey_dice.kernels import layout
from snakeden.games.snakey_dice.kernels.layout import Tables
from snakeden.words import Message, Player

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
    "use:1, use:5L, escape, crash, level:flip, end"
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


def piece(t: Tables, text: str) -> str | None:
    """What a move uses: a face, a power, a bonus; None for a roll, which uses nothing."""
    word, _, rest = text.partition(":")
    if word in ("dice", "square"):
        return None
    return f"{word} {rest}" if word in ("use", "bonus", "level") else word


def spoken(text: str) -> Message:
    """A move as people say it."""
    word, _, rest = text.partition(":")
    if word == "start":
        square, _, way = rest.rpartition(":")
        return Message(f"snakey-dice.move.start.{way}", square=square)
    if word == "use":
        return Message(f"snakey-dice.move.use.{rest}")
    if word == "bonus":
        return Message("snakey-dice.take", kind=kind_name(KINDS.index(rest)))
    if word == "level":
        return Message("snakey-dice.raise", track=track_name(TRACKS.index(rest)))
    if text == "ignore:":
        return Message("snakey-dice.move.ignore_none")
    named = rest if word == "square" else " ".join(rest)
    return Message(f"snakey-dice.move.{word.replace('!', '_once')}", faces=named)


def _set_number(t: Tables, text: str, word: str, named: str) -> int:
    """The number of a move that names dice."""
    if not re.fullmatch("[1-6]*", named):
        raise UnreadableMove(Message("snakey-dice.dice_by_faces", text=text, example=f"{word}:135"))
    most = layout.MOST_IGNORED if word == "ignore" else layout.MOST_DICE
    if len(named) > most:
        raise UnreadableMove(
            Message("snakey-dice.never_so_many", text=text, n=len(named), most=most, word=word)
        )
    if not named and word != "ignore":
        raise UnreadableMove(Message("snakey-dice.no_dice_named", text=text, example=f"{word}:135"))
    dice = packed(named)
    number = int(t.halves[dice & 4095, len(named)] + t.halves[dice >> 12, layout.UPPER])
    return layout.IGNORE + number if word == "ignore" else _SETS[word] + number - 1


def _place(t: Tables, text: str, named: str) -> int:
    """The place of a square written as column and row."""
    read = re.fullmatch(r"(\d{1,2}),(\d{1,2})", named)
    if read is None:
        raise UnreadableMove(Message("snakey-dice.square_written", text=text, example=f"{t.low},{t.low + 1}"))
    column, row = int(read[1]) - t.low, int(read[2]) - t.low
    if not (0 <= column < t.side and 0 <= row < t.side):
        high = t.low + t.side - 1
        raise UnreadableMove(Message("snakey-dice.no_square", text=text, square=named, low=t.low, high=high))
    return (row + 1) * (t.side + 2) + column + 1


def _start_number(t: Tables, text: str, rest: str) -> int:
    named, _, way = rest.partition(":")
    place = _place(t, text, named)
    starts = t.squares[: t.starts, layout.START_PLACE].tolist()
    if place not in starts:
        names = " ".join(square_name(t, start) for start in starts)
        raise UnreadableMove(Message("snakey-dice.no_start", text=text, square=named, starts=names))
    if way not in WAYS:
        ways, example = ", ".join(WAYS), f"start:{named}:down"
        raise UnreadableMove(Message("snakey-dice.no_direction", text=text, ways=ways, example=example))
    return int(layout.CHOOSE + 4 * starts.index(place) + WAYS.index(way))


def parse(t: Tables, s: NDArray[Any], text: str) -> int:
    """The number of the move that is meant; whether it is legal is for `rules.fault` to say."""
    written = text.strip()
    if written in _WORDS:
        return _WORDS[written]
    word, colon, rest = written.partition(":")
    if colon and word in _SETS:
        return _set_number(t, written, word, rest)
    if colon and word in _CHOICES:
        first, choices = _CHOICES[word]
        if rest not in choices:
            raise UnreadableMove(
                Message("snakey-dice.one_of", text=written, word=f"{word}:", choices=", ".join(choices))
            )
        return first + choices.index(rest)
    if colon and word == "square":
        return int(t.square_moves + t.squares[_place(t, written, rest), layout.NUMBER])
    if colon and word == "start":
        return _start_number(t, written, rest)
    example = Message("snakey-dice.example", moves=_SHAPES, one="dice:135", other="square:7,4")
    raise UnreadableMove(Message("move.unreadable", text=repr(text), example=example))


_NOW = {
    layout.SET_UP: "set_up",
    layout.START: "start",
    layout.ROLL: "roll",
    layout.MANIPULATE: "manipulate",
    layout.BONUS: "bonus",
    layout.USE: "use",
    layout.MAKE: "make",
    layout.RAISE: "raise",
    layout.LEAVE: "leave",
}


def track_name(track: int) -> Message:
    return Message(f"snakey-dice.track.{TRACKS[track]}")


def kind_name(kind: int) -> Message:
    """A one-time action."""
    return Message(f"snakey-dice.kind.{KINDS[kind]}")


def price(jumps: int, portals: int) -> tuple[Message, ...]:
    """What an escape costs."""
    parts = (Message("snakey-dice.jumps", n=jumps), Message("snakey-dice.portals", n=portals))
    return tuple(part for part, count in zip(parts, (jumps, portals), strict=True) if count)


def _explain_dice(played: str, reason: int, a: int, b: int) -> Message | None:
    """Faults of moves that name dice or what a level allows."""
    if reason == layout.NO_SUCH_DIE:
        key = "snakey-dice.fault.few_such_dice" if b else "snakey-dice.fault.no_such_die"
        return Message(key, move=played, n=b, face=a)
    if reason == layout.DIE_LOCKED:
        key = "snakey-dice.fault.few_unlocked" if b else "snakey-dice.fault.none_unlocked"
        return Message(key, move=played, n=b)
    if reason == layout.LEVEL_SPENT:
        key = "snakey-dice.fault.level_spent" if b else "snakey-dice.fault.level_never"
        return Message(key, move=played, track=track_name(a), n=b)
    if reason == layout.LEVEL_FIRST:
        return Message("snakey-dice.fault.level_first", move=played, track=track_name(a))
    if reason == layout.ACTION_SPENT:
        return Message("snakey-dice.fault.action_spent", move=played, kind=kind_name(a))
    if reason == layout.NOTHING_LOCKED:
        return Message(
            "snakey-dice.fault.all_unlocked" if a else "snakey-dice.fault.nothing_locked", move=played
        )
    if reason == layout.TOO_MANY:
        return Message("snakey-dice.fault.too_many", move=played, n=a, most=b)
    return None


def _explain_way(played: str, reason: int, a: int, b: int) -> Message | None:
    """Faults of moves on the board."""
    if reason == layout.OBSTACLE:
        return Message("snakey-dice.fault.obstacle" if a else "snakey-dice.fault.must_crash", move=played)
    if reason == layout.NO_OBSTACLE:
        return Message("snakey-dice.fault.no_obstacle", move=played)
    if reason == layout.TOO_DEAR:
        return Message("snakey-dice.fault.too_dear", move=played, price=price(a, b))
    if reason == layout.NO_WAY_OUT:
        return Message("snakey-dice.fault.no_way_out", move=played)
    if reason == layout.CAN_ESCAPE:
        return Message("snakey-dice.fault.can_escape", move=played, price=price(a, b))
    if reason == layout.NO_MOVEMENT:
        return Message("snakey-dice.fault.no_movement", move=played)
    return None


def explain(t: Tables, s: NDArray[Any], move: int, fault: tuple[int, int, int]) -> Message:
    """The broken rule."""
    played = text(t, move)
    reason, a, b = (int(number) for number in fault)
    if reason == layout.NOT_NOW:
        return Message("snakey-dice.fault.not_now", move=played, now=Message(f"snakey-dice.now.{_NOW[a]}"))
    if reason == layout.START_TAKEN:
        return Message("snakey-dice.fault.start_taken", move=played, who=Player(a))
    if reason == layout.LOOKS_OUT:
        return Message("snakey-dice.fault.looks_out", move=played)
    if reason == layout.GIVEN_TWICE:
        return Message("snakey-dice.fault.given_twice", move=played, kind=kind_name(a))
    if reason == layout.NO_SUCH_ACTION:
        return Message("snakey-dice.fault.no_such_action", move=played, kind=kind_name(a))
    if reason == layout.TOP_REACHED:
        return Message("snakey-dice.fault.top_reached", move=played, track=track_name(a), n=int(layout.TOP))
    if reason == layout.WRONG_NUMBER:
        return Message("snakey-dice.fault.wrong_number", move=played, n=a)
    if reason == layout.ROLLED_AGAIN:
        key = "snakey-dice.fault.rolled_again_solo" if t.solo else "snakey-dice.fault.rolled_again"
        return Message(key, move=played)
    known = _explain_dice(played, reason, a, b) or _explain_way(played, reason, a, b)
    assert known is not None
    return known
