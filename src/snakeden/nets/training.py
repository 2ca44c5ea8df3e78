"""Training by self-play: play, learn, measure, keep, until the time is over."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import torch

from snakeden.core.game import Variant
from snakeden.nets import checkpoints
from snakeden.nets.games import Games
from snakeden.nets.inputs import BadNet, joined, layout_for, view_of
from snakeden.nets.learning import DRAWN_TOGETHER, Images, Learner, LearningSettings, SolvedData, TrainingData
from snakeden.nets.matches import Matches, Score
from snakeden.nets.model import Net, compiled, folded, parameters_of, refold, widened
from snakeden.nets.replay import Replay
from snakeden.nets.rewards import Scale, scale_alone
from snakeden.nets.search import Encoder, Search, Settings
from snakeden.nets.selfplay import SelfPlay
from snakeden.nets.solved import SolvedPositions
from snakeden.programs import program
from snakeden.search.workspace import new_workspace

_PROBES = 256
"""Playouts from which the spread of the scores is estimated."""
_BLIND_SIMULATIONS = 4
"""A move's simulations as long as nothing has been learnt, and a search has nothing to go by."""
_TRUSTED_FROM = 0.25
"""The part of the time after which what searches expect counts as much in the targets as the plan says."""
_PAYS_BACK = 1.5
"""The steps of a turn, at most, of those that its positions pay for."""
_MEASURED_SHARE = 0.05
"""Of the time of a run, at most this goes into matches before the last."""


@dataclass(frozen=True)
class Plan:
    """How a run trains. `defaults` has one for a device."""

    minutes: float
    blocks: int = 6
    channels: int = 64
    games: int = 8192
    """Played side by side, in all variants together."""
    simulations: int = 48
    first_simulations: int = 16
    """A move's simulations at the end and at the beginning of the training."""
    replay: int = 1_500_000
    fill: int = 50_000
    """Positions kept, and those there must be before learning begins."""
    reuse: float = 4.0
    """How often a position is learnt from, on average."""
    random_first: float = 0.5
    """The share of games that begin with a random move."""
    random_again: float = 0.2
    """After a random move, how likely the next one is random too; below 1. Where good players share all games, as in
    5G, a long random beginning makes games that somebody wins."""
    measure_games: int = 512
    greedy_games: int = 64
    measure_simulations: int = 16
    measure_every: float = 120.0
    """Games against the last best and against greedy, a move's simulations in them, and the seconds between them."""
    seed: int = 0
    search: Settings = field(default_factory=Settings)
    learning: LearningSettings = field(default_factory=LearningSettings)

    def __post_init__(self) -> None:
        if not 0 <= self.random_again < 1:
            raise ValueError(
                f"random_again={self.random_again:g} is not possible: give 0 or more, below 1; with 0.8 four more "
                "random moves follow the first, on average"
            )


def small(plan: Plan, variants: int = 1) -> Plan:
    """The plan for a run of seconds, which shows that everything works."""
    return replace(
        plan,
        games=32 * variants,
        replay=4096,
        fill=64,
        measure_games=4,
        greedy_games=2,
        simulations=8,
        first_simulations=8,
        search=replace(plan.search, simulations=8),
        learning=replace(plan.learning, batch=64),
    )


class VariantTraining:
    """One variant in training: its games, search, replay and training data. `moves` is about how many a game has."""

    def __init__(
        self,
        variant: Variant,
        net: Net,
        plan: Plan,
        share: int,
        device: torch.device,
        solved: SolvedPositions | None = None,
    ) -> None:
        view = view_of(variant, net.layout)
        encoder = Encoder(view, len(net.layout.planes), device)
        games = max(1, plan.games // share)
        generator = torch.Generator(device).manual_seed(plan.seed)
        self.variant, (self.scale, self.moves) = variant, measured(variant, plan.seed)
        search = Search(Games(variant, games, device, plan.seed + 1), encoder, plan.search, self.scale)
        room = Games(variant, games, device, plan.seed + 2)
        replay = Replay(room, search.settings.considered, plan.replay // share)
        self.playing = SelfPlay(
            room,
            search,
            replay,
            random_first=plan.random_first,
            random_again=plan.random_again,
            generator=generator,
        )
        drawn = DRAWN_TOGETHER * max(1, plan.learning.batch // share)
        images = Images(variant, view.featured, device)
        self.data = TrainingData(
            Games(variant, drawn, device, plan.seed + 3), encoder, images, replay, self.scale
        )
        self.solved: SolvedData | None = None
        if solved is not None:
            self.solved = SolvedData(Games(variant, drawn, device, plan.seed + 4), encoder, images, solved)
        self._encoder, self._plan, self._device = encoder, plan, device

    def matches(self, count: int) -> Matches:
        seats = int(self.variant.tables.seats)
        games = max(1, count // seats) * seats
        play = [Games(self.variant, games, self._device, self._plan.seed + 10 + k) for k in range(2)]
        settings = replace(self._plan.search, simulations=self._plan.measure_simulations)
        return Matches(play[0], Search(play[1], self._encoder, settings, self.scale), self._plan.seed)


def measured(variant: Variant, seed: int) -> tuple[Scale, int]:
    """By what scores are measured, from playouts of the first position, as the search does before it begins; and how
    long these playouts are."""
    here, tables = program(variant), variant.tables
    workspace = new_workspace(tables, variant.game.rules.DTYPE, here.array)
    mean, spread, plies = here.probe(workspace, variant.game.rules.opening(tables), seed, _PROBES)
    if tables.seats == 1:
        return scale_alone(float(mean), float(spread)), int(plies)
    return Scale(0.0, abs(float(mean)) + 3 * float(spread) + 1, float(spread) + 1), int(plies)


Say = Callable[[str, dict[str, Any]], None]
"""Called with what happened (`play`, `match` or `done`) and its figures."""


class Training:
    """A run. `begun` is when its minutes began, `command` what was called, for the card, and `solved` are positions of
    the first variant from which is learnt besides."""

    def __init__(
        self,
        variants: list[Variant],
        plan: Plan,
        folder: Path,
        *,
        resume: bool,
        device: torch.device,
        begun: float,
        command: str = "",
        solved: SolvedPositions | None = None,
    ) -> None:
        torch.manual_seed(plan.seed)
        self._command = command
        self.plan, self.folder, self._device, self._begun = plan, folder, device, begun
        self.before: dict[str, Any] = {"minutes": 0.0, "steps": 0, "games": 0, "positions": 0, "curve": []}
        if resume:
            self.before = checkpoints.read_progress(folder)
            net = checkpoints.read_latest(folder)
            # With variants that it does not know yet, a network becomes wider.
            layout = joined(net.layout, layout_for(variants))
            grows = layout != net.layout
            net = widened(net, layout) if grows else net
        else:
            net = Net(layout_for(variants), plan.blocks, plan.channels)
        net = net.to(device=device, memory_format=torch.channels_last)
        share = len(variants)
        # A run that goes on draws other numbers than the one before.
        drawing = replace(plan, seed=plan.seed + self.before["steps"])
        self.parts = [
            VariantTraining(variant, net, drawing, share, device, None if number else solved)
            for number, variant in enumerate(variants)
        ]
        if len({each.data.inside.shape[2:] for each in self.parts}) > 1:
            raise BadNet("one training needs variants whose boards have the same size")
        data = [each.data for each in self.parts]
        also = [each.solved for each in self.parts if each.solved is not None]
        self.learner = Learner(net, [*data, *also], plan.learning, drawing.seed)
        if resume:
            mean = checkpoints.read_net(folder / checkpoints.NET)
            if grows:
                mean = widened(mean, layout)
            else:
                checkpoints.restore_optimiser(folder, self.learner)
            self.learner.average.net.load_state_dict(mean.state_dict())
        self._dtype = torch.bfloat16 if device.type == "cuda" else torch.float32
        self.player = folded(self.learner.average.net, self._dtype)
        self._self_player = compiled(self.player, device)
        self._best = copy.deepcopy(self.player)
        self.curve: list[dict[str, Any]] = list(self.before["curve"])
        self._filled, self._owed, self._evaluations = False, 0.0, 0
        if resume:
            for part in self.parts:
                part.playing.spread(self._self_player, part.moves)

    # -- time

    @property
    def seconds(self) -> float:
        return time.time() - self._begun

    @property
    def done(self) -> float:
        """The part of all minutes, those of runs before included, that is over."""
        minutes = self.before["minutes"] + self.seconds / 60
        return float(min(1.0, minutes / (self.before["minutes"] + self.plan.minutes)))

    def _rate(self) -> float:
        settings = self.plan.learning
        wave = 0.5 * (1 + math.cos(math.pi * self.done))
        return settings.last_rate + (settings.rate - settings.last_rate) * wave

    def _trust(self) -> float:
        """How much counts what searches expect, from 0 to 1: at first that is nothing worth learning."""
        return min(1.0, self.done / _TRUSTED_FROM)

    def _simulations(self) -> int:
        first, last = self.plan.first_simulations, self.plan.simulations
        return round(first + (last - first) * self.done)

    # -- the run

    def run(self, say: Say, finish: Callable[[], None]) -> None:
        """Train until the minutes are over, the last match and `finish` included."""
        slowest, ending = 0.0, 15.0 if self._device.type == "cuda" else 5.0
        last_told = last_kept = last_measured = time.time()
        pause = self.plan.measure_every
        told_positions = 0
        while self.seconds + slowest + ending < 60 * self.plan.minutes:
            at = time.time()
            self.turn()
            now = time.time()
            slowest = max(slowest, now - at) if told_positions else 0.0
            if now - last_told >= 10:
                positions = sum(each.playing.positions for each in self.parts)
                say("play", self._figures(now - last_told, positions - told_positions))
                last_told, told_positions = now, positions
            if now - last_measured >= pause:
                say("match", self.measure())
                last_measured = last_told = time.time()
                took = last_measured - now
                # The last match and the files take as long again.
                ending = 1.2 * took + 5
                pause = max(pause, took / _MEASURED_SHARE)
            if now - last_kept >= 60:
                self.keep()
                last_kept = time.time()
        self.keep()
        finish()
        say("match", self.measure())
        self.keep()
        finish()
        say("done", self.progress())

    def turn(self) -> None:
        """A move in every game, and the steps of learning that it pays for."""
        fills = not self._is_filled()
        blind = fills and not self.before["steps"]
        simulations = _BLIND_SIMULATIONS if blind else self._simulations()
        for part in self.parts:
            part.playing.step(self._self_player, simulations)
            self._evaluations += part.playing.games.n * (simulations + 1)
        steps = self.plan.reuse * self.plan.games / self.plan.learning.batch
        if not blind:
            self._owed += steps
        if fills:
            return
        trust, settings = self._trust(), self.plan.learning
        for part in self.parts:
            part.playing.replay.look_back(1 - trust * (1 - settings.td_lambda))
        # What is owed since a run was taken up is paid little by little, so that no turn takes much longer than others.
        paid = min(self._owed, max(1.0, _PAYS_BACK * steps))
        for _ in range(int(paid)):
            self.learner.step(self._rate(), trust * settings.q_ratio)
        self._owed -= int(paid)
        if int(paid):
            refold(self.player, self.learner.average.net)

    def _is_filled(self) -> bool:
        """Whether there is enough to learn from: positions, and at the very beginning games that have come to their
        end. The first to end are the shortest, which are not like the others."""
        kept = sum(len(each.playing.replay) for each in self.parts)
        began = self.before["steps"] or all(
            each.playing.finished >= each.playing.games.n for each in self.parts
        )
        self._filled = self._filled or (kept >= min(self.plan.fill, self.plan.replay) and began)
        return self._filled

    def _figures(self, seconds: float, positions: int) -> dict[str, Any]:
        found: dict[str, Any] = {
            "seconds": round(self.seconds, 1),
            "positions_a_second": round(positions / seconds),
            "evaluations_a_second": round(self._evaluations / seconds),
            "simulations": self._simulations(),
            "steps": self.learner.steps,
            "rate": self._rate(),
            **self.learner.figures(),
        }
        self._evaluations = 0
        for part in self.parts:
            mine = part.playing.figures(positions // len(self.parts))
            if part.variant.tables.seats == 1 and mine["games"] >= 50:
                # Alone, what is a good score is found out in play.
                part.scale.take(scale_alone(mine["score"], mine["score_spread"]))
            prefix = f"{name_of(part.variant)}/" if len(self.parts) > 1 else ""
            found |= {f"{prefix}{name}": value for name, value in mine.items()}
        if self._device.type == "cuda":
            found["gigabytes"] = torch.cuda.max_memory_allocated() / 2**30
        return found

    def measure(self) -> dict[str, Any]:
        """Matches against the last best and against greedy. Whoever is not worse than the best is the new one."""
        begin = time.time()
        found: dict[str, Any] = {
            "minutes": round(self.before["minutes"] + self.seconds / 60, 2),
            "steps": self.before["steps"] + self.learner.steps,
        }
        better = True
        for part in self.parts:
            prefix = f"{name_of(part.variant)}/" if len(self.parts) > 1 else ""
            if part.solved is not None:
                found[f"{prefix}solved"] = round(part.solved.error(self.player), 4)
            if not self.plan.measure_games:
                continue
            matches = part.matches(self.plan.measure_games)
            if part.variant.tables.seats == 1:
                found[f"{prefix}score"] = _rounded(matches.play(matches.searching(self.player)))
                continue
            score = matches.play(matches.searching(self.player), matches.searching(self._best))
            found[f"{prefix}best"] = _rounded(score)
            better = better and score.points >= 1 / part.variant.tables.seats - score.error
            if self.plan.greedy_games:
                matches = part.matches(self.plan.greedy_games)
                found[f"{prefix}greedy"] = _rounded(
                    matches.play(matches.searching(self.player), matches.greedy())
                )
        if better:
            self._best = copy.deepcopy(self.player)
        found["took"] = round(time.time() - begin, 1)
        self.curve.append(found)
        return found

    def progress(self) -> dict[str, Any]:
        """What was done so far, in the runs before too; a note that somebody wrote there stays."""
        return {
            "game": self.parts[0].variant.game.id,
            "variants": [dict(each.variant.given) for each in self.parts],
            "minutes": round(self.before["minutes"] + self.seconds / 60, 2),
            "steps": self.before["steps"] + self.learner.steps,
            "games": self.before["games"] + sum(each.playing.finished for each in self.parts),
            "positions": self.before["positions"] + sum(each.playing.positions for each in self.parts),
            "commands": [*self.before.get("commands", []), self._command],
            "version": _version(),
            "device": torch.cuda.get_device_name() if self._device.type == "cuda" else "cpu",
            "parameters": parameters_of(self.learner.net),
            "size": self.learner.net.size,
            "plan": asdict(self.plan),
            "curve": self.curve,
        } | {name: self.before[name] for name in ("note",) if name in self.before}

    def keep(self) -> None:
        checkpoints.save(self.folder, self.learner, self.progress())


def _version() -> str:
    try:
        return version("snakeden")
    except PackageNotFoundError:  # run from a folder
        return "not installed"


def _rounded(score: Score) -> list[float]:
    return [round(each, 4) for each in score]


def name_of(variant: Variant) -> str:
    """A variant's options in short."""
    return ",".join(f"{name}={value}" for name, value in variant.given.items()) or "default"
