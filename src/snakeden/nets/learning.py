"""Learning from the replay: losses, symmetric images, steps of the optimiser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from snakeden.core.game import Variant
from snakeden.core.learning import symmetries
from snakeden.nets.games import Games, from_viewer
from snakeden.nets.inputs import SCORE_UNIT
from snakeden.nets.model import Average, Net, Outputs, graphed
from snakeden.nets.replay import Replay, Sample
from snakeden.nets.rewards import Scale
from snakeden.nets.search import LOW, Encoder, Inputs, evaluate
from snakeden.nets.solved import BadPositions, SolvedPositions

_WARM_UP = 200
"""Steps until the learning rate is reached."""
_SCORE_WEIGHT = 0.5
_KEPT_BACK, _TOGETHER = 16, 64
"""Of so many parts of the solved positions one is not learnt from, and how many positions a part has: those of one game
stand together, and resemble each other."""
DRAWN_TOGETHER = 4
"""Batches whose positions are made ready at once: a GPU lists the moves of a few thousand games as fast as of few."""


@dataclass(frozen=True)
class LearningSettings:
    batch: int = 2048
    rate: float = 2e-3
    last_rate: float = 1e-4
    decay: float = 0.01
    average: float = 0.999
    """Of the mean of weights, how much stays at each step."""
    q_ratio: float = 0.25
    """Of the targets of values, the part that the search expected, in the end; the rest is what came of it."""
    td_lambda: float = 0.98
    """What came of a position is how its game ended and what later searches expected, as `Replay.look_back` weighs
    them; with 1, its end alone."""


class Images:
    """The symmetries of a variant as tensors: where the image of a position takes its numbers from. Each position has
    an image of its own, whose number is in `which`, int64[n]."""

    def __init__(self, variant: Variant, featured: int, device: torch.device) -> None:
        found = symmetries(variant)
        self.count = len(found)

        def stacked(each: list[np.ndarray]) -> Tensor:
            return torch.from_numpy(np.stack(each)).long().to(device)

        stay = np.arange(featured)
        more = [stay if each.features is None else each.features for each in found]
        self._planes = stacked(
            [
                np.argsort(np.concatenate([each.planes, len(each.planes) + those]))
                for each, those in zip(found, more, strict=True)
            ]
        )
        self._cells = stacked([np.argsort(each.cells) for each in found])
        self._actions = stacked([each.actions for each in found])
        self._sources = stacked([np.argsort(each.actions) for each in found])

    def planes(self, which: Tensor, planes: Tensor) -> Tensor:
        """[n, planes, rows, columns] the images of planes in the variant's own order."""
        if self.count == 1:
            return planes
        flat = planes.flatten(2)
        flat = flat.gather(1, self._planes[which][:, :, None].expand_as(flat))
        flat = flat.gather(2, self._cells[which][:, None].expand_as(flat))
        return flat.view(planes.shape)

    def mask(self, which: Tensor, mask: Tensor) -> Tensor:
        return mask if self.count == 1 else mask.gather(1, self._sources[which])

    def actions(self, which: Tensor, actions: Tensor) -> Tensor:
        """The images of action numbers [n, considered], -1 as it is."""
        return torch.where(actions < 0, -1, self._actions[which[:, None], actions.clamp(min=0)])


class Drawn(NamedTuple):
    """n positions as a network sees them, and what is to be learnt from them."""

    inputs: Inputs
    sample: Sample
    """What the search and the game said."""
    mask: Tensor
    """[n, actions] the legal ones."""

    def pieces(self, count: int) -> list[Drawn]:
        """As many pieces of equal size."""
        planes, standings, fields = self.inputs
        parts = [each.chunk(count) for each in (planes, standings, self.mask, *self.sample)]
        windows = [None] * count if fields is None else fields.chunk(count)
        return [
            Drawn(Inputs(planes, standings, window), Sample(*sample), mask)
            for window, (planes, standings, mask, *sample) in zip(
                windows, zip(*parts, strict=True), strict=True
            )
        ]


class TrainingData:
    """Positions of one variant, made ready to learn from, as many as `games` has room for."""

    def __init__(self, games: Games, encoder: Encoder, images: Images, replay: Replay, scale: Scale) -> None:
        self._games, self._encoder, self._images, self._replay = games, encoder, images, replay
        self._scale = scale
        self.inside = encoder.inside.expand(games.n // DRAWN_TOGETHER, -1, -1, -1)

    @torch.no_grad()
    def draw(self, seats: int, generator: torch.Generator) -> Drawn:
        """Positions for a network with this many seats, each as one of its symmetric images."""
        games, images = self._games, self._images
        which = torch.randint(images.count, (games.n,), device=games.device, generator=generator)
        sample = self._replay.sample(games.n, generator)
        games.list_legal(sample.states)
        inputs = self._encoder.inputs(games, sample.states, seats, lambda p: images.planes(which, p))
        viewer = games.player.long().clamp(min=0)
        sample = sample._replace(
            actions=images.actions(which, sample.actions),
            expected=from_viewer(sample.expected, viewer),
            outcome=from_viewer(sample.outcome, viewer),
            scores=from_viewer(sample.scores, viewer),
        )
        return Drawn(inputs, sample, images.mask(which, games.mask))

    def loss(self, said: Outputs, drawn: Drawn, q_ratio: float) -> Tensor:
        """[3] the mean losses of policy, victories and scores."""
        sample, whole = drawn.sample, self._encoder.put_back(said.policy, drawn.inputs.fields)
        logits = self._encoder.logits(whole).masked_fill(drawn.mask == 0, LOW)
        weight = sample.weight / sample.weight.sum().clamp(min=1)
        policy = (policy_loss(logits, sample.actions, sample.policy) * weight).sum()
        seats = self._games.seats
        target = torch.lerp(sample.outcome, sample.expected, q_ratio)
        if seats == 1:
            # Who wins is no question, and what is expected is the score.
            off = score_loss(said.scores[:, :1].float(), target / SCORE_UNIT, self._scale)
            return torch.stack([policy, torch.zeros_like(policy), (off[:, 0] * weight).sum()])
        wins = (-(target * torch.log_softmax(said.wins[:, :seats].float(), 1)).sum(1) * weight).sum()
        off = score_loss(said.scores[:, :seats].float(), sample.scores / SCORE_UNIT, self._scale)
        ended = sample.weight * sample.over
        return torch.stack([policy, wins, (off.mean(1) * ended).sum() / ended.sum().clamp(min=1)])


class SolvedData:
    """Solved positions of one variant, made ready to learn from, as many as `games` has room for. Only who wins is
    learnt from them. A sixteenth is kept back, for `error`."""

    def __init__(self, games: Games, encoder: Encoder, images: Images, solved: SolvedPositions) -> None:
        self._games, self._encoder, self._images = games, encoder, images
        signed = solved.states.view(np.int64) if solved.states.dtype == np.uint64 else solved.states
        self._states = torch.from_numpy(signed).to(games.device)
        self._shares = torch.from_numpy(solved.shares).to(games.device)
        numbers = torch.arange(len(signed), device=games.device)
        kept_back = numbers // _TOGETHER % _KEPT_BACK == 0
        self._learnt, self._kept_back = numbers[~kept_back], numbers[kept_back]
        if not len(self._learnt):
            raise BadPositions(
                f"{len(signed)} solved positions are too few to learn from, as {_TOGETHER} are kept back: "
                "`snakeden nets solve` adds more to a file"
            )
        self.inside = encoder.inside.expand(games.n // DRAWN_TOGETHER, -1, -1, -1)

    @torch.no_grad()
    def draw(self, seats: int, generator: torch.Generator) -> Drawn:
        """As `TrainingData.draw`."""
        games, images = self._games, self._images
        n, device = games.n, games.device
        which = torch.randint(images.count, (n,), device=device, generator=generator)
        rows = self._learnt[torch.randint(len(self._learnt), (n,), device=device, generator=generator)]
        states = self._states[rows]
        games.list_legal(states)
        inputs = self._encoder.inputs(games, states, seats, lambda p: images.planes(which, p))
        shares = from_viewer(self._shares[rows], games.player.long())
        none = shares.new_zeros(n, 1)
        sample = Sample(states, none.long() - 1, none, shares, shares, 0 * shares, none[:, 0], none[:, 0] + 1)
        return Drawn(inputs, sample, images.mask(which, games.mask))

    def loss(self, said: Outputs, drawn: Drawn, q_ratio: float) -> Tensor:
        """As `TrainingData.loss`: those of policy and scores are 0."""
        wins = torch.log_softmax(said.wins[:, : self._games.seats].float(), 1)
        loss = -(drawn.sample.outcome * wins).sum(1).mean()
        return torch.stack([torch.zeros_like(loss), loss, torch.zeros_like(loss)])

    @torch.no_grad()
    def error(self, net: Net) -> float:
        """The mean square of how far the network's shares of the victory are off, in positions that were kept back."""
        games, count = self._games, min(self._games.n, len(self._kept_back))
        rows = self._kept_back[torch.arange(games.n, device=games.device) % count]
        states = self._states[rows]
        games.list_legal(states)
        said = evaluate(net, self._encoder, games, states, Scale()).expected
        off = said - from_viewer(self._shares[rows], games.player.long())
        return float((off[:count, 0] ** 2).mean())


def score_loss(said: Tensor, scores: Tensor, scale: Scale) -> Tensor:
    """[n, seats] of scores in SCORE_UNIT. The error counts by its square because the mean is wanted: its absolute value
    would teach the median, in which a risk below one half is nothing."""
    return (said - scores) ** 2 / (2 * scale.spread / SCORE_UNIT)


def policy_loss(logits: Tensor, actions: Tensor, policy: Tensor) -> Tensor:
    """[n] cross entropy with probabilities `policy` [n, considered] for `actions` [n, considered], -1 for none, and the
    rest for all other actions together. Logits [n, actions] are LOW where an action is not legal."""
    there = actions >= 0
    at = actions.clamp(min=0)
    total = torch.logsumexp(logits, 1)
    chosen = torch.where(there, logits.gather(1, at) - total[:, None], 0.0)
    # A row's empty places point to its first action, which is one of those to be left out.
    others = logits.scatter(1, torch.where(there, at, at[:, :1]), LOW)
    rest = (1 - policy.sum(1)).clamp(min=0)
    rest = torch.where(rest < 1e-3, 0.0, rest)
    # Where all actions were considered there are no others.
    of_rest = (torch.logsumexp(others, 1) - total).clamp(min=-20)
    return -(policy * chosen).sum(1) - rest * of_rest


class Learner:
    """Takes steps with training data of all variants in one batch."""

    def __init__(
        self, net: Net, data: Sequence[TrainingData | SolvedData], settings: LearningSettings, seed: int
    ) -> None:
        self.net, self.settings, self._data = net, settings, data
        self.average = Average(net, settings.average)
        weights = [each for each in net.parameters() if each.ndim > 1]
        others = [each for each in net.parameters() if each.ndim <= 1]
        device = weights[0].device
        self.optimiser = torch.optim.AdamW(
            [{"params": weights, "weight_decay": settings.decay}, {"params": others, "weight_decay": 0.0}],
            lr=settings.rate,
            betas=(0.9, 0.98),
            fused=device.type == "cuda",
        )
        self._generator = torch.Generator(device).manual_seed(seed)
        self.steps = self._warm = self._counted = 0
        self._sums = torch.zeros(4, device=device)
        self._forward: Callable[..., Outputs] | None = None
        self._ready: list[tuple[Drawn, ...]] = []

    def _next(self) -> tuple[Drawn, ...]:
        """The positions of all variants for a step."""
        if not self._ready:
            drawn = [each.draw(self.net.layout.seats, self._generator) for each in self._data]
            self._ready = list(zip(*(each.pieces(DRAWN_TOGETHER) for each in drawn), strict=True))
        return self._ready.pop()

    def step(self, rate: float, q_ratio: float) -> None:
        """With this learning rate, and as in `LearningSettings` with this ratio."""
        net, device = self.net, self._sums.device
        net.train()
        drawn = self._next()
        planes = torch.cat([each.inputs.planes for each in drawn]).contiguous(
            memory_format=torch.channels_last
        )
        standings = torch.cat([each.inputs.standings for each in drawn])
        inside = torch.cat([each.inside for each in self._data])
        said = self._say(planes, standings, inside)
        losses = torch.zeros(3, device=device)
        begin = 0
        for data, mine in zip(self._data, drawn, strict=True):
            end = begin + len(mine.mask)
            part = Outputs(*(each[begin:end] for each in said))
            losses = losses + data.loss(part, mine, q_ratio) / len(drawn)
            begin = end
        loss = losses[0] + losses[1] + _SCORE_WEIGHT * losses[2]
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        self._warm += 1
        for group in self.optimiser.param_groups:
            group["lr"] = rate * min(1.0, self._warm / _WARM_UP)
        self.optimiser.step()
        self.average.update()
        self._sums += torch.cat([losses.detach(), norm.detach()[None]])
        self._counted += 1
        self.steps += 1

    def _say(self, *inputs: Tensor) -> Outputs:
        if self._sums.device.type == "cpu":
            found: Outputs = self.net(*inputs)
            return found
        self._forward = self._forward or graphed(self.net, inputs)
        with torch.autocast("cuda", torch.bfloat16):
            return self._forward(*inputs)

    def figures(self) -> dict[str, float]:
        """Mean losses since the last call; raises FloatingPointError if one is no number."""
        means = (self._sums / max(1, self._counted)).tolist()
        self._sums.zero_()
        self._counted = 0
        if not np.isfinite(means).all():
            raise FloatingPointError("a loss is not a finite number: try a lower learning rate")
        return dict(zip(("policy_loss", "win_loss", "score_loss", "gradient"), means, strict=True))
