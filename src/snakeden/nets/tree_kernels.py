"""What the search does most often, as Triton kernels for a GPU: one program a game, and nothing waits for the CPU.

`nets.search` has the same in plain torch, which is what a CPU uses and what these are tested against.
"""

# ruff: noqa: N803  # capitals stand for what is known when a kernel is compiled, as is usual with Triton

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor

from snakeden.core.game import OVER

LOW = tl.constexpr(-1e9)
_OVER = tl.constexpr(OVER)
_BLOCK = 4096
"""Actions that a program looks at together."""


@triton.jit
def _choose(
    node, key_at_root, wanted, logit, visits, sums, worth, player, value_scale, visit_offset,
    KEPT: tl.constexpr, SEATS: tl.constexpr, LANES: tl.constexpr, ROOT: tl.constexpr,
):  # fmt: skip
    """The edge to take at a node, as `Search._choose` has it."""
    lane = tl.arange(0, LANES)
    there = lane < KEPT
    at = node * KEPT + lane
    prior = tl.load(logit + at, mask=there, other=LOW)
    count = tl.load(visits + at, mask=there, other=0.0)
    seat = tl.maximum(tl.load(player + node), 0)
    mine = tl.load(sums + at * SEATS + seat, mask=there, other=0.0)
    raw = tl.load(worth + node * SEATS + seat)
    tried = count > 0
    value = mine / tl.maximum(count, 1.0)
    chance = tl.where(tried, tl.exp(tl.maximum(prior, -30.0)), 0.0)
    total = tl.sum(count, 0)
    mean = tl.sum(chance * value, 0) / tl.maximum(tl.sum(chance, 0), 1e-30)
    mix = (raw + total * mean) / (1.0 + total)
    weight = (visit_offset + tl.max(count, 0)) * value_scale
    score = prior + weight * tl.where(tried, value, mix)
    legal = prior > LOW / 2
    if ROOT:
        score += tl.load(key_at_root + lane, mask=there, other=0.0)
        key = tl.where(legal & (count == wanted), score, 10 * LOW)
    else:
        power = tl.exp(score - tl.max(score, 0))
        key = tl.where(legal, power / tl.sum(power, 0) - count / (1.0 + total), LOW)
    return tl.argmax(key, 0).to(tl.int64)


@triton.jit
def _outcome(
    node, edge, visits, child, rolled,
    KEPT: tl.constexpr, OUTCOMES: tl.constexpr, THROWS: tl.constexpr,
):  # fmt: skip
    """The place of the outcome to follow at an edge, as `Search._outcome` has it."""
    slot = edge * OUTCOMES
    if OUTCOMES > 1:
        at = node * KEPT + edge
        count = tl.load(visits + at)
        most = tl.minimum(1 + tl.floor(tl.sqrt(count)).to(tl.int64), OUTCOMES)
        throw = tl.arange(0, THROWS)
        places = child + node * (KEPT * OUTCOMES) + slot + throw
        have = tl.sum((tl.load(places, mask=throw < OUTCOMES, other=-1) >= 0).to(tl.int64), 0)
        follow = tl.where(have < most, have, count.to(tl.int64) % tl.maximum(have, 1))
        slot += tl.where(tl.load(rolled + at) != 0, follow, 0)
    return slot


@triton.jit
def _descend(
    wanted, gumbel, logit, visits, sums, worth, player, child, rolled, last, edges, slots,
    nodes, value_scale, visit_offset,
    KEPT: tl.constexpr, SEATS: tl.constexpr, OUTCOMES: tl.constexpr, LANES: tl.constexpr, THROWS: tl.constexpr,
):  # fmt: skip
    game = tl.program_id(0).to(tl.int64)
    root = game * nodes
    node = root
    want = tl.load(wanted + game).to(tl.float32)
    edge = _choose(
        node, gumbel + game * KEPT, want, logit, visits, sums, worth, player, value_scale, visit_offset,
        KEPT, SEATS, LANES, True,
    )  # fmt: skip
    slot = _outcome(node, edge, visits, child, rolled, KEPT, OUTCOMES, THROWS)
    below = tl.load(child + node * (KEPT * OUTCOMES) + slot).to(tl.int64)
    going = (below >= 0) & (tl.load(player + root + tl.maximum(below, 0)) != _OVER)
    while going:
        node = root + below
        edge = _choose(
            node, gumbel, want, logit, visits, sums, worth, player, value_scale, visit_offset,
            KEPT, SEATS, LANES, False,
        )  # fmt: skip
        slot = _outcome(node, edge, visits, child, rolled, KEPT, OUTCOMES, THROWS)
        below = tl.load(child + node * (KEPT * OUTCOMES) + slot).to(tl.int64)
        going = (below >= 0) & (tl.load(player + root + tl.maximum(below, 0)) != _OVER)
    tl.store(last + game, node)
    tl.store(edges + game, edge)
    tl.store(slots + game, slot)


@triton.jit
def _back_up(
    ways, gains, parent, visits, sums,
    KEPT: tl.constexpr, SEATS: tl.constexpr, LANES: tl.constexpr,
):  # fmt: skip
    game = tl.program_id(0).to(tl.int64)
    seat = tl.arange(0, LANES)
    there = seat < SEATS
    gain = tl.load(gains + game * SEATS + seat, mask=there, other=0.0)
    way = tl.load(ways + game)
    while way >= 0:
        tl.store(visits + way, tl.load(visits + way) + 1.0)
        mine = sums + way * SEATS + seat
        tl.store(mine, tl.load(mine, mask=there, other=0.0) + gain, mask=there)
        way = tl.load(parent + way // KEPT)


@triton.jit
def _noise(seed, at):
    chance = tl.minimum(tl.maximum(tl.rand(seed, at), 1e-20), 1 - 1e-7)
    return -tl.log(-tl.log(chance))


@triton.jit(do_not_specialize=["seed"])
def _best(
    policy, terms, mask, moves, logits, noises, seed, outputs, count,
    ACTIONS: tl.constexpr, TERMS: tl.constexpr, NOISY: tl.constexpr, LANES: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    game = tl.program_id(0).to(tl.int64)
    said, legal_flags = policy + game * outputs, mask + game * ACTIONS
    lane, place = tl.arange(0, LANES), tl.arange(0, BLOCK)
    # Lanes that are not asked for look full.
    top = tl.where(lane < count, LOW, -LOW)
    number = tl.full([LANES], -1, tl.int32)
    highest = tl.full([], LOW, tl.float32)
    total = tl.full([], 0.0, tl.float32)
    for begin in range(0, ACTIONS, BLOCK):
        action = begin + place
        legal = tl.load(legal_flags + action, mask=action < ACTIONS, other=0) != 0
        score = tl.zeros([BLOCK], tl.float32)
        for term in tl.static_range(TERMS):
            output = tl.load(terms + term * ACTIONS + action, mask=legal, other=0)
            score += tl.load(said + output, mask=legal, other=0.0).to(tl.float32)
        score = tl.where(legal, score, 2 * LOW)
        higher = tl.maximum(highest, tl.max(score, 0))
        total = total * tl.exp(highest - higher) + tl.sum(tl.exp(score - higher), 0)
        highest = higher
        if NOISY:
            score += tl.where(legal, _noise(seed, (game * ACTIONS + action).to(tl.int32)), 0.0)
        best = tl.max(score, 0)
        while best > tl.min(top, 0):
            found = tl.argmax(score, 0)
            gone = tl.argmin(top, 0)
            top = tl.where(lane == gone, best, top)
            number = tl.where(lane == gone, begin + found, number)
            score = tl.where(place == found, 2 * LOW, score)
            best = tl.max(score, 0)
    taken = number >= 0
    chosen = tl.zeros([LANES], tl.float32)
    for term in tl.static_range(TERMS):
        output = tl.load(terms + term * ACTIONS + number, mask=taken, other=0)
        chosen += tl.load(said + output, mask=taken, other=0.0).to(tl.float32)
    chosen = tl.maximum(chosen - highest - tl.log(total), -1e4)
    out = game * count + lane
    tl.store(moves + out, tl.maximum(number, 0), mask=lane < count)
    tl.store(logits + out, tl.where(taken, chosen, LOW), mask=lane < count)
    if NOISY:
        noise = tl.where(taken, _noise(seed, (game * ACTIONS + number).to(tl.int32)), 0.0)
        tl.store(noises + out, noise, mask=lane < count)


def _lanes(count: int) -> int:
    return max(2, int(triton.next_power_of_2(count)))


def best_actions(
    policy: Tensor, terms: Tensor, mask: Tensor, count: int, seed: int | None
) -> tuple[Tensor, Tensor, Tensor]:
    """As `search.best_actions`, of outputs [n, outputs] and terms int32[terms, actions]; noise is drawn by the seed, if
    there is one."""
    n, actions = mask.shape
    policy = policy.contiguous()
    moves = torch.empty(n, count, dtype=torch.int32, device=mask.device)
    logits = torch.empty(n, count, device=mask.device)
    noises = torch.zeros(n, count, device=mask.device)
    block = min(_BLOCK, int(triton.next_power_of_2(actions)))
    _best[(n,)](
        policy, terms, mask, moves, logits, noises, seed or 0, policy.shape[1], count,
        ACTIONS=actions, TERMS=len(terms), NOISY=seed is not None, LANES=_lanes(count), BLOCK=block, num_warps=8,
    )  # fmt: skip
    return moves, logits, noises


def descend(
    wanted: Tensor, gumbel: Tensor, trees: dict[str, Tensor], value_scale: float, visit_offset: float
) -> tuple[Tensor, Tensor, Tensor]:
    """[n] the last node of each game's way (numbered through all games), its edge, and the place of the edge's
    outcome."""
    n, nodes, kept = trees["logit"].shape
    outcomes = trees["child"].shape[2] // kept
    last, edge, slot = (torch.empty(n, dtype=torch.int64, device=gumbel.device) for _ in range(3))
    names = ("logit", "visits", "sums", "worth", "player", "child", "rolled")
    arrays: list[Any] = [trees[name] for name in names]
    _descend[(n,)](
        wanted, gumbel, *arrays, last, edge, slot, nodes, value_scale, visit_offset,
        KEPT=kept, SEATS=trees["worth"].shape[2], OUTCOMES=outcomes, LANES=_lanes(kept), THROWS=_lanes(outcomes),
        num_warps=1,
    )  # fmt: skip
    return last, edge, slot


def back_up(way: Tensor, gains: Tensor, trees: dict[str, Tensor]) -> None:
    """Add what leaves are worth, [n, seats], to the edges of their ways, of which `way` [n] has the last."""
    kept, seats = trees["logit"].shape[2], gains.shape[1]
    _back_up[(len(way),)](
        way, gains.contiguous(), trees["parent"], trees["visits"], trees["sums"],
        KEPT=kept, SEATS=seats, LANES=_lanes(seats), num_warps=1,
    )  # fmt: skip
