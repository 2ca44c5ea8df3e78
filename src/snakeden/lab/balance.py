"""The search for a fair setting: many are tried a little, the fairer half is tried twice as long, and so on.

What was chosen because it looked fair is then measured anew, by games that had no part in the choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from snakeden.core.outcome import decide
from snakeden.lab.measures import Estimate, grouped
from snakeden.lab.results import Row, read_rows
from snakeden.lab.running import Progress, run
from snakeden.lab.statistics import wilson
from snakeden.lab.study import BadStudy, Setting, Study


@dataclass(frozen=True)
class Search:
    """How a study wants to be searched: its table [balance]."""

    fair: float = 0.05
    """How far from an equal share seat 0 may be."""
    bonuses: tuple[tuple[int, ...], ...] = ()
    """Points given to the seats at the end, each choice a knob; agents do not know of them while they play."""
    first: int = 50
    """Games in the first round; every round has twice as many as the one before."""
    confirm: int = 1000
    """Games by which what was chosen is measured anew."""


@dataclass(frozen=True)
class Arm:
    """A setting with a bonus, and what was seen of it in the last round it was in."""

    setting: Setting
    bonus: tuple[int, ...]
    points: Estimate
    """Of seat 0."""
    games: int
    round: int

    @property
    def distance(self) -> float:
        return abs(self.points.value - 1 / len(self.setting.seating))


@dataclass(frozen=True)
class Balance:
    """What was found."""

    arms: tuple[Arm, ...]
    """Every setting with every bonus, the fairest first, those that were in the most rounds before others."""
    confirmed: tuple[Arm, ...]
    """The last ones, by games that had no part in choosing them; the fairest first."""
    fair: float

    @property
    def found(self) -> Arm | None:
        """One whose interval lies within what is fair, if there is any."""
        for arm in self.confirmed:
            equal = 1 / len(arm.setting.seating)
            if equal - self.fair <= arm.points.low and arm.points.high <= equal + self.fair:
                return arm
        return None

    @property
    def excluded(self) -> bool:
        """Whether none of them can be fair: all intervals lie beyond what is."""
        return all(
            arm.points.low > 1 / len(arm.setting.seating) + self.fair
            or arm.points.high < 1 / len(arm.setting.seating) - self.fair
            for arm in (*self.arms, *self.confirmed)
        )


def read_search(given: Any, seats: set[int]) -> Search:
    """The search that a study's table describes; raises BadStudy."""
    if not isinstance(given, dict):
        raise BadStudy("[balance] is missing: say how to search, as in fair = 0.05")
    allowed = ("fair", "bonuses", "first", "confirm")
    for key in given:
        if key not in allowed:
            raise BadStudy(f"[balance] has no {key!r}: it can have {', '.join(allowed)}")
    fair, bonuses = given.get("fair", Search.fair), given.get("bonuses", [])
    if not isinstance(fair, float) or not 0 < fair < 0.5:
        raise BadStudy(f"fair = {fair!r} is not possible: give a number such as 0.05, below 0.5")
    for name in ("first", "confirm"):
        count = given.get(name, 1)
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= 100_000:
            raise BadStudy(f"{name} = {count!r} is not possible: give a number of games")
    if len(seats) != 1 or seats == {1}:
        raise BadStudy("balance compares settings of one number of seats, two or more")
    (count,) = seats
    if not isinstance(bonuses, list) or not all(
        isinstance(bonus, list) and len(bonus) == count and all(isinstance(points, int) for points in bonus)
        for bonus in bonuses
    ):
        raise BadStudy(
            f"bonuses = {bonuses!r} is not possible: give lists of {count} whole numbers, one a seat"
        )
    return Search(
        fair,
        tuple(map(tuple, bonuses)) or ((0,) * count,),
        given.get("first", Search.first),
        given.get("confirm", Search.confirm),
    )


def balance(
    study: Study,
    folder: Path,
    *,
    on: str = "local",
    jobs: int | None = None,
    progress: Progress = lambda done, total: None,
) -> Balance:
    """Search the study's settings and bonuses for the fairest by successive halving. Like any run it can be
    interrupted, and the same command goes on."""
    search = read_search(study.balance, {len(setting.seating) for setting in study.settings})
    alive = [(setting, bonus) for setting in study.settings for bonus in search.bonuses]
    last: dict[tuple[Setting, tuple[int, ...]], Arm] = {}
    games, number = search.first, 0

    def played(arms: Sequence[tuple[Setting, tuple[int, ...]]], count: int) -> dict[str, list[Row]]:
        settings = dict.fromkeys(setting for setting, _ in arms)
        wanted = tuple(replace(setting, games=count, width=None) for setting in settings)
        run(replace(study, settings=wanted), folder, on=on, jobs=jobs, progress=progress)
        return grouped(read_rows(folder))

    while len(alive) > 1:
        rows = played(alive, games)
        for setting, bonus in alive:
            last[setting, bonus] = _measured(setting, bonus, rows[setting.key][:games], number)
        alive = sorted(alive, key=lambda arm: last[arm].distance)[: (len(alive) + 1) // 2]
        if len(alive) <= 3:
            break
        games, number = 2 * games, number + 1
    rows = played(alive, games + search.confirm)
    confirmed = [
        _measured(setting, bonus, rows[setting.key][games : games + search.confirm], number + 1)
        for setting, bonus in alive
    ]
    ranked = sorted(last.values(), key=lambda arm: (-arm.round, arm.distance))
    return Balance(tuple(ranked), tuple(sorted(confirmed, key=lambda arm: arm.distance)), search.fair)


def _measured(setting: Setting, bonus: tuple[int, ...], rows: Sequence[Row], number: int) -> Arm:
    points = []
    for row in rows:
        outcome = decide([a + b for a, b in zip(row["scores"], bonus, strict=True)], finished=True)
        assert outcome is not None
        points.append(outcome.shares[0])
    mean = sum(points) / len(points)
    return Arm(setting, bonus, Estimate(mean, *wilson(mean, len(points))), len(points), number)
