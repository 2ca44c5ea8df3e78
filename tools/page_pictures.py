"""Writes the pictures of the rules as scenes, which the page draws in its own colours and language.

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

import snakeden
from snakeden.core.registry import games
from snakeden.drawing.scene import Scene
from snakeden.drawing.shapes import drawn
from snakeden.records import read
from snakeden.words import languages, rules_file

ROOT = Path(__file__).parent.parent
WEB = Path(snakeden.__file__).parent / "web"
RULES = WEB / "rules"
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


def main() -> None:
    wanted = rules_pictures()
    for file in (RULES / "pictures").glob("*.json"):
        if file not in wanted:
            file.unlink()
    for file, picture in wanted.items():
        file.parent.mkdir(exist_ok=True)
        file.write_text(picture, encoding="utf-8")
    print(f"{len(wanted)} pictures in {WEB}")


if __name__ == "__main__":
    main()
