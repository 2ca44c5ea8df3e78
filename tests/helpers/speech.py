"""Everything that the server can say to a player, gathered by making it say it."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import snakeden
from snakeden import agents
from snakeden.agents import Choice, Reasons
from snakeden.core.errors import BadOption, IllegalMove
from snakeden.core.game import CHANCE
from snakeden.core.moves import Move
from snakeden.core.registry import games
from snakeden.core.state import State, new_game
from snakeden.search.thinking import Line
from snakeden.server.errors import SENTENCES

SOURCE = Path(snakeden.__file__).parent
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
    ("schlangennest", {"nest": "2x2"}),
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


def gathered() -> set[str]:
    """All of it."""
    said: set[str] = set()
    for game in games().values():
        said |= {game.blurb, game.credits}
        said |= {text for o in game.options for text in (o.help, o.name.replace("_", " "), o.allowed())}
        said |= {choice for o in game.options if o.kind == "choice" for choice in o.choices}
    for name, options in VARIANTS:
        said.update(_of_a_game(new_game(name, **options), random.Random(f"{name} {options}")))
    said.update(_of_bad_options())
    said.update(_of_advice())
    return said


def _of_a_game(first: State, dice: random.Random) -> Iterator[str]:
    for state, last in _positions(first, dice):
        yield from _of_a_position(state, last, dice)
        yield from _of_refused_moves(state, dice)
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


def moves_in_words() -> set[str]:
    """Moves of games whose notation is made of words."""
    first = [new_game("snakey-dice"), new_game("snakey-dice", players=3, map="pinwheel")]
    tables = [(state.variant.tables, state.variant.game.notation.text) for state in first]
    return {text(t, code) for t, text in tables for code in range(t.actions)}


def _of_a_position(state: State, last: str | None, dice: random.Random) -> Iterator[str]:
    view = state.variant.game.view
    scene = view.scene(state, last_move=last, names=NAMES[: state.seats])
    yield scene.title
    for panel in scene.panels:
        yield panel.title
        yield from panel.lines
        for layer in panel.layers:
            for item in layer.items:
                yield from _of_an_item(item)
    yield from (text for target in view.move_targets(state) for text in (target.label, target.warning))
    prompt = view.prompt(state)
    yield from (prompt.text, *prompt.steps)
    yield from (text for action in prompt.actions for text in (action.label, action.note, action.ask))
    if state.player is not None and state.player >= 0:
        for move in dice.sample(state.legal_moves(), 1):
            yield from agents.effects(state, move, NAMES[: state.seats])


def _of_an_item(item: Any) -> Iterator[str]:
    held = {field.name: getattr(item, field.name) for field in fields(item)}
    yield held.get("title", "")
    if type(item).__name__ == "Label":
        yield item.text
    for part in held.get("items", ()):
        yield from _of_an_item(part)


def _of_refused_moves(state: State, dice: random.Random) -> Iterator[str]:
    """Why moves cannot be played here, readable and not."""
    tables, text = state.variant.tables, state.variant.game.notation.text
    tried = [text(tables, dice.randrange(tables.actions)) for _ in range(30)]
    for move in (*tried, *UNREADABLE[state.game]):
        try:
            state.move(move)
        except IllegalMove as error:
            yield str(error)


def fault_codes(game: str) -> dict[str, int]:
    """A game's reasons why a move is not legal, by name."""
    from snakeden.games.schlangennest import crowding, moves
    from snakeden.games.snakey_dice import layout
    from snakeden.games.snekagon import faults

    def named(module: Any, first: str, last: str) -> dict[str, int]:
        names = [name for name in vars(module) if name.isupper()]
        return {name: getattr(module, name) for name in names[names.index(first) : names.index(last) + 1]}

    if game == "snakey-dice":
        return named(layout, "NOT_NOW", "ROLLED_AGAIN")
    if game == "schlangennest":
        crowded = named(crowding, "THREE_SNAKES", "NO_CURVE")
        return named(moves, "NOT_YOURS", "TOO_FAR") | {n: moves.CROWDED + c for n, c in crowded.items()}
    return named(faults, "TILE_USED", "HEADING_LOST")


def _of_all_faults(state: State) -> Iterator[str]:
    """What is said for each reason there is, with whatever it may be about."""
    tables, array = state.variant.tables, state.array()
    explain = state.variant.game.notation.explain
    for name, code in fault_codes(state.game).items():
        told = []
        for about in ((a, b) for a in range(8) for b in (0, 1, 2, 3, 7, 0b000110, 0b010001)):
            try:
                told.append(explain(tables, array, tables.actions // 2, (code, *about)))
            except (IndexError, KeyError):
                continue  # it is never about that
        # A list of nothing is never said.
        told = [text for text in told if "  " not in text and " ," not in text]
        assert told, f"nothing is said of {name}"
        yield from told


def _of_bad_options() -> Iterator[str]:
    for game, options in BAD_OPTIONS:
        try:
            new_game(game, **options)
        except BadOption as error:
            yield str(error)
        else:
            raise AssertionError(f"{game} {options} is possible")


def _of_advice() -> Iterator[str]:
    for name, options in VARIANTS:
        dice = random.Random(name)
        for state, _ in list(_positions(new_game(name, **options), dice))[1::7]:
            if state.player is None or state.player < 0:
                continue
            for agent in ("random", "greedy", "mcts:sims=20"):
                yield from agents.make(agent, seed=1).choose(state).words(state.player)
    small = new_game("snekagon", side=3)
    yield from agents.make("mcts:time=10s").choose(small).words(0)
    move, other = Move(0, "f6"), Move(1, "f7")
    ends = [((0.0, 1.0), (3.0, 4.0)), ((1.0, 0.0), (5.0, 4.0)), ((0.5, 0.5), (4.0, 4.0)), ((1.0,), (71.0,))]
    for wins, scores in ends:
        for proven in (True, False):
            lines = tuple(Line(one, 1, wins, scores, proven, (one, other)) for one in (move, other))
            yield from Choice(move, Reasons(lines, 1234, 1.5, proven)).words(0)
    for ahead in ("wins by 3 at least", "shares the victory at least", "loses by 3 at most"):
        yield f"{move} {ahead}, whatever happens."


# ---- what the source says can be said

_EXAMPLES = {
    "what": "hints",
    "whose": f"{NAMES[0]}'s",
    "both": "your two snakes",
    "name": NAMES[0],
    "rest": "flip",
}
_FRAGMENTS = ("your other", "your two snakes", "two of your snakes", "Player 7")
_MADE = {"_parts": "7 parts", "_cells": "7 cells", "_dice": "7 dice"}


def templates(error: str, *files: str) -> dict[str, str]:
    """The texts of these errors in the source, each as a regular expression and as an example."""
    found = {}
    for file in files:
        for path in sorted(SOURCE.glob(file)):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                name = node.func if isinstance(node, ast.Call) else None
                if isinstance(node, ast.Call) and error in (
                    getattr(name, "id", ""),
                    getattr(name, "attr", ""),
                ):
                    text = node.args[-1] if node.args else None
                    if isinstance(text, ast.JoinedStr | ast.Constant) and isinstance(
                        getattr(text, "value", ""), str
                    ):
                        pattern, example = _written(text)
                        found[pattern] = example
    return found


def refusals() -> list[str]:
    """An example of every sentence with which the server refuses something, but those that others have said."""
    return [
        re.sub(r"\{(\w+)\}", lambda gap: _EXAMPLES.get(gap[1], "7"), sentence)
        for sentence in SENTENCES.values()
        if sentence != "{reason}"
    ]


def _written(text: ast.JoinedStr | ast.Constant) -> tuple[str, str]:
    parts = text.values if isinstance(text, ast.JoinedStr) else [text]
    pattern, example = "", ""
    for part in parts:
        if isinstance(part, ast.Constant):
            pattern, example = pattern + re.escape(str(part.value)), example + str(part.value)
        else:
            value = part.value if isinstance(part, ast.FormattedValue) else part
            pattern, example = pattern + ".*", example + _instance(value)
    return pattern, example


def _instance(value: ast.expr) -> str:
    """Something that could stand for this in a sentence."""
    if isinstance(value, ast.IfExp) and isinstance(value.orelse, ast.Constant):
        return str(value.orelse.value)
    if isinstance(value, ast.Call):
        return _MADE.get(getattr(value.func, "id", ""), "7")
    if isinstance(value, ast.Subscript) and getattr(value.value, "id", "") == "names":
        return NAMES[0]
    return _EXAMPLES.get(getattr(value, "id", ""), "7")


def deeds() -> list[str]:
    """An example of everything that moves can be said to do."""
    found = []
    for file in ("games/*/reasons.py", "agents/effects.py"):
        for path in sorted(SOURCE.glob(file)):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            apart: set[ast.AST] = set()  # what is no text by itself: documentation, and parts of other texts
            for node in ast.walk(tree):
                if isinstance(node, ast.Expr):
                    apart.add(node.value)
                elif isinstance(node, ast.JoinedStr):
                    apart |= {*ast.walk(node)} - {node}
            for node in ast.walk(tree):
                if isinstance(node, ast.JoinedStr | ast.Constant) and node not in apart:
                    example = _written(node)[1].replace("turns a flip", "turns a 3")
                    found += [example] if re.search(r"\w{3,} ", example) else []
    return [text for text in found if text not in _FRAGMENTS]


def words_of(text: str) -> set[str]:
    """The words of a text that are in some language: no names, moves, or values in quotes."""
    told = re.sub(r"'[^' ]*'", " ", text)
    for name in NAMES:
        told = told.replace(name, " ")
    found = set()
    for token in told.split():
        word = token.strip(".,;:()–“„")
        if len(word) > 2 and re.fullmatch(r"[^\W\d_]+(?:-[^\W\d_]+)*", word):
            found.add(word.lower())
    return found


__all__ = [
    "BAD_OPTIONS",
    "NAMES",
    "deeds",
    "fault_codes",
    "gathered",
    "moves_in_words",
    "refusals",
    "templates",
    "words_of",
]
