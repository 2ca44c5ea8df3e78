"""The search tree: nodes and edges in arrays of fixed size, and the work on them that needs no rules.

An edge is a move out of a node; edges of a node stand in one block, best prior first, and only the first
OPENED of them take part. A node belongs to each edge that has been tried. Memory is taken once; when it is
used up the tree stops growing and goes on counting.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from snakeden.core.kernel import inline
from snakeden.core.logarithm import log

# Columns of `nodes`. TURN is UNSEEN until the node is first looked at; STORED edges stand from FIRST on.
VISITS, TURN, FIRST, STORED, OPENED, LEGAL, KNOWN, PASSES = range(8)
UNSEEN = -3
# Columns of `edges` and of `stats`.
MOVE, CHILD, TRIED = range(3)
PRIOR, MEAN = range(2)
# Entries of `used`.
NODES, EDGES = range(2)


class Tree(NamedTuple):
    nodes: NDArray[np.int32]
    """[nodes, 8] VISITS; TURN: who moves; FIRST, STORED, OPENED, LEGAL: its edges; KNOWN: 1 if `sums` hold
    the outcome under best play instead of sums; PASSES: 1 if `settle` changes the position here."""
    sums: NDArray[np.float64]
    """[nodes, 2 * seats] per seat the sum of victories (shared ones in parts), then of final scores."""
    edges: NDArray[np.int32]
    """[edges, 3] MOVE; CHILD: a node or -1; TRIED: visits through this edge."""
    stats: NDArray[np.float64]
    """[edges, 2] PRIOR: how promising the move looks untried, 0 to 1; MEAN: mean reward for who moves."""
    used: NDArray[np.int64]
    """[2] how many NODES and EDGES are in use."""


EDGES_A_NODE = 6
"""Room for edges per node: most nodes are tried once and never get any."""


def bytes_a_node(seats: int) -> int:
    return 8 * 4 + 16 * seats + EDGES_A_NODE * (3 * 4 + 2 * 8)


def new_tree(seats: int, nodes: int, empty: Callable[[Any, Any], NDArray[Any]] = np.empty) -> Tree:
    """An empty tree with room for this many nodes; `empty(shape, dtype)` makes its arrays, with anything in them. The
    system hands out the memory as it is first touched."""
    tree = Tree(
        empty((nodes, 8), np.int32),
        empty((nodes, 2 * seats), np.float64),
        empty((nodes * EDGES_A_NODE, 3), np.int32),
        empty((nodes * EDGES_A_NODE, 2), np.float64),
        empty(2, np.int64),
    )
    tree.used[:] = 0
    return tree


@inline
def add_node(tree):
    """A fresh node, or -1 if there is no room."""
    node = tree.used[NODES]
    if node >= len(tree.nodes):
        return np.int64(-1)
    tree.used[NODES] = node + 1
    tree.nodes[node, VISITS] = 0
    tree.nodes[node, TURN] = UNSEEN
    tree.nodes[node, FIRST] = -1
    tree.nodes[node, STORED] = 0
    tree.nodes[node, OPENED] = 0
    tree.nodes[node, LEGAL] = 0
    tree.nodes[node, KNOWN] = 0
    tree.nodes[node, PASSES] = 1
    for k in range(tree.sums.shape[1]):
        tree.sums[node, k] = 0.0
    return np.int64(node)


@inline
def add_edges(tree, count):
    """The first of this many fresh edges in a row, or -1 if there is no room."""
    first = tree.used[EDGES]
    if first + count > len(tree.edges):
        return np.int64(-1)
    tree.used[EDGES] = first + count
    return np.int64(first)


@inline
def copy_words(to, source):
    """Copy one array into another of the same length; kernels cannot assign slices."""
    for k in range(len(source)):
        to[k] = source[k]


@inline
def copy_node(new, node, old, source):
    for k in range(8):
        new.nodes[node, k] = old.nodes[source, k]
    for k in range(old.sums.shape[1]):
        new.sums[node, k] = old.sums[source, k]


@inline
def copy_edges(new, first, old, source, count):
    for i in range(count):
        for k in range(3):
            new.edges[first + i, k] = old.edges[source + i, k]
        for k in range(2):
            new.stats[first + i, k] = old.stats[source + i, k]


@inline
def write_edge(tree, edge, move, prior):
    tree.edges[edge, MOVE] = move
    tree.edges[edge, CHILD] = -1
    tree.edges[edge, TRIED] = 0
    tree.stats[edge, PRIOR] = prior
    tree.stats[edge, MEAN] = 0.0


@inline
def best_first(moves, priors, count, wanted):
    """Bring the `wanted` of highest prior among the first `count` moves to the front, best first."""
    low, high = 0, count - 1
    while low < high and wanted < count:
        # Quickselect: after it the front holds the best, in any order.
        pivot = priors[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while priors[i] > pivot:
                i += 1
            while priors[j] < pivot:
                j -= 1
            if i <= j:
                priors[i], priors[j] = priors[j], priors[i]
                moves[i], moves[j] = moves[j], moves[i]
                i += 1
                j -= 1
        if wanted - 1 <= j:
            high = j
        elif wanted - 1 >= i:
            low = i
        else:
            break
    # Shell's sort of the front, which is short.
    gap = 1
    while gap < wanted // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, wanted):
            prior, move = priors[i], moves[i]
            j = i
            while j >= gap and priors[j - gap] < prior:
                priors[j], moves[j] = priors[j - gap], moves[j - gap]
                j -= gap
            priors[j], moves[j] = prior, move
        gap //= 3


@inline
def known(tree, node):
    return node >= 0 and tree.nodes[node, KNOWN] == 1


@inline
def credit(history, move, gain):
    """Take one more reward of a move into its mean. history: float32[actions, 2] of one seat."""
    count = history[move, 1] + np.float32(1.0)
    history[move, 1] = count
    history[move, 0] += (np.float32(gain) - history[move, 0]) / count


@inline
def past_reward(history, move):
    """A move's mean reward, drawn towards a half as long as it was played little."""
    count = history[move, 1]
    return (history[move, 0] * count + np.float32(5.0)) / (count + np.float32(10.0))


@inline
def first_urgency(tree, first, opened, parameters):
    """What an untried edge among the `opened` from `first` on promises before its prior is added: less than those that
    have been tried, the more so the more of the prior they had."""
    if parameters.fpu_reduction < 0:
        return 1e9
    total, visits, reached = 0.0, 0, 0.0
    for edge in range(first, first + opened):
        tried = tree.edges[edge, TRIED]
        if tried > 0:
            total += tried * tree.stats[edge, MEAN]
            visits += tried
            reached += tree.stats[edge, PRIOR]
    if visits == 0:
        return 0.0
    return total / visits - parameters.fpu_reduction * np.sqrt(reached)


@inline
def best_edges(tree, node, history, parameters):
    """(edge, promise, sure, worth): the opened edge of unknown outcome that promises most: its mean, plus a share
    that shrinks as it is tried (UCB1), plus its prior and its history, which fade; and the best edge
    whose outcome is known, with its reward. -1 where there is none."""
    first, opened = tree.nodes[node, FIRST], tree.nodes[node, OPENED]
    visits = tree.nodes[node, VISITS]
    spread = parameters.exploration * np.sqrt(log(visits + 1))
    prior_weight = parameters.prior_weight + parameters.puct * np.sqrt(np.float64(visits))
    untried = first_urgency(tree, first, opened, parameters)
    best, promise = np.int64(-1), -1e300
    sure, worth = np.int64(-1), -1e300
    for edge in range(first, first + opened):
        value = tree.stats[edge, MEAN]
        tried = tree.edges[edge, TRIED]
        if known(tree, tree.edges[edge, CHILD]):
            if value > worth:
                sure, worth = np.int64(edge), value
            continue
        past = parameters.history_weight * past_reward(history, tree.edges[edge, MOVE])
        hope = prior_weight * tree.stats[edge, PRIOR] + past
        if tried > 0:
            value += spread / np.sqrt(np.float64(tried)) + hope / (tried + 1.0)
        else:
            value = untried + hope
        if value > promise:
            best, promise = np.int64(edge), value
    return best, promise, sure, worth


@inline
def child_of(tree, edge):
    """The node behind an edge, made if there is none yet; -1 if there is no room."""
    if tree.edges[edge, CHILD] < 0:
        tree.edges[edge, CHILD] = add_node(tree)
    return np.int64(tree.edges[edge, CHILD])


@inline
def edge_of(tree, node, move):
    """The opened edge with this move, or -1."""
    first = tree.nodes[node, FIRST]
    for edge in range(first, first + tree.nodes[node, OPENED]):
        if tree.edges[edge, MOVE] == move:
            return np.int64(edge)
    return np.int64(-1)


@inline
def set_known(tree, node, outcome):
    """Mark a node's outcome (victories, then scores) as certain."""
    tree.nodes[node, KNOWN] = 1
    copy_words(tree.sums[node], outcome)


@inline
def prove(tree, node, edge, seats):
    """Mark a node as known if the known outcome behind this edge of it decides it: the player to move wins
    alone there, or nothing is open and everything else is known too."""
    child = tree.edges[edge, CHILD]
    turn = tree.nodes[node, TURN]
    if turn < 0 or known(tree, node) or not known(tree, child):
        return False
    if seats == 1 or tree.sums[child, turn] < 1.0:
        if tree.nodes[node, OPENED] < tree.nodes[node, LEGAL]:
            return False
        first = tree.nodes[node, FIRST]
        for other in range(first, first + tree.nodes[node, OPENED]):
            if not known(tree, tree.edges[other, CHILD]):
                return False
            if tree.stats[other, MEAN] > tree.stats[edge, MEAN]:
                child = tree.edges[other, CHILD]
                edge = other
    set_known(tree, node, tree.sums[child])
    return True


@inline
def copy_subtree(old, root, new):
    """Write the part of `old` below `root` to `new`, an empty tree of its size, as whose node 0 it begins."""
    add_node(new)
    copy_node(new, 0, old, root)
    done = 0
    while done < new.used[NODES]:
        # FIRST still speaks of the old tree.
        first, stored = new.nodes[done, FIRST], new.nodes[done, STORED]
        if stored > 0:
            start = add_edges(new, stored)
            new.nodes[done, FIRST] = start
            copy_edges(new, start, old, first, stored)
            for k in range(stored):
                child = old.edges[first + k, CHILD]
                if child >= 0:
                    fresh = add_node(new)
                    new.edges[start + k, CHILD] = fresh
                    copy_node(new, fresh, old, child)
        done += 1
    return done
