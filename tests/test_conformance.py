"""The public conformance check: every game of the house passes it, and a broken game does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import snakeden
from snakeden.core import game
from snakeden.programs import TARGET_VARIABLE, cpu
from snakeden.programs.abi import Signature


@pytest.mark.parametrize("game", snakeden.games())
def test_game_keeps_the_protocol(game: str) -> None:
    snakeden.check_game(game, examples=12)


def test_options_that_cannot_be_are_no_passed_check() -> None:
    for options in ({"side": 99}, {"sdie": 4}):
        with pytest.raises(snakeden.BadOption):
            snakeden.check_game("snekagon", examples=2, **options)
    with pytest.raises(AssertionError, match="nothing was checked"):
        snakeden.check_game("schlangennest", examples=4, players=4, border="fence")


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, Callable[..., Any]], None]]:
    """Breaks an entry of every program: `broken(name, change)`, where change(truly) -> the function in its place."""
    truly = cpu._caller

    def forget() -> None:
        game._variants.clear()
        game._alive.clear()

    def break_(name: str, change: Callable[..., Any]) -> None:
        def caller(address: int, signature: Signature, tables: int) -> Any:
            made = truly(address, signature, tables)
            return change(made) if signature.name == name else made

        monkeypatch.setattr(cpu, "_caller", caller)
        monkeypatch.setenv(TARGET_VARIABLE, "cpu")
        forget()

    yield break_
    forget()


def test_a_lost_move_is_found(broken: Callable[..., None]) -> None:
    broken("legal", lambda legal: lambda s, out: max(legal(s, out) - 1, 0))
    with pytest.raises(AssertionError):
        snakeden.check_game("snekagon", examples=5, side=3)


def test_a_move_that_changes_nothing_is_found(broken: Callable[..., None]) -> None:
    broken("advance", lambda advance: lambda s, move: 0)
    with pytest.raises(AssertionError, match="changes nothing"):
        snakeden.check_game("snekagon", examples=5, side=3)


def test_a_play_that_writes_to_the_old_state_is_found(broken: Callable[..., None]) -> None:
    def writing(truly: Any) -> Any:
        def legal(s: Any, out: Any) -> Any:
            count = truly(s, out)
            s[-1] += s.dtype.type(1)
            return count

        return legal

    broken("legal", writing)
    with pytest.raises(AssertionError):
        snakeden.check_game("snekagon", examples=5, side=3)
