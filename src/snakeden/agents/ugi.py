"""An agent as an engine of the Universal Game Interface (UGI): a plain text protocol, a command a line.

UGI is UCI without the chess. docs/engines.md lists the commands and what is added for the choice of the game, dice and
several players.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from importlib.metadata import version
from typing import Any

from snakeden.agents.choice import Choice
from snakeden.agents.naming import Agent, make
from snakeden.core.game import CHANCE
from snakeden.core.options import Option
from snakeden.core.registry import game as find_game
from snakeden.core.registry import games
from snakeden.core.state import State, new_game, restore

Write = Callable[[str], None]

_KINDS = {"bool": "check", "int": "spin", "choice": "combo"}
"""UCI's names for kinds of options; all others are strings."""


class Engine:
    """One conversation: `handle` takes a line, answers go to `write`. A search runs in a thread of its own, so that
    `stop` is heard."""

    def __init__(self, agent: str, write: Write, *, game: str = "snekagon", seed: int = 0) -> None:
        self._write_line, self._writing = write, threading.Lock()
        self._agent_name, self._seed = agent, seed
        self._game, self._options = find_game(game), dict[str, Any]()
        self._state: State | None = None
        self._agents: dict[str, Agent] = {}
        self._stop = threading.Event()
        self._search: threading.Thread | None = None
        make(agent)

    def run(self, lines: Iterable[str]) -> None:
        """Answer every line until `quit` or the end."""
        for line in lines:
            if not self.handle(line):
                return
        self._end_search()

    def handle(self, line: str) -> bool:
        """Answer one line; False after `quit`."""
        command, _, rest = line.strip().partition(" ")
        if command == "quit":
            self._end_search()
            return False
        if command == "stop":
            self._stop.set()
        elif command:
            # Whatever else comes waits for a search that runs.
            if self._search is not None:
                self._search.join()
            try:
                self._answer(command, rest.strip())
            except ValueError as error:
                self._write(f"info string error: {error}")
                if command == "go":
                    self._write("bestmove none")
        return True

    def _answer(self, command: str, rest: str) -> None:
        if command == "ugi":
            self._introduce()
        elif command == "isready":
            self._position().legal_moves()
            self._write("readyok")
        elif command == "setoption":
            self._set_option(rest)
        elif command == "uginewgame":
            self._agents.clear()
            self._state = None
        elif command == "position":
            self._set_position(rest)
        elif command == "go":
            self._go(rest.split())
        elif command == "query":
            self._write(f"response {self._response(rest)}")
        else:
            self._write(f"info string error: there is no command {command!r}")

    def _write(self, line: str) -> None:
        with self._writing:
            self._write_line(line)

    def _position(self) -> State:
        if self._state is None:
            self._state = new_game(self._game.id, **self._options)
        return self._state

    # -- who this is, and what is played

    def _introduce(self) -> None:
        self._write(f"id name Snakeden {version('snakeden')} {self._agent_name}")
        self._write("id author The Snakeden developers")
        choices = " ".join(f"var {name}" for name in games())
        self._write(f"option name Game type combo default {self._game.id} {choices}")
        self._write(f"option name Agent type string default {self._agent_name}")
        for option in self._game.options:
            self._write(f"option name {option.name} {_described(option)}")
        self._write("ugiok")

    def _set_option(self, text: str) -> None:
        name, _, value = text.removeprefix("name ").partition(" value ")
        if name == "Game":
            self._game, self._options = find_game(value), {}
        elif name == "Agent":
            make(value)
            self._agent_name = value
        else:
            known = {option.name: option for option in self._game.options}
            if name not in known:
                raise ValueError(
                    f"there is no option {name!r}; options are Game, Agent, {', '.join(known)}, "
                    "as in: setoption name side value 4"
                )
            self._options[name] = known[name].read(value)
        self._state = None
        self._agents.clear()

    def _set_position(self, text: str) -> None:
        start, _, moves = f"{text} ".partition(" moves ")
        kind, _, given = start.strip().partition(" ")
        if kind == "startpos":
            state = new_game(self._game.id, **self._options)
        elif kind == "fen":
            state = restore(given)
        else:
            raise ValueError("a position is: position startpos moves …, or position fen STATE moves …")
        for move in moves.split():
            state = state.play(move)
        self._state = state

    # -- thinking

    def _go(self, words: list[str]) -> None:
        state = self._position()
        if state.player is None or state.player == CHANCE:
            raise ValueError("there is nothing to choose: no player is to move here")
        allowed: frozenset[str] = frozenset()
        if "searchmoves" in words:
            at = words.index("searchmoves")
            allowed, words = frozenset(words[at + 1 :]), words[:at]
        agent = self._thinker(dict(zip(words[::2], words[1::2], strict=False)))
        self._stop.clear()
        self._search = threading.Thread(target=self._think, args=(agent, state, allowed), daemon=True)
        self._search.start()

    def _thinker(self, limits: dict[str, str]) -> Agent:
        """The agent for these limits, kept with what it knows. Without limits, and where it does not search, it is the
        one that was asked for."""
        name = self._agent_name
        if name.partition(":")[0] not in ("mcts", "level"):
            limits = {}
        if limits.get("movetime", "").isdigit():
            name = f"mcts:time={max(1, int(limits['movetime']))}ms"
        elif limits.get("nodes", "").isdigit():
            name = f"mcts:sims={limits['nodes']}"
        if name not in self._agents:
            self._agents[name] = make(name, seed=self._seed)
        return self._agents[name]

    def _think(self, agent: Agent, state: State, allowed: frozenset[str]) -> None:
        try:
            choice = agent.choose(state, self._stop.is_set)
        except Exception as error:
            self._write(f"info string error: {type(error).__name__}: {error}")
            self._write("bestmove none")
            return
        for line in _information(choice, state.player or 0):
            self._write(line)
        self._write(f"bestmove {_best(choice, state, allowed)}")

    def _end_search(self) -> None:
        self._stop.set()
        if self._search is not None:
            self._search.join()

    # -- questions

    def _response(self, question: str) -> str:
        state = self._position()
        outcome = state.outcome()
        if question in ("p1turn", "p2turn"):
            return str(state.player == int(question[1]) - 1).lower()
        if question == "gameover":
            return str(outcome is not None).lower()
        if question == "result":
            if outcome is None:
                return "none"
            return f"p{outcome.winners[0] + 1}win" if len(outcome.winners) == 1 else "draw"
        if question == "turn":
            return (
                "none" if state.player is None else "chance" if state.player == CHANCE else str(state.player)
            )
        if question == "scores":
            return " ".join(map(str, state.scores()))
        if question == "moves":
            return " ".join(move.text for move in state.legal_moves())
        raise ValueError(
            f"there is no query {question!r}; ask p1turn, p2turn, gameover, result, turn, scores or moves"
        )


def _described(option: Option) -> str:
    """An option of a game in UCI's words."""
    words = ["type", _KINDS.get(option.kind, "string")]
    if option.default is not None:
        words += ["default", option.write(option.default)]
    if option.kind == "int":
        words += ["min", str(option.low), "max", str(option.high)]
    if option.kind == "choice":
        words += [f"var {choice}" for choice in option.choices]
    return " ".join(words)


def _best(choice: Choice, state: State, allowed: frozenset[str]) -> str:
    """The chosen move; where only some are allowed the best of these that is known, or any."""
    known = [choice.move.text, *(line.move.text for line in choice.reasons.lines)]
    legal = [move.text for move in state.legal_moves()]
    return next((move for move in [*known, *legal] if not allowed or move in allowed), "none")


def _information(choice: Choice, seat: int) -> list[str]:
    """What the agent knows, best move first: a share of the victory in per mille for the score, and the line."""
    reasons = choice.reasons
    return [
        f"info multipv {rank} nodes {line.simulations} time {round(1000 * reasons.seconds)} "
        f"score wdl {round(1000 * line.wins[seat])} pv {' '.join(move.text for move in line.main)}"
        for rank, line in enumerate(reasons.lines[:3], 1)
    ]
