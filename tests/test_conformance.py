"""The public conformance check: every game of the house passes it, and a broken game does not."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

import snakeden


@pytest.mark.parametrize("game", snakeden.games())
def test_game_keeps_the_protocol(game: str) -> None:
    snakeden.check_game(game, examples=12)


def test_options_that_cannot_be_are_no_passed_check() -> None:
    for options in ({"side": 99}, {"sdie": 4}):
        with pytest.raises(snakeden.BadOption):
            snakeden.check_game("snekagon", examples=2, **options)
    with pytest.raises(AssertionError, match="nothing was checked"):
        snakeden.check_game("schlangennest", examples=4, players=4, border="fence")


def _rules() -> ModuleType:
    return snakeden.games()["snekagon"].rules


def test_a_lost_move_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    legal = _rules().legal
    monkeypatch.setattr(_rules(), "legal", lambda t, s, out: max(legal(t, s, out) - 1, 0))
    with pytest.raises(AssertionError):
        snakeden.check_game("snekagon", examples=5, side=3)


def test_a_move_that_changes_nothing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_rules(), "apply", lambda t, s, move: None)
    with pytest.raises(AssertionError, match="changes nothing"):
        snakeden.check_game("snekagon", examples=5, side=3)


def test_a_play_that_writes_to_the_old_state_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    truly_legal = _rules().legal

    def legal(t: Any, s: Any, out: Any) -> Any:
        count = truly_legal(t, s, out)
        s[-1] += s.dtype.type(1)
        return count

    monkeypatch.setattr(_rules(), "legal", legal)
    with pytest.raises(AssertionError):
        snakeden.check_game("snekagon", examples=5, side=3)
