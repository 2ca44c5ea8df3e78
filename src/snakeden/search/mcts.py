"""Monte Carlo tree search over kernels, for any game: any number of players, chance, wide branching.

One simulation walks down the tree, tries one new edge, plays on to the end and remembers what came out, for
every seat. A player's node goes for that player's own reward. Few of a node's moves take part at first, the
best rated; more are let in as the node is visited (progressive widening). Outcomes that are certain are
marked and passed up (`KNOWN`), so that short endgames are played perfectly.
"""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from snakeden.core.game import CHANCE, OVER
from snakeden.core.kernel import driver, kernel
from snakeden.core.rng import bits, stream
from snakeden.search.tree import (
    CHILD,
    FIRST,
    KNOWN,
    LEGAL,
    MEAN,
    MOVE,
    NODES,
    OPENED,
    PASSES,
    STORED,
    TRIED,
    TURN,
    UNSEEN,
    VISITS,
    add_edges,
    add_node,
    best_edges,
    best_first,
    copy_edges,
    copy_subtree,
    copy_words,
    credit,
    decide,
    edge_of,
    known,
    merit,
    reward,
    settle_known,
    write_edge,
)

DEEPEST = 512
"""Plies the tree may reach down; below that it is all playout."""
LONGEST = 64
"""Plies of a playout that are remembered."""
FIRST_BLOCK = 24
"""How many edges a node gets at first, the best rated; four times as many whenever they are used up."""
_JITTER = 1e-4
"""Equal ratings are told apart by chance, by less than this."""
_FRACTION, _SHIFT = 2.0**-53, np.uint64(11)


class Knobs(NamedTuple):
    """How the search weighs things. The values come from short trial matches of a few dozen games each."""

    explore: float = 0.35
    """How much an edge that was tried little is preferred (the constant of UCB1)."""
    trust: float = 0.5
    """How much a move's rating counts before it has been tried."""
    history: float = 0.5
    """How much it counts, before a move has been tried here, how well it went elsewhere for its player."""
    width: float = 1.0
    """A node visited n times lets 1 + width * sqrt(n) moves take part."""
    patience: int = 4
    """Visits before a node's moves are listed."""
    margin_share: float = 0.2
    """The part of the reward that is for the margin; the rest is for winning."""
    centre: float = 0.0
    """In a game for one: the score that is worth a half."""
    scale: float = 10.0
    """The margin (or score above the centre) that is worth everything."""


class Desk(NamedTuple):
    """What the search writes on while it works."""

    state: NDArray[Any]
    other: NDArray[Any]
    """[words] positions."""
    path_node: NDArray[np.int64]
    path_edge: NDArray[np.int64]
    path_sure: NDArray[np.int64]
    """[DEEPEST] the way down, and each node's best edge of known outcome, or -1."""
    moves: NDArray[np.int32]
    ratings: NDArray[np.float32]
    """[most_moves] the moves of one position."""
    outcome: NDArray[np.float64]
    """[2 * seats] victories, then scores."""
    scores: NDArray[np.int64]
    """[seats]"""
    stamps: NDArray[np.int32]
    """[actions + 1] per move the number of the last list that held it; then the latest number."""
    limits: NDArray[np.int64]
    """[2, seats] the lowest and highest scores a position can lead to."""
    played: NDArray[np.int32]
    """[LONGEST, 2] seat and move of each ply of a playout, as far as they fit."""
    merits: NDArray[np.float32]
    """[seats, actions, 2] per seat and move its mean reward, wherever it was played, and how often that was."""


def new_desk(t: Any, dtype: Any) -> Desk:
    return Desk(
        np.empty(t.words, dtype),
        np.empty(t.words, dtype),
        np.empty(DEEPEST, np.int64),
        np.empty(DEEPEST, np.int64),
        np.empty(DEEPEST, np.int64),
        np.empty(t.most_moves, np.int32),
        np.empty(t.most_moves, np.float32),
        np.empty(2 * t.seats, np.float64),
        np.empty(t.seats, np.int64),
        np.zeros(t.actions + 1, np.int32),
        np.empty((2, t.seats), np.int64),
        np.empty((LONGEST, 2), np.int32),
        np.zeros((t.seats, t.actions, 2), np.float32),
    )


@cache
def simulator(rules: ModuleType, guide: ModuleType | None, rated: bool, drawn: bool, bounded: bool) -> Any:
    """run(t, tree, desk, root, rng, sims, knobs, cut) -> (rng, simulations done); stops early once node 0 is known.

    root: the position of node 0; cut: plies after which a playout stops, 0 for never. `rated`, `drawn` and
    `bounded` say whether `guide` has `priors`, `playout_move` and `bounds`.
    """
    player = guide if drawn else None

    @kernel
    def run(t, tree, desk, root, rng, sims, knobs, cut):
        nodes, sums, edges, odds = tree.nodes, tree.sums, tree.edges, tree.odds
        seats = np.int64(t.seats)
        s, other, limits = desk.state, desk.other, desk.limits
        path_node, path_edge, path_sure = desk.path_node, desk.path_edge, desk.path_sure
        moves, ratings, outcome, scores = desk.moves, desk.ratings, desk.outcome, desk.scores
        played, merits = desk.played, desk.merits
        stamps, stamp = desk.stamps, desk.stamps[t.actions]
        if tree.used[NODES] == 0:
            add_node(tree)
        done = 0
        while done < sims and not known(tree, 0):
            copy_words(s, root)
            node, depth = np.int64(0), 0
            while True:
                # -- look at the node
                if known(tree, node):
                    break
                if nodes[node, TURN] == UNSEEN and (nodes[node, VISITS] > 0 or depth == 0):
                    copy_words(other, s)
                    rules.settle(t, s)
                    nodes[node, PASSES] = 0
                    for k in range(len(s)):
                        if s[k] != other[k]:
                            nodes[node, PASSES] = 1
                    nodes[node, TURN] = rules.turn(t, s)
                elif nodes[node, PASSES] == 1 and nodes[node, TURN] != UNSEEN:
                    rules.settle(t, s)
                turn = nodes[node, TURN]
                if turn in (OVER, UNSEEN) or depth == DEEPEST:
                    break
                sure = np.int64(-1)
                if turn == CHANCE:
                    rng, move = rules.sample(t, s, rng)
                    edge = edge_of(tree, node, move)
                    if edge < 0:
                        opened = nodes[node, OPENED]
                        if opened == nodes[node, STORED]:
                            first = add_edges(tree, max(8, 2 * opened))
                            if first < 0:
                                break
                            copy_edges(tree, first, tree, nodes[node, FIRST], opened)
                            for k in range(opened, max(8, 2 * opened)):
                                write_edge(tree, first + k, -1, 0.0)
                            nodes[node, FIRST] = first
                            nodes[node, STORED] = max(8, 2 * opened)
                        edge = np.int64(nodes[node, FIRST] + opened)
                        nodes[node, OPENED] = opened + 1
                        edges[edge, MOVE] = move
                else:
                    if nodes[node, VISITS] < knobs.patience and depth > 0:
                        break
                    opened, stored = nodes[node, OPENED], nodes[node, STORED]
                    wanted = 1 + np.int64(knobs.width * np.sqrt(np.float64(nodes[node, VISITS])))
                    listed = stored > 0
                    if bounded and not listed and depth > 0:
                        # -- perhaps it is decided already
                        guide.bounds(t, s, limits[0], limits[1])
                        if decide(seats, limits, outcome):
                            nodes[node, KNOWN] = 1
                            copy_words(sums[node], outcome)
                            break
                    edge, promise, sure, worth = best_edges(
                        tree, node, knobs.explore, knobs.trust, knobs.history, merits[turn]
                    )
                    if edge < 0:
                        # What takes part is known, so another has to.
                        wanted = max(wanted, opened + 1)
                    if opened == stored and opened < wanted and (stored == 0 or stored < nodes[node, LEGAL]):
                        # -- list the moves, best rated first, behind those that are open already
                        count = rules.legal(t, s, moves)
                        nodes[node, LEGAL] = count
                        room = min(count, max(FIRST_BLOCK, 4 * stored))
                        first = add_edges(tree, room)
                        if first >= 0:
                            stamp += np.int32(1)
                            copy_edges(tree, first, tree, nodes[node, FIRST], stored)
                            for k in range(stored):
                                stamps[edges[first + k, MOVE]] = stamp
                            fresh = 0
                            for k in range(count):
                                if stamps[moves[k]] != stamp:
                                    moves[fresh] = moves[k]
                                    fresh += 1
                            if rated:
                                guide.priors(t, s, moves, fresh, ratings)
                            else:
                                low, high = np.float32(1e30), np.float32(-1e30)
                                for k in range(fresh):
                                    copy_words(other, s)
                                    rules.apply(t, other, np.int64(moves[k]))
                                    rules.scores(t, other, scores)
                                    lead = scores[turn]
                                    for seat in range(seats):
                                        if seat != turn:
                                            lead = min(lead, scores[turn] - scores[seat])
                                    ratings[k] = lead
                                    low, high = min(low, ratings[k]), max(high, ratings[k])
                                for k in range(fresh):
                                    ratings[k] = (ratings[k] - low) / (high - low) if high > low else 0.5
                            for k in range(fresh):
                                rng, z = bits(rng)
                                ratings[k] += np.float32(_JITTER * _FRACTION) * np.float32(z >> _SHIFT)
                                ratings[k] += np.float32(knobs.history) * merit(merits[turn], moves[k])
                            best_first(moves, ratings, fresh, room - stored)
                            for k in range(room - stored):
                                write_edge(tree, first + stored + k, moves[k], ratings[k])
                            nodes[node, FIRST] = first
                            nodes[node, STORED] = room
                            stored = room
                            listed = True
                    if not listed:
                        break
                    if opened < stored and opened < wanted:
                        nodes[node, OPENED] = opened + 1
                        edge = np.int64(nodes[node, FIRST] + opened)
                    elif edge < 0 or (worth >= promise and nodes[node, VISITS] & 1):
                        # Nothing can be learnt from it, but that is where the play would go.
                        edge = sure
                # -- go on to its child
                path_node[depth], path_edge[depth], path_sure[depth] = node, edge, sure
                depth += 1
                rules.apply(t, s, np.int64(edges[edge, MOVE]))
                child = np.int64(edges[edge, CHILD])
                if child < 0:
                    child = add_node(tree)
                    edges[edge, CHILD] = child
                node = child
                if node < 0:
                    break

            # -- what comes out
            if known(tree, node):
                for k in range(2 * seats):
                    outcome[k] = sums[node, k]
            else:
                plies = 0
                if drawn:
                    rng, move = player.playout_move(t, s, rng)
                else:
                    rng, move = rules.sample(t, s, rng)
                while move >= 0:
                    if plies < LONGEST:
                        played[plies, 0], played[plies, 1] = rules.turn(t, s), move
                    rules.apply(t, s, move)
                    plies += 1
                    if plies == cut:
                        break
                    if drawn:
                        rng, move = player.playout_move(t, s, rng)
                    else:
                        rng, move = rules.sample(t, s, rng)
                rules.scores(t, s, scores)
                most, sharing = scores[0], 0
                for seat in range(seats):
                    most = max(most, scores[seat])
                for seat in range(seats):
                    sharing += scores[seat] == most
                for seat in range(seats):
                    outcome[seat] = 1.0 / sharing if scores[seat] == most else 0.0
                    outcome[seats + seat] = scores[seat]
                for k in range(min(plies, LONGEST)):
                    turn = played[k, 0]
                    if turn >= 0:
                        gain = reward(outcome, seats, turn, knobs.centre, knobs.scale, knobs.margin_share)
                        credit(merits[turn], played[k, 1], gain)
                if node >= 0:
                    for k in range(2 * seats):
                        sums[node, k] += outcome[k]
                    if plies == 0:
                        nodes[node, KNOWN] = 1
                        for k in range(2 * seats):
                            sums[node, k] = outcome[k]
            if node >= 0:
                nodes[node, VISITS] += 1

            # -- and up again
            for back in range(depth):
                node, edge = path_node[depth - 1 - back], path_edge[depth - 1 - back]
                turn = nodes[node, TURN]
                nodes[node, VISITS] += 1
                edges[edge, TRIED] += 1
                if turn >= 0:
                    gain = reward(outcome, seats, turn, knobs.centre, knobs.scale, knobs.margin_share)
                    credit(merits[turn], edges[edge, MOVE], gain)
                    if known(tree, edges[edge, CHILD]):
                        odds[edge, MEAN] = gain
                    else:
                        odds[edge, MEAN] += (gain - odds[edge, MEAN]) / edges[edge, TRIED]
                    sure = path_sure[depth - 1 - back]
                    if sure >= 0 and odds[sure, MEAN] > odds[edge, MEAN]:
                        # This was tried to learn about it; for sure there is better.
                        copy_words(outcome, sums[edges[sure, CHILD]])
                for k in range(2 * seats):
                    sums[node, k] += outcome[k]
                if settle_known(tree, node, edge, seats):
                    for k in range(2 * seats):
                        outcome[k] = sums[node, k]
            done += 1
        stamps[t.actions] = stamp
        return rng, done

    return run


@cache
def prober(rules: ModuleType, guide: ModuleType | None, drawn: bool) -> Any:
    """run(t, start, seed, games, cut) -> (mean and standard deviation of the margin of seat 0, or of the only
    seat's score; mean number of plies) over playouts from here."""
    player = guide if drawn else None

    @driver
    def run(t, start, seed, games, cut):
        s = start.copy()
        scores = np.zeros(t.seats, np.int64)
        total, squares, plies = 0.0, 0.0, 0
        for game in range(games):
            s[:] = start
            rng = stream(seed, game)
            length = 0
            while True:
                if drawn:
                    rng, move = player.playout_move(t, s, rng)
                else:
                    rng, move = rules.sample(t, s, rng)
                if move < 0 or (length == cut and cut > 0):
                    break
                rules.apply(t, s, move)
                length += 1
            plies += length
            rules.scores(t, s, scores)
            lead = np.float64(scores[0])
            if len(scores) > 1:
                lead -= max(scores[1:])
            total += lead
            squares += lead * lead
        mean = total / games
        return mean, np.sqrt(max(0.0, squares / games - mean * mean)), plies / games

    return run


@cache
def finder(rules: ModuleType) -> Any:
    """run(t, tree, root, target, states, most) -> the node of the position `target` below the root, or -1;
    looks at no more than `most` nodes. states: [depth + 1, words] scratch."""

    @driver
    def run(t, tree, root, target, states, most):
        deepest = len(states) - 1
        path_node, next_edge = np.zeros(deepest + 1, np.int64), np.zeros(deepest + 1, np.int64)
        states[0] = root
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
                states[depth + 1] = states[depth]
                rules.apply(t, states[depth + 1], np.int64(tree.edges[edge, MOVE]))
                rules.settle(t, states[depth + 1])
                depth += 1
                path_node[depth], next_edge[depth] = child, 0
        return np.int64(-1)

    return run


@kernel
def keep(old, root, new):
    """Write the part of the tree `old` below a node to the empty tree `new`; how many nodes that is."""
    return copy_subtree(old, root, new)
