"""How a game ended: who won, by what, and what each seat gets.

This is the only place where victories are decided and shared. `State.outcome`, records, the server, the arena and
the rewards of the adapters all ask here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from snakeden.core.errors import MessageError
from snakeden.words import Message, Player, word

Cause = Literal["resignation", "time"]
"""Why a seat left a game before its end."""
Termination = Literal["score", "resignation", "time", "agreement"]
"""What ended a game: the board and its scores, the last withdrawal, or an agreement to share the victory."""

CAUSES: tuple[Cause, ...] = get_args(Cause)
TERMINATIONS: tuple[Termination, ...] = get_args(Termination)


class Withdrawal(NamedTuple):
    """A seat that left the game and can no longer win."""

    seat: int
    cause: Cause


@dataclass(frozen=True)
class Outcome:
    """How a game ended."""

    scores: tuple[int, ...]
    """One number a seat, as the board stood at the end."""
    winners: tuple[int, ...]
    """The seats that share the victory, ascending; empty only if every seat withdrew."""
    termination: Termination
    withdrawn: tuple[Withdrawal, ...] = ()
    """The seats that left before the end, in the order in which they left."""

    @property
    def shares(self) -> tuple[float, ...]:
        """Each seat's share of the victory: 1 in all, divided equally among the winners."""
        share = 1 / len(self.winners) if self.winners else 0.0
        return tuple(share if seat in self.winners else 0.0 for seat in range(len(self.scores)))

    @property
    def rewards(self) -> tuple[float, ...]:
        """What each seat gets, for learners; see `rewards`."""
        return tuple(rewards(self.shares, self.scores).tolist())

    @property
    def reason(self) -> Message:
        """Why the game ended as it did."""
        left = tuple(Message(f"outcome.left_by.{cause}", who=Player(seat)) for seat, cause in self.withdrawn)
        if self.termination in CAUSES:
            return Message("outcome.withdrawn", left=left)
        winners = tuple(map(Player, self.winners))
        if self.termination == "agreement":
            return Message("outcome.agreed", winners=winners)
        if len(self.scores) == 1:
            return Message("outcome.points", n=self.scores[0])
        count = len(winners)
        if left:
            return Message(
                "outcome.highest_left", winners=winners, count=count, points=self.scores, left=left
            )
        return Message("outcome.highest", winners=winners, count=count, points=self.scores)

    def describe(self, names: Sequence[str] = ()) -> str:
        """The reason in English, with the players' names where they are given."""
        return word(self.reason, names=names)


def decide(
    scores: Sequence[int],
    *,
    finished: bool,
    withdrawn: Iterable[Withdrawal] = (),
    agreed: bool = False,
) -> Outcome | None:
    """The outcome of a game with these scores; None while it goes on.

    `finished` says whether the board is played to its end. A seat that withdrew cannot win; the game ends as soon
    as at most one of several seats is left, who then wins whatever the scores are. `agreed` says that all who are
    left share the victory by agreement. Raises MessageError for a withdrawal that cannot be.
    """
    withdrawn = tuple(withdrawn)
    left = _seats_left(len(scores), withdrawn)
    if withdrawn and len(left) <= 1:
        return Outcome(tuple(scores), left, withdrawn[-1].cause, withdrawn)
    if agreed:
        return Outcome(tuple(scores), left, "agreement", withdrawn)
    if not finished:
        return None
    best = max(scores[seat] for seat in left)
    winners = tuple(seat for seat in left if scores[seat] == best)
    return Outcome(tuple(scores), winners, "score", withdrawn)


def _seats_left(seats: int, withdrawn: tuple[Withdrawal, ...]) -> tuple[int, ...]:
    left = list(range(seats))
    for seat, cause in withdrawn:
        if cause not in CAUSES:
            raise MessageError(Message("outcome.no_cause", cause=repr(cause), causes=", ".join(CAUSES)))
        if seat not in left:
            raise MessageError(Message("outcome.no_seat", seat=seat, n=seats))
        left.remove(seat)
    return tuple(left)


def victory_shares(scores: ArrayLike) -> NDArray[np.float64]:
    """[..., seats] each seat's share of the victory after final scores [..., seats]: who has the highest wins."""
    final = _array(scores)
    won = final == final.max(axis=-1, keepdims=True)
    shares: NDArray[np.float64] = won / won.sum(axis=-1, keepdims=True)
    return shares


def rewards(shares: ArrayLike, scores: ArrayLike) -> NDArray[np.float64]:
    """[..., seats] what each seat gets, of its share of the victory and its score, both [..., seats].

    Alone, the score itself. Else 1 for winning alone, and 0 in all: whoever does not win loses 1 / (seats - 1), and
    the winners share what the others lose. Of two that is 1, -1, and 0 for a shared victory.
    """
    share = _array(shares)
    seats = share.shape[-1]
    if seats == 1:
        return _array(scores).astype(np.float64)
    worth: NDArray[np.float64] = (seats * share - 1) / (seats - 1)
    return worth


def _array(values: Any) -> NDArray[Any]:
    """An array of these values; one that lies on a GPU stays there."""
    found: NDArray[Any] = values if hasattr(values, "__cuda_array_interface__") else np.asarray(values)
    return found
