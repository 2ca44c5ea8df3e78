"""Who begins: somebody who is named, or whom the server draws by lot."""

from __future__ import annotations

from serving import Player, done, refused, seats
from starlette.testclient import TestClient

NAMED = [{"kind": "me", "name": "Ann"}, {"kind": "here", "name": "Bob"}, {"kind": "here", "name": "Cleo"}]
SNAKES = ["cobra", "mamba", "python"]


def test_whoever_begins_sits_first_and_what_was_chosen_for_a_seat_goes_along(server: TestClient) -> None:
    ann = Player(server)
    options = {"players": 3, "snakes": SNAKES}
    made = done(ann.post("/api/games", game="snekagon-5g", options=options, seats=NAMED, begins=1))
    state = ann.state(made["id"])
    assert [seat["name"] for seat in state["seats"]] == ["Bob", "Cleo", "Ann"]
    assert state["options"]["snakes"] == ["mamba", "python", "cobra"]
    assert state["player"] == 0


def test_the_lot_falls_on_everybody(server: TestClient) -> None:
    ann = Player(server)
    first = set()
    for _ in range(60):
        made = done(ann.post("/api/games", game="snekagon", seats=NAMED[:2], begins="lot"))
        first.add(ann.state(made["id"])["seats"][0]["name"])
    assert first == {"Ann", "Bob"}


def test_invitations_are_for_the_seats_that_were_meant(server: TestClient) -> None:
    ann, bob = Player(server), Player(server)
    made = done(ann.post("/api/games", game="snekagon", seats=seats("me", "link"), begins=1))
    assert made["you"] == [1]
    [invitation] = made["invitations"]
    assert invitation["seat"] == 0
    assert bob.act(made["id"], "join", code=invitation["code"], name="Bob")["you"] == [0]


def test_nobody_begins_where_there_is_no_seat_or_a_record_goes_on(server: TestClient) -> None:
    ann = Player(server)
    refused(ann.post("/api/games", game="snekagon", seats=seats("me", "here"), begins=2), 422)
    record = '[Game "snekagon"]\n[Rules "1"]\n\n1. a1\n'
    refused(ann.post("/api/games", record=record, seats=seats("me", "here"), begins="lot"), 422)
