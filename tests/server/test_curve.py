"""How the chances went in a game that is over."""

from __future__ import annotations

import pytest
from serving import Player, done, refused, seats
from starlette.testclient import TestClient


def finished(server: TestClient, hints: bool) -> tuple[str, Player]:
    ann = Player(server)
    made = done(
        ann.post("/api/games", game="snekagon", options={"side": 2}, hints=hints, seats=seats("me", "here"))
    )
    while ann.state(made["id"])["status"] == "running":
        ann.play_any(made["id"])
    return made["id"], ann


def test_the_chances_of_every_position_are_told(server: TestClient) -> None:
    game, ann = finished(server, hints=True)
    state = ann.state(game)
    for _ in range(50):
        curve = done(ann.get(f"/api/games/{game}/curve"))
        if curve["complete"]:
            break
    assert [point["ply"] for point in curve["points"]] == list(range(state["ply"] + 1))
    for point in curve["points"]:
        assert sum(point["wins"]) == pytest.approx(1)
    won = [1 / len(state["winners"]) if seat in state["winners"] else 0 for seat in range(2)]
    assert curve["points"][-1]["wins"] == won


def test_nobody_is_told_who_did_not_want_chances_or_still_plays(server: TestClient) -> None:
    game, ann = finished(server, hints=False)
    refused(ann.get(f"/api/games/{game}/curve"), 403)
    game, ann = finished(server, hints=True)
    refused(Player(server).get(f"/api/games/{game}/curve"), 403)
    made = done(ann.post("/api/games", game="snekagon", hints=True, seats=seats("me", "here")))
    refused(ann.get(f"/api/games/{made['id']}/curve"), 409)
