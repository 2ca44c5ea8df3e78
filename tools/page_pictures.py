"""Writes the pictures of the page as scenes, which it draws in its own colours and language.

For the shelf it is the middle of a game between engines, for each game of the house. For the rules it is whatever
their pages show: `![…](schlangennest-ring)` is the board after the last move of that record, here in `pictures/` or in
the documentation, and `![…](snekagon-start#hand/0)` a panel of a picture by its id. A record that says in its headers
which position is the middle one has `-start`, `-middle` and `-end`.

    python tools/page_pictures.py          all of them
    python tools/page_pictures.py rules    those of the rules
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

import snakeden
from snakeden import agents
from snakeden.core.game import CHANCE
from snakeden.core.registry import games
from snakeden.drawing.scene import Scene, to_json
from snakeden.records import read

ROOT = Path(__file__).parent.parent
WEB = Path(snakeden.__file__).parent / "web"
SHELF = WEB / "pictures"
RULES = WEB / "rules"
RECORDS = (ROOT / "tools" / "pictures", ROOT / "docs" / "games" / "pictures", ROOT / "docs" / "pictures")
SHARE = 0.6
"""How much of a game on the shelf has been played."""


# ---- the rules


def shown_in_rules() -> dict[str, set[str]]:
    """The pictures that the pages of the rules show, and of each the panels; the empty one stands for boards."""
    found: dict[str, set[str]] = {}
    for page in RULES.glob("*.md"):
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


def rules_pictures() -> dict[Path, str]:
    """The file of every picture of the rules, and what belongs into it."""
    found = {}
    for name, panels in sorted(shown_in_rules().items()):
        scene = _scene(name)
        kept = [
            panel for panel in scene.panels if panel.id in panels or ("" in panels and panel.kind == "board")
        ]
        found[RULES / "pictures" / f"{name}.json"] = to_json(replace(scene, panels=tuple(kept))) + "\n"
    return found


# ---- the shelf


def positions(game: str) -> list[tuple[snakeden.State, str]]:
    """A whole game: the positions, and the move that led to each."""
    agent, dice = agents.make("greedy", seed=1), np.random.default_rng(1)
    state = snakeden.new_game(game)
    found = []
    while not state.is_over:
        move = state.roll(dice) if state.player == CHANCE else agent.choose(state).move
        state = state.play(move)
        found.append((state, str(move)))
    return found


def shelf_picture(game: str) -> str:
    played = positions(game)
    state, last = played[int(SHARE * len(played))]
    return to_json(state.variant.game.view.scene(state, last_move=last)) + "\n"


def main() -> None:
    wanted = rules_pictures()
    for file in (RULES / "pictures").glob("*.json"):
        if file not in wanted:
            file.unlink()
    if sys.argv[1:] != ["rules"]:
        wanted |= {SHELF / f"{game}.json": shelf_picture(game) for game in games()}
    for file, picture in wanted.items():
        file.parent.mkdir(exist_ok=True)
        file.write_text(picture, encoding="utf-8")
    print(f"{len(wanted)} pictures in {WEB}")


if __name__ == "__main__":
    main()
