"""Real server processes: what survives them, and several on one database."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest
from websockets.sync.client import ClientConnection, connect

from postgres import postgres
from server_process import Fleet, ServerProcess, bearing, new_key
from snakeden.records import read_all


@pytest.fixture(scope="module")
def shared_database() -> Iterator[str]:
    with postgres() as server:
        yield server.url


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'games.sqlite'}"
    url: str = request.getfixturevalue("shared_database")
    return url


def post(server: ServerProcess, key: str, path: str, **body: Any) -> httpx2.Response:
    return httpx2.post(server.address + path, json=body, headers=bearing(key), timeout=120)


def make(server: ServerProcess, key: str, *seats: dict[str, str]) -> dict[str, Any]:
    made = post(server, key, "/api/games", game="snekagon", options={"side": 3}, seats=list(seats))
    answer: dict[str, Any] = made.raise_for_status().json()
    return answer


def state(server: ServerProcess, game: str) -> dict[str, Any]:
    answer: dict[str, Any] = (
        httpx2.get(f"{server.address}/api/games/{game}", timeout=120).raise_for_status().json()
    )
    return answer


def watch(server: ServerProcess, key: str, game: str, seen: int) -> ClientConnection:
    url = f"{server.address.replace('http', 'ws')}/api/games/{game}/live?seen={seen}"
    return connect(url, additional_headers=bearing(key))


def snakeden(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "snakeden", *arguments], capture_output=True, text=True)


@pytest.fixture
def start() -> Iterator[Callable[[str], ServerProcess]]:
    """Starts servers, and leaves none behind however the test ends."""
    with ExitStack() as left:

        def one_more(database: str) -> ServerProcess:
            server = ServerProcess(database)
            left.callback(server.kill)
            return server

        yield one_more


def test_games_outlive_the_server(database: str, start: Callable[[str], ServerProcess]) -> None:
    """Ended in order, then killed: players go on with the same keys, engines go on by themselves."""
    ann = new_key()
    server = start(database)
    game = make(server, ann, {"kind": "me"}, {"kind": "here"})["id"]
    post(server, ann, f"/api/games/{game}/play", move="c3", seen=0).raise_for_status()
    before = state(server, game)
    assert server.stop() == 0

    server = start(database)
    assert state(server, game) == before
    post(server, ann, f"/api/games/{game}/play", move="a1-a2", seen=1).raise_for_status()
    against = make(server, ann, {"kind": "me"}, {"kind": "engine", "agent": "random"})["id"]
    post(server, ann, f"/api/games/{against}/play", move="c3", seen=0).raise_for_status()
    server.kill()

    server = start(database)
    assert [text for _, text, *_ in state(server, game)["plies"]] == ["c3", "a1-a2"]
    with watch(server, ann, against, 1) as socket:
        while (message := json.loads(socket.recv(60)))["player"] != 0:
            pass
    assert message["ply"] == 2
    assert server.stop() == 0
    assert snakeden("db", "upgrade", f"--database={database}").stdout.startswith(
        "The database is at revision"
    )
    exported = read_all(snakeden("db", "export", f"--database={database}").stdout)
    assert {game, against} <= {record.extra["Id"] for record in exported}
    for record in exported:
        record.check()


def test_two_processes_on_one_database(shared_database: str) -> None:
    ann, bob = new_key(), new_key()
    servers = [ServerProcess(shared_database), ServerProcess(shared_database)]
    try:
        made = make(servers[0], ann, {"kind": "me"}, {"kind": "link"})
        game = made["id"]
        assert state(servers[1], game)["status"] == "waiting"
        code = made["invitations"][0]["code"]
        with watch(servers[0], ann, game, 0) as a, watch(servers[1], bob, game, 0) as b:
            sockets = (a, b)
            for socket in sockets:
                assert json.loads(socket.recv(60))["entries"] == []
            post(servers[1], bob, f"/api/games/{game}/join", code=code).raise_for_status()
            for socket in sockets:
                assert json.loads(socket.recv(60))["entries"][0]["kind"] == "join"
            seen = 1
            while (now := state(servers[0], game))["status"] == "running":
                mover = now["player"]
                move = now["targets"]["moves"][0][0]
                # Each plays on their own server; the same message also comes to the other one, at the same time.
                key = (ann, bob)[mover]
                with ThreadPoolExecutor(2) as pool:
                    path = f"/api/games/{game}/play"
                    sent = [pool.submit(post, s, key, path, move=move, seen=seen) for s in servers]
                assert [answer.result().status_code for answer in sent] == [200, 200]
                messages = [json.loads(socket.recv(60)) for socket in sockets]
                assert messages[0] == messages[1]
                assert [(e["seat"], e["data"]) for e in messages[0]["entries"]] == [(mover, move)]
                seen += 1
        assert state(servers[0], game) == state(servers[1], game)
        following = post(servers[1], bob, f"/api/games/{game}/rematch").json()["id"]
        assert post(servers[0], ann, f"/api/games/{game}/rematch").json()["id"] == following
        # One process hears of the other's join a moment later.
        latest = time.monotonic() + 60
        while state(servers[1], following)["status"] == "waiting" and time.monotonic() < latest:
            time.sleep(0.05)
        assert state(servers[1], following)["status"] == "running"
    finally:
        for server in servers:
            server.stop()


def test_processes_that_start_together_on_an_empty_database() -> None:
    """Each finds the tables made, whoever makes them."""
    with postgres() as cluster, ThreadPoolExecutor(3) as pool:
        servers = list(pool.map(lambda _: ServerProcess(cluster.url), range(3)))
        try:
            for server in servers:
                assert httpx2.get(f"{server.address}/healthz", timeout=60).status_code == 200
        finally:
            for server in servers:
                server.kill()


def test_who_joined_through_one_process_is_known_to_the_other(
    shared_database: str, start: Callable[[str], ServerProcess]
) -> None:
    first, second = start(shared_database), start(shared_database)
    for _ in range(10):
        ann, bob = new_key(), new_key()
        made = make(first, ann, {"kind": "me"}, {"kind": "link"})
        game = made["id"]
        state(second, game)  # the other process has it in memory, with a free seat
        post(first, bob, f"/api/games/{game}/join", code=made["invitations"][0]["code"]).raise_for_status()
        assert post(second, bob, f"/api/games/{game}/resign").status_code == 200
        shown = httpx2.get(f"{second.address}/api/games/{game}", headers=bearing(bob), timeout=60).json()
        assert shown["you"] == [1]


def test_a_process_that_hears_nothing_of_others_looks_itself(
    shared_database: str, start: Callable[[str], ServerProcess]
) -> None:
    """Whoever asks a server whose connection for news was cut sees what another server acknowledged."""
    first, second = start(shared_database), start(shared_database)
    ann = new_key()
    game = make(first, ann, {"kind": "me"}, {"kind": "here"})["id"]
    assert state(second, game)["seen"] == 0
    with psycopg.connect(shared_database, autocommit=True) as database:
        listening = "FROM pg_stat_activity WHERE query LIKE 'LISTEN %'"
        cut = database.execute(f"SELECT pid, pg_terminate_backend(pid) {listening}").fetchall()
        pids = [pid for pid, _ in cut]
        assert pids
        gone = "SELECT count(*) FROM pg_stat_activity WHERE pid = ANY(%s)"
        while database.execute(gone, [pids]).fetchone() != (0,):
            time.sleep(0.01)
    post(first, ann, f"/api/games/{game}/play", move="c3", seen=0).raise_for_status()
    assert state(second, game)["seen"] == 1


def test_who_watches_learns_of_a_seat_taken_through_another_process(
    shared_database: str, start: Callable[[str], ServerProcess]
) -> None:
    first, second = start(shared_database), start(shared_database)
    ann, bob = new_key(), new_key()
    made = make(first, ann, {"kind": "me"}, {"kind": "link"})
    url = f"{second.address.replace('http', 'ws')}/api/games/{made['id']}/live?pictures=1"
    with connect(url, additional_headers=bearing(bob), max_size=None) as socket:
        assert json.loads(socket.recv(60))["you"] == []
        code = made["invitations"][0]["code"]
        post(first, bob, f"/api/games/{made['id']}/join", code=code).raise_for_status()
        while (message := json.loads(socket.recv(60)))["type"] != "state":
            pass
        assert message["you"] == [1]


def test_processes_share_a_port(shared_database: str) -> None:
    fleet = Fleet(2)
    try:
        address = fleet.start(shared_database)
        assert fleet.servers[0].address == fleet.servers[1].address
        fleet.kill()
        assert httpx2.get(f"{address}/healthz", timeout=60).status_code == 200, "the other one answers"
    finally:
        fleet.stop()


@pytest.mark.slow
def test_a_database_that_hangs_hangs_nobody_else() -> None:
    with postgres() as cluster:
        server = ServerProcess(cluster.url)
        try:
            ann = new_key()
            game = make(server, ann, {"kind": "me"}, {"kind": "here"})["id"]
            cluster.freeze()
            with ThreadPoolExecutor() as at_once:
                played = at_once.submit(post, server, ann, f"/api/games/{game}/play", move="c3", seen=0)
                health = at_once.submit(httpx2.get, f"{server.address}/healthz", timeout=60)
            assert (played.result().status_code, health.result().status_code) == (503, 503)
            assert httpx2.get(f"{server.address}/api/catalogue", timeout=60).status_code == 200
            server.terminate(30)
        finally:
            cluster.thaw()
            server.kill()


def test_a_file_belongs_to_one_server(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'games.sqlite'}"
    server = ServerProcess(database)
    try:
        second = snakeden("serve", f"--database={database}", "--port=0")
        assert second.returncode == 2
        assert "another server is using" in second.stderr
    finally:
        server.stop()


def test_who_is_behind_no_proxy_cannot_claim_another_address(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "snakeden", "serve", "--port=0", "--workers=1"]
    chosen = [f"--database=sqlite:///{tmp_path / 'games.sqlite'}", "--requests-per-second=0.01"]
    with subprocess.Popen([*command, *chosen], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[3]
            with httpx2.Client() as client:
                answers = [
                    client.get(f"{address}/healthz", headers={"x-forwarded-for": f"192.0.2.{n}"}).status_code
                    for n in range(256)
                ]
        finally:
            process.terminate()
    assert set(answers) == {200, 429}, "all of them came from one address, which may not ask so often"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["db", "export", "--database=sqlite:////nowhere/at/all.sqlite"], "there is no database"),
        (["db", "upgrade", "--database=sqlite://"], "must be a file"),
        (["db", "upgrade", "--database=mysql://x"], "SQLite or PostgreSQL"),
        (["db", "upgrade", "--database=what"], "sqlite:///FILE"),
        (["serve", "--port=0", "--database=games.sqlite"], "give sqlite:///games.sqlite"),
        (["serve", "--port=0", "--database=sqlite://"], "must be a file"),
        (["serve", "--port=0", "--database=postgresql://nobody@127.0.0.1:1/none"], "see that it runs"),
        (["serve", "--port=1", "--host=256.0.0.1", "--database=sqlite:///x"], "cannot listen"),
    ],
)
def test_what_cannot_be_is_said(arguments: list[str], message: str, tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "snakeden", *arguments], capture_output=True, text=True, cwd=tmp_path
    )
    assert ran.returncode == 2
    assert message in ran.stderr
    assert "Traceback" not in ran.stderr
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"


@pytest.mark.slow
def test_nothing_is_lost_when_killed(database: str) -> None:
    command = [sys.executable, "bench/kill.py", "--kills=20", "--after", "0.05", "0.5", "--json"]
    ran = subprocess.run(
        [*command, f"--database={database}"], capture_output=True, text=True, cwd=Path(__file__).parents[2]
    )
    figures = json.loads(ran.stdout)
    assert (figures["kills"], figures["lost"], figures["unreadable"]) == (20, 0, 0)
    assert figures["acknowledged"] >= 20, "each was killed while somebody played"
