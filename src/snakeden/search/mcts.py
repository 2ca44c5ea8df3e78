"""Monte Carlo tree search over kernels, for any game: any number of players, chance, wide branching.

A simulation is four verbs: descend to a leaf (`descend.py`), expand the nodes on the way that are due (`expand.py`),
evaluate the leaf, and back up what came out, for every seat (`backup.py`). A player's node goes for that player's own
reward. With playouts a simulation never leaves the kernel (`simulate`). Any other evaluator is asked about many leaves
at once: `select` collects them, `absorb` takes their values.
"""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

from snakeden.core.game import CHANCE, OVER
from snakeden.core.kernel import inline, kernel
from snakeden.search.backup import add_virtual_visit, backup, remove_virtual_visit
from snakeden.search.descend import PLAYOUTS, PRIORS, make_descend
from snakeden.search.expand import make_expand
from snakeden.search.playouts import make_play_out
from snakeden.search.rewards import reward, write_outcome
from snakeden.search.tree import NODES, STORED, TURN, add_node, credit, known, set_known


@cache
def make_evaluate(rules: ModuleType, heuristics: ModuleType | None) -> Any:
    """evaluate(t, tree, workspace, leaf, rng, parameters) -> rng: writes to the workspace what came out of a playout
    from a leaf, and credits the moves it made."""
    play_out = make_play_out(rules, heuristics)

    @inline
    def evaluate(t, tree, workspace, leaf, rng, parameters):
        s, played, node = workspace.states[leaf], workspace.played, workspace.leaf_node[leaf]
        rng, plies = play_out(t, s, rng, played)
        rules.scores(t, s, workspace.scores)
        write_outcome(workspace.scores, t.seats, workspace.outcome)
        for k in range(min(plies, len(played))):
            seat = played[k, 0]
            if seat >= 0:
                gain = reward(workspace.outcome, t.seats, seat, parameters)
                credit(workspace.history[seat], played[k, 1], gain)
        if plies == 0 and node >= 0:
            set_known(tree, node, workspace.outcome)
        return rng

    return evaluate


@cache
def make_simulate(rules: ModuleType, heuristics: ModuleType | None) -> Any:
    """simulate(t, tree, workspace, root, rng, count, parameters) -> (rng, simulations done): simulations with a
    playout each, on the tree whose node 0 is the position `root`; stops early once its outcome is known."""
    descend = make_descend(rules, heuristics, make_expand(rules, heuristics))
    evaluate = make_evaluate(rules, heuristics)

    @kernel
    def simulate(t, tree, workspace, root, rng, count, parameters):
        if tree.used[NODES] == 0:
            add_node(tree)
        done = 0
        while done < count and not known(tree, 0):
            rng = descend(t, tree, workspace, root, rng, parameters, 0, PLAYOUTS)
            if not known(tree, workspace.leaf_node[0]):
                rng = evaluate(t, tree, workspace, 0, rng, parameters)
            backup(tree, workspace, 0, t.seats, parameters)
            done += 1
        return rng, done

    return simulate


@cache
def make_finish(rules: ModuleType) -> Any:
    """finish(t, tree, workspace, leaf, rng) -> (rng, whether the outcome at a leaf is there without an evaluator).

    If not, a player is to move in the leaf's position: where the tree had no room for the dice they are rolled here.
    """

    @inline
    def finish(t, tree, workspace, leaf, rng):
        s, node = workspace.states[leaf], workspace.leaf_node[leaf]
        if known(tree, node):
            return rng, True
        rules.settle(t, s)
        turn, rolled = rules.turn(t, s), False
        while turn == CHANCE:
            rng, move = rules.sample(t, s, rng)
            rules.apply(t, s, move)
            rules.settle(t, s)
            turn, rolled = rules.turn(t, s), True
        if turn != OVER:
            return rng, False
        rules.scores(t, s, workspace.scores)
        write_outcome(workspace.scores, t.seats, workspace.outcome)
        if node >= 0 and not rolled:
            set_known(tree, node, workspace.outcome)
        return rng, True

    return finish


@inline
def collides(workspace, leaf):
    """Whether a leaf is the node of an earlier leaf of its batch."""
    node, found = workspace.leaf_node[leaf], False
    for other in range(leaf):
        found |= node >= 0 and workspace.leaf_node[other] == node
    return found


@cache
def make_select(rules: ModuleType, heuristics: ModuleType | None) -> Any:
    """select(t, tree, workspace, root, rng, count, parameters, purpose) -> (rng, leaves, simulations done).

    Collects in the workspace at most `count` leaves, no more than it has room for, that wait for an evaluator: settled
    positions in which a player is to move. A virtual visit stands in for each. What needs no evaluator is backed up at
    once and counts among the `count`. purpose: VALUES, or PRIORS if the evaluator gives priors; then a leaf is
    collected only once.
    """
    descend = make_descend(rules, heuristics, make_expand(rules, heuristics))
    finish = make_finish(rules)

    @kernel
    def select(t, tree, workspace, root, rng, count, parameters, purpose):
        if tree.used[NODES] == 0:
            add_node(tree)
        found, done = 0, 0
        while found < len(workspace.leaf_node) and found + done < count and not known(tree, 0):
            rng = descend(t, tree, workspace, root, rng, parameters, found, purpose)
            rng, finished = finish(t, tree, workspace, found, rng)
            if finished:
                backup(tree, workspace, found, t.seats, parameters)
                done += 1
            elif purpose == PRIORS and collides(workspace, found):
                break
            else:
                add_virtual_visit(tree, workspace, found, parameters)
                found += 1
        return rng, found, done

    return select


@cache
def make_absorb(rules: ModuleType, heuristics: ModuleType | None) -> Any:
    """absorb(t, tree, workspace, rng, count, parameters, values, priors) -> rng: backs up the first `count` leaves of
    the workspace, in the order they were selected.

    values: float64[count, 2 * seats], per leaf and seat the chance to win, then the expected final score.
    priors: float32[count, actions], with which a leaf is expanded, or float32[0, actions] if there are none.
    """
    expand = make_expand(rules, heuristics)

    @kernel
    def absorb(t, tree, workspace, rng, count, parameters, values, priors):
        for leaf in range(count):
            remove_virtual_visit(tree, workspace, leaf, parameters)
        for leaf in range(count):
            node, s = workspace.leaf_node[leaf], workspace.states[leaf]
            open_ = node >= 0 and not known(tree, node) and tree.nodes[node, TURN] >= 0
            if len(priors) > 0 and open_ and tree.nodes[node, STORED] == 0:
                rng = expand(t, tree, workspace, s, node, rng, parameters, priors[leaf])
            for k in range(len(workspace.outcome)):
                workspace.outcome[k] = values[leaf, k]
            backup(tree, workspace, leaf, t.seats, parameters)
        return rng

    return absorb
