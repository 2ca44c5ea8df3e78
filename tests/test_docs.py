"""What the docs show is what happens: their examples run, and their links lead somewhere."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import snakeden

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_run(page: Path) -> None:
    failed, _ = doctest.testfile(
        str(page), module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS
    )
    assert failed == 0


def test_the_readme_has_an_example() -> None:
    assert doctest.DocTestParser().get_examples((ROOT / "README.md").read_text(encoding="utf-8"))
    assert doctest.testmod(snakeden).attempted > 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        if not target.startswith(("http:", "https:", "mailto:")):
            assert (page.parent / target).exists(), f"{page.name} points to {target}"


def test_every_command_of_the_readme_exists() -> None:
    from snakeden.cli import COMMANDS

    listed = set(
        re.findall(r"^\| `snakeden (\w+)", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert listed
    assert listed <= set(COMMANDS)


@pytest.mark.parametrize("game", snakeden.games().values(), ids=lambda game: game.id)
def test_every_game_has_a_page_with_credits_and_options(game: snakeden.Game) -> None:
    folder = game.package.rpartition(".")[2].replace("_", "-")
    page = (ROOT / "docs" / "games" / f"{folder}.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", page, re.MULTILINE)
    for heading in ("Credits", "The goal", "A turn", "The end and the score", "Options", "Notation"):
        assert heading in headings, f"{folder}.md has no heading {heading}"
    assert "Rulings that are ours" in headings
    for option in game.options:
        assert f"`{option.name}`" in page
