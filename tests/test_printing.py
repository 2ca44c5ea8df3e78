"""Print-and-play files: whole, of the right size, drawn in lines and letters."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader

from snakeden.cli import main
from snakeden.core.game import variant
from snakeden.core.registry import game, games
from snakeden.drawing.pages import PAPERS, RULER, Page
from snakeden.drawing.scene import Cell, Label, worded
from snakeden.drawing.scene import Path as Body
from snakeden.drawing.svg import svg
from snakeden.words import Message, languages, word

PAGES = {"snekagon": 6, "snekagon-5g": 8, "schlangennest": 6, "snakey-dice": 11}
MAP = "; mine\nblockades 3\n" + "\n".join(["S...+......"] * 10 + ["S#########S"]) + "\n"


def pages(game_id: str, paper: str = "a4", **options: Any) -> tuple[Page, ...]:
    found: tuple[Page, ...] = game(game_id).printed.pages(variant(game(game_id), options), PAPERS[paper])
    return found


def items(page: Page) -> list[Any]:
    return [item for panel in page.scene.panels for layer in panel.layers for item in layer.items]


@pytest.mark.parametrize("game_id", games())
@pytest.mark.parametrize("paper", PAPERS)
def test_a_file_of_vector_pages(
    game_id: str, paper: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.pdf"
    assert main(["print", game_id, "--paper", paper, "-o", str(file)]) == 0
    assert f"{PAGES[game_id]} pages" in capsys.readouterr().out
    document = PdfReader(file)
    assert len(document.pages) == PAGES[game_id]
    for page in document.pages:
        for side, millimetres in zip((page.mediabox.width, page.mediabox.height), PAPERS[paper], strict=True):
            assert float(side) == pytest.approx(millimetres * 72 / 25.4, abs=0.5)
        assert not page.images
    assert game(game_id).name in document.pages[-1].extract_text()


@pytest.mark.parametrize("game_id", games())
def test_everything_lies_on_the_page_and_is_true_to_size(game_id: str) -> None:
    for page in pages(game_id, "letter"):
        _, _, width, height = page.scene.box
        assert width * page.unit == pytest.approx(215.9)
        for item in items(page):
            if isinstance(item, Cell):
                assert item.size / 2 <= item.x <= width - item.size / 2
                assert item.size / 2 <= item.y <= height - item.size / 2
        ruler = next(item for item in items(page) if getattr(item, "role", "") == "line")
        assert (ruler.points[1][0] - ruler.points[0][0]) * page.unit == pytest.approx(RULER)
        ElementTree.fromstring(svg(page.scene, "print"))


def test_tiles_fit_the_board_they_are_printed_with() -> None:
    for side in (3, 6, 8):
        assert len({page.unit for page in pages("snekagon", side=side)[:-1]}) == 1


def test_a_deck_has_eighteen_cards_and_a_set_its_hexes() -> None:
    assert [sum(isinstance(i, Cell) for i in items(p)) for p in pages("schlangennest")[:4]] == [18] * 4
    tiles = pages("snekagon")[1:5]
    assert [sum(isinstance(i, Cell) for i in items(p)) for p in tiles] == [25] * 4
    assert [sum(isinstance(i, Body) for i in items(p)) for p in tiles] == [8] * 4


def test_a_tile_has_its_mirror_image_on_the_back() -> None:
    """Turned over its long edge, the paper shows every hex where it lay."""
    _, front, back, *_ = pages("snekagon-5g", players=2)[1:]
    width = front.scene.box[2]

    def places(page: Page) -> set[tuple[float, float]]:
        return {(round(cell.x, 6), round(cell.y, 6)) for cell in items(page) if isinstance(cell, Cell)}

    assert places(front) != places(back)
    assert places(back) == {(round(width - x, 6), y) for x, y in places(front)}


@pytest.mark.parametrize("players", [2, 3, 5])
def test_there_are_as_many_boards_as_sets_of_tiles(players: int) -> None:
    titles = [word(page.scene.panels[0].title) for page in pages("snekagon-5g", players=players)]
    assert sum("floor" in title for title in titles) == players
    assert sum("tiles" in title and "back" not in title for title in titles) == players


@pytest.mark.parametrize("game_id", games())
@pytest.mark.parametrize("language", languages())
def test_every_language_is_printed(game_id: str, language: str) -> None:
    found = game(game_id).printed.pages(variant(game(game_id), {}), PAPERS["letter"], language)
    written = " ".join(
        word(item.text)
        for page in found
        for item in items(Page(worded(page.scene, language), 1))
        if isinstance(item, Label)
    )
    assert "{" not in written
    assert word(Message("print.short", game=game(game_id).name), language) in written
    others = [code for code in languages() if code != language]
    assert not any(word(Message("print.ruler", n=50), code) in written for code in others)


def test_the_nest_card_has_both_recommended_sizes() -> None:
    written = [word(item.text) for item in items(pages("schlangennest")[4]) if isinstance(item, Label)]
    assert {"6 × 8 or 5 × 9", "7 × 9 or 6 × 10"} <= set(written)


def test_a_duel_sheet_has_a_name_and_boxes_for_the_first_at_the_top() -> None:
    sheets = [page for page in pages("snakey-dice") if "duel" in word(page.scene.panels[0].title)]
    assert len(sheets) == 2, "two a page, for four players"
    for page in sheets:
        assert sum(word(i.text) == "Name" for i in items(page) if isinstance(i, Label)) == 2
        assert sum(getattr(i, "shape", "") == "star" for i in items(page)) == 2


def test_a_map_of_ones_own_is_printed_first(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text(MAP, encoding="utf-8")
    out = tmp_path / "mine.pdf"
    assert main(["print", "snakey-dice", "--set", "players=2", "--set", f"map={file}", "-o", str(out)]) == 0
    assert "a map of your own" in PdfReader(out).pages[0].extract_text()
    assert len(PdfReader(out).pages) == PAGES["snakey-dice"] + 1
    written = [
        word(item.text)
        for item in items(pages("snakey-dice", players=2, map=MAPPED)[0])
        if isinstance(item, Label)
    ]
    assert "Set-up: roll 3 blockades." in written


MAPPED = "3,0:" + "/".join(["S...+......"] * 10 + ["S#########S"])


def test_a_folder_that_is_not_there_is_told_before_anything_is_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["print", "snekagon", "-o", str(tmp_path / "no" / "x.pdf")]) == 2
    assert "there is no folder" in capsys.readouterr().err


def test_another_ending_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print", "snekagon", "-o", str(tmp_path / "x.docx")]) == 2
    assert "ends in .pdf" in capsys.readouterr().err
