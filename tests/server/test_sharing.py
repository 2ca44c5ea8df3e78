"""Pictures and films of games, to be shared."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

from PIL import Image
from serving import Player, done, make_client, seats
from starlette.testclient import TestClient

from snakeden.server.settings import Settings


def test_a_game_can_be_shared_as_a_picture_and_as_a_film(server: TestClient) -> None:
    ann = Player(server)
    made = done(ann.post("/api/games", game="snekagon", options={"side": 3}, seats=seats("me", "here")))
    path = f"/api/games/{made['id']}"
    for _ in range(3):
        state = ann.state(made["id"])
        ann.act(made["id"], "play", move=state["targets"]["moves"][0][0], seen=state["seen"])
    picture = ann.get(f"{path}/picture")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert ElementTree.fromstring(picture.text).tag.endswith("svg")
    film = ann.get(f"{path}/film")
    assert film.headers["content-type"] == "image/webp"
    assert Image.open(io.BytesIO(film.content)).n_frames == 4  # type: ignore[attr-defined]


def test_there_is_no_film_of_no_game(server: TestClient) -> None:
    assert Player(server).get("/api/games/AAAAAAAAAAAAAAAAAAAA/film").status_code == 404


def test_a_shared_link_has_the_whole_address_of_its_picture(tmp_path: Path) -> None:
    web = Settings(database="").web
    with make_client(tmp_path, web=web, origins=("https://games.example.org",)) as server:
        for host, address in (
            ("games.example.org", "https://games.example.org"),
            ("localhost:80", "http://localhost:80"),
        ):
            html = server.get("/", headers={"host": host}).text
            assert f'<meta property="og:image" content="{address}/preview.png">' in html
        assert server.get("/preview.png").headers["content-type"] == "image/png"
