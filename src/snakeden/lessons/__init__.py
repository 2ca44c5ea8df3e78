"""Lessons: a game learnt by doing, one idea a step. A lesson is data: positions, goals and the keys of its texts.

>>> from snakeden import lessons
>>> lesson = lessons.find("snekagon")
>>> lesson.game, len(lesson.steps) > 3
('snekagon', True)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from snakeden import agents
from snakeden.core.moves import MoveLike
from snakeden.core.state import State, new_game
from snakeden.words import Message

_FOLDER = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Step:
    """One idea: a position, and what is to be done in it."""

    text: Message
    """What is said before."""
    moves: tuple[str, ...]
    """What was played before."""
    goal: tuple[str, ...]
    """Endings of the keys of effects, of which the move must have one, such as `joins_two`; a move's text stands for
    itself, and nothing at all means that every move will do."""
    options: Mapping[str, Any] = field(default_factory=dict)

    def state(self, game: str) -> State:
        state = new_game(game, **self.options)
        for move in self.moves:
            state = state.play(move)
        return state


@dataclass(frozen=True)
class Lesson:
    """Steps, and a small game at the end."""

    id: str
    game: str
    steps: tuple[Step, ...]
    then: Mapping[str, Any]
    """The options of the small game against the easiest level."""

    @property
    def title(self) -> Message:
        return Message(f"lesson.{self.id}.title")


@dataclass(frozen=True)
class Answer:
    """What a move in a step is worth."""

    right: bool
    does: tuple[Message, ...]
    """What it did, in the game's words."""
    after: State


def answer(lesson: Lesson, step: Step, move: MoveLike) -> Answer:
    """Judge a move in a step; raises IllegalMove."""
    state = step.state(lesson.game)
    chosen = state.move(move)
    does = agents.effects(state, chosen)
    kinds = [effect.key for effect in does]
    right = not step.goal or any(
        goal == chosen.text or any(kind.endswith(f".{goal}") for kind in kinds) for goal in step.goal
    )
    return Answer(right, does, state.play(chosen))


@cache
def lessons() -> tuple[Lesson, ...]:
    """All lessons, in the order to take them."""
    names = json.loads((_FOLDER / "order.json").read_text(encoding="utf-8"))
    return tuple(_read(name) for name in names)


def find(name: str) -> Lesson | None:
    """The lesson of this name, if there is one."""
    return next((lesson for lesson in lessons() if lesson.id == name), None)


def _read(name: str) -> Lesson:
    held = json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    steps = tuple(
        Step(
            Message(f"lesson.{name}.{step['text']}"),
            tuple(step["moves"].split()),
            tuple(step["goal"]),
            {**held["options"], **step.get("options", {})},
        )
        for step in held["steps"]
    )
    return Lesson(name, held["game"], steps, held["then"])
