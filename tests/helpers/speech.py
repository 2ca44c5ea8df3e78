"""What games and agents say to a player, gathered by making them say it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from snakeden import agents
from snakeden.agents import Choice, Reasons
from snakeden.core.errors import BadOption, IllegalMove
from snakeden.core.game import CHANCE
from snakeden.core.moves import Move
from snakeden.core.registry import games
from snakeden.core.state import State, new_game
from snakeden.search.thinking import Line
from snakeden.words import Message

NAMES = ("Xaver", "Yvonna Zed", "Quido", "Wanda", "Vojta")
"""Players whose names are no words of any language here."""

VARIANTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("snekagon", {"side": 4}),
    ("snekagon-5g", {"players": 3, "side": 5, "advanced": True}),
    ("schlangennest", {"players": 4}),
    ("schlangennest", {"snakes": 2}),
    ("schlangennest", {"border": "fence"}),
    ("schlangennest", {"border": "frame", "tail_first": True}),
    ("snakey-dice", {}),
    ("snakey-dice", {"players": 3, "map": "pinwheel"}),
)

BAD_OPTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("snekagon", {"side": 9}),
    ("snekagon", {"second_single": 3}),
    ("snekagon-5g", {"snakes": ["mamba"]}),
    ("snekagon-5g", {"snakes": ["adder", "mamba"]}),
    ("schlangennest", {"nest": "1x2"}),
    ("schlangennest", {"border": "hedge"}),
    ("schlangennest", {"snakes": 2, "players": 3}),
    ("schlangennest", {"cards_per_turn": 1}),
    ("schlangennest", {"nest": "5x7", "border": "none"}),
    ("schlangennest", {"border": "fence", "players": 4}),
    ("schlangennest", {"border": "frame", "players": 3}),
    ("schlangennest", {"border": "fence", "nest": "3x3"}),
    ("snakey-dice", {"map": "pinwheel"}),
    ("snakey-dice", {"players": 2, "map": 7}),
    *(
        ("snakey-dice", {"players": players, "map": f"{rolled}:{'/'.join(rows)}"})
        for players, rolled, rows in (
            (3, "0,0", ["S" + "." * 9 + "S", *["." * 11] * 10]),
            (2, "0,0", ["S" + "." * 10, *["." * 11] * 10]),
            (2, "0,0", ["S.", ".S"]),
            (2, "0,0", ["S.", *["." * 11] * 10]),
            (2, "0,0", ["S" + "x" * 10, *["." * 11] * 10]),
            (2, "0,0", ["." * 11] * 11),
            (2, "99,99", ["S" + "." * 9 + "S", *["." * 11] * 10]),
        )
    ),
)

UNREADABLE = {
    "snekagon": ("f", "z9", "a1-a1", "a1-c3", "a1-a2-b2", "a1-a2-a3-a4-b5-c6"),
    "snekagon-5g": ("f6", "9:a1", "1:z9", "1:a1-a1", "1:a1-c3", "1:a1-a2-b2", "1:g2", "1:a1/9", "1:a1/1"),
    "schlangennest": ("S", "S(0,0)NE", "S(99,0)EW", "9:S(0,0)EW", "0:S(0,0)EW", "0:S(0,0)NE", "0:S(99,0)EW"),
    "snakey-dice": (
        *("ho", "reroll:7", "ignore:1111", "reroll:", "square:x", "square:99,99", "start:7,7:up"),
        *("start:2,2:in", "start:3,3:in", "flip:9", "bonus:tail", "use:7", "level:skill"),
    ),
}


def gathered() -> set[Message]:
    """All of it."""
    said: set[Message] = set()
    for game in games().values():
        said |= {game.blurb, game.credits}
        said |= {
            text for o in game.options for text in (o.help, o.label, o.allowed()) if isinstance(text, Message)
        }
    for name, options in VARIANTS:
        said.update(_of_a_game(new_game(name, **options), random.Random(f"{name} {options}")))
    said.update(_of_bad_options())
    said.update(_of_advice())
    return said


def messages_in(value: Any) -> Iterator[Message]:
    """A message and those that stand in it."""
    if isinstance(value, Message):
        yield value
        for held in value.args.values():
            yield from messages_in(held)
    elif isinstance(value, tuple):
        for part in value:
            yield from messages_in(part)


def _of_a_game(first: State, dice: random.Random) -> Iterator[Message]:
    for state, last in _positions(first, dice):
        yield from _of_a_position(state, last, dice)
        yield from _of_any_moves(state, dice)
    yield from _of_all_faults(first)


def _positions(first: State, dice: random.Random) -> Iterator[tuple[State, str | None]]:
    """Positions of a random game, the last one among them."""
    state, last = first, None
    while True:
        if dice.random() < 0.3 or state.is_over or last is None:
            yield state, last
        if state.is_over:
            return
        chosen = state.roll(dice) if state.player == CHANCE else dice.choice(state.legal_moves())
        state, last = state.play(chosen), str(chosen)


def _of_a_position(state: State, last: str | None, dice: random.Random) -> Iterator[Message]:
    view = state.variant.game.view
    scene = view.scene(state, last_move=last)
    yield from _texts(scene)
    yield from _texts(view.move_targets(state))
    yield from _texts(view.prompt(state))
    if state.player is not None and state.player >= 0:
        for move in dice.sample(state.legal_moves(), 1):
            yield from agents.effects(state, move)


def _texts(held: Any) -> Iterator[Message]:
    """The messages anywhere in a scene."""
    if isinstance(held, Message):
        yield held
    elif isinstance(held, tuple):
        for part in held:
            yield from _texts(part)
    elif is_dataclass(held):
        for field in fields(held):
            yield from _texts(getattr(held, field.name))


def _of_any_moves(state: State, dice: random.Random) -> Iterator[Message]:
    """How moves are said, and why some cannot be played here, readable and not."""
    tables, text = state.variant.tables, state.variant.game.notation.text
    tried = [text(tables, dice.randrange(tables.actions)) for _ in range(30)]
    if spoken := getattr(state.variant.game.notation, "spoken", None):
        yield from map(spoken, tried)
    for move in (*tried, *UNREADABLE[state.game]):
        try:
            state.move(move)
        except IllegalMove as error:
            assert isinstance(error.message, Message)
            yield error.message


def fault_codes(game: str) -> dict[str, int]:
    """A game's reasons why a move is not legal, by name."""
    from snakeden.games.schlangennest.kernels import crowding, moves
    from snakeden.games.snakey_dice.kernels import layout
    from snakeden.games.snekagon.kernels import faults

    def named(module: Any, first: str, last: str) -> dict[str, int]:
        names = [name for name in vars(module) if name.isupper()]
        return {name: getattr(module, name) for name in names[names.index(first) : names.index(last) + 1]}

    if game == "snakey-dice":
        return named(layout, "NOT_NOW", "ROLLED_AGAIN")
    if game == "schlangennest":
        crowded = named(crowding, "THREE_SNAKES", "NO_CURVE")
        return named(moves, "NOT_YOURS", "TOO_FAR") | {n: moves.CROWDED + c for n, c in crowded.items()}
    return named(faults, "TILE_USED", "HEADING_LOST")


def _of_all_faults(state: State) -> Iterator[Message]:
    """What is said for each reason there is, with whatever it may be about."""
    tables, array = state.variant.tables, state.array()
    explain = state.variant.game.notation.explain
    for name, code in fault_codes(state.game).items():
        explained = []
        for about in ((a, b) for a in range(8) for b in (0, 1, 2, 3, 7, 0b000110, 0b010001)):
            try:
                explained.append(explain(tables, array, tables.actions // 2, (code, *about)))
            except (IndexError, KeyError):
                continue  # it is never about that
        # A list of nothing is never said.
        explained = [
            one
            for one in explained
            if not any(held == () for m in messages_in(one) for held in m.args.values())
        ]
        assert explained, f"nothing is said of {name}"
        yield from explained


def _of_bad_options() -> Iterator[Message]:
    for game, options in BAD_OPTIONS:
        try:
            new_game(game, **options)
        except BadOption as error:
            assert isinstance(error.message, Message)
            yield error.message
        else:
            raise AssertionError(f"{game} {options} is possible")


def _of_advice() -> Iterator[Message]:
    for name, options in VARIANTS:
        dice = random.Random(name)
        met = [state for state, _ in _positions(new_game(name, **options), dice)]
        chosen = [state for state in met if state.player is not None and state.player >= 0]
        # Wins at once are seen in the last position, if anywhere.
        yield from agents.make("greedy:solver=yes").choose(chosen[-1]).words(chosen[-1].player or 0)
        for state in met[1::7]:
            if state.player is None or state.player < 0:
                continue
            for agent in ("random", "greedy", "greedy:sees=2,solver=yes", "mcts:sims=20"):
                yield from agents.make(agent, seed=1).choose(state).words(state.player)
    small = new_game("snekagon", side=3)
    yield from agents.make("mcts:time=10s").choose(small).words(0)
    move, other = Move(0, "f6"), Move(1, "f7")
    ends = [((0.0, 1.0), (3.0, 4.0)), ((1.0, 0.0), (5.0, 4.0)), ((0.5, 0.5), (4.0, 4.0)), ((1.0,), (71.0,))]
    for wins, scores in ends:
        for proven in (True, False):
            lines = tuple(Line(one, 1, wins, scores, proven, (one, other)) for one in (move, other))
            yield from Choice(move, Reasons(lines, 1234, 1.5, proven)).words(0)


def words_of(text: str) -> set[str]:
    """The words of a text that are in some language: no names, moves, or values in quotes."""
    bare = re.sub(r"'[^' ]*'", " ", text)
    for name in NAMES:
        bare = bare.replace(name, " ")
    found = set()
    for token in bare.split():
        word = token.strip(".,;:()–“„")
        if len(word) > 2 and re.fullmatch(r"[^\W\d_]+(?:-[^\W\d_]+)*", word):
            found.add(word.lower())
    return found


__all__ = ["BAD_OPTIONS", "NAMES", "fault_codes", "gathered", "messages_in", "words_of"]
