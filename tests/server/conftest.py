"""A server in this process, shared by all tests that need no limits of their own: games do not see each other. And one
as a process, with the limits that a server has by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from serving import make_client
from starlette.testclient import TestClient

from server_process import ServerProcess


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with make_client(tmp_path_factory.mktemp("server")) as client:
        yield client


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `process` logs."""
    return tmp_path_factory.mktemp("limited") / "log"


@pytest.fixture(scope="module")
def process(log: Path) -> Iterator[ServerProcess]:
    """A server with its ordinary limits, that logs what it may."""
    with log.open("w") as errors:
        server = ServerProcess(
            f"sqlite:///{log.with_name('games.sqlite')}", limited=True, options=["--log=info"], stderr=errors
        )
        try:
            yield server
        finally:
            server.stop()
