"""`snakeden train`: a network for a game, by playing against itself."""

from __future__ import annotations

import time

_BEGUN = time.time()  # the minutes of a run count from here: what is imported below takes seconds

import argparse  # noqa: E402
import json  # noqa: E402
import shlex  # noqa: E402
import sys  # noqa: E402
from collections.abc import Callable  # noqa: E402
from dataclasses import fields  # noqa: E402
from importlib.util import find_spec  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import TYPE_CHECKING, Any  # noqa: E402

from snakeden.cli.game_options import read_options  # noqa: E402
from snakeden.core.game import Game, Variant  # noqa: E402
from snakeden.core.registry import game as find_game  # noqa: E402
from snakeden.core.registry import games  # noqa: E402
from snakeden.core.state import new_game  # noqa: E402

if TYPE_CHECKING:
    from snakeden.nets.training import Plan, Training


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help=", ".join(games()))
    parser.add_argument(
        "--set",
        metavar="NAME=VALUE,…",
        action="append",
        default=[],
        dest="settings",
        help="options of the game, such as side=4; given several times, one network learns all these variants",
    )
    parser.add_argument(
        "--minutes", type=float, default=10.0, help="length of this run, everything included (default 10)"
    )
    parser.add_argument("--out", metavar="FOLDER", type=Path, required=True, help="where the run is kept")
    parser.add_argument("--resume", action="store_true", help="continue the run in the folder")
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument(
        "--seed", type=int, default=0, help="repeats a run, as far as the device allows (default 0)"
    )
    parser.add_argument(
        "--plan",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="change the plan, such as channels=96, games=4096 or rate=1e-3; docs/nets.md lists what there is",
    )
    parser.add_argument(
        "--solved",
        metavar="FILE",
        type=Path,
        help="learn who wins from these positions too, of the first variant; `snakeden nets solve` makes them",
    )
    parser.add_argument(
        "--smoke", action="store_true", help="check that everything works here, in a minute or so"
    )
    parser.add_argument("--json", action="store_true", help="print JSON lines instead of text")


def run(args: argparse.Namespace) -> int:
    if find_spec("torch") is None:
        raise ValueError("training needs PyTorch, which is not installed: pip install 'snakeden[train]'")
    import torch

    from snakeden.nets.solved import read_solved
    from snakeden.nets.training import Training

    game = find_game(args.game)
    variants = _variants(game, args.settings)
    if args.device == "cuda" and not torch.cuda.is_available():
        raise ValueError("--device cuda: PyTorch finds no GPU here")
    name = args.device if args.device != "auto" else "cuda" if torch.cuda.is_available() else "cpu"
    device = torch.device(name)
    if device.type == "cuda":
        torch.backends.cudnn.benchmark = True
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    plan = _plan(args, device.type, variants)
    if args.smoke:
        from snakeden.nets.smoke import smoke

        return smoke(variants, plan, args.out, device)
    if args.resume == (not (args.out / "progress.json").exists()):
        raise ValueError(
            f"{args.out} holds no run to go on with: leave --resume out"
            if args.resume
            else f"{args.out} holds a run already: give --resume to go on with it, or another folder"
        )
    command = shlex.join(["snakeden", *sys.argv[1:]])
    training = Training(
        variants,
        plan,
        args.out,
        resume=args.resume,
        device=device,
        begun=_BEGUN,
        command=command,
        solved=read_solved(args.solved, variants[0]) if args.solved is not None else None,
    )
    say = _Reporter(args.out, plan.minutes, as_json=args.json)
    weights = training.progress()["parameters"]
    print(f"{weights:,} weights on {device}, ready after {training.seconds:.0f} s", file=sys.stderr)
    try:
        training.run(say, lambda: _export(training))
    except KeyboardInterrupt:
        training.keep()
        print(f"stopped; `--resume` goes on from {args.out}", file=sys.stderr)
        return 130
    finally:
        say.close()
    return 0


def _variants(game: Game, settings: list[str]) -> list[Variant]:
    asked = [read_options(game, setting.split(",")) for setting in settings] or [{}]
    return [new_game(game.id, **options).variant for options in asked]


def _plan(args: argparse.Namespace, device: str, variants: list[Variant]) -> Plan:
    """The plan for a device, changed as asked."""
    from snakeden.nets.learning import LearningSettings
    from snakeden.nets.search import Settings
    from snakeden.nets.training import Plan

    values: dict[type, dict[str, Any]] = {Plan: {}, Settings: {}, LearningSettings: {}}
    if device == "cpu":
        values[Plan] = {"blocks": 3, "channels": 32, "games": 128, "replay": 100_000, "fill": 4_000}
        values[Plan] |= {"simulations": 16, "measure_games": 64, "greedy_games": 32}
        values[LearningSettings] = {"batch": 256, "average": 0.99}
    for change in args.plan:
        name, _, text = change.partition("=")
        kind = next((kind for kind in values if name in _numbers(kind)), None)
        if kind is None:
            known = sorted(name for kind in values for name in _numbers(kind))
            raise ValueError(f"--plan {change}: give NAME=NUMBER with one of {', '.join(known)}")
        try:
            values[kind][name] = _numbers(kind)[name](text)
        except ValueError:
            raise ValueError(f"--plan {change}: {text!r} is not a number that it can be") from None
    values[Plan] |= {"minutes": args.minutes, "seed": args.seed}
    values[Settings]["simulations"] = values[Plan].get("simulations", Plan.simulations)
    return Plan(
        search=Settings(**values[Settings]),
        learning=LearningSettings(**values[LearningSettings]),
        **values[Plan],
    )


def _numbers(kind: Any) -> dict[str, Callable[[str], float]]:
    """The fields of a plan that are numbers, and how they are read."""
    return {
        each.name: int if each.type == "int" else float
        for each in fields(kind)
        if each.type in ("int", "float")
    }


def _export(training: Training) -> None:
    """Write the network as it stands as ONNX, with its card inside."""
    from snakeden.nets.export import can_export, export

    if can_export():
        export(training.learner.average.net, training.folder / "net.onnx", training.progress())
    else:
        print(
            "the package onnx is missing: no ONNX file is written; `snakeden nets export` does it later",
            file=sys.stderr,
        )


class _Reporter:
    """Reports how a run goes: as lines of text, to TensorBoard, and to log.jsonl in the folder."""

    def __init__(self, folder: Path, minutes: float, *, as_json: bool) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._minutes, self._as_json = minutes, as_json
        self._log = (folder / "log.jsonl").open("a")
        self._board = None
        if find_spec("tensorboard") is not None:
            from torch.utils.tensorboard import SummaryWriter

            self._board = SummaryWriter(str(folder / "tensorboard"))
        else:
            print("the package tensorboard is missing: the curves are in log.jsonl only", file=sys.stderr)

    def __call__(self, what: str, figures: dict[str, Any]) -> None:
        print(json.dumps({"what": what, **figures}), file=self._log, flush=True)
        step = int(figures.get("steps", 0))
        if self._board is not None and what != "done":
            for name, value in figures.items():
                shown = value[0] if isinstance(value, list) else value
                self._board.add_scalar(f"{what}/{name}", float(shown), step)
        if self._as_json:
            print(json.dumps({"what": what, **figures}), flush=True)
        else:
            print(self._words(what, figures), flush=True)

    def _words(self, what: str, figures: dict[str, Any]) -> str:
        if what == "done":
            return f"done: {figures['games']:,} games, {figures['positions']:,} positions, {figures['steps']:,} steps"
        parts = [
            f"{name} {_short(value)}" for name, value in figures.items() if name not in ("seconds", "minutes")
        ]
        if what == "match":
            return f"  match at {figures['minutes']} min: {', '.join(parts)}"
        left = max(0.0, 60 * self._minutes - figures["seconds"])
        return f"{figures['seconds']:.0f} s, {left:.0f} s left: {', '.join(parts)}"

    def close(self) -> None:
        self._log.close()
        if self._board is not None:
            self._board.close()


def _short(value: Any) -> str:
    if isinstance(value, list):
        return f"{value[0]:.3g} ± {value[1]:.2g}"
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
