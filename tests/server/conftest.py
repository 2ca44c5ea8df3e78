"""A server in this process, shared by all tests that need no limits of their own: games do not see each other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from serving import make_client
from starlette.testclient import TestClient


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with make_client(tmp_path_factory.mktemp("server")) as client:
        yield client
