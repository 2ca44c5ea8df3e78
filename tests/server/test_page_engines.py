"""Engines in the page, as the server sees them: whom it asks, whom it believes, and what it does if nobody answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from serving import Player, done, make_client, seats
from starlette.testclient import TestClient, WebSocketTestSession

import snakeden
from snakeden.cli import main
from snakeden.nets import evaluator
from snakeden.server.errors import TooOften
from snakeden.server.page_engines import PageEngine, Policy, Silent


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TestClient]:
    with make_client(tmp_path, engine_files=tmp_path) as client:
        yield client


def new_game(player: Player, *kinds: str, hints: bool = False) -> str:
    # On a smaller board an engine that plays at random may leave itself no second move.
    wanted = {"game": "snekagon", "options": {"side": 4}, "seats": seats(*kinds), "hints": hints}
    return str(done(player.post("/api/games", **wanted))["id"])


def heard(socket: WebSocketTestSession, *kinds: str) -> dict[str, Any]:
    """The next message of one of these kinds."""
    while True:
        message: dict[str, Any] = socket.receive_json()
        if message["type"] in kinds:
            return message


def offer(socket: WebSocketTestSession) -> dict[str, Any]:
    socket.send_json({"type": "engine", "workers": 1, "re": "engine"})
    return heard(socket, "done", "refused")


def choice(move: str) -> dict[str, Any]:
    line = {"move": move, "does": [], "wins": [0.5, 0.5], "scores": [1, 1], "proven": False, "main": []}
    return {"move": move, "words": [], "does": [], "lines": [line]}


def engine_move(player: Player, socket: WebSocketTestSession, game: str) -> str:
    """The move that the engine makes next on its own."""
    while True:
        for entry in heard(socket, "entries")["entries"]:
            if entry["seat"] == 1:
                return str(entry["data"])


def test_the_page_moves_for_the_engine(server: TestClient) -> None:
    ann = Player(server)
    game = new_game(ann, "me", "engine=level:5")
    with ann.watch(game, "?pictures=1") as socket:
        assert heard(socket, "state")["page_thinks"] is True
        assert offer(socket)["type"] == "done"
        ann.play_any(game)
        asked = heard(socket, "think")
        question = asked["question"]
        assert (question["agent"], question["game"]) == ("level:5", "snekagon")
        chosen = snakeden.restore(question["state"]).legal_moves()[-1].text
        socket.send_json({"type": "thought", "number": asked["number"], "answer": choice(chosen), "re": 1})
        assert engine_move(ann, socket, game) == chosen
        socket.send_json({"type": "thought", "number": asked["number"], "answer": choice(chosen), "re": 2})
        refusal = heard(socket, "refused")
        assert (refusal["re"], refusal["status"]) == (2, 409), "a question is answered once"


def test_a_network_is_asked_on_the_server(server: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The highest level has a network in Snekagon, which no page has."""
    ann = Player(server)
    monkeypatch.setattr(evaluator, "is_installed", lambda: True)
    game = new_game(ann, "me", "engine=level:6")
    with ann.watch(game) as socket:
        offer(socket)
        ann.play_any(game)
        assert heard(socket, "think", "entries")["type"] == "entries", "one's own move"
        assert heard(socket, "think", "entries")["type"] == "entries", "the engine's"


def test_a_hint_of_a_network_is_the_servers(server: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = Player(server)
    for has_net in (True, False):
        monkeypatch.setattr(evaluator, "is_installed", lambda has_net=has_net: has_net)
        game = new_game(ann, "me", "engine=random", hints=True)
        with ann.watch(game) as socket, ThreadPoolExecutor() as pool:
            offer(socket)
            asked = pool.submit(ann.act, game, "hint")
            if not has_net:
                think = heard(socket, "think")
                legal = snakeden.restore(think["question"]["state"]).legal_moves()[0].text
                socket.send_json({"type": "thought", "number": think["number"], "answer": choice(legal)})
            assert asked.result()["lines"]


def no_chances(move: str) -> dict[str, Any]:
    """A legal move of which nothing is said that an engine would say."""
    answer = choice(move)
    answer["lines"][0]["wins"] = []
    return answer


@pytest.mark.parametrize(
    "lie", [lambda _: None, lambda _: choice("a1-z9"), no_chances], ids=["none", "illegal", "no chances"]
)
def test_a_page_that_fails_is_not_asked_again(
    server: TestClient, lie: Callable[[str], dict[str, Any] | None]
) -> None:
    ann = Player(server)
    game = new_game(ann, "me", "engine=random")
    with ann.watch(game) as socket:
        offer(socket)
        ann.play_any(game)
        asked = heard(socket, "think")
        legal = snakeden.restore(asked["question"]["state"]).legal_moves()[0].text
        socket.send_json({"type": "thought", "number": asked["number"], "answer": lie(legal)})
        assert engine_move(ann, socket, game)
        assert offer(socket)["status"] == 403
        ann.play_any(game)
        assert heard(socket, "think", "entries")["type"] == "entries"
        assert engine_move(ann, socket, game)


def test_a_page_cannot_spoil_what_is_told_of_a_game(server: TestClient) -> None:
    """Chances of the wrong number of seats are the server's own instead, in a game that is over as well."""
    ann = Player(server)
    wanted = {"game": "snekagon", "options": {"side": 2}, "hints": True, "seats": seats("me", "here")}
    game = done(ann.post("/api/games", **wanted))["id"]
    while ann.state(game)["status"] == "running":
        ann.play_any(game)
    with ann.watch(game) as socket, ThreadPoolExecutor(1) as pool:
        offer(socket)
        asking = pool.submit(ann.get, f"/api/games/{game}/curve")
        asked = heard(socket, "think")
        legal = snakeden.restore(asked["question"]["state"]).legal_moves()[0].text
        socket.send_json({"type": "thought", "number": asked["number"], "answer": no_chances(legal)})
        curve = done(asking.result(timeout=60))
        while not curve["complete"]:
            curve = done(ann.get(f"/api/games/{game}/curve"))
    assert {len(point["wins"]) for point in curve["points"]} == {2}


def test_no_page_thinks_in_a_game_that_everybody_is_shown(server: TestClient) -> None:
    ann = Player(server)
    wanted = {"game": "snekagon-5g", "options": {"players": 3}, "seats": seats("me", "open", "engine")}
    game = done(ann.post("/api/games", **wanted))["id"]
    assert done(ann.post(f"/api/games/{game}/join"))["you"] == [0, 1], "she holds all seats of people"
    with ann.watch(game) as socket:
        assert heard(socket, "state")["page_thinks"] is False
        assert offer(socket)["status"] == 403


def test_few_questions_wait_for_a_page() -> None:
    async def ask_often() -> int:
        engine = PageEngine(lambda _: None, workers=1)
        waiting = [asyncio.create_task(engine.ask({"seconds": 10.0})) for _ in range(16)]
        await asyncio.sleep(0)
        with pytest.raises(TooOften):
            await engine.ask({"seconds": 10.0})
        engine.close()
        gone = await asyncio.gather(*waiting, return_exceptions=True)
        return sum(isinstance(one, Silent) for one in gone)

    assert asyncio.run(ask_often()) == 16


def test_a_page_that_leaves_loses_nothing(server: TestClient) -> None:
    ann = Player(server)
    game = new_game(ann, "me", "engine=random")
    with ann.watch(game) as socket:
        offer(socket)
        ann.play_any(game)
        heard(socket, "think")
    with ann.watch(game, "?seen=0") as socket:
        assert engine_move(ann, socket, game)


def test_nobody_else_may_be_deceived(server: TestClient) -> None:
    """Where others play or watch, the server's own engines think."""
    ann, bob = Player(server), Player(server)
    with_others = new_game(ann, "me", "link")
    with ann.watch(with_others) as socket:
        assert heard(socket, "state")["page_thinks"] is False
        assert offer(socket)["status"] == 403
    game = new_game(ann, "me", "engine=random")
    with ann.watch(game) as socket, bob.watch(game) as watching:
        assert heard(watching, "state")["page_thinks"] is False
        assert offer(watching)["status"] == 403
        assert offer(socket)["type"] == "done"
        ann.play_any(game)
        while (message := heard(socket, "think", "entries"))["type"] == "entries":
            if any(entry["seat"] == 1 for entry in message["entries"]):
                break
        assert message["type"] == "entries", "somebody watches: the page is not asked"


@pytest.mark.parametrize(("policy", "wanted"), [("allow", True), ("forbid", False)])
def test_a_server_prefers_its_own_engines(tmp_path: Path, policy: Policy, wanted: bool) -> None:
    with make_client(tmp_path, engine_files=tmp_path, engines_in_page=policy) as server:
        ann = Player(server)
        game = new_game(ann, "me", "engine=random")
        with ann.watch(game) as socket:
            assert heard(socket, "state")["page_thinks"] is wanted
            assert offer(socket)["type"] == ("done" if wanted else "refused")
            ann.play_any(game)
            while (message := heard(socket, "think", "entries"))["type"] == "entries":
                if any(entry["seat"] == 1 for entry in message["entries"]):
                    break
            assert message["type"] == "entries", "the server's engines had nothing else to do"


def test_engine_files_must_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "about.json").write_text('{"sources": "0"}')
    for folder, said in (("none", "has no engine"), ("old", "another version")):
        assert main(["serve", "--port", "0", "--engine-files", str(tmp_path / folder)]) != 0
        assert said in capsys.readouterr().err
