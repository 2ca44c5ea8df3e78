"""Whatever the server can say is said in every language, with nothing of the English left."""

from __future__ import annotations

import re
from functools import cache

import pytest
from browsing import Server
from playwright.sync_api import Page
from speech import NAMES, deeds, gathered, moves_in_words, refusals, templates, words_of

from snakeden.games.snakey_dice.notation import WAYS

PROPER = words_of(
    "Snekagon Schlangennest Snakey Dice snakey-dice BoardGameArena MATY MOVES Adam Španěl Matyáš Veselý Vladimír "
    "Dražil Günter Cornett"
)
"""Names of games and people."""
NOTATION = words_of("start reroll flip unlock ignore use escape crash end level bonus portal jump")
"""Words of moves: they stay as they are where a sentence is about what is written."""
ALIKE = {
    "cs": words_of("start bonus had server"),
    "de": words_of("start starts nest ring portal blockade bonus solo hand option name server link bytes"),
}
"""Words that both languages have; a snake is "had" in Czech."""

ONLY_PROGRAMS = (
    "a message",
    "agent ",
    "an engine's seat",
    "a record says",
    "the record cannot",
    "send JSON",
)
"""How refusals begin that the page gives no occasion for."""


everything = cache(gathered)


def said() -> list[str]:
    """What has words in it to translate."""
    return sorted(text for text in everything() if words_of(text))


def translate(page: Page, server: Server, language: str, texts: list[str]) -> dict[str, str | None]:
    page.goto(server.address)
    found = page.evaluate(
        """async ([language, names, texts]) => {
            const { sitting, translated } = await import("/js/i18n.js");
            localStorage.setItem("snakeden.language", language);
            sitting(names);
            return texts.map(translated);
        }""",
        [language, list(NAMES), texts],
    )
    return dict(zip(texts, found, strict=True))


def residue(language: str, text: str, instead: str) -> set[str]:
    """English words that are still there."""
    left = (words_of(text) & words_of(instead)) - PROPER - ALIKE[language]
    written = re.match(r"(Or )?\S*[:!(-]", text) or " cannot be played" in text or "moves look like" in text
    return left - NOTATION - set(WAYS) if written else left


@pytest.mark.parametrize("language", ["cs", "de"])
def test_everything_said_is_translated(page: Page, server: Server, language: str) -> None:
    told = translate(page, server, language, said())
    assert [text for text, instead in told.items() if instead is None] == []
    assert len(told) > 1000
    left = {text: rest for text, instead in told.items() if (rest := residue(language, text, instead or ""))}
    assert left == {}
    assert [instead for instead in told.values() if re.search(r"[{}|]|undefined|NaN", instead or "")] == []


@pytest.mark.parametrize("language", ["cs", "de"])
def test_every_refusal_is_translated(page: Page, server: Server, language: str) -> None:
    reasons = [text for text in refusals() if not text.startswith(ONLY_PROGRAMS)]
    assert len(reasons) > 25
    told = translate(page, server, language, sorted(reasons))
    assert [text for text, instead in told.items() if instead is None] == []
    assert {text for text, instead in told.items() if residue(language, text, instead or "")} == set()


@pytest.mark.parametrize("language", ["cs", "de"])
def test_whatever_a_move_does_is_translated(page: Page, server: Server, language: str) -> None:
    assert len(deeds()) > 30
    told = translate(page, server, language, deeds())
    assert [text for text, instead in told.items() if instead is None] == []
    assert {text for text, instead in told.items() if residue(language, text, instead or "")} == set()


@pytest.mark.parametrize("language", ["en", "cs", "de"])
def test_moves_are_told_in_words(page: Page, server: Server, language: str) -> None:
    told = translate(page, server, language, sorted(moves_in_words()))
    assert len(told) > 1000
    # What is a word already needs no other in English.
    shown = {move: instead or move for move, instead in told.items()}
    assert [move for move, words in shown.items() if re.search(r"!|:\S", words)] == []
    assert language == "en" or None not in told.values()


@pytest.mark.parametrize(
    ("error", "files"),
    [
        ("UnreadableMove", "games/*/notation.py"),
        ("IllegalMove", "games/*/notation.py"),
        ("refusal", "games/*/__init__.py"),
        ("MapError", "games/snakey_dice/maps.py"),
    ],
)
def test_every_error_in_the_source_was_heard(error: str, files: str) -> None:
    """The other tests know only what was gathered: all there is must be among it."""
    patterns = templates(error, files)
    assert patterns
    unheard = {pattern for pattern in patterns if not any(re.search(pattern, text) for text in everything())}
    # Errors of map files, which have lines; a page knows maps in one line only, which have rows.
    assert {pattern for pattern in unheard if not pattern.startswith(r"line\ ")} == set()


@pytest.mark.parametrize("language", ["cs", "de"])
def test_no_gap_is_lost(page: Page, server: Server, language: str) -> None:
    page.goto(server.address)
    sentences = page.evaluate(
        """async (language) => {
            const { LANGUAGES } = await import("/js/i18n.js");
            return LANGUAGES[language].said;
        }""",
        language,
    )
    for text, instead in sentences.items():
        there, put = (set(re.findall(r"\{(\w+)", one)) for one in (text, instead))
        assert there == put, (text, instead)
        for forms in re.findall(r"\{\w+\|([^{}]*)\}", instead):
            assert len(forms.split("|")) == {"cs": 3, "de": 2}[language], instead


def test_names_and_numbers_fit_into_their_sentences(page: Page, server: Server) -> None:
    texts = {
        "cs": {
            "1 part": "1 část",
            "3 parts": "3 části",
            "5 parts": "5 částí",
            "the engine (level 2): longest snake 7": "stroj (úroveň 2): nejdelší had 7",
            "Player 2: 1,234 points": "Hráč 2: 1\u00a0234 bodů",
            "it is not your turn: seat 1 is to move": "nejste na tahu: na tahu je Yvonna Zed",
            "Thought over 12,345 simulations in 1.5 s.": "Promyšleno: 12\u00a0345 simulací za 1,5 s.",
        },
        "de": {
            "f6, Xaver": "f6, Xaver",
            "Maschine (Stufe 2) to move": "am Zug: Maschine (Stufe 2)",
            "stroj (úroveň 2) to move": "am Zug: Maschine (Stufe 2)",
            "S(0,0)EW: your snake and the snake of seat 1 would be joined through (0,0) and (0,1)": (
                "S(0,0)EW: Verbunden würden deine Schlange und die Schlange von Yvonna Zed, über (0,0) und (0,1)"
            ),
        },
        "en": {
            "S(0,0)EW: your snake and the snake of seat 1 would be joined through (0,0) and (0,1)": (
                "S(0,0)EW: your snake and the snake of Yvonna Zed would be joined through (0,0) and (0,1)"
            ),
        },
    }
    for language, wanted in texts.items():
        assert translate(page, server, language, list(wanted)) == wanted
