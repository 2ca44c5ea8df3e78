"""How games begin here: options as they come over the network, for which no file is opened, and rules that are
loaded before anybody has to wait for them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from snakeden.core.game import variant
from snakeden.core.registry import game as find_game
from snakeden.core.state import State


def opening(game: str, options: Mapping[str, Any]) -> State:
    """The first position; raises BadOption, also for the path of a file: a map is sent as text."""
    chosen = variant(find_game(game), options)
    return State(chosen, chosen.game.rules.opening(chosen.tables))


def play_through(game: str) -> None:
    """Play one game at random, so that all that a server needs of the game is loaded."""
    state = opening(game, {})
    generator = random.Random(0)
    while not state.is_over:
        move = state.roll(generator) if state.chance_moves() else generator.choice(state.legal_moves())
        state = state.play(move.text)
        state.scores()
