"""Who wins, by what, and what each seat gets; the same wherever it is asked."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import snakeden
from snakeden import Withdrawal
from snakeden.adapters.rewards import rewards
from snakeden.core.outcome import CAUSES, Outcome, decide, victory_shares
from snakeden.search.rewards import write_decided, write_outcome

SCORES = st.lists(st.integers(-200, 200), min_size=1, max_size=5)


@st.composite
def endings(draw: st.DrawFn) -> tuple[list[int], list[Withdrawal], bool]:
    scores = draw(SCORES)
    seats = draw(st.lists(st.sampled_from(range(len(scores))), unique=True, max_size=len(scores)))
    return scores, [Withdrawal(seat, draw(st.sampled_from(CAUSES))) for seat in seats], draw(st.booleans())


@pytest.mark.parametrize(
    ("scores", "withdrawn", "agreed", "winners", "termination", "reason"),
    [
        ((9, 7), "", False, (0,), "score", "Ann has the highest score, with 9 : 7"),
        ((9, 9), "", False, (0, 1), "score", "Ann and Bob have the highest score, with 9 : 9"),
        ((-3,), "", False, (0,), "score", "the game ended with -3 points"),
        ((9, 7), "0r", False, (1,), "resignation", "Ann resigned"),
        ((9, 7), "0t", False, (1,), "time", "Ann ran out of time"),
        ((9, 7), "", True, (0, 1), "agreement", "Ann and Bob agreed to share the victory"),
        ((9, 7, 8), "0r2t", False, (1,), "time", "Ann resigned and Eve ran out of time"),
        ((9, 7, 8), "0r", True, (1, 2), "agreement", "Bob and Eve agreed to share the victory"),
        ((5,), "0r", False, (), "resignation", "Ann resigned"),
        (
            (9, 7, 8),
            "0r",
            False,
            (2,),
            "score",
            "Eve has the highest score of those who played on, with 9 : 7 : 8; Ann resigned",
        ),
    ],
)
def test_who_wins_and_why(
    scores: tuple[int, ...],
    withdrawn: str,
    agreed: bool,
    winners: tuple[int, ...],
    termination: str,
    reason: str,
) -> None:
    causes = {"r": "resignation", "t": "time"}
    left = [Withdrawal(int(seat), causes[c]) for seat, c in zip(withdrawn[::2], withdrawn[1::2], strict=True)]  # type: ignore[arg-type]
    outcome = decide(scores, finished=True, withdrawn=left, agreed=agreed)
    assert outcome == Outcome(scores, winners, termination, tuple(left))  # type: ignore[arg-type]
    assert outcome.describe(("Ann", "Bob", "Eve")) == reason
    for seat, name in enumerate(("Ann", "Bob", "Eve")):
        reason = reason.replace(name, f"Player {seat + 1}")
    assert str(outcome.reason) == reason


def test_a_game_goes_on_while_two_are_left() -> None:
    gone = [Withdrawal(1, "resignation")]
    assert decide((1, 2, 3), finished=False) is None
    assert decide((1, 2, 3), finished=False, withdrawn=gone) is None
    ended = decide((1, 2, 3), finished=False, withdrawn=[*gone, Withdrawal(2, "time")])
    assert ended is not None
    assert (ended.winners, ended.termination) == ((0,), "time")


@pytest.mark.parametrize(
    ("withdrawn", "expected"),
    [
        ([Withdrawal(2, "time")], "seat 2 cannot leave"),
        ([Withdrawal(-1, "time")], "seat -1 cannot leave"),
        ([Withdrawal(0, "time"), Withdrawal(0, "time")], "seat 0 cannot leave"),
        ([Withdrawal(0, "hunger")], "'hunger' is no reason to leave"),  # type: ignore[arg-type]
    ],
)
def test_withdrawals_that_cannot_be(withdrawn: list[Withdrawal], expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        decide((1, 2), finished=True, withdrawn=withdrawn)


@settings(deadline=None)
@given(endings())
def test_shares_and_rewards_add_up(ending: tuple[list[int], list[Withdrawal], bool]) -> None:
    scores, withdrawn, agreed = ending
    outcome = decide(scores, finished=True, withdrawn=withdrawn, agreed=agreed)
    assert outcome is not None
    gone = {seat for seat, _ in withdrawn}
    assert bool(outcome.winners) == (len(gone) < len(scores)), "somebody wins unless all have left"
    assert not gone & set(outcome.winners)
    assert sum(outcome.shares) == pytest.approx(1 if outcome.winners else 0)
    assert {seat for seat, share in enumerate(outcome.shares) if share} == set(outcome.winners)
    if len(scores) == 1:
        assert outcome.rewards == tuple(scores)
    elif outcome.winners:
        assert sum(outcome.rewards) == pytest.approx(0)
        assert all(-1 <= reward <= 1 for reward in outcome.rewards)
        assert max(outcome.rewards) == outcome.rewards[outcome.winners[0]]
    assert str(outcome.reason)


@settings(deadline=None)
@given(SCORES)
def test_learners_get_what_the_outcome_says(scores: list[int]) -> None:
    outcome = decide(scores, finished=True)
    assert outcome is not None
    assert victory_shares([scores, scores]).tolist() == [list(outcome.shares)] * 2
    assert np.array_equal(rewards(scores), outcome.rewards)


def test_a_seat_that_resigned_does_not_win_in_a_game_of_three() -> None:
    state, generator = snakeden.new_game("snekagon-5g", players=3, side=4), random.Random(2)
    while not state.is_over:
        state = state.play(generator.choice(state.legal_moves()))
    (winner,) = state.winners()
    gone = (Withdrawal(winner, "resignation"),)
    outcome = state.outcome(gone)
    assert outcome is not None
    assert winner not in outcome.winners
    left = [score for seat, score in enumerate(state.scores()) if seat != winner]
    assert {state.scores()[seat] for seat in outcome.winners} == {max(left)}
    assert f"Player {outcome.winners[0] + 1}" in str(outcome.reason)
    assert str(outcome.reason).endswith(f"Player {winner + 1} resigned")
    assert outcome.rewards[winner] < 0
    start = snakeden.new_game("snekagon-5g", players=3, side=4)
    assert start.outcome(gone) is None
    assert start.outcome([*gone, Withdrawal((winner + 1) % 3, "resignation")]) is not None


@given(scores=SCORES)
def test_the_search_shares_victories_as_the_outcome_does(scores: list[int]) -> None:
    seats = len(scores)
    outcome = np.zeros(2 * seats)
    # Kernels are plain functions.
    write_outcome(scores, seats, outcome)
    decided = decide(scores, finished=True)
    assert decided is not None
    assert outcome.tolist() == [*decided.shares, *scores]
    limits = np.array([scores, scores])
    assert write_decided(limits, seats, outcome)
    assert outcome.tolist() == [*decided.shares, *scores]
