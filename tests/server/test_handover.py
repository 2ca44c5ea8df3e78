"""Taking one's seats along to another device."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable

import pytest
from serving import Player, done, refused, seats, two_players
from starlette.testclient import TestClient


def test_another_device_takes_the_seat_and_the_first_one_watches(server: TestClient) -> None:
    game, ann, bob = two_players(server, side=3)
    offered = ann.act(game, "handover")
    assert offered["path"] == f"/#/take/{game}/{offered['code']}"
    assert 0 < offered["seconds"] <= 600
    phone = Player(server)
    with ann.watch(game, "?pictures=1") as watching:
        assert watching.receive_json()["you"] == [0]
        assert phone.act(game, "takeover", code=offered["code"])["you"] == [0]
        assert watching.receive_json()["you"] == [], "the first device is notified"
    assert ann.state(game)["you"] == []
    refused(ann.post(f"/api/games/{game}/resign"), 403)
    phone.play_any(game)
    assert bob.state(game)["player"] == 1
    listed = done(phone.get("/api/mine"))["games"]
    assert [one["id"] for one in listed] == [game]
    assert done(ann.get("/api/mine"))["games"] == []


def test_all_seats_of_a_screen_go_along(server: TestClient) -> None:
    ann, phone = Player(server), Player(server)
    made = done(ann.post("/api/games", game="snekagon", seats=seats("me", "here")))
    code = ann.act(made["id"], "handover")["code"]
    assert phone.act(made["id"], "takeover", code=code)["you"] == [0, 1]


def test_a_code_works_once_and_a_newer_one_voids_it(server: TestClient) -> None:
    game, ann, _ = two_players(server)
    old, new = ann.act(game, "handover")["code"], ann.act(game, "handover")["code"]
    phone, thief = Player(server), Player(server)
    refused(thief.post(f"/api/games/{game}/takeover", code=old), 403)
    assert thief.act(game, "link", code=old)["seats"] == []
    assert thief.act(game, "link", code=new)["seats"] == [0]
    phone.act(game, "takeover", code=new)
    assert thief.act(game, "link", code=new)["seats"] == []
    assert phone.act(game, "takeover", code=new)["you"] == [0], "an answer that got lost is given again"
    refused(thief.post(f"/api/games/{game}/takeover", code=new), 403)


def test_a_code_ends_after_some_minutes_and_cannot_be_lengthened(
    server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, ann, _ = two_players(server)
    code = ann.act(game, "handover")["code"]
    now, clock = time.time(), time.time
    later: Callable[[], float] = lambda: clock() + 601  # noqa: E731
    longer = f"{int(now) + 6000:08x}{code[8:]}"
    refused(Player(server).post(f"/api/games/{game}/takeover", code=longer), 403)
    with monkeypatch.context() as patched:
        patched.setattr("snakeden.server.handover.time.time", later)
        refused(Player(server).post(f"/api/games/{game}/takeover", code=code), 403)
        assert ann.act(game, "link", code=code)["seats"] == []


def test_it_is_told_whether_an_invitation_can_still_be_used(server: TestClient) -> None:
    ann, bob = Player(server), Player(server)
    made = done(ann.post("/api/games", game="snekagon", seats=seats("me", "link")))
    [old], game = made["invitations"], made["id"]
    new = ann.act(game, "invite", seat=1)
    assert bob.act(game, "link", code=old["code"])["seats"] == []
    assert bob.act(game, "link", code=new["code"])["seats"] == [1]
    bob.act(game, "join", code=new["code"])
    assert bob.act(game, "link", code=new["code"])["seats"] == []
    refused(bob.post(f"/api/games/{game}/link", code="cut off"), 422)


def test_only_who_has_a_seat_can_hand_it_over(server: TestClient) -> None:
    game, ann, _ = two_players(server)
    refused(Player(server).post(f"/api/games/{game}/handover"), 403)
    refused(Player(server, None).post(f"/api/games/{game}/handover"), 401)
    code = ann.act(game, "handover")["code"]
    refused(Player(server).post(f"/api/games/{game}/join", code=code[9:]), 403)
    other, _, _ = two_players(server)
    refused(Player(server).post(f"/api/games/{other}/takeover", code=code), 403)


def test_the_link_comes_as_a_picture_too(server: TestClient) -> None:
    game, ann, _ = two_players(server)
    picture = ann.act(game, "handover")["picture"]
    assert picture.startswith("data:image/svg+xml")
    assert "%3Csvg" in picture or b"<svg" in base64.b64decode(picture.partition(",")[2] + "==")
