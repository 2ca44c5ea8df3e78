"""The page words messages exactly as Python does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from browsing import Server
from playwright.sync_api import Page

from snakeden.words import Message, Player, catalogue, languages, to_data, word

NAMES = ("Ann", "Bořek", "Çelik")
FILLED = {
    "scores": (Message("scene.score", who=Player(0), n=5), Message("scene.score", who=Player(1), n=-1234)),
    "points": (5, 4.5),
    "winners": (Player(0), Player(1), Player(2)),
    "left": (Message("outcome.left_by.time", who=Player(1)),),
    "price": (Message("snakey-dice.jumps", n=2), Message("snakey-dice.portals", n=1)),
}


GAPS = "n by most starts seats given bytes seconds plies count players what cell move face other s"


def messages() -> list[Message]:
    """Every template of the catalogue, its gaps filled with lists, names and numbers of every plural form."""
    found = []
    for key in catalogue("en"):
        for n in (0, 1, 2, 3, 5, 21, 1234, -2):
            filled: dict[str, Any] = {**dict.fromkeys(GAPS.split(), n), "who": Player(n % 3), **FILLED}
            found.append(Message(key, **filled))
    return found


@pytest.mark.parametrize("language", languages())
def test_page_and_python_say_the_same(page: Page, server: Server, language: str) -> None:
    page.goto(server.address)
    known = [message for message in messages() if _is_filled(catalogue(language)[message.key], message)]
    assert len(known) > 1000
    worded = page.evaluate(
        """async (asked) => {
            const [language, names, messages] = JSON.parse(asked); // Playwright itself takes a minute for so many
            const { Words } = await import("/js/words.js");
            const load = (one) => fetch(`/words/${one}.json`).then((answer) => answer.json());
            const [own, english] = [await load(language), await load("en")];
            const words = new Words(language, own, english, (seat) => names[seat]);
            return messages.map((message) => words.word(message));
        }""",
        json.dumps([language, NAMES, [to_data(message) for message in known]]),
    )
    different = [
        (mine, yours)
        for message, yours in zip(known, worded, strict=True)
        if (mine := word(message, language, NAMES)) != yours
    ]
    assert different == []


def _is_filled(template: str, message: Message) -> bool:
    """Whether the message has something for each gap of the template."""
    gaps = [gap.partition("}")[0].split(":")[0].split("|")[0] for gap in template.split("{")[1:]]
    return set(gaps) <= message.args.keys()
