"""The catalogue of each language, and the wording of messages from it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from babel import Locale
from babel.lists import format_list
from babel.numbers import format_decimal

from snakeden.words.message import Message, Player

_FOLDER = Path(__file__).parent
_GAP = re.compile(r"\{(\w+)(:\+|:score|:,)?((?:\|[^{}|]*)*)\}")
_BETWEEN = {":score": " : ", ":,": ", "}
_CATEGORIES = ("zero", "one", "two", "few", "many", "other")
_ENOUGH_TO_COUNT = 200
"""Whole numbers up to here show every plural category that a language has for them."""


@cache
def languages() -> dict[str, str]:
    """The languages there are: the name of each, in itself, by its code; English first."""
    folders = [file.parent.name for file in _FOLDER.glob("*/language.json")]
    return {code: catalogue(code)["language.name"] for code in sorted(folders, key=lambda c: (c != "en", c))}


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Every template of a language by its key."""
    found: dict[str, str] = {}
    for file in sorted((_FOLDER / language).glob("*.json")):
        found.update(_flat(file.stem, json.loads(file.read_text(encoding="utf-8"))))
    return found


def _flat(key: str, held: Any) -> Iterator[tuple[str, str]]:
    if isinstance(held, str):
        yield key, held
        return
    for name, part in held.items():
        yield from _flat(f"{key}.{name}", part)


def rules_file(game: str, language: str) -> Path:
    """The rules of a game for players, as Markdown."""
    return _FOLDER / language / "rules" / f"{game}.md"


def rules_in_short(game: str, language: str) -> str:
    """The rules of a game on one printed page: headings behind a `#`, and what they say."""
    return (_FOLDER / language / "short" / f"{game}.txt").read_text(encoding="utf-8")


def word(text: Any, language: str = "en", names: Sequence[str] = ()) -> str:
    """A message, or anything that may stand in one, in this language. `names` are the players', by seat. What a
    language lacks is said in English."""
    if isinstance(text, str):
        return text
    if isinstance(text, Message):
        return _filled(text, language, names)
    if isinstance(text, Player):
        if text.seat < len(names):
            return names[text.seat]
        return word(Message("player.number", n=text.seat + 1), language)
    if isinstance(text, tuple):
        return format_list([word(part, language, names) for part in text], locale=_locale(language))
    return format_decimal(text, locale=_locale(language))


def _filled(message: Message, language: str, names: Sequence[str]) -> str:
    template = catalogue(language).get(message.key) or catalogue("en").get(message.key)
    if template is None:
        return message.key
    args = message.args

    def fill(gap: re.Match[str]) -> str:
        name, how, forms = gap.groups()
        value = args[name]
        if forms:
            return _form(forms[1:].split("|"), value, language)
        if how in _BETWEEN and isinstance(value, tuple):
            return _BETWEEN[how].join(word(part, language, names) for part in value)
        sign = "+" if how == ":+" and isinstance(value, int | float) and value > 0 else ""
        return sign + word(value, language, names)

    return _GAP.sub(fill, template)


def _form(forms: list[str], number: Any, language: str) -> str:
    category = _locale(language).plural_form(abs(number))
    known = _plurals(language)
    return forms[known.index(category) if category in known else -1]


@cache
def _locale(language: str) -> Locale:
    return Locale.parse(language)


@cache
def _plurals(language: str) -> tuple[str, ...]:
    """The plural categories that whole numbers have in a language, in CLDR's order."""
    rule = _locale(language).plural_form
    found = {rule(n) for n in range(_ENOUGH_TO_COUNT)}
    return tuple(category for category in _CATEGORIES if category in found)
