"""The last verb of the search: back up, which takes what came out at a leaf to every node above it.

Outcomes that are certain are marked and passed up, so that short endgames are played perfectly. While a leaf waits for
its evaluation a virtual visit stands in, so that other descents of its batch go elsewhere.
"""

from __future__ import annotations

from snakeden.core.kernel import inline
from snakeden.search.rewards import reward
from snakeden.search.tree import (
    CHILD,
    FIRST,
    MEAN,
    MOVE,
    OPENED,
    TRIED,
    TURN,
    VISITS,
    copy_words,
    credit,
    first_urgency,
    known,
    prove,
)


@inline
def backup(tree, workspace, leaf, seats, parameters):
    """Take the outcome in the workspace, or the leaf's own where it is certain, from a leaf up to the root."""
    outcome = workspace.outcome
    node = workspace.leaf_node[leaf]
    add_visit(tree, node, outcome)
    for back in range(workspace.leaf_depth[leaf]):
        depth = workspace.leaf_depth[leaf] - 1 - back
        node = workspace.path_node[leaf, depth]
        turn, first = tree.nodes[node, TURN], tree.nodes[node, FIRST]
        edge = first + workspace.path_edge[leaf, depth]
        tree.edges[edge, TRIED] += 1
        if turn >= 0:
            gain = reward(outcome, seats, turn, parameters)
            credit(workspace.history[turn], tree.edges[edge, MOVE], gain)
            if known(tree, tree.edges[edge, CHILD]):
                tree.stats[edge, MEAN] = gain
            else:
                tree.stats[edge, MEAN] += (gain - tree.stats[edge, MEAN]) / tree.edges[edge, TRIED]
            sure = first + workspace.path_known[leaf, depth]
            if sure >= first and tree.stats[sure, MEAN] > tree.stats[edge, MEAN]:
                # This was tried to learn about it; for sure there is better.
                copy_words(outcome, tree.sums[tree.edges[sure, CHILD]])
        add_visit(tree, node, outcome)
        if prove(tree, node, edge, seats):
            copy_words(outcome, tree.sums[node])


@inline
def add_visit(tree, node, outcome):
    """Add an outcome to a node's sums; where the node's own is certain, that is the outcome from here on up."""
    if node < 0:
        return
    tree.nodes[node, VISITS] += 1
    if known(tree, node):
        copy_words(outcome, tree.sums[node])
        return
    for k in range(len(outcome)):
        tree.sums[node, k] += outcome[k]


@inline
def add_virtual_visit(tree, workspace, leaf, parameters):
    """Count a descent before its outcome is there: as lost for everybody who chose on its way or, where first play
    urgency is known, as one that changes no mean."""
    if workspace.leaf_node[leaf] >= 0:
        tree.nodes[workspace.leaf_node[leaf], VISITS] += 1
    for depth in range(workspace.leaf_depth[leaf]):
        node = workspace.path_node[leaf, depth]
        first = tree.nodes[node, FIRST]
        edge = first + workspace.path_edge[leaf, depth]
        tried = tree.edges[edge, TRIED] + 1
        if parameters.fpu_reduction < 0:
            tree.stats[edge, MEAN] *= (tried - 1.0) / tried
        elif tried == 1 and not known(tree, tree.edges[edge, CHILD]):
            tree.stats[edge, MEAN] = first_urgency(tree, first, tree.nodes[node, OPENED], parameters)
        tree.nodes[node, VISITS] += 1
        tree.edges[edge, TRIED] = tried


@inline
def remove_virtual_visit(tree, workspace, leaf, parameters):
    """Take back what `add_virtual_visit` did."""
    if workspace.leaf_node[leaf] >= 0:
        tree.nodes[workspace.leaf_node[leaf], VISITS] -= 1
    for depth in range(workspace.leaf_depth[leaf]):
        node = workspace.path_node[leaf, depth]
        edge = tree.nodes[node, FIRST] + workspace.path_edge[leaf, depth]
        tree.nodes[node, VISITS] -= 1
        tree.edges[edge, TRIED] -= 1
        tried = tree.edges[edge, TRIED]
        # A mean that has become certain meanwhile is no mean of trials.
        if not known(tree, tree.edges[edge, CHILD]):
            if tried == 0:
                tree.stats[edge, MEAN] = 0.0
            elif parameters.fpu_reduction < 0:
                tree.stats[edge, MEAN] *= (tried + 1.0) / tried
