"""The top of a proof: which positions have to be answered so that a question about the first one is.

The question is "does seat 0 end at least g points ahead?". A leaf of the tree is a position that a worker is asked
about (`distributed.py`). If the positions it may look at give no answer, the leaf is expanded, and its moves become
leaves. Two efforts guide what is asked next, as proof numbers do in proof-number search: how many positions a yes is
expected to take, and how many a no.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf

_CHEAPER = 16.0
"""A position is expected to take this many times less work than the one before it."""
_UNANSWERED = 4.0
"""A position that was not answered is expected to take this many times what was spent on it."""
_UNLIKELY = 0.02
"""The lowest chance of an answer that is believed: efforts for it are at most this much higher."""


@dataclass(eq=False)
class Node:
    """A position of the tree."""

    moves: tuple[int, ...]
    """The moves that lead here from the first position, by number."""
    chance: float
    """Of a yes, as a search saw it."""
    cost: float
    """Positions that an answer is expected to take, if yes and no are as likely."""
    player: int | None = None
    """Who is to move; known of an expanded node."""
    children: list[Node] = field(default_factory=list)
    parents: list[Node] = field(default_factory=list)
    answer: bool | None = None
    running: bool = False
    yes: float = 0.0
    no: float = 0.0
    """The efforts."""
    busy: bool = False
    """Whether all that is left to ask below is being asked."""

    def update(self) -> bool:
        """Work out answer and efforts from the children, or from a leaf's chance and cost; whether anything changed."""
        before = (self.answer, self.yes, self.no, self.busy)
        if self.answer is None and self.children:
            self._from_children()
        elif self.answer is None:
            odds = (1 - self.chance) / self.chance
            self.yes, self.no, self.busy = self.cost * odds, self.cost / odds, self.running
        if self.answer is not None:
            self.yes, self.no, self.busy = (0.0, inf, True) if self.answer else (inf, 0.0, True)
        return before != (self.answer, self.yes, self.no, self.busy)

    def _from_children(self) -> None:
        if self.player == 0:
            self.yes = min(child.yes for child in self.children)
            self.no = sum(child.no for child in self.children)
        else:
            self.yes = sum(child.yes for child in self.children)
            self.no = min(child.no for child in self.children)
        if self.yes == 0 or self.no == 0:
            self.answer = self.yes == 0
        self.busy = all(child.busy for child in self.children)


class ProofTree:
    """One question, and what is known of it."""

    def __init__(self, cost: float) -> None:
        self.root = Node((), 0.5, cost)
        self.root.update()
        self._nodes: dict[bytes, Node] = {}

    def next_leaf(self) -> Node | None:
        """The leaf whose answer helps most to answer the question, now marked as running; None if all are running."""
        node = self.root
        while not node.busy:
            if not node.children:
                node.running = True
                self._pass_up(node)
                return node
            waiting = [child for child in node.children if not child.busy]
            node = min(waiting, key=lambda child: child.yes if node.player == 0 else child.no)
        return None

    def answered(self, leaf: Node, answer: bool) -> None:
        """Take over what was found out about a leaf."""
        leaf.running, leaf.answer = False, answer
        self._pass_up(leaf)

    def expand(
        self, leaf: Node, spent: int, player: int, chances: Mapping[int, float], keys: Mapping[int, bytes]
    ) -> None:
        """Replace a leaf that took this many positions without an answer by its moves, each with the chance of a yes
        after it. `keys` distinguish positions after moves: one that is reached in several ways is asked about once."""
        leaf.running, leaf.player = False, player
        cost = max(leaf.cost, _UNANSWERED * spent) / _CHEAPER
        for move, chance in chances.items():
            child = self._nodes.get(keys[move])
            if child is None:
                believed = min(max(chance, _UNLIKELY), 1 - _UNLIKELY)
                child = Node((*leaf.moves, move), believed, cost)
                child.update()
                self._nodes[keys[move]] = child
            child.parents.append(leaf)
            leaf.children.append(child)
        self._pass_up(leaf)

    def _pass_up(self, node: Node) -> None:
        waiting = [node]
        while waiting:
            node = waiting.pop()
            if node.update():
                waiting += node.parents
