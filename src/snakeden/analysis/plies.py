"""The analysis of one position of a played game. It needs nothing but the record and the ply, so that positions can be
analysed one after the other, in any order, by whoever has time.

Where the solver answers, values are exact. Elsewhere a move is searched twice, before it is played and after. A short
search overrates the side to move; the mean of the two does so much less.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from snakeden import agents
from snakeden.analysis.measure import Mark, mark_of
from snakeden.core.game import CHANCE
from snakeden.core.moves import Move
from snakeden.core.outcome import victory_shares
from snakeden.core.state import State
from snakeden.nets.evaluator import NetEvaluator, network_for, search_with
from snakeden.records import Record
from snakeden.search.solver import Solution, Solver, can_solve
from snakeden.search.thinking import Budget, Line, Search
from snakeden.words import Message, to_data

SIMULATIONS = 2000
"""Simulations for each position, by default."""
SIMULATIONS_WITH_NET = 200
"""The same with a network, which takes longer for each and says more."""
_LINES = 3
_MAIN = 12
"""The most moves of a line that are shown."""
_POSITIONS_A_SIMULATION = 40
"""What the solver may look at for each simulation of the budget."""
_POSITIONS_A_SIMULATION_WITH_NET = 400
"""The same with a network, so that by default positions are solved that are solved without one."""
_WELL_TRIED = 0.1
"""A move that got this part of the simulations is known well enough from them."""
_ROLLS = 8
"""This many rolls of the dice are tried after a move that ends in one."""
_MEMORY = 64 << 20
_SEED = 1


Bias = tuple[float, ...]
"""Per seat, of the chance to win and then of the score."""


@dataclass(frozen=True)
class Value:
    """What a position is worth to each seat."""

    wins: tuple[float, ...]
    scores: tuple[float, ...]
    proven: bool

    def gain(self, seat: int) -> float:
        """What the measure counts for a seat: its chance to win, or alone its points."""
        return self.scores[0] if len(self.scores) == 1 else self.wins[seat]


@dataclass(frozen=True)
class Candidate:
    """A move that is worth considering."""

    move: str
    value: Value
    main: tuple[str, ...]
    """How the game would go on, this move first."""
    does: tuple[Message, ...]
    """What the move does at once, in phrases."""


@dataclass(frozen=True)
class Ply:
    """A position of a game, and the move that was played there."""

    number: int
    """How many moves had been played."""
    player: int | None
    """The seat to move; None where dice decide and at the end."""
    value: Value | None
    """Under best play; None where dice decide."""
    candidates: tuple[Candidate, ...] = ()
    """The best moves, best first."""
    move: str | None = None
    """What was played; None in the last position."""
    given_away: float = 0.0
    """Chance to win, or alone expected points, that the move cost its player."""
    mark: Mark | None = None
    proof: Message | None = None
    """What is proven, as a sentence."""
    does: tuple[Message, ...] = ()
    """What the move that was played does."""

    def data(self) -> dict[str, Any]:
        """As what JSON can hold."""
        return {
            "ply": self.number,
            "player": self.player,
            "value": _data(self.value),
            "proof": to_data(self.proof) if self.proof else None,
            "move": self.move,
            "mark": self.mark,
            "given_away": round(self.given_away, 4),
            "does": [to_data(one) for one in self.does],
            "candidates": [
                {
                    "move": one.move,
                    "value": _data(one.value),
                    "main": list(one.main),
                    "does": [to_data(phrase) for phrase in one.does],
                }
                for one in self.candidates
            ],
        }


def _data(value: Value | None) -> dict[str, Any] | None:
    if value is None:
        return None
    wins, scores = ([round(one, 4) for one in part] for part in (value.wins, value.scores))
    return {"wins": wins, "scores": scores, "proven": value.proven}


@dataclass(frozen=True)
class Analysis:
    """A game and what the engine thinks of it."""

    record: Record
    simulations: int
    plies: tuple[Ply, ...]
    net: bool = False
    """Whether the game's network evaluated positions."""

    def marks(self, seat: int) -> Counter[Mark]:
        """How often this seat's moves got each mark."""
        return Counter(ply.mark for ply in self.plies if ply.player == seat and ply.mark is not None)


def analyse(
    record: Record,
    *,
    simulations: int | None = None,
    net: bool = False,
    advance: Callable[[], None] | None = None,
) -> Analysis:
    """Look at every position of a game, with playouts or with the game's network; raises BadRecord, and BadNet where no
    network serves. `advance` is called after each position."""
    states = tuple(record.states())
    analyser = _Analyser(states[0], simulations, net)
    plies = []
    for number in range(len(states)):
        plies.append(analyser.ply(states, record.moves, number))
        if advance is not None:
            advance()
    return Analysis(record, analyser.simulations, tuple(plies), net)


def analyse_ply(
    record: Record, number: int, *, simulations: int | None = None, net: bool = False, wait: bool = True
) -> Ply:
    """Look at the position after this many moves, and at the move that was played there. If nobody is to `wait` while
    the kernels that a network needs are being compiled, BadNet is raised then."""
    last = min(number + 1, len(record.moves))
    states = tuple(state for at, state in enumerate(record.states()) if at <= last)
    if not 0 <= number < len(states):
        raise ValueError(f"there is no ply {number}: the record has {len(record.moves)} moves")
    return _Analyser(states[0], simulations, net, wait=wait).ply(states, record.moves, number)


class _Analyser:
    """Analyses positions of one game, with one solver for all of them."""

    def __init__(self, start: State, simulations: int | None, net: bool, *, wait: bool = True) -> None:
        default = SIMULATIONS_WITH_NET if net else SIMULATIONS
        self.simulations = default if simulations is None else simulations
        self._solver = Solver(start, memory=_MEMORY) if can_solve(start) else None
        variant = start.variant
        self._evaluator = NetEvaluator(variant, network_for(variant), wait=wait) if net else None
        each = _POSITIONS_A_SIMULATION_WITH_NET if net else _POSITIONS_A_SIMULATION
        self._positions = self.simulations * each

    def ply(self, states: tuple[State, ...], moves: tuple[str, ...], number: int) -> Ply:
        state = states[number]
        move = moves[number] if number < len(moves) else None
        if state.player == CHANCE:
            return Ply(number, None, None, move=move)
        if state.player is None:
            return Ply(number, None, _final(state))
        solution = self._solve(state)
        candidates, lines, bias = self._candidates(state, solution)
        best = candidates[0]
        if move is None:
            return Ply(number, state.player, best.value, candidates, proof=_proof(state, solution))
        played = state.move(move)
        found = next((one.value for one in candidates if one.move == played.text), None)
        value = found or self._value_of(state, played, lines, bias, solution is not None)
        given_away = max(0.0, best.value.gain(state.player) - value.gain(state.player))
        is_best = played.text == best.move or (value.proven and value == best.value)
        return Ply(
            number,
            state.player,
            best.value,
            candidates,
            played.text,
            given_away,
            mark_of(given_away, is_best=is_best, alone=state.seats == 1),
            _proof(state, solution),
            agents.effects(state, played),
        )

    # -- values

    def _search(self, state: State) -> Search:
        """A search that knows nothing yet, so that a position is worth the same whatever was looked at before."""
        if self._evaluator is None:
            return Search(state.variant, seed=_SEED, memory=_MEMORY)
        return search_with(self._evaluator, state.variant, seed=_SEED, memory=_MEMORY)

    def _solve(self, state: State) -> Solution | None:
        """The position solved, if that is cheap enough."""
        if self._solver is None:
            return None
        solution = self._solver.solve(state, positions=self._positions)
        return solution if solution.scores else None

    def _candidates(
        self, state: State, solution: Solution | None
    ) -> tuple[tuple[Candidate, ...], tuple[Line, ...], Bias]:
        """The best moves, best first; the lines of the search, and how much it is too hopeful."""
        lines = self._search(state).think(state, Budget(self.simulations)).lines
        bias = (0.0,) * (2 * state.seats)
        if solution is None and not lines[0].proven:
            bias = _difference(lines[0], self._value(state.play(lines[0].move), self.simulations))
        found: dict[Move, tuple[Value, tuple[Move, ...]]] = {}
        if solution is not None:
            found[solution.line[0]] = _proven(solution.scores), solution.line
        for line in lines:
            if len(found) >= _LINES:
                break
            if line.move not in found:
                value = self._value_of(state, line.move, lines, bias, solution is not None)
                found[line.move] = value, line.main
        seat = state.player or 0
        ranked = sorted(
            found.items(), key=lambda pair: (pair[1][0].gain(seat), pair[1][0].scores[seat]), reverse=True
        )
        candidates = (
            Candidate(move.text, value, tuple(one.text for one in main[:_MAIN]), agents.effects(state, move))
            for move, (value, main) in ranked
        )
        return tuple(candidates), lines, bias

    def _value_of(self, state: State, move: Move, lines: tuple[Line, ...], bias: Bias, solved: bool) -> Value:
        """What a move keeps: exactly where the position is solved, else the mean of the looks from both sides."""
        after = state.play(move)
        if solved or after.is_over:
            exact = self._solve(after) if self._solver is not None else None
            if exact is not None or after.is_over:
                return _proven(exact.scores if exact is not None else after.scores())
        line = next((one for one in lines if one.move == move), None)
        if line is not None and line.proven:
            return Value(line.wins, line.scores, True)
        later = self._value(after, self.simulations)
        shift = bias
        tried = sum(one.simulations for one in lines)
        if line is not None and line.simulations >= _WELL_TRIED * tried:
            shift = _difference(line, later)
        wins, scores = shift[: state.seats], shift[state.seats :]
        return Value(
            tuple(min(1.0, max(0.0, won + more / 2)) for won, more in zip(later.wins, wins, strict=True)),
            tuple(score + more / 2 for score, more in zip(later.scores, scores, strict=True)),
            False,
        )

    def _value(self, state: State, simulations: int) -> Value:
        """What any position is worth: at the end, to the player to move, or over the dice."""
        if state.is_over:
            return _final(state)
        if state.player != CHANCE:
            best = self._search(state).think(state, Budget(simulations)).lines[0]
            return Value(best.wins, best.scores, best.proven)
        dice = random.Random(_SEED)
        each = [
            self._value(state.play(state.roll(dice)), max(1, simulations // _ROLLS)) for _ in range(_ROLLS)
        ]
        wins, scores = (
            tuple(map(fmean, zip(*(getattr(one, name) for one in each), strict=True)))
            for name in ("wins", "scores")
        )
        return Value(wins, scores, False)


def _difference(line: Line, later: Value) -> Bias:
    """By how much a search before a move is more hopeful than one after it, per seat."""
    before = (*line.wins, *line.scores)
    return tuple(one - other for one, other in zip(before, (*later.wins, *later.scores), strict=True))


def _final(state: State) -> Value:
    return _proven(state.scores())


def _proven(scores: tuple[int, ...]) -> Value:
    return Value(tuple(victory_shares(scores).tolist()), tuple(map(float, scores)), True)


def _proof(state: State, solution: Solution | None) -> Message | None:
    if solution is None or state.player is None:
        return None
    lead = solution.value if state.player == 0 else -solution.value
    kind = "wins" if lead > 0 else "loses" if lead < 0 else "shares"
    return Message(f"analysis.proof.{kind}", n=abs(lead), points=solution.scores)
