"""Games that agents have played, to look at in the middle and at the end. The same seeds give the same games."""

from __future__ import annotations

import random
from typing import Any

import snakeden
from snakeden import agents
from snakeden.records import record


def played(game: str, options: dict[str, Any], agent: str = "greedy") -> list[str]:
    """The moves of a whole game."""
    dice, state = random.Random(5), snakeden.new_game(game, **options)
    players = [agents.make(agent, seed=seat) for seat in range(state.seats)]
    moves = []
    while not state.is_over:
        if state.player == snakeden.CHANCE:
            move = state.roll(dice)
        else:
            assert state.player is not None
            move = players[state.player].choose(state).move
        moves.append(move.text)
        state = state.play(move)
    return moves


def middle_of(game: str, options: dict[str, Any], moves: list[str], share: float = 0.55) -> int:
    """The first ply after this share of the game at which the first seat is to move."""
    state = snakeden.new_game(game, **options)
    for ply, move in enumerate(moves):
        if ply >= int(share * len(moves)) and state.player == 0:
            return ply
        state = state.play(move)
    return len(moves)


def record_text(game: str, options: dict[str, Any], moves: list[str]) -> str:
    return record(snakeden.new_game(game, **options), moves).write()
