"""Games played out at random inside kernels, for any game: the search's playouts, probes and benchmarks."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from snakeden.core.kernel import kernel, noinline
from snakeden.core.rng import below, stream
from snakeden.search.rewards import lead_of
from snakeden.search.tree import copy_words


@cache
def make_play_out(rules: ModuleType, heuristics: ModuleType | None) -> Any:
    """play_out(t, s, rng, played) -> (rng, plies): plays a position to its end, in place. Moves are the
    game's `playout_move` where `heuristics` has it, else uniformly random. The seat and move of each ply go to
    played (int32[any, 2]), as far as they fit."""
    guided = hasattr(heuristics, "playout_move")

    @noinline
    def play_out(t, s, rng, played):
        plies = 0
        while True:
            if guided:
                rng, move = heuristics.playout_move(t, s, rng)
            else:
                rng, move = rules.sample(t, s, rng)
            if move < 0:
                return rng, plies
            if plies < len(played):
                played[plies, 0], played[plies, 1] = rules.turn(t, s), move
            rules.apply(t, s, move)
            plies += 1

    return play_out


@cache
def make_probe(rules: ModuleType, heuristics: ModuleType | None) -> Any:
    """probe(t, workspace, start, seed, games) -> (mean and standard deviation of the lead of seat 0, mean number
    of plies) over playouts from here."""
    play_out = make_play_out(rules, heuristics)

    @kernel
    def probe(t, workspace, start, seed, games):
        s, scores = workspace.states[0], workspace.scores
        total, squares, plies = 0.0, 0.0, 0
        for game in range(games):
            copy_words(s, start)
            _, length = play_out(t, s, stream(seed, game), workspace.played)
            rules.scores(t, s, scores)
            lead = np.float64(lead_of(scores, len(scores), 0))
            plies += length
            total += lead
            squares += lead * lead
        mean = total / games
        return mean, np.sqrt(max(0.0, squares / games - mean * mean)), plies / games

    return probe


@cache
def make_sampled(rules: ModuleType) -> Any:
    """sampled(t, start, s, scores, seed, games) -> (plies played, sum of seat 0's scores); moves are drawn by
    `sample`. s: state[words] and scores: int64[seats] are written on."""

    @kernel
    def sampled(t, start, s, scores, seed, games):
        plies, total = 0, 0
        for game in range(games):
            copy_words(s, start)
            rng, move = rules.sample(t, s, stream(seed, game))
            while move >= 0:
                rules.apply(t, s, move)
                plies += 1
                rng, move = rules.sample(t, s, rng)
            rules.scores(t, s, scores)
            total += scores[0]
        return plies, total

    return sampled


@cache
def make_generated(rules: ModuleType) -> Any:
    """generated(t, start, s, scores, moves, seed, games) -> (plies, moves generated, sum of seat 0's scores); every ply
    lists all legal moves in `moves` (int32[most_moves]) and takes one, chance outcomes by `sample`."""

    @kernel
    def generated(t, start, s, scores, moves, seed, games):
        plies, listed, total = 0, 0, 0
        for game in range(games):
            copy_words(s, start)
            rng = stream(seed, game)
            count = rules.legal(t, s, moves)
            while count > 0:
                listed += count
                if rules.turn(t, s) >= 0:
                    rng, chosen = below(rng, count)
                    move = np.int64(moves[chosen])
                else:
                    rng, move = rules.sample(t, s, rng)
                rules.apply(t, s, move)
                plies += 1
                count = rules.legal(t, s, moves)
            rules.scores(t, s, scores)
            total += scores[0]
        return plies, listed, total

    return generated
