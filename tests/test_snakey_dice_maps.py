"""Snakey Dice: the maps of the house and maps of one's own."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest
from dice_games import board, played

import snakeden
from snakeden import BadOption
from snakeden.games.snakey_dice import position
from snakeden.games.snakey_dice.maps import MAPS, SOLO, find_map, read_map
from snakeden.records import read, record


def test_a_map_of_ones_own_lives_in_texts_and_records_without_its_file(tmp_path: Path) -> None:
    file = tmp_path / "two rooms.txt"
    rows = ["S....#....S", *["..+..#..+.."] * 9, "S....#....S"]
    file.write_text(
        "; two rooms\nblockades 1\npower-ups 2\n\n" + "\n".join(" ".join(row) for row in rows) + "\n"
    )
    start = snakeden.new_game("snakey-dice", players=2, map=file)
    assert start == snakeden.new_game("snakey-dice", players=2, map=str(file))
    file.unlink()
    assert start.options["map"] == "1,2:" + "/".join(rows)
    moves = ["square:3,6", "square:6,8", "square:3,3"]
    state = played(start, " ".join(moves))
    assert snakeden.restore(state.text) == state
    kept = read(record(start, moves).write())
    assert kept.check() == state
    assert [cell.held for cell in position.cells(state)].count("power-up") == 18 + 2


def test_a_map_may_be_nothing_but_starts() -> None:
    state = snakeden.new_game("snakey-dice", players=4, map="0,0:" + "/".join(["S" * 16] * 16))
    assert len(state.legal_moves()) == 4 * 256 - 4 * 16
    state = played(state, "start:10,10:up start:10,11:down start:3,3:right start:18,18:left")
    assert state.player == snakeden.CHANCE
    assert position.dice_to_roll(state) == 2


ROWS = "\n".join(["S.........S", *["..........."] * 9, "S.........S"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the end: there are 0 rows of squares, not 11 or 16"),
        ("S..\n...\n...\n", "line 3: there are 3 rows"),
        (
            ROWS.replace("...........", "..........", 1),
            "line 2: the row has 10 squares, but the board has 11 rows",
        ),
        ("; a comment\n" + ROWS.replace("...........", ".....x.....", 1), "line 3: 'x' is no square"),
        (ROWS.replace("S", "."), "line 11: the board ends without a start"),
        ("blockades six\n" + ROWS, "line 1: blockades need a number"),
        ("blockades 6\nblockades 6\n" + ROWS, "line 2: blockades are given twice"),
        (ROWS + "\npower-ups 6", "line 12: power-ups must stand before the rows"),
        (
            "blockades 100\npower-ups 10\n" + ROWS,
            "line 13: 100 blockades and 10 power-ups are to be rolled, but only",
        ),
        ("\0" * 20_000, "too long for a map"),
    ],
)
def test_a_broken_map_is_refused_with_line_and_reason(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "map.txt"
    file.write_text(text)
    with pytest.raises(BadOption, match="map") as refused:
        snakeden.new_game("snakey-dice", players=2, map=str(file))
    assert message in str(refused.value)


def test_maps_that_do_not_go_with_the_players_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="the solo edition has a board of its own"):
        snakeden.new_game("snakey-dice", map="fishy")
    with pytest.raises(BadOption, match="it has 2 starts, too few for 3 players"):
        snakeden.new_game("snakey-dice", players=3, map=board(".", r2="S.........S"))
    with pytest.raises(BadOption, match="it is none of original, pinwheel"):
        snakeden.new_game("snakey-dice", players=2, map=str(tmp_path / "missing.txt"))
    with pytest.raises(BadOption, match="row 2: there are 2 rows"):
        snakeden.new_game("snakey-dice", players=2, map="0,0:S./.S")


def test_texts_from_strangers_open_no_file(tmp_path: Path) -> None:
    file = tmp_path / "map.txt"
    file.write_text(ROWS)
    option = snakeden.new_game("snakey-dice").variant.game.option("map")
    with pytest.raises(BadOption):
        option.read(str(file))
    text = snakeden.new_game("snakey-dice", players=2, map="diy").text
    with pytest.raises(snakeden.BadText):
        snakeden.restore(text.replace("map=diy", f"map={file}"))


def test_the_page_shows_the_maps_as_they_are_and_its_examples_run() -> None:
    page = Path(__file__).parent.parent / "docs" / "games" / "snakey-dice.md"
    text = page.read_text(encoding="utf-8")
    for name in (*MAPS, SOLO):
        found = find_map(name)
        picture = [
            f"{found.dice + i:>4} " + " ".join(f"{held:>2}" for held in row)
            for i, row in enumerate(found.rows)
        ]
        assert "\n".join(picture) in text, name
    own = text.partition("A map is a small text file:\n\n```\n")[2].partition("```")[0]
    assert read_map(own.splitlines()).inline().startswith("4,6:S....#....S/.....#...../")
    ran = doctest.testfile(str(page), module_relative=False)
    assert ran.attempted > 8
    assert ran.failed == 0


def test_the_maps_of_the_house_are_symmetrical() -> None:
    for name in MAPS:
        rows = find_map(name).rows
        assert rows == tuple(row[::-1] for row in rows[::-1]), name
