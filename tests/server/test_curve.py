"""How the chances went in a game that is over."""

from __future__ import annotations

import pytest
from serving import Player, done, refused, seats
from starlette.testclient import TestClient

from snakeden.server.curve import Better, better_moves, new_curve
from snakeden.server.match import Match
from snakeden.server.openings import opening
from snakeden.server.seats import Seat


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


def test_engines_say_where_they_could_have_played_better() -> None:
    start = opening("snekagon", {"side": 3})
    seats = (Seat("me", "Ann", secret=b"a"), Seat("engine", "", "level:1"))
    match = Match("x" * 20, start, seats, b"\0" * 32).begin(0.0).after
    while match.player is not None:
        move = match.state.legal_moves()[0].text
        match = match.play(match.player, move, len(match.entries), 0.0).after
    plies = [ply.text for ply in match.line.plies()]
    curve = new_curve(match)
    assert curve.plies == list(range(len(plies) + 1))
    chances = [0.5, 0.9, 0.2, 0.8, 0.75]
    curve.wins |= {ply: [1 - chance, chance] for ply, chance in enumerate(chances)}
    assert better_moves(curve, match) == [], "not all is known yet"
    curve.wins |= {ply: [1.0, 0.0] for ply in range(len(chances), len(plies))}
    curve.best |= dict.fromkeys(range(len(plies)), "another")
    # Only the engine's moves, and of these only what cost much.
    assert better_moves(curve, match) == [Better(1, 1, plies[1], "another")]
    curve.best[1] = plies[1]
    assert better_moves(curve, match) == []
