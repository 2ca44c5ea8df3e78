"""Making, joining, playing and watching games over the API."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from serving import Player, done, make_client, refused, seats, two_players
from starlette.testclient import TestClient

from snakeden.core.registry import games
from snakeden.records import read
from snakeden.server.dice import first_false_roll
from snakeden.server.openings import opening
from snakeden.words import from_data, word

GAMES = sorted(games())
DATA = Path(__file__).parent.parent / "data"


def play_out(game: str, players: list[Player]) -> dict[str, Any]:
    """Let everybody play any move until the game is over."""
    by_seat = {seat: player for player in players for seat in player.state(game)["you"]}
    state = players[0].state(game)
    while state["status"] == "running":
        by_seat[state["player"]].act(game, "play", move=state["targets"]["moves"][-1][0], seen=state["seen"])
        state = players[0].state(game)
    return state


def test_catalogue_names_every_game_and_option(server: TestClient) -> None:
    shown = done(Player(server).get("/api/catalogue"))
    assert {game["id"]: [o["name"] for o in game["options"]] for game in shown["games"]} == {
        game.id: [o.name for o in game.options] for game in games().values()
    }
    assert "random" in shown["agents"]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_played_to_its_end(server: TestClient, game: str) -> None:
    ann = Player(server)
    wanted = done(ann.post("/api/options", game=game))
    made = done(ann.post("/api/games", game=game, seats=seats("me", *["here"] * (wanted["seats"] - 1))))
    assert made["you"] == list(range(wanted["seats"]))
    state = play_out(made["id"], [ann])

    record = read(ann.get(f"/api/games/{made['id']}/record").text)
    last = record.check()
    assert last.is_over
    assert list(last.scores()) == state["scores"]
    assert list(last.winners()) == state["winners"]
    assert [text for _, text, *_ in state["plies"]] == list(record.moves)
    assert state["targets"]["moves"] == []

    seed = bytes.fromhex(state["dice"]["seed"])
    assert hashlib.sha256(seed).hexdigest() == state["dice"]["commitment"]
    assert first_false_roll(seed, made["id"], opening(game, {}), record.moves) is None


def test_seed_is_secret_until_the_end_and_rolls_follow_from_it_alone(server: TestClient) -> None:
    ann = Player(server)
    made = done(ann.post("/api/games", game="snakey-dice", seats=seats("me")))
    state = ann.state(made["id"])
    assert any(seat is None for seat, *_ in state["plies"]), "this game begins with a roll"
    assert state["dice"]["seed"] is None
    ann.act(made["id"], "resign")
    state = ann.state(made["id"])
    plies = [text for _, text, *_ in state["plies"]]
    first = opening("snakey-dice", {})
    assert first_false_roll(bytes.fromhex(state["dice"]["seed"]), made["id"], first, plies) is None
    assert first_false_roll(b"\0" * 32, made["id"], first, plies) is not None


def test_two_play_and_both_and_a_stranger_see_it(server: TestClient) -> None:
    game, ann, bob = two_players(server, side=3)
    stranger = Player(server, None)
    with (
        ann.watch(game, "?seen=1") as a,
        bob.watch(game, "?seen=1") as b,
        stranger.watch(game, "?seen=0") as s,
    ):
        assert a.receive_json()["entries"] == []
        assert b.receive_json()["entries"] == []
        assert [entry["kind"] for entry in s.receive_json()["entries"]] == ["join"]
        ann.act(game, "play", move="c3", seen=1)
        received = [socket.receive_json() for socket in (a, b, s)]
        assert received[0] == received[1] == received[2]
        assert received[0]["entries"][0] | {"at": 0} == {
            "number": 1,
            "kind": "move",
            "seat": 0,
            "data": "c3",
            "at": 0,
        }
        assert received[0]["player"] == 1
        b.send_json({"type": "play", "re": "x", "move": "a1-a2", "seen": 2})
        seen = [b.receive_json(), b.receive_json()]
        assert {message["type"] for message in seen} == {"entries", "done"}
        assert next(message for message in seen if message["type"] == "done") == {
            "type": "done",
            "re": "x",
            "seen": 3,
        }
        assert a.receive_json()["scores"] == [1, 2]
    assert [ply[1] for ply in stranger.state(game)["plies"]] == ["c3", "a1-a2"]
    assert stranger.state(game)["you"] == []


def test_a_message_sent_again_is_done_once(server: TestClient) -> None:
    game, ann, bob = two_players(server, side=3)
    first = ann.act(game, "play", move="c3", seen=1)
    assert ann.act(game, "play", move="c3", seen=1) == first
    bob.act(game, "play", move="a2-a1", seen=2)
    # the same tile named from its other end is the same move
    assert bob.act(game, "play", move="a1-a2", seen=2)["ply"] == 2
    assert ann.act(game, "play", move="c3", seen=1)["ply"] == 2
    assert "happened" in refused(ann.post(f"/api/games/{game}/play", move="c4", seen=1), 409)
    assert [e["data"] for e in done(ann.get(f"/api/games/{game}/entries?seen=1"))["entries"]] == [
        "c3",
        "a1-a2",
    ]


def test_catching_up_by_number(server: TestClient) -> None:
    game, ann, bob = two_players(server, side=3)
    for player in (ann, bob, ann):
        player.play_any(game)
    everything = done(ann.get(f"/api/games/{game}/entries"))["entries"]
    for seen in range(len(everything) + 1):
        assert done(ann.get(f"/api/games/{game}/entries?seen={seen}"))["entries"] == everything[seen:]
        with ann.watch(game, f"?seen={seen}") as socket:
            assert socket.receive_json()["entries"] == everything[seen:]


def test_who_is_just_connecting_watches_the_game_that_is_played(tmp_path: Path) -> None:
    with make_client(tmp_path, cached_games=1) as client:
        ann = Player(client)
        wanted = {"game": "snekagon", "options": {"side": 3}, "seats": seats("me", "here")}
        game = done(ann.post("/api/games", **wanted))["id"]
        scope = {
            "type": "websocket",
            "path": f"/api/games/{game}/live",
            "query_string": b"seen=0",
            "headers": [(b"host", b"localhost")],
            "client": ("127.0.0.1", 50000),
        }
        received: list[dict[str, Any]] = []

        async def watch() -> None:
            transport = httpx2.ASGITransport(client.app)
            async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as other:

                async def post(path: str, **body: Any) -> None:
                    (await other.post(path, json=body, headers=ann.headers)).raise_for_status()

                async def say() -> AsyncIterator[dict[str, Any]]:
                    await post("/api/games", **wanted)  # there is room for one game in memory
                    yield {"type": "websocket.connect"}
                    await post(f"/api/games/{game}/play", move="c3", seen=0)
                    yield {"type": "websocket.receive", "text": '{"type": "ping"}'}
                    while received[-1]["type"] != "pong":
                        await asyncio.sleep(0)
                    yield {"type": "websocket.disconnect", "code": 1000}

                async def hear(message: Any) -> None:
                    if "text" in message:
                        received.append(json.loads(message["text"]))

                await client.app(scope, say().__anext__, hear)

        assert client.portal is not None
        client.portal.call(watch)
        assert [message["type"] for message in received] == ["entries", "entries", "pong"]
        assert received[1]["entries"][0]["data"] == "c3"


def test_pictures_follow_every_change(server: TestClient) -> None:
    game, ann, bob = two_players(server, side=3)
    with bob.watch(game, "?pictures=1") as socket:
        first = socket.receive_json()
        assert first["type"] == "state"
        assert first["you"] == [1]
        ann.act(game, "play", move="c3", seen=1)
        assert socket.receive_json()["type"] == "entries"
        shown = socket.receive_json()
        assert shown["seen"] == 2
        assert shown["scene"] != first["scene"]
        assert shown == bob.state(game)


def test_an_engine_answers(server: TestClient) -> None:
    ann = Player(server)
    made = done(ann.post("/api/games", game="snekagon", options={"side": 3}, seats=seats("me", "engine")))
    with ann.watch(made["id"], "?seen=0") as socket:
        assert socket.receive_json()["seen"] == 0
        ann.act(made["id"], "play", move="c3", seen=0)
        assert socket.receive_json()["entries"][0]["seat"] == 0
        assert socket.receive_json()["entries"][0]["seat"] == 1
    # an engine agrees to an undo, of its own move too
    assert ann.act(made["id"], "undo", seen=2)["ply"] == 0


def test_engines_play_each_other_to_the_end(server: TestClient) -> None:
    stranger = Player(server)
    made = done(
        stranger.post("/api/games", game="snekagon", options={"side": 3}, seats=seats("engine", "engine"))
    )
    with stranger.watch(made["id"], "?seen=0") as socket:
        while socket.receive_json()["status"] != "over":
            pass
    read(stranger.get(f"/api/games/{made['id']}/record").text).check()


def test_an_engine_moves_once_its_move_can_be_stored(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with make_client(tmp_path) as client, sqlite3.connect(tmp_path / "games.sqlite") as database:
        ann = Player(client)
        game = done(ann.post("/api/games", game="snekagon", options={"side": 3}, seats=seats("me", "engine")))
        with ann.watch(game["id"], "?seen=0") as socket:
            assert socket.receive_json()["seen"] == 0
            # Any error of the database will do; this one comes with the engine's moves only.
            database.execute(
                "CREATE TRIGGER trouble BEFORE INSERT ON entries WHEN new.seat = 1 BEGIN SELECT json('{'); END"
            )
            ann.act(game["id"], "play", move="c3", seen=0)
            assert socket.receive_json()["entries"][0]["seat"] == 0
            end = time.monotonic() + 60
            while "an engine could not move" not in caplog.text:
                assert time.monotonic() < end, "it says that it could not"
                time.sleep(0.01)
            assert "malformed JSON" in caplog.text
            database.execute("DROP TRIGGER trouble")
            assert socket.receive_json()["entries"][0]["seat"] == 1
    database.close()


def test_hints_only_where_allowed(server: TestClient) -> None:
    ann = Player(server)
    make = {"game": "snekagon", "options": {"side": 3}, "seats": seats("me", "here")}
    without = done(ann.post("/api/games", **make))["id"]
    assert "without hints" in refused(ann.post(f"/api/games/{without}/hint"), 403)
    game = done(ann.post("/api/games", **make, hints=True))["id"]
    advice = ann.act(game, "hint")
    assert advice["move"] in {row[0] for row in ann.state(game)["targets"]["moves"]}
    assert advice["words"]
    does = [word(from_data(one)) for one in advice["does"]]
    assert does == ["begins a new snake of 1 cell", "takes the lead with 1 to 0"]
    assert advice["lines"][0]["does"] == advice["does"]
    assert len(advice["lines"][0]["wins"]) == 2
    refused(Player(server).post(f"/api/games/{game}/hint"), 403)
    ann.act(game, "resign")
    refused(ann.post(f"/api/games/{game}/hint"), 409)


def test_hints_are_in_words(server: TestClient) -> None:
    ann = Player(server)
    made = ann.post(
        "/api/games", game="schlangennest", options={"nest": "3x3"}, seats=seats("me", "here"), hints=True
    )
    game = done(made)["id"]
    moves = [row[0] for row in ann.state(game)["targets"]["moves"]]
    sentences = [word(from_data(one)) for one in ann.act(game, "hint")["words"]]
    assert len(sentences) > 1
    assert not [said for said in sentences if any(move in said for move in moves)]


def test_the_outlook_of_a_game_with_hints(server: TestClient) -> None:
    ann = Player(server)
    make = {"game": "snekagon", "options": {"side": 3}, "seats": seats("me", "here")}
    without = done(ann.post("/api/games", **make))["id"]
    assert "without hints" in refused(ann.get(f"/api/games/{without}/outlook"), 403)
    game = done(ann.post("/api/games", **make, hints=True))["id"]
    refused(Player(server).get(f"/api/games/{game}/outlook"), 403)
    outlook = done(ann.get(f"/api/games/{game}/outlook"))
    assert outlook["seen"] == 0
    assert sum(outlook["wins"]) == pytest.approx(1)
    assert done(ann.get(f"/api/games/{game}/outlook")) == outlook, "a position is looked at once"
    ann.play_any(game)
    assert done(ann.get(f"/api/games/{game}/outlook"))["seen"] == 1
    ann.act(game, "resign")
    assert done(ann.get(f"/api/games/{game}/outlook"))["wins"] == [], "there is nothing to come"


def test_the_outlook_waits_for_nobody(tmp_path: Path) -> None:
    with make_client(tmp_path, hint_agent="mcts:time=3s,solver=no") as client, ThreadPoolExecutor() as pool:
        ann = Player(client)
        wanted = {"game": "snekagon", "options": {"side": 4}, "seats": seats("me", "here"), "hints": True}
        game = done(ann.post("/api/games", **wanted))["id"]
        hint = pool.submit(ann.act, game, "hint")
        while "snakeden_engine_idle 1" in client.get("/metrics").text:
            assert not hint.done()
        busy = done(ann.get(f"/api/games/{game}/outlook"))
        assert not hint.done()
        assert busy == {"seen": 0, "wins": [], "scores": []}
        assert hint.result()["does"]
        assert done(ann.get(f"/api/games/{game}/outlook"))["wins"], "another time it is answered"


def test_lobby_shows_what_waits_for_anyone(server: TestClient) -> None:
    ann, bob = Player(server), Player(server)
    game = done(ann.post("/api/games", game="snekagon", options={"side": 4}, seats=seats("me", "open")))["id"]

    def listed() -> list[str]:
        return [shown["id"] for shown in done(bob.get("/api/lobby"))["games"]]

    assert game in listed()
    assert ann.state(game)["status"] == "waiting"
    assert bob.act(game, "join", name="Bob")["you"] == [1]
    assert bob.act(game, "join", name="Bob")["you"] == [1], "asking again is no second seat"
    assert game not in listed()
    assert game in [shown["id"] for shown in done(bob.get("/api/running"))["games"]], "it can be watched"
    assert ann.state(game)["seats"][1]["name"] == "Bob"
    refused(Player(server).post(f"/api/games/{game}/join"), 409)
    for player in (ann, bob):
        assert game in [shown["id"] for shown in done(player.get("/api/mine"))["games"]]
    assert done(Player(server).get("/api/mine"))["games"] == []


def test_private_games_are_not_listed(server: TestClient) -> None:
    linked, ann, _ = two_players(server, side=3)
    engine = done(ann.post("/api/games", game="snekagon", seats=seats("me", "engine")))["id"]
    over = done(ann.post("/api/games", game="snekagon", seats=seats("me", "open")))["id"]
    Player(server).act(over, "join", name="Bob")
    ann.act(over, "resign")
    for path in ("/api/lobby", "/api/running"):
        shown = {game["id"] for game in done(Player(server).get(path))["games"]}
        assert not shown & {linked, engine, over}


def test_a_link_works_once_and_a_new_one_voids_the_old(server: TestClient) -> None:
    ann, bob, eve = Player(server), Player(server), Player(server)
    made = done(ann.post("/api/games", game="snekagon", seats=seats("me", "link")))
    game, old = made["id"], made["invitations"][0]["code"]
    new = ann.act(game, "invite", seat=1)["code"]
    refused(bob.post(f"/api/games/{game}/join", code=old), 403)
    refused(eve.post(f"/api/games/{game}/invite", seat=1), 403)
    refused(ann.post(f"/api/games/{game}/invite", seat=0), 409)
    refused(ann.post(f"/api/games/{game}/invite", seat=7), 409)
    assert bob.act(game, "join", code=new)["you"] == [1]
    assert bob.act(game, "join", code=new)["you"] == [1], "the answer may have been lost"
    refused(eve.post(f"/api/games/{game}/join", code=new), 403)
    refused(ann.post(f"/api/games/{game}/invite", seat=1), 409)
    refused(eve.post(f"/api/games/{game}/join"), 409)


def test_undo_needs_the_others_yes(server: TestClient) -> None:
    game, ann, bob = two_players(server, side=3)
    refused(ann.post(f"/api/games/{game}/undo", seen=1), 409)
    ann.act(game, "play", move="c3", seen=1)
    bob.act(game, "play", move="a1-a2", seen=2)
    asked = ann.act(game, "undo", seen=3)
    assert asked["undo"] == {"seat": 0, "remain": 0, "missing": [1]}
    assert ann.act(game, "undo", seen=3) == asked, "asking again is no second question"
    refused(ann.post(f"/api/games/{game}/undo/answer", allow=True, seen=4), 409)
    refused(bob.post(f"/api/games/{game}/undo", seen=4), 409)
    assert bob.act(game, "undo/answer", allow=False, seen=4)["undo"] is None
    assert ann.state(game)["ply"] == 2
    ann.act(game, "undo", seen=5)
    granted = bob.act(game, "undo/answer", allow=True, seen=6)
    assert (granted["ply"], granted["player"], granted["undo"]) == (0, 0, None)
    assert ann.act(game, "undo", seen=6)["ply"] == 0, "a late copy of the question changes nothing"
    ann.act(game, "play", move="c4", seen=granted["seen"])
    assert [text for _, text, *_ in bob.state(game)["plies"]] == ["c4"]


def test_an_answer_sent_again_is_given_once(server: TestClient) -> None:
    game, ann, bob = two_players(server, side=3)
    ann.act(game, "play", move="c3", seen=1)
    ann.act(game, "undo", seen=2)
    refusal = bob.act(game, "undo/answer", allow=False, seen=3)
    assert bob.act(game, "undo/answer", allow=False, seen=3) == refusal
    refused(bob.post(f"/api/games/{game}/undo/answer", allow=True, seen=3), 409)
    asked = ann.act(game, "undo", seen=4)
    assert asked["undo"] is not None
    assert bob.act(game, "undo/answer", allow=False, seen=3) == asked, "a late copy answers no other question"
    with bob.watch(game, "?seen=5") as socket:
        socket.receive_json()
        for _ in range(2):
            socket.send_json({"type": "undo-answer", "allow": True, "seen": 5})
        received = [socket.receive_json() for _ in range(3)]
        assert [message["seen"] for message in received if message["type"] == "done"] == [7, 7]
    assert bob.act(game, "undo/answer", allow=True, seen=5)["ply"] == 0
    refused(ann.post(f"/api/games/{game}/undo/answer", allow=True, seen=5), 409)
    refused(bob.post(f"/api/games/{game}/undo/answer", allow=False, seen=5), 409)
    assert [e["kind"] for e in done(ann.get(f"/api/games/{game}/entries?seen=2"))["entries"]] == [
        *("ask-undo", "refuse-undo", "ask-undo"),
        *("allow-undo", "undo"),
    ]


def test_each_of_several_answers_once(server: TestClient) -> None:
    ann, bob, eve = Player(server), Player(server), Player(server)
    options = {"players": 3, "side": 4}
    wanted = {"game": "snekagon-5g", "options": options, "seats": seats("me", "link", "link")}
    made = done(ann.post("/api/games", **wanted))
    game = made["id"]
    for player, invitation in zip((bob, eve), made["invitations"], strict=True):
        player.act(game, "join", code=invitation["code"])
    ann.play_any(game)
    ann.act(game, "undo", seen=3)
    assert eve.act(game, "undo/answer", allow=True, seen=4)["undo"]["missing"] == [1]
    assert eve.act(game, "undo/answer", allow=True, seen=4)["undo"]["missing"] == [1]
    assert bob.act(game, "undo/answer", allow=True, seen=4)["ply"] == 0, "who did not answer yet still can"
    for player in (bob, eve):
        assert player.act(game, "undo/answer", allow=True, seen=4)["seen"] == 7


def test_a_question_lapses_when_the_game_goes_on(server: TestClient) -> None:
    game, ann, bob = two_players(server, side=3)
    ann.act(game, "play", move="c3", seen=1)
    ann.act(game, "undo", seen=2)
    # bob has not heard the question when he plays
    bob.act(game, "play", move="a1-a2", seen=2)
    refused(bob.post(f"/api/games/{game}/undo/answer", allow=True, seen=4), 409)


def test_undo_never_goes_past_dice(server: TestClient) -> None:
    ann = Player(server)
    game = done(ann.post("/api/games", game="snakey-dice", seats=seats("me")))["id"]
    rolled = False
    while not rolled:
        before = ann.state(game)
        after = ann.play_any(game)
        rolled = after["ply"] > before["ply"] + 1
    assert "dice" in refused(ann.post(f"/api/games/{game}/undo", seen=after["seen"]), 409)


def test_at_one_screen_nobody_else_need_agree(server: TestClient) -> None:
    ann = Player(server)
    game = done(ann.post("/api/games", game="snekagon", options={"side": 3}, seats=seats("me", "here")))["id"]
    ann.act(game, "play", move="c3", seen=0)
    ann.act(game, "play", move="a1-a2", seen=1)
    assert ann.act(game, "undo", seen=2)["ply"] == 1
    assert ann.act(game, "undo", seen=2)["ply"] == 1
    assert ann.act(game, "undo", seen=3)["ply"] == 0


def test_resigning_ends_a_duel(server: TestClient) -> None:
    game, ann, bob = two_players(server)
    over = bob.act(game, "resign")
    assert (over["status"], over["winners"]) == ("over", [0])
    assert word(from_data(over["reason"]), names=("Ann", "Bob")) == "Bob resigned"
    assert bob.act(game, "resign") == over
    refused(ann.post(f"/api/games/{game}/play", move="f6", seen=over["seen"]), 409)
    refused(ann.post(f"/api/games/{game}/undo", seen=over["seen"]), 409)
    record = read(ann.get(f"/api/games/{game}/record").text)
    assert record.withdrawn == ((1, "resignation"),)
    assert record.outcome is not None
    assert (record.outcome.winners, record.outcome.termination) == ((0,), "resignation")
    record.check()


def test_three_play_on_when_one_resigns(server: TestClient) -> None:
    ann, bob, eve = Player(server), Player(server), Player(server)
    wanted = {
        "game": "snekagon-5g",
        "options": {"players": 3, "side": 4},
        "seats": seats("me", "link", "link"),
    }
    made = done(ann.post("/api/games", **wanted))
    game = made["id"]
    for player, invitation in zip((bob, eve), made["invitations"], strict=True):
        player.act(game, "join", code=invitation["code"])
    with eve.watch(game) as socket:
        socket.receive_json()
        assert ann.act(game, "resign")["status"] == "running"
        received = socket.receive_json()
        while received["player"] == 0:
            received = socket.receive_json()
        assert received["player"] == 1, "the seat given up was played on"
    assert bob.act(game, "resign")["winners"] == [2]


def test_who_resigned_does_not_win_by_score(server: TestClient) -> None:
    # Ann has most when the last move is made, and Eve most of the others.
    old = read((DATA / "old_records" / "three-one-resigned.game").read_text())
    before = replace(old, moves=old.moves[:-1], withdrawn=(), outcome=None)
    ann = Player(server)
    game = done(ann.post("/api/games", record=before.write(), seats=seats("me", "here", "here")))["id"]
    assert ann.act(game, "resign", seat=0)["winners"] == []
    over = ann.act(game, "play", move=old.moves[-1], seen=ann.state(game)["seen"])
    assert over["scores"] == [14, 11, 13]
    assert (over["status"], over["winners"]) == ("over", [2])
    state = ann.state(game)
    looked_at = done(ann.get(f"/api/games/{game}/position?ply={len(old.moves)}"))
    for scene in (state["scene"], looked_at["scene"]):
        assert [seat["status"] for seat in scene["seats"]] == ["lost", "lost", "won"]
    reason = word(from_data(over["reason"]), names=("Ann", "Bob", "Eve"))
    assert reason == "Eve has the highest score of those who played on, with 14 : 11 : 13; Ann resigned"
    record = read(ann.get(f"/api/games/{game}/record").text)
    record.check()
    assert record.outcome is not None
    assert (record.outcome.winners, record.outcome.termination) == ((2,), "score")


def test_rematch_moves_everybody_on(server: TestClient) -> None:
    game, ann, bob = two_players(server, side=3)
    refused(ann.post(f"/api/games/{game}/rematch"), 409)
    ann.act(game, "resign")
    refused(Player(server).post(f"/api/games/{game}/rematch"), 403)
    again = ann.act(game, "rematch")
    assert again["you"] == [1]
    assert ann.act(game, "rematch") == again
    assert ann.state(again["id"])["status"] == "waiting"
    refused(Player(server).post(f"/api/games/{again['id']}/join"), 409)
    assert bob.state(game)["rematch"] == again["id"]
    assert bob.act(game, "rematch")["you"] == [0]
    assert bob.play_any(again["id"])["player"] == 1


def test_a_game_goes_on_from_a_record(server: TestClient) -> None:
    game, ann, bob = two_players(server, side=3)
    ann.act(game, "play", move="c3", seen=1)
    bob.act(game, "play", move="a1-a2", seen=2)
    text = ann.get(f"/api/games/{game}/record").text
    received = done(ann.post("/api/options", record=text))
    assert (received["game"], received["seats"], received["plies"]) == ("snekagon", 2, 2)
    assert received["scene"]["game"] == "snekagon"
    copy = done(ann.post("/api/games", record=text, seats=seats("me", "here")))["id"]
    state = ann.state(copy)
    assert [ply[:2] for ply in state["plies"]] == [[0, "c3"], [1, "a1-a2"]]
    assert state["options"]["side"] == 3
    ann.play_any(copy)
    refused(ann.post("/api/games", record=text.replace("c3", "z9"), seats=seats("me", "here")), 422)
    refused(ann.post("/api/games", record="no record", seats=seats("me", "here")), 422)
    refused(ann.post("/api/games", game="snekagon", record=text, seats=seats("me", "here")), 422)
