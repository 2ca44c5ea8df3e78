"""What the player to move is asked in Snakey Dice, and every legal move as something to point at.

Dice are chosen first; then an action says what is done with them. The ids are those of the scene, see `view`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from snakeden.drawing.scene import Action, Icon, Point, Prompt, Target
from snakeden.games.snakey_dice.kernels import layout
from snakeden.games.snakey_dice.kernels.layout import Tables
from snakeden.games.snakey_dice.notation import (
    KINDS,
    TRACKS,
    USES,
    WAYS,
    faces,
    kind_name,
    price,
    square_name,
    track_name,
)
from snakeden.words import Message

if TYPE_CHECKING:
    from snakeden.core.state import State

STEPS: tuple[Point, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Up, right, down, left."""
_TURN = tuple(Message(f"snakey-dice.step.{step}") for step in ("roll", "bend", "use"))
"""The steps of a turn."""
_BENDING: tuple[tuple[Icon, int, int], ...] = (
    ("reroll", layout.REROLLS, layout.REROLL_ONCE),
    ("flip", layout.FLIPS, -1),
    ("unlock", layout.UNLOCKS, layout.UNLOCK_ONCE),
)
"""Actions of the levels, in the tracks' order: what counts their uses, and the one-time action that does the same."""
_USING: dict[str, tuple[str, Icon]] = {
    "1": ("forward", "forward"),
    "2": ("forward", "forward"),
    "3": ("left", "turn-left"),
    "4": ("right", "turn-right"),
    "5L": ("left", "turn-left"),
    "5R": ("right", "turn-right"),
    "6": ("blockade", "blockade"),
}


def place_at(t: Tables, place: int) -> Point:
    """The middle of a place on the picture."""
    width = t.side + 2
    return (float(place % width), float(place // width))


def way_through_front(t: Tables, array: Any, use: int) -> tuple[Point, ...]:
    """The line that a movement die draws: into the front square and on to the next."""
    at = layout.SEAT_WORDS_AT + int(array[layout.SEAT]) * layout.SEAT_WORDS
    way = int(array[at + layout.WAY])
    x, y = place_at(t, int(array[at + layout.FRONT]))
    (ax, ay), (bx, by) = STEPS[way], STEPS[layout.way_after(way, use)]
    return ((x - 0.5 * ax, y - 0.5 * ay), (x, y), (x + 0.5 * bx, y + 0.5 * by))


class _Turn:
    """The turn of the player to move, read from a state."""

    def __init__(self, state: State) -> None:
        assert state.player is not None
        self.t: Tables = state.variant.tables
        self.array = state.array()
        self.seat = state.player
        self.own = self.array[layout.SEAT_WORDS_AT + self.seat * layout.SEAT_WORDS :]
        self.phase = int(self.array[layout.PHASE])
        self.hand = faces(int(self.array[layout.HAND]))

    def value(self, track: int) -> int:
        """What the level of a track allows in this turn."""
        return int(self.t.values[track, int(self.own[layout.LEVEL + track])])

    def once(self, kind: int) -> int:
        """How many one-time actions of a kind are left."""
        return int(self.own[layout.ACTIONS + kind])

    def dice(self, named: str, unlocked: bool = False) -> tuple[str, ...]:
        """The ids of dice that show these faces: of equal ones the first, of sixes the unlocked ones if asked for."""
        loose = int(self.array[layout.UNLOCKED])
        found: list[int] = []
        for face in named:
            first = len(self.hand) - loose if face == "6" and unlocked else 0
            found.append(
                next(i for i in range(first, len(self.hand)) if self.hand[i] == face and i not in found)
            )
        return tuple(f"die/{i}" for i in found)

    def square(self, place: int) -> tuple[str, ...]:
        """The id of a place; none for the wall."""
        return (square_name(self.t, place),) if self.t.squares[place, layout.NUMBER] >= 0 else ()


# ---- the prompt


def prompt(state: State) -> Prompt:
    """What the player to move is asked; an empty prompt while dice decide and when the game is over."""
    if state.player is None or state.player < 0:
        return Prompt()
    turn = _Turn(state)
    if turn.phase == layout.START:
        ways = sorted({WAYS.index(move.text.rpartition(":")[2]) for move in state.legal_moves()})
        return Prompt(Message("snakey-dice.ask.start"), actions=_starts(ways))
    if turn.phase == layout.MANIPULATE:
        return Prompt(Message("snakey-dice.ask.bend"), _TURN, 1, _bending(turn))
    if turn.phase == layout.BONUS:
        return Prompt(Message("snakey-dice.ask.bonus"), _TURN, 1, _bonuses(turn, state))
    if turn.phase == layout.RAISE:
        return Prompt(Message("snakey-dice.ask.raise"), _TURN, 2, _raises(turn))
    return Prompt(_asked(turn, state), _TURN, 2, _uses(turn, state))


def _starts(ways: list[int]) -> tuple[Action, ...]:
    icons: tuple[Icon, ...] = ("up", "right", "down", "left")
    return tuple(
        Action(
            f"begin/{WAYS[way]}",
            Message(f"snakey-dice.begin.{WAYS[way]}"),
            icons[way],
            ask=Message("snakey-dice.choose.start"),
        )
        for way in ways
    )


def _bending(turn: _Turn) -> tuple[Action, ...]:
    found = []
    for track, (name, used, kind) in enumerate(_BENDING):
        left = max(0, turn.value(track) - int(turn.array[used]))
        once = turn.once(kind) if kind >= 0 else 0
        note = Message("snakey-dice.left", n=left)
        if once and not left:
            note = Message("snakey-dice.one_time_left", n=once)
        ask = Message(f"snakey-dice.choose.{name}")
        found.append(Action(name, track_name(track), name, note, ask))
    most = turn.value(layout.IGNORE_TRACK)
    note, ask = Message("snakey-dice.up_to", n=most), Message("snakey-dice.choose.ignore")
    found.append(Action("ignore", track_name(layout.IGNORE_TRACK), "ignore", note, ask))
    count = len(turn.hand)
    label = Message("snakey-dice.go_on_with", n=count) if count else Message("snakey-dice.go_on")
    found.append(Action("go-on", label, "go-on", main=True))
    return tuple(found)


def _bonuses(turn: _Turn, state: State) -> tuple[Action, ...]:
    found = []
    for move in state.legal_moves():
        kind = KINDS.index(move.text.partition(":")[2])
        icon: Icon = ("portal", "jump", "reroll", "unlock")[kind]
        label = Message("snakey-dice.take", kind=kind_name(kind))
        note = Message("snakey-dice.left", n=turn.once(kind))
        found.append(Action(f"bonus/{KINDS[kind]}", label, icon, note))
    return tuple(found)


def _raises(turn: _Turn) -> tuple[Action, ...]:
    found = []
    for track, name in enumerate(TRACKS):
        icon: Icon = ("reroll", "flip", "unlock", "ignore")[track]
        label = Message("snakey-dice.raise", track=track_name(track))
        found.append(Action(f"raise/{name}", label, icon, _gain(turn, track)))
    return tuple(found)


def _gain(turn: _Turn, track: int) -> Message:
    """What the next level of a track brings."""
    level, values = int(turn.own[layout.LEVEL + track]), turn.t.values[track]
    if level == layout.TOP:
        return Message("snakey-dice.at_the_top")
    if values[level + 1] > values[level]:
        return Message("snakey-dice.from_to", n=int(values[level]), more=int(values[level + 1]))
    return Message("snakey-dice.to_level", n=level + 1)


def _asked(turn: _Turn, state: State) -> Message:
    moves = {move.text.partition(":")[0] for move in state.legal_moves()}
    if "escape" in moves:
        return Message("snakey-dice.ask.escape")
    if "crash" in moves:
        return Message("snakey-dice.ask.crash")
    return Message("snakey-dice.ask.use")


def _uses(turn: _Turn, state: State) -> tuple[Action, ...]:
    """Forward, left, right and blockades as long as there are such dice; escape, crash and end where they are
    possible."""
    moves = {move.text for move in state.legal_moves()}
    found = []
    names = dict.fromkeys(_USING[use] for use in USES if use[0] in turn.hand)
    for name, icon in names:
        label = Message(f"snakey-dice.do.{name}")
        if name == "blockade":
            label = Message("snakey-dice.make_blockades", n=1 if turn.t.solo else 2)
        found.append(Action(name, label, icon, ask=Message("snakey-dice.choose.use")))
    others: tuple[tuple[str, Icon], ...] = (("escape", "escape"), ("crash", "crash"), ("end", "go-on"))
    found += [Action(name, Message(f"snakey-dice.do.{name}"), icon) for name, icon in others if name in moves]
    return tuple(found)


# ---- the moves


def move_targets(state: State) -> tuple[Target, ...]:
    """Every legal move: the dice, the square, or the line of the sheet to point at, its action, and what it does.

    A move about several dice names them all; of dice that show the same face it names the first ones, and of
    sixes the unlocked ones where only those can be meant."""
    if state.player is None or state.player < 0:
        return ()
    turn = _Turn(state)
    return tuple(_target(turn, state, move.text) for move in state.legal_moves())


def _target(turn: _Turn, state: State, text: str) -> Target:
    word, _, rest = text.partition(":")
    sheet = f"sheet/{turn.seat}"
    if word == "start":
        return _start(turn, text, rest)
    if word in ("reroll", "reroll!"):
        via = f"{sheet}/once/reroll" if word.endswith("!") else f"{sheet}/reroll"
        label = Message("snakey-dice.reason.rerolls", n=len(rest))
        return Target(text, turn.dice(rest, True), via=(via,), label=label, action="reroll")
    if word == "flip":
        label = Message("snakey-dice.reason.flips", face=int(rest), other=7 - int(rest))
        return Target(text, turn.dice(rest, True), via=(f"{sheet}/flip",), label=label, action="flip")
    if word in ("unlock", "unlock!"):
        via = f"{sheet}/once/unlock" if word.endswith("!") else f"{sheet}/unlock"
        label = Message("snakey-dice.unlocks_six")
        return Target(text, turn.dice("6"), via=(via,), label=label, action="unlock")
    if word == "ignore":
        return _ignore(turn, text, rest)
    if word == "use":
        return _use(turn, text, rest)
    if word == "bonus":
        return Target(text, (f"{sheet}/once/{rest}",), action=f"bonus/{rest}")
    if word == "level":
        return Target(text, (f"{sheet}/{rest}",), label=_more_dice(turn, rest), action=f"raise/{rest}")
    if word == "escape":
        return _escape(turn, state, text)
    label = Message("snakey-dice.reason.crashes" if word == "crash" else "snakey-dice.reason.ends")
    return Target(text, (), label=label, action=word)


def _more_dice(turn: _Turn, track: str) -> Message | str:
    """The dice that raising a track adds, if it does: the highest level says how many are rolled."""
    levels = [int(turn.own[layout.LEVEL + n]) for n in range(len(TRACKS))]
    level = levels[TRACKS.index(track)] + 1
    if level <= max(levels):
        return ""
    return Message("snakey-dice.dice_a_turn", n=int(turn.t.values[layout.DICE_ROW, level]))


def _start(turn: _Turn, text: str, rest: str) -> Target:
    square, _, way = rest.partition(":")
    number = WAYS.index(way)
    starts = turn.t.squares[: turn.t.starts, layout.START_PLACE].tolist()
    x, y = next(place_at(turn.t, place) for place in starts if square_name(turn.t, place) == square)
    dx, dy = STEPS[number]
    trace = ((x - 0.3 * dx, y - 0.3 * dy), (x, y), (x + 0.8 * dx, y + 0.8 * dy))
    return Target(
        text,
        (square,),
        turn=number,
        label=Message("snakey-dice.begins_on", square=square),
        action=f"begin/{way}",
        trace=trace,
    )


def _ignore(turn: _Turn, text: str, rest: str) -> Target:
    if not rest:  # the button says how many dice there are
        return Target(text, (), action="go-on")
    label = Message("snakey-dice.leaves_dice", n=len(turn.hand) - len(rest))
    return Target(text, turn.dice(rest), label=label, action="ignore")


def _use(turn: _Turn, text: str, rest: str) -> Target:
    name, _ = _USING[rest]
    if rest == "6":
        label = Message("snakey-dice.where_dice_fall")
        return Target(text, turn.dice("6"), turn=USES.index(rest), label=label, action=name)
    front = int(turn.own[layout.FRONT])
    ahead = turn.square(front)
    eaten = int(turn.array[turn.t.board + front]) == layout.POWER_UP
    label = Message("snakey-dice.reason.eats" if eaten else "snakey-dice.reason.goes", square=ahead[0])
    use = USES.index(rest)
    trace = way_through_front(turn.t, turn.array, use)
    return Target(text, turn.dice(rest[0]), turn=use, via=ahead, label=label, action=name, trace=trace)


def _escape(turn: _Turn, state: State, text: str) -> Target:
    after = state.play(text).array()
    at = layout.SEAT_WORDS_AT + turn.seat * layout.SEAT_WORDS
    spent = {
        name: int(turn.own[layout.ACTIONS + kind]) - int(after[at + layout.ACTIONS + kind])
        for kind, name in enumerate(KINDS)
    }
    landing = turn.square(int(after[at + layout.FRONT]))
    label = Message("snakey-dice.reason.escapes", price=price(spent["jump"], spent["portal"]))
    return Target(text, (), via=landing, label=label, action="escape")
