"""Writes the pictures of the shelf: for each game of the house a scene from the middle of a game between engines."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import snakeden
from snakeden import agents
from snakeden.core.game import CHANCE
from snakeden.core.registry import games
from snakeden.drawing.scene import to_json

FOLDER = Path(snakeden.__file__).parent / "web" / "pictures"
SHARE = 0.6
"""How much of the game has been played."""


def positions(game: str) -> list[tuple[snakeden.State, str]]:
    """A whole game: the positions, and the move that led to each."""
    agent, dice = agents.make("greedy", seed=1), np.random.default_rng(1)
    state = snakeden.new_game(game)
    found = []
    while not state.is_over:
        move = state.roll(dice) if state.player == CHANCE else agent.choose(state).move
        state = state.play(move)
        found.append((state, str(move)))
    return found


def main() -> None:
    for name, game in games().items():
        played = positions(name)
        state, last = played[int(SHARE * len(played))]
        scene = game.view.scene(state, last_move=last)
        (FOLDER / f"{name}.json").write_text(to_json(scene) + "\n", encoding="utf-8")
        print(name, len(played))


if __name__ == "__main__":
    main()
