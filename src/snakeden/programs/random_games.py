"""Random games: their lengths, their final scores, and fingerprints, which are compared to see that two targets play
the same games.

Game `i` of a seed is drawn from `stream(seed, i)`. Its fingerprint is a 64-bit hash of all its moves, chance outcomes
included, and of its final scores. Chance outcomes count as plies.
"""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from snakeden.core.game import Game
from snakeden.core.kernel import inline, kernel
from snakeden.core.rng import bits, stream
from snakeden.programs import abi


@cache
def make_play_game(rules: ModuleType) -> Any:
    """play_game(t, opening, s, scores, seed, game) -> (fingerprint, plies): plays one random game from the opening.
    s: state[words] and scores: int64[seats] are written on, and hold the end of the game afterwards."""

    @kernel
    def play_game(t, opening, s, scores, seed, game):
        for k in range(len(opening)):
            s[k] = opening[k]
        fingerprint, plies = np.uint64(0), 0
        rng, move = rules.sample(t, s, stream(seed, game))
        while move >= 0:
            _, fingerprint = bits(fingerprint ^ np.uint64(move))
            rules.apply(t, s, move)
            plies += 1
            rng, move = rules.sample(t, s, rng)
        rules.scores(t, s, scores)
        for seat in range(len(scores)):
            _, fingerprint = bits(fingerprint ^ np.uint64(scores[seat]))
        return fingerprint, plies

    return play_game


@cache
def make_parts(rules: ModuleType) -> tuple[Any, Any]:
    """The same in parts, for threads that take game after game:

    - ply(t, s, rng, fingerprint) -> (rng, fingerprint, whether it was played): plays on, unless the game is over
    - end(t, s, scores, fingerprint, result) -> fingerprint: of the whole game. The final scores are written to
      result: int32[seats], and to scores: int64[seats] on the way
    """

    @inline
    def ply(t, s, rng, fingerprint):
        rng, move = rules.sample(t, s, rng)
        if move < 0:
            return rng, fingerprint, False
        _, fingerprint = bits(fingerprint ^ np.uint64(move))
        rules.apply(t, s, move)
        return rng, fingerprint, True

    @kernel
    def end(t, s, scores, fingerprint, result):
        rules.scores(t, s, scores)
        for seat in range(len(scores)):
            _, fingerprint = bits(fingerprint ^ np.uint64(scores[seat]))
            result[seat] = scores[seat]
        return fingerprint

    return ply, end


@cache
def make_play_games(rules: ModuleType) -> Any:
    """play_games(t, opening, s, scores, seed, first, fingerprints, plies, results): the games from number `first` on,
    as many as `fingerprints` has room for, one after the other; results: int32[n, seats] gets their final scores."""
    play_game = make_play_game(rules)

    @kernel
    def play_games(t, opening, s, scores, seed, first, fingerprints, plies, results):
        for k in range(len(fingerprints)):
            fingerprints[k], plies[k] = play_game(t, opening, s, scores, seed, first + k)
            for seat in range(len(scores)):
                results[k, seat] = scores[seat]

    return play_games


_SIGNATURE = (
    "play_games(t, opening: state[words], s: state[words], scores: int64[seats], seed: int64, first: int64, "
    "fingerprints: uint64[?n], plies: int32[n], results: int32[n, seats])"
)


def entries(game: Game) -> dict[str, abi.Entry]:
    """Random games of a game."""
    return abi.entries(_SIGNATURE, {"play_games": make_play_games(game.rules)})
