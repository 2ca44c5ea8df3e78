"""The rules that the page shows: of every game in every language, the same said in each, with fresh pictures."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest
from speech import words_of

import snakeden
from snakeden.words import languages, rules_file

ROOT = Path(__file__).parent.parent
PACKAGE = Path(snakeden.__file__).parent
RULES = PACKAGE / "web" / "rules"
GAMES = list(snakeden.games())
ALIKE = {
    "cs": words_of("Snekagon Schlangennest Snakey Dice original pinwheel fishy bonus had start"),
    "de": words_of(
        "Snekagon Schlangennest Snakey Dice original pinwheel fishy bonus die was also stand nest nests ring start "
        "portal option"
    ),
}
"""Names, and words that look like English ones."""


def page(game: str, language: str) -> str:
    return rules_file(game, language).read_text(encoding="utf-8")


def skeleton(text: str) -> list[str]:
    """What a page consists of, block by block: kinds, pictures, values, and the numbers in it."""
    found = []
    for block in re.split(r"\n{2,}", text):
        for part in re.split(r"(?m)^(#.*)$", block):
            lines = part.strip().splitlines()
            if not lines:
                continue
            kind = re.match(r"#+ |\||!|- |\d+\. |", lines[0])
            assert kind is not None
            items = sum(bool(re.match(r"- |\d+\. |\||!", line)) for line in lines)
            shown = re.findall(r"\]\(([^)]+)\)", part)
            numbers = sorted(re.findall(r"\d+", re.sub(r"`[^`]*`", "", part)))
            strong = len(re.findall(r"\*\*", part))
            found.append(
                f"{kind[0].strip()} {items} {shown} {sorted(re.findall('`[^`]*`', part))} {numbers} {strong > 0}"
            )
    return found


def test_there_is_a_page_for_every_game_and_language_and_no_other() -> None:
    there = set((PACKAGE / "words").glob("*/rules/*"))
    assert there == {rules_file(game, language) for game in GAMES for language in languages()}


@pytest.mark.parametrize("language", ["cs", "de"])
@pytest.mark.parametrize("game", GAMES)
def test_every_language_says_the_same(game: str, language: str) -> None:
    assert skeleton(page(game, language)) == skeleton(page(game, "en"))


@pytest.mark.parametrize("language", ["cs", "de"])
@pytest.mark.parametrize("game", GAMES)
def test_no_english_is_left(game: str, language: str) -> None:
    prose, english = (re.sub(r"`[^`]*`|\]\([^)]*\)", " ", page(game, one)) for one in (language, "en"))
    assert words_of(prose) & words_of(english) - ALIKE[language] == set()


@pytest.mark.parametrize("game", GAMES)
def test_the_pages_have_what_a_player_looks_for(game: str) -> None:
    headings = re.findall(r"(?m)^## (.*)$", page(game, "en"))
    for wanted in ("What you have", "Your turn", "Not allowed", "The end and the score", "Ours"):
        assert wanted in headings
    assert re.findall(r"!\[.+\]\(.+\)", page(game, "en"))


def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("page_pictures", ROOT / "tools" / "page_pictures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pictures_are_fresh() -> None:
    wanted = tool().rules_pictures()
    there = {file: file.read_text(encoding="utf-8") for file in (RULES / "pictures").glob("*.json")}
    assert {file.name for file in wanted.keys() ^ there.keys()} == set()
    stale = [file.name for file in wanted if wanted[file] != there[file]]
    assert stale == [], "run python tools/page_pictures.py"


def test_the_pictures_of_choices_are_fresh() -> None:
    module = tool()
    assert {file.stem for file in module.CHOICES.glob("*.json")} == set(snakeden.games())
    # The quickest to draw stands for all.
    game = snakeden.games()["snakey-dice"]
    there = (module.CHOICES / f"{game.id}.json").read_text(encoding="utf-8")
    assert there == module.choice_pictures(game), "run python tools/page_pictures.py"
