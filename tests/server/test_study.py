"""What the pages for lessons, puzzles and analysis ask the server for."""

from __future__ import annotations

from serving import Player, done, refused
from starlette.testclient import TestClient

from snakeden import lessons, puzzles
from snakeden.records import read

POSITION = {"game": "snekagon", "options": {"side": 3}, "moves": ["c3", "a1-b1"]}


def test_any_position_is_shown_and_tried(server: TestClient) -> None:
    ann = Player(server)
    shown = done(ann.post("/api/study/position", **POSITION))
    assert shown["player"] == 0
    move = shown["targets"]["moves"][0][0]
    done(ann.post("/api/study/preview", **POSITION, move=move))
    after = done(ann.post("/api/study/position", **{**POSITION, "moves": [*POSITION["moves"], move]}))
    assert after["player"] == 1
    assert "e9" in refused(ann.post("/api/study/position", **{**POSITION, "moves": ["e9"]}), 422)
    assert "chess" in refused(ann.post("/api/study/position", game="chess"), 422)


def test_a_position_is_looked_at_by_an_engine(server: TestClient) -> None:
    ann = Player(server)
    found = done(ann.post("/api/study/look", **POSITION, ply=1))
    assert found["player"] == 1
    assert found["move"] == "a1-b1"
    assert found["mark"] in ("best", "good", "inaccuracy", "mistake", "blunder")
    assert found["candidates"]
    refused(ann.post("/api/study/look", **POSITION, ply=3), 422)
    refused(ann.post("/api/study/look", **{**POSITION, "moves": ["e9"]}, ply=0), 422)


def test_variations_are_kept_in_the_record(server: TestClient) -> None:
    ann = Player(server)
    kept = ["1: a2-a3 b4-c4", "1: a2-a3 c5-d4", "2: c2-d1"]
    text = ann.post("/api/study/write", **POSITION, seats=["Ada", "Bo"], variations=kept).text
    assert read(text).check().player == 0
    opened = done(ann.post("/api/study/open", record=text))
    assert opened["variations"] == kept
    assert opened["seats"] == ["Ada", "Bo"]
    assert opened["moves"] == POSITION["moves"]
    refused(ann.post("/api/study/open", record="no record"), 422)
    for wrong, why in (
        ("1: b1-b2", "touches another's tile"),
        ("9: a2-a3", "a variation is"),
        ("a2-a3", "a variation is"),
    ):
        assert why in refused(ann.post("/api/study/write", **POSITION, variations=[wrong]), 422)
        header = f'[Variations "{wrong}"]\n'
        broken = read(text).write().replace("[Variations", f"{header}[Ignored", 1)
        assert why in refused(ann.post("/api/study/open", record=broken), 422)


def test_a_position_is_set_up_and_played_on(server: TestClient) -> None:
    ann = Player(server)
    arranged = done(ann.post("/api/study/set-up", **POSITION))
    assert arranged["setup"] == "0=c3 1=a1-b1; 0"
    assert [piece["places"] for piece in arranged["pieces"]] == [["1/c3"], ["1/a1", "1/b1"]]
    fewer = {"game": "snekagon", "options": {"side": 3}, "setup": "0=c4-c5 1=a1-b1; 1"}
    arranged = done(ann.post("/api/study/set-up", **fewer))
    assert [piece["move"] for piece in arranged["waiting"]] == ["c4-c5"]
    set_up = {**fewer, "setup": arranged["setup"]}
    shown = done(ann.post("/api/study/position", **set_up))
    assert shown["player"] == 1
    assert shown["can_set_up"]
    move = shown["targets"]["moves"][0][0]
    assert done(ann.post("/api/study/look", **set_up, moves=[move], ply=0))["move"] == move
    text = ann.post("/api/study/write", **set_up, moves=[move]).text
    assert done(ann.post("/api/study/open", record=text))["setup"] == "1=a1-b1; 1"
    seats = [{"kind": "me"}, {"kind": "here"}]
    assert "analysed" in refused(ann.post("/api/games", record=text, seats=seats), 422)
    assert "touches" in refused(ann.post("/api/study/position", **{**fewer, "setup": "0=c3 1=c4-c5; 0"}), 422)
    assert "Snakey Dice" in refused(ann.post("/api/study/set-up", game="snakey-dice"), 422)


def test_pieces_of_a_position_are_named_in_words(server: TestClient) -> None:
    ann = Player(server)
    found = done(ann.post("/api/study/set-up", game="schlangennest", setup="0=S(0,0)EW 1=C(9,0)NW; 0"))
    assert [piece["move"] for piece in found["waiting"]] == ["C(9,0)NW"]
    said = {move: data["key"].rpartition(".")[2] for move, data in found["spoken"].items()}
    assert said == {"S(0,0)EW": "straight", "C(9,0)NW": "curve"}
    never = ann.post("/api/study/set-up", game="schlangennest", setup="0=anything; 0")
    assert "anything" in refused(never, 422)


def test_puzzles_are_asked_and_answered(server: TestClient) -> None:
    ann = Player(server)
    listed = done(ann.get("/api/puzzles"))["games"]
    assert {held["game"] for held in listed} == {"snekagon", "snekagon-5g", "schlangennest", "snakey-dice"}
    for held in listed:
        name = done(ann.get(f"/api/puzzles/{held['game']}/daily?day=2026-11-16"))["id"]
        path = f"/api/puzzles/{held['game']}/{name}"
        asked = done(ann.get(path))
        assert "solutions" not in asked
        puzzle = puzzles.find(held["game"], name)
        assert puzzle is not None
        right = done(ann.post(f"{path}/answer", move=puzzle.solutions[0]))
        assert right["right"]
        assert len(right["scenes"]) == len(right["line"]) == len(right["seats"])
        assert right["seats"][0] == puzzle.state().player
        legal = (move.text for move in puzzle.state().legal_moves())
        wrong = done(
            ann.post(f"{path}/answer", move=next(one for one in legal if one not in puzzle.solutions))
        )
        assert not wrong["right"]
        refused(ann.post(f"{path}/answer", move="nonsense"), 422)
    assert "puzzle" in refused(ann.get("/api/puzzles/snekagon/0-0"), 404)
    refused(ann.get("/api/puzzles/chess/daily?day=2026-11-16"), 422)


def test_lessons_are_told_and_answered(server: TestClient) -> None:
    ann = Player(server)
    listed = done(ann.get("/api/lessons"))["lessons"]
    assert [lesson["id"] for lesson in listed] == [lesson.id for lesson in lessons.lessons()]
    assert done(ann.post("/api/lessons/snekagon/0", move="d4"))["right"]
    assert "lesson" in refused(ann.post("/api/lessons/snekagon/9", move="d4"), 404)
    assert "lesson" in refused(ann.post("/api/lessons/chess/0", move="d4"), 404)
