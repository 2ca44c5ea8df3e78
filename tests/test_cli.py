"""The commands about the rules: verify, perft and bench, and how the command line refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import snakeden
from snakeden.cli import COMMANDS, main
from snakeden.records import record

DATA = Path(__file__).parent / "data"


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl"
    path.write_text("".join((DATA / "snekagon.jsonl").read_text().splitlines(keepends=True)[:3]))
    return path


def test_verify_replays_stored_games(game_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(game_file)]) == 0
    assert capsys.readouterr().out == f"{game_file}: 3 games, all replay\n"


def test_verify_shows_the_first_difference(game_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = game_file.read_text().splitlines()
    changed = json.loads(lines[1])
    changed["plies"][2]["n"] += 1
    game_file.write_text("\n".join([lines[0], json.dumps(changed), lines[2]]))
    assert main(["verify", str(game_file)]) == 1
    out = capsys.readouterr().out
    assert "1 of them differ" in out
    assert "line 2: ply 3, before" in out
    assert main(["verify", "--json", str(game_file)]) == 1
    (result,) = json.loads(capsys.readouterr().out)
    assert result["games"] == 3
    assert [bad["line"] for bad in result["different"]] == [2]


def test_verify_checks_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.game"
    path.write_text(record(snakeden.new_game("snekagon", side=3), ["c3", "a1-a2"]).write())
    assert main(["verify", str(path)]) == 0
    path.write_text(path.read_text().replace("a1-a2", "c3-c4"))
    assert main(["verify", str(path)]) == 1
    assert "move 2: c3-c4: there is a tile on c3 already" in capsys.readouterr().out


NO_PLIES = b'{"game": "snekagon", "options": {}, "plies": ["f6"], "scores": [1, 0], "winners": [0]}'
LONG_NUMBER = b'[Game "snekagon"]\n[Rules "1"]\n' + b"1" * 5000 + b". f6"
LONG_FIELD = b'{"game": ' + b"1" * 5000 + b"}"
DEEP = b"[" * 100_000


@pytest.mark.parametrize(
    "content",
    [b"{", b"[]", b'{"game": 1}', b"\xff\xfe", b"nothing", NO_PLIES, LONG_NUMBER, LONG_FIELD, DEEP],
    ids=range(9),
)
@pytest.mark.parametrize("suffix", [".jsonl", ".game"])
def test_verify_survives_anything(tmp_path: Path, content: bytes, suffix: str) -> None:
    path = tmp_path / f"bad{suffix}"
    path.write_bytes(content)
    assert main(["verify", str(path)]) == 1


def test_perft_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "snekagon", "2", "--set", "side=3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "game": "snekagon",
        "options": {"side": "3"},
        "counts": [19, 2352],
    }
    text = snakeden.new_game("snekagon", side=3).play("c3").text
    assert main(["perft", "snekagon", "1", "--state", text]) == 0
    assert "perft(1) = 36" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("game", "more", "expected"),
    [
        ("snekagon", ["--set", "side=3"], "do not go together"),
        ("schlangennest", [], "the state is of snekagon, and the game given is schlangennest"),
    ],
)
def test_perft_holds_a_state_to_what_else_is_said(
    game: str, more: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = snakeden.new_game("snekagon", side=3).text
    assert main(["perft", game, "1", "--state", text, *more]) == 2
    said = capsys.readouterr()
    assert expected in said.err
    assert said.out == ""


def test_bench_prints_figures_and_ratios(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--game", "snekagon", "--seconds", "0.05", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in rows] == [
        "snekagon generated moves",
        "snekagon full playouts",
        "snekagon sampled playouts",
    ]
    for row in rows:
        assert set(row) == {"name", "value", "unit", "ratio", "against"}
        assert row["value"] > 0
        assert row["ratio"] > 0
        assert "Havannah" in row["against"]


def test_bench_measures_states_beside_python_chess(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["bench", "state", "--game", "schlangennest", "--seconds", "0.05"]
    assert main([*arguments, "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["name"], row["unit"]) == ("schlangennest random play", "plies/s")
    assert row["value"] > 0
    assert row["ratio"] > 0
    assert row["against"].startswith("python-chess ")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["perft", "chess", "1"], "there is no game 'chess'"),
        (["perft", "snekagon", "1", "--set", "side=9"], "allowed is a whole number from 2 to 8"),
        (["perft", "snekagon", "1", "--set", "size=9"], "side: cells along a side of the board"),
        (["perft", "snekagon", "1", "--state", "snekagon v1 zzz"], "damaged"),
        (["perft", "snekagon", "0"], "counts nothing"),
        (["verify", "no-such-file"], "there is no file no-such-file"),
        (["bench", "--game", "chess"], "there is no game 'chess'"),
        (["bench", "--seconds", "0"], "allowed is 0.05 to 600"),
        (["serve", "--port", "99999"], "--port 99999 is not possible: allowed is 0 to 65535"),
        (["serve", "--port=-1"], "allowed is 0 to 65535"),
        (["serve", "--workers", "0"], "allowed is 1 to 1024"),
        (["serve", "--engine-seconds", "nan"], "allowed is 0.01 to 3600"),
        (["serve", "--sockets-per-client", "0"], "allowed is 1 to 1000000"),
        *(
            (["serve", "--games-per-hour", value], "allowed is 0.01 to 1000000000")
            for value in ("0", "inf", "nan", "-3")
        ),
        *((["serve", "--requests-per-second", value], "0.01 to 1000000") for value in ("0", "inf", "nan")),
        *(
            (["serve", "--origin", value], "such as https://games.example.org")
            for value in ("http://[", "games.example.org", "https://games.example.org/page")
        ),
    ],
)
def test_refusals_are_one_line(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Should a refusal be missing, no server must start here.
    monkeypatch.setenv("SNAKEDEN_DATABASE", "none")
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert expected in error
    assert error.startswith(f"snakeden {arguments[0]}: ")
    assert "Traceback" not in error


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    assert "usage: snakeden" in capsys.readouterr().out


def test_the_help_of_serve_tells_the_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    for option in re.split(r" (?=--)", shown.partition("options:")[2]):
        if re.match(r"--[\w-]+ [A-Z{]", option) and not option.startswith(("--origin ", "--proxy ")):
            assert "default: " in option
