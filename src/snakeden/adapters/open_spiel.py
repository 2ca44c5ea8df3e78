"""Every game as an OpenSpiel game, with explicit chance; importing this module registers them.

>>> import pyspiel
>>> import snakeden.adapters.open_spiel
>>> game = pyspiel.load_game("snakeden_snekagon_5g(players=3,advanced=True)")

A game's name is `snakeden_` and its id, with underscores. Its parameters are the game's options; a list of
names is written with `+` between them, and an option that is left out keeps its default. Actions and chance
outcomes are numbered alike, by `Move.code`. Returns are `rewards.rewards` of the final scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel

from snakeden.adapters.observations import observe, shape
from snakeden.adapters.rewards import reward_range, rewards
from snakeden.core.game import CHANCE, Game
from snakeden.core.learning import observation
from snakeden.core.options import Option
from snakeden.core.registry import games
from snakeden.core.state import State, new_game


def short_name(game: str) -> str:
    """A game's name in OpenSpiel."""
    return f"snakeden_{game.replace('-', '_')}"


def _default(option: Option) -> Any:
    """What a parameter is if it is left out; OpenSpiel knows no None."""
    return "" if option.default is None else option.default


def _options(game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The options that OpenSpiel's parameters mean."""
    found = {}
    for option in game.options:
        value = parameters.get(option.name, _default(option))
        if value != _default(option):
            found[option.name] = tuple(value.split("+")) if option.kind == "list" else value
    return found


def _game_type(game: Game) -> pyspiel.GameType:
    players = next((option for option in game.options if option.name == "players"), None)
    low, high = (players.low, players.high) if players else (2, 2)
    modes = pyspiel.GameType.ChanceMode
    utilities = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=short_name(game.id),
        long_name=game.name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if game.chance else modes.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        # Alone, the score is the return.
        utility=utilities.GENERAL_SUM if low == 1 else utilities.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=high,
        min_num_players=low,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={option.name: _default(option) for option in game.options},
    )


class _Observer:
    """OpenSpiel's view of a position: the planes, and a last one that says which seat looks on, since learners such
    as AlphaZero learn what a position is worth to seat 0; with perfect recall the moves so far; of what only one player
    knows, nothing."""

    def __init__(self, game: _SpielGame, kind: pyspiel.IIGObservationType | None, params: Any) -> None:
        if params:
            raise ValueError(f"observations take no parameters, and {params} were given")
        self._public = kind is None or kind.public_info
        self._recall = kind is not None and kind.perfect_recall
        shown = self._public and not self._recall
        planes, rows, columns = shape(game.start.variant)
        size = planes + 1, rows, columns
        self.tensor = np.zeros(int(np.prod(size)) if shown else 0, np.float32)
        self.dict = {"planes": self.tensor.reshape(size)} if shown else {}

    def set_from(self, state: _SpielState, player: int) -> None:
        for planes in self.dict.values():
            planes[:-1] = observe(state.state_of_play, player)
            planes[-1] = player / max(1, state.state_of_play.seats - 1)

    def string_from(self, state: _SpielState, player: int) -> str:
        if not self._public:
            return ""
        return " ".join(map(str, state.history())) if self._recall else str(state)


def _loaded(text: str) -> pyspiel.Game:
    """The game of this text; a function of this module, so that unpickling registers the games."""
    return pyspiel.load_game(text)


class _SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game under its options; one class is made of it for each game of the house."""

    house_game: Game
    game_type: pyspiel.GameType

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        self.start: State = new_game(self.house_game.id, **_options(self.house_game, params or {}))
        variant = self.start.variant
        limits = observation(self.house_game).limits(variant.tables)
        low, high = reward_range(variant)
        info = pyspiel.GameInfo(
            num_distinct_actions=int(variant.tables.actions),
            max_chance_outcomes=int(variant.tables.actions) if self.house_game.chance else 0,
            num_players=self.start.seats,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if self.game_type.utility == pyspiel.GameType.Utility.ZERO_SUM else None,
            max_game_length=limits.decisions,
        )
        super().__init__(self.game_type, info, params or {})
        self._chances: int = limits.chances

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        # The classes are made at import and have no name that pickle could find.
        return _loaded, (str(self),)

    def new_initial_state(self) -> _SpielState:
        return _SpielState(self, self.start)

    def make_py_observer(
        self, kind: pyspiel.IIGObservationType | None = None, params: Any = None
    ) -> _Observer:
        return _Observer(self, kind, params)

    def max_chance_nodes_in_history(self) -> int:
        return self._chances


class _SpielState(pyspiel.State):  # type: ignore[misc]
    """A position in OpenSpiel's words."""

    def __init__(self, game: _SpielGame, state: State) -> None:
        super().__init__(game)
        self.state_of_play = state
        """The position, as the rest of Snakeden knows it."""

    def current_player(self) -> int:
        player = self.state_of_play.player
        if player is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if player == CHANCE else player

    def _legal_actions(self, player: int) -> list[int]:
        return [] if player != self.state_of_play.player else self.state_of_play.codes().tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        state = self.state_of_play
        weight, array = state.variant.program.weight, state.array()
        return [(code, weight(array, code)) for code in state.codes().tolist()]

    def _apply_action(self, action: int) -> None:
        self.state_of_play = self.state_of_play.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        variant = self.state_of_play.variant
        text: str = variant.game.notation.text(variant.tables, action)
        return text

    def is_terminal(self) -> bool:
        return self.state_of_play.is_over

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * self.state_of_play.seats
        worth: list[float] = rewards(self.state_of_play.scores()).tolist()
        return worth

    def __str__(self) -> str:
        return self.state_of_play.text


def _register(game: Game) -> None:
    kind = type(f"Spiel{game.id}", (_SpielGame,), {"house_game": game, "game_type": _game_type(game)})
    pyspiel.register_game(kind.game_type, kind)  # type: ignore[attr-defined]


for _game in games().values():
    if short_name(_game.id) not in pyspiel.registered_names():
        _register(_game)
