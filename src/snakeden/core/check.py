"""The public conformance check: whoever adds a game runs this one.

Random games of random options, drawn by hypothesis, which finds a small failing case by itself.
"""

from __future__ import annotations

import pickle
import random
from typing import TYPE_CHECKING, Any

from snakeden.core.errors import BadOption, IllegalMove
from snakeden.core.game import CHANCE, Game
from snakeden.core.moves import Move
from snakeden.core.options import Option, checked
from snakeden.core.registry import game as find_game
from snakeden.core.state import State, new_game, restore

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

MOST_PLIES = 20_000
"""A game longer than this is taken for one that never ends."""
MOVES_TRIED = 24
"""How many moves of a position are looked at one by one."""
PLIES_LOOKED_AT = 6
"""How many positions of a game are looked at closely."""
NONSENSE = ("", " ", "x", "-", "a1-", "!", "1:", "a1--a2", "99", "\x00", "é", "a" * 300)


def check_game(game: str, *, examples: int = 20, **options: Any) -> None:
    """Play random games and hold them to the protocol; raises AssertionError where they break it.

    Options that are given are kept; the others are drawn at random. Needs hypothesis
    (`pip install snakeden[check]`).
    """
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st

    found = find_game(game)
    checked(found.id, found.options, options)
    played = 0

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(drawn=_option_values(found, options), seed=st.integers(0, 2**32 - 1))
    def play(drawn: dict[str, Any], seed: int) -> None:
        try:
            start = new_game(game, **drawn)
        except BadOption:
            return  # options that do not go together
        nonlocal played
        played += 1
        _check_whole_game(start, random.Random(seed))

    play()
    assert played, "nothing was checked: no options that go together were found"


def _option_values(game: Game, fixed: dict[str, Any]) -> SearchStrategy[dict[str, Any]]:
    from hypothesis import strategies as st

    def values(option: Option) -> SearchStrategy[Any]:
        if option.kind == "bool":
            return st.booleans()
        if option.kind == "int":
            return st.integers(option.low, option.high)
        if option.kind == "list":
            return st.lists(st.sampled_from(option.choices), unique=True, max_size=len(option.choices))
        return st.sampled_from(option.choices)

    free = {option.name: values(option) for option in game.options if option.name not in fixed}
    return st.fixed_dictionaries({name: st.just(value) for name, value in fixed.items()}, optional=free)


def _check_whole_game(state: State, rng: random.Random) -> None:
    ply = 0
    looked_at = {0, *(rng.randrange(60) for _ in range(PLIES_LOOKED_AT - 1))}
    while not state.is_over:
        assert ply < MOST_PLIES, f"the game has not ended after {ply} plies"
        if ply in looked_at:
            _check_position(state, rng)
        moves = [move for move, _ in state.chance_moves()] or state.legal_moves()
        assert moves, "a running game has no move"
        state = state.play(rng.choice(moves))
        ply += 1
    _check_end(state)


def _check_position(state: State, rng: random.Random) -> None:
    before = state.text
    chance = state.player == CHANCE
    assert state.player is not None
    assert chance or 0 <= state.player < state.seats
    assert state.winners() == ()
    assert state.outcome() is None
    assert len(state.scores()) == state.seats
    outcomes = state.chance_moves()
    assert bool(outcomes) == chance, "chance outcomes are there at CHANCE, and only there"
    moves = [move for move, _ in outcomes] if chance else state.legal_moves()
    assert chance == (not state.legal_moves()), "a running game has a move, and none at CHANCE"
    if chance:
        assert all(0 < probability <= 1 for _, probability in outcomes)
        assert abs(sum(probability for _, probability in outcomes) - 1) < 1e-9, "probabilities sum to 1"
        assert state.roll(rng) in moves
    assert moves == sorted(moves), "moves come by ascending code"
    assert len({move.text for move in moves}) == len(moves), "no text twice"
    assert len({move.code for move in moves}) == len(moves), "no code twice"
    _check_moves(state, rng.sample(moves, min(len(moves), MOVES_TRIED)))
    _check_refusals(state, set(moves), rng)
    again = restore(before)
    assert again == state
    assert hash(again) == hash(state)
    assert pickle.loads(pickle.dumps(state)) == state
    assert again.legal_moves() == state.legal_moves()
    assert state.text == before, "looking at a position changed it"


def _check_moves(state: State, moves: list[Move]) -> None:
    before = state.text
    reached: dict[State, Move] = {}
    for move in moves:
        assert state.move(move.text) == move, f"{move} does not parse back to itself"
        assert state.move(move.code) == move
        following = state.play(move)
        assert following == state.play(move.text) == state.play(move.code)
        assert state.text == before, f"playing {move} changed the old state"
        assert following != state, f"{move} changes nothing"
        twin = reached.setdefault(following, move)
        assert twin == move or state.variant.game.equivalent_moves, (
            f"{move} and {twin} lead to the same state"
        )


def _check_refusals(state: State, legal: set[Move], rng: random.Random) -> None:
    before = state.text
    actions = int(state.variant.tables.actions)
    wrong: list[Move | str | int] = [*NONSENSE, actions, -1, Move(actions, "nothing"), Move(-1, "nothing")]
    codes = {move.code for move in legal}
    numbers = [rng.randrange(actions) for _ in range(MOVES_TRIED)]
    for code in numbers:
        if code not in codes:
            wrong += [code, Move(code, state.variant.text(code))]
    texts = {move.text for move in legal}
    for move in wrong:
        if str(move) in texts:
            continue
        try:
            state.play(move)
        except IllegalMove as error:
            assert len(str(error)) > 10, f"{move!r} is refused without a word"
        else:
            raise AssertionError(f"{move!r} is not legal and was played")
    assert state.text == before, "a refused move changed the state"


def _check_end(state: State) -> None:
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners == state.winners() != ()
    assert outcome.scores == state.scores()
    assert str(outcome.reason)
    assert state.legal_moves() == []
    assert state.chance_moves() == []
    best = max(state.scores())
    assert state.winners() == tuple(seat for seat in range(state.seats) if state.scores()[seat] == best)
    assert restore(state.text) == state
    try:
        state.play("anything")
    except IllegalMove as error:
        assert "over" in str(error)
    else:
        raise AssertionError("a finished game took a move")
