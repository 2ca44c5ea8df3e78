"""`snakeden perft GAME DEPTH`: count the sequences of moves from the first position, or from a state's text."""

from __future__ import annotations

import argparse
import json
import time

from snakeden.cli.game_options import add_device, add_game, chosen_game
from snakeden.core.state import State, new_game, restore
from snakeden.search.perft import perft


def configure(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("depth", type=int, help="count sequences of 1 up to this many moves")
    parser.add_argument("--state", metavar="TEXT", help="start from this position, given as a state's text")
    add_device(parser)
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")


def run(args: argparse.Namespace) -> int:
    state = _start(args)
    if args.depth < 1:
        raise ValueError(f"a depth of {args.depth} counts nothing: give 1 or more")
    count = perft
    if args.device == "cuda":
        from snakeden.search.cuda_perft import perft as count
    counts = []
    for depth in range(1, args.depth + 1):
        start = time.perf_counter()
        counts.append(count(state, depth))
        took = time.perf_counter() - start
        if not args.json:
            print(f"perft({depth}) = {counts[-1]:,}  in {took:.2f} s", flush=True)
    if args.json:
        given = {
            name: state.variant.game.option(name).write(value) for name, value in state.variant.given.items()
        }
        print(json.dumps({"game": state.game, "options": given, "counts": counts}))
    return 0


def _start(args: argparse.Namespace) -> State:
    game, options = chosen_game(args)
    if args.state is None:
        return new_game(game.id, **options)
    if args.settings:
        raise ValueError("--set and --state do not go together: a state's text names its own options")
    state = restore(args.state)
    if state.game != game.id:
        raise ValueError(f"the state is of {state.game}, and the game given is {game.id}")
    return state
