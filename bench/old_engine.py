"""The search of an earlier commit as an engine: `bench/old_search.py` runs this in an environment of that commit.

It uses only what every commit since the first agents offers, and answers what the arena asks of an engine
(docs/engines.md): `python bench/old_engine.py AGENT`.
"""

from __future__ import annotations

import sys
import zlib
from typing import Any

import snakeden
from snakeden import agents


def main() -> None:
    name = sys.argv[1]
    game = "snekagon"
    options: dict[str, str] = {}
    moves: list[str] = []
    agent: Any = None
    for line in sys.stdin:
        match line.split():
            case ["ugi"]:
                say(f"id name {name}", "id author Snakeden", "ugiok")
            case ["setoption", "name", "Game", "value", value]:
                game = value
            case ["setoption", "name", option, "value", *value]:
                options[option] = " ".join(value)
            case ["isready"]:
                say("readyok")
            case ["position", "startpos", "moves", *moves]:
                pass
            case ["go", *_]:
                state = started(game, options)
                for move in moves:
                    state = state.play(move)
                # The protocol has no seed: the opening decides it, so that no two pairs of games are alike.
                agent = agent or agents.make(name, seed=zlib.crc32(" ".join(moves).encode()))
                say(f"bestmove {agent.choose(state).move}")
            case ["quit"]:
                return


def started(game: str, options: dict[str, str]) -> snakeden.State:
    known = {option.name: option for option in snakeden.games()[game].options}
    return snakeden.new_game(game, **{name: known[name].read(text) for name, text in options.items()})


def say(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)


if __name__ == "__main__":
    main()
