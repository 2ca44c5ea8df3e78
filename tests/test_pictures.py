"""Pictures are what they were: goldens in `data/svg`, and those of the documentation.

After a change that is meant, `python tests/test_pictures.py` and `make docs-pictures` draw them anew: look at
them before they are kept.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader

import snakeden
from snakeden.cli import main
from snakeden.drawing.scene import aligned
from snakeden.drawing.terminal import text
from snakeden.records import read, record

GOLDENS = Path(__file__).parent / "data" / "svg"
RECORDS = sorted(GOLDENS.glob("*.game"))
DOCS = Path(__file__).parent.parent / "docs"


def drawn(record_file: Path) -> dict[str, str]:
    """Every golden of a record: its file name and what it should hold."""
    record = read(record_file.read_text(encoding="utf-8"))
    state, last = record.state(), record.moves[-1]
    scene = state.variant.game.view.scene(state, last_move=last)
    return {
        f"{record_file.stem}-light.svg": state.svg(last_move=last),
        f"{record_file.stem}-dark.svg": state.svg(last_move=last, theme="dark"),
        f"{record_file.stem}.txt": text(scene, 100).plain + "\n",
    }


@pytest.mark.parametrize("record_file", RECORDS, ids=lambda file: file.stem)
def test_goldens(record_file: Path) -> None:
    for name, wanted in drawn(record_file).items():
        assert (GOLDENS / name).read_text(encoding="utf-8") == wanted, f"{name} is drawn otherwise now"


def test_the_pictures_of_the_documentation_are_fresh() -> None:
    spec = importlib.util.spec_from_file_location("pictures", DOCS / "pictures.py")
    assert spec is not None
    assert spec.loader is not None
    pictures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pictures)
    assert pictures.stale() == [], "run make docs-pictures"


def test_the_page_of_pictures_shows_them_all_and_its_example_runs() -> None:
    page = (DOCS / "pictures.md").read_text(encoding="utf-8")
    shown = re.findall(r"\]\(pictures/([^)]+)\)", page)
    assert sorted(shown) == sorted(file.name for file in (DOCS / "pictures").glob("*.svg"))
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    found: dict[str, str] = {}
    exec(example, found)
    assert found["picture"].startswith("<svg ")


# ---- the command

RECORD = str(GOLDENS / "snekagon.game")
MOVES = len(read((GOLDENS / "snekagon.game").read_text(encoding="utf-8")).moves)


def test_draw_makes_every_kind_of_picture(tmp_path: Path) -> None:
    for ending in ("svg", "png", "pdf"):
        assert main(["draw", RECORD, "--at", "3", "-o", str(tmp_path / f"x.{ending}")]) == 0
    assert (tmp_path / "x.svg").read_text(encoding="utf-8").startswith("<svg ")
    with Image.open(tmp_path / "x.png") as picture:
        assert len(picture.convert("RGB").getcolors(1_000_000) or []) > 20
    assert "longest snake" in PdfReader(tmp_path / "x.pdf").pages[0].extract_text()
    for ending in ("gif", "webp"):
        assert main(["draw", RECORD, "-o", str(tmp_path / f"x.{ending}"), "--milliseconds", "50"]) == 0
        with Image.open(tmp_path / f"x.{ending}") as film:
            assert getattr(film, "n_frames", 1) == MOVES + 1


def test_a_position_can_be_drawn_by_its_number(tmp_path: Path) -> None:
    for ply in (0, 2):
        assert (
            main(["draw", RECORD, "--at", str(ply), "--theme", "dark", "-o", str(tmp_path / f"{ply}.svg")])
            == 0
        )
    record = read(Path(RECORD).read_text(encoding="utf-8"))
    wanted = record.state(2).svg(last_move=record.moves[1], theme="dark")
    assert (tmp_path / "2.svg").read_text(encoding="utf-8") == wanted
    assert "longest snakes Player 1 0" in (tmp_path / "0.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.game"], "there is no file nowhere.game"),
        ([RECORD, "--at", "99"], "there is no ply 99"),
        ([RECORD, "--game", "2"], "there is no number 2"),
        ([RECORD, "-o", "x.bmp"], "ends in one of .svg, .png, .pdf, .gif, .webp"),
        ([RECORD, "-o", "x.gif", "--at", "1"], "shows the whole game"),
        ([RECORD, "--scale", "0"], "--scale between"),
        ([RECORD, "-o", "x.gif", "--milliseconds", "200000"], "--milliseconds lies between 20 and 10000"),
        ([RECORD, "-o", "/nowhere/at/all.svg"], "there is no folder /nowhere/at"),
        ([str(DOCS.parent / "tests" / "data" / "perft.json")], "line 1"),
    ],
    ids=str,
)
def test_bad_wishes_are_refused_in_words(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["draw", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_colour_only_where_it_is_wanted() -> None:
    def shown(**environment: str) -> str:
        kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
        done = subprocess.run(
            [sys.executable, "-m", "snakeden", "draw", RECORD],
            capture_output=True,
            encoding="utf-8",
            env={**kept, "TERM": "xterm-256color", **environment},
            check=True,
        )
        return done.stdout

    plain = shown()
    assert "\x1b" not in plain
    coloured = shown(FORCE_COLOR="1")
    assert "\x1b[38;5;33m" in coloured
    assert "\x1b[38;" not in shown(FORCE_COLOR="1", NO_COLOR="1")


def test_a_low_terminal_leaves_out_only_what_may_never_be_board() -> None:
    table = snakeden.new_game("schlangennest").play("C(0,0)NE").play("C(1,1)NE")
    scene = table.variant.game.view.scene(table)
    high, low = text(scene, 120).plain.splitlines(), text(scene, 120, 20).plain.splitlines()
    assert len(low) < len(high)
    for line in ("  -2      -1       0", " 1 ", " 0 ", "-1 "):
        assert any(line in row for row in low), line
    assert [row for row in high if "═" in row] == [row for row in low if "═" in row]
    board = snakeden.new_game("snekagon").play("f6")
    scene = board.variant.game.view.scene(board)
    assert text(scene, 120, 10).plain == text(scene, 120).plain


@pytest.mark.parametrize(
    ("moves", "withdrawn", "title"),
    [
        (None, "0", "Ann 14, Bob 11, Eve 13; Eve wins"),
        (3, "0 1", "Eve wins"),
        (3, "0", "Ann to move"),
    ],
    ids=["the others played on", "nobody else was left", "the game goes on"],
)
def test_pictures_show_the_winner_of_a_game_in_which_somebody_resigned(
    tmp_path: Path, moves: int | None, withdrawn: str, title: str
) -> None:
    # Ann, who resigned, has the highest score at the end.
    old = read((GOLDENS.parent / "old_records" / "three-one-resigned.game").read_text(encoding="utf-8"))
    left = [snakeden.Withdrawal(int(seat), "resignation") for seat in withdrawn.split()]
    played = record(old.state(0), old.moves[:moves], seats=old.seats, withdrawn=left)
    file, picture = tmp_path / "resigned.game", tmp_path / "resigned.svg"
    file.write_text(played.write(), encoding="utf-8")
    assert main(["draw", str(file), "-o", str(picture)]) == 0
    assert title in re.findall("<title>(.*?)</title>", picture.read_text(encoding="utf-8"))[0]


def test_a_film_keeps_its_size(tmp_path: Path) -> None:
    record = GOLDENS / "schlangennest.game"
    assert main(["draw", str(record), "-o", str(tmp_path / "x.gif")]) == 0
    with Image.open(tmp_path / "x.gif") as film:
        assert max(film.size) <= 900
        film.seek(len(read(record.read_text(encoding="utf-8")).moves))
        assert len(film.convert("RGB").getcolors(100_000) or []) > 10


def test_in_a_film_nothing_jumps() -> None:
    record = read((GOLDENS / "schlangennest.game").read_text(encoding="utf-8"))
    plain = [state.variant.game.view.scene(state) for state in record.states()]
    frames = aligned(plain)
    assert len({scene.box for scene in plain}) > 1
    assert len({scene.box for scene in frames}) == 1
    tops = {
        panel.id: {p.box[1] for s in frames for p in s.panels if p.id == panel.id}
        for panel in plain[0].panels
    }
    assert all(len(found) == 1 for name, found in tops.items() if name.startswith("hand"))
    for before, after in zip(plain, frames, strict=True):
        assert before.panels[0] == after.panels[0]


if __name__ == "__main__":
    for file in RECORDS:
        for golden, picture in drawn(file).items():
            (GOLDENS / golden).write_text(picture, encoding="utf-8")
