"""The arena: fair seating, ratings that follow results, runs that stop and go on, as people call it."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

import pytest

from snakeden import agents, records
from snakeden.arena import Match, Played, play_all, sprt, standings
from snakeden.arena.ratings import elo, points_of
from snakeden.cli import main

SMALL = {"side": 3}


def played(seating: tuple[str, ...], winners: tuple[int, ...], index: int = 0) -> Played:
    scores = tuple(5 if seat in winners else 3 for seat in range(len(seating)))
    return Played(index, index, seating, scores, winners)


@pytest.mark.parametrize(
    "names",
    [("random", "greedy"), ("random", "greedy", "level:1"), ("random", "greedy", "level:1", "level:2")],
)
@pytest.mark.parametrize("players", [2, 3, 5])
def test_everybody_sits_everywhere_equally_often(names: tuple[str, ...], players: int) -> None:
    match = Match(names, "snekagon-5g", {"players": players}, games=17)
    chairs = Counter((name, seat) for plan in match.plan() for seat, name in enumerate(plan.seating))
    assert len(match.plan()) >= 17
    assert len(chairs) == len(names) * players
    assert len(set(chairs.values())) == 1


def test_a_round_shares_its_opening() -> None:
    match = Match(("random", "greedy"), "snekagon", SMALL, games=6, seed=5)
    games = [records.read(game.record) for game in play_all(match, jobs=1)]
    first: dict[int, set[tuple[str, ...]]] = {}
    for index, game in enumerate(games):
        assert game.check().is_over
        first.setdefault(index // 2, set()).add(game.moves[:1])
    assert all(len(openings) == 1 for openings in first.values())
    assert len({opening for openings in first.values() for opening in openings}) > 1


def test_balanced_openings_leave_out_those_that_decide_the_game() -> None:
    # Whoever begins Schlangennest with the tail or the head has lost.
    def openings(*, balanced: bool) -> list[str]:
        match = Match(("random", "greedy"), "schlangennest", games=6, seed=4, balanced=balanced)
        return [records.read(game.record).moves[0] for game in play_all(match, jobs=1)]

    drawn, kept = openings(balanced=False), openings(balanced=True)
    assert {"T", "H"} & {move[0] for move in drawn}
    assert not {"T", "H"} & {move[0] for move in kept}
    assert kept[::2] == kept[1::2]
    assert [move for move in drawn if move[0] in "SC"] == [
        new for old, new in zip(drawn, kept, strict=True) if old[0] in "SC"
    ]


def test_ratings_follow_results_and_narrow_with_more_of_them() -> None:
    few = elo(("a", "b"), [("a", "b", 1.0)] * 15 + [("a", "b", 0.0)] * 5)
    many = elo(("a", "b"), [("a", "b", 1.0)] * 150 + [("a", "b", 0.0)] * 50)
    assert few["a"][0] == -few["b"][0]
    assert many["a"][0] - many["b"][0] == pytest.approx(191, abs=3)
    assert many["a"][1] == pytest.approx(few["a"][1] / 10**0.5, rel=0.1)
    sweep = elo(("a", "b"), [("a", "b", 1.0)] * 20)
    assert 200 < sweep["a"][0] - sweep["b"][0] < 2000


def test_three_agents_are_placed_by_whom_they_beat() -> None:
    results = [("a", "b", 1.0)] * 8 + [("a", "b", 0.0)] * 2 + [("b", "c", 1.0)] * 8 + [("b", "c", 0.0)] * 2
    ratings = elo(("c", "a", "b"), results)
    assert ratings["a"][0] > ratings["b"][0] > ratings["c"][0]
    assert sum(rating for rating, _ in ratings.values()) == pytest.approx(0, abs=1e-6)


def test_a_shared_victory_is_a_draw_and_half_a_point() -> None:
    games = [played(("a", "b"), (0, 1)), played(("b", "a"), (1,)), played(("a", "b"), (1,))]
    table = {standing.agent: standing for standing in standings(("a", "b"), games)}
    assert (table["a"].wins, table["a"].draws, table["a"].losses, table["a"].points) == (1, 1, 1, 1.5)
    assert table["a"].elo == pytest.approx(0, abs=1e-6)


def test_a_share_of_points_has_an_interval_even_after_a_sweep() -> None:
    def share(*winners: tuple[int, ...]) -> tuple[float, float]:
        games = [played(("a", "b"), winner) for winner in winners]
        table = {standing.agent: standing for standing in standings(("a", "b"), games)}
        assert table["a"].share + table["b"].share == pytest.approx(1)
        assert table["a"].share_error == pytest.approx(table["b"].share_error)
        return table["a"].share, table["a"].share_error

    mean, error = share(*[(0,)] * 98)
    assert mean == 1
    assert error == pytest.approx(1.96 / 100)
    mean, wider = share(*[(0,)] * 49 + [(1,)] * 49)
    assert mean == 0.5
    assert wider == pytest.approx(1.96 * 0.5 / 10)
    assert share(*[(0,)] * 20 + [(1,)] * 20)[1] > wider
    assert share(*[(0, 1)] * 98)[1] < wider, "shared victories all say the same"


def test_a_broken_game_counts_for_nobody() -> None:
    games = [played(("a", "b"), (0,)), Played(1, 1, ("b", "a"), error="it broke")]
    assert [standing.games for standing in standings(("a", "b"), games)] == [1, 1]


def test_alone_agents_are_compared_on_the_same_dice() -> None:
    games = [Played(k, k // 2, (("a", "b")[k % 2],), (10 + k % 2 * 5,), (0,)) for k in range(8)]
    table = standings(("a", "b"), games)
    assert [(standing.agent, standing.wins, standing.mean_score) for standing in table] == [
        ("b", 4, 15),
        ("a", 0, 10),
    ]


def test_a_sequential_test_stops_when_it_knows() -> None:
    assert sprt([1.0, 0.0] * 3, 0, 50) == 0
    assert sprt([1.0, 1.0, 1.0, 0.5] * 40, 0, 50) == 1
    assert sprt([0.0, 1.0, 0.0, 0.5] * 40, 0, 50) == -1


def test_a_table_of_several_counts_as_one_game() -> None:
    three = played(("a", "b", "a"), (0,), index=4)
    assert points_of("a", [three]) == [0.75]
    assert points_of("b", [three]) == [0.25]
    alone = [Played(k, 0, (name,), (10 + 5 * k,), (0,)) for k, name in enumerate("ab")]
    assert points_of("a", alone) == [0.0]
    assert points_of("a", [played(("a", "b"), (0,), 1), played(("b", "a"), (0,), 2)]) == [1.0, 0.0]


def test_a_run_that_was_cut_off_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    match = Match(("random", "greedy"), "snekagon", SMALL, games=6)
    running = play_all(match, jobs=1, out=out)
    first = [next(running), next(running)]
    running.close()
    with out.open("a") as file:
        file.write('{"index": 2, "round"')
    games = list(play_all(match, jobs=1, out=out))
    assert games[:2] == first
    assert sorted(game.index for game in games) == list(range(6))
    assert games == list(play_all(match, jobs=1, out=out))
    with pytest.raises(ValueError, match="another match"):
        list(play_all(Match(("random", "level:1"), "snekagon", SMALL, games=6), out=out))


def test_a_game_that_breaks_does_not_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    from snakeden.arena import engines, matches, playing

    made = engines.make

    def breaks(name: str, *, seed: int = 0) -> agents.Agent:
        if name == "greedy" and next(asked) == 1:
            raise RuntimeError("no such luck")
        return made(name, seed=seed)

    asked = count()
    monkeypatch.setattr(playing, "make", breaks)
    match = Match(("random", "greedy"), "snekagon", SMALL, games=2)
    fine, broken = (matches.play_one(match, plan) for plan in match.plan())
    assert fine.winners
    assert broken.error == "RuntimeError: no such luck"


def test_no_game_is_lost_when_the_processes_die(monkeypatch: pytest.MonkeyPatch) -> None:
    from snakeden.workers import local

    class Dying(ThreadPoolExecutor):
        """A pool that breaks at its third game, as one does whose process was killed."""

        handed = 0
        _processes: ClassVar[dict[int, object]] = {}

        def __init__(self, workers: int, **named: object) -> None:
            super().__init__(workers)

        def submit(self, *work: Any, **named: Any) -> Any:
            Dying.handed += 1
            if Dying.handed == 3:
                raise BrokenProcessPool
            return super().submit(*work, **named)

    monkeypatch.setattr(local, "ProcessPoolExecutor", Dying)
    match = Match(("random", "greedy"), "snekagon", SMALL, games=6)
    games = list(play_all(match, jobs=2))
    assert sorted(game.index for game in games) == list(range(6))
    assert not any(game.error for game in games)


def test_the_command_prints_games_and_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["arena", "random", "greedy", "--set", "side=3", "--games", "4", "--jobs", "1", "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert status == 0
    assert len(lines) == 5
    table = lines[-1]["agents"]
    assert {row["agent"] for row in table} == {"random", "greedy"}
    wanted = {"agent", "games", "wins", "draws", "losses", "points", "elo", "elo_error"}
    assert all(wanted <= row.keys() and row["games"] == 4 for row in table)
    assert sum(row["points"] for row in table) == 4
    assert [row["share"] for row in table] == [row["points"] / 4 for row in table]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["random"], "two agents"),
        (["random", "random"], "different agents"),
        (["random", "nobody"], "there is no agent"),
        (["random", "greedy", "--game", "chess"], "the games are"),
        (["random", "greedy", "--games", "0"], "1 or more"),
        (["random", "greedy", "--sprt", "5"], "two Elo differences"),
        (["random", "greedy", "--sprt", "50,0"], "the smaller one"),
        (["random", "greedy", "--sprt=-1000000,0"], "from -4000 to 4000"),
        (["random", "greedy", "--sprt=nan,0"], "from -4000 to 4000"),
        (["random", "greedy", "--jobs", "0"], "--jobs 0"),
        (["random", "greedy", "--seed", str(10**18)], "at most 18 digits"),
    ],
)
def test_mistakes_are_told_in_words(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *arguments]) == 2
    assert expected in capsys.readouterr().err
