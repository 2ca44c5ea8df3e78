"""Talking to a server in tests: players with keys of their own."""

from __future__ import annotations

import secrets
import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2 as httpx
from starlette.testclient import TestClient, WebSocketTestSession

from server_process import ServerProcess
from snakeden.server.app import create_app
from snakeden.server.database import upgrade
from snakeden.server.settings import Settings

GENEROUS = Settings(
    database="",
    web=None,
    engine_workers=1,
    requests_per_second=1e6,
    requests_burst=10**6,
    games_per_hour=1e9,
    games_burst=10**6,
    hints_per_minute=1e9,
    hints_burst=10**6,
    sockets_per_client=1000,
    joined_games_per_client=10**6,
)
"""Limits that no test reaches by itself."""


def make_client(folder: Path, **chosen: Any) -> TestClient:
    """A server with a SQLite file in this folder; to be used in a `with`."""
    database = chosen.pop("database", f"sqlite:///{folder / 'games.sqlite'}")
    upgrade(database)
    app = create_app(replace(GENEROUS, database=database, **chosen))
    return TestClient(app, base_url="http://localhost", raise_server_exceptions=True)


def connection(server: ServerProcess, own: str = "127.0.0.2") -> socket.socket:
    """To a server in a process, from an address of its own."""
    port = int(server.address.rpartition(":")[2])
    return socket.create_connection(("127.0.0.1", port), 30, (own, 0))


def new_key() -> str:
    return secrets.token_urlsafe(32)


class Player:
    """Somebody with a key, or without one, before a server."""

    def __init__(self, server: TestClient, key: str | None = "") -> None:
        self.server = server
        self.key = new_key() if key == "" else key

    @property
    def headers(self) -> dict[str, str]:
        return {} if self.key is None else {"Authorization": f"Bearer {self.key}"}

    def get(self, path: str) -> httpx.Response:
        self.server.cookies.clear()
        return self.server.get(path, headers=self.headers)

    def post(self, path: str, **body: Any) -> httpx.Response:
        self.server.cookies.clear()
        return self.server.post(path, json=body, headers=self.headers)

    def watch(self, game: str, query: str = "") -> WebSocketTestSession:
        return self.server.websocket_connect(
            f"ws://localhost/api/games/{game}/live{query}", headers=self.headers
        )

    def state(self, game: str) -> dict[str, Any]:
        return done(self.get(f"/api/games/{game}"))

    def act(self, game: str, verb: str, **body: Any) -> dict[str, Any]:
        return done(self.post(f"/api/games/{game}/{verb}", **body))

    def play_any(self, game: str) -> dict[str, Any]:
        """The first legal move, whatever it is."""
        state = self.state(game)
        return self.act(game, "play", move=state["targets"]["moves"][0][0], seen=state["seen"])


def done(response: httpx.Response) -> dict[str, Any]:
    assert response.is_success, response.text
    answer: dict[str, Any] = response.json()
    return answer


def refused(response: httpx.Response, status: int) -> str:
    """The words of a refusal."""
    assert response.status_code == status, response.text
    error: str = response.json()["error"]
    assert len(error) > 10
    return error


def seats(*kinds: str) -> list[dict[str, str]]:
    """Seats by kind; `engine` plays at random unless `engine=AGENT`."""
    wanted = []
    for kind in kinds:
        name, _, agent = kind.partition("=")
        wanted.append({"kind": name, "agent": agent or "random"} if name == "engine" else {"kind": name})
    return wanted


def two_players(server: TestClient, game: str = "snekagon", **options: Any) -> tuple[str, Player, Player]:
    """A game that two have begun, each with a key of their own."""
    ann, bob = Player(server), Player(server)
    made = done(ann.post("/api/games", game=game, options=options, seats=seats("me", "link")))
    bob.act(made["id"], "join", code=made["invitations"][0]["code"], name="Bob")
    return made["id"], ann, bob
