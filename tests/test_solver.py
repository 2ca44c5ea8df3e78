"""The solver against plain minimax, on positions small enough for that."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import snakeden
from snakeden.games.snekagon.kernels import heuristics, rules
from snakeden.search.perft import perft
from snakeden.search.solver import Solver


def minimax(state: snakeden.State, low: int = -99, high: int = 99) -> int:
    """The value by looking at everything (but for what cannot matter)."""
    if state.is_over:
        scores = state.scores()
        return scores[0] - scores[1]
    for move in state.legal_moves():
        value = minimax(state.play(move), low, high)
        if state.player == 0:
            low = max(low, value)
        else:
            high = min(high, value)
        if low >= high:
            break
    return low if state.player == 0 else high


def late_position(game: str, seed: int, most: int, **options: object) -> snakeden.State:
    """A position of a random game from which at most this many games can be played, or the one before its end."""
    generator = random.Random(seed)
    states = [snakeden.new_game(game, **options)]
    while not states[-1].is_over:
        states.append(states[-1].play(generator.choice(states[-1].legal_moves())))
    found = states[-2]
    for state in reversed(states[:-1]):
        if any(perft(state, depth) > most for depth in range(1, 5)):
            break
        found = state
    return found


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("snekagon", {"side": 3}),
        ("snekagon", {"side": 4}),
        ("snekagon", {"side": 5, "second_single": True}),
        ("snekagon-5g", {"side": 4}),
        ("schlangennest", {"nest": "3x3"}),
        ("schlangennest", {"nest": "4x4"}),
    ],
    ids=str,
)
def test_the_solver_agrees_with_plain_minimax(game: str, options: dict[str, object]) -> None:
    for seed in range(5):
        state = late_position(game, seed, 800, **options)
        solution = Solver(state, memory=1 << 20).solve(state)
        assert solution.value == minimax(state), state.text
        assert solution.scores[0] - solution.scores[1] == solution.value
        assert solution.move == solution.line[0]
        for move in solution.line:
            state = state.play(move)
        assert state.is_over
        assert state.scores() == solution.scores


@pytest.mark.parametrize("likely", [0.0, 0.5, 1.0])
def test_who_wins_is_found_out_by_two_questions(likely: float) -> None:
    found = set()
    for seed in range(18):
        state = late_position("snekagon", seed, 800, side=4)
        value = minimax(state) * (1 if state.player == 0 else -1)
        share = Solver(state, memory=1 << 20).victory_share(state.array(), 10_000, likely=likely)
        assert share == (1.0 if value > 0 else 0.5 if value == 0 else 0.0)
        found.add((state.player, share))
    assert len(found) >= 4


def test_who_wins_is_not_said_where_it_takes_more_positions() -> None:
    state = snakeden.new_game("snekagon", side=4)
    solver = Solver(state, memory=1 << 24)
    assert solver.victory_share(state.array(), 1000) is None
    assert solver.victory_share(state.array(), 1_000_000) == 0.0


def test_solvers_of_several_threads_share_what_they_learn() -> None:
    state = snakeden.new_game("snekagon", side=4)
    first = Solver(state, memory=1 << 24, target="cpu")
    value, other = first.solve(state).value, first.beside()
    assert other.solve(state, guess=value).value == value
    assert other.seen < first.seen / 10
    alone = Solver(state, memory=1 << 20, target="wasm").beside()
    assert alone.victory_share(state.array(), 1_000_000) == 0.0


def test_the_smallest_board_is_a_narrow_win_for_the_second_player() -> None:
    state = snakeden.new_game("snekagon", side=3)
    assert Solver(state, memory=1 << 22).solve(state).value == -1


@pytest.mark.parametrize("second_single", [False, True])
def test_side_4_is_solved_with_a_million_positions(second_single: bool) -> None:
    state = snakeden.new_game("snekagon", side=4, second_single=second_single)
    solution = Solver(state).solve(state)
    assert solution.value == -1
    assert solution.positions <= 1_000_000


def test_a_tiny_table_and_any_guess_give_the_same_value() -> None:
    state = late_position("snekagon", 3, 50_000, side=4)
    values = {Solver(state, memory=1 << 14).solve(state, guess=guess).value for guess in (-20, 0, 20)}
    assert values == {Solver(state).solve(state).value}


def test_an_unfinished_solution_says_so_and_keeps_its_bounds_true() -> None:
    state = late_position("snekagon", 1, 50_000, side=4)
    whole = Solver(state, memory=1 << 20)
    partly = whole.solve(state, positions=1)
    solution = whole.solve(state)
    assert partly.low <= solution.value <= partly.high
    if not partly.solved:
        assert partly.line == ()
        with pytest.raises(ValueError, match="between"):
            partly.value  # noqa: B018


def test_a_line_cut_short_has_no_final_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snakeden.search.solver._SLICE", 1)
    state = snakeden.new_game("snekagon", side=3)
    cut = Solver(state).solve(state, stop=lambda low, high, seen: low == high)
    assert cut.value == -1
    assert cut.scores == ()
    after = state
    for move in cut.line:
        after = after.play(move)
    assert not after.is_over


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), side=st.sampled_from([4, 5, 6]), grow=st.booleans())
@example(seed=14, side=5, grow=True)  # an end between two areas of free cells
@pytest.mark.parametrize("game", ["snekagon", "snekagon-5g"])
def test_no_game_ends_outside_the_bounds_of_its_positions(
    game: str, seed: int, side: int, grow: bool
) -> None:
    state, generator = snakeden.new_game(game, side=side), random.Random(seed)
    guide = state.variant.program
    seen = []
    rng, unsettled = seed, state.array()
    while not state.is_over:
        low, high = np.zeros(2, np.int64), np.zeros(2, np.int64)
        guide.bounds(state.array(), low, high)
        seen.append((state.player, low, high))
        if grow:
            # Long snakes strain the upper bounds. Playouts do not settle before they draw.
            rng, code = guide.playout_move(unsettled, rng)
            guide.apply(unsettled, code)
            move = next(move for move in state.legal_moves() if move.code == code)
        else:
            move = generator.choice(state.legal_moves())
        state = state.play(move)
    assert not grow or guide.playout_move(unsettled, rng)[1] == -1
    for player, low, high in seen:
        for seat in range(2):
            assert state.scores()[seat] <= high[seat]
            # The player to move has to want it.
            assert low[seat] <= state.scores()[seat] or seat == player


def farthest(state: snakeden.State, seat: int) -> int:
    """The most a seat can end ahead of the other if both want it."""
    if state.is_over:
        scores = state.scores()
        return scores[seat] - scores[1 - seat]
    return max(farthest(state.play(move), seat) for move in state.legal_moves())


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), side=st.sampled_from([3, 4, 5, 6]))
def test_no_move_is_dropped_that_can_lead_where_it_must(seed: int, side: int) -> None:
    state = late_position("snekagon", seed, 300, side=side)
    guide, seat = state.variant.program, state.player
    assert seat is not None

    def pruned(need: int) -> tuple[list[int], int]:
        moves = np.array([move.code for move in state.legal_moves()], np.int32)
        kept, most = guide.prune(state.array(), need, moves, len(moves))
        return moves[:kept].tolist(), most

    reached = {move.code: farthest(state.play(move), seat) for move in state.legal_moves()}
    for code, lead in reached.items():
        assert code in pruned(lead)[0]
    best = max(reached.values())
    # Nothing leads a hundred ahead, and what is dropped for that says the most there is.
    kept, most = pruned(100)
    assert not kept
    assert best <= most < 100


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize(("game", "side"), [("snekagon", 3), ("snekagon", 5), ("snekagon-5g", 4)])
def test_no_move_leads_outside_the_limits_that_it_leaves(game: str, side: int, seed: int) -> None:
    state = late_position(game, seed, 100, side=side)
    tables, seat, position = state.variant.tables, state.player, state.array()
    assert seat is not None
    scratch = position.copy()
    with np.errstate(over="ignore"):  # kernels count bits by a product that leaves a word
        before = heuristics.before_moves(tables, position)
        assert before.other == state.scores()[1 - seat]
        for move in state.legal_moves()[:20]:
            after, then = position.copy(), state.play(move)
            rules.apply(tables, after, move.code)
            score = heuristics.score_after(tables, position, before, move.code, scratch)
            assert score == then.scores()[seat]
            sure = heuristics.sure_lead(tables, seat, after, score, before.other)
            best = heuristics.best_lead(tables, seat, after, score, before.other)
            value = minimax(then) if seat == 0 else -minimax(then)
            assert sure <= value <= farthest(then, seat) <= best
            assert score - before.most <= -farthest(then, 1 - seat)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"nest": "3x3"},
        {"border": "none"},
        {"border": "fence"},
        {"border": "frame"},
        {"snakes": 2},
        {"snakes": 2, "cards_per_turn": 1},
    ],
    ids=str,
)
def test_no_game_of_schlangennest_ends_outside_the_limits_of_its_positions(
    options: dict[str, object], seed: int
) -> None:
    state, generator = snakeden.new_game("schlangennest", **options), random.Random(seed)
    program = state.variant.program
    limits, scores = [], [state.scores()]
    while not state.is_over:
        limits.append(program.lead_bounds(state.array()))
        state = state.play(generator.choice(state.legal_moves()))
        scores.append(state.scores())
    lead = state.scores()[0] - state.scores()[1]
    assert all(low <= lead <= high for low, high in limits)
    assert limits[0][0] < 0 < limits[0][1]
    for seat in range(2):
        of_seat = [each[seat] for each in scores]
        assert of_seat == sorted(of_seat)


def test_games_for_more_than_two_are_refused() -> None:
    state = snakeden.new_game("snekagon-5g", players=3, side=4)
    with pytest.raises(ValueError, match="two players"):
        Solver(state)
