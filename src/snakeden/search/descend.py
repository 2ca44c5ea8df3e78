"""The first verb of the search: descend from the root to a leaf.

A leaf is a node that nobody has looked at, one whose moves are not listed yet, one whose outcome is certain, or where
the tree is full. At a player's node few moves take part at first, those of highest prior; more are let in as the node
is visited (progressive widening). At a chance node the dice decide.
"""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from snakeden.core.game import CHANCE, OVER
from snakeden.core.kernel import inline, noinline
from snakeden.search.rewards import write_decided
from snakeden.search.tree import (
    FIRST,
    LEGAL,
    MOVE,
    OPENED,
    PASSES,
    STORED,
    TURN,
    UNSEEN,
    VISITS,
    add_edges,
    best_edges,
    child_of,
    copy_edges,
    copy_words,
    edge_of,
    known,
    set_known,
    write_edge,
)
from snakeden.search.workspace import DEEPEST

PLAYOUTS, VALUES, PRIORS = range(3)
"""What the leaves are for: playouts, which settle a position on their way; an evaluator, which gets settled ones; or
an evaluator that gives priors, for which a node waits before its moves are listed."""


@cache
def make_see(rules: ModuleType) -> Any:
    """see(t, tree, workspace, s, node, now) -> who moves at a node, UNSEEN if nobody has looked and it is not to be
    looked at `now`; settles the position."""

    @inline
    def see(t, tree, workspace, s, node, now):
        nodes = tree.nodes
        if nodes[node, TURN] == UNSEEN and now:
            copy_words(workspace.scratch, s)
            rules.settle(t, s)
            nodes[node, PASSES] = 0
            for k in range(len(s)):
                if s[k] != workspace.scratch[k]:
                    nodes[node, PASSES] = 1
            nodes[node, TURN] = rules.turn(t, s)
        elif nodes[node, PASSES] == 1 and nodes[node, TURN] != UNSEEN:
            rules.settle(t, s)
        return nodes[node, TURN]

    return see


@cache
def make_roll(rules: ModuleType) -> Any:
    """roll(t, tree, s, node, rng) -> (rng, the edge of a chance outcome that was drawn, or -1 without room)."""

    @inline
    def roll(t, tree, s, node, rng):
        nodes = tree.nodes
        rng, move = rules.sample(t, s, rng)
        edge = edge_of(tree, node, move)
        if edge >= 0:
            return rng, edge
        opened = nodes[node, OPENED]
        if opened == nodes[node, STORED]:
            room = max(8, 2 * opened)
            first = add_edges(tree, room)
            if first < 0:
                return rng, first
            copy_edges(tree, first, tree, nodes[node, FIRST], opened)
            for k in range(opened, room):
                write_edge(tree, first + k, -1, 0.0)
            nodes[node, FIRST] = first
            nodes[node, STORED] = room
        edge = np.int64(nodes[node, FIRST] + opened)
        nodes[node, OPENED] = opened + 1
        tree.edges[edge, MOVE] = move
        return rng, edge

    return roll


@cache
def make_choose(heuristics: ModuleType | None, expand: Any) -> Any:
    """choose(t, tree, workspace, s, node, depth, rng, parameters, purpose) -> (rng, edge, sure): the edge a player
    takes, -1 if the node is a leaf, and the best edge of known outcome, or -1."""
    bounded = hasattr(heuristics, "bounds")

    @inline
    def choose(t, tree, workspace, s, node, depth, rng, parameters, purpose):
        nodes, leaf = tree.nodes, np.int64(-1)
        visits, opened, stored = nodes[node, VISITS], nodes[node, OPENED], nodes[node, STORED]
        if stored == 0:
            if depth > 0:
                if visits < parameters.expand_after and purpose != PRIORS:
                    return rng, leaf, leaf
                if bounded:
                    heuristics.bounds(t, s, workspace.limits[0], workspace.limits[1])
                    if write_decided(workspace.limits, np.int64(t.seats), workspace.outcome):
                        set_known(tree, node, workspace.outcome)
                        return rng, leaf, leaf
            if purpose == PRIORS:
                return rng, leaf, leaf
        edge, promise, sure, worth = best_edges(tree, node, workspace.history[nodes[node, TURN]], parameters)
        wanted = 1 + np.int64(parameters.widening * np.sqrt(np.float64(visits)))
        if edge < 0:
            # What takes part is known, so another has to.
            wanted = max(wanted, opened + 1)
        if opened == stored and opened < wanted and (stored == 0 or stored < nodes[node, LEGAL]):
            old = nodes[node, FIRST]
            rng = expand(t, tree, workspace, s, node, rng, parameters, workspace.no_priors)
            if sure >= 0:
                sure += nodes[node, FIRST] - old
            if nodes[node, STORED] == 0:
                return rng, leaf, leaf
        if opened < nodes[node, STORED] and opened < wanted:
            nodes[node, OPENED] = opened + 1
            edge = np.int64(nodes[node, FIRST] + opened)
        elif edge < 0 or (worth >= promise and visits & 1):
            # Nothing can be learnt from it, but that is where the play would go.
            edge = sure
        return rng, edge, sure

    return choose


@cache
def make_descend(rules: ModuleType, heuristics: ModuleType | None, expand: Any) -> Any:
    """descend(t, tree, workspace, root, rng, parameters, leaf, purpose) -> rng: goes down from the position `root`
    of node 0 and writes the way and where it ended to the leaf of this number in the workspace."""
    see, roll, choose = make_see(rules), make_roll(rules), make_choose(heuristics, expand)

    @noinline
    def descend(t, tree, workspace, root, rng, parameters, leaf, purpose):
        s = workspace.states[leaf]
        copy_words(s, root)
        node, depth = np.int64(0), np.int64(0)
        while node >= 0 and not known(tree, node):
            now = depth == 0 or tree.nodes[node, VISITS] > 0 or purpose != PLAYOUTS
            turn = see(t, tree, workspace, s, node, now)
            if turn in (OVER, UNSEEN) or depth == DEEPEST:
                break
            if turn == CHANCE:
                sure = np.int64(-1)
                rng, edge = roll(t, tree, s, node, rng)
            else:
                rng, edge, sure = choose(t, tree, workspace, s, node, depth, rng, parameters, purpose)
            if edge < 0:
                break
            first = tree.nodes[node, FIRST]
            workspace.path_node[leaf, depth] = node
            workspace.path_edge[leaf, depth] = edge - first
            workspace.path_known[leaf, depth] = sure - first if sure >= 0 else -1
            rules.apply(t, s, np.int64(tree.edges[edge, MOVE]))
            node = child_of(tree, edge)
            depth += 1
        workspace.leaf_node[leaf] = node
        workspace.leaf_depth[leaf] = depth
        return rng

    return descend
