"""A server as a process of its own, for benchmarks that talk to it and for those that kill it."""

from __future__ import annotations

import os
import random
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_UNLIMITED = [
    "--sockets-per-client=1000000",
    "--games-per-hour=1000000000",
    "--requests-per-second=1000000",
]


class ServerProcess:
    """`snakeden serve` on a free port; ready once the constructor returns."""

    def __init__(
        self,
        database: str,
        *,
        port: int = 0,
        limited: bool = False,
        options: Sequence[str] = (),
        **chosen: Any,
    ) -> None:
        """If it is `limited`, clients have the limits that the server has by itself. `chosen` is for `Popen`."""
        command = [
            sys.executable,
            "-m",
            "snakeden",
            "serve",
            f"--database={database}",
            f"--port={port}",
            "--workers=1",
            *([] if limited else _UNLIMITED),
            *options,
        ]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **chosen)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if "http://" not in line:
            self._process.kill()
            self._process.wait()
            raise RuntimeError("the server did not start")
        self.address: str = line.split()[3]

    @property
    def pid(self) -> int:
        return self._process.pid

    def cpu_seconds(self) -> float:
        """Processor time used so far, without engines; Linux only."""
        with open(f"/proc/{self.pid}/stat") as file:  # noqa: PTH123
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_megabytes(self) -> float:
        """Memory that it has, without engines; Linux only."""
        with open(f"/proc/{self.pid}/statm") as file:  # noqa: PTH123
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

    def kill(self) -> None:
        """As a power cut would; nothing if it has ended already."""
        self._process.kill()
        self._wait()

    def terminate(self, seconds: float) -> int:
        """Ask it to end and wait this long; the exit status."""
        self._process.terminate()
        return self._process.wait(seconds)

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


class Fleet:
    """Several servers with one PostgreSQL behind one address: they share a port, and the system spreads connections."""

    def __init__(self, count: int, seed: int = 1, *, limited: bool = False) -> None:
        self._count = count
        self._random = random.Random(seed)
        self._limited = limited
        self._port = 0
        self.servers: list[ServerProcess] = []

    def start(self, database: str) -> str:
        """See that all of them run; their address."""
        while len(self.servers) < self._count:
            self.servers.append(self._new(database))
            self._port = int(self.servers[-1].address.rpartition(":")[2])
        return self.servers[0].address

    def _new(self, database: str) -> ServerProcess:
        return ServerProcess(database, port=self._port, limited=self._limited, options=["--share-port"])

    def start_at_once(self, database: str) -> int:
        """Start all of them at the same time, each on a port of its own; how many run then."""

        def one(_: int) -> ServerProcess | None:
            try:
                return self._new(database)
            except RuntimeError:
                return None

        with ThreadPoolExecutor(self._count) as starting:
            self.servers = [server for server in starting.map(one, range(self._count)) if server is not None]
        return len(self.servers)

    def kill(self) -> None:
        """One of them, as a power cut would."""
        self.servers.pop(self._random.randrange(len(self.servers))).kill()

    def stop(self) -> None:
        """All of them, as an operator would."""
        while self.servers:
            self.servers.pop().stop()


@contextmanager
def serving(database: str, processes: int = 1) -> Iterator[list[ServerProcess]]:
    """Servers on one port, ready to be asked."""
    if processes == 1:
        servers = [ServerProcess(database)]
        try:
            yield servers
        finally:
            servers[0].stop()
        return
    fleet = Fleet(processes)
    try:
        fleet.start(database)
        yield fleet.servers
    finally:
        fleet.stop()


def new_key() -> str:
    """A player's key."""
    return secrets.token_urlsafe(32)


def bearing(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}
