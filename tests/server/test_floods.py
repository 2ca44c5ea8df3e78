"""Floods of tiny things, each of which costs the server far more than the client: they are cut off while they come."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import socket
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import permutations
from pathlib import Path
from typing import Any

import httpx2
import pytest
from serving import Player, connection, done, make_client, refused, seats, two_players
from starlette.testclient import TestClient

from attacking import frame, upgrade
from server_process import ServerProcess, bearing, new_key
from snakeden import programs
from snakeden.core import game as core_game
from snakeden.server.fair import CLIENT, FairPool, Once
from snakeden.server.guard import check_parts
from snakeden.server.http import FRAMES_BURST, MOST_CHUNKS, MOST_PIPELINED
from snakeden.server.logs import set_up
from snakeden.server.openings import opening

GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
CHUNKED = (
    b"POST /api/options HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
BODY = b'13\r\n{"game":"snekagon"}\r\n0\r\n'


def is_cut_off(sock: socket.socket, sent: bytes) -> bool:
    """Whether the server ends the connection by itself, within the 30 seconds that a socket here waits for anything."""
    try:
        sock.sendall(sent)
        while sock.recv(1 << 16):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


# -- HTTP


def test_few_requests_ahead_are_answered_and_many_are_not(process: ServerProcess) -> None:
    with closing(connection(process)) as sock:
        sock.sendall(GET * (MOST_PIPELINED + 1))
        answers = b""
        while answers.count(b"HTTP/1.1 200") <= MOST_PIPELINED:
            answers += sock.recv(1 << 16)
    with closing(connection(process)) as sock:
        assert is_cut_off(sock, GET * 1000)


def test_a_body_comes_in_few_pieces(process: ServerProcess) -> None:
    with closing(connection(process)) as sock:
        assert is_cut_off(sock, CHUNKED + b"1\r\n \r\n" * (MOST_CHUNKS + 1))


def test_what_follows_a_body_is_neither_kept_nor_endless(process: ServerProcess) -> None:
    with closing(connection(process)) as sock:
        sock.sendall(CHUNKED + BODY + b"Content-Type: text/html\r\n\r\n")
        assert sock.recv(100).startswith(b"HTTP/1.1 200")
    with closing(connection(process)) as sock:
        assert is_cut_off(sock, CHUNKED + BODY + b"X: y\r\n" * 400_000)


# -- live connections


@pytest.fixture(scope="module")
def game(process: ServerProcess) -> str:
    wanted = {"game": "snekagon", "options": {"side": 3}, "seats": seats("me", "here")}
    made = httpx2.post(f"{process.address}/api/games", json=wanted, headers=bearing(new_key()), timeout=120)
    found: str = made.raise_for_status().json()["id"]
    return found


@pytest.mark.parametrize("flood", [frame(9, b"x" * 100), frame(10), frame(1, b"{}"), frame(2)])
def test_a_flood_of_frames_is_cut_off(process: ServerProcess, game: str, flood: bytes) -> None:
    with closing(connection(process)) as sock:
        sock.sendall(upgrade(game))
        assert sock.recv(100).startswith(b"HTTP/1.1 101")
        assert is_cut_off(sock, flood * (2 * FRAMES_BURST))
    assert httpx2.get(f"{process.address}/healthz", timeout=30).status_code == 200


def test_as_many_messages_in_one_write_as_are_promised(process: ServerProcess, game: str) -> None:
    with closing(connection(process, "127.0.0.5")) as sock:
        sock.sendall(upgrade(game))
        assert sock.recv(100).startswith(b"HTTP/1.1 101")
        sock.sendall(frame(1, b'{"type":"ping"}') * 200)
        answers = b""
        while answers.count(b'"pong"') < 200:
            received = sock.recv(1 << 16)
            assert received, "it is not cut off"
            answers += received


def test_messages_count_over_all_connections(tmp_path: Path) -> None:
    with make_client(tmp_path, requests_per_second=0.001, requests_burst=10) as client:
        game, ann, _ = two_players(client, side=3)
        with ann.watch(game, "?seen=1") as one, ann.watch(game, "?seen=1") as other:
            answers = []
            for told in (one, other):
                told.receive_json()
                for _ in range(6):
                    told.send_json({"type": "ping"})
                    answers.append(told.receive_json()["type"])
    assert answers == ["pong"] * 10 + ["refused"] * 2


def test_what_a_message_is_called_is_short(server: TestClient) -> None:
    game, ann, _ = two_players(server, side=3)
    with ann.watch(game, "?seen=1") as told:
        told.receive_json()
        too_long: list[Any] = ["x" * 5000, [0] * 900]
        for reference in too_long:
            told.send_json({"type": "ping", "re": reference})
            assert told.receive_json()["status"] == 422
        told.send_text('{"type":"ping","re":' + "[" * 700 + "]" * 700 + "}")
        assert told.receive_json()["type"] in ("pong", "refused")


# -- texts


def test_a_text_of_quotes_without_end_is_read_once() -> None:
    """It took a minute of every player's time. In a process of its own, since nothing can interrupt it."""
    code = """
from snakeden.server.guard import check_parts
check_parts(b'{"a":"' + bytes([92, 34]) * 1990 + b"x" * 250_000)
"""
    subprocess.run([sys.executable, "-c", code], timeout=60, check=True)
    check_parts(json.dumps({"record": 'a "quoted" \\ text ' * 100}).encode())


@pytest.mark.parametrize("path", ["/api/study/position", "/api/options"])
def test_no_option_names_a_file_of_the_server(server: TestClient, tmp_path: Path, path: str) -> None:
    from importlib.resources import files

    there = tmp_path / "there.txt"
    there.write_bytes((files("snakeden.games.snakey_dice") / "boards" / "original.txt").read_bytes())
    answers = {
        refused(server.post(path, json={"game": "snakey-dice", "options": {"map": str(file)}}), 422).replace(
            file.name, ""
        )
        for file in (there, tmp_path / "other.txt")
    }
    assert len(answers) == 1, "whether there is such a file is not told either"


# -- turns


def test_nobody_waits_in_the_turn_of_another() -> None:
    """A client whose queue is long asks first for what another wants, too."""

    async def play() -> list[str]:
        pool = FairPool(range(2), most_held=1, most_waiting=100, most_waiting_of_all=100)
        gate, made = asyncio.Event(), []

        async def block() -> None:
            async with pool.turn("attacker"):
                await gate.wait()

        async def draw() -> str:
            async with pool.turn(CLIENT.get()):
                made.append(CLIENT.get())
                return "picture"

        async def ask(client: str, wanted: Once[str]) -> str:
            CLIENT.set(client)
            return await wanted.get()

        blocking = [asyncio.create_task(block()) for _ in range(5)]
        wanted = Once(draw)
        first = asyncio.create_task(ask("attacker", wanted))
        await asyncio.sleep(0)
        assert await asyncio.wait_for(ask("bystander", wanted), 30) == "picture"
        assert await first == "picture"
        gate.set()
        await asyncio.gather(*blocking)
        return made

    assert asyncio.run(play()) == ["bystander"], "and it is made once"


def test_who_only_looks_lends_a_game_no_turn(tmp_path: Path) -> None:
    chosen = {"behind_proxy": True, "proxies": ()}
    with make_client(tmp_path, **chosen) as client:
        ann = Player(client)
        client.headers["x-forwarded-for"] = "198.51.100.1"
        wanted = {"game": "snekagon", "options": {"side": 3}, "seats": seats("me", "here")}
        game = done(ann.post("/api/games", **wanted))["id"]
        client.headers["x-forwarded-for"] = "203.0.113.7"
        Player(client).state(game)
        live = client.app.state.context.hub._lives[game]  # type: ignore[attr-defined]
        assert live.client == "198.51.100.1"
        ann.act(game, "play", move="c3", seen=0)
        assert live.client == "203.0.113.7", "who plays is who it is done for, wherever they are"


def test_games_made_at_once_do_not_pass_each_other(tmp_path: Path) -> None:
    with make_client(tmp_path, open_games_per_client=3) as client, ThreadPoolExecutor(8) as pool:
        wanted = {"game": "snekagon", "options": {"side": 3}, "seats": seats("me", "open")}
        done(client.post("/api/options", json={"game": "snekagon", "options": {"side": 3}}))
        made = list(pool.map(lambda _: client.post("/api/games", json=wanted).status_code, range(12)))
        assert sorted(made) == [201] * 3 + [429] * 9
        assert len(done(client.get("/api/lobby"))["games"]) == 3


def test_warnings_that_a_client_causes_do_not_fill_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    try:
        set_up("warning")
        for _ in range(200):
            logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
        logging.getLogger("snakeden.store").warning("something else")
    finally:
        root.handlers[:] = before
        root.setLevel(level)
    lines = capsys.readouterr().err.splitlines()
    assert 20 <= sum("Invalid HTTP" in line for line in lines) <= 25
    assert any("something else" in line for line in lines)


# -- memory


def test_the_tables_of_variants_count_among_the_games_in_memory(tmp_path: Path) -> None:
    """One client can make a game of another variant each time, and each has tables of its own."""
    with make_client(tmp_path, cached_bytes=4 << 20) as client:
        ann, hub = Player(client), client.app.state.context.hub  # type: ignore[attr-defined]
        for order in permutations(["mamba", "python", "cobra"]):
            options = {"players": 3, "side": 5, "snakes": list(order)}
            done(
                ann.post("/api/games", game="snekagon-5g", options=options, seats=seats("me", "here", "here"))
            )
        assert 0 < hub.cached < 6
        assert hub.cached_bytes <= 4 << 20


def test_a_variant_that_nobody_needs_leaves_memory_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only when somebody looks for garbage, which a server does seldom."""
    monkeypatch.setattr(core_game, "_KEPT_BYTES", 1)
    gc.disable()
    try:
        state = opening("snekagon", {"side": 7, "second_single": True})  # as no game of another test is
        assert state.legal_moves()
        known = weakref.ref(state.variant)
        opening("snekagon", {"side": 4})
        assert opening("snekagon", {"side": 7, "second_single": True}).variant is state.variant
        del state
        opening("snekagon", {"side": 4})
        assert known() is None
    finally:
        gc.enable()


def test_one_process_compiles_for_many_variants(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is compiled yet, a visitor who asks for many variants starts no more."""
    started: list[list[str]] = []

    def start(command: list[str], **_: Any) -> object:
        started.append(command)
        return object()

    monkeypatch.setattr("snakeden.programs.cpu.is_compiled", lambda *_: False)
    monkeypatch.setattr("snakeden.programs.subprocess.Popen", start)
    monkeypatch.setattr(programs, "_compiling", {})
    for side in (3, 4, 5):
        programs.compile_in_background(opening("snekagon", {"side": side}).variant)
    assert len(started) == 1
