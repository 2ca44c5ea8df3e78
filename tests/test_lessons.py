"""Lessons: every step's right and wrong answers, played through the rules."""

from __future__ import annotations

import pytest

from snakeden import lessons
from snakeden.core.errors import IllegalMove
from snakeden.core.registry import games
from snakeden.words import catalogue, languages

STEPS = [(lesson, number) for lesson in lessons.lessons() for number in range(len(lesson.steps))]


def test_every_game_has_a_lesson() -> None:
    assert {lesson.game for lesson in lessons.lessons()} == set(games())
    assert lessons.find("nothing") is None


@pytest.mark.parametrize(
    ("lesson", "number"),
    STEPS,
    ids=[f"{lesson.id}-{lesson.steps[number].text.key}" for lesson, number in STEPS],
)
def test_a_step_has_right_answers_and_tells_wrong_ones(lesson: lessons.Lesson, number: int) -> None:
    step = lesson.steps[number]
    state = step.state(lesson.game)
    assert state.player == 0, "the visitor plays seat 0"
    answers = [lessons.answer(lesson, step, move) for move in state.legal_moves()]
    right = [answer.right for answer in answers]
    assert any(right)
    assert all(right) == (not step.goal)
    # Right or wrong: the page says what the move did.
    assert all(answer.does for answer in answers)
    with pytest.raises(IllegalMove):
        lessons.answer(lesson, step, "nonsense")


def test_right_answers_say_what_they_did() -> None:
    lesson = lessons.find("snekagon")
    assert lesson is not None
    step = next(step for step in lesson.steps if step.text.key.endswith(".join"))
    right = [
        found
        for move in step.state(lesson.game).legal_moves()
        if (found := lessons.answer(lesson, step, move)).right
    ]
    assert all(any("joins" in effect.key for effect in found.does) for found in right)


@pytest.mark.parametrize("language", languages())
def test_lessons_are_told_in_every_language(language: str) -> None:
    said = catalogue(language)
    for lesson in lessons.lessons():
        assert lesson.title.key in said
        for step in lesson.steps:
            assert step.text.key in said
