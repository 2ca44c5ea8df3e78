"""Statistics of random games, held against games that are played one by one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import snakeden
from snakeden.cli import main
from snakeden.core.game import OVER
from snakeden.core.outcome import victory_shares
from snakeden.lab import random_play
from snakeden.lab.random_play import figures, play, play_block


@pytest.mark.parametrize(
    ("game", "options"), [("snekagon", {"side": 3}), ("schlangennest", {"players": 3}), ("snakey-dice", {})]
)
def test_sums_are_those_of_the_games(game: str, options: dict[str, Any]) -> None:
    variant = snakeden.new_game(game, **options).variant
    sums = play_block(variant, 5, seed=7)
    lengths, choices, scores = [], [], []
    for i in range(5):
        # A game has its own random numbers, whoever is played beside it.
        games = snakeden.batch(game, 5, 7, autoreset=False, **options)
        lengths.append(0)
        choices.append(0)
        while games.player[i] != OVER:
            choices[-1] += len(games.state(i).legal_moves())
            lengths[-1] += 1
            games.step(games.sample())
        scores.append(games.state(i).scores())
    assert sums.games == 5
    assert (sums.moves, sums.shortest, sums.longest) == (sum(lengths), min(lengths), max(lengths))
    assert sums.choices == sum(choices)
    assert sums.choices_by_moves == sum(c * n for c, n in zip(choices, lengths, strict=True))
    assert sums.scores == tuple(map(sum, zip(*scores, strict=True)))
    found = figures(sums)
    if found.points:
        assert [one.value for one in found.points] == pytest.approx(victory_shares(scores).mean(0).tolist())
    assert found.length.low <= found.length.value == sum(lengths) / 5 <= found.length.high


def test_intervals_hold() -> None:
    variant = snakeden.new_game("snekagon", side=3).variant
    wide = figures(play(variant, 1_000_000, seed=1000))
    hits = [
        (one.length.low <= wide.length.value <= one.length.high)
        + (one.choices.low <= wide.choices.value <= one.choices.high)
        + (one.points[0].low <= wide.points[0].value <= one.points[0].high)
        for one in (figures(play_block(variant, 500, seed)) for seed in range(100))
    ]
    # 285 of 300 are expected; fewer than 265 come once in tens of thousands of seeds.
    assert 265 <= sum(hits) < 300


def test_an_interrupted_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    variant = snakeden.new_game("snekagon", side=3).variant
    whole = play(variant, 3000, block=64)
    played: list[int] = []

    def interrupted(*arguments: Any) -> random_play.Sums:
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(arguments[2])
        return play_block(*arguments)

    keep = tmp_path / "sums.json"
    monkeypatch.setattr(random_play, "play_block", interrupted)
    with pytest.raises(KeyboardInterrupt):
        play(variant, 3000, block=64, keep=keep)
    assert 0 < json.loads(keep.read_text())["sums"]["moves"] < 3000
    monkeypatch.undo()
    assert play(variant, 3000, block=64, keep=keep) == whole
    assert played == [0, 1]
    with pytest.raises(snakeden.BadOption, match="another block or seed"):
        play(variant, 3000, block=65, keep=keep)
    keep.write_text("[]")
    with pytest.raises(snakeden.BadOption, match="does not hold sums"):
        play(variant, 3000, block=64, keep=keep)


def test_the_command_prints_figures(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["lab", "random", "snekagon", "--set", "side=3", "--moves", "1000", "--block", "100"]
    assert main([*asked, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["moves"] >= 1000
    assert sum(one["value"] for one in found["points"]) == pytest.approx(1)
    assert main(asked) == 0
    assert f"{found['games']} games" in capsys.readouterr().out
    assert main(["lab", "random", "snekagon", "--moves", "0"]) == 2
    assert "--moves 0 is not possible" in capsys.readouterr().err
