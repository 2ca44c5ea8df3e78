"""Writes the pictures of the rules and of the setup's choices as scenes, which the page draws in its own colours and
language.

They are whatever the pages of the rules show: `![…](schlangennest-ring)` is the board after the last move of that
record, here in `pictures/` or in the documentation, and `![…](snekagon-start#hand/0)` a panel of a picture by its id. A
record that says in its headers which position is the middle one has `-start`, `-middle` and `-end`.

    python tools/page_pictures.py
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import snakeden
from snakeden.core.errors import BadOption
from snakeden.core.game import Game
from snakeden.core.options import Option
from snakeden.core.registry import games
from snakeden.drawing.scene import Scene
from snakeden.drawing.shapes import drawn
from snakeden.records import read
from snakeden.words import languages, rules_file

ROOT = Path(__file__).parent.parent
WEB = Path(snakeden.__file__).parent / "web"
RULES = WEB / "rules"
CHOICES = WEB / "choices"
MOST_VALUES = 8
"""An option of more values is chosen by number."""
RECORDS = (ROOT / "tools" / "pictures", ROOT / "docs" / "games" / "pictures", ROOT / "docs" / "pictures")


# ---- the rules


def shown_in_rules() -> dict[str, set[str]]:
    """The pictures that the pages of the rules show, and of each the panels; the empty one stands for boards."""
    found: dict[str, set[str]] = {}
    for page in (rules_file(game, language) for game in games() for language in languages()):
        for name, panel in re.findall(r"!\[[^\]]*\]\(([\w-]+)#?([^)]*)\)", page.read_text(encoding="utf-8")):
            found.setdefault(name, set()).add(panel)
    return found


def _scene(name: str) -> Scene:
    whole, _, which = name.rpartition("-")
    for stem, at in ((name, ""), (whole, which)):
        file = next(
            (folder / f"{stem}.game" for folder in RECORDS if (folder / f"{stem}.game").exists()), None
        )
        if file is None:
            continue
        record = read(file.read_text(encoding="utf-8"))
        ply = {"start": 0, "middle": int(record.extra.get("Middle", 0))}.get(at, len(record.moves))
        state = list(record.states())[ply]
        view = state.variant.game.view
        last = record.moves[ply - 1] if at and ply else None
        drawn: Scene = view.scene(state, last_move=last, highlight=record.extra.get("Highlight"))
        return drawn
    raise SystemExit(f"there is no record for the picture {name}")


def _json(scene: Scene) -> str:
    return json.dumps(drawn(scene), ensure_ascii=False, separators=(",", ":")) + "\n"


def rules_pictures() -> dict[Path, str]:
    """The file of every picture of the rules, and what belongs into it."""
    found = {}
    for name, panels in sorted(shown_in_rules().items()):
        scene = _scene(name)
        kept = [
            panel for panel in scene.panels if panel.id in panels or ("" in panels and panel.kind == "board")
        ]
        found[RULES / "pictures" / f"{name}.json"] = _json(replace(scene, panels=tuple(kept)))
    return found


# ---- the choices of the setup


def _values(option: Option) -> list[Any]:
    if option.kind in ("choice", "text"):
        return list(option.choices)
    if option.kind == "int":
        assert option.low is not None
        assert option.high is not None
        return list(range(option.low, option.high + 1))
    return []


def _bare(item: Any) -> Any:
    """What is seen of an item."""
    return {name: value for name, value in item.items() if name not in ("id", "title", "label", "status")}


def _board(game: str, options: dict[str, Any]) -> dict[str, Any] | None:
    """The first board of a game with these options, without words; None if they are not possible."""
    try:
        state = snakeden.new_game(game, **options)
    except BadOption:
        return None
    [panel, *_] = drawn(state.variant.game.view.scene(state))["panels"]
    layers = [layer for layer in panel["layers"] if layer["name"] != "labels"]
    bare = [{"name": layer["name"], "items": [_bare(item) for item in layer["items"]]} for layer in layers]
    return {"id": panel["id"], "kind": "board", "box": panel["box"], "layers": bare}


def _boards(game: Game, option: Option) -> dict[str, Any]:
    """A board for each value. Some values are only for some numbers of players, or look alike without another choice:
    they are shown beside the value of another option with which most of them differ."""
    others = [other for other in game.options if other is not option and other.kind in ("int", "choice")]
    beside = [{}, *({other.name: value} for other in others for value in _values(other))]
    if option.kind == "int":
        # A number is shown where it is the size of the board; how many play is not to be seen on it.
        shown = {str(value): _board(game.id, {option.name: value}) for value in _values(option)}
        sizes = {value: board["box"][2] for value, board in shown.items() if board is not None}
        return shown if len(set(sizes.values())) == len(shown) else {}
    best: dict[str, Any] = {}
    most = 1
    for more in beside:
        found = {str(value): _board(game.id, {option.name: value, **more}) for value in _values(option)}
        shown = {value: board for value, board in found.items() if board is not None}
        different = len({json.dumps(board, sort_keys=True) for board in shown.values()})
        if different > most:
            best, most = shown, different
    return best


def _hands(game: Game, option: Option) -> dict[str, Any]:
    """Of each choice for a seat, what only it brings into the first player's hand."""
    found = {}
    for value in option.choices:
        other = next(choice for choice in option.choices if choice != value)
        state = snakeden.new_game(game.id, **{option.name: (value, other)})
        panels = drawn(state.variant.game.view.scene(state))["panels"]
        hand = next(panel for panel in panels if panel["kind"] == "hand")
        pieces = next(layer["items"] for layer in hand["layers"] if layer["name"] == "pieces")
        found[value] = {"kind": "hand", "id": hand["id"], "box": hand["box"], "pieces": pieces}
    common = set.intersection(*({piece["id"] for piece in one["pieces"]} for one in found.values()))
    for one in found.values():
        own = [_bare(piece) for piece in one.pop("pieces") if piece["id"] not in common]
        one["layers"] = [{"name": "pieces", "items": own}]
    return found


def choice_pictures(game: Game) -> str:
    """By option and value the panel of a board, for options whose values look different at first, as JSON; for options
    with a choice for each seat, what comes with it."""
    chosen = [option for option in game.options if 1 < len(_values(option)) <= MOST_VALUES]
    found = {option.name: boards for option in chosen if (boards := _boards(game, option))}
    found |= {option.name: _hands(game, option) for option in game.options if option.kind == "list"}
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n"


def main() -> None:
    wanted = rules_pictures() | {
        CHOICES / f"{game.id}.json": choice_pictures(game) for game in games().values()
    }
    for file in [*(RULES / "pictures").glob("*.json"), *CHOICES.glob("*.json")]:
        if file not in wanted:
            file.unlink()
    for file, picture in wanted.items():
        file.parent.mkdir(exist_ok=True)
        file.write_text(picture, encoding="utf-8")
    print(f"{len(wanted)} pictures in {WEB}")


if __name__ == "__main__":
    main()
