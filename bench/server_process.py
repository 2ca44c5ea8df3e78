"""A server as a process of its own, for benchmarks that talk to it and for those that kill it."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_UNLIMITED = [
    "--sockets-per-client=1000000",
    "--games-per-hour=1000000000",
    "--requests-per-second=1000000",
    "--workers=1",
]


class ServerProcess:
    """`snakeden serve` on a free port; ready once the constructor returns."""

    def __init__(self, database: str, *, port: int = 0) -> None:
        command = [
            sys.executable,
            "-m",
            "snakeden",
            "serve",
            f"--database={database}",
            f"--port={port}",
            *_UNLIMITED,
        ]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if "http://" not in line:
            self._process.kill()
            self._process.wait()
            raise RuntimeError("the server did not start")
        self.address = line.split()[3]

    @property
    def pid(self) -> int:
        return self._process.pid

    def cpu_seconds(self) -> float:
        """Processor time used so far, without engines; Linux only."""
        with open(f"/proc/{self.pid}/stat") as file:  # noqa: PTH123
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """As a power cut would; nothing if it has ended already."""
        self._process.kill()
        self._wait()

    def stop(self) -> int:
        """As an operator would; the exit status."""
        self._process.send_signal(signal.SIGINT)
        return self._wait()

    def _wait(self) -> int:
        status = self._process.wait(60)
        assert self._process.stdout is not None
        self._process.stdout.close()
        return status


class LoadedServer:
    """The same server without the command around it, started again and again in a moment: each time it is forked
    from a process that has loaded all it needs."""

    def __init__(self, game: str) -> None:
        script = Path(__file__).with_name("loaded_server.py")
        self._process = subprocess.Popen(
            [sys.executable, str(script), game], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._pid = 0

    def start(self, database: str) -> str:
        """Serve from this database; the server's address."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{database}\n")
        self._process.stdin.flush()
        pid, _, address = self._hear().partition(" ")
        if not address:
            raise RuntimeError("the server did not start")
        self._pid = int(pid)
        return address

    def _hear(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def kill(self) -> None:
        """As a power cut would."""
        os.kill(self._pid, signal.SIGKILL)
        self._hear()

    def stop(self) -> None:
        """As an operator would, and for good."""
        os.kill(self._pid, signal.SIGINT)
        self._process.communicate(timeout=60)


@contextmanager
def serving(database: str) -> Iterator[ServerProcess]:
    process = ServerProcess(database)
    try:
        yield process
    finally:
        process.stop()


def new_key() -> str:
    """A player's key."""
    return secrets.token_urlsafe(32)


def bearing(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}
