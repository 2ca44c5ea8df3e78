"""The solver on many cores: one question divided into jobs, with a table that a machine's processes share, and a
checkpoint from which it goes on.

The coordinator keeps the top of the proof (`proof_tree.py`) and hands positions to workers (`snakeden.workers`). A job
ends with an answer, or after a number of positions without one; then it says how promising the moves look, and the
position is divided further. This is job-level proof-number search, with alpha-beta in the jobs.

A checkpoint is a folder: `answers.jsonl` has a line for every job that was done, from which the tree grows again, and
on one machine a file with the table. The table saves work and may be deleted.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any
from zlib import crc32

import numpy as np

from snakeden import workers
from snakeden.core.learning import symmetries
from snakeden.core.state import State, restore
from snakeden.programs.sources import source_hash
from snakeden.programs.specification import specification
from snakeden.search.proof_tree import Node, ProofTree
from snakeden.search.solver import Solver
from snakeden.search.thinking import Budget, Search
from snakeden.search.transposition import FAR, shared_table
from snakeden.workers.folders import locked

POSITIONS_A_JOB = 1_000_000
"""After this many a job ends without an answer: a few seconds, so that an interruption costs little."""
_SIMULATIONS = 2_000
"""How long a search looks at the moves of a position that is divided."""


@dataclass(frozen=True)
class Job:
    """A position to be answered."""

    start: str
    """The text of the first position."""
    moves: tuple[int, ...]
    goal: int
    positions: int
    memory: int
    table: str
    """The file of the table; a name without folders lies in the machine's folder for temporary files."""


@dataclass(frozen=True)
class Answer:
    """What a job found out."""

    answer: bool | None
    positions: int
    chances: Mapping[int, float] | None = None
    """Without an answer: seat 0's chance to win after the moves that were looked at."""


@dataclass(frozen=True)
class Standing:
    """How far a proof is."""

    low: int
    high: int
    """The value lies between these, seat 0's score less seat 1's."""
    goal: int
    """The question asked last: does seat 0 end so far ahead?"""
    positions: int
    jobs: int
    """What was looked at in all, by all runs of this checkpoint."""
    depths: tuple[tuple[int, int], ...]
    """How many positions were asked about, and how many of them answered: after no move, after one, and so on."""
    left: float
    """Positions that the answer to the question is expected to take yet; a rough guess."""
    moves: Mapping[str, bool | None]
    """For every move of the first position, up to symmetry: the answer to the question after it, if it is known."""


@lru_cache(maxsize=1)
def _solver(start: str, file: Path, memory: int) -> Solver:
    return Solver(restore(start), target="cpu", table=shared_table(file, memory))


def work(job: Job) -> Answer:
    """Do a job; what a worker runs."""
    state = after(restore(job.start), job.moves)
    file = Path(job.table) if Path(job.table).is_absolute() else Path(tempfile.gettempdir()) / job.table
    solver = _solver(job.start, file, job.memory)
    begin = solver.seen
    answer = solver.at_least(state, job.goal, positions=job.positions)
    chances = None
    if answer is None:
        report = Search(state.variant, memory=64 << 20, target="cpu").think(state, Budget(_SIMULATIONS))
        chances = {line.move.code: round(line.wins[0], 3) for line in report.lines}
    return Answer(answer, solver.seen - begin, chances)


def after(state: State, moves: tuple[int, ...]) -> State:
    for move in moves:
        state = state.play(move)
    return state


class Proof:
    """The questions that were asked about a position, and the folder they are kept in."""

    def __init__(self, start: State, folder: Path, *, memory: int, positions: int = POSITIONS_A_JOB) -> None:
        """Internal: use `opened`."""
        self._start, self._folder = start, folder
        self._memory, self._positions = memory, positions
        self._trees: dict[int, ProofTree] = {}
        self._leaves: dict[tuple[int, tuple[int, ...]], Node] = {}
        self._goal = 0
        self.positions = self.jobs = 0
        self._depths: Counter[tuple[int, bool]] = Counter()
        opening = start.variant.game.rules.opening(start.variant.tables)
        first = bool(np.array_equal(opening, start.array()))
        # Images of later positions would need images of how they came about.
        self._symmetries = [image.actions for image in symmetries(start.variant)] if first else []
        self._log: IO[str] = self._replayed(folder / "answers.jsonl")

    # -- the checkpoint

    def _replayed(self, path: Path) -> IO[str]:
        """Read the jobs that were done; the file, open for more. A last line that was cut short is dropped."""
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        lines = whole.splitlines()
        if lines and json.loads(lines[0]).get("position") != self._start.text:
            raise ValueError(f"{self._folder} is the checkpoint of another position: name another folder")
        for number, line in enumerate(lines[1:], 2):
            try:
                self._take(**json.loads(line))
            except (ValueError, TypeError, KeyError) as error:
                raise ValueError(
                    f"{path}, line {number}: this is not a job of this position ({error})"
                ) from None
        if len(whole) < len(text) or not lines:
            path.write_text(whole or json.dumps({"position": self._start.text}) + "\n", encoding="utf-8")
        return path.open("a", encoding="utf-8")

    def _take(
        self,
        goal: int,
        moves: str,
        answer: bool | None,
        positions: int,
        chances: dict[str, float] | None = None,
    ) -> None:
        """Take over a job as it stands in the file."""
        self._tree(goal)
        state, codes = self._start, []
        for move in moves.split():
            codes.append(state.move(move).code)
            state = state.play(codes[-1])
        leaf = self._leaves[goal, tuple(codes)]
        self.positions += positions
        self.jobs += 1
        self._depths[len(codes), answer is not None] += 1
        if answer is not None:
            self._trees[goal].answered(leaf, answer)
            return
        assert chances is not None
        self._expand(
            goal, leaf, positions, state, {state.move(text).code: chance for text, chance in chances.items()}
        )

    def _keep(self, goal: int, leaf: Node, found: Answer) -> None:
        """Take over a job that was done just now, and write it down."""
        text = self._start.variant.text
        line: dict[str, Any] = {
            "goal": goal,
            "moves": " ".join(map(text, leaf.moves)),
            "answer": found.answer,
            "positions": found.positions,
        }
        if found.chances is not None:
            line["chances"] = {text(move): chance for move, chance in found.chances.items()}
        self._log.write(json.dumps(line) + "\n")
        self._log.flush()
        self._take(**line)

    def close(self) -> None:
        self._log.close()

    # -- the tree

    def _tree(self, goal: int) -> ProofTree:
        if goal not in self._trees:
            tree = self._trees[goal] = ProofTree(self._positions)
            self._leaves[goal, ()] = tree.root
        return self._trees[goal]

    def _expand(self, goal: int, leaf: Node, spent: int, state: State, chances: Mapping[int, float]) -> None:
        """Divide a position. A move that the search did not look at seemed worse than those it did."""
        assert state.player is not None
        worst = (min if state.player == 0 else max)(chances.values(), default=0.5)
        alike = self._alike(leaf.moves, state)
        believed: dict[int, float] = {}
        for move in state.codes().tolist():
            chance, first = chances.get(move, worst), alike[move]
            known = believed.get(first, chance)
            believed[first] = max(known, chance) if state.player == 0 else min(known, chance)
        keys = {move: state.play(move).array().tobytes() for move in believed}
        self._trees[goal].expand(leaf, spent, state.player, believed, keys)
        self._leaves.update({(goal, child.moves): child for child in leaf.children})

    def _alike(self, moves: tuple[int, ...], state: State) -> dict[int, int]:
        """For every move the first of those that lead to images of the same position."""
        position = state.array()
        found: dict[int, int] = {move: move for move in state.codes().tolist()}
        for actions in self._symmetries:
            try:
                image = after(self._start, tuple(int(actions[move]) for move in moves))
            except ValueError:
                continue
            if np.array_equal(image.array(), position):
                for move in found:
                    found[move] = min(found[move], int(actions[move]))
        return found

    # -- answering

    def _bounds(self) -> tuple[int, int]:
        """What the answers so far say of the value."""
        known = {goal: tree.root.answer for goal, tree in self._trees.items()}
        low = max((goal for goal, answer in known.items() if answer), default=-FAR)
        high = min((goal - 1 for goal, answer in known.items() if answer is False), default=FAR)
        return low, high

    def standing(self) -> Standing:
        """How far it is by now."""
        low, high = self._bounds()
        tree = self._tree(self._goal)
        children = {self._start.variant.text(child.moves[-1]): child.answer for child in tree.root.children}
        left = min(tree.root.yes, tree.root.no)
        deepest = max((depth for depth, _ in self._depths), default=-1)
        depths = tuple(
            (self._depths[depth, False] + self._depths[depth, True], self._depths[depth, True])
            for depth in range(deepest + 1)
        )
        return Standing(low, high, self._goal, self.positions, self.jobs, depths, left, children)

    def solve(
        self,
        *,
        goal: int | None = None,
        on: str = "local",
        jobs: int | None = None,
        seconds: float | None = None,
        progress: Callable[[Standing], None] = lambda standing: None,
    ) -> Standing:
        """Answer whether seat 0 ends at least `goal` points ahead; without a goal find out by how many it does. Ends
        early when the seconds are over, with what is known by then; 0 seconds only tell that."""
        until = None if seconds is None else time.monotonic() + seconds
        low, high = self._bounds()
        if goal is not None:
            self._goal = goal
            self._ask(on, jobs, until, progress)
            return self.standing()
        while low < high:
            # Near 0 first: who wins is what is asked most.
            self._goal = low + 1 if low > -FAR else min(high, 0)
            if not self._ask(on, jobs, until, progress):
                break
            low, high = self._bounds()
        return self.standing()

    def _ask(
        self, on: str, jobs: int | None, until: float | None, progress: Callable[[Standing], None]
    ) -> bool:
        """Put jobs out until the question is answered, or time is over; whether it is answered."""
        goal, tree = self._goal, self._tree(self._goal)
        if until is not None and time.monotonic() >= until:
            return tree.root.answer is not None
        machines_differ = on != "local"
        file = self._folder.resolve() / self._table_name()
        # Machines of a cluster have no folder in common.
        name = f"snakeden-{crc32(str(file).encode()):08x}-{file.name}" if machines_differ else str(file)

        def next_job() -> Job | None:
            leaf = tree.next_leaf() if tree.root.answer is None else None
            if leaf is None:
                return None
            return Job(self._start.text, leaf.moves, goal, self._positions, self._memory, name)

        with closing(workers.run_from(work, next_job, on=on, jobs=jobs)) as results:
            for done in results:
                if done.result is not None:
                    self._keep(goal, self._leaves[goal, done.task.moves], done.result)
                    progress(self.standing())
                if tree.root.answer is not None or (until is not None and time.monotonic() >= until):
                    break
        return tree.root.answer is not None

    def _table_name(self) -> str:
        """A table is of use to the same kernels only."""
        kernels = source_hash(specification(self._start.variant), "play")
        return f"table-{kernels[:12]}-{self._memory >> 20}.bin"


@contextmanager
def opened(start: State, folder: Path, *, memory: int, positions: int = POSITIONS_A_JOB) -> Iterator[Proof]:
    """The proof that a folder keeps, for this process alone; raises ValueError where it keeps another's."""
    if start.player is None:
        raise ValueError("the game is over: there is nothing to solve")
    if folder.is_file():
        raise ValueError(f"{folder} is a file: name a folder")
    with locked(folder, ValueError(f"{folder} is in use: another process solves this position")):
        proof = Proof(start, folder, memory=memory, positions=positions)
        try:
            yield proof
        finally:
            proof.close()
