"""Exact values of what one player can do until the turn ends: every choice and every fall of the dice is looked at.

Staying in the game comes first; among what is as safe, the points expected at the end of the turn count.
"""

from __future__ import annotations

from typing import Any

from snakeden.core.game import CHANCE
from snakeden.core.moves import Move
from snakeden.core.state import State

Value = tuple[float, float]
"""The chance to be still in after the turn, and the points expected then."""

_DIGITS = 9
"""Chances are compared up to rounding: sums in another order may differ in the last bits."""


class TooMany(Exception):
    """There are more positions to look at than allowed."""


def has_exact_chances(state: State) -> bool:
    """Whether exact values can be asked for: one player, and a game that says where turns begin."""
    return state.seats == 1 and state.variant.game.part("turns") is not None


def values(state: State, most: int) -> dict[Move, Value]:
    """The exact value of each legal move, best first. Raises TooMany beyond this many positions."""
    expectation = _Expectation(state, most)
    found = {move: expectation.after(state.play(move)) for move in state.legal_moves()}
    return dict(sorted(found.items(), key=lambda pair: rounded(pair[1]), reverse=True))


def rounded(value: Value) -> Value:
    """What values are compared by."""
    return round(value[0], _DIGITS), round(value[1], _DIGITS)


def continuation(state: State, move: Move, most: int, *, unlucky: bool) -> tuple[tuple[Move, ...], float]:
    """A move and how the turn may go on after it: the best choices, and of the dice what is most likely, or worst for
    the player. Also the chance that they fall so. Raises TooMany."""
    expectation = _Expectation(state, most)
    turns: Any = state.variant.game.part("turns")
    line, chance = [move], 1.0
    state = state.play(move)
    while not state.is_over and not turns.turn_begins(state):
        if state.player == CHANCE:
            falls = [
                (code, share, rounded(expectation.after(state.play(code))))
                for code, share in turns.chances(state)
            ]
            code, share, _ = min(
                falls, key=lambda fall: (fall[2], -fall[1]) if unlucky else (-fall[1], fall[2])
            )
            chance *= share
        else:
            codes = state.codes().tolist()
            code = max(codes, key=lambda one: rounded(expectation.after(state.play(one))))
        line.append(state.move(code))
        state = state.play(code)
    return tuple(line), chance


class _Expectation:
    """Values of the positions of one turn, each looked at once."""

    def __init__(self, state: State, most: int) -> None:
        self._turns: Any = state.variant.game.part("turns")
        self._words = int(state.variant.tables.key_words)
        self._most = most
        self._known: dict[bytes, Value] = {}

    def after(self, state: State) -> Value:
        """The value of a position reached within the turn."""
        if state.is_over:
            return 0.0, float(state.scores()[0])
        if self._turns.turn_begins(state):
            return 1.0, float(state.scores()[0])
        key = state.array()[: self._words].tobytes()
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= self._most:
                raise TooMany
            known = self._known[key] = self._look(state)
        return known

    def _look(self, state: State) -> Value:
        if state.player != CHANCE:
            return max((self.after(state.play(code)) for code in state.codes().tolist()), key=rounded)
        stay = points = 0.0
        for code, probability in self._turns.chances(state):
            one = self.after(state.play(code))
            stay += probability * one[0]
            points += probability * one[1]
        return stay, points
