"""A network as the search's evaluator, by ONNX Runtime: `pip install 'snakeden[nets]'`."""

from __future__ import annotations

import json
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakeden.core.game import Game, Variant
from snakeden.core.learning import LIST, features
from snakeden.nets.inputs import SCORE_UNIT, BadNet, Layout, layout_of, view_of
from snakeden.nets.windows import Window, window_around
from snakeden.programs import compile_in_background, compiled, is_compiled
from snakeden.programs.observer import Observer
from snakeden.search.evaluators import Evaluation
from snakeden.search.workspace import Parameters

CARD = "snakeden"
"""The key of a file's metadata that says what the network is for."""
BATCH = 8
"""Positions that the search hands over at once: more cost less each, and fewer are better chosen."""
PARAMETERS = Parameters(
    exploration=0.0, prior_weight=0.0, puct=0.8, history_weight=0.0, widening=0.7, expand_after=1
)
"""How the search weighs what a network says."""
MARGIN = 3
"""Where a game has no board: how many fields a network sees around all that lies there. The fewer, the faster it is;
the more, the closer is its answer to that for the whole grid, which `margin=None` asks for."""
_SHIPPED = Path(__file__).parent / "shipped"


def is_installed() -> bool:
    """Whether ONNX Runtime is there."""
    return find_spec("onnxruntime") is not None


def shipped(game: Game) -> Path | None:
    """The network of the package for this game, if there is one."""
    path = _SHIPPED / f"{game.id}.onnx"
    return path if path.exists() else None


def serves(variant: Variant) -> bool:
    """Whether the package has a network that fits this variant. Only its card is read."""
    path = shipped(variant.game)
    if path is None:
        return False
    try:
        view_of(variant, _layout(path.with_suffix(".json")))
    except BadNet:
        return False
    return True


@cache
def _layout(card: Path) -> Layout:
    return layout_of(json.loads(card.read_text())["layout"])


class NetEvaluator:
    """Asks a network about positions of a variant. Raises BadNet where file or variant do not do, or where the kernels
    are still to be compiled and nobody is to `wait` for them; that is then done in the background."""

    gives_priors = True

    def __init__(
        self, variant: Variant, path: Path, *, wait: bool = True, margin: int | None = MARGIN
    ) -> None:
        self._session, layout = _session(path)
        self._view = view_of(variant, layout)
        self._margin = margin if self._view.boardless else None
        if not wait and not is_compiled(variant, "batch"):
            compile_in_background(variant, "batch")
            raise BadNet("what it needs is being compiled for this machine, once")
        self._program: Any = compiled(variant, "batch")
        tables = variant.tables
        self._variant, self._seats, self._all_seats = variant, int(tables.seats), layout.seats
        self._planes, self._policy_planes = len(layout.planes), layout.policy_planes
        self._inside = self._view.inside[None, None]
        self._opening = variant.game.rules.opening(tables)
        more = features(variant.game)
        self._looks = [None] if more is None else [None, more]
        self._outputs = [each.name for each in self._session.get_outputs()]

    def __call__(self, positions: NDArray[Any]) -> Evaluation:
        n, tables, view = len(positions), self._variant.tables, self._view
        states = positions.copy()
        moves, counts, player = self._legal(states)
        planes = np.zeros((n, self._planes, view.rows, view.columns), np.float32)
        planes[:, view.slots] = self._seen(states, player)
        standings = np.empty((n, self._seats), np.int64)
        self._program.score_games(states, standings, 0, n)
        # Seats are counted from the player to move.
        order = (player[:, None] + np.arange(self._seats)) % self._seats
        scaled = np.zeros((n, self._all_seats), np.float32)
        scaled[:, : self._seats] = np.take_along_axis(standings, order, 1) / SCORE_UNIT
        window = None if self._margin is None else self._window(planes, moves, counts, self._margin)
        given = {"planes": planes, "standings": scaled, "inside": self._inside}
        if window is not None:
            given |= {"planes": window.cut(planes), "inside": window.cut(self._inside)}
        said = dict(zip(self._outputs, self._session.run(None, given), strict=True))
        if window is not None:
            said["policy"] = window.put_back(said["policy"], view.rows, view.columns)
        wins = said["wins"][:, : self._seats].astype(np.float64)
        values = np.empty((n, 2 * self._seats))
        np.put_along_axis(values[:, : self._seats], order, wins / wins.sum(1, keepdims=True), 1)
        scores = SCORE_UNIT * said["scores"][:, : self._seats].astype(np.float64)
        np.put_along_axis(values[:, self._seats :], order, scores, 1)
        nothing = np.zeros((n, 1), np.float32)
        loose = [said["loose"]] if "loose" in said else []
        policy = np.concatenate([said["policy"].reshape(n, -1), *loose, nothing], 1)
        priors = np.zeros((n, tables.actions), np.float32)
        for row in range(n):
            legal = moves[row, : counts[row]]
            logits = policy[row][view.terms[legal]].sum(1)
            chances = np.exp(logits - logits.max())
            priors[row, legal] = chances / chances.sum()
        return Evaluation(values, priors)

    def _legal(self, states: NDArray[Any]) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
        """[n, most] the legal actions, [n] how many there are, and [n] who is to move."""
        n, tables = len(states), self._variant.tables
        moves, counts = np.zeros((n, tables.most_moves), np.int32), np.zeros(n, np.int32)
        player, over = np.zeros(n, np.int8), np.zeros(n, np.uint8)
        self._program.step_lists(
            self._opening,
            states,
            np.zeros((n, 2), np.uint64),
            np.full(n, LIST, np.int32),
            moves,
            np.zeros((n, 0), np.uint8),
            counts,
            player,
            over,
            np.zeros((n, self._seats), np.int64),
            np.zeros((n, 0), states.dtype),
            0,
            0,
            n,
        )
        return moves, counts, player.astype(np.int64)

    def _window(
        self, planes: NDArray[np.float32], moves: NDArray[np.int32], counts: NDArray[np.int32], margin: int
    ) -> Window:
        """What is to be seen of each position: all fields that differ from an empty corner or that a move is about, and
        a margin."""
        rows, columns = self._view.rows, self._view.columns
        busy = (planes != planes[:, :, :1, :1]).any(1).reshape(len(planes), -1)
        on_board = self._policy_planes * rows * columns
        for row, count in enumerate(counts):
            terms = self._view.terms[moves[row, :count]]
            busy[row, terms[terms < on_board] % (rows * columns)] = True
        return window_around(busy.reshape(len(planes), rows, columns), margin)

    def _seen(self, states: NDArray[Any], player: NDArray[np.int64]) -> NDArray[np.float32]:
        """[n, planes, rows, columns] the observation and the features."""
        n, seats = len(states), player.astype(np.int8)
        seen = []
        for study in self._looks:
            observer = Observer(self._variant, self._program, n, study)
            seen.append(np.empty((n, *observer.shape), np.float32))
            observer.write(states, seats, seen[-1], 0, n)
        return np.concatenate(seen, 1) if len(seen) > 1 else seen[0]


@lru_cache(maxsize=8)
def _session(path: Path) -> tuple[Any, Any]:
    """A network ready to be asked, by one thread at a time or several, and its layout."""
    if not is_installed():
        raise BadNet("a network needs ONNX Runtime, which is not installed: pip install 'snakeden[nets]'")
    import onnxruntime

    if not path.exists():
        raise BadNet(f"there is no network {path}")
    options = onnxruntime.SessionOptions()
    # The search has threads of its own; each asks for itself.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        card = json.loads(session.get_modelmeta().custom_metadata_map[CARD])
        return session, layout_of(card["layout"])
    except Exception as error:  # ONNX Runtime raises many kinds of errors, some of its own
        raise BadNet(f"{path} is no network of Snakeden: {error}") from None
