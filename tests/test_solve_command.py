"""`snakeden solve`, as people call it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import snakeden
from snakeden.cli import main
from snakeden.records import record


@pytest.fixture
def game(tmp_path: Path) -> Path:
    start = state = snakeden.new_game("snekagon", side=3)
    moves = []
    while not state.is_over:
        moves.append(state.legal_moves()[-1])
        state = state.play(moves[-1])
    path = tmp_path / "game.txt"
    path.write_text(record(start, moves).write())
    return path


def test_a_first_position_is_solved(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--game", "snekagon", "--set", "side=3"]) == 0
    assert "seat 1 wins by 1" in capsys.readouterr().out


def test_a_position_of_a_record_is_solved(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(game), "--at", "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["solved"]
    assert found["value"] == found["scores"][0] - found["scores"][1]
    assert found["line"][0] == found["move"]


def test_a_finished_game_has_the_value_of_its_scores(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(game), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["line"], found["move"]) == ([], None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "say what to solve"),
        (["nowhere.txt"], "cannot be read"),
        (["--game", "snekagon-5g", "--set", "players=3"], "two players without dice"),
        (["--game", "snakey-dice", "--set", "players=2"], "two players without dice"),
        (["--game", "snekagon", "--at", "2"], "goes with a record"),
        (["--game", "snekagon", "--memory", "0"], "give megabytes"),
    ],
)
def test_mistakes_are_told_in_words(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", *arguments]) == 2
    assert message in capsys.readouterr().err
