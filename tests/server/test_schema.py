"""Whatever is sent to the API, as its own description allows or not: an answer that the description knows, and never
an error of the server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from serving import GENEROUS

from server_process import ServerProcess, bearing, new_key
from snakeden.server.app import create_app

KEY = new_key()
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder: Path = tmp_path_factory.mktemp("schema")
    server = ServerProcess(f"sqlite:///{folder / 'games.sqlite'}")
    yield server
    assert server.stop() == 0


@pytest.fixture(scope="module")
def game(running: ServerProcess) -> str:
    """A game in which the one who asks has a seat."""
    wanted = {"game": "snekagon", "options": {"side": 3}, "seats": [{"kind": "me"}, {"kind": "link"}]}
    made = httpx2.post(f"{running.address}/api/games", json=wanted, headers=bearing(KEY), timeout=120)
    found: str = made.raise_for_status().json()["id"]
    return found


schema = schemathesis.openapi.from_dict(create_app(GENEROUS).openapi())


@schema.parametrize()
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_request(case: schemathesis.Case[Any], running: ServerProcess, game: str) -> None:
    case.call_and_validate(base_url=running.address, headers=bearing(KEY), checks=CHECKS)
    if "game_id" in (case.path_parameters or {}):
        case.path_parameters["game_id"] = game
        case.call_and_validate(base_url=running.address, headers=bearing(KEY), checks=CHECKS)
