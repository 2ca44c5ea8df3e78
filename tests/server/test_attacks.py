"""What one client could do to all: each attack in short, against the bounds that answer it. `bench/attack.py` measures
what a bystander notices."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
from serving import Player, connection, done, make_client, refused, seats, two_players
from starlette.testclient import TestClient

from server_process import ServerProcess, bearing, new_key
from snakeden.server.http import HEAD_BYTES
from snakeden.server.limits import forwarded_for
from snakeden.server.run import lock_database
from snakeden.server.store import Store


def well(server: ServerProcess) -> bool:
    return httpx2.get(f"{server.address}/healthz", timeout=30).status_code == 200


# -- headers, half-open requests, connections


@pytest.mark.parametrize(
    "head",
    [
        b"X-Long: " + b"x" * (HEAD_BYTES + 1) + b"\r\n\r\n",
        b"X-Endless: " + b"x" * 2_000_000,
        b"".join(b"X-%d: y\r\n" % n for n in range(101)) + b"\r\n",
    ],
)
def test_long_headers_are_refused_while_they_come(process: ServerProcess, head: bytes) -> None:
    with closing(connection(process)) as sock:
        with suppress(OSError):  # it may be refused before all is sent
            sock.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + head)
        with suppress(ConnectionResetError):
            assert sock.recv(100).startswith(b"HTTP/1.1 431")
    assert well(process)


def test_a_long_address_is_refused_and_many_cookies_are_passed_over(process: ServerProcess) -> None:
    with httpx2.Client(base_url=process.address, timeout=60) as client:
        assert client.get("/api/lobby?" + "a&" * 2000).status_code == 431
        key = new_key()
        cookies = f"{'a=b; ' * 2000}snakeden={key};c=d"
        wanted = {"game": "snekagon", "options": {"side": 3}, "seats": seats("me", "here")}
        game = client.post("/api/games", json=wanted, headers=bearing(key)).raise_for_status().json()["id"]
        shown = client.get(f"/api/games/{game}", headers={"cookie": cookies}).json()
        assert shown["you"] == [0, 1]


def test_several_ranges_of_a_file_are_answered_with_all_of_it(process: ServerProcess) -> None:
    url = f"{process.address}/js/main.js"
    one = httpx2.get(url, headers={"range": "bytes=0-9"}, timeout=60)
    assert (one.status_code, len(one.content)) == (206, 10)
    assert httpx2.get(url, headers={"range": "bytes=0-9,20-29"}, timeout=60).status_code == 200


def test_an_ordinary_request_in_pieces_is_answered(process: ServerProcess) -> None:
    with closing(connection(process)) as sock:
        for piece in (b"GET /hea", b"lthz HTTP/1.1\r\nHo", b"st: localhost\r\n", b"\r\n"):
            sock.sendall(piece)
        assert sock.recv(100).startswith(b"HTTP/1.1 200")


def test_half_open_requests_take_no_more_than_a_share(process: ServerProcess) -> None:
    opened = [connection(process) for _ in range(200)]
    try:
        for one in opened:
            with suppress(OSError):
                one.sendall(b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        assert well(process), "another address is answered"
        closed = 0
        for one in opened:
            one.settimeout(0.001)
            try:
                closed += one.recv(1) == b""
            except TimeoutError:
                pass
            except OSError:
                closed += 1
        assert closed == 200 - 128
    finally:
        for one in opened:
            one.close()


# -- JSON


def test_json_of_many_parts_is_refused_unread(server: TestClient) -> None:
    bodies: list[dict[str, Any]] = [
        {f"k{n}": n for n in range(5000)},
        {"game": "snekagon", "options": {"x": list(range(10_000))}},
        {"options": [[]] * 5000},
    ]
    for body in bodies:
        for path in ("/api/games", "/api/options"):
            assert "parts" in refused(server.post(path, json=body), 413)


def test_a_long_record_is_still_read(server: TestClient) -> None:
    text = '[Game "snekagon"]\n[Rules "1"]\n[Place "' + "x" * 100_000 + '"]\n\n1. f6'
    assert done(server.post("/api/options", json={"record": text}))["plies"] == 1


def test_refusals_do_not_tell_back_what_was_sent(server: TestClient) -> None:
    long = "y" * 50_000
    for body in (
        {"game": "snekagon", "options": {long: 1}},
        {"game": "snekagon", "options": {"side": long}},
        {"game": long},
        {long: 1},
        {"record": long},
        {"record": f'[Game "snekagon"]\n[Rules "1"]\n\n1. {long}'},
    ):
        answer = server.post("/api/options", json=body)
        assert answer.status_code == 422
        assert len(answer.content) < 2000


# -- engines


def test_engines_alone_play_only_while_somebody_watches(tmp_path: Path) -> None:
    with make_client(tmp_path) as client:
        ann = Player(client)
        alone = done(
            ann.post("/api/games", game="snekagon", options={"side": 3}, seats=seats("engine", "engine"))
        )
        other = done(
            ann.post("/api/games", game="snekagon", options={"side": 3}, seats=seats("me", "engine"))
        )
        with ann.watch(other["id"], "?seen=0") as socket:
            ann.act(other["id"], "play", move="c3", seen=0)
            while socket.receive_json()["seen"] < 2:
                pass
        assert done(ann.get(f"/api/games/{alone['id']}/entries"))["seen"] == 0, "time enough for an engine"
        with ann.watch(alone["id"], "?seen=0") as socket:
            while socket.receive_json()["seen"] < 1:
                pass


# -- pictures


def test_where_there_are_many_moves_they_are_asked_for(server: TestClient) -> None:
    ann = Player(server)
    wanted = {"game": "snekagon-5g", "options": {"players": 3, "side": 6}}
    game = done(ann.post("/api/games", **wanted, seats=seats("me", "here", "here")))["id"]
    assert ann.state(game)["targets"] is None
    found = done(ann.get(f"/api/games/{game}/targets"))
    assert found["seen"] == 0
    assert len(found["targets"]["moves"]) > 6000
    ann.act(game, "play", move=found["targets"]["moves"][0][0], seen=0)
    assert done(ann.get(f"/api/games/{game}/targets"))["seen"] == 1


def test_what_many_ask_is_drawn_once(tmp_path: Path) -> None:
    with make_client(tmp_path) as client, ThreadPoolExecutor(8) as pool:
        game, _, _ = two_players(client, side=6)
        hub = client.app.state.context.hub  # type: ignore[attr-defined]
        before = hub.pictures.drawn
        answers = list(pool.map(lambda _: client.get(f"/api/games/{game}").status_code, range(16)))
        assert answers == [200] * 16
        assert hub.pictures.drawn == before + 1


# -- addresses


@pytest.mark.parametrize(
    ("lines", "proxies", "found"),
    [
        (["1.1.1.1"], (), "1.1.1.1"),
        (["9.9.9.9", "1.1.1.1"], (), "1.1.1.1"),
        (["9.9.9.9, 8.8.8.8", "7.7.7.7, 1.1.1.1"], (), "1.1.1.1"),
        (["9.9.9.9, 1.1.1.1, 10.0.0.7"], ("10.0.0.0/8",), "1.1.1.1"),
        (["1.1.1.1:4711"], (), "1.1.1.1"),
        (["[2001:db8::1]:443"], (), "2001:db8::1"),
        (["2001:db8::1"], (), "2001:db8::1"),
        (['"[2001:db8::1]"'], (), "2001:db8::1"),
        (["10.0.0.8, 10.0.0.7"], ("10.0.0.0/8",), "10.0.0.8"),
        ([], ("10.0.0.0/8",), "10.0.0.1"),
        ([" , "], (), "10.0.0.1"),
    ],
)
def test_which_forwarded_address_counts(lines: list[str], proxies: tuple[str, ...], found: str) -> None:
    from ipaddress import ip_network

    networks = tuple(ip_network(proxy) for proxy in proxies)
    assert forwarded_for(lines, "10.0.0.1", networks) == found
    if networks:
        assert forwarded_for(lines, "192.0.2.1", networks) == "192.0.2.1", "it came past the proxies"


def test_a_second_line_of_forwarded_addresses_changes_nothing(tmp_path: Path) -> None:
    with make_client(tmp_path, behind_proxy=True, requests_per_second=0.001, requests_burst=3) as client:
        codes = [
            client.get(
                "/api/lobby",
                headers=[("x-forwarded-for", f"192.0.2.{n}"), ("x-forwarded-for", "203.0.113.7")],
            ).status_code
            for n in range(6)
        ]
    assert codes == [200, 200, 200, 429, 429, 429]


# -- failures are reported


def test_a_mistake_of_the_server_is_counted_and_answered_like_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: Any) -> None:
        raise RuntimeError("never foreseen")

    with make_client(tmp_path) as client:
        monkeypatch.setattr("snakeden.server.actions.beginning", broken)
        answer = client.post("/api/options", json={"game": "snekagon"})
        assert refused(answer, 500)
        assert answer.json()["message"]["key"] == "server.failed"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert 'route="/api/options",status="500"' in client.get("/metrics").text
    assert "never foreseen" in caplog.text, "who runs the server reads it, who asks does not"
    assert "foreseen" not in answer.text


def test_a_database_that_takes_nothing_is_told(tmp_path: Path) -> None:
    with make_client(tmp_path) as client, closing(sqlite3.connect(tmp_path / "games.sqlite")) as database:
        game, ann, _ = two_players(client, side=3)
        assert client.get("/healthz").status_code == 200
        # Any error of the database will do; a full disk is one.
        for table, what in (("entries", "INSERT"), ("health", "UPDATE")):
            database.execute(
                f"CREATE TRIGGER no_{table} BEFORE {what} ON {table} BEGIN SELECT json('{{'); END"
            )
        hub = client.app.state.context.hub  # type: ignore[attr-defined]
        hub.store._healthy = None  # what was found a moment ago is believed for a while
        assert "try again" in refused(ann.post(f"/api/games/{game}/play", move="c3", seen=1), 503)
        assert client.get("/healthz").status_code == 503
        for table in ("entries", "health"):
            database.execute(f"DROP TRIGGER no_{table}")
        assert ann.act(game, "play", move="c3", seen=1)["ply"] == 1
        hub.store._healthy = None
        assert client.get("/healthz").status_code == 200


def test_the_writer_outlives_any_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with make_client(tmp_path) as client:
        game, ann, _ = two_players(client, side=3)
        with monkeypatch.context() as trouble:

            def broken(self: Store, batch: Any) -> Any:
                raise MemoryError("never foreseen")

            trouble.setattr(Store, "_commit", broken)
            refused(ann.post(f"/api/games/{game}/play", move="c3", seen=1), 500)
        assert "not foreseen" in caplog.text
        assert ann.act(game, "play", move="c3", seen=1)["ply"] == 1


# -- the lobby, logs, names, files


def test_one_client_cannot_fill_the_lobby(tmp_path: Path) -> None:
    with make_client(tmp_path, open_games_per_client=3) as client:
        ann, bob = Player(client), Player(client)
        wanted = {"game": "snekagon", "options": {"side": 3}, "seats": seats("me", "open")}
        made = [done(ann.post("/api/games", **wanted))["id"] for _ in range(3)]
        assert "3 games" in refused(bob.post("/api/games", **wanted), 429), "the address counts, not the key"
        assert len(done(bob.get("/api/lobby"))["games"]) == 3
        bob.act(made[0], "join", name="Bob")
        done(ann.post("/api/games", **wanted))
        refused(ann.post("/api/games", **wanted), 429)
        done(ann.post("/api/games", **(wanted | {"seats": seats("me", "link")})))


def test_one_client_cannot_take_every_seat_of_the_lobby(tmp_path: Path) -> None:
    with make_client(tmp_path, joined_games_per_client=2) as client:
        ann, bob = Player(client), Player(client)
        wanted = {"game": "snekagon", "options": {"side": 3}, "seats": seats("me", "open")}
        first, second, third = (done(ann.post("/api/games", **wanted))["id"] for _ in range(3))
        for game in (first, second, second):
            bob.act(game, "join")
        assert "2 games" in refused(Player(client).post(f"/api/games/{third}/join"), 429), (
            "the address counts"
        )
        bob.act(first, "resign")
        bob.act(third, "join")


def test_games_leave_the_lobby_after_a_while(tmp_path: Path) -> None:
    with make_client(tmp_path, lobby_hours=0.0) as client:
        ann = Player(client)
        done(ann.post("/api/games", game="snekagon", seats=seats("me", "open")))
        assert done(ann.get("/api/lobby"))["games"] == []
        assert len(done(ann.get("/api/mine"))["games"]) == 1


def test_no_log_names_a_private_game(process: ServerProcess, log: Path) -> None:
    from websockets.sync.client import connect

    key = new_key()
    wanted = {"game": "snekagon", "options": {"side": 3}, "seats": seats("me", "here")}
    made = httpx2.post(f"{process.address}/api/games", json=wanted, headers=bearing(key), timeout=120)
    game = made.raise_for_status().json()["id"]
    url = f"{process.address.replace('http', 'ws')}/api/games/{game}/live?seen=0"
    with connect(url, additional_headers=bearing(key)) as live:
        live.recv(60)
    httpx2.get(f"{process.address}/api/games/{game}", timeout=60).raise_for_status()
    assert well(process), "by then the lines about the requests before are written"
    text = log.read_text()
    assert "/api/games/{game_id}" in text
    assert game not in text


@pytest.mark.parametrize(
    "name",
    [
        "Ann\u202enna",
        "Ann\u200b",
        "\ufeffAnn",
        "A\u2066nn",
        "An\u00adn",
        "\u3164",
        "Ann\U000e0041",
        "A\u034fnn",
    ],
)
def test_names_that_look_like_others_are_refused(server: TestClient, name: str) -> None:
    wanted = {"game": "snekagon", "seats": [{"kind": "me", "name": name}, {"kind": "here"}]}
    assert "name" in refused(Player(server).post("/api/games", **wanted), 422)


def test_names_of_all_languages_are_welcome(server: TestClient) -> None:
    for name in ("Žofie Nováková", "李小龍", "Ægir Þór", "محمد", "Zoë 🐍"):
        wanted = {"game": "snekagon", "seats": [{"kind": "me", "name": name}, {"kind": "here"}]}
        done(Player(server).post("/api/games", **wanted))


def test_a_file_has_one_lock_by_whatever_name(tmp_path: Path) -> None:
    (tmp_path / "link.sqlite").symlink_to(tmp_path / "games.sqlite")
    with make_client(tmp_path):
        lock = lock_database(f"sqlite:///{tmp_path / 'games.sqlite'}")
        assert lock is not None
        try:
            with pytest.raises(ValueError, match="another server"):
                lock_database(f"sqlite:///{tmp_path / 'link.sqlite'}")
        finally:
            lock.release()
    (tmp_path / "hard.sqlite").hardlink_to(tmp_path / "games.sqlite")
    with pytest.raises(ValueError, match="hard link"):
        Store(f"sqlite:///{tmp_path / 'hard.sqlite'}")


def test_behind_a_proxy_the_cookie_is_of_this_host_only(tmp_path: Path) -> None:
    wanted = {"game": "snekagon", "options": {"side": 3}, "seats": seats("me", "here")}
    with make_client(tmp_path, behind_proxy=True) as client:
        made = client.post("/api/games", json=wanted)
        cookie = made.headers["set-cookie"]
        assert cookie.startswith("__Host-snakeden=")
        for part in ("Secure", "Path=/;", "HttpOnly", "SameSite=strict"):
            assert part in cookie + ";"
        value = cookie.split(";")[0].partition("=")[2]
        game = done(made)["id"]
        for name, status in (("snakeden", 401), ("__Host-snakeden", 200)):
            client.cookies.clear()
            played = client.post(
                f"/api/games/{game}/play",
                json={"move": "c3", "seen": 0},
                headers={"cookie": f"{name}={value}"},
            )
            assert played.status_code == status


def test_as_many_messages_at_once_as_are_promised(tmp_path: Path) -> None:
    with make_client(tmp_path, requests_per_second=0.001, requests_burst=200) as client:
        game, ann, _ = two_players(client, side=3)
        with ann.watch(game, "?seen=1") as socket:
            socket.receive_json()
            for number in range(201):
                socket.send_text(json.dumps({"type": "ping", "re": number}))
            answers = [socket.receive_json()["type"] for _ in range(201)]
    assert answers == ["pong"] * 200 + ["refused"]


def test_the_short_form_of_the_benchmark() -> None:
    """It attacks, and counts what it did; how long anything took is not looked at, so its exit status is not either."""
    names = ["lobby-flood", "endless-strings", "page-engines"]
    command = [sys.executable, "bench/attack.py", *names, "--seconds=0.5", "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], timeout=300)
    flood, strings, lies = map(json.loads, ran.stdout.splitlines())
    assert flood["found"] == {"refused 429": 100, "in the lobby": 6}
    assert not any(what.startswith("refused 5") for what in (*strings["found"], *lies["found"]))
    assert flood["samples_attacked"] > 0
