"""What a game may know about good play, for the search: optional, and found here for any game.

A game's folder may hold a module `heuristics` with any of these kernels:

    priors(t, s, moves, count, out)  writes to out[:count] (float32) how promising each of the player's moves
                                     (int32) looks, from 0 to 1. Without it a move's prior comes from what it does
                                     to the score margin at once.
    playout_move(t, s, rng) -> rng, move
                                     like `rules.sample`, but sensible moves more often: settles; a move of the
                                     player or a chance outcome by its probability, -1 if the game is over.
                                     Without it playouts are uniformly random.
    bounds(t, s, low, high)          writes per seat (int64) a lowest and a highest final score, both certain.
                                     Without it nothing is certain before the end.
    before_moves(t, s) -> before, score_after(t, s, before, move, scratch) -> score,
    sure_lead(t, seat, after, score, other) -> lead, best_lead(t, seat, after, score, other) -> lead
                                     with two seats, where no move lowers a score or raises the other's: the score of
                                     the seat to move right after a move; and how far ahead of the other it then ends
                                     for certain, and at most. `before` is the same for all moves of a position:
                                     before.other is the other's score and before.most the highest it can still
                                     reach. `scratch` [words] may be written on. `after` is the position that the
                                     move leads to, before anybody is passed over.
    lead_bounds(t, s) -> low, high   with two seats, where the kernels before do not fit: how far seat 0 ends ahead of
                                     seat 1 at least and at most, in any position. Without these kernels and those the
                                     solver looks at every game to its end.
    prune(t, s, need, moves, count) -> kept, most
                                     with two seats: drops those of the moves (int32, ascending) after which the
                                     player to move cannot end `need` points ahead of the other any more; how many
                                     are left, in their order, and if any were dropped how far ahead they could
                                     have led at most. Without it every move is looked at.
    images(t) -> int                 how many symmetric images a position has, itself included
    image(t, s, k, out)              writes the k-th image of a position's key words to out; image 0 is itself.
                                     Without them a position is like itself alone.
    expand_after(t) -> int           visits before the moves of a position are listed: the fewer, the more the
                                     search goes by priors. Without it 4.

A kernel closes over modules, never over functions: then Numba keeps it on disk.
"""

from __future__ import annotations

from types import ModuleType

from snakeden.core.game import Game


def heuristics(game: Game) -> ModuleType | None:
    """The game's module of heuristics; None where it has none."""
    return game.part("kernels.heuristics")


def offering(game: Game, kernel: str) -> ModuleType | None:
    """The game's module of heuristics if it offers this kernel, else None."""
    found = heuristics(game)
    return found if found is not None and hasattr(found, kernel) else None
