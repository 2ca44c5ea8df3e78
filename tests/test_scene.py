"""Scenes say what the rules say: every game and border case of it, move by move."""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

import snakeden
from snakeden.core.state import State
from snakeden.drawing import scene as scenes
from snakeden.drawing.scene import Cell, Path, Piece, Scene
from snakeden.drawing.svg import svg

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("snekagon", {}),
    ("snekagon", {"side": 3, "second_single": True}),
    ("snekagon-5g", {"players": 3}),
    ("snekagon-5g", {"players": 2, "side": 5, "advanced": True}),
    ("schlangennest", {"players": 4}),
    ("schlangennest", {"border": "frame"}),
    ("schlangennest", {"border": "fence", "players": 3, "nest": "5x7"}),
    ("schlangennest", {"border": "none", "tail_first": True}),
    ("schlangennest", {"snakes": 2}),
    ("snakey-dice", {}),
    ("snakey-dice", {"players": 3, "map": "pinwheel"}),
]
each_game = pytest.mark.parametrize(("game", "options"), GAMES, ids=lambda value: str(value))


def positions(
    game: str, options: dict[str, Any], seed: int = 1, most: int = 150
) -> Iterator[tuple[State, str | None]]:
    """The positions of a random game, each with the move that led there."""
    dice = random.Random(seed)
    state, last = snakeden.new_game(game, **options), None
    for _ in range(most):
        yield state, last
        if state.is_over:
            return
        move = state.roll(dice) if state.player == snakeden.CHANCE else dice.choice(state.legal_moves())
        state, last = state.play(move), move.text


def view(state: State) -> Any:
    return state.variant.game.view


def ids(scene: Scene) -> list[str]:
    found = []
    for panel in scene.panels:
        for layer in panel.layers:
            for item in layer.items:
                found += [part.id for part in item.items] if isinstance(item, Piece) else []
                found.append(item.id)
    return [name for name in found if name]


@each_game
def test_a_scene_survives_json(game: str, options: dict[str, Any]) -> None:
    for state, last in positions(game, options, most=40):
        scene = view(state).scene(state, last_move=last)
        text = scenes.to_json(scene)
        again = scenes.from_json(text)
        assert scenes.to_json(again) == text
        assert svg(again) == svg(scenes.from_data(scenes.to_data(scene)))


@each_game
def test_ids_are_unique_and_what_moves_touch_is_there(game: str, options: dict[str, Any]) -> None:
    for state, last in positions(game, options):
        named = ids(view(state).scene(state, last_move=last))
        assert len(set(named)) == len(named)
        targets = view(state).move_targets(state)
        assert [target.move for target in targets] == [move.text for move in state.legal_moves()]
        for target in targets:
            touched = {*target.places, *target.via, *([target.piece] if target.piece else [])}
            assert touched <= set(named), target


@each_game
def test_targets_tell_moves_apart_and_survive_json(game: str, options: dict[str, Any]) -> None:
    for state, _ in positions(game, options, most=30):
        targets = view(state).move_targets(state)
        prompt = view(state).prompt(state)
        data = json.loads(json.dumps(scenes.targets_to_data(targets, prompt)))
        assert scenes.targets_from_data(data) == (targets, prompt)
        assert {target.action for target in targets} <= {"", *(action.id for action in prompt.actions)}
        assert sum(action.main for action in prompt.actions) <= 1
        acted = [(t.action, tuple(sorted(t.places))) for t in targets if t.action]
        assert len(set(acted)) == len(acted), "an action and what is chosen mean one move"
        pointed = [(t.piece, t.turn, t.places, t.label) for t in targets]
        assert len(set(pointed)) == len(pointed)


def test_a_piece_lies_alike_wherever_it_is_laid() -> None:
    state = snakeden.new_game("snekagon").play("f6")
    cells = {
        item.id: (item.x, item.y)
        for panel in view(state).scene(state).panels
        for layer in panel.layers
        for item in layer.items
        if isinstance(item, Cell)
    }
    shapes = defaultdict(set)
    for target in view(state).move_targets(state):
        x, y = cells[target.places[0]]
        offsets = tuple((round(cells[p][0] - x, 3), round(cells[p][1] - y, 3)) for p in target.places)
        shapes[target.piece, target.turn].add(offsets)
    assert all(len(found) == 1 for found in shapes.values())
    turns = {piece: sorted(turn for other, turn in shapes if other == piece) for piece, _ in shapes}
    assert turns["hand/1/2"] == [0, 1, 2]
    assert turns["hand/1/3L"] == [0, 1, 2, 3, 4, 5]
    assert turns["hand/1/4SL"] == list(range(12))


def bodies(scene: Scene, role: str) -> list[Path]:
    return [
        item
        for panel in scene.panels
        if panel.kind == "board"
        for layer in panel.layers
        for item in layer.items
        if isinstance(item, Path) and item.role == role and item.title
    ]


def _told_length(path: Path) -> int:
    """The number in a title such as `Player 1: a snake of 9`."""
    return next(int(word) for word in str(path.title).split(": ")[-1].split() if word.isdigit())


@pytest.mark.parametrize(("game", "options"), [g for g in GAMES if g[0].startswith("snekagon")], ids=str)
def test_the_longest_body_drawn_is_the_score(game: str, options: dict[str, Any]) -> None:
    for seed in range(3):
        for state, _ in positions(game, options, seed):
            scene = view(state).scene(state)
            for seat, score in enumerate(state.scores()):
                drawn = bodies(scene, f"seat{seat}")
                assert max(map(_told_length, drawn), default=0) == score
                if options.get("players", 1) == 1:
                    assert max((len(path.points) for path in drawn), default=0) == score


@pytest.mark.parametrize(("game", "options"), [g for g in GAMES if g[0] == "schlangennest"], ids=str)
def test_each_colour_has_one_strand_and_its_parts_are_the_score(game: str, options: dict[str, Any]) -> None:
    for seed in range(3):
        for state, _ in positions(game, options, seed):
            scene = view(state).scene(state)
            scores = [0] * state.seats
            for colour in range(state.seats * options.get("snakes", 1)):
                drawn = bodies(scene, f"seat{colour}")
                assert len(drawn) <= 1
                scores[colour % state.seats] += sum(map(_told_length, drawn))
            assert tuple(scores) == state.scores()


def _outside(state: State) -> list[str]:
    cells = [
        item for panel in view(state).scene(state).panels for layer in panel.layers for item in layer.items
    ]
    return [cell.id for cell in cells if isinstance(cell, Cell) and "outside the nest" in str(cell.title)]


def test_squares_are_outside_the_nest_only_where_the_border_leaves_no_room() -> None:
    for state, _ in positions("schlangennest", {"border": "none"}, seed=2):
        assert not _outside(state)
    first = snakeden.new_game("schlangennest", tail_first=True).play("T(0,0)E")
    assert not _outside(first), "a tail says nothing about where the nest lies"
    row, seen = [], set()
    for state, move in positions("schlangennest", {"nest": "3x4"}, seed=5):
        laid = re.match(r"[SC]\((-?\d+),(-?\d+)\)", move or "")
        row += [(int(laid[1]), int(laid[2]))] if laid else []
        for name in _outside(state):
            x, y = map(int, name.strip("()").split(","))
            spans = [max(axis) - min(axis) + 1 for axis in zip(*row, (x, y), strict=True)]
            assert max(spans) > 4 or min(spans) > 3
            seen.add(name)
    assert seen


def test_a_snakey_trail_is_drawn_square_by_square() -> None:
    for state, _ in positions("snakey-dice", {"players": 2}, seed=4, most=400):
        cells = [
            item
            for panel in view(state).scene(state).panels
            for layer in panel.layers
            for item in layer.items
            if isinstance(item, Cell)
        ]
        scene = view(state).scene(state)
        for seat in range(2):
            held = {(cell.x, cell.y) for cell in cells if cell.role == f"seat{seat}"}
            # The ends stick out of their squares; every other point is the middle of one.
            drawn = [point for path in bodies(scene, f"seat{seat}") for point in path.points[1:-1]]
            assert sorted(drawn) == sorted(held)
            for path in bodies(scene, f"seat{seat}"):
                steps = [abs(b[0] - a[0]) + abs(b[1] - a[1]) for a, b in pairwise(path.points[1:-1])]
                assert set(steps) <= {1.0}


@each_game
def test_svg_is_well_formed_deterministic_and_harmless(game: str, options: dict[str, Any]) -> None:
    wild = '<script>alert("x")</script>&\'"'
    *_, (state, last) = positions(game, options, most=60)
    names = tuple(f"{wild}{seat}" for seat in range(state.seats))
    for theme in ("light", "dark"):
        drawn = state.svg(last_move=last, names=names, theme=theme)
        assert drawn == state.svg(last_move=last, names=names, theme=theme)
        root = ElementTree.fromstring(drawn)
        kinds = {element.tag.removeprefix("{http://www.w3.org/2000/svg}") for element in root.iter()}
        assert kinds <= {"svg", "g", "title", "rect", "path", "text", "defs", "use", "clipPath"}
        assert not any(name.startswith("on") for e in root.iter() for name in e.attrib)
        held = {e.attrib["id"] for e in root.iter() if "id" in e.attrib}
        meant = re.findall(r'(?:href="|url\()#([^")]+)', drawn)
        assert set(meant) == held, "it refers to all of its own parts, and to nothing else"
        assert len(re.findall(r"href|url\(", drawn)) == len(meant)
        title = root.find("{http://www.w3.org/2000/svg}title")
        assert title is not None
        assert title.text
        assert wild in "".join(root.itertext())


def test_a_snekagon_board_stays_small() -> None:
    for state, last in positions("snekagon", {}):
        assert len(state.svg(last_move=last).encode()) < 60_000


def test_candidates_and_highlight_are_drawn() -> None:
    state = snakeden.new_game("snekagon").play("f6")
    plain = state.svg()
    moves = state.legal_moves()
    shown = state.svg(highlight=moves[0], candidates=[(moves[5], 1.0), (moves[9], 0.25)])
    assert moves[5].text not in plain
    for move in (moves[0], moves[5], moves[9]):
        assert f"<title>{move}</title>" in shown


def test_scenes_of_another_version_are_refused() -> None:
    state = snakeden.new_game("snekagon", side=3)
    data = scenes.to_data(view(state).scene(state))
    with pytest.raises(ValueError, match="version 99"):
        scenes.from_data({**data, "version": 99})
    with pytest.raises(ValueError, match="not a scene"):
        scenes.from_data({"version": scenes.VERSION})


def test_a_notebook_shows_a_position() -> None:
    assert snakeden.new_game("snekagon", side=3)._repr_svg_().startswith("<svg ")
