"""Positions of Snakey Dice. Chance is explicit, so every one is played to, with dice that fall as a test needs them."""

from __future__ import annotations

import random

import snakeden
from snakeden import State
from snakeden.games.snakey_dice import position

VARIANTS: list[dict[str, object]] = [
    {"players": 1},
    {"players": 2},
    {"players": 3, "map": "diy"},
    {"players": 4, "map": "pinwheel"},
    {"players": 2, "map": "fishy"},
    {"players": 4, "map": "diy-xl"},
]


def played(state: State, moves: str) -> State:
    """The position after these moves, with spaces between."""
    for move in moves.split():
        state = state.play(move)
    return state


def legal(state: State) -> set[str]:
    return {str(move) for move in state.legal_moves()}


def board(fill: str, **rows: str) -> str:
    """A map of 11 by 11 in one line, nothing rolled: this everywhere but in rows such as r2="S..."."""
    lines = [rows.get(f"r{row}", "").ljust(11, fill) for row in range(2, 13)]
    return "0,0:" + "/".join(lines)


def solo(blockades: str, direction: str = "right") -> State:
    """The solo game with six blockades rolled here, and its start chosen."""
    rolls = " ".join(f"square:{square}" for square in blockades.split())
    return played(snakeden.new_game("snakey-dice"), f"{rolls} start:2,2:{direction}")


FAR = "9,9 9,8 8,9 8,8 9,10 8,10"
"""Blockades out of the way."""


def randomly(options: dict[str, object], seed: int) -> list[State]:
    """Every position of a random game."""
    dice = random.Random(seed)
    states = [snakeden.new_game("snakey-dice", **options)]
    while not states[-1].is_over:
        state = states[-1]
        move = state.roll(dice) if state.player == snakeden.CHANCE else dice.choice(state.legal_moves())
        states.append(state.play(move))
    return states


def eating_duel() -> State:
    """A duel of two on a board full of power-ups; seat 0 starts to the right, seat 1 at the far corner."""
    full = board("+", r2="S", r12="+" * 10 + "S")
    return played(snakeden.new_game("snakey-dice", players=2, map=full), "start:2,2:right start:12,12:left")


WAITING = " dice:66 ignore:6 use:6 square:2,2 square:2,2"
"""A turn in which a player of two dice stays where it is."""


def grown() -> State:
    """Seat 0 of the eating duel with all four tracks at level 4, about to roll six dice."""
    state = eating_duel()
    levels = [track for track in ("reroll", "flip", "unlock", "ignore") for _ in range(4)]
    path = ["use:1"] * 9 + ["use:4", "use:4"] + ["use:1"] * 5
    for i, (use, level) in enumerate(zip(path, levels, strict=True)):
        highest = max(track.level for track in position.tracks(state, 0))
        face = use[-1]
        # All dice but one are ignored, or locked and spent on squares that hold something.
        others = highest + 1
        state = played(state, "dice:" + "".join(sorted(face + "6" * others)))
        ignore = {0: 1, 1: 1, 2: 2, 3: 2, 4: 3}[position.tracks(state, 0)[3].level]
        state = played(state, "ignore:" + "6" * min(others, ignore))
        if any(move.startswith("bonus:") for move in legal(state)):
            state = played(state, sorted(legal(state))[0])
        while "use:6" in legal(state):
            state = played(state, "use:6 square:2,2 square:2,2")
        state = played(state, f"{use} square:2,2 level:{level}" + WAITING)
        assert position.trail(state, 0)[-1].square == ((3 + i, 2) if i < 10 else (22 - i, 3)), i
    return state
