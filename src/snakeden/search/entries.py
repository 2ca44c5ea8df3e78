"""What the search adds to a game's program: its kernels for this game, and how they are called."""

from __future__ import annotations

from snakeden.core.game import Game
from snakeden.programs import abi
from snakeden.search import alphabeta, evaluators, greedy, mcts, perft, playouts, reroot
from snakeden.search.heuristics import heuristics
from snakeden.search.tree import Tree
from snakeden.search.workspace import Parameters, Workspace

_STRUCTURES: abi.Structures = {
    "Tree": (
        Tree,
        "nodes: int32[?size, 8], sums: float64[size, 2 * seats], edges: int32[?room, 3], "
        "stats: float64[room, 2], used: int64[2]",
    ),
    "Workspace": (
        Workspace,
        "states: state[?leaves, words], leaf_node: int64[leaves], leaf_depth: int64[leaves], "
        "path_node: int64[leaves, 512], path_edge: int64[leaves, 512], path_known: int64[leaves, 512], "
        "scratch: state[words], moves: int32[most_moves], priors: float32[most_moves], no_priors: float32[0], "
        "listed: int32[actions + 1], outcome: float64[2 * seats], scores: int64[seats], limits: int64[2, seats], "
        "played: int32[64, 2], history: float32[seats, actions, 2]",
    ),
    "Parameters": (
        Parameters,
        "exploration: float64, prior_weight: float64, puct: float64, fpu_reduction: float64, history_weight: float64, "
        "widening: float64, expand_after: int64, margin_weight: float64, centre: float64, scale: float64",
    ),
    "Line": (
        alphabeta.Line,
        "control: int64[4], frames: int64[?levels, 7], keys: uint64[levels, 2], states: state[levels + 1, words], "
        "moves: int32[levels, most_moves], order: float32[levels, most_moves], "
        "scores_after: int32[levels, most_moves], killers: int32[levels, 2], history: int32[2, actions], "
        "scores: int64[seats], image: state[words]",
    ),
}

_SEARCH = """
simulate(t, tree: Tree, workspace: Workspace, root: state[words], rng: uint64, count: int64, parameters: Parameters) -> uint64, int64
select(t, tree: Tree, workspace: Workspace, root: state[words], rng: uint64, count: int64, parameters: Parameters, purpose: int64) -> uint64, int64, int64
absorb(t, tree: Tree, workspace: Workspace, rng: uint64, count: int64, parameters: Parameters, values: float64[?valued, 2 * seats], priors: float32[?given, actions]) -> uint64
find(t, tree: Tree, workspace: Workspace, root: state[words], target: state[words], states: state[?levels, words], most: int64) -> int64
keep(t, old: Tree, root: int64, new: Tree) -> int64
probe(t, workspace: Workspace, start: state[words], seed: int64, games: int64) -> float64, float64, float64
appraise(t, s: state[words], moves: int32[?count], leads: float64[count], priors: float32[count], states: state[2, words], outcomes: int32[most_moves], scores: int64[seats])
"""

_STUDY = """
rollout(t, positions: state[?count, words], workspace: Workspace, seed: int64, games: int64, values: float64[count, 2 * seats])
sampled(t, start: state[words], s: state[words], scores: int64[seats], seed: int64, games: int64) -> int64, int64
generated(t, start: state[words], s: state[words], scores: int64[seats], moves: int32[most_moves], seed: int64, games: int64) -> int64, int64, int64
perft(t, states: state[depth + 1, words], moves: int32[depth, most_moves], counts: int64[depth, 2], depth: int64) -> int64
"""

_HEURISTICS = """
playout_move(t, s: state[words], rng: uint64) -> uint64, int64
bounds(t, s: state[words], low: int64[seats], high: int64[seats])
lead_bounds(t, s: state[words]) -> int64, int64
prune(t, s: state[words], need: int64, moves: int32[?listed], count: int64) -> int64, int64
"""

_SOLVER = """
solve(t, table: uint64[?rows, 2], line: Line, goal: int64, budget: int64, folded: int64) -> int64
"""


def entries(game: Game) -> dict[str, abi.Entry]:
    """The search's kernels, made for this game; the solver's only where there is no chance."""
    rules, known = game.rules, heuristics(game)
    functions = {
        "simulate": mcts.make_simulate(rules, known),
        "select": mcts.make_select(rules, known),
        "absorb": mcts.make_absorb(rules, known),
        "find": reroot.make_find(rules),
        "keep": reroot.keep,
        "probe": playouts.make_probe(rules, known),
        "appraise": greedy.make_appraise(rules, known),
    }
    offered = "\n".join(line for line in _HEURISTICS.split("\n") if hasattr(known, line.partition("(")[0]))
    found = abi.entries(_SEARCH, functions, _STRUCTURES) | abi.entries(offered, vars(known))
    if not game.chance:
        found |= abi.entries(_SOLVER, {"solve": alphabeta.make_solve(rules, known)}, _STRUCTURES)
    return found


def study_entries(game: Game) -> dict[str, abi.Entry]:
    """What is used to study a game, and not to play it."""
    rules = game.rules
    functions = {
        "rollout": evaluators.make_rollout(rules, heuristics(game)),
        "sampled": playouts.make_sampled(rules),
        "generated": playouts.make_generated(rules),
        "perft": perft.make_perft(rules),
    }
    return abi.entries(_STUDY, functions, _STRUCTURES)
