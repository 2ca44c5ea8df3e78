"""`snakeden nets`: the networks of the package, and files made of trained ones."""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import shlex
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakeden.cli.game_options import add_game, read_options
from snakeden.cli.progress import progress
from snakeden.core.game import Variant
from snakeden.core.learning import geometry
from snakeden.core.registry import game as find_game
from snakeden.core.registry import games
from snakeden.core.state import State, new_game
from snakeden.search.evaluators import Evaluator


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="the networks of this package, and how they were made")
    listing.add_argument("--json", action="store_true", help="print their cards as one object")
    exporting = actions.add_parser("export", help="write the network of a training as an ONNX file")
    exporting.add_argument("folder", metavar="FOLDER", type=Path, help="where `snakeden train` kept its run")
    exporting.add_argument("--out", metavar="FILE", type=Path, required=True, help="such as net.onnx")
    exporting.add_argument(
        "--full",
        action="store_true",
        help="with 32 bits, not 8: less than half as fast, and a little more exact",
    )
    exporting.add_argument(
        "--mix",
        metavar="SHARE",
        type=float,
        default=0.0,
        help="the share of a position's values that playouts are to say when it plays, from 0 (default) to 1",
    )
    averaging = actions.add_parser(
        "average",
        help="the mean of the weights of a run and of one that went on from it, which may be stronger",
    )
    averaging.add_argument(
        "folder", metavar="FOLDER", type=Path, help="where `snakeden train` kept the first run"
    )
    averaging.add_argument("later", metavar="LATER", type=Path, help="and the run that went on from it")
    averaging.add_argument(
        "--share",
        type=float,
        default=0.5,
        help="how much the later run counts, from 0 to 1 (default 0.5)",
    )
    averaging.add_argument(
        "--out", metavar="FOLDER", type=Path, required=True, help="where the mean is kept as a run"
    )
    solving = actions.add_parser(
        "solve", help="solve the ends of games that a network plays: positions for `snakeden train --solved`"
    )
    add_game(solving)
    solving.add_argument(
        "--out",
        metavar="FILE",
        type=Path,
        required=True,
        help="such as solved.npz; if it exists it is added to",
    )
    solving.add_argument("--minutes", type=float, default=10.0, help="how long (default 10)")
    solving.add_argument(
        "--positions",
        type=int,
        default=60_000,
        help="how many positions the solver may look at for one (default 60,000)",
    )
    solving.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (default: one a core)")
    solving.add_argument("--file", type=Path, help="a network other than the package's")
    timing = actions.add_parser("bench", help="measure how many positions a second a network evaluates")
    timing.add_argument("game", metavar="GAME", help=", ".join(games()))
    timing.add_argument("--file", type=Path, help="a network other than the package's")
    timing.add_argument("--json", action="store_true", help="print one object")


def run(args: argparse.Namespace) -> int:
    actions = {"list": _list, "export": _export, "average": _average, "solve": _solve, "bench": _bench}
    return actions[args.action](args)


def _list(args: argparse.Namespace) -> int:
    from snakeden.nets.evaluator import is_installed, shipped

    found: dict[str, Any] = {}
    for game in games():
        for path, card in shipped(new_game(game).variant.game).items():
            found[path.stem] = card | {"bytes": path.stat().st_size}
    if args.json:
        print(json.dumps(found))
        return 0
    for name, card in found.items():
        size = card["size"]
        print(
            f"{name}: {size['blocks']} blocks of {size['channels']} channels, {card['bytes'] / 2**20:.1f} MB; "
            f"{card['minutes']:.0f} minutes, {card['games']:,} games"
        )
    if not found:
        print("there is no network in this package")
    if not is_installed():
        print("ONNX Runtime is not installed, so none can be asked: pip install 'snakeden[nets]'")
    return 0


def _export(args: argparse.Namespace) -> int:
    _require_training()
    if not 0 <= args.mix <= 1:
        raise ValueError(f"--mix {args.mix} is no share: give one from 0 to 1")
    from snakeden.nets import checkpoints
    from snakeden.nets.evaluator import MIX
    from snakeden.nets.export import export
    from snakeden.nets.quantise import quantise

    card = checkpoints.read_progress(args.folder)
    net = checkpoints.read_net(args.folder / checkpoints.NET)
    variants = _variants(card)
    card[MIX] = args.mix
    card["bits"] = 32 if args.full else 8
    if args.full:
        export(net, args.out, card)
    else:
        full = args.out.with_name(args.out.name + ".full")
        export(net, full, card)
        quantise(full, args.out, net, variants)
        full.unlink()
    beside = {**card, "layout": net.layout.as_data()}
    args.out.with_suffix(".json").write_text(json.dumps(beside, indent=1) + "\n")
    print(f"{args.out}: {args.out.stat().st_size / 2**20:.2f} MB")
    return 0


def _require_training() -> None:
    if not all(map(find_spec, ("torch", "onnx", "onnxruntime"))):
        raise ValueError("writing a network needs the packages of training: pip install 'snakeden[train]'")


def _average(args: argparse.Namespace) -> int:
    _require_training()
    if not 0 <= args.share <= 1:
        raise ValueError(f"--share {args.share} is no share: give one from 0 to 1")
    from snakeden.nets import checkpoints
    from snakeden.nets.model import averaged

    one, other = (checkpoints.read_net(folder / checkpoints.NET) for folder in (args.folder, args.later))
    made, progress = averaged(one, other, args.share), checkpoints.read_progress(args.later)
    given = shlex.join(
        str(each) for each in (args.folder, args.later, "--share", args.share, "--out", args.out)
    )
    progress["commands"] = [*progress.get("commands", []), f"snakeden nets average {given}"]
    checkpoints.save_averaged(args.out, made, progress)
    print(f"{args.out}: {args.share:.0%} of {args.later}, the rest of {args.folder}")
    return 0


def _variants(progress: dict[str, Any]) -> list[Variant]:
    return [new_game(progress["game"], **options).variant for options in progress["variants"]]


def _solve(args: argparse.Namespace) -> int:
    from snakeden.nets.evaluator import network_for
    from snakeden.nets.solved import PIECE, collect

    game = find_game(args.game)
    variant = new_game(game.id, **read_options(game, args.settings)).variant
    if args.minutes <= 0 or args.positions < 1 or args.jobs < 1:
        raise ValueError("--minutes, --positions and --jobs have to be more than 0")
    seconds, jobs = 60 * args.minutes, args.jobs
    with progress("solving", jobs * math.ceil(seconds / PIECE)) as advance:
        found = collect(
            variant,
            args.file or network_for(variant),
            args.out,
            positions=args.positions,
            seconds=seconds,
            jobs=jobs,
            advance=advance,
        )
    print(f"{args.out}: {len(found.shares):,} positions")
    return 0


def _bench(args: argparse.Namespace) -> int:
    from snakeden.nets.evaluator import BATCH, NetEvaluator, network_for

    state = new_game(args.game)
    path = args.file or network_for(state.variant)
    evaluator = NetEvaluator(state.variant, path)
    positions = _positions(state, evaluator, 16 * BATCH)
    found = {str(count): _rate(evaluator, positions, count) for count in (1, BATCH, 4 * BATCH)}
    if geometry(state.variant).boardless:
        found["whole grid"] = _rate(NetEvaluator(state.variant, path, margin=None), positions, BATCH)
    if args.json:
        print(json.dumps(found))
        return 0
    for size, rate in found.items():
        at_once = f"{size} at a time" if size.isdigit() else f"{BATCH} at a time, if it is shown the {size}"
        print(f"{rate:,} positions a second of one thread, {at_once}")
    return 0


def _positions(start: State, evaluator: Evaluator, count: int) -> NDArray[Any]:
    """[count, words] positions of games from this one on in which a player is to move. The network plays both seats, by
    its priors alone."""
    found: list[NDArray[Any]] = []
    generator, state = random.Random(1), start
    while len(found) < count:
        if state.player is None:
            state = start
        elif state.player < 0:
            state = state.play(state.roll(generator))
        else:
            found.append(state.array())
            priors, moves = evaluator(found[-1][None]).priors, state.legal_moves()
            assert priors is not None
            state = state.play(generator.choices(moves, [float(priors[0, move.code]) for move in moves])[0])
    return np.array(found)


def _rate(evaluator: Evaluator, positions: NDArray[Any], count: int) -> int:
    """How many positions it evaluates in a second of processor time, `count` at once."""
    evaluator(positions[:count])
    begin, done = time.process_time(), 0
    while time.process_time() - begin < 1:
        first = done % len(positions)
        evaluator(positions[first : first + count])
        done += count
    return round(done / (time.process_time() - begin))
