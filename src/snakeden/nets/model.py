"""The network: residual blocks of 3 × 3 convolutions with global pooling, a policy over the board, values by seat."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from typing import NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval, fuse_conv_bn_weights

from snakeden.nets.inputs import BadNet, Layout, joined

_VALUE_WIDTH = 128
_POOL_EVERY = 2
"""Every second block has global pooling: it sees the whole board."""


class Outputs(NamedTuple):
    """What a network says about a batch of n positions."""

    policy: Tensor
    """[n, outputs + 1] of the policy, numbered as in `core.learning.Geometry`; the last is 0, for terms of none."""
    wins: Tensor
    """[n, seats] logits of who wins, from the viewer on."""
    scores: Tensor
    """[n, seats] the final scores in `inputs.SCORE_UNIT`, from the viewer on."""


class ConvNorm(nn.Module):
    """A convolution and its batch normalisation, which `folded` makes one."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, 3, padding=1, bias=False)
        self.norm: nn.Module = nn.BatchNorm2d(outputs)

    def forward(self, x: Tensor) -> Tensor:
        found: Tensor = self.norm(self.conv(x))
        return found

    def fold(self) -> None:
        self.conv = fuse_conv_bn_eval(self.conv, self.norm)
        self.norm = nn.Identity()


class Block(nn.Module):
    def __init__(self, channels: int, pools: bool) -> None:
        super().__init__()
        self.first, self.second = ConvNorm(channels, channels), ConvNorm(channels, channels)
        nn.init.constant_(self.second.norm.weight, 0.2)
        self.pool = nn.Linear(2 * channels, channels) if pools else None

    def forward(self, x: Tensor, inside: Tensor) -> Tensor:
        y = self.first(x)
        if self.pool is not None:
            y = y + self.pool(pooled(x, inside))[:, :, None, None]
        return F.relu(x + self.second(F.relu(y)))


def pooled(x: Tensor, inside: Tensor) -> Tensor:
    """[n, 2 * channels] mean and maximum over the fields of the board, of x [n, channels, rows, columns] >= 0."""
    inside = inside.to(x.dtype)
    kept = x * inside
    mean = kept.sum((2, 3)) / inside.sum((2, 3))
    return torch.cat([mean, kept.amax((2, 3))], 1)


def looked_at(x: Tensor, marked: Tensor) -> Tensor:
    """[n, planes * channels] what x [n, channels, rows, columns] holds where planes [n, planes, rows, columns] mark a
    field."""
    return (marked.flatten(2) @ x.flatten(2).transpose(1, 2)).flatten(1)


class Net(nn.Module):
    def __init__(self, layout: Layout, blocks: int, channels: int) -> None:
        super().__init__()
        self.focus: Tensor
        """The numbers of the input planes that mark a field to look at; on the device, where steps are recorded."""
        marking = torch.tensor([layout.planes.index(name) for name in layout.focus], dtype=torch.int64)
        self.register_buffer("focus", marking, persistent=False)
        self.layout, self.size = layout, {"blocks": blocks, "channels": channels}
        self.stem = ConvNorm(len(layout.planes), channels)
        self.standing = nn.Linear(layout.seats, channels)
        self.blocks = nn.ModuleList(
            Block(channels, pools=k % _POOL_EVERY == _POOL_EVERY - 1) for k in range(blocks)
        )
        self.policy_first = ConvNorm(channels, channels)
        self.policy_pool = nn.Linear(2 * channels, channels)
        self.policy_planes = nn.Conv2d(channels, layout.policy_planes, 1)
        self.hidden = nn.Linear((2 + len(self.focus)) * channels, _VALUE_WIDTH)
        self.loose = nn.Linear(_VALUE_WIDTH, layout.loose) if layout.loose else None
        self.wins = nn.Linear(_VALUE_WIDTH, layout.seats)
        self.scores = nn.Linear(_VALUE_WIDTH, layout.seats)
        for head in (self.policy_planes, self.loose, self.wins, self.scores):
            if head is not None:
                nn.init.normal_(head.weight, std=0.01)
                nn.init.zeros_(head.bias)

    def forward(self, planes: Tensor, standings: Tensor, inside: Tensor) -> Outputs:
        """planes [n, planes, rows, columns]; standings [n, seats], the scores as they stand from the viewer on in
        `inputs.SCORE_UNIT`; inside [n or 1, 1, rows, columns], 1 for fields of the board."""
        x = F.relu(self.stem(planes) + self.standing(standings.to(planes.dtype))[:, :, None, None])
        for block in self.blocks:
            x = block(x, inside)
        over_all = pooled(x, inside)
        on_board = F.relu(self.policy_first(x) + self.policy_pool(over_all)[:, :, None, None])
        seen = over_all
        if self.layout.focus:
            seen = torch.cat([over_all, looked_at(x, planes.index_select(1, self.focus))], 1)
        hidden = F.relu(self.hidden(seen))
        policy = [self.policy_planes(on_board).flatten(1)]
        if self.loose is not None:
            policy.append(self.loose(hidden))
        none = policy[0].new_zeros(len(planes), 1)
        # Sixteen bits tell scores apart by a point at best, and moves differ by little more.
        scores = F.linear(hidden.float(), self.scores.weight.float(), self.scores.bias.float())
        if self.layout.gains:
            scores = scores + standings.float()
        return Outputs(torch.cat([*policy, none], 1), self.wins(hidden), scores)


@torch.no_grad()
def widened(net: Net, layout: Layout) -> Net:
    """A network of this layout, which `inputs.joined` made from that of `net`, and with its weights. It says the same
    as `net` wherever that could be asked: planes and seats that are new count nothing at first."""
    made = Net(layout, **net.size)
    mine = made.state_dict()
    for name, weights in net.state_dict().items():
        if name in ("stem.conv.weight", "standing.weight", "hidden.weight"):
            mine[name].zero_()
        mine[name][tuple(slice(size) for size in weights.shape)] = weights
    return made


@torch.no_grad()
def averaged(one: Net, other: Net, share: float) -> Net:
    """A network between two, of which one went on from the other: each weight has `share` of the other's and the rest
    of the one's. What only the wider of them has stays as it is there. Raises BadNet where neither is the other
    widened."""
    wide, narrow = (other, one) if len(other.layout.planes) >= len(one.layout.planes) else (one, other)
    if wide.size != narrow.size or joined(narrow.layout, wide.layout) != wide.layout:
        raise BadNet("a mean needs two networks of the same size, of which one went on from the other")
    made = copy.deepcopy(wide)
    mine, theirs = made.state_dict(), narrow.state_dict()
    part = share if wide is other else 1 - share
    for name, weights in theirs.items():
        if weights.is_floating_point():
            both = mine[name][tuple(slice(size) for size in weights.shape)]
            both.lerp_(weights, 1 - part)
    return made


def folded(net: Net, dtype: torch.dtype = torch.float32) -> Net:
    """A copy for playing, with the normalisations inside the convolutions."""
    made = copy.deepcopy(net).eval()
    for module in made.modules():
        if isinstance(module, ConvNorm):
            module.fold()
    return made.requires_grad_(False).to(dtype=dtype, memory_format=torch.channels_last)


@torch.no_grad()
def refold(player: Net, net: Net) -> None:
    """Give a player that `folded` made the weights that the network has now."""
    theirs = dict(net.named_modules())
    for name, mine in player.named_modules():
        if isinstance(mine, ConvNorm):
            conv, norm = theirs[name].conv, theirs[name].norm
            fused = fuse_conv_bn_weights(
                conv.weight, None, norm.running_mean, norm.running_var, norm.eps, norm.weight, norm.bias
            )
            mine.conv.weight.copy_(fused[0])
            mine.conv.bias.copy_(fused[1])
    inside = {f"{name}." for name, module in theirs.items() if isinstance(module, ConvNorm)}
    given = dict(net.named_parameters())
    for name, weight in player.named_parameters():
        if not name.startswith(tuple(inside)):
            weight.copy_(given[name])


def compiled(net: Net, device: torch.device) -> Net:
    """The same network, quicker on a GPU: its many small steps become few. Where that cannot be done it stays as it
    is."""
    if device.type != "cuda":
        return net
    torch._dynamo.config.suppress_errors = True
    made: Net = torch.compile(net, dynamic=False)
    return made


def graphed(net: Net, inputs: tuple[Tensor, ...]) -> Callable[..., Outputs]:
    """The network for learning on a GPU from inputs of these shapes: what it does forwards and backwards is recorded,
    and then started as a whole, which costs the CPU nothing. Where that cannot be done it stays as it is."""
    try:
        with torch.autocast("cuda", torch.bfloat16, cache_enabled=False):
            made: Callable[..., Outputs] = torch.cuda.make_graphed_callables(
                net, tuple(each.clone() for each in inputs)
            )
    except Exception as error:  # of many kinds, and none is worth a run
        warnings.warn(f"learning will be slower, since it cannot be recorded: {error}", stacklevel=2)
        return net
    return made


class Average:
    """The running mean of a network's weights, which plays better than the last ones."""

    def __init__(self, net: Net, decay: float) -> None:
        self.net = copy.deepcopy(net).requires_grad_(False).eval()
        self._decay, self._steps = decay, 0
        # All of these are changed in place.
        self._mean = [each for each in self.net.state_dict().values() if each.is_floating_point()]
        self._latest = [each for each in net.state_dict().values() if each.is_floating_point()]

    @torch.no_grad()
    def update(self) -> None:
        """Take in the weights as they are now."""
        self._steps += 1
        # At first the mean is one of few steps, so that it does not hold on to the beginning.
        decay = min(self._decay, self._steps / (self._steps + 10))
        torch._foreach_lerp_(self._mean, self._latest, 1 - decay)


def parameters_of(net: Net) -> int:
    return sum(each.numel() for each in net.parameters())
