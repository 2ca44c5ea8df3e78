"""Engines of other people at the arena's tables: programs that speak UGI, named `engine:COMMAND`.

Only the arena makes them: a name that starts a program must never come from a stranger. docs/engines.md says what
such a program has to answer.
"""

from __future__ import annotations

import contextlib
import os
import queue
import re
import shlex
import shutil
import signal
import subprocess
import threading
import time
from typing import IO

from snakeden import agents
from snakeden.agents import BadAgent, Choice, Reasons
from snakeden.agents.players import Stop
from snakeden.core.errors import IllegalMove
from snakeden.core.outcome import Cause
from snakeden.core.state import State

PREFIX = "engine:"
_NAME = re.compile(r"engine:(?:time=(\d{1,6}(?:\.\d{1,3})?)(ms|s),)?(.+)", re.DOTALL)
_SECONDS = 5.0
"""For a move, unless the name says otherwise."""
_GRACE = 1.0
"""Seconds beyond that for the way there and back."""
_READY = 120.0
"""Seconds in which an engine has to introduce itself and to be ready; it may have something to compile."""


class EngineFailed(Exception):
    """An engine that crashed, was too slow or played what it may not; the text says so."""

    def __init__(self, reason: str, cause: Cause = "resignation") -> None:
        super().__init__(reason)
        self.cause: Cause = cause


class EngineAgent:
    """A program that plays. `history`, where it is set, holds all moves of the game so far."""

    history: list[str] | None = None

    def __init__(self, name: str) -> None:
        self.name = name
        read = _NAME.fullmatch(name)
        self._command = _words(name, read[3]) if read else []
        if read is None or not self._command:
            raise BadAgent(
                f"agent {name!r}: give a command, as in engine:./program or engine:time=2s,./program"
            )
        self._seconds = _SECONDS
        if read[1]:
            self._seconds = float(read[1]) * (0.001 if read[2] == "ms" else 1)
        if not 0 < self._seconds <= 3600:
            raise BadAgent(f"agent {name!r}: a time for a move is more than 0 and at most an hour")
        if shutil.which(self._command[0]) is None:
            raise BadAgent(f"agent {name!r}: there is no program {self._command[0]!r} that can be run")
        self._process: subprocess.Popen[str] | None = None
        # Lines to and from the program; None is the last.
        self._commands: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def choose(self, state: State, stop: Stop | None = None) -> Choice:
        """The engine's move; raises EngineFailed."""
        if self._process is None:
            self._start(state)
        if self.history is None:
            self._send(f"position fen {state.text}")
        else:
            self._send(" ".join(["position startpos moves", *self.history]))
        legal = " ".join(move.text for move in state.legal_moves())
        self._send(f"go movetime {max(1, round(1000 * self._seconds))} searchmoves {legal}")
        answer = self._wait("bestmove", self._seconds + _GRACE, "for a move").split()
        chosen = answer[1] if len(answer) > 1 else "nothing"
        try:
            return Choice(state.move(chosen), Reasons())
        except IllegalMove as error:
            raise EngineFailed(f"{self.name} played an illegal move: {error}") from None

    def _start(self, state: State) -> None:
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,  # so that what the program starts is ended with it
            )
        except OSError as error:
            raise EngineFailed(f"{self.name} could not be started: {error.strerror}") from None
        # Pipes know no time-outs, so threads of their own wait for them: also a write to a program that does not
        # read blocks as soon as the pipe is full.
        for target, pipe in ((self._write, self._process.stdin), (self._listen, self._process.stdout)):
            threading.Thread(target=target, args=(pipe,), daemon=True).start()
        self._send("ugi")
        self._wait("ugiok", _READY, "to introduce itself")
        game = state.variant.game
        self._send(f"setoption name Game value {game.id}")
        for name, value in state.variant.given.items():
            self._send(f"setoption name {name} value {game.option(name).write(value)}")
        self._send("isready")
        self._wait("readyok", _READY, "to get ready")
        self._send("uginewgame")

    def _write(self, commands: IO[str]) -> None:
        """Passes commands on to the program until the last."""
        with contextlib.suppress(ValueError, OSError), commands:
            for line in iter(self._commands.get, None):
                commands.write(line + "\n")
                commands.flush()

    def _listen(self, answers: IO[str]) -> None:
        """Passes on what the program says."""
        with contextlib.suppress(ValueError, OSError), answers:
            for line in answers:
                self._answers.put(line)
        self._answers.put(None)

    def _send(self, line: str) -> None:
        self._commands.put(line)

    def _wait(self, word: str, seconds: float, purpose: str) -> str:
        """The next line that begins with this word."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            try:
                line = self._answers.get(timeout=left)
            except queue.Empty:
                break
            if line is None:
                raise self._crashed()
            if line.split()[:1] == [word]:
                return line
        raise EngineFailed(f"{self.name} took longer than {seconds:g} s {purpose}", "time")

    def _crashed(self) -> EngineFailed:
        assert self._process is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        status = self._process.poll()
        ending = "closed its output" if status is None else f"ended with status {status}"
        return EngineFailed(f"{self.name} crashed: it {ending}")

    def close(self) -> None:
        """End the program: with a word, and by force if it does not listen."""
        if self._process is None:
            return
        self._send("quit")
        self._commands.put(None)
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            _kill(self._process)
            self._process.wait()
        self._process = None


def _kill(process: subprocess.Popen[str]) -> None:
    """End a program, and what it started where the system knows groups of processes."""
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def _words(name: str, command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise BadAgent(f"agent {name!r}: the command cannot be read ({error})") from None


def make(name: str, *, seed: int = 0) -> agents.Agent:
    """The agent of this name, an engine's included; raises BadAgent."""
    return EngineAgent(name) if name.startswith(PREFIX) else agents.make(name, seed=seed)
