"""What a game's folder offers to those who study and train on it; found by any game's package.

`observation`, the position as numbers:

    planes(tables) -> tuple of str     what each plane means, in words; seats are called as by `viewed`
    constant_planes(tables) -> int     how many of them have one number everywhere: the last ones
    grid(tables) -> (rows, columns)    the size of every plane
    observe(t, s, seat, bits, values)  kernel: writes the observation of a settled state for this seat. bits is
                                       uint32[planes that are not constant, words], all 0 before: `planes.mark` sets
                                       fields, numbered row * columns + column. values is float32[constant planes],
                                       each to be written, from 0 to 1
    limits(tables) -> Limits           how long a game and how high a score can get
    mask(t, s, out) -> int             kernel, optional: settles; writes 1 or 0 for every action number to
                                       out (uint8[actions]), 1 if it is legal now, and returns how many are;
                                       not called where dice decide. Without it the list of legal moves
                                       serves.

`features`, optional: more planes of the same size, for networks, of what follows from the position by the rules and
is hard to see in it.

    planes(tables) -> tuple of str     none of them constant
    observe(t, s, seat, bits, values)  kernel, as in `observation`

`symmetry`: symmetries(tables) -> tuple of Symmetry, the identity first: what maps the game onto itself.

`geometry`: geometry(tables) -> Geometry, where the game's actions lie on its board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from snakeden.core.game import Game, Variant

START, LIST, KEEP = -1, -2, -3
"""What a batch of games takes in place of an action: begin the game anew, list what is legal in its state, leave it."""


@dataclass(frozen=True)
class Limits:
    """Numbers that no game goes beyond."""

    decisions: int
    """Moves of players in one game."""
    chances: int
    """Rolls in one game."""
    low: int
    high: int
    """The lowest and the highest score a game can end with."""


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A turn or mirror image of the board under which a game is the same game.

    Play an action's image in a position's image, and you are in the image of the position after it. All
    methods take arrays with any dimensions in front, a batch's for example.
    """

    name: str
    cells: NDArray[np.int64]
    """[rows * columns] where each field of the grid goes."""
    planes: NDArray[np.int64]
    """[planes] which plane each plane becomes."""
    actions: NDArray[np.int64]
    """[actions] which number each action number becomes."""
    features: NDArray[np.int64] | None = None
    """[planes] which plane each plane of the game's features becomes; None where all stay as they are, since they name
    no direction."""

    def observation(self, planes: NDArray[Any]) -> NDArray[Any]:
        """The image of an observation, [..., planes, rows, columns]."""
        flat = planes.reshape(*planes.shape[:-2], -1)
        image = np.empty_like(flat)
        image[..., self.planes[:, None], self.cells[None, :]] = flat
        return image.reshape(planes.shape)

    def policy(self, values: NDArray[Any]) -> NDArray[Any]:
        """The image of a mask, a policy or anything else with a value per action number, [..., actions]."""
        image = np.empty_like(values)
        image[..., self.actions] = values
        return image

    def action(self, number: ArrayLike) -> NDArray[np.int64]:
        """The image of action numbers."""
        images: NDArray[np.int64] = self.actions[np.asarray(number)]
        return images


@dataclass(frozen=True, eq=False)
class Geometry:
    """Where a game's actions lie on its board, so that a network's policy can be planes over it.

    A policy has outputs: `planes` for each field of the grid, and `loose` ones that belong to no field. Their numbers
    are plane * fields + field, and those of the loose ones follow. An action's logit is the sum of the outputs that its
    row of `terms` names. Smaller variants of a game use a part of the planes of larger ones, and the same numbers for
    the same things.
    """

    planes: int
    loose: int
    terms: NDArray[np.int64]
    """[actions, terms] numbers of outputs; -1 stands for none."""
    inside: NDArray[np.bool_]
    """[rows * columns] the fields that belong to the board."""
    boardless: bool = False
    """Whether there is no board: things lie where players lay them, and the grid has room for all of these places."""
    focus: tuple[int, ...] = ()
    """The planes of the observation that mark a field on which the loose outputs depend: the one a head faces."""


def viewed(seats: int) -> list[str]:
    """What the planes of an observation call the seats: from the one that looks on, in order of play."""
    return ["the viewer", *(f"player +{ahead}" for ahead in range(1, seats))]


def observation(game: Game) -> ModuleType:
    """The module that turns this game's positions into numbers."""
    return import_module(f"{game.package}.kernels.observation")


def features(game: Game) -> ModuleType | None:
    """The module with this game's planes for networks, if it has any."""
    return game.part("kernels.features")


def geometry(variant: Variant) -> Geometry:
    """Where the actions of the game under these options lie."""
    found: Geometry = import_module(f"{variant.game.package}.geometry").geometry(variant.tables)
    return found


def symmetries(variant: Variant) -> Sequence[Symmetry]:
    """Every symmetry of the game under these options, the identity first."""
    found: Sequence[Symmetry] = import_module(f"{variant.game.package}.symmetry").symmetries(variant.tables)
    return found


def distinct_first_moves(variant: Variant, moves: Sequence[int]) -> dict[int, list[int]]:
    """The moves of a game's first position up to symmetry: of those that are images of each other the lowest number,
    with all of them."""
    images = [symmetry.actions for symmetry in symmetries(variant)]
    found: dict[int, list[int]] = {}
    for move in moves:
        found.setdefault(min(int(actions[move]) for actions in images), []).append(move)
    return found
