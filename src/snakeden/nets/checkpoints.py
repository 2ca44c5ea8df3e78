"""What a run of training keeps in its folder, so that it can go on later: few files of some megabytes each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch

from snakeden.nets.inputs import BadNet, layout_of
from snakeden.nets.learning import Learner
from snakeden.nets.model import Net

NET, LATEST, OPTIMISER, PROGRESS = "net.pt", "latest.pt", "optimiser.pt", "progress.json"
"""The mean of the weights, which plays; the latest weights and the optimiser's state, to go on from; what was done. Of
the two to go on from either may be missing."""


def _put(path: Path, what: Any) -> None:
    """Write a file so that there is always a whole one."""
    fresh = path.with_name(path.name + ".new")
    torch.save(what, fresh)
    fresh.replace(path)


def _net_data(net: Net) -> dict[str, Any]:
    weights = {name: each.cpu() for name, each in net.state_dict().items()}
    return {"layout": net.layout.as_data(), "size": net.size, "weights": weights}


def save(folder: Path, learner: Learner, progress: dict[str, Any]) -> None:
    """Keep a run."""
    folder.mkdir(parents=True, exist_ok=True)
    _put(folder / NET, _net_data(learner.average.net))
    _put(folder / LATEST, _net_data(learner.net))
    kept = learner.optimiser.state_dict()
    # Half precision is enough for moments, and half the size.
    kept["state"] = {
        number: {
            name: each.bfloat16().cpu() if torch.is_tensor(each) and each.ndim else each
            for name, each in state.items()
        }
        for number, state in kept["state"].items()
    }
    _put(folder / OPTIMISER, kept)
    _put_progress(folder, progress)


def _put_progress(folder: Path, progress: dict[str, Any]) -> None:
    fresh = folder / (PROGRESS + ".new")
    fresh.write_text(json.dumps(progress, indent=1) + "\n")
    fresh.replace(folder / PROGRESS)


def read_net(path: Path) -> Net:
    """A network that `save` kept; raises BadNet."""
    try:
        found = torch.load(path, map_location="cpu", weights_only=True)
        net = Net(layout_of(found["layout"]), **found["size"])
        net.load_state_dict(found["weights"])
    except FileNotFoundError:
        raise BadNet(f"there is no network {path}: `snakeden train` makes one") from None
    except (KeyError, TypeError, RuntimeError, EOFError, OSError) as error:
        raise BadNet(f"{path} is no network of this version of Snakeden: {error}") from None
    return net


def read_latest(folder: Path) -> Net:
    """The network that a run goes on with: its latest weights, or their mean where only that was kept."""
    latest = folder / LATEST
    return read_net(latest if latest.exists() else folder / NET)


def save_averaged(folder: Path, net: Net, progress: dict[str, Any]) -> None:
    """Keep a network that is the mean of others as a run, to export or to go on from."""
    folder.mkdir(parents=True, exist_ok=True)
    _put(folder / NET, _net_data(net))
    for name in (LATEST, OPTIMISER):
        (folder / name).unlink(missing_ok=True)
    _put_progress(folder, progress)


def read_progress(folder: Path) -> dict[str, Any]:
    """What was done so far; raises BadNet where a folder holds no run."""
    try:
        found: dict[str, Any] = json.loads((folder / PROGRESS).read_text())
    except (OSError, ValueError) as error:
        raise BadNet(f"{folder} holds no run to go on from: {error}") from None
    return found


def restore_optimiser(folder: Path, learner: Learner) -> None:
    """Let the learner go on where the run ended; without the file it begins with a fresh optimiser."""
    path = folder / OPTIMISER
    if path.exists():
        learner.optimiser.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
