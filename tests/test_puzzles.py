"""Puzzles: how they are found, proven and judged."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

import snakeden
from snakeden import puzzles
from snakeden.cli import main
from snakeden.core.game import CHANCE
from snakeden.core.state import State
from snakeden.games.snakey_dice.turns import turn_begins
from snakeden.puzzles.expectation import TooMany, Value, rounded, values
from snakeden.puzzles.puzzle import read

SMALL = ("make", "--game", "snekagon", "--set", "side=3", "--seed", "1")


def made(path: Path, count: int, jobs: int = 1) -> list[str]:
    assert main(["puzzles", *SMALL, "--count", str(count), "--jobs", str(jobs), "-o", str(path)]) == 0
    return path.read_text().splitlines()


@pytest.fixture(scope="module")
def made_lines(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return made(tmp_path_factory.mktemp("puzzles") / "small.jsonl", 3)


def test_work_that_was_interrupted_goes_on_to_the_same_end_by_however_many(
    made_lines: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "small.jsonl"
    numbers = [json.loads(line)["number"] for line in made_lines[1:]]
    kept = next(at for at in range(2, len(numbers)) if numbers[at] != numbers[at - 1])
    path.write_text("\n".join(made_lines[: 1 + kept]) + "\n")
    assert made(path, 3, jobs=2) == made_lines


def test_a_file_of_another_seed_is_not_gone_on_with(
    made_lines: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "small.jsonl"
    path.write_text("\n".join(made_lines) + "\n")
    arguments = ["puzzles", "make", "--game", "snekagon", "--count", "3", "--seed", "6", "-o", str(path)]
    assert main(arguments) == 2
    assert "was made by `snakeden puzzles make" in capsys.readouterr().err
    assert path.read_text().splitlines() == made_lines


def test_puzzles_are_proven_and_wrong_ones_are_not(
    made_lines: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "small.jsonl"
    path.write_text("\n".join(made_lines) + "\n")
    assert main(["puzzles", "prove", str(path)]) == 0
    assert "3 of 3 puzzles proven" in capsys.readouterr().out
    puzzle = read(made_lines).puzzles[0]
    other = next(str(move) for move in puzzle.state().legal_moves() if str(move) not in puzzle.solutions)
    assert puzzle.value is not None
    for wrong, said in (
        (replace(puzzle, solutions=(other,)), "what alone wins"),
        (replace(puzzle, value=puzzle.value + 1), f"wins by {puzzle.value}"),
        (replace(puzzle, line=puzzle.line[:-1]), "does not lead to a win"),
    ):
        with pytest.raises(ValueError, match=said):
            puzzles.prove(wrong)


def test_wrong_answers_are_refuted_to_the_end(made_lines: list[str]) -> None:
    for puzzle in read(made_lines).puzzles:
        state = puzzle.state()
        seat = state.player
        right = puzzles.judge(puzzle, puzzle.solutions[0])
        assert right.right
        assert right.states[-1].winners() == (seat,)
        wrong = next(move for move in state.legal_moves() if str(move) not in puzzle.solutions)
        verdict = puzzles.judge(puzzle, wrong)
        assert not verdict.right
        assert verdict.line[0] == wrong
        assert verdict.states[-1].is_over
        assert verdict.states[-1].winners() != (seat,)
        assert verdict.message.key in ("puzzle.loses", "puzzle.draws")


# ---- exact chances


def plainly(state: State) -> Value:
    """The value of a position within a turn, with every outcome looked at by itself."""
    if state.is_over:
        return 0.0, float(state.scores()[0])
    if turn_begins(state):
        return 1.0, float(state.scores()[0])
    if state.player != CHANCE:
        return max((plainly(state.play(move)) for move in state.legal_moves()), key=rounded)
    each = [(probability, plainly(state.play(move))) for move, probability in state.chance_moves()]
    return sum(p * stay for p, (stay, _) in each), sum(p * points for p, (_, points) in each)


def test_outcomes_taken_together_are_worth_the_same() -> None:
    dice = random.Random(3)
    state = snakeden.new_game("snakey-dice")
    compared = 0
    while compared < 12:
        if state.is_over:
            state = snakeden.new_game("snakey-dice")
        if state.player == CHANCE:
            state = state.play(state.roll(dice))
            continue
        moves = state.legal_moves()
        last = [str(move).split(":")[0] for move in moves]
        # Few dice are left and a square will be rolled: the plain way is still quick.
        few = len(moves) <= 3 and set(last) <= {"use", "escape", "crash"}
        if few and "use:6" in map(str, moves):
            try:
                found = values(state, 600)
            except TooMany:
                found = {}
            for move, value in found.items():
                assert plainly(state.play(move)) == pytest.approx(value)
                compared += 1
        state = state.play(dice.choice(moves))


def test_exact_values_are_what_many_games_come_to() -> None:
    """A square is rolled in the only line there is: the points expected are the mean over all squares."""
    state = snakeden.new_game("snakey-dice")
    for square in ("3,3", "5,6", "6,5", "8,9", "9,8", "6,9"):
        state = state.play(f"square:{square}")
    state = state.play("start:2,2:right").play("dice:16").play("ignore:1")
    (move, (stay, points)), *others = values(state, 1000).items()
    assert (str(move), others) == ("use:6", [])
    after = state.play(move)
    mean = sum(chance * after.play(roll).scores()[0] for roll, chance in after.chance_moves())
    assert points == pytest.approx(mean)
    assert stay == pytest.approx(1)  # a blockade ahead can be jumped


def test_bad_files_are_refused_with_the_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.jsonl"
    for text, said in (
        ("", "first line"),
        ("{", "not JSON"),
        ('{"game": "chess", "seed": 1, "command": ""}', "chess"),
    ):
        path.write_text(text)
        assert main(["puzzles", "prove", str(path)]) == 2
        assert said in capsys.readouterr().err
