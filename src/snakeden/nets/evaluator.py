"""A network as the search's evaluator, by ONNX Runtime: `pip install 'snakeden[nets]'`."""

from __future__ import annotations

import json
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import local
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from snakeden.core.game import Game, Variant
from snakeden.core.learning import LIST, features
from snakeden.nets import tiles
from snakeden.nets.inputs import SCORE_UNIT, BadNet, layout_of, view_of
from snakeden.nets.windows import Window, whole, window_around
from snakeden.programs import compile_in_background, compiled, is_compiled
from snakeden.programs.contents import Part
from snakeden.programs.observer import Observer
from snakeden.search.evaluators import (
    Evaluation,
    Evaluator,
    MixedEvaluator,
    PlayoutEvaluator,
    RememberingEvaluator,
)
from snakeden.search.thinking import Search
from snakeden.search.workspace import Parameters

CARD = "snakeden"
"""The key of a file's metadata that says what the network is for."""
BATCH = 8
"""Positions that the search hands over at once: more cost less each, and fewer are better chosen."""
PARAMETERS = Parameters(
    exploration=0.0,
    prior_weight=0.0,
    puct=0.5,
    fpu_reduction=0.1,
    history_weight=0.0,
    widening=0.0,
    expand_after=1,
)
"""How the search weighs what a network says."""
TEMPERATURE = 2.0
"""What the logits of a network are divided by, which learnt from searches that looked at few moves: a longer search
would hardly look at others."""
MARGIN = 3
"""Where a game has no board: how many fields a network sees around all that lies there. The fewer, the faster it is;
the more, the closer is its answer to that for the whole grid, which `margin=None` asks for."""
MIX = "mix"
"""The entry of a card that says which share of the values playouts say when the network plays; without it, none."""
PLAYOUTS = 16
"""Playouts of a position, where they have a share: on a CPU they take a tenth to a quarter of the network's time."""
_SHIPPED = Path(__file__).parent / "shipped"


def is_installed() -> bool:
    """Whether ONNX Runtime is there."""
    return find_spec("onnxruntime") is not None


@cache
def _cards() -> dict[Path, dict[str, Any]]:
    """The cards of the package's networks, by their files."""
    return {
        path: json.loads(path.with_suffix(".json").read_text()) for path in sorted(_SHIPPED.glob("*.onnx"))
    }


def shipped(game: Game) -> dict[Path, dict[str, Any]]:
    """The cards of the package's networks for this game, by their files."""
    return {path: card for path, card in _cards().items() if card["game"] == game.id}


def network_for(variant: Variant) -> Path:
    """The network of the package for this variant; raises BadNet if none serves it. Of several that do, one comes first
    that learnt these options, and then the one that is for the fewest players. Only cards are read."""
    found: list[tuple[bool, int, Path]] = []
    refusal = BadNet(f"there is no network for {variant.game.name} in this package")
    for path, card in shipped(variant.game).items():
        layout = layout_of(card["layout"])
        try:
            view_of(variant, layout)
        except BadNet as error:
            refusal = error
        else:
            found.append((dict(variant.given) not in card["variants"], layout.seats, path))
    if not found:
        raise refusal
    return min(found)[-1]


@lru_cache(maxsize=64)
def serves(variant: Variant) -> bool:
    """Whether the package has a network for this variant."""
    try:
        network_for(variant)
    except BadNet:
        return False
    return True


class _Legal(NamedTuple):
    """The legal moves of some positions, of all in turn."""

    row: NDArray[np.int64]
    """[moves] which position each is in."""
    terms: NDArray[np.int64]
    """[moves, terms] as `View.terms`."""


class NetEvaluator:
    """Asks a network about positions of a variant. Raises BadNet where file or variant do not do, or where the kernels
    are still to be compiled and nobody is to `wait` for them; that is then done in the background."""

    gives_priors = True

    def __init__(
        self, variant: Variant, path: Path, *, wait: bool = True, margin: int | None = MARGIN
    ) -> None:
        self._session, card = _session(path)
        layout = layout_of(card["layout"])
        self._view = view_of(variant, layout)
        self._margin = margin if self._view.boardless else None
        self.mix = float(card.get(MIX, 0.0))
        """The share of playouts that its card asks for."""
        if not wait:
            _expect_compiled(variant, "batch")
        self._program: Any = compiled(variant, "batch")
        tables = variant.tables
        self._variant, self._seats, self._all_seats = variant, int(tables.seats), layout.seats
        self._planes, self._policy_planes = len(layout.planes), layout.policy_planes
        self._on_board = layout.policy_planes * self._view.rows * self._view.columns
        self._loose = layout.loose
        self._inside = self._view.inside[None, None]
        self._opening = variant.game.rules.opening(tables)
        more = features(variant.game)
        slots, seen = self._view.slots, len(self._view.slots) - self._view.featured
        self._looks: list[ModuleType | None] = [None]
        self._places = [_places(slots[:seen])]
        # Features that the network does not know need not be worked out.
        if more is not None and (slots[seen:] >= 0).any():
            self._looks.append(more)
            self._places.append(_places(slots[seen:]))
        # A search has several threads, and an observer writes on arrays of its own.
        self._kept = local()
        self._outputs = [each.name for each in self._session.get_outputs()]

    def __call__(self, positions: NDArray[Any]) -> Evaluation:
        n, seats = len(positions), self._seats
        states = positions.copy()
        moves, counts, player = self._legal(states)
        standings = np.empty((n, seats), np.int64)
        self._program.score_games(states, standings, 0, n)
        # Seats are counted from the player to move.
        rows, order = np.arange(n)[:, None], (player[:, None] + np.arange(seats)) % seats
        scaled = np.zeros((n, self._all_seats), np.float32)
        scaled[:, :seats] = standings[rows, order] / SCORE_UNIT
        legal = _Legal(np.repeat(np.arange(n), counts), self._view.terms[moves])
        window, planes = self._seen(states, player, legal)
        given = {"planes": planes, "standings": scaled, "inside": window.cut(self._inside)}
        said = dict(zip(self._outputs, self._session.run(None, given), strict=True))
        wins = said["wins"][:, :seats].astype(np.float64)
        values = np.empty((n, 2 * seats))
        values[rows, order] = wins / wins.sum(1, keepdims=True)
        values[rows, seats + order] = SCORE_UNIT * said["scores"][:, :seats].astype(np.float64)
        priors = np.zeros((n, self._variant.tables.actions), np.float32)
        logits, first = self._logits(said, window, legal), np.cumsum(counts) - counts
        chances = np.exp((logits - np.maximum.reduceat(logits, first)[legal.row]) / TEMPERATURE)
        priors[legal.row, moves] = chances / np.add.reduceat(chances, first)[legal.row]
        listed = [moves[begin : begin + count] for begin, count in zip(first, counts, strict=True)]
        return Evaluation(values, priors, actions=listed)

    def _logits(
        self, said: dict[str, NDArray[np.float32]], window: Window, legal: _Legal
    ) -> NDArray[np.float32]:
        """[moves] the logits of all these moves."""
        rows, columns, on_board = self._view.rows, self._view.columns, self._on_board
        n = len(said["policy"])
        # What happens to stand around a position's window no move of it is about.
        outputs = np.empty((n, on_board + self._loose + 1), np.float32)
        policy = outputs[:, :on_board].reshape(n, self._policy_planes, rows, columns)
        for row in range(n):
            policy[row, :, *window.fields(row)] = said["policy"][row]
        if self._loose:
            outputs[:, on_board:-1] = said["loose"]
        outputs[:, -1] = 0
        logits: NDArray[np.float32] = outputs[legal.row[:, None], legal.terms].sum(1)
        return logits

    def _legal(self, states: NDArray[Any]) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
        """[moves] the legal actions of all positions in turn, [n] how many each has, and [n] who is to move."""
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
        return moves[np.arange(tables.most_moves) < counts[:, None]], counts, player.astype(np.int64)

    def _seen(
        self, states: NDArray[Any], player: NDArray[np.int64], legal: _Legal
    ) -> tuple[Window, NDArray[np.float32]]:
        """What is to be seen of each position, and [n, planes, height, width] the observation and features there."""
        n, seats, view = len(states), player.astype(np.int8), self._view
        observers = self._observers(n)
        seen = [np.empty((n, *each.shape), np.float32) for each in observers]
        for each, out in zip(observers, seen, strict=True):
            each.write(states, seats, out, 0, n)
        if self._margin is None:
            window = whole(n, view.rows, view.columns)
        else:
            window = self._window(n, [each.bits for each in observers], legal, self._margin)
        planes = np.zeros((n, self._planes, window.height, window.width), np.float32)
        for out, (known, to) in zip(seen, self._places, strict=True):
            for row in range(n):
                planes[row, to] = out[row, known, *window.fields(row)]
        return window, planes

    def _window(self, n: int, marked: list[NDArray[np.uint32]], legal: _Legal, margin: int) -> Window:
        """All fields that differ from an empty corner, by the bits [n, planes, words] of the planes, or that a move is
        about, and a margin."""
        rows, columns = self._view.rows, self._view.columns
        fields = rows * columns
        differs = [np.bitwise_or.reduce(bits ^ -(bits[:, :, :1] & 1), axis=1) for bits in marked]
        words = np.bitwise_or.reduce(differs).astype("<u4")
        busy = np.unpackbits(words.view(np.uint8), axis=1, count=fields, bitorder="little").view(np.bool_)
        move, term = np.nonzero(legal.terms < self._on_board)
        busy[legal.row[move], legal.terms[move, term] % fields] = True
        return window_around(busy.reshape(n, rows, columns), margin)

    def _observers(self, n: int) -> list[Observer]:
        """What looks at n positions, for the thread that asks: to make them anew each time takes long."""
        if not hasattr(self._kept, "observers"):
            self._kept.observers = {}
        kept: dict[int, list[Observer]] = self._kept.observers
        if n not in kept:
            kept[n] = [Observer(self._variant, self._program, n, study) for study in self._looks]
        return kept[n]


Places = slice | NDArray[np.int64]


def _places(slots: NDArray[np.int64]) -> tuple[Places, Places]:
    """(which of these planes the network knows, its input planes for them)."""
    known = np.flatnonzero(slots >= 0)
    return _span(known), _span(slots[known])


def _span(slots: NDArray[np.int64]) -> Places:
    """These numbers as a slice, if they follow each other: arrays are written faster so."""
    follow = (np.diff(slots) == 1).all()
    return slice(int(slots[0]), int(slots[-1]) + 1) if follow else slots


def evaluator_of(
    variant: Variant,
    path: Path,
    *,
    wait: bool = True,
    mix: float | None = None,
    seed: int = 0,
    memory: int = 32 << 20,
) -> Evaluator:
    """What a search asks: the network, or where its card or `mix` gives playouts a share of the values, both. Raises
    BadNet as NetEvaluator does. In a game for one playouts say what bad play makes of a position, so that they
    have no share there. What the network said is remembered in this many bytes of `memory`."""
    net = NetEvaluator(variant, path, wait=wait)
    told = RememberingEvaluator(variant, net, memory)
    share = net.mix if mix is None else mix
    if share == 0 or variant.tables.seats == 1:
        return told
    if not wait:
        _expect_compiled(variant, "study")
    return MixedEvaluator(told, PlayoutEvaluator(variant, seed=seed, playouts=PLAYOUTS), share)


def search_with(
    evaluator: Evaluator, variant: Variant, *, seed: int = 0, threads: int = 1, memory: int = 256 << 20
) -> Search:
    """A search that weighs an evaluator as a network, or as several things of which one is a network."""
    return Search(
        variant,
        seed=seed,
        threads=threads,
        memory=memory,
        parameters=PARAMETERS,
        evaluator=evaluator,
        batch=BATCH,
    )


def _expect_compiled(variant: Variant, part: Part) -> None:
    """Raise BadNet where a part of the variant's program is still to be compiled, and begin with that."""
    if not is_compiled(variant, part):
        compile_in_background(variant, part)
        raise BadNet("what it needs is being compiled for this machine, once")


@lru_cache(maxsize=8)
def _session(path: Path) -> tuple[Any, dict[str, Any]]:
    """A network ready to be asked, by one thread at a time or several, and its card."""
    if not is_installed():
        raise BadNet("a network needs ONNX Runtime, which is not installed: pip install 'snakeden[nets]'")
    import onnxruntime

    if not path.exists():
        raise BadNet(f"there is no network {path}")
    options = onnxruntime.SessionOptions()
    # The search has threads of its own; each asks for itself.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        model = path.read_bytes()
        if tiles.are_there():
            model = tiles.for_tiles(model)
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        card = json.loads(session.get_modelmeta().custom_metadata_map[CARD])
        layout_of(card["layout"])
        return session, card
    except Exception as error:  # ONNX Runtime raises many kinds of errors, some of its own
        raise BadNet(f"{path} is no network of Snakeden: {error}") from None
