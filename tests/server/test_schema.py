"""Whatever is sent to the API, as its own description allows or not: an answer that the description knows, and never
an error of the server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
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

from postgres import postgres
from server_process import ServerProcess, bearing, new_key
from snakeden.server.app import create_app

KEY = new_key()
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def running(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServerProcess]:
    with ExitStack() as left:
        if request.param == "postgresql":
            database = left.enter_context(postgres()).url
        else:
            database = f"sqlite:///{tmp_path_factory.mktemp('schema') / 'games.sqlite'}"
        server = ServerProcess(database)
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
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_request(case: schemathesis.Case[Any], running: ServerProcess, game: str) -> None:
    case.call_and_validate(base_url=running.address, headers=bearing(KEY), checks=CHECKS)
    if "game_id" in (case.path_parameters or {}):
        case.path_parameters["game_id"] = game
        case.call_and_validate(base_url=running.address, headers=bearing(KEY), checks=CHECKS)


def test_names_as_long_as_they_may_be(running: ServerProcess) -> None:
    """An engine without a name is called by its agent's."""
    agent = "mcts:sims=100000,time=1000.000000s,solver=no"
    for longest in (agent, agent.replace("1000.", "1000." + "0" * 6)):
        seats = [{"kind": "me", "name": "ž" * 40}, {"kind": "engine", "agent": longest[:80]}]
        wanted = {"game": "snekagon", "options": {"side": 3}, "seats": seats}
        made = httpx2.post(f"{running.address}/api/games", json=wanted, headers=bearing(KEY), timeout=120)
        assert made.status_code in (201, 422)
    assert httpx2.get(f"{running.address}/api/mine", headers=bearing(KEY), timeout=120).status_code == 200
