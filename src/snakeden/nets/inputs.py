"""What a network sees of a position and what its outputs mean: the same for all that train, export or ask one."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakeden.core.game import Variant
from snakeden.core.learning import Geometry, features, geometry, observation

SCORE_UNIT = 10.0
"""The unit of scores in a network's inputs and outputs, in points."""


@dataclass(frozen=True)
class Layout:
    """The inputs and outputs of a network, wide enough for every variant it is made for."""

    planes: tuple[str, ...]
    """What each input plane means; a variant's own are found by these names."""
    seats: int
    """The most seats at a table."""
    policy_planes: int
    loose: int
    """The outputs of the policy, as in `core.learning.Geometry`."""
    focus: tuple[str, ...] = ()
    """The input planes that mark a field on which the loose outputs depend."""
    gains: bool = False
    """Whether the network finds what each seat will still gain and adds the scores as they stand, or the final scores
    from nothing, as the first networks did."""

    def as_data(self) -> dict[str, Any]:
        return asdict(self)


def layout_of(data: dict[str, Any]) -> Layout:
    """What `Layout.as_data` wrote."""
    return Layout(**{**data, "planes": tuple(data["planes"]), "focus": tuple(data.get("focus", ()))})


def layout_for(variants: list[Variant]) -> Layout:
    """The layout that serves all these variants of a game."""
    names = dict.fromkeys(name for variant in variants for name in plane_names(variant))
    found = [geometry(variant) for variant in variants]
    focus = dict.fromkeys(
        plane_names(variant)[plane]
        for variant, each in zip(variants, found, strict=True)
        for plane in each.focus
    )
    return Layout(
        planes=tuple(names),
        seats=max(int(variant.tables.seats) for variant in variants),
        policy_planes=max(each.planes for each in found),
        loose=max(each.loose for each in found),
        focus=tuple(focus),
        gains=True,
    )


def joined(one: Layout, other: Layout) -> Layout:
    """The layout that serves all that either serves; what the first has keeps its place."""
    return Layout(
        planes=tuple(dict.fromkeys((*one.planes, *other.planes))),
        seats=max(one.seats, other.seats),
        policy_planes=max(one.policy_planes, other.policy_planes),
        loose=max(one.loose, other.loose),
        focus=tuple(dict.fromkeys((*one.focus, *other.focus))),
        gains=one.gains,
    )


def plane_names(variant: Variant) -> tuple[str, ...]:
    """The planes of a variant: those of its observation, then its features."""
    tables, seen = variant.tables, features(variant.game)
    more = seen.planes(tables) if seen is not None else ()
    return (*observation(variant.game).planes(tables), *more)


@dataclass(frozen=True, eq=False)
class View:
    """How the positions of one variant are encoded for a network of a layout."""

    rows: int
    columns: int
    featured: int
    """How many planes the features have."""
    slots: NDArray[np.int64]
    """[planes] the input plane of each of the variant's planes; -1 for features that the network does not know."""
    terms: NDArray[np.int64]
    """[actions, terms] the outputs whose sum is an action's logit, numbered as the network has them; one past the last
    stands for none."""
    inside: NDArray[np.float32]
    """[rows, columns] 1 for fields of the board."""
    policy_planes: int
    """As the layout has them."""
    boardless: bool
    """As in `core.learning.Geometry`."""


class BadNet(ValueError):
    """A network that does not fit what it is asked for."""


def view_of(variant: Variant, layout: Layout) -> View:
    """How this variant is encoded for a network of this layout; raises BadNet where it cannot be."""
    names, found = plane_names(variant), geometry(variant)
    seen = features(variant.game)
    featured = len(seen.planes(variant.tables)) if seen is not None else 0
    # A network from before the game had these features plays on without them.
    missing = [name for name in names[: len(names) - featured] if name not in layout.planes]
    seats = int(variant.tables.seats)
    if missing or seats > layout.seats or found.planes > layout.policy_planes or found.loose > layout.loose:
        raise BadNet(
            f"the network knows {layout.seats} seats and {len(layout.planes)} planes; this variant has "
            f"{seats} seats and {len(missing)} planes that it does not know"
        )
    rows, columns = observation(variant.game).grid(variant.tables)
    at = {name: slot for slot, name in enumerate(layout.planes)}
    return View(
        rows=rows,
        columns=columns,
        featured=featured,
        slots=np.array([at.get(name, -1) for name in names], np.int64),
        terms=_renumbered(found, rows * columns, layout),
        inside=found.inside.reshape(rows, columns).astype(np.float32),
        policy_planes=layout.policy_planes,
        boardless=found.boardless,
    )


def _renumbered(found: Geometry, fields: int, layout: Layout) -> NDArray[np.int64]:
    """The terms of a geometry for a network that may have more planes, and with its own number for none."""
    loose_from = found.planes * fields
    more = (layout.policy_planes - found.planes) * fields
    terms = np.where(found.terms >= loose_from, found.terms + more, found.terms)
    none = layout.policy_planes * fields + layout.loose
    return np.where(found.terms < 0, none, terms)
