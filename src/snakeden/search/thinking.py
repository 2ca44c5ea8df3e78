"""Thinking about a position with a budget: the search as people and agents call it."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakeden.core.game import Variant
from snakeden.core.moves import Move
from snakeden.core.state import State
from snakeden.programs import Target, program
from snakeden.search.descend import PRIORS, VALUES
from snakeden.search.evaluators import Evaluation, Evaluator
from snakeden.search.heuristics import offering
from snakeden.search.tree import (
    CHILD,
    FIRST,
    KNOWN,
    LEGAL,
    MEAN,
    MOVE,
    NODES,
    OPENED,
    STORED,
    TRIED,
    TURN,
    VISITS,
    Tree,
    bytes_a_node,
    new_tree,
    set_known,
)
from snakeden.search.workspace import Parameters, new_workspace

_SLICE = 0.01
"""Seconds between looks at the clock."""
_FIRST_SLICE, _LONGEST_SLICE = 64, 1024
"""Simulations between looks at `stop` and at whether the best move can still be caught, without a clock."""
_VISITS_A_LEAF = 16
"""For each such number of visits of the root one leaf more is evaluated together with others: while a tree is small,
the value of a leaf changes which one should be next."""
_PROBES = 64
"""Playouts before a search begins, from which the spread of the scores is estimated."""
_ALONE, _ALONE_WITH_PRIORS = 2.5, 0.25
"""The scale of scores in a game for one, in standard deviations of playouts. A network tells moves apart that differ by
a point, where playouts differ by dozens: with their scale its values would hardly count against its priors."""
_FIND_DEPTH, _FIND_NODES = 48, 20_000
"""How far the last tree is searched for the new position."""


@dataclass(frozen=True)
class Budget:
    """How long to think: this many simulations, this many seconds, or whichever ends first."""

    simulations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.simulations is None and self.seconds is None:
            raise ValueError("a budget needs a number of simulations or of seconds")
        if self.simulations is not None and self.simulations < 1:
            raise ValueError(f"a budget of {self.simulations} simulations is none: give 1 or more")
        if self.seconds is not None and not self.seconds > 0:
            raise ValueError(f"a budget of {self.seconds} seconds is none: give more than 0")


@dataclass(frozen=True)
class Line:
    """What the search thinks of one move."""

    move: Move
    simulations: int
    wins: tuple[float, ...]
    """Per seat its chance to win; shared victories count in parts."""
    scores: tuple[float, ...]
    """Per seat its expected final score."""
    proven: bool
    """Whether this is certain under best play, not an estimate."""
    main: tuple[Move, ...]
    """How the game would go on, this move first."""


@dataclass(frozen=True)
class Report:
    """What came out of thinking."""

    lines: tuple[Line, ...]
    """The moves that were looked at, best first."""
    simulations: int
    """New ones; those in `lines` include what was known from the moves before."""
    reused: int
    nodes: int
    seconds: float
    proven: bool
    """Whether the best move is certain."""


class Search:
    """A search for one game that remembers its tree from move to move.

    Leaves are evaluated by playouts inside the kernel, or by an `evaluator` that is called with up to `batch` positions
    at once. The same seed, one thread and budgets of simulations give the same result each time.
    """

    def __init__(
        self,
        variant: Variant,
        *,
        seed: int = 0,
        threads: int = 1,
        memory: int = 256 << 20,
        parameters: Parameters | None = None,
        evaluator: Evaluator | None = None,
        batch: int = 16,
        target: Target | None = None,
    ) -> None:
        if batch < 1:
            raise ValueError(f"a batch of {batch} positions is none: give 1 or more")
        self._variant, self._evaluator = variant, evaluator
        self._parameters = parameters if parameters is not None else _parameters_for(variant)
        self._threads, self._batch = threads, batch if evaluator is not None else 1
        self._size = max(1024, memory // (2 * threads) // bytes_a_node(variant.tables.seats))
        # Any whole number is a seed; the kernels take 63 bits.
        self._seed = seed % (1 << 63)
        self._searches = 0
        self._root: NDArray[Any] | None = None
        self._purpose = PRIORS if evaluator is not None and evaluator.gives_priors else VALUES
        # A program in WebAssembly does one thing at a time, so each thread has its own.
        self._programs = [program(variant, target) for _ in range(threads)]
        dtype = variant.game.rules.DTYPE
        self._workspaces = [
            new_workspace(variant.tables, dtype, each.array, self._batch) for each in self._programs
        ]
        self._trees = [new_tree(variant.tables.seats, self._size, each.empty) for each in self._programs]
        # While a tree is carried over to the next move there are two of it.
        self._spares: list[Tree] = []

    def think(self, state: State, budget: Budget, stop: Callable[[], bool] | None = None) -> Report:
        """Think about a position in which a player is to move, until the budget or `stop` ends it."""
        if state.player is None or state.player < 0:
            raise ValueError("there is nothing to think about: no player is to move here")
        root = state.array()
        parameters = self._prepare(root)
        begin = time.perf_counter()
        reused = sum(int(tree.nodes[0, VISITS]) for tree in self._trees if tree.used[NODES])
        enough = Event()

        def work(index: int) -> int:
            return self._work(index, root, budget, parameters, stop, enough, begin)

        try:
            if self._threads == 1:
                done = work(0)
            else:
                with ThreadPoolExecutor(self._threads) as pool:
                    try:
                        done = sum(pool.map(work, range(self._threads)))
                    except BaseException:
                        enough.set()
                        raise
        except BaseException:
            # Leaves may still wait for their evaluation: such trees are not kept.
            self._root = None
            raise
        self._searches += 1
        lines = self._lines(root)
        nodes = sum(int(tree.used[NODES]) for tree in self._trees)
        return Report(lines, done, reused, nodes, time.perf_counter() - begin, lines[0].proven)

    def plies_left(self, state: State) -> float:
        """How many plies a playout from here takes, on average."""
        return float(self._programs[0].probe(self._workspaces[0], state.array(), 1, _PROBES)[2])

    # -- before

    def _prepare(self, root: NDArray[Any]) -> Parameters:
        """Bring the trees to this root, and learn how far apart scores lie."""
        if not self._reroot(root):
            mean, spread, _ = self._programs[0].probe(self._workspaces[0], root, self._seed, _PROBES)
            scale = abs(mean) + 3 * spread
            if self._variant.tables.seats == 1:
                scale = (_ALONE_WITH_PRIORS if self._purpose == PRIORS else _ALONE) * spread
                if self._evaluator is not None:
                    # An evaluator may know far better play than playouts do: what it expects is worth a half.
                    mean = float(self._evaluator(root[None]).values[0, 1])
            for tree in self._trees:
                tree.used[:] = 0
            for workspace in self._workspaces:
                workspace.history[:] = 0
            self._parameters = self._parameters._replace(centre=float(mean), scale=float(scale) + 1.0)
        self._root = root
        return self._parameters

    def _reroot(self, root: NDArray[Any]) -> bool:
        """Keep what the last trees know of this position; whether that is anything."""
        # With fewer simulations than threads some have grown no tree.
        if self._root is None or not all(tree.used[NODES] for tree in self._trees):
            return False
        states = np.empty((_FIND_DEPTH + 1, len(root)), root.dtype)
        found = [
            each.find(tree, workspace, self._root, root, states, _FIND_NODES)
            for each, tree, workspace in zip(self._programs, self._trees, self._workspaces, strict=True)
        ]
        if min(found) < 0:
            return False
        # A node that bounds decided has an outcome, but no move that leads to it.
        if any(
            tree.nodes[node, KNOWN] and not tree.nodes[node, OPENED]
            for tree, node in zip(self._trees, found, strict=True)
        ):
            return False
        if not self._spares:
            seats = self._variant.tables.seats
            self._spares = [new_tree(seats, self._size, each.empty) for each in self._programs]
        for i, node in enumerate(found):
            self._spares[i].used[:] = 0
            self._programs[i].keep(self._trees[i], node, self._spares[i])
            self._trees[i], self._spares[i] = self._spares[i], self._trees[i]
        return True

    # -- during

    def _work(
        self,
        index: int,
        root: NDArray[Any],
        budget: Budget,
        parameters: Parameters,
        stop: Callable[[], bool] | None,
        enough: Event,
        begin: float,
    ) -> int:
        """One thread's share of the budget on its own tree; the simulations done."""
        tree = self._trees[index]
        wanted = 1 << 60
        if budget.simulations is not None:
            wanted = (budget.simulations + self._threads - 1 - index) // self._threads
        rng = int(np.random.SeedSequence((self._seed, self._searches, index)).generate_state(1, np.uint64)[0])
        done, slice_ = 0, _FIRST_SLICE if self._evaluator is None else self._batch
        while done < wanted and not enough.is_set():
            ask = min(slice_, wanted - done)
            started = time.perf_counter()
            rng, ran = self._advance(index, tree, root, rng, ask, parameters)
            now = time.perf_counter()
            done += ran
            if tree.nodes[0, KNOWN]:
                enough.set()
            if ran < ask or (stop is not None and stop()):
                break
            rate = ran / max(now - started, 1e-6)
            left = wanted - done
            if budget.seconds is not None:
                if now - begin >= budget.seconds:
                    break
                left = min(left, int(rate * (budget.seconds - (now - begin))) + 1)
                slice_ = max(self._batch, min(int(rate * _SLICE), left))
            else:
                # By count, not by the clock: a budget of simulations must end at the same one each time.
                slice_ = min(2 * slice_, _LONGEST_SLICE)
            if _decided(tree, left):
                break
        return done

    def _advance(
        self, index: int, tree: Tree, root: NDArray[Any], rng: int, ask: int, parameters: Parameters
    ) -> tuple[int, int]:
        """At most this many more simulations; (rng, how many there were: fewer only if the outcome is known)."""
        here, workspace = self._programs[index], self._workspaces[index]
        if self._evaluator is None:
            rng, done = here.simulate(tree, workspace, root, rng, ask, parameters)
            return rng, done
        done, advanced = 0, True
        while advanced:
            visits = int(tree.nodes[0, VISITS]) if tree.used[NODES] else 0
            leaves = min(ask - done, 1 + visits // _VISITS_A_LEAF)
            rng, found, finished = here.select(tree, workspace, root, rng, leaves, parameters, self._purpose)
            advanced = found + finished > 0
            if found:
                evaluation = self._evaluator(workspace.states[:found])
                rng = self._absorbed(index, tree, rng, found, evaluation, parameters)
                if workspace.leaf_depth[0] == 0 and tree.nodes[0, STORED]:
                    # The root was asked for its priors; that tried no move.
                    found -= 1
            done += found + finished
        return rng, done

    def _absorbed(
        self,
        index: int,
        tree: Tree,
        rng: int,
        count: int,
        evaluation: Evaluation,
        parameters: Parameters,
    ) -> int:
        """Back up the evaluation of this many leaves; rng. ValueError if it does not fit them."""
        tables, workspace = self._variant.tables, self._workspaces[index]
        values = np.ascontiguousarray(evaluation.values, np.float64)
        priors = np.empty((0, tables.actions), np.float32)
        expected: dict[str, tuple[NDArray[Any], tuple[int, ...]]] = {
            "values": (values, (count, 2 * tables.seats))
        }
        if evaluation.priors is not None:
            priors = np.ascontiguousarray(evaluation.priors, np.float32)
            expected["priors"] = (priors, (count, tables.actions))
        if evaluation.decided is not None:
            expected["decided"] = (evaluation.decided, (count,))
        for name, (array, shape) in expected.items():
            if array.shape != shape:
                raise ValueError(f"the evaluator's {name} have the shape {array.shape} instead of {shape}")
            if not np.isfinite(array).all():
                raise ValueError(f"the evaluator's {name} hold something that is not a finite number")
        if evaluation.decided is not None:
            for leaf in np.flatnonzero(evaluation.decided):
                # The root has to list its moves, and without room in the tree there is no node to mark.
                if workspace.leaf_depth[leaf] and workspace.leaf_node[leaf] >= 0:
                    set_known(tree, workspace.leaf_node[leaf], values[leaf])
        found: int = self._programs[index].absorb(tree, workspace, rng, count, parameters, values, priors)
        return found

    # -- after

    def _lines(self, root: NDArray[Any]) -> tuple[Line, ...]:
        seats = int(self._variant.tables.seats)
        grown = [tree for tree in self._trees if tree.used[NODES]]
        certain = [tree for tree in grown if tree.nodes[0, KNOWN]]
        trees = certain[:1] or grown
        visits: dict[int, int] = {}
        sums: dict[int, NDArray[np.float64]] = {}
        means: dict[int, float] = {}
        proven: dict[int, bool] = {}
        for tree in trees:
            for edge in _edges(tree, 0):
                move, child = int(tree.edges[edge, MOVE]), int(tree.edges[edge, CHILD])
                tried = int(tree.edges[edge, TRIED])
                if not tried or child < 0:
                    continue
                is_known = bool(tree.nodes[child, KNOWN])
                total = tree.sums[child] * (
                    tried if is_known else tried / max(1, int(tree.nodes[child, VISITS]))
                )
                visits[move] = visits.get(move, 0) + tried
                sums[move] = sums.get(move, np.zeros(2 * seats)) + total
                means[move] = means.get(move, 0.0) + tried * float(tree.stats[edge, MEAN])
                proven[move] = proven.get(move, True) and is_known

        hope = max((means[move] / visits[move] for move in visits if not proven[move]), default=0.0)

        def rank(move: int) -> tuple[float, ...]:
            mean = means[move] / visits[move]
            if certain:
                return proven[move], mean, visits[move]
            # However often it was tried before: what is known by now to be worse than others may be comes last.
            return not proven[move] or mean >= hope, visits[move], mean

        main_tree = trees[0]
        lines = []
        for move in sorted(visits, key=rank, reverse=True):
            each = sums[move] / visits[move]
            lines.append(
                Line(
                    self._move(move),
                    visits[move],
                    tuple(each[:seats].tolist()),
                    tuple(each[seats:].tolist()),
                    proven[move],
                    self._main(main_tree, move),
                )
            )
        return tuple(lines)

    def _move(self, code: int) -> Move:
        return Move.of(self._variant, code)

    def _main(self, tree: Tree, move: int) -> tuple[Move, ...]:
        """The moves most simulations went through, from this one on, up to the next chance."""
        line = [self._move(move)]
        node = next((int(tree.edges[e, CHILD]) for e in _edges(tree, 0) if tree.edges[e, MOVE] == move), -1)
        while node >= 0 and tree.nodes[node, TURN] >= 0 and tree.nodes[node, OPENED] > 0:
            if tree.nodes[node, KNOWN]:
                # What made it certain may have been tried once.
                known = [e for e in _edges(tree, node) if _leads_to_known(tree, e)]
                if not known:
                    break
                edge = max(known, key=lambda e: float(tree.stats[e, MEAN]))
            else:
                edge = max(
                    _edges(tree, node), key=lambda e: (int(tree.edges[e, TRIED]), float(tree.stats[e, MEAN]))
                )
                if tree.edges[edge, TRIED] < 2:
                    break
            line.append(self._move(int(tree.edges[edge, MOVE])))
            node = int(tree.edges[edge, CHILD])
        return tuple(line)


def _parameters_for(variant: Variant) -> Parameters:
    guide = offering(variant.game, "expand_after")
    if guide is None:
        return Parameters()
    return Parameters(expand_after=int(guide.expand_after(variant.tables)))


def _edges(tree: Tree, node: int) -> range:
    first = int(tree.nodes[node, FIRST])
    return range(first, first + int(tree.nodes[node, OPENED]))


def _leads_to_known(tree: Tree, edge: int) -> bool:
    child = int(tree.edges[edge, CHILD])
    return bool(tree.edges[edge, TRIED] and child >= 0 and tree.nodes[child, KNOWN])


def _decided(tree: Tree, left: int) -> bool:
    """Whether the most tried move stays the choice whatever the simulations that are left say."""
    first, opened, legal = (int(tree.nodes[0, column]) for column in (FIRST, OPENED, LEGAL))
    if legal == 1:
        return True
    if opened < 2:
        return False
    tried = tree.edges[first : first + opened, TRIED]
    if _leads_to_known(tree, first + int(tried.argmax())):
        return False
    most = np.partition(tried, opened - 2)
    return int(most[-1] - most[-2]) > left
