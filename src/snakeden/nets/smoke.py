"""A check, before hours are spent, that training works on this machine: the device plays the same games as the CPU, the
trees add up, a run can be kept and taken up again; and how fast it will be."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from snakeden.core.game import Variant
from snakeden.core.learning import START, features
from snakeden.nets import checkpoints
from snakeden.nets.export import can_export, export
from snakeden.nets.games import Games
from snakeden.nets.inputs import layout_for
from snakeden.nets.model import Net, compiled, folded
from snakeden.nets.search import Search, evaluate
from snakeden.nets.training import Plan, Training, VariantTraining, name_of, small
from snakeden.programs.observer import observe_plainly

_ROWS, _LOOKED_AT, _MOVES = 64, 8, 6


def smoke(variants: list[Variant], plan: Plan, folder: Path, device: torch.device) -> int:
    """Check everything, and say so; raises AssertionError at the first thing that is wrong."""
    begin = time.time()

    def say(words: str) -> None:
        print(f"[{time.time() - begin:6.1f} s] {words}", flush=True)

    for variant in variants:
        check_games(variant, device)
        say(f"{name_of(variant)}: plays, observes and scores as the rules do")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as kept:
        check_training(variants, small(plan, len(variants)), Path(kept), device, say)
    measure_speed(variants, plan, device, say)
    say("all is well")
    return 0


def check_games(variant: Variant, device: torch.device) -> None:
    """Play random games on the device and compare each with the rules' program, position by position."""
    games = Games(variant, _ROWS, device, seed=5)
    states = games.opening.repeat(_ROWS, 1)
    games.step(states, torch.full((_ROWS,), START, dtype=torch.int32, device=device))
    generator = torch.Generator(device).manual_seed(3)
    for _ in range(_MOVES):
        planes, standings = games.observe(states)
        for row in range(0, _ROWS, _ROWS // _LOOKED_AT):
            _compare(games, states, planes, standings, row)
        drawn = torch.rand(games.mask.shape, device=device, generator=generator)
        games.step(states, torch.where(games.mask.bool(), drawn, -1.0).argmax(1).int(), again=True)


def _compare(games: Games, states: Tensor, planes: Tensor, standings: Tensor, row: int) -> None:
    variant, tables = games.variant, games.variant.tables
    here = variant.program
    state = states[row].cpu().numpy().view(variant.game.rules.DTYPE).copy()
    moves = np.zeros(tables.most_moves, np.int32)
    count = here.legal(state.copy(), moves)
    legal = np.flatnonzero(games.mask[row].cpu().numpy())
    assert legal.tolist() == moves[:count].tolist(), "the device's legal moves differ from those of the rules"
    seat = int(games.player[row])
    assert seat == here.turn(state), "the device has another player to move than the rules"
    seen = [observe_plainly(variant, state, seat)]
    if (more := features(variant.game)) is not None:
        seen.append(observe_plainly(variant, state, seat, more))
    assert np.array_equal(np.concatenate(seen), planes[row].cpu().numpy()), "the device observes other planes"
    scores = np.zeros(tables.seats, np.int64)
    here.scores(state, scores)
    assert np.roll(scores, -seat).tolist() == standings[row].tolist(), "the device counts other scores"


def check_kernels(search: Search, net: Net, states: Tensor) -> None:
    """See that kernels for a GPU search as torch does, apart from what rounding decides."""
    if search.kernels is None:
        return
    kernels, found = search.kernels, []
    for each in (kernels, None):
        search.kernels = each
        found.append(search.run(net, states, simulations=8, noise=False))
    search.kernels = kernels
    alike = float((found[0].action == found[1].action).float().mean())
    assert alike > 0.9 or search.games.variant.game.chance, (
        f"only {alike:.0%} of the actions are those of torch"
    )


def check_search(search: Search, net: Net, states: Tensor) -> None:
    """Search once and see that the trees add up."""
    found = search.run(net, states, simulations=8)
    visits = search._visits[:, 0].sum(1)
    assert bool((visits == 8).all()), f"a root has {visits.min()} to {visits.max()} visits instead of 8"
    assert bool(found.mask.gather(1, found.action.long()[:, None]).all()), "an illegal action is chosen"
    total = found.policy.sum(1)
    assert bool(((total > 0) & (total < 1.001)).all()), "a policy is none"
    assert bool(torch.isfinite(found.value).all()), "a value is not a finite number"


def check_training(
    variants: list[Variant], plan: Plan, folder: Path, device: torch.device, say: Callable[[str], None]
) -> None:
    """Train a little, keep it, take it up again."""

    def begin(resume: bool) -> Training:
        return Training(variants, plan, folder, resume=resume, device=device, begun=time.time())

    first = begin(False)
    for _ in range(400):
        first.turn()
        if first.learner.steps > 8:
            break
    figures = first.learner.figures()
    assert first.learner.steps > 0, "nothing was learnt"
    for part in first.parts:
        check_search(part.playing.search, first.player, part.playing.states)
        check_kernels(part.playing.search, first.player, part.playing.states)
    say(
        f"{sum(each.playing.finished for each in first.parts)} games, {first.learner.steps} steps, losses {figures}"
    )
    say(f"matches: {first.measure()}")
    first.keep()
    second = begin(True)
    for one, other in zip(
        first.learner.net.state_dict().values(), second.learner.net.state_dict().values(), strict=True
    ):
        assert torch.equal(one, other), "what was kept is not what is read"
    second.turn()
    if can_export():
        export(second.learner.average.net, folder / "net.onnx", {})
    sizes = {each.name: each.stat().st_size for each in folder.iterdir()}
    say(f"kept and taken up again: {sizes}")
    assert checkpoints.NET in sizes


def measure_speed(
    variants: list[Variant], plan: Plan, device: torch.device, say: Callable[[str], None]
) -> None:
    """How long the parts of a simulation of all games take, with the plan as it is."""
    net = Net(layout_for(variants), plan.blocks, plan.channels).to(device)
    dtype = torch.bfloat16 if device.type == "cuda" else torch.float32
    player = compiled(folded(net, dtype), device)

    def took(work: Callable[[], object], times: int) -> float:
        work()
        _wait(device)
        begin = time.perf_counter()
        for _ in range(times):
            work()
        _wait(device)
        return 1e3 * (time.perf_counter() - begin) / times

    for variant in variants:
        say(_speed(VariantTraining(variant, net, plan, len(variants), device), player, plan, took))


def _speed(
    part: VariantTraining, player: Net, plan: Plan, took: Callable[[Callable[[], object], int], float]
) -> str:
    search, states = part.playing.search, part.playing.states
    games, seats = search.games, player.layout.seats
    parts = {
        "list": took(lambda: games.list_legal(states), 3),
        "observe": took(lambda: search.encoder.inputs(games, states, seats), 3),
        "evaluate": took(lambda: evaluate(player, search.encoder, games, states, part.scale), 3),
    }
    move = took(lambda: part.playing.step(player, plan.simulations), 1)
    parts["simulation"] = move / plan.simulations
    rate = games.n * (plan.simulations + 1) / move
    words = ", ".join(f"{name} {value:.2f}" for name, value in parts.items())
    memory = f", {torch.cuda.max_memory_allocated() / 2**30:.1f} GiB" if games.device.type == "cuda" else ""
    name = name_of(part.variant)
    return f"{name}, ms for all {games.n} games: {words}; {rate:.1f} thousand evaluations a second{memory}"


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize()
