"""What the server refuses: bad requests, foreign pages, too much of anything."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from serving import Player, done, make_client, new_key, refused, seats, two_players
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from snakeden.games.snakey_dice.maps import find_map

GAME_ID = "x" * 20


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"game": "chess", "seats": seats("me", "here")}, "there is no game 'chess'"),
        ({"game": "snekagon", "seats": seats("me")}, "2 seats"),
        ({"game": "snekagon", "seats": []}, "seats"),
        ({"game": "snekagon", "seats": seats("me", "me")}, "only one seat can be yours"),
        ({"game": "snekagon", "seats": seats("me", "robot")}, "seats.1.kind"),
        ({"game": "snekagon", "seats": [{"kind": "me"}, {"kind": "engine"}]}, "needs an agent"),
        (
            {"game": "snekagon", "seats": [{"kind": "me", "agent": "random"}, {"kind": "here"}]},
            "no other seat",
        ),
        ({"game": "snekagon", "seats": seats("me", "engine=deep-blue")}, "there is no agent"),
        ({"game": "snekagon", "seats": seats("me", "engine=mcts:time=1s,threads=64")}, "the server's to say"),
        (
            {"game": "snekagon", "seats": seats("me", "engine=mcts:time=1s,memory=99999")},
            "the server's to say",
        ),
        ({"game": "snekagon", "options": {"side": 99}, "seats": seats("me", "here")}, "from 2 to 8"),
        ({"game": "snekagon", "options": {"side": {"a": 1}}, "seats": seats("me", "here")}, "from 2 to 8"),
        ({"game": "snekagon", "options": {"size": 4}, "seats": seats("me", "here")}, "no option 'size'"),
        ({"game": "snekagon", "options": [], "seats": seats("me", "here")}, "options"),
        ({"game": "snekagon", "seats": [{"kind": "me", "name": "x" * 41}, {"kind": "here"}]}, "name"),
        ({"game": "snekagon", "seats": [{"kind": "me", "name": "a\nb"}, {"kind": "here"}]}, "name"),
        ({"game": "snekagon", "seats": seats("me", "here"), "admin": True}, "admin"),
        ({"seats": seats("me", "here")}, "there is no game"),
    ],
)
def test_games_that_cannot_be(server: TestClient, body: dict[str, Any], message: str) -> None:
    ann = Player(server)
    assert message in refused(ann.post("/api/games", **body), 422)
    assert done(ann.get("/api/mine"))["games"] == []


def test_no_file_is_opened_for_a_stranger(server: TestClient, tmp_path: Path) -> None:
    ann = Player(server)
    own = tmp_path / "map.txt"
    own.write_text("no map at all\n")
    for path in (str(own), "/etc/passwd", "../../etc/passwd"):
        for address in ("/api/options", "/api/games"):
            body: dict[str, Any] = {"game": "snakey-dice", "options": {"players": 2, "map": path}}
            if address == "/api/games":
                body["seats"] = seats("me", "here")
            refusal = refused(ann.post(address, **body), 422)
            assert "cannot be read" not in refusal
            assert "no map at all" not in refusal


def test_a_map_of_ones_own_comes_as_text(server: TestClient) -> None:
    ann = Player(server)
    board = find_map("pinwheel").inline()
    wanted = {"game": "snakey-dice", "options": {"players": 2, "map": board}}
    assert done(ann.post("/api/options", **wanted))["options"]["map"] == board
    game = done(ann.post("/api/games", **wanted, seats=seats("me", "here")))["id"]
    assert ann.play_any(game)["status"] == "running"
    for damaged in (board[:-3], board.replace("/", "/?", 1), board * 50):
        wanted["options"] = {"players": 2, "map": damaged}
        assert "map" in refused(ann.post("/api/options", **wanted), 422)


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("play", {"move": "c3"}, 422),
        ("play", {"move": "c3", "seen": -1}, 422),
        ("play", {"move": "c3", "seen": 10**12}, 422),
        ("play", {"move": "c3", "seen": 7}, 409),
        ("play", {"move": "", "seen": 1}, 422),
        ("play", {"move": "x" * 401, "seen": 1}, 422),
        ("play", {"move": "z99", "seen": 1}, 422),
        ("play", {"move": 7, "seen": 1}, 422),
        ("play", {"move": "c3", "seen": 1, "seat": 1}, 403),
        ("play", {"move": "c3", "seen": 1, "seat": -1}, 422),
        ("play", {"move": "c3", "seen": 1, "cheat": 1}, 422),
        ("undo", {}, 422),
        ("undo", {"seen": 1}, 409),
        ("undo/answer", {"seen": 1}, 422),
        ("undo/answer", {"seen": 1, "allow": "perhaps"}, 422),
        ("undo/answer", {"seen": 1, "allow": True}, 409),
        ("resign", {"seat": 1}, 403),
        ("resign", {"seat": "all"}, 422),
        ("rematch", {}, 409),
        ("rematch", {"now": 1}, 422),
        ("hint", {}, 403),
        ("join", {"code": "short"}, 422),
        ("join", {"code": "A" * 24}, 403),
        ("join", {}, 409),
        ("invite", {"seat": 1}, 409),
        ("invite", {}, 422),
    ],
)
def test_acts_that_cannot_be_change_nothing(
    server: TestClient, path: str, body: dict[str, Any], status: int
) -> None:
    game, ann, _ = two_players(server, side=3)
    before = ann.state(game)
    refused(ann.post(f"/api/games/{game}/{path}", **body), status)
    assert ann.state(game) == before


def test_games_that_are_not_there(server: TestClient) -> None:
    ann = Player(server)
    for path in ("", "/entries", "/record"):
        refused(ann.get(f"/api/games/{GAME_ID}{path}"), 404)
        refused(ann.get(f"/api/games/short{path}"), 422)
    refused(ann.post(f"/api/games/{GAME_ID}/play", move="c3", seen=0), 404)
    refused(ann.get("/api/nothing"), 404)
    refused(ann.get("/nothing"), 404)
    for bad in (f"/api/games/{GAME_ID}/live", "/api/games/short/live"):
        with pytest.raises(WebSocketDisconnect), server.websocket_connect(f"ws://localhost{bad}"):
            pass


@pytest.mark.parametrize(
    "message",
    [
        *("", "{", "[]", "7", '"play"', "null", "[" * 5000, '{"type": "dance"}', "{}"),
        '{"type": "ping", "re": ' + "7" * 5000 + "}",
        b'{"type": "ping"}',
    ],
)
def test_messages_that_mean_nothing(server: TestClient, message: str | bytes) -> None:
    game, ann, _ = two_players(server, side=3)
    with ann.watch(game, "?seen=1") as socket:
        socket.receive_json()
        if isinstance(message, bytes):
            socket.send_bytes(message)
        else:
            socket.send_text(message)
        answer = socket.receive_json()
        assert (answer["type"], answer["status"]) == ("refused", 422)
        socket.send_json({"type": "play", "re": 1, "move": "c3"})
        assert "seen" in socket.receive_json()["error"]
        socket.send_json({"type": "ping", "re": [1]})
        assert socket.receive_json() == {"type": "pong", "re": [1]}


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"[" * 20000, b'{"game": 1e999}'])
def test_bodies_that_are_no_json(server: TestClient, body: bytes) -> None:
    answer = server.post("/api/games", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 413, 422)
    assert answer.json()["error"]


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("options", {"record": '[Game "snakey-dice"]\n[Rules "1"]\n\n1. use:\ud800'}),
        ("options", {"record": '[Game "snakey-dice"]\n[Rules "1"]\n[Place "\\ud800"]\n\n1. dice:1'}),
        ("options", {"game": "snekagon", "options": {"side": ["\udfff"]}}),
        ("options", {"game": "snekagon", "options": {"\ud800": 3}}),
        ("games", {"game": "snekagon", "seats": [{"kind": "me", "name": "Ann\ud800"}, {"kind": "here"}]}),
        ("games", {"game": "snekagon", "seats": seats("me", "engine=\ud800")}),
        ("games", {"game": "snekagon", "seats": seats("me", "here"), "\ud800": 1}),
    ],
)
def test_half_a_character_is_no_text(server: TestClient, address: str, body: dict[str, Any]) -> None:
    sent = json.dumps(body)
    answer = server.post(f"/api/{address}", content=sent, headers={"content-type": "application/json"})
    refusal = refused(answer, 422)
    assert "half a character" in refusal or "the value of Place is not readable" in refusal


def test_a_record_numbers_its_moves_within_reason(server: TestClient) -> None:
    text = f'[Game "snekagon"]\n[Rules "1"]\n\n{"1" * 5000}. f6'
    refusal = refused(Player(server).post("/api/options", record=text), 422)
    assert "it is move 1" in refusal
    assert len(refusal) < 200


def test_only_json_is_read(server: TestClient) -> None:
    """A form on another site can send these without asking first."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        body = json.dumps({"game": "snekagon", "seats": seats("me", "here")})
        refused(server.post("/api/games", content=body, headers={"content-type": kind}), 415)


@pytest.mark.parametrize(
    ("host", "origins", "allowed"),
    [
        ("localhost:8330", (), True),
        ("127.0.0.1:8330", (), True),
        ("[::1]:8330", (), True),
        ("192.168.1.7:8330", (), True),
        ("games.example.org", ("https://games.example.org",), True),
        ("games.example.org", (), False),
        ("evil.example.org", ("https://games.example.org",), False),
        ("localhost.evil.org", (), False),
        ("127.0.0.1.evil.org", (), False),
        ("localhost:port", (), False),
        ("user@localhost", (), False),
        ("", (), False),
        ("[::1", (), False),
    ],
)
def test_names_the_server_answers_to(
    tmp_path: Path, host: str, origins: tuple[str, ...], allowed: bool
) -> None:
    with make_client(tmp_path, origins=origins) as client:
        answer = client.get("/api/catalogue", headers={"host": host})
        assert answer.status_code == (200 if allowed else 421)


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({}, True),
        ({"origin": "http://localhost"}, True),
        ({"origin": "https://localhost"}, True),
        ({"origin": "http://localhost:81"}, False),
        ({"origin": "http://evil.example.org"}, False),
        ({"origin": "null"}, False),
        ({"origin": ""}, False),
        ({"origin": "http://localhost.evil.org"}, False),
        ({"origin": "http://["}, False),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "same-site"}, False),
        ({"sec-fetch-site": "same-origin", "origin": "http://localhost"}, True),
    ],
)
def test_pages_of_other_sites_cannot_act(server: TestClient, headers: dict[str, str], allowed: bool) -> None:
    game, ann, _ = two_players(server, side=3)
    answer = server.post(
        f"/api/games/{game}/play", json={"move": "c3", "seen": 1}, headers={**ann.headers, **headers}
    )
    assert answer.status_code == (200 if allowed else 403)
    assert ann.state(game)["ply"] == int(allowed)
    url = f"ws://localhost/api/games/{game}/live?seen=0"
    if allowed:
        with server.websocket_connect(url, headers=headers) as socket:
            assert socket.receive_json()["type"] == "entries"
    else:
        with pytest.raises(WebSocketDisconnect), server.websocket_connect(url, headers=headers):
            pass


def test_too_long(tmp_path: Path) -> None:
    with make_client(tmp_path, body_bytes=1000, record_bytes=3000) as client:
        path = f"/api/games/{GAME_ID}/play"
        json_header = {"content-type": "application/json"}
        refused(client.post(path, content=b" " * 1001, headers=json_header), 413)
        refused(client.post(path, content=iter([b" " * 600, b" " * 600]), headers=json_header), 413)
        refused(client.post(path, content=b" " * 1000, headers=json_header), 422)
        refused(client.post("/api/games", content=b" " * 3000, headers=json_header), 422)
        refused(client.post("/api/games", content=b" " * 3001, headers=json_header), 413)


def test_too_often(tmp_path: Path) -> None:
    with make_client(tmp_path, requests_per_second=0.001, requests_burst=3) as client:
        codes = [client.get("/api/lobby").status_code for _ in range(5)]
        assert codes == [200, 200, 200, 429, 429]
        assert "wait" in client.get("/api/lobby").json()["error"]
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect(f"ws://localhost/api/games/{GAME_ID}/live"),
        ):
            pass


def test_too_many_games_sockets_messages_and_hints(tmp_path: Path) -> None:
    few = {"games_per_hour": 0.001, "games_burst": 2, "sockets_per_client": 2}
    with make_client(tmp_path, **few, hints_per_minute=0.001, hints_burst=1, hint_agent="greedy") as client:
        ann = Player(client)
        wanted = {"game": "snekagon", "options": {"side": 3}, "seats": seats("me", "here"), "hints": True}
        game = done(ann.post("/api/games", **wanted))["id"]
        done(ann.post("/api/games", **wanted))
        assert "new games" in refused(ann.post("/api/games", **wanted), 429)
        done(ann.post(f"/api/games/{game}/hint"))
        refused(ann.post(f"/api/games/{game}/hint"), 429)
        with ann.watch(game), ann.watch(game), pytest.raises(WebSocketDisconnect), ann.watch(game):
            pass
        with ann.watch(game, "?seen=0"):
            pass


def test_a_rematch_counts_as_a_new_game(tmp_path: Path) -> None:
    with make_client(tmp_path, games_per_hour=0.001, games_burst=2) as client:
        first, ann, bob = two_players(client, side=3)
        refused(ann.post(f"/api/games/{first}/rematch"), 409)
        ann.act(first, "resign")
        second = ann.act(first, "rematch")["id"]
        assert bob.act(first, "rematch")["id"] == second, "to sit down in it costs nothing"
        ann.act(second, "resign")
        assert "new games" in refused(ann.post(f"/api/games/{second}/rematch"), 429)
        assert ann.state(second)["rematch"] is None


def test_every_answer_carries_the_policy(server: TestClient) -> None:
    for path in ("/api/catalogue", "/api/docs", "/healthz", "/nothing", "/api/games/short"):
        headers = server.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "'unsafe" not in policy, "WebAssembly may be compiled, and nothing else that is text"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
    assert server.get("/api/catalogue").headers["cache-control"] == "no-store"
    assert "<script" not in server.get("/api/docs").text


def test_a_browser_is_given_a_cookie_no_script_can_read(tmp_path: Path) -> None:
    with make_client(tmp_path) as client:
        wanted = {"game": "snekagon", "options": {"side": 3}, "seats": seats("me", "here")}
        first = client.post("/api/games", json=wanted)
        cookie = first.headers["set-cookie"]
        for part in ("snakeden=", "HttpOnly", "SameSite=strict", "Path=/api"):
            assert part in cookie
        assert "Secure" not in cookie
        assert client.cookies["snakeden"] not in first.text
        game = done(first)["id"]
        assert done(client.post(f"/api/games/{game}/play", json={"move": "c3", "seen": 0}))["ply"] == 1
        assert done(client.get("/api/mine"))["games"][0]["you"] == [0, 1]
        second = client.post("/api/games", json=wanted)
        assert second.headers["set-cookie"].split(";")[0] == cookie.split(";")[0], "one key for all games"
        client.cookies.clear()
        refused(client.post(f"/api/games/{game}/play", json={"move": "a1-a2", "seen": 1}), 401)
    with make_client(tmp_path, behind_proxy=True) as client:
        assert "Secure" in client.post("/api/games", json=wanted).headers["set-cookie"]


def test_nothing_secret_is_logged_or_stored(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with make_client(tmp_path) as client:
        ann, bob = Player(client), Player(client)
        made = done(ann.post("/api/games", game="snekagon", options={"side": 3}, seats=seats("me", "link")))
        code = made["invitations"][0]["code"]
        bob.act(made["id"], "join", code=code)
        with ann.watch(made["id"]) as socket:
            socket.receive_json()
            ann.act(made["id"], "play", move="c3", seen=1)
        refused(Player(client).post(f"/api/games/{made['id']}/join", code=code), 403)
    logged = "\n".join(f"{record.getMessage()} {vars(record)}" for record in caplog.records)
    assert "/api/games/{game_id}/play" in logged
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert made["id"].encode() in kept
    for secret in (ann.key, bob.key, code):
        assert secret is not None
        assert secret not in logged
        assert secret.encode() not in kept


def test_behind_a_proxy_the_last_address_counts(tmp_path: Path) -> None:
    with make_client(tmp_path, behind_proxy=True, requests_per_second=0.001, requests_burst=1) as client:

        def ask(forwarded: str) -> int:
            return client.get("/api/lobby", headers={"x-forwarded-for": forwarded}).status_code

        assert ask("1.1.1.1") == 200
        assert ask("9.9.9.9, 1.1.1.1") == 429, "what the client itself claims does not count"
        assert ask("1.1.1.1, 2.2.2.2") == 200
        assert ask("2001:db8::1") == 200
        assert ask("2001:db8::2") == 429, "one household has a whole network"
        assert ask("nonsense") == 200


def test_operations(server: TestClient) -> None:
    assert server.get("/healthz").json() == {"status": "ok"}
    game, ann, _ = two_players(server, side=3)
    ann.act(game, "play", move="c3", seen=1)
    text = server.get("/metrics").text
    assert 'snakeden_requests_total{method="POST",route="/api/games/{game_id}/play",status="200"}' in text
    assert "snakeden_moves_stored" in text
    assert game not in text
    page = server.get("/api/docs").text
    for path in server.get("/api/openapi.json").json()["paths"]:
        assert path in page
    assert new_key() not in page
