"""Playing in a terminal: whole games over a pipe, and picking with the arrow keys."""

from __future__ import annotations

import os
import random
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from looping import in_own_thread
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

import snakeden
from snakeden.cli.picker import Picker, pick
from snakeden.cli.session import Session
from snakeden.records import read

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("snekagon", {"side": 4}),
    ("snekagon-5g", {"players": 3, "side": 4}),
    ("schlangennest", {"players": 3}),
    ("snakey-dice", {"players": 2}),
]


def run(arguments: list[str], typed: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "snakeden", *arguments],
        input=typed,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "COLUMNS": "100", **environment},
        timeout=600,
        check=False,
    )


def random_game(game: str, options: dict[str, Any], seed: int) -> tuple[list[str], Session]:
    """What a player types who plays at random, and how the game ends."""
    start = snakeden.new_game(game, **options)
    session = Session(start, {}, tuple(f"Player {i + 1}" for i in range(start.seats)), seed)
    choices = random.Random(seed)
    typed: list[str] = []
    while True:
        list(session.go_on())
        if session.state.is_over:
            return typed, session
        typed.append(session.play(choices.choice(session.state.legal_moves()).text).text)


@pytest.mark.parametrize(("game", "options"), GAMES, ids=str)
def test_a_whole_game_over_a_pipe(game: str, options: dict[str, Any], tmp_path: Path) -> None:
    typed, session = random_game(game, options, seed=3)
    settings = [f"--set={name}={value}" for name, value in options.items()]
    saved = tmp_path / "saved.game"
    done = run(["play", game, *settings, "--seed", "3", "--save", str(saved)], "\n".join(typed) + "\n")
    assert done.returncode == 0, done.stderr
    outcome = session.state.outcome()
    assert outcome is not None
    assert f"The game is over with {' : '.join(map(str, outcome.scores))}." in done.stdout
    record = read(saved.read_text(encoding="utf-8"))
    assert record.check() == session.state
    assert "\x1b" not in done.stdout


def test_the_dialogue_asks_for_game_options_and_opponents() -> None:
    typed = "chess\n1\nside=99\nside=3\n\nnobody\nrandom\nc3\nquit\n"
    done = run(["play", "--seed", "1"], typed)
    assert done.returncode == 0, done.stderr
    assert "There is no 'chess'" in done.stdout
    assert "option side=99 is not possible" in done.stdout
    assert "there is no agent 'nobody'" in done.stdout
    assert "random: " in done.stdout


def test_words_at_the_prompt() -> None:
    typed = "undo\nmoves c\nmoves\nz9\na1-a2\nc3\nundo\nsave\nhelp\npick\nhint\nquit\n"
    done = run(["play", "snekagon", "--set", "side=3"], typed)
    assert done.returncode == 0, done.stderr
    assert "no move of yours to take back" in done.stdout
    assert "5 moves that begin with c:\nc1 c2 c3 c4 c5" in done.stdout
    assert "there is no cell z9" in done.stdout
    assert "the first move of the game must be the one-hex tile" in done.stdout
    assert "save my.game" in done.stdout
    assert "needs a terminal" in done.stdout
    assert re.search(r"[a-e]\d: (a certain|\d+% to win)", done.stdout), (
        "a hint names a move and what it is worth"
    )
    assert re.search(r"[a-e]\d begins a new snake of 1 cell; takes the lead", done.stdout), (
        "and what it does, in the game's words"
    )
    assert done.stdout.count("Player 1 to move") == 2


def test_a_saved_game_is_played_on_and_a_damaged_one_refused(tmp_path: Path) -> None:
    saved = tmp_path / "saved.game"
    run(["play", "snekagon", "--set", "side=3", "--save", str(saved), "--seed", "5"], "c3\n")
    text = saved.read_text(encoding="utf-8")
    assert read(text).moves == ("c3",)
    done = run(["play", "--resume", str(saved)], "a1-a2\n")
    assert "longest snakes Player 1 1, Player 2 2; Player 1 to move" in done.stdout
    assert saved.read_text(encoding="utf-8") == text
    saved.write_text(text.replace("c3", "c3 c3"), encoding="utf-8")
    done = run(["play", "--resume", str(saved)], "")
    assert done.returncode == 2
    assert "line 8: move 2: c3: you have no such tile" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_game_that_ended_by_resignation_is_not_played_on(tmp_path: Path) -> None:
    saved = tmp_path / "saved.game"
    run(["play", "snekagon", "--set", "side=3", "--name", "Ann", "--save", str(saved)], "c3\n")
    text = saved.read_text(encoding="utf-8")
    saved.write_text(text.replace("\n\n", '\n[Withdrawn "0=resignation"]\n\n'), encoding="utf-8")
    done = run(["play", "--resume", str(saved)], "")
    assert done.returncode == 2
    assert "the game is over: Ann resigned" in done.stderr


def test_withdrawals_are_kept_when_a_game_is_played_on(tmp_path: Path) -> None:
    saved = tmp_path / "saved.game"
    options = ["snekagon-5g", "--set", "side=4", "--set", "players=3"]
    run(["play", *options, "--save", str(saved)], "1:d4\n")
    text = saved.read_text(encoding="utf-8")
    saved.write_text(text.replace("\n\n", '\n[Withdrawn "0=resignation"]\n\n'), encoding="utf-8")
    run(["play", "--resume", str(saved), "--save", str(saved)], "moves\n2:d4\n")
    kept = read(saved.read_text(encoding="utf-8"))
    assert len(kept.moves) == 2
    assert kept.withdrawn == ((0, "resignation"),)


def test_the_command_to_play_on_seats_the_engine_again(tmp_path: Path) -> None:
    saved = tmp_path / "my game"
    done = run(
        ["play", "snekagon", "--set=side=3", "--against", "random", "--seat", "1", "--save", str(saved)],
        "quit\n",
    )
    command = shlex.split(done.stdout.splitlines()[-1].partition("Play on with: snakeden ")[2])
    again = run(command, "quit\n")
    assert again.returncode == 0
    assert "Player 2 to move" in again.stdout
    assert again.stdout.splitlines()[-1] == done.stdout.splitlines()[-1]


def test_a_file_that_cannot_be_written_does_not_end_the_game(tmp_path: Path) -> None:
    done = run(["play", "snekagon", "--set=side=3", "--save", str(tmp_path / "no" / "x")], "c3\n")
    assert done.returncode == 2
    assert "there is no folder" in done.stderr
    done = run(["play", "snekagon", "--set=side=3"], "save .\nsave /\nc3\nquit\n")
    assert done.returncode == 0
    assert done.stdout.count("is a folder: name a file in it") == 2
    assert "Player 2 to move" in done.stdout
    (tmp_path / "x.new").mkdir()  # in the way of what is written first
    done = run(["play", "snekagon", "--set=side=3", "--save", str(tmp_path / "x")], "c3\nquit\n")
    assert done.returncode == 0
    assert "The game could not be saved" in done.stdout
    assert "Player 2 to move" in done.stdout


def test_a_game_that_is_saved_already_is_not_overwritten(tmp_path: Path) -> None:
    saved = tmp_path / "my.game"
    run(["play", "snekagon", "--set=side=3", "--save", str(saved)], "c3\nquit\n")
    text = saved.read_text(encoding="utf-8")
    done = run(["play", "snekagon", "--set=side=3", "--save", str(saved)], "quit\n")
    assert done.returncode == 2
    assert f"play on with --resume {saved}" in done.stderr
    assert saved.read_text(encoding="utf-8") == text
    assert [path.name for path in tmp_path.iterdir()] == ["my.game"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["snakey-dice", "--against", "level:3"], "one plays alone here"),
        (["snekagon", "--seed", str(10**18)], "at most 18 digits"),
    ],
)
def test_what_could_not_be_is_refused_at_the_start(arguments: list[str], expected: str) -> None:
    done = run(["play", *arguments], "")
    assert done.returncode == 2
    assert expected in done.stderr


def test_an_engine_plays_and_undo_takes_back_its_move_too() -> None:
    start = snakeden.new_game("snekagon", side=3)
    session = Session(start, {1: "random"}, ("Ada", "random"), seed=1)
    list(session.go_on())
    session.play("c3")
    played = list(session.go_on())
    assert [one.seat for one in played] == [1]
    assert session.undo()
    assert session.state == start
    assert not session.undo()
    session.play("c3")
    assert len(list(session.go_on())) == 1


def test_dice_fall_alike_after_a_move_is_taken_back() -> None:
    session = Session(snakeden.new_game("snakey-dice"), {}, ("Ada",), seed=8)
    list(session.go_on())
    first = session.state.legal_moves()[0].text
    session.play(first)
    rolled = [one.move for one in session.go_on()]
    assert rolled
    session.undo()
    session.play(first)
    assert [one.move for one in session.go_on()] == rolled


# ---- picking


def _picker(state: snakeden.State) -> Picker:
    view = state.variant.game.view
    return Picker(view.move_targets(state), view.scene(state))


def test_arrows_reach_every_place_of_a_piece() -> None:
    state = snakeden.new_game("snekagon", side=4).play("d4")
    picker = _picker(state)
    for _ in range(3):
        picker.next_piece()
    wanted = {target.move for target in picker.alike()}
    seen, fresh = {picker.chosen.move}, [picker.chosen]
    while fresh:
        start = fresh.pop()
        for way in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            picker.chosen = start
            picker.push(way)
            if picker.chosen.move not in seen:
                seen.add(picker.chosen.move)
                fresh.append(picker.chosen)
    assert seen == wanted


def test_turning_and_taking_come_round_again() -> None:
    state = snakeden.new_game("snekagon").play("f6")
    picker = _picker(state)
    pieces = {target.piece for target in state.variant.game.view.move_targets(state)}
    taken = set()
    for _ in pieces:
        turns = set()
        for _ in range(12):
            turns.add(picker.chosen.turn)
            picker.turn()
        assert turns == {t.turn for t in picker._all if t.piece == picker.chosen.piece}
        taken.add(picker.chosen.piece)
        picker.next_piece()
    assert taken == pieces


@pytest.mark.parametrize(("game", "options"), GAMES, ids=str)
def test_every_game_can_be_picked(game: str, options: dict[str, Any]) -> None:
    _, session = random_game(game, options, seed=2)
    state = snakeden.new_game(game, **options)
    dice = random.Random(2)
    for move in session.moves[:40]:
        if state.legal_moves():
            picker = _picker(state)
            for _ in range(4):
                picker.push((1.0, 0.0))
                dice.choice([picker.turn, picker.next_piece, picker.other])()
                assert state.move(picker.chosen.move)
        state = state.play(move)


def test_keys_pick_a_move_and_escape_none() -> None:
    state = snakeden.new_game("snekagon", side=3)
    shown: list[str] = []

    def draw(scene: Any) -> str:
        shown.append(str(scene.title))
        return shown[-1]

    with create_pipe_input() as keys:
        keys.send_text("\x1b[C\x1b[C\r")
        assert in_own_thread(pick, state, draw, ("A", "B"), keys, DummyOutput()) == "c5"
        keys.send_text("q")
        assert in_own_thread(pick, state, draw, ("A", "B"), keys, DummyOutput()) is None
    assert shown
