"""What a game may know about good play, for the search: optional, and found here for any game.

A game's folder may hold a module `heuristics` with any of these kernels and constants:

    rate(t, s, moves, count, out)   writes to out[:count] (float32) how promising each of the player's moves
                                    (int32) looks, from 0 to 1. Without it a move is rated by what it does to
                                    the score margin at once.
    draw(t, s, rng) -> rng, move    like `rules.sample`, but sensible moves more often: settles; a move of the
                                    player or a chance outcome by its probability, -1 if the game is over.
                                    Without it playouts are uniformly random.
    bounds(t, s, low, high)         writes per seat (int64) a lowest and a highest final score, both certain.
                                    Without it nothing is certain before the end.
    lead(t, s, goal) -> low, high   with two seats: certain limits of how far seat 0 ends ahead of seat 1. A limit
                                    that does not tell whether it is `goal` or more may be as wide as it likes.
                                    Without it the solver looks at every game to its end.
    winnow(t, s, need, moves, count) -> kept, most
                                    with two seats: drops those of the moves (int32, ascending) after which the
                                    player to move cannot end `need` points ahead of the other any more; how many
                                    are left, in their order, and if any were dropped how far ahead they could
                                    have led at most. Without it every move is looked at.
    images(t) -> int                how many symmetric images a position has, itself included
    image(t, s, k, out)             writes the k-th image of a position's key words to out; image 0 is itself.
                                    Without them a position is like itself alone.
    patience(t) -> int              visits before the moves of a position are listed and rated: the fewer, the more
                                    the search goes by ratings. Without it 4.
    CUT                             plies after which a playout stops and the scores so far count; 0 for never

A kernel closes over modules, never over functions: then Numba keeps it on disk.
"""

from __future__ import annotations

from types import ModuleType

from snakeden.core.game import Game


def home(game: Game, kernel: str) -> ModuleType | None:
    """The module that holds this kernel for the game; None where the game does not offer it."""
    found = game.part("heuristics")
    return found if found is not None and hasattr(found, kernel) else None
