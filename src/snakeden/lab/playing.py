"""One game of a study: played, watched, and returned as a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from snakeden.agents import Choice
from snakeden.arena.playing import GameSetup, play_game
from snakeden.core.state import State
from snakeden.lab.study import Setting

_CLEAR = 0.05
"""By this much the chance to win of the best move must exceed that of the second best for the choice to matter."""


@dataclass(frozen=True)
class Task:
    """One game to be played."""

    setting: Setting
    number: int
    """Which of the setting's games."""
    seed: int
    """The study's."""


def play(task: Task) -> dict[str, Any]:
    """Play a game; its row. Dice and random openings are the same for the n-th game of every setting, so that settings
    differ by what they are and not by luck."""
    setting, watched = task.setting, _Watched()
    record, _ = play_game(
        GameSetup(
            setting.game,
            setting.options,
            setting.seating,
            seed=task.seed,
            dice_seed=f"{task.seed} {task.number}",
            agent_seed=f"{task.seed} {task.number} {setting.key}",
            opening=setting.opening,
            first_moves=setting.first_moves,
        ),
        watched,
    )
    outcome = record.outcome
    assert outcome is not None
    return {
        "setting": setting.key,
        "number": task.number,
        "game": setting.game,
        "options": setting.options_text,
        "seating": list(setting.seating),
        "opening": setting.opening,
        "first_moves": " ".join(setting.first_moves),
        "scores": list(outcome.scores),
        "points": list(outcome.shares),
        "plies": len(record.moves),
        "movers": watched.movers,
        "legal": watched.legal,
        "leads": watched.leads,
        "chances": watched.chances,
        "matters": watched.matters,
        "record": record.write(),
    }


class _Watched:
    """What the choices of a game were like; a number for each."""

    def __init__(self) -> None:
        self.movers: list[int] = []
        """The seat that chose."""
        self.legal: list[int] = []
        """How many moves it had."""
        self.leads: list[int] = []
        """Its score less the best other's, before it moved."""
        self.chances: list[float | None] = []
        """Its chance to win as it saw it, where it looks ahead."""
        self.matters: list[bool | None] = []
        """Whether its best move looked clearly better than the second best."""

    def __call__(self, state: State, choice: Choice) -> None:
        seat, lines = state.player, choice.reasons.lines
        assert seat is not None
        scores = state.scores()
        others = [score for other, score in enumerate(scores) if other != seat]
        self.movers.append(seat)
        self.legal.append(len(state.codes()))
        self.leads.append(scores[seat] - max(others, default=0))
        self.chances.append(round(lines[0].wins[seat], 3) if lines else None)
        clear = lines[0].wins[seat] - lines[1].wins[seat] >= _CLEAR if len(lines) > 1 else None
        self.matters.append(clear)
