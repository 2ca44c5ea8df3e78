"""Tree search for many games in lockstep, as mctx does it: the trees are tensors, and the network sees one leaf of
every game at once.

At the root actions are drawn without replacement (Gumbel's trick) and halved step by step; below it visits follow the
improved policy (Danihelka et al., Policy improvement by planning with Gumbel, 2022). A node keeps the actions of
highest prior. Values are rewards for every seat, so that any number of players works. Where dice decide what follows an
action, each of the edge's outcomes is a fresh throw, and more are thrown the more often the edge is visited.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from types import ModuleType
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from snakeden.core.game import OVER
from snakeden.core.learning import KEEP
from snakeden.nets.games import Games, by_seat
from snakeden.nets.inputs import SCORE_UNIT, View
from snakeden.nets.model import Net
from snakeden.nets.rewards import Scale, expected_of, rewards, victory_shares

LOW = -1e9
"""The logit of what is not there."""
_VISIT_OFFSET = 50.0
_WINDOW = 13
"""Rows and columns that a network sees of a game without a board: what lies there and what is next to it."""


@dataclass(frozen=True)
class Settings:
    simulations: int = 32
    considered: int = 16
    """Actions drawn at the root."""
    kept: int = 16
    """Actions that every other node keeps."""
    outcomes: int = 6
    """Throws that an edge keeps, where dice decide."""
    value_scale: float = 0.5
    """How much values count against priors."""


class Found(NamedTuple):
    """What the search found for n positions."""

    action: Tensor
    """[n] int32, the action to play."""
    actions: Tensor
    """[n, considered] int64, the actions considered; -1 where there were fewer."""
    policy: Tensor
    """[n, considered] the improved policy's probabilities of these; what is left belongs to all others."""
    value: Tensor
    """[n] what the position is worth to the player to move."""
    expected: Tensor
    """[n, seats] the share of the victory that each seat may expect; in a game for one, the score."""
    mask: Tensor
    """[n, actions] bool, the legal ones."""


class Evaluation(NamedTuple):
    policy: Tensor
    """[n, outputs + 1] as the network has it."""
    worth: Tensor
    """[n, seats] the reward that each seat expects."""
    expected: Tensor
    """[n, seats] as `Found` has it, but from the viewer on."""


class Inputs(NamedTuple):
    """n positions as a network sees them."""

    planes: Tensor
    """[n, planes, rows, columns]"""
    standings: Tensor
    """[n, seats]"""
    fields: Tensor | None
    """int64[n, rows * columns] which fields of the grid these are, unless they are all."""


class Encoder:
    """Positions of a variant as a network sees them. Of a game without a board that is a window into its grid,
    elsewhere in every position."""

    def __init__(self, view: View, inputs: int, device: torch.device) -> None:
        self.view, self._inputs = view, inputs
        known = view.slots >= 0
        self._known = None if known.all() else torch.from_numpy(np.flatnonzero(known)).to(device)
        self._slots = torch.from_numpy(view.slots[known]).to(device)
        self.terms = torch.from_numpy(view.terms).to(device)
        self.outputs_of_actions = self.terms.T.int().contiguous()
        """[terms, actions] the same the other way round."""
        self._window = min(_WINDOW, view.rows, view.columns) if view.boardless else None
        inside = torch.from_numpy(view.inside).to(device)[None, None]
        self.inside = inside if self._window is None else inside.new_ones(1, 1, self._window, self._window)
        """[1, 1, rows, columns] 1 for fields of the board, as far as the network sees it."""
        self._straight = len(view.slots) == inputs and bool((view.slots == range(inputs)).all())

    def inputs(
        self, games: Games, states: Tensor, seats: int, turned: Callable[[Tensor], Tensor] | None = None
    ) -> Inputs:
        """For a network with this many seats, of settled positions whose `player` is known; the planes as `turned`
        makes them."""
        planes, standings = games.observe(states)
        if turned is not None:
            planes = turned(planes)
        if not self._straight:
            wide = planes.new_zeros(len(planes), self._inputs, *planes.shape[2:])
            wide[:, self._slots] = planes if self._known is None else planes[:, self._known]
            planes = wide
        scaled = standings.new_zeros(len(planes), seats, dtype=torch.float32)
        scaled[:, : standings.shape[1]] = standings / SCORE_UNIT
        return self._cut(planes, scaled)

    def _cut(self, planes: Tensor, standings: Tensor) -> Inputs:
        if self._window is None:
            return Inputs(planes, standings, None)
        # A corner is empty, so whatever differs from it has been laid or marked.
        busy = (planes != planes[:, :, :1, :1]).any(1)
        down = _begin(busy.any(2), self._window)[:, None] + torch.arange(self._window, device=planes.device)
        across = _begin(busy.any(1), self._window)[:, None] + torch.arange(self._window, device=planes.device)
        fields = (down[:, :, None] * self.view.columns + across[:, None]).flatten(1)
        seen = planes.flatten(2).gather(2, fields[:, None].expand(-1, planes.shape[1], -1))
        return Inputs(seen.view(*planes.shape[:2], self._window, self._window), standings, fields)

    def put_back(self, policy: Tensor, fields: Tensor | None) -> Tensor:
        """[n, outputs + 1] for the whole grid, of a network's policy for these fields of it."""
        if fields is None:
            return policy
        size = self.view.policy_planes * fields.shape[1]
        part = policy[:, :size].view(len(policy), -1, fields.shape[1])
        whole = policy.new_zeros(*part.shape[:2], self.view.rows * self.view.columns)
        whole = whole.scatter(2, fields[:, None].expand_as(part), part)
        return torch.cat([whole.flatten(1), policy[:, size:]], 1)

    def logits(self, policy: Tensor) -> Tensor:
        """[n, actions] float32, of a network's policy [n, outputs + 1]."""
        found = policy.index_select(1, self.terms[:, 0]).float()
        for term in range(1, self.terms.shape[1]):
            found = found + policy.index_select(1, self.terms[:, term]).float()
        return found


def _begin(busy: Tensor, length: int) -> Tensor:
    """[n] where a stretch of this length begins that has what is busy in busy [n, fields] in its middle."""
    fields = busy.shape[1]
    first = busy.int().argmax(1)
    last = fields - 1 - busy.flip(1).int().argmax(1)
    begin = torch.where(busy.any(1), first + last + 1 - length, fields - length) // 2
    return begin.clamp(0, fields - length)


def evaluate(net: Net, encoder: Encoder, games: Games, states: Tensor, scale: Scale) -> Evaluation:
    """Ask the network about the positions [n, words] that `games` has just stepped to."""
    dtype = next(net.parameters()).dtype
    planes, standings, fields = encoder.inputs(games, states, net.layout.seats)
    planes = planes.to(dtype=dtype, memory_format=torch.channels_last)
    said = net(planes, standings, encoder.inside.to(dtype))
    seats = games.seats
    wins = torch.softmax(said.wins[:, :seats].float(), 1)
    scores = said.scores[:, :seats].float() * SCORE_UNIT
    worth = rewards(wins, scores, scale)
    policy = encoder.put_back(said.policy, fields)
    viewer = games.player.long().clamp(min=0)
    return Evaluation(policy, by_seat(worth, viewer), scores if seats == 1 else wins)


def best_actions(logits: Tensor, count: int, noises: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
    """[n, count] the actions of highest logit, with noise if there is any; the logarithms of their priors, LOW where
    there is no action; their noise. Logits [n, actions] are LOW where an action is not legal."""
    legal = logits > LOW / 2
    keys = logits if noises is None else torch.where(legal, logits + noises, 10 * LOW)
    best = keys.topk(count, 1).indices
    priors = (logits.gather(1, best) - torch.logsumexp(logits, 1, keepdim=True)).clamp(min=-1e4)
    noise = torch.zeros_like(priors) if noises is None else noises.gather(1, best)
    return best.int(), torch.where(legal.gather(1, best), priors, LOW), noise


@cache
def tree_kernels(device: torch.device) -> ModuleType | None:
    """The module `tree_kernels`, if this device has Triton and it works there."""
    if device.type != "cuda" or find_spec("triton") is None:
        return None
    try:
        from snakeden.nets import tree_kernels as found

        found.best_actions(
            torch.zeros(2, 3, device=device),
            torch.arange(3, dtype=torch.int32, device=device)[None],
            torch.ones(2, 3, dtype=torch.uint8, device=device),
            2,
            1,
        )
        torch.cuda.synchronize()
    except Exception as error:  # compilers fail in many ways, and torch can do it all
        warnings.warn(f"Triton does not work here, training will be slower: {error}", stacklevel=2)
        return None
    return found


@cache
def considered_visits(count: int, simulations: int) -> tuple[int, ...]:
    """[simulations] in sequential halving of `count` actions: how often the action tried next has been tried before."""
    if count <= 1:
        return tuple(range(simulations))
    sequence: list[int] = []
    rounds, visits, now = math.ceil(math.log2(count)), [0] * count, count
    while len(sequence) < simulations:
        for _ in range(max(1, simulations // (rounds * now))):
            sequence.extend(visits[:now])
            for k in range(now):
                visits[k] += 1
        now = max(2, now // 2)
    return tuple(sequence[:simulations])


class Search:
    """The trees of n games of a variant. `scale` may be changed between searches."""

    def __init__(self, games: Games, encoder: Encoder, settings: Settings, scale: Scale) -> None:
        self.games, self.encoder, self.scale = games, encoder, scale
        outcomes = settings.outcomes if games.variant.game.chance else 1
        kept = min(max(settings.kept, settings.considered), games.actions)
        self.settings = replace(
            settings, outcomes=outcomes, kept=kept, considered=min(settings.considered, kept)
        )
        n, nodes, seats, device = games.n, settings.simulations + 1, games.seats, games.device

        def new(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
            return torch.zeros(n, nodes, *shape, dtype=dtype, device=device)

        self._states = new(games.words, dtype=games.dtype)
        self._player = new(dtype=torch.int64)
        self._worth = new(seats)
        self._logit, self._visits = new(kept), new(kept)
        self._move = new(kept, dtype=torch.int32)
        self._sums = new(kept, seats)
        self._child = new(kept * outcomes, dtype=torch.int32)
        self._rolled = new(kept, dtype=torch.uint8)
        self._parent = new(dtype=torch.int64) - 1
        """The edge that leads to a node, numbered through all games; -1 for a root."""
        self._gumbel = torch.zeros(n, kept, device=device)
        self._leaf = torch.zeros(n, games.words, dtype=games.dtype, device=device)
        self._row = torch.arange(n, device=device) * nodes
        self._nodes, self._searches = nodes, 0
        names = ("logit", "visits", "sums", "worth", "player", "child", "rolled", "parent")
        self._trees: dict[str, Tensor] = {name: getattr(self, f"_{name}") for name in names}
        self.kernels = tree_kernels(device)
        """The module `tree_kernels`, or None where all is done by torch."""

    @torch.no_grad()
    def run(
        self,
        net: Net,
        states: Tensor,
        *,
        simulations: int | None = None,
        noise: bool = True,
        generator: torch.Generator | None = None,
    ) -> Found:
        """Search from positions [n, words] in each of which a player is to move. Without noise the actions of highest
        prior are considered at the root."""
        count = min(simulations or self.settings.simulations, self._nodes - 1)
        self._child.fill_(-1)
        for each in (self._visits, self._sums, self._rolled):
            each.zero_()
        self._leaf.copy_(states)
        self.games.list_legal(self._leaf)
        mask = self.games.mask.bool()
        said = evaluate(net, self.encoder, self.games, self._leaf, self.scale)
        self._write(0, said, torch.zeros_like(self._player[:, 0], dtype=torch.bool))
        expected = by_seat(said.expected, self._player[:, 0])
        self._searches += 1
        considered = self.settings.considered
        seed = generator.initial_seed() if generator is not None else 0
        found = self._best(
            said.policy, considered, (7919 * seed + self._searches) % 2**31 if noise else None, generator
        )
        self._logit[:, 0] = LOW
        self._move[:, 0, :considered], self._logit[:, 0, :considered], self._gumbel[:, :considered] = found
        slots = (self._logit[:, 0] > LOW / 2).sum(1)
        schedule = self._schedule(slots, count)
        for simulation in range(count):
            self._simulate(net, simulation, schedule[simulation])
        return self._found(mask, expected)

    # -- the root

    def _best(
        self, policy: Tensor, count: int, seed: int | None = None, generator: torch.Generator | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """`best_actions` of what the network said of the positions in `games`; with noise where there is a seed."""
        mask = self.games.mask
        if self.kernels is not None:
            found: tuple[Tensor, Tensor, Tensor] = self.kernels.best_actions(
                policy, self.encoder.outputs_of_actions, mask, count, seed
            )
            return found
        logits = self.encoder.logits(policy).masked_fill_(mask == 0, LOW)
        noises = None
        if seed is not None:
            uniform = torch.rand(logits.shape, device=logits.device, generator=generator)
            noises = -torch.log(-torch.log(uniform.clamp_(1e-20, 1 - 1e-7)))
        return best_actions(logits, count, noises)

    def _schedule(self, slots: Tensor, simulations: int) -> Tensor:
        """[simulations, n] how often the root's next action has been tried, by how many actions there are, [n]."""
        table = [considered_visits(m, simulations) for m in range(self.settings.considered + 1)]
        return torch.tensor(table, device=slots.device)[slots].T.contiguous()

    # -- a simulation

    def _simulate(self, net: Net, simulation: int, wanted: Tensor) -> None:
        """Descend to a leaf in every game, make its position, evaluate it and back up; the new node is the one of
        number simulation + 1, where there is one."""
        new, games = simulation + 1, self.games
        nodes: list[Tensor] = []
        edges: list[Tensor] = []
        on_way: list[Tensor] = []
        if self.kernels is not None:
            last, edge, slot = self.kernels.descend(
                wanted, self._gumbel, self._trees, self.settings.value_scale, _VISIT_OFFSET
            )
        else:
            nodes, edges, on_way, slot = self._descend(simulation, wanted)
            last, edge = nodes[-1], edges[-1]
        # Where an outcome is there already, the way ended at a finished game.
        flat_child = self._child.view(-1)
        place = last * self._child.shape[2] + slot
        there = flat_child[place]
        fresh = there < 0
        self._leaf.copy_(self._states.view(-1, games.words)[last])
        at = last * self.settings.kept + edge
        before = games.rngs[:, 0].clone()
        games.step(self._leaf, torch.where(fresh, self._move.view(-1)[at], KEEP))
        ended = games.over.bool() & fresh
        said = evaluate(net, self.encoder, games, self._leaf, self.scale)
        self._write(new, said, ended)
        flat_child[place] = torch.where(fresh, new, there)
        self._parent[:, new] = at
        if self.settings.outcomes > 1:
            rolled = self._rolled.view(-1)
            rolled[at] = rolled[at] | (before != games.rngs[:, 0])
        gains = self._worth.view(-1, games.seats)[self._row + torch.where(fresh, new, there)]
        if self.kernels is not None:
            self.kernels.back_up(at, gains, self._trees)
        else:
            self._back_up(nodes, edges, on_way, gains)

    def _write(self, node: int, said: Evaluation, ended: Tensor) -> None:
        """Write what is known of a new node of this number in every game."""
        games = self.games
        self._states[:, node] = self._leaf
        self._player[:, node] = torch.where(ended, OVER, games.player.long())
        final = games.scores.float()
        outcome = rewards(victory_shares(final), final, self.scale)
        self._worth[:, node] = torch.where(ended[:, None], outcome, said.worth)
        if node:
            self._move[:, node], self._logit[:, node], _ = self._best(said.policy, self.settings.kept)

    def _descend(
        self, simulation: int, wanted: Tensor
    ) -> tuple[list[Tensor], list[Tensor], list[Tensor], Tensor]:
        """Per step of the way: [n] the node (numbered through all games), the edge taken, and whether the game's way
        goes on so far; and the place of the last edge's outcome. Games whose way ended stay where they are."""
        node = self._row
        going = torch.ones_like(node, dtype=torch.bool)
        edge = slot = torch.zeros_like(node)
        nodes: list[Tensor] = []
        edges: list[Tensor] = []
        on_way: list[Tensor] = []
        for depth in range(simulation + 1):
            chosen = self._choose(node, wanted if depth == 0 else None)
            edge = torch.where(going, chosen, edge)
            nodes.append(node)
            edges.append(edge)
            on_way.append(going)
            slot = torch.where(going, self._outcome(node, edge), slot)
            below = self._child.view(-1)[node * self._child.shape[2] + slot].long()
            target = self._row + below.clamp(min=0)
            going = going & (below >= 0) & (self._player.view(-1)[target] != OVER)
            if depth == simulation or not bool(going.any()):
                break
            node = torch.where(going, target, node)
        return nodes, edges, on_way, slot

    def _outcome(self, node: Tensor, edge: Tensor) -> Tensor:
        """[n] the place of the outcome to follow at an edge. Where dice are thrown, an edge visited v times has about
        the square root of v outcomes, which are followed in turn."""
        outcomes = self.settings.outcomes
        if outcomes == 1:
            return edge
        at = node * self.settings.kept + edge
        visits = self._visits.view(-1)[at].long()
        most = (1 + visits.float().sqrt().floor()).long().clamp(max=outcomes)
        first = edge * outcomes
        numbers = first[:, None] + torch.arange(outcomes, device=edge.device)
        children = self._child.view(-1, self._child.shape[2])[node].gather(1, numbers)
        have = (children >= 0).sum(1)
        follow = torch.where(have < most, have, visits % have.clamp(min=1))
        return first + torch.where(self._rolled.view(-1)[at] != 0, follow, 0)

    def _values(self, node: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """At a node of every game, for its player: [n, kept] logits, visits, values (completed by a mix where an edge
        is untried), and [n] that mix and how much values count against logits."""
        kept, seats = self.settings.kept, self.games.seats
        logit, visits = self._logit.view(-1, kept)[node], self._visits.view(-1, kept)[node]
        seat = self._player.view(-1)[node].clamp(min=0)
        sums = self._sums.view(-1, kept, seats)[node]
        mine = (
            sums[:, :, 0] if seats == 1 else sums.gather(2, seat[:, None, None].expand(-1, kept, 1))[:, :, 0]
        )
        raw = self._worth.view(-1, seats)[node].gather(1, seat[:, None])[:, 0]
        tried = visits > 0
        value = mine / visits.clamp(min=1)
        prior = torch.where(tried, logit.clamp(min=-30).exp(), 0.0)
        total = visits.sum(1)
        mean = (prior * value).sum(1) / prior.sum(1).clamp(min=1e-30)
        mix = (raw + total * mean) / (1 + total)
        weight = (_VISIT_OFFSET + visits.amax(1)) * self.settings.value_scale
        return logit, visits, torch.where(tried, value, mix[:, None]), mix, weight

    def _choose(self, node: Tensor, wanted: Tensor | None) -> Tensor:
        """[n] the edge to take; at the root, where `wanted` is given, one that has been tried so often."""
        logit, visits, value, _, weight = self._values(node)
        score = logit + weight[:, None] * value
        if wanted is not None:
            score = score + self._gumbel
            return torch.where((visits == wanted[:, None]) & (logit > LOW / 2), score, 10 * LOW).argmax(1)
        policy = torch.softmax(score, 1)
        short = policy - visits / (1 + visits.sum(1, keepdim=True))
        return torch.where(logit > LOW / 2, short, LOW).argmax(1)

    def _back_up(self, nodes: list[Tensor], edges: list[Tensor], on_way: list[Tensor], worth: Tensor) -> None:
        """Add what a leaf is worth, [n, seats], to the edges of its way."""
        at = torch.cat(nodes) * self.settings.kept + torch.cat(edges)
        counts = torch.cat(on_way).float()
        self._visits.view(-1).index_add_(0, at, counts)
        gains = worth.repeat(len(nodes), 1) * counts[:, None]
        self._sums.view(-1, self.games.seats).index_add_(0, at, gains)

    # -- after

    def _found(self, mask: Tensor, expected: Tensor) -> Found:
        """What the trees say, where the network alone expected this, [n, seats]."""
        considered = self.settings.considered
        logit, visits, value, mix, weight = (
            each[:, :considered] if each.ndim > 1 else each for each in self._values(self._row)
        )
        there = logit > LOW / 2
        score = logit + self._gumbel[:, :considered] + weight[:, None] * value
        most = visits == visits.amax(1, keepdim=True)
        slot = torch.where(there & most, score, 10 * LOW).argmax(1, keepdim=True)
        moves = self._move[:, 0, :considered]
        gain = torch.where(visits > 0, weight[:, None] * (value - mix[:, None]), 0.0)
        prior = torch.where(there, logit.exp(), 0.0)
        better = torch.where(there, (logit + gain).clamp(max=60).exp(), 0.0)
        rest = (1 - prior.sum(1, keepdim=True)).clamp(min=0)
        policy = better / (better.sum(1, keepdim=True) + rest).clamp(min=1e-30)
        tried = torch.where(visits > 0, better.clamp(min=1e-20), 0.0)
        means = self._sums[:, 0, :considered] / visits.clamp(min=1)[:, :, None]
        worth = (tried[:, :, None] * means).sum(1) / tried.sum(1, keepdim=True).clamp(min=1e-30)
        return Found(
            action=moves.gather(1, slot)[:, 0],
            actions=torch.where(there, moves.long(), -1),
            policy=policy,
            value=mix,
            expected=expected_of(expected, worth - self._worth[:, 0], self.scale),
            mask=mask,
        )
