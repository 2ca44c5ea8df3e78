"""Dice that nobody need trust: everything follows from a seed that is committed to before the first roll.

The commitment, sha256 of the seed, is public from the beginning; the seed is published when the game is over. A
roll is HMAC-SHA256 with the seed as key over the game's id and all plies so far, one a line: its first 53 bits
are a number from 0 up to 1, which picks an outcome by the outcomes' probabilities in the order of their codes.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence

from snakeden.core.game import CHANCE
from snakeden.core.state import State


def new_seed() -> bytes:
    return secrets.token_bytes(32)


def commitment(seed: bytes) -> str:
    return hashlib.sha256(seed).hexdigest()


class Die:
    """A generator for `State.roll`, good for the one roll after these plies."""

    def __init__(self, seed: bytes, game_id: str, plies: Sequence[str]) -> None:
        self._seed = seed
        self._message = "\n".join([game_id, *plies]).encode()

    def random(self) -> float:
        digest = hmac.new(self._seed, self._message, hashlib.sha256).digest()
        return (int.from_bytes(digest[:8], "big") >> 11) / 2**53


def first_false_roll(
    seed: bytes, game_id: str, opening: State, plies: Sequence[str], given: int = 0
) -> int | None:
    """The number of the first ply that is a roll and does not follow from the seed; None if all do. The first
    `given` plies came from a record."""
    state = opening
    for number, text in enumerate(plies):
        if (
            number >= given
            and state.player == CHANCE
            and state.roll(Die(seed, game_id, plies[:number])).text != text
        ):
            return number
        state = state.play(text)
    return None
