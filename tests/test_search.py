"""The tree search: any game, legal moves, planted wins, what the solver says, and its bounds."""

from __future__ import annotations

import itertools
import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import snakeden
from snakeden.core.game import Variant
from snakeden.nets.evaluator import PARAMETERS as WITH_PRIORS
from snakeden.search.evaluators import Evaluation, MixedEvaluator, PlayoutEvaluator, SolvingEvaluator
from snakeden.search.perft import perft
from snakeden.search.solver import Solver
from snakeden.search.thinking import Budget, Search
from snakeden.search.tree import bytes_a_node
from snakeden.search.workspace import Parameters

CHOICES = json.loads((Path(__file__).parent / "data" / "search_choices.json").read_text("utf-8"))
"""What the search chose in positions of `some_position`, and how often it tried each of the best moves: only a change
that is meant to change its play may change them."""

GAMES = [
    ("snekagon", {"side": 4}),
    ("snekagon-5g", {"players": 3, "side": 4}),
    ("schlangennest", {}),
    ("snakey-dice", {}),
    ("snakey-dice", {"players": 2}),
]


def some_position(game: str, seed: int, plies: int, **options: object) -> snakeden.State:
    """A position of a random game with a player to move."""
    generator = random.Random(seed)
    state = before = snakeden.new_game(game, **options)
    while plies > 0 or state.player == snakeden.CHANCE:
        if state.is_over:
            return before
        if state.player == snakeden.CHANCE:
            state = state.play(state.roll(generator))
            continue
        before = state
        plies -= 1
        state = state.play(generator.choice(state.legal_moves()))
    return before if state.is_over else state


def endings(game: str, most: int, **options: object) -> list[snakeden.State]:
    """Late positions with a choice, from which few games can be played."""
    found = []
    for seed in range(12):
        for plies in range(4, 40, 2):
            state = some_position(game, seed, plies, **options)
            if len(state.legal_moves()) > 1 and max(perft(state, depth) for depth in (1, 2, 3)) <= most:
                found.append(state)
                break
    return found


@pytest.mark.parametrize(("game", "options"), GAMES, ids=str)
def test_every_game_is_searched_and_every_move_is_legal(game: str, options: dict[str, object]) -> None:
    state = some_position(game, 1, 2, **options)
    search, generator = Search(state.variant, seed=3), random.Random(4)
    for _ in range(12):
        while state.player == snakeden.CHANCE:
            state = state.play(state.roll(generator))
        if state.is_over:
            break
        report = search.think(state, Budget(simulations=150))
        legal = set(state.legal_moves())
        assert {line.move for line in report.lines} <= legal
        for line in report.lines:
            assert len(line.wins) == len(line.scores) == state.seats
            assert sum(line.wins) == pytest.approx(1)
        state = state.play(report.lines[0].move)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("snekagon", {"side": 4}),
        ("snekagon-5g", {"players": 3, "side": 4}),
        ("snekagon-5g", {"players": 2, "side": 4, "advanced": True}),
        ("schlangennest", {"players": 3}),
        ("schlangennest", {"snakes": 2, "cards_per_turn": 1}),
        ("snakey-dice", {"players": 2}),
    ],
    ids=str,
)
def test_playouts_draw_legal_moves_to_the_end(game: str, options: dict[str, object]) -> None:
    state = snakeden.new_game(game, **options)
    guide, rng = state.variant.program, 7
    for _ in range(30):
        position = state
        while not position.is_over:
            rng, code = guide.playout_move(position.array(), rng)
            possible = [*position.legal_moves(), *(move for move, _ in position.chance_moves())]
            drawn = [move for move in possible if move.code == code]
            assert drawn, f"{code} is not legal in {position}"
            position = position.play(drawn[0])
        assert guide.playout_move(position.array(), rng)[1] == -1


def test_playouts_end_a_snake_of_schlangennest_only_where_it_must_end() -> None:
    start = snakeden.new_game("schlangennest")
    guide, rng = start.variant.program, 3
    ended = 0
    for _ in range(20):
        state = start.play("S(0,0)EW").play("C(1,1)SW")
        while not state.is_over:
            legal = state.legal_moves()
            rng, code = guide.playout_move(state.array(), rng)
            drawn = next(move for move in legal if move.code == code)
            if drawn.text[0] in "TH":
                assert all(move.text[0] in "TH" for move in legal)
                ended += 1
            state = state.play(drawn)
    assert ended


@pytest.mark.parametrize(("game", "options"), [GAMES[0], GAMES[3]], ids=str)
def test_one_seed_and_one_thread_give_one_result(game: str, options: dict[str, object]) -> None:
    state = some_position(game, 2, 3, **options)
    reports = [Search(state.variant, seed=9).think(state, Budget(simulations=300)).lines for _ in range(2)]
    assert reports[0] == reports[1]
    assert Search(state.variant, seed=10).think(state, Budget(simulations=300)).lines != reports[0]


def test_a_game_says_how_soon_its_moves_are_listed() -> None:
    state = some_position("snekagon-5g", 2, 3, players=3, side=4)
    alike, slower = (
        Search(state.variant, seed=9, parameters=Parameters(expand_after=visits)) for visits in (1, 4)
    )
    lines = Search(state.variant, seed=9).think(state, Budget(simulations=300)).lines
    assert alike.think(state, Budget(simulations=300)).lines == lines
    assert slower.think(state, Budget(simulations=300)).lines != lines


@pytest.mark.parametrize("stored", CHOICES, ids=lambda stored: f"{stored['game']} {stored['plies']}")
def test_the_search_makes_its_stored_choices(stored: dict[str, Any]) -> None:
    state = some_position(stored["game"], stored["plies"], stored["plies"], **stored["options"])
    report = Search(state.variant, seed=7).think(state, Budget(simulations=stored["simulations"]))
    assert [[line.move.text, line.simulations] for line in report.lines[:4]] == stored["lines"]


def test_several_threads_share_the_work() -> None:
    state = some_position("snekagon", 1, 2, side=4)
    report = Search(state.variant, seed=1, threads=3).think(state, Budget(simulations=301))
    assert report.simulations == 301
    assert sum(line.simulations for line in report.lines) == 301


@pytest.mark.parametrize("batch", [0, 16])
@pytest.mark.parametrize(
    ("game", "options"), [("snekagon", {"side": 4}), ("schlangennest", {"nest": "3x3"})], ids=str
)
def test_the_search_finds_what_the_solver_proves(game: str, options: dict[str, object], batch: int) -> None:
    found = endings(game, 150, **options)
    assert len(found) >= 5
    for state in found:
        solution = Solver(state, memory=1 << 18).solve(state)
        report = search_of(state, batch).think(state, Budget(simulations=20_000))
        best = report.lines[0]
        after = state.play(best.move)
        value = Solver(state, memory=1 << 18).solve(after).value
        sign = (value > 0) - (value < 0)
        # Winning comes first: the move keeps the outcome, and what is called proven is so.
        assert sign == (solution.value > 0) - (solution.value < 0)
        assert report.proven
        assert best.wins == {1: (1.0, 0.0), 0: (0.5, 0.5), -1: (0.0, 1.0)}[sign]


def search_of(state: snakeden.State, batch: int) -> Search:
    """A search with playouts inside the kernel, or with an evaluator that plays them out in batches."""
    if not batch:
        return Search(state.variant, seed=1)
    return Search(state.variant, seed=1, evaluator=PlayoutEvaluator(state.variant), batch=batch)


@pytest.mark.parametrize("batch", [0, 1, 16])
def test_a_planted_win_is_found_among_many_moves(batch: int) -> None:
    # Seat 0 joins its two snakes of four by one tile and leads for good; nothing else on this board does.
    state = planted()
    best = Solver(state, memory=1 << 22).solve(state)
    assert best.value > 0
    report = search_of(state, batch).think(state, Budget(simulations=3000))
    value = Solver(state, memory=1 << 22).solve(state.play(report.lines[0].move)).value
    assert value > 0


@cache
def planted() -> snakeden.State:
    """A late position of side 5 in which few of many moves win for the player to move, seat 0."""
    for seed in itertools.count():
        state = some_position("snekagon", seed, 8, side=5)
        if state.player != 0 or len(state.legal_moves()) < 25:
            continue
        solver = Solver(state, memory=1 << 22)
        if solver.solve(state).value <= 0:
            continue
        winning = sum(solver.solve(state.play(move)).value > 0 for move in state.legal_moves())
        if winning * 8 <= len(state.legal_moves()):
            return state
    raise AssertionError


def test_the_tree_keeps_within_its_memory() -> None:
    state = some_position("snekagon", 1, 1, side=6)
    memory = 1 << 20
    report = Search(state.variant, seed=1, memory=memory).think(state, Budget(simulations=30_000))
    # It goes on when the tree is full, unless no move can catch up with the best any more.
    assert report.nodes < report.simulations <= 30_000
    assert report.nodes <= max(1024, memory // bytes_a_node(2))
    assert report.reused == 0


def test_a_budget_of_time_ends_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    state = some_position("snekagon", 1, 1, side=6)
    search = Search(state.variant, seed=1)
    ticks = itertools.count()
    monkeypatch.setattr("snakeden.search.thinking.time.perf_counter", lambda: next(ticks) * 0.01)
    report = search.think(state, Budget(seconds=0.5))
    assert report.simulations > 0
    # A little less if no other move can catch up with the best in the time that is left.
    assert 0.3 < report.seconds < 0.6


def test_a_stop_ends_the_search() -> None:
    state = some_position("snekagon", 1, 1, side=6)
    report = Search(state.variant, seed=1).think(state, Budget(simulations=10**9), stop=lambda: True)
    assert 0 < report.simulations < 10**6


def test_what_was_learnt_is_kept_for_the_next_move() -> None:
    state = some_position("snekagon", 1, 2, side=5)
    search = Search(state.variant, seed=1)
    report = search.think(state, Budget(simulations=3000))
    for move in report.lines[0].main[:2]:
        state = state.play(move)
    again = search.think(state, Budget(simulations=100))
    assert again.reused > 0
    assert sum(line.simulations for line in again.lines) <= again.reused + 100


def test_a_position_decided_beforehand_still_gets_a_move() -> None:
    # Played out from move to move, the tree comes to positions whose winner only bounds have shown.
    for seed in range(8):
        state = some_position("snekagon", seed, 4, side=5)
        search = Search(state.variant, seed=seed)
        while not state.is_over:
            move = search.think(state, Budget(simulations=400)).lines[0].move
            assert move in state.legal_moves()
            state = state.play(move)


@pytest.mark.parametrize(
    ("side", "seed", "plies", "sims"), [(4, 17, 4, 200), (4, 31, 4, 600), (5, 45, 6, 600)]
)
def test_a_move_that_is_known_to_lose_is_not_chosen_while_others_may_win(
    side: int, seed: int, plies: int, sims: int
) -> None:
    # In each of these the move that was tried most often turned out to be lost near the end of the search.
    generator, state = random.Random(10 * seed + plies), snakeden.new_game("snekagon", side=side)
    for _ in range(plies):
        state = state.play(generator.choice(state.legal_moves()))
    best, *others = Search(state.variant, seed=seed).think(state, Budget(simulations=sims)).lines
    seat = state.player
    assert seat is not None
    assert any(
        line.proven and line.wins[seat] == 0 and line.simulations > best.simulations for line in others
    )
    assert best.wins[seat] > 0


@pytest.mark.parametrize("seed", [58, 214, 373])
def test_the_main_line_of_what_is_certain_keeps_it(seed: int) -> None:
    # In each of these a reply that is tried often is not the one that makes the outcome certain.
    generator, state = random.Random(seed), snakeden.new_game("snekagon", side=4)
    for _ in range(3):
        state = state.play(generator.choice(state.legal_moves()))
    report = Search(state.variant, seed=1, memory=1 << 26).think(state, Budget(simulations=6000))
    assert report.proven
    solver = Solver(state, memory=1 << 22)
    outcomes = [np.sign(solver.solve(state).value)]
    for move in report.lines[0].main:
        state = state.play(move)
        outcomes.append(np.sign(solver.solve(state).value))
    assert len(outcomes) > 2
    assert len(set(outcomes)) == 1


@pytest.mark.parametrize(
    "budget", [{"simulations": 0}, {"simulations": -5}, {"seconds": 0}, {"seconds": -1.0}, {}]
)
def test_a_budget_of_nothing_is_refused(budget: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="budget"):
        Budget(**budget)


def test_nobody_to_move_is_nothing_to_think_about() -> None:
    state = snakeden.new_game("snakey-dice")
    assert state.player == snakeden.CHANCE
    with pytest.raises(ValueError, match="nothing to think about"):
        Search(state.variant).think(state, Budget(simulations=1))


# -- evaluators


class Watched:
    """An evaluator that looks at what it is asked: playouts, with the same prior for every move if `priors`."""

    def __init__(self, variant: Variant, priors: bool) -> None:
        self.gives_priors = priors
        self.sizes: list[int] = []
        self._variant, self._playouts = variant, PlayoutEvaluator(variant)

    def __call__(self, positions: NDArray[Any]) -> Evaluation:
        tables, rules = self._variant.tables, self._variant.program
        for position in positions:
            settled = position.copy()
            rules.settle(settled)
            assert (settled == position).all()
            assert 0 <= rules.turn(settled) < tables.seats
        self.sizes.append(len(positions))
        values = self._playouts(positions).values
        priors = np.full((len(positions), tables.actions), 0.5, np.float32) if self.gives_priors else None
        return Evaluation(values, priors)


@pytest.mark.parametrize(("priors", "parameters"), [(False, None), (True, None), (True, WITH_PRIORS)])
@pytest.mark.parametrize(("game", "options"), GAMES, ids=str)
def test_an_evaluator_is_asked_about_many_positions_at_once(
    game: str, options: dict[str, object], priors: bool, parameters: Parameters | None
) -> None:
    state, generator = some_position(game, 1, 2, **options), random.Random(4)
    evaluator = Watched(state.variant, priors)
    search = Search(state.variant, seed=3, evaluator=evaluator, batch=8, parameters=parameters)
    for _ in range(6):
        while state.player == snakeden.CHANCE:
            state = state.play(state.roll(generator))
        if state.is_over:
            break
        report = search.think(state, Budget(simulations=150))
        assert report.simulations <= 150
        # Nothing is left of virtual visits: each simulation tried one move.
        tried = sum(line.simulations for line in report.lines)
        assert tried <= report.simulations + report.reused
        assert tried == report.simulations or report.reused > 0
        assert {line.move for line in report.lines} <= set(state.legal_moves())
        for line in report.lines:
            assert sum(line.wins) == pytest.approx(1)
        state = state.play(report.lines[0].move)
    # While a tree is small they are few: what one leaf is worth says where the next should be.
    assert evaluator.sizes[0] == 1 and max(evaluator.sizes) == 8
    assert np.mean(evaluator.sizes) > 2.5


class Fancy:
    """An evaluator to which all is even, with a taste for one move."""

    gives_priors = True

    def __init__(self, variant: Variant, code: int) -> None:
        self._tables, self._code = variant.tables, code

    def __call__(self, positions: NDArray[Any]) -> Evaluation:
        values = np.zeros((len(positions), 2 * self._tables.seats))
        values[:, : self._tables.seats] = 1 / self._tables.seats
        priors = np.zeros((len(positions), self._tables.actions), np.float32)
        priors[:, self._code] = 1.0
        return Evaluation(values, priors)


@pytest.mark.parametrize("puct", [0.0, 1.25])
def test_the_evaluators_priors_say_which_moves_are_tried(puct: float) -> None:
    state = snakeden.new_game("snekagon", side=5)
    parameters = Parameters(puct=puct, exploration=0.35 if not puct else 0.0)
    for move in state.legal_moves()[::97]:
        evaluator = Fancy(state.variant, move.code)
        search = Search(state.variant, seed=1, evaluator=evaluator, parameters=parameters)
        report = search.think(state, Budget(simulations=60))
        first, second = report.lines[:2]
        assert first.move == move
        # The prior of PUCT counts for more the longer the search, the other one for less.
        assert first.simulations > (2 if puct else 1) * second.simulations


@pytest.mark.parametrize(
    ("reduction", "least", "most"), [(0.0, 40, 64), (0.1, 10, 30), (1.0, 1, 1), (-1.0, 8, 10)]
)
def test_untried_moves_promise_less_than_tried_ones_by_as_much_as_asked(
    reduction: float, least: int, most: int
) -> None:
    """Where all moves turn out the same, priors and the reduction say how many are tried. Below 0 widening says it."""
    state = snakeden.new_game("snekagon", side=5)
    actions, seats = state.variant.tables.actions, state.seats

    class Even:
        gives_priors = True

        def __call__(self, positions: NDArray[Any]) -> Evaluation:
            return Evaluation(
                np.full((len(positions), 2 * seats), 0.5),
                np.full((len(positions), actions), 0.02, np.float32),
            )

    parameters = WITH_PRIORS._replace(fpu_reduction=reduction, widening=1.0 if reduction < 0 else 0.0)
    search = Search(state.variant, seed=1, parameters=parameters, evaluator=Even(), batch=1)
    assert least <= len(search.think(state, Budget(simulations=64)).lines) <= most


def test_a_single_simulation_with_priors_tries_a_move() -> None:
    state = snakeden.new_game("snekagon", side=5)
    move = state.legal_moves()[5]
    search = Search(state.variant, evaluator=Fancy(state.variant, move.code))
    report = search.think(state, Budget(simulations=1))
    assert [(line.move, line.simulations) for line in report.lines] == [(move, 1)]


@pytest.mark.parametrize(
    ("values", "priors", "complaint"),
    [
        (np.zeros((1, 3)), None, "values have the shape"),
        (np.full((1, 4), np.nan), None, "not a finite number"),
        (np.zeros((1, 4)), np.zeros((1, 7)), "priors have the shape"),
    ],
)
def test_an_evaluation_that_does_not_fit_is_refused(
    values: NDArray[np.float64], priors: NDArray[np.float32] | None, complaint: str
) -> None:
    state = snakeden.new_game("snekagon", side=4)
    playouts, broken = PlayoutEvaluator(state.variant), True

    class Sometimes:
        gives_priors = False

        def __call__(self, positions: NDArray[Any]) -> Evaluation:
            return Evaluation(values, priors) if broken else playouts(positions)

    search = Search(state.variant, evaluator=Sometimes(), batch=1)
    with pytest.raises(ValueError, match=complaint):
        search.think(state, Budget(simulations=50))
    broken = False
    report = search.think(state, Budget(simulations=50))
    assert report.reused == 0
    assert sum(line.simulations for line in report.lines) == report.simulations


class Misled:
    """Hopes for one move and expects three points more of another, in a game for one."""

    gives_priors = True

    def __init__(self, state: snakeden.State, hoped: snakeden.Move, better: snakeden.Move) -> None:
        self._actions, self._hoped = int(state.variant.tables.actions), hoped.code
        worse_words, better_words = state.play(hoped).array(), state.play(better).array()
        self._differ = worse_words != better_words
        self._worse, self._better = worse_words[self._differ], better_words[self._differ]

    def __call__(self, positions: NDArray[Any]) -> Evaluation:
        words = positions[:, self._differ]
        is_better = (words == self._better).mean(1) > (words == self._worse).mean(1)
        priors = np.full((len(positions), self._actions), 0.1, np.float32)
        priors[:, self._hoped] = 0.9
        return Evaluation(np.stack([np.ones(len(positions)), 50 + 3.0 * is_better], 1), priors)


def test_alone_a_few_points_count_more_than_priors() -> None:
    """Playouts differ by dozens of points, and what they differ by is no measure for a network."""
    state, generator = snakeden.new_game("snakey-dice"), random.Random(2)
    moves: list[snakeden.Move] = []
    # Two moves to choose from, of which none rolls dice.
    while [str(move).partition(":")[0] for move in moves] != ["use", "use"]:
        rolls = state.player is not None and state.player < 0
        state = state.play(state.roll(generator) if rolls else generator.choice(state.legal_moves()))
        moves = [*state.legal_moves()] if state.player == 0 else []
    hoped, better = moves
    search = Search(
        state.variant, seed=1, parameters=WITH_PRIORS, evaluator=Misled(state, hoped, better), batch=1
    )
    assert search.think(state, Budget(simulations=100)).lines[0].move == better


def test_an_evaluator_serves_several_threads_and_knows_what_is_certain() -> None:
    state = endings("snekagon", 150, side=4)[0]
    evaluator = PlayoutEvaluator(state.variant, playouts=2)
    report = Search(state.variant, evaluator=evaluator, threads=2).think(state, Budget(simulations=20_000))
    assert report.proven


def test_a_share_of_the_values_is_anothers_and_the_priors_are_not() -> None:
    state = snakeden.new_game("snekagon", side=4)
    actions = state.variant.tables.actions

    class Says:
        def __init__(self, value: float, prior: float | None) -> None:
            self.value, self.prior, self.gives_priors = value, prior, prior is not None

        def __call__(self, positions: NDArray[Any]) -> Evaluation:
            n = len(positions)
            priors = None if self.prior is None else np.full((n, actions), self.prior, np.float32)
            return Evaluation(np.full((n, 4), self.value), priors)

    mixed = MixedEvaluator(Says(1.0, 0.5), Says(3.0, None), 0.25)
    said = mixed(state.array()[None])
    assert mixed.gives_priors and said.priors is not None and (said.priors == 0.5).all()
    assert said.values == pytest.approx(np.full((1, 4), 1.5))
    assert not MixedEvaluator(Says(3.0, None), Says(1.0, 0.5), 0.25).gives_priors


def test_what_the_solver_decides_of_leaves_is_certain_in_the_tree() -> None:
    found = endings("snekagon", 10_000, side=4)
    assert len(found) >= 5
    certain = 0
    for state in found:
        playouts, solver = PlayoutEvaluator(state.variant), Solver(state, memory=1 << 20)
        asked = SolvingEvaluator(state.variant, playouts, solver)
        # The tree is carried over to the next moves.
        search = Search(state.variant, seed=1, evaluator=asked, batch=8)
        while state.player is not None:
            report = search.think(state, Budget(simulations=60))
            best, value = report.lines[0], solver.solve(state).value
            after = solver.solve(state.play(best.move)).value
            if report.proven:
                certain += 1
                assert (after > 0, after < 0) == (value > 0, value < 0)
                assert best.wins[0] == (1.0 if value > 0 else 0.5 if value == 0 else 0.0)
            state = state.play(best.move)
    assert certain >= 20
    alone = Search(found[0].variant, seed=1, evaluator=PlayoutEvaluator(found[0].variant), batch=8)
    assert not alone.think(found[0], Budget(simulations=60)).proven


def test_the_solver_is_hardly_asked_where_it_cannot_say(monkeypatch: pytest.MonkeyPatch) -> None:
    start = snakeden.new_game("snekagon")
    asked: list[float | None] = []
    solver = Solver(start, memory=1 << 20)
    ask = Solver.victory_share

    def noted(*given: Any, **more: Any) -> float | None:
        asked.append(ask(*given, **more))
        return asked[-1]

    monkeypatch.setattr(Solver, "victory_share", noted)
    evaluator = SolvingEvaluator(start.variant, PlayoutEvaluator(start.variant), solver)
    Search(start.variant, seed=1, evaluator=evaluator, batch=8).think(start, Budget(simulations=300))
    assert 0 < len(asked) < 40 and set(asked) == {None}


def test_a_batch_of_nothing_is_refused() -> None:
    state = snakeden.new_game("snekagon", side=4)
    with pytest.raises(ValueError, match="batch"):
        Search(state.variant, evaluator=PlayoutEvaluator(state.variant), batch=0)
