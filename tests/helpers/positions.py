"""Games that agents have played, to look at in the middle and at the end. The same seeds give the same games."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import snakeden
from snakeden import agents
from snakeden.core.state import State
from snakeden.records import record
from snakeden.words import word


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


def random_positions(game: str, options: dict[str, Any], seed: int) -> Iterator[tuple[State, list[str]]]:
    """The positions of a random game in which somebody is to move, each with the moves so far."""
    dice, state = random.Random(seed), snakeden.new_game(game, **options)
    moves: list[str] = []
    while not state.is_over:
        if state.player == snakeden.CHANCE:
            move = state.roll(dice)
        else:
            yield state, moves
            move = dice.choice(state.legal_moves())
        moves.append(move.text)
        state = state.play(move)


def record_until(game: str, options: dict[str, Any], wanted: Callable[[State], bool], seed: int = 1) -> str:
    """The record of a random game up to the first position of this kind."""
    return next(
        record_text(game, options, moves)
        for state, moves in random_positions(game, options, seed)
        if wanted(state)
    )


def fullest_prompts(game: str, options: dict[str, Any], language: str, games: int = 12) -> list[str]:
    """Records that end where a player is asked something: of each question the one whose actions say the most, first
    by their number and then by their letters in a language."""
    fullest: dict[str, tuple[tuple[int, int], str]] = {}
    for seed in range(games):
        for state, moves in random_positions(game, options, seed):
            asked = state.variant.game.view.prompt(state)
            words = [word(text, language) for action in asked.actions for text in (action.label, action.note)]
            size = (len(asked.actions), sum(map(len, words)))
            question = word(asked.text, language)
            if size > fullest.get(question, ((0, 0), ""))[0]:
                fullest[question] = (size, record_text(game, options, moves))
    return [text for _, text in fullest.values()]
