"""Nobody acts for another seat: every action with no, another's, an old and a forged key."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from serving import Player, done, new_key, seats, two_players
from starlette.testclient import TestClient

ACTIONS: dict[str, dict[str, Any]] = {
    "play": {"move": "a1-a2", "seen": 2},
    "resign": {},
    "undo": {"seen": 2},
    "undo/answer": {"allow": True, "seen": 3},
    "rematch": {},
    "hint": {},
    "invite": {"seat": 1},
    "join": {},
    "handover": {},
}
"""Every action, in a form that its rightful owner could do at some moment below."""
QUESTIONS = {"preview", "why", "link"}
"""What anybody who watches may ask: nothing comes of it."""
BY_CODE = {"takeover"}
"""What whoever has its code may do, and nobody else: see test_handover.py."""


def flipped(key: str) -> str:
    raw = bytearray(base64.urlsafe_b64decode(key + "="))
    raw[5] ^= 1
    return base64.urlsafe_b64encode(bytes(raw)).decode().rstrip("=")


FORGED: dict[str, Callable[[str, str], str | None]] = {
    "none": lambda key, code: None,
    "a stranger's": lambda key, code: new_key(),
    "an empty one": lambda key, code: "",
    "one bit off": lambda key, code: flipped(key),
    "shortened": lambda key, code: key[:-1],
    "lengthened": lambda key, code: key + "A",
    "in another case": lambda key, code: key.swapcase(),
    "the used join code": lambda key, code: code,
    "the join code as a key": lambda key, code: (code + "A" * 43)[:43],
    "the game's id as a key": lambda key, code: "A" * 43,
    "not even ASCII": lambda key, code: key[:-1] + "\xe4",
}


def test_every_action_is_tried(server: TestClient) -> None:
    paths = done(server.get("/api/openapi.json"))["paths"]
    prefix = "/api/games/{game_id}/"
    found = {path.removeprefix(prefix) for path in paths if path.startswith(prefix) and "post" in paths[path]}
    assert found == {*ACTIONS, *QUESTIONS, *BY_CODE}


def prepared(server: TestClient, moment: str) -> tuple[str, Player, Player, str]:
    """A game in which Bob can do something: it is his turn, he is asked to allow an undo, or it is over."""
    ann, bob = Player(server), Player(server)
    wanted = {"game": "snekagon", "options": {"side": 3}, "seats": seats("me", "link"), "hints": True}
    made = done(ann.post("/api/games", **wanted))
    game, code = made["id"], made["invitations"][0]["code"]
    bob.act(game, "join", code=code)
    ann.act(game, "play", move="c3", seen=1)
    if moment == "asked":
        ann.act(game, "undo", seen=2)
    if moment == "over":
        ann.act(game, "resign")
    return game, ann, bob, code


@pytest.mark.parametrize("forgery", FORGED)
@pytest.mark.parametrize("moment", ["turn", "asked", "over"])
def test_no_action_without_the_seats_key(server: TestClient, forgery: str, moment: str) -> None:
    game, ann, bob, code = prepared(server, moment)
    before = ann.state(game)
    assert bob.key is not None
    key = FORGED[forgery](bob.key, code)
    shown = [] if key is None else [key.encode("latin-1")]
    bearer = [(b"authorization", b"Bearer " + one) for one in shown]
    cookie = [(b"cookie", b"snakeden=" + one) for one in shown]
    for action, body in ACTIONS.items():
        for headers in (bearer, cookie):
            server.cookies.clear()
            answer = server.post(f"/api/games/{game}/{action}", json=body, headers=headers)
            assert answer.status_code in (401, 403, 409), (action, answer.text)
            if answer.status_code == 409:
                assert action == "join", "only a seat that is taken says so before it asks who you are"
    with server.websocket_connect(
        f"ws://localhost/api/games/{game}/live?seen=0", headers=httpx2.Headers(bearer)
    ) as socket:
        socket.receive_json()
        for action in ("play", "resign", "undo", "undo-answer"):
            socket.send_json({"type": action, **ACTIONS[action.replace("-", "/")]})
            answer = socket.receive_json()
            assert (answer["type"], answer["status"] in (401, 403)) == ("refused", True), answer
    server.cookies.clear()
    assert ann.state(game) == before
    # and the one who holds the seat can
    if moment == "turn":
        assert bob.act(game, "play", **ACTIONS["play"])["ply"] == 2
    if moment == "asked":
        assert bob.act(game, "undo/answer", **ACTIONS["undo/answer"])["ply"] == 0
    if moment == "over":
        assert bob.act(game, "rematch")["you"] == [0]


def test_the_other_player_cannot_act_for_you(server: TestClient) -> None:
    game, ann, bob, _ = prepared(server, "turn")
    before = ann.state(game)
    for body in ({}, {"seat": 1}):
        answer = ann.post(f"/api/games/{game}/play", **ACTIONS["play"], **body)
        assert answer.status_code == (403 if body else 409)
    assert ann.post(f"/api/games/{game}/resign", seat=1).status_code == 403
    assert bob.post(f"/api/games/{game}/undo", seen=2, seat=0).status_code == 403
    assert bob.post(f"/api/games/{game}/undo", seen=2).status_code == 409, "he has no move of his own"
    assert bob.post(f"/api/games/{game}/invite", seat=1).status_code == 403
    assert ann.state(game) == before


def test_who_asks_cannot_answer(server: TestClient) -> None:
    game, ann, _, _ = prepared(server, "asked")
    before = ann.state(game)
    assert ann.post(f"/api/games/{game}/undo/answer", allow=True, seen=3).status_code == 409
    assert ann.state(game) == before


def test_a_key_is_worth_nothing_in_another_game(server: TestClient) -> None:
    game, ann, _ = two_players(server, side=3)
    other, _, bob = two_players(server, side=3)
    for player in (ann, bob):
        mine, theirs = (game, other) if player is ann else (other, game)
        assert player.state(mine)["you"] != []
        assert player.state(theirs)["you"] == []
        assert player.post(f"/api/games/{theirs}/resign").status_code == 403


def test_seats_of_a_rematch_are_kept_for_their_players(server: TestClient) -> None:
    game, ann, bob, code = prepared(server, "over")
    again = ann.act(game, "rematch")["id"]
    stranger = Player(server)
    assert stranger.post(f"/api/games/{again}/join").status_code == 409
    assert stranger.post(f"/api/games/{again}/join", code=code).status_code == 403
    assert stranger.post(f"/api/games/{game}/rematch").status_code == 403
    assert bob.act(game, "rematch")["you"] == [0]


def test_ids_and_codes_do_not_repeat(server: TestClient) -> None:
    ann = Player(server)
    made = [done(ann.post("/api/games", game="snekagon", seats=seats("me", "link"))) for _ in range(20)]
    assert len({game["id"] for game in made}) == 20
    assert len({game["invitations"][0]["code"] for game in made}) == 20
