"""Analyses of played games: what moves gave away, and how it is shown."""

from __future__ import annotations

import json
import random
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import snakeden
from snakeden import agents, analysis
from snakeden.analysis.measure import CHANCES, MARKS, POINTS, mark_of
from snakeden.analysis.report import summary
from snakeden.cli import main
from snakeden.core.game import CHANCE
from snakeden.core.moves import Move
from snakeden.nets.evaluator import NetEvaluator
from snakeden.nets.inputs import BadNet
from snakeden.records import Record, record
from snakeden.search.evaluators import Evaluation
from snakeden.search.solver import Solver


def best_play() -> list[str]:
    start = snakeden.new_game("snekagon", side=3)
    return [move.text for move in Solver(start).solve(start).line]


def spoilt_play() -> tuple[list[str], int]:
    """A solved game in which one move turns a win into something else, and which move that is."""
    moves = best_play()
    start = state = snakeden.new_game("snekagon", side=3)
    solver = Solver(start)
    for ply, move in enumerate(moves):
        seat = state.player
        for other in state.legal_moves():
            value = solver.solve(state.play(other)).value
            if seat == 1 and value >= 0:
                rest = solver.solve(state.play(other)).line
                return [*moves[:ply], other.text, *(one.text for one in rest)], ply
        state = state.play(move)
    raise AssertionError("no move of the winner loses")


def game(moves: list[str]) -> Record:
    return record(snakeden.new_game("snekagon", side=3), moves, seats=("Ada", "Bo"))


def test_best_play_gives_nothing_away() -> None:
    found = analysis.analyse(game(best_play()), simulations=2000)
    assert all(ply.mark == "best" for ply in found.plies if ply.move)
    assert all(ply.value and ply.value.wins == (0.0, 1.0) and ply.value.proven for ply in found.plies[3:])


def test_the_move_that_loses_a_won_game_is_a_blunder() -> None:
    moves, spoilt = spoilt_play()
    found = analysis.analyse(game(moves), simulations=20_000)
    ply = found.plies[spoilt]
    assert (ply.mark, ply.player) == ("blunder", 1)
    assert ply.given_away in (0.5, 1.0)
    assert ply.proof is not None
    assert ply.proof.key == "analysis.proof.wins"
    assert [one.number for one in found.plies if one.mark == "blunder"] == [spoilt]
    assert found.marks(1)["blunder"] == 1


def test_of_a_level_it_is_told_what_it_would_have_played() -> None:
    moves, spoilt = spoilt_play()
    start = snakeden.new_game("snekagon", side=3)
    told = {}
    for name in ("level:2", "Bo"):
        found = analysis.analyse(record(start, moves, seats=("Ada", name)), simulations=2000)
        told[name] = "\n".join(summary(found))
        best = found.plies[spoilt].candidates[0].move
    assert f"level:2 at its best: {spoilt + 1}. {best} instead of {moves[spoilt]}" in told["level:2"]
    assert "at its best" not in told["Bo"]


def test_a_single_look_is_what_the_whole_analysis_says() -> None:
    played = game(spoilt_play()[0])
    whole = analysis.analyse(played, simulations=300)
    alone = analysis.analyse_ply(played, 4, simulations=300)
    assert alone.data() == whole.plies[4].data()
    with pytest.raises(ValueError, match="no ply 99"):
        analysis.analyse_ply(played, 99)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many positions networks were asked about, call by call."""
    pytest.importorskip("onnxruntime")
    counts: list[int] = []
    ask = NetEvaluator.__call__

    def counted(net: NetEvaluator, positions: NDArray[Any]) -> Evaluation:
        counts.append(len(positions))
        return ask(net, positions)

    monkeypatch.setattr(NetEvaluator, "__call__", counted)
    return counts


def test_a_network_looks_at_a_game_and_again_at_one_of_its_positions(asked: list[int]) -> None:
    start = state = snakeden.new_game("snekagon")
    moves: list[Move] = []
    for _ in range(4):
        moves.append(state.legal_moves()[-1])
        state = state.play(moves[-1])
    played = record(start, moves)
    without = analysis.analyse_ply(played, 2, simulations=30)
    assert not asked
    whole = analysis.analyse(played, simulations=30, net=True)
    assert sum(asked) > 3 * 30
    assert whole.net
    alone = analysis.analyse_ply(played, 2, simulations=30, net=True)
    assert alone.data() == whole.plies[2].data()
    assert alone.value != without.value


def test_where_no_network_serves_that_is_said() -> None:
    start = snakeden.new_game("schlangennest", snakes=2)
    with pytest.raises(BadNet, match="does not know"):
        analysis.analyse(record(start, []), net=True)


def test_moves_with_dice_are_measured_before_the_dice_fall() -> None:
    """The same move has the same mark whatever was rolled after it."""
    start = snakeden.new_game("snakey-dice")
    moves = [f"square:{one}" for one in ("3,3", "5,6", "6,5", "8,9", "9,8", "6,9")]
    moves += ["start:2,2:right", "dice:16", "ignore:1", "use:6"]
    looks = [
        analysis.analyse_ply(record(start, [*moves, f"square:{square}"]), 9, simulations=200).data()
        for square in ("7,7", "3,2")
    ]
    assert looks[0] == looks[1]


@given(st.floats(0, 1), st.floats(0, 1), st.booleans(), st.booleans())
def test_whoever_gives_more_away_gets_no_better_mark(
    less: float, more: float, best: bool, alone: bool
) -> None:
    less, more = sorted((less, more))
    scale = 20 if alone else 1
    marks = [MARKS.index(mark_of(scale * one, is_best=best, alone=alone)) for one in (less, more)]
    assert marks[0] <= marks[1]


def test_the_thresholds_belong_to_the_worse_mark() -> None:
    for alone, table in ((False, CHANCES), (True, POINTS)):
        for name, least in table.items():
            assert mark_of(least, is_best=False, alone=alone) == name
            assert mark_of(least - 1e-6, is_best=False, alone=alone) != name


# ---- the command


class _Pictures(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        names = ("src", "href", "xlink:href")
        self.outside += [value for name, value in attrs if name in names and value and value[0] != "#"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(game(spoilt_play()[0]).write())
    return path


def test_the_command_says_it_in_words_as_data_and_as_a_file_of_its_own(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyse", str(file), "--simulations", "300"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Snekagon: Ada – Bo")
    assert "blunder" in printed
    assert "proven" in printed
    assert main(["analyse", str(file), "--simulations", "300", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["plies"]) == len(spoilt_play()[0]) + 1
    page = tmp_path / "game.html"
    assert main(["analyse", str(file), "--simulations", "300", "--language", "de", "-o", str(page)]) == 0
    read = _Pictures()
    read.feed(page.read_text(encoding="utf-8"))
    assert {"polygon", "figure", "table"} <= set(read.tags)
    assert [one for one in read.outside if not one.startswith("data:")] == []
    assert "grober Fehler" in page.read_text(encoding="utf-8")


def test_the_command_thinks_with_a_network(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], asked: list[int]
) -> None:
    page = tmp_path / "game.html"
    assert main(["analyse", str(file), "--net", "--json", "-o", str(page)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["net"], found["simulations"]) == (True, 200)
    assert "The game's network evaluated positions." in page.read_text(encoding="utf-8").replace(
        "&#x27;", "'"
    )
    assert asked
    asked.clear()
    assert main(["analyse", str(file), "--simulations", "50", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["net"], found["simulations"]) == (False, 50)
    assert not asked


def test_mistakes_on_the_command_line_are_explained(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments, said in (
        (["analyse", str(tmp_path / "none.txt")], "there is no file"),
        (["analyse", str(file), "--simulations", "0"], "--simulations 0"),
        (["analyse", str(file), "-o", str(tmp_path / "no" / "page.html")], "there is no folder"),
    ):
        assert main(arguments) == 2
        assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "options"), [("schlangennest", {}), ("snekagon-5g", {"side": 4}), ("snakey-dice", {})]
)
def test_every_game_is_analysed(name: str, options: dict[str, int]) -> None:
    dice = random.Random(2)
    start = state = snakeden.new_game(name, **options)
    player = agents.make("greedy", seed=1)
    moves: list[Move] = []
    while not state.is_over and len(moves) < 24:
        move = state.roll(dice) if state.player == CHANCE else player.choose(state).move
        moves.append(move)
        state = state.play(move)
    found = analysis.analyse(record(start, moves), simulations=20)
    assert [ply.move for ply in found.plies if ply.move] == [move.text for move in moves]
    assert all(ply.mark for ply in found.plies if ply.player is not None and ply.move)
