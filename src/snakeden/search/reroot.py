"""Keeping a tree from move to move: find the new position in it, and copy what lies below."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from snakeden.core.kernel import kernel
from snakeden.search.tree import CHILD, FIRST, MOVE, OPENED, VISITS, copy_subtree, copy_words


@cache
def make_find(rules: ModuleType) -> Any:
    """find(t, tree, workspace, root, target, states, most) -> the node of the position `target` below the root, or
    -1; looks at no more than `most` nodes. states: [plies to look down + 1, words], to write on."""

    @kernel
    def find(t, tree, workspace, root, target, states, most):
        deepest = len(states) - 1
        path_node, next_edge = workspace.path_node[0], workspace.path_edge[0]
        path_node[0], next_edge[0] = 0, 0
        copy_words(states[0], root)
        depth, looked = 0, 0
        while depth >= 0 and looked < most:
            node = path_node[depth]
            if next_edge[depth] == 0:
                looked += 1
                same = True
                for k in range(t.key_words):
                    same &= states[depth, k] == target[k]
                if same:
                    return node
            if depth == deepest or next_edge[depth] >= tree.nodes[node, OPENED]:
                depth -= 1
                continue
            edge = tree.nodes[node, FIRST] + next_edge[depth]
            next_edge[depth] += 1
            child = tree.edges[edge, CHILD]
            if child >= 0 and tree.nodes[child, VISITS] > 1:
                copy_words(states[depth + 1], states[depth])
                rules.apply(t, states[depth + 1], np.int64(tree.edges[edge, MOVE]))
                rules.settle(t, states[depth + 1])
                depth += 1
                path_node[depth], next_edge[depth] = child, 0
        return np.int64(-1)

    return find


@kernel
def keep(t, old, root, new):
    """Write the part of the tree `old` below a node to the empty tree `new`; how many nodes that is."""
    return copy_subtree(old, root, new)
