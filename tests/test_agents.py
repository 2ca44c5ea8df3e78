"""Agents through their public face: names, legal choices, reasons, seeds."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest

import snakeden
from snakeden import agents, puzzles
from snakeden.core.moves import Move
from snakeden.search.solver import Solution, Solver

NAMES = [
    "random",
    "greedy",
    "greedy:slip=0.5",
    "greedy:sees=3,solver=yes",
    "mcts:sims=40",
    "level:1",
    "level:3",
    "best:time=2ms",
]


@pytest.mark.parametrize("name", NAMES)
def test_whole_games_are_played_with_legal_moves(name: str) -> None:
    state = snakeden.new_game("snekagon", side=3)
    seats = [agents.make(name, seed=1), agents.make("random", seed=2)]
    while state.player is not None:
        choice = seats[state.player].choose(state)
        assert choice.move in state.legal_moves()
        state = state.play(choice.move)
    assert state.is_over


@pytest.mark.parametrize("name", [name for name in NAMES if "time=" not in name])
def test_the_same_seed_chooses_the_same(name: str) -> None:
    def moves() -> list[str]:
        state, agent, played = snakeden.new_game("snekagon", side=4), agents.make(name, seed=7), []
        for _ in range(6):
            choice = agent.choose(state)
            played.append(choice.move.text)
            state = state.play(choice.move)
        return played

    assert moves() == moves()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("clever", "agents are random, greedy"),
        ("mcts", "how long it may think"),
        ("mcts:sims=many", "a whole number"),
        ("mcts:sims=0", "a whole number"),
        ("mcts:time=1", "100ms"),
        ("mcts:time=0s", "100ms"),
        ("mcts:depth=3", "mcts takes sims=2000"),
        ("mcts:sims=1,sims=2", "is not possible"),
        ("mcts:", "there is no agent"),
        ("greedy:slip=2", "a probability"),
        ("greedy:sees=0", "a whole number"),
        ("greedy:solver=perhaps", "yes or no"),
        ("random:seed=1", "takes nothing"),
        ("best:sims=100", "best takes time=1s"),
        ("best:time=soon", "100ms"),
        ("level:7", "level:1 to level:6"),
        ("level", "level:1 to level:6"),
    ],
)
def test_a_bad_name_says_what_is_allowed(name: str, expected: str) -> None:
    with pytest.raises(agents.BadAgent, match=expected):
        agents.make(name)


def test_a_choice_carries_reasons_that_can_travel() -> None:
    state = snakeden.new_game("snekagon", side=3).play("c3")
    choice = agents.make("mcts:sims=200,solver=no", seed=1).choose(state)
    reasons = choice.reasons
    assert reasons.lines[0].move == choice.move
    assert 0 < reasons.simulations <= 200
    for line in reasons.lines:
        assert sum(line.wins) == pytest.approx(1)
        assert len(line.scores) == 2
        assert line.main[0] == line.move
        after = state
        for move in line.main:
            after = after.play(move)
    assert pickle.loads(pickle.dumps(choice)) == choice
    words = [str(said) for said in choice.words(seat=1)]
    assert words[0].startswith(f"{choice.move}: ")
    assert "to win" in words[0] or "certain" in words[0]


@pytest.mark.parametrize("agent", ["mcts:sims=40,solver=no", "greedy"])
def test_reasons_name_moves_as_people_say_them(agent: str) -> None:
    state = snakeden.new_game("schlangennest", nest="3x3").play("S(0,0)EW")
    choice = agents.make(agent, seed=1).choose(state)
    said = [str(one) for one in choice.words(1, say=lambda move: state.variant.game.spoken(move.text))]
    notation = {str(move) for move in state.legal_moves()}
    assert any(text in sentence for sentence in map(str, choice.words(1)) for text in notation)
    assert not any(text in sentence for sentence in said for text in notation)


@pytest.mark.parametrize("seed", [-1, 2**63, 10**30])
def test_any_whole_number_is_a_seed(seed: int) -> None:
    state = snakeden.new_game("snekagon", side=3)
    for name in ("random", "greedy", "mcts:sims=20,solver=no"):
        assert agents.make(name, seed=seed).choose(state).move in state.legal_moves()


def test_more_threads_than_simulations_do_no_harm() -> None:
    state = snakeden.new_game("snekagon", side=3)
    agent = agents.make("mcts:sims=1,threads=3,solver=no", seed=1)
    while not state.is_over:
        choice = agent.choose(state)
        assert choice.reasons.simulations <= 1
        assert all(0 <= won <= 1 for line in choice.reasons.lines for won in line.wins)
        state = state.play(choice.move)


def test_near_the_end_the_choice_is_exact() -> None:
    state = snakeden.new_game("snekagon", side=3).play("c3")
    choice = agents.make("mcts:sims=5000", seed=1).choose(state)
    assert choice.reasons.proven
    best = choice.reasons.lines[0]
    assert (best.wins, best.scores) == ((0.0, 1.0), (8.0, 9.0))
    for move in best.main:
        state = state.play(move)
    assert state.scores() == (8, 9)
    assert "a certain win with 8 : 9" in " ".join(map(str, choice.words(seat=1)))


@pytest.mark.parametrize(
    ("sims", "proven", "expected"),
    [
        (5, False, "to win"),
        (31, True, "d4-e3-e2-e1 loses by 1 at most, whatever happens."),
        (80, True, "d4-e3-e2-e1: a certain loss with 8 : 9"),
    ],
)
def test_the_more_the_solver_may_look_at_the_more_is_certain(
    sims: int, proven: bool, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("snakeden.search.solver._SLICE", 1)
    state = snakeden.new_game("snekagon", side=3).play("c3").play("a3-a2-a1-b1")
    choice = agents.make(f"mcts:sims={sims}", seed=1).choose(state)
    assert choice.reasons.proven == proven
    assert expected in " ".join(map(str, choice.words(seat=0)))


def test_a_solver_that_found_nothing_is_asked_again_only_where_its_work_is_much_smaller(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[snakeden.State] = []

    def in_vain(self: Solver, state: snakeden.State, **limits: Any) -> Solution:
        asked.append(state)
        return Solution(-99, 99, None, (), (), 0, 0.0)

    monkeypatch.setattr(Solver, "solve", in_vain)
    start = snakeden.new_game("snekagon", side=3)
    agent = agents.make("mcts:sims=500", seed=1)
    for _ in range(2):
        assert not agent.choose(start).reasons.note
    assert asked == [start]
    late = start
    for move in ("c3", "a3-a2-a1-b1", "d4-e3-e2-e1", "c1-d1-d2"):
        late = late.play(move)
    agent.choose(late)
    assert asked == [start, late]


def test_who_sees_few_moves_says_what_it_overlooked() -> None:
    state = snakeden.new_game("snekagon", side=4)
    all_seen = agents.make("greedy", seed=1)
    for seed in range(20):
        choice = agents.make("greedy:sees=2", seed=seed).choose(state)
        overlooked = choice.reasons.overlooked
        if overlooked is not None:
            break
    assert overlooked is not None
    assert overlooked != choice.move
    assert f"overlooked {overlooked}" in " ".join(map(str, choice.words(seat=0)))
    assert all_seen.choose(state).reasons.overlooked is None


def test_a_level_is_what_the_game_says() -> None:
    alone, duel = (snakeden.new_game("snakey-dice", players=players) for players in (1, 2))
    assert agents.resolve("level:4", alone.variant) != agents.resolve("level:4", duel.variant)
    assert agents.resolve("mcts:sims=5", duel.variant) == "mcts:sims=5"
    one = agents.make("level:2", seed=3)
    for state in (snakeden.new_game("snekagon", side=3), snakeden.new_game("schlangennest")):
        other = agents.make(agents.resolve("level:2", state.variant), seed=3)
        assert one.choose(state).move == other.choose(state).move


@pytest.mark.parametrize("game", snakeden.games())
def test_every_game_has_all_levels(game: str) -> None:
    variant = snakeden.new_game(game).variant
    names = [agents.resolve(f"level:{n}", variant) for n in range(1, len(agents.LEVELS) + 1)]
    assert len(set(names)) == len(agents.LEVELS)
    for name in names:
        agents.make(name)


@pytest.mark.parametrize("level", range(1, 6))
def test_a_level_that_sees_a_proven_win_plays_it(level: int) -> None:
    """In each of these positions one move alone wins. At the end of a game everybody sees it."""
    for game in ("snekagon", "snekagon-5g", "schlangennest"):
        for puzzle in sorted(puzzles.shipped(game), key=lambda puzzle: len(puzzle.line))[:12]:
            choice = agents.make(f"level:{level}", seed=level).choose(puzzle.state())
            if choice.reasons.proven or len(puzzle.line) == 1:
                assert choice.move.text in puzzle.solutions, f"{game} {puzzle.id}"


@pytest.mark.parametrize(
    ("game", "options"), [("snekagon-5g", {"players": 3}), ("snakey-dice", {"players": 2})]
)
def test_a_win_at_once_is_seen_where_there_is_no_solver(game: str, options: dict[str, Any]) -> None:
    found = 0
    for seed in range(40):
        dice = random.Random(seed)
        state = before = snakeden.new_game(game, **options)
        while state.player is not None:
            move = state.roll(dice) if state.player < 0 else dice.choice(state.legal_moves())
            before, state = (before if state.player < 0 else state), state.play(move)
        wins = {move for move in before.legal_moves() if _wins_at_once(before, move)}
        if wins and len(wins) < len(before.legal_moves()):
            found += 1
            assert agents.make("level:1", seed=seed).choose(before).move in wins
    assert found


def _wins_at_once(state: snakeden.State, move: Move) -> bool:
    after = state.play(move)
    return after.is_over and after.winners() == (state.player,)


def test_a_finished_game_offers_no_choice() -> None:
    state = snakeden.new_game("snekagon", side=3)
    while not state.is_over:
        state = state.play(state.legal_moves()[0])
    for name in NAMES:
        with pytest.raises(ValueError, match="nothing to choose"):
            agents.make(name).choose(state)
