"""Messages and the catalogues that word them: every key is there in every language, and none is there for nothing."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from speech import NAMES, gathered, messages_in, words_of

import snakeden
from snakeden.core.errors import BadRecord, IllegalMove
from snakeden.server import errors
from snakeden.words import Message, Player, catalogue, from_data, languages, to_data, word
from snakeden.words.catalogue import _plurals

SOURCE = Path(snakeden.__file__).parent
ENGLISH = catalogue("en")
OTHERS = [code for code in languages() if code != "en"]
GAP = re.compile(r"\{(\w+)(?::\+|:score|:,)?((?:\|[^{}|]*)*)\}")

PROPER = words_of(
    "Snekagon Schlangennest Snakey Dice snakey-dice BoardGameArena MATY MOVES Adam Španěl Matyáš Veselý Vladimír "
    "Dražil Günter Cornett Game Rules Scores Winners Move Unicode random greedy level all yes"
)
"""Names of games and people, and what programs read in every language."""
NOTATION = words_of(
    "start reroll flip unlock ignore use escape crash end level bonus portal jump up right down left"
)
ALIKE = {
    "cs": words_of("start bonus had server mamba"),
    "de": words_of(
        "start starts nest ring portal blockade bonus solo hand option name server link bytes version mamba python"
    ),
}
"""Words that both languages have; a snake is "had" in Czech."""


def gaps(template: str) -> set[str]:
    return {found[1] for found in GAP.finditer(template)}


# ---- the catalogues


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_keys(language: str) -> None:
    there = catalogue(language)
    assert {"missing": ENGLISH.keys() - there.keys(), "more": there.keys() - ENGLISH.keys()} == {
        "missing": set(),
        "more": set(),
    }


@pytest.mark.parametrize("language", languages())
def test_templates_are_well_formed(language: str) -> None:
    forms = len(_plurals(language))
    for key, template in catalogue(language).items():
        assert template, key
        rest = GAP.sub("", template)
        assert "{" not in rest, key
        assert "}" not in rest, key
        for gap in GAP.finditer(template):
            assert gap[2].count("|") in (0, forms), f"{key}: {gap[0]} needs {forms} forms in {language}"


# ---- the source and the catalogues


REFUSALS = {kind.__name__ for kind in errors.Refused.__subclasses__()}
"""Errors of the server: each is called with a key of its own messages."""
PASSED_ON = {r"server\.[\w-]+"}
"""Where that key becomes a message."""


@dataclass(frozen=True)
class Use:
    """A message made in the source: a regular expression for its key, and its arguments (None if any)."""

    place: str
    key: str
    args: frozenset[str] | None


def _keys(node: ast.expr, named: list[tuple[str, ast.expr]]) -> Iterator[str]:
    """Regular expressions for the keys that this may be; `named` are assignments before it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield re.escape(node.value)
    elif isinstance(node, ast.JoinedStr):
        yield "".join(
            re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"[\w-]+"
            for part in node.values
        )
    elif isinstance(node, ast.IfExp):
        yield from _keys(node.body, named)
        yield from _keys(node.orelse, named)
    elif isinstance(node, ast.Name):
        values = [value for name, value in named if name == node.id]
        yield from _keys(values[-1], []) if values else ()


@cache
def uses() -> tuple[Use, ...]:
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        named: list[tuple[str, ast.expr]] = []
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for node in sorted((n for n in nodes if isinstance(n, ast.stmt | ast.expr)), key=_position):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                named.append((node.targets[0].id, node.value))
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Message" and node.args:
                names = [keyword.arg for keyword in node.keywords]
                args = None if None in names else frozenset(map(str, names))
                place = f"{path.relative_to(SOURCE)}:{node.lineno}"
                found += [Use(place, key, args) for key in _keys(node.args[0], named) if key not in PASSED_ON]
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in REFUSALS and node.args:
                args = frozenset(str(keyword.arg) for keyword in node.keywords)
                place = f"{path.relative_to(SOURCE)}:{node.lineno}"
                found += [Use(place, f"server.{key}", args) for key in _keys(node.args[0], [])]
            elif isinstance(node, ast.Dict) and path.name == "worker.py":
                named_so = zip(node.keys, node.values, strict=True)
                keys = [value for name, value in named_so if getattr(name, "value", "") == "key"]
                found += [Use(str(path), f"server.{key}", None) for value in keys for key in _keys(value, [])]
    return tuple(found)


def _position(node: ast.stmt | ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def matching(key: str) -> list[str]:
    return [known for known in ENGLISH if re.fullmatch(key, known)]


def test_every_message_in_the_source_has_its_template() -> None:
    assert [f"{use.place}: {use.key}" for use in uses() if not matching(use.key)] == []


def test_every_gap_is_filled_by_the_source() -> None:
    unfilled = [
        f"{use.place}: {key} in {language} wants {sorted(wanted - use.args)}"
        for use in uses()
        if use.args is not None
        for key in matching(use.key)
        for language in languages()
        if (wanted := gaps(catalogue(language)[key])) - use.args
    ]
    assert unfilled == []


def page_keys() -> set[str]:
    """Keys that the page's modules name."""
    texts = [file.read_text(encoding="utf-8") for file in (SOURCE / "web" / "js").rglob("*.js")]
    written = {one for text in texts for one in re.findall(r"\"([\w.-]+)\"", text)}
    made = {
        one.replace("${value}", r"\w+")
        for text in texts
        for one in re.findall(r"`([\w.]+\$\{value\})`", text)
    }
    own = {key for key in ENGLISH if key.removeprefix("page.") in written and key.startswith("page.")}
    return own | {key for key in ENGLISH if key in written or any(re.fullmatch(one, key) for one in made)}


def test_every_text_of_the_page_has_its_template() -> None:
    texts = [file.read_text(encoding="utf-8") for file in (SOURCE / "web" / "js").rglob("*.js")]
    asked = {key for text in texts for key in re.findall(r"\bt\(\s*\"(\w+)\"", text)}
    assert sorted(key for key in asked if f"page.{key}" not in ENGLISH) == []


def test_no_template_is_there_for_nothing() -> None:
    used = {key for use in uses() for key in matching(use.key)} | page_keys() | {"language.name"}
    assert sorted(ENGLISH.keys() - used) == []


# ---- what is really said


everything = cache(gathered)


def residue(language: str, english: str, instead: str) -> set[str]:
    """English words that are still there."""
    left = (words_of(english) & words_of(instead)) - PROPER - ALIKE[language]
    quoted = words_of(re.sub(r"[\"'“„][^\"'“„]*[\"'“„]", " ", english))
    return (left & quoted) - NOTATION


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_said_is_said_in_every_language_with_no_english_left(language: str) -> None:
    assert len(everything()) > 300
    left = {
        f"{english!r} -> {instead!r}": words
        for message in everything()
        if (english := word(message, "en", NAMES))
        and (instead := word(message, language, NAMES))
        and (words := residue(language, english, instead))
    }
    assert left == {}


def test_no_gap_stays_open() -> None:
    for message in everything():
        for language in languages():
            assert "{" not in word(message, language, NAMES), message


@pytest.mark.parametrize(
    "prefix", ["snekagon", "snekagon-5g", "schlangennest", "snakey-dice", "option", "choice"]
)
def test_the_gathering_reaches_most_of_what_the_games_can_say(prefix: str) -> None:
    said = {part.key for message in everything() for part in messages_in(message)}
    spoken = {key for use in uses() for key in matching(use.key) if key.startswith(f"{prefix}.")}
    wanted = spoken - page_keys()  # what forms offer is worded by the page
    assert len(wanted & said) > 0.7 * len(wanted), sorted(wanted - said)


# ---- messages


VALUES: Any = st.recursive(
    st.one_of(
        st.sampled_from(["", "f6", "Žofie", "{n}"]),
        st.integers(-(10**6), 10**6),
        st.floats(-1000, 1000),
        st.builds(Player, st.integers(0, 4)),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.sampled_from("abc"), inner, max_size=2).map(
            lambda held: Message("move.refused", **held)
        ),
    ),
    max_leaves=6,
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["n", "who", "move"]), VALUES))
def test_a_message_survives_json_and_pickle(args: dict[str, Any]) -> None:
    message = Message("record.line", **args)
    assert from_data(to_data(message)) == message
    assert pickle.loads(pickle.dumps(message)) == message
    assert hash(from_data(to_data(message))) == hash(message)


def test_wording() -> None:
    stops = Message("snekagon.reason.stops", who=Player(1), n=3)
    assert str(stops) == "stops Player 2's longest snake at 3 cells"
    assert word(stops, "en", ("Ann", "Bob")) == "stops Bob's longest snake at 3 cells"
    assert word(stops, "cs", ("Ann", "Bob")) == "zastaví nejdelšího hada, kterého vede Bob: 3 políčka"
    many = Message("choice.looked_at_all", n=1234)
    assert [word(many, code) for code in ("en", "de")] == [
        "Looked at all that matters: 1,234 positions.",
        "Alles angesehen, worauf es ankommt: 1.234 Stellungen.",
    ]
    lead = Message("choice.makes_lead", move="f6", n=1.5)
    assert word(lead, "de") == "f6: Der Vorsprung ist sofort +1,5."
    price = Message("snakey-dice.reason.escapes", price=(Message("snakey-dice.jumps", n=2), "x", "y"))
    assert str(price) == "escapes for 2 jumps, x, and y"


def test_a_language_with_a_gap_falls_back_to_english_and_no_key_is_no_crash() -> None:
    assert word(Message("move.no_such_key", n=1)) == "move.no_such_key"
    assert word(Message("snekagon.reason.ring", n=2), "fr") == "closes a ring of 2 cells"


def test_errors_carry_their_message() -> None:
    state = snakeden.new_game("snekagon", side=4).play("d4")
    with pytest.raises(IllegalMove) as caught:
        state.play("d4-d5")
    assert caught.value.message == Message("snekagon.occupied", move="d4-d5", cell="d4")
    assert str(caught.value) == "d4-d5: there is a tile on d4 already"
    again = pickle.loads(pickle.dumps(BadRecord(3, Message("record.no_game"))))
    assert (again.line, str(again)) == (3, 'line 3: a record begins with its game, such as [Game "snekagon"]')
