"""What there is to play: the games with their options, and the engines."""

from __future__ import annotations

from typing import Any

from snakeden import agents
from snakeden.core.game import Game
from snakeden.core.options import Option
from snakeden.core.registry import games
from snakeden.core.state import State
from snakeden.server.view import picture
from snakeden.words import to_data


def about_games(*, page_thinks: bool) -> dict[str, Any]:
    """The catalogue, as what JSON can hold: where pages are asked to think or not."""
    levels = [f"level:{n + 1}" for n in range(len(agents.LEVELS))]
    return {
        "games": [_about(game) for game in games().values()],
        "agents": ["random", "greedy", *levels],
        "page_thinks": page_thinks,
    }


def _about(game: Game) -> dict[str, Any]:
    return {
        "id": game.id,
        "name": game.name,
        "blurb": to_data(game.blurb),
        "credits": to_data(game.credits),
        "rules_version": game.rules_version,
        "rules": f"/words/{{language}}/rules/{game.id}.md",
        "options": [
            {
                "name": option.name,
                "kind": option.kind,
                "default": option.default,
                "label": to_data(option.label),
                "help": to_data(option.help),
                "low": option.low,
                "high": option.high,
                "choices": list(option.choices),
                "allowed": to_data(option.allowed()),
                "file": option.from_file is not None,
                "editor": _editor(option),
            }
            for option in game.options
        ],
    }


def about_beginning(first: State, plies: int, *, nets: bool) -> dict[str, Any]:
    """What a game would be like that begins so, with a record of so many plies: as what JSON can hold."""
    return {
        "game": first.game,
        "seats": first.seats,
        "plies": plies,
        "options": dict(first.options),
        "possible": first.variant.game.possible(first.variant.given),
        "highest": to_data(agents.about_highest(first.variant, nets=nets)),
        "scene": picture(first, None, playable=False)["scene"],
    }


def _editor(option: Option) -> dict[str, Any] | None:
    """How a map of one's own is drawn."""
    editor = option.editor
    if editor is None:
        return None
    return {
        "squares": [
            {"text": one.text, "label": to_data(one.label), "mark": one.mark, "role": one.role}
            for one in editor.squares
        ],
        "numbers": [{"name": name, "label": to_data(label)} for name, label in editor.numbers],
        "texts": {choice: editor.text(choice) for choice in option.choices},
    }
