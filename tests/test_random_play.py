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
from snakeden.lab.playouts import AT_ONCE, player
from snakeden.lab.random_play import play, play_block
from snakeden.lab.random_sums import PlayoutSums, Sums, figures, playout_figures


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
    wide = figures(play(variant, 1_000_000, seed=1000).sums)
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
    whole = play(variant, 3000, 3000, block=64)
    played: list[int] = []

    def interrupted(*arguments: Any) -> Sums:
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(arguments[2])
        return play_block(*arguments)

    keep = tmp_path / "sums.json"
    monkeypatch.setattr(random_play, "play_block", interrupted)
    with pytest.raises(KeyboardInterrupt):
        play(variant, 3000, 3000, block=64, keep=keep)
    assert 0 < json.loads(keep.read_text())["sums"]["moves"] < 3000
    monkeypatch.undo()
    assert play(variant, 3000, 3000, block=64, keep=keep) == whole
    assert played == [0, 1]
    with pytest.raises(snakeden.BadOption, match="another block or seed"):
        play(variant, 3000, block=65, keep=keep)
    keep.write_text("[]")
    with pytest.raises(snakeden.BadOption, match="does not hold sums"):
        play(variant, 3000, block=64, keep=keep)


@pytest.mark.parametrize(("game", "options"), [("schlangennest", {"players": 3}), ("snakey-dice", {})])
def test_sums_are_those_of_the_playouts(game: str, options: dict[str, Any]) -> None:
    variant = snakeden.new_game(game, **options).variant
    sums = play(variant, plies=1, block=300, seed=7).playouts
    plies, scores = player(variant, "cpu")(7, 0, 300)
    lengths, finals, shares = plies.tolist(), scores.tolist(), victory_shares(scores)
    assert (sums.games, sums.plies, sums.plies_squared) == (300, sum(lengths), sum(n * n for n in lengths))
    assert (sums.shortest, sums.longest) == (min(lengths), max(lengths))
    assert sums.scores == tuple(map(sum, zip(*finals, strict=True)))
    assert sums.scores_squared == tuple(
        sum(score * score for score in seat) for seat in zip(*finals, strict=True)
    )
    assert sums.shared == sum(max(share) < 1 for share in shares.tolist())
    found = playout_figures(sums)
    if found.points:
        assert sums.shared > 0
        assert [one.value for one in found.points] == pytest.approx(shares.mean(0).tolist())


def test_playouts_are_the_same_however_many_are_played_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And however often they were interrupted. Few games of very different lengths tell little of how many it takes."""
    variant = snakeden.new_game("schlangennest").variant
    for seed in range(4):
        whole = play(variant, plies=20_000, block=2, seed=seed).playouts
        assert 20_000 <= whole.plies < 20_000 + 2 * whole.longest
    keep = tmp_path / "sums.json"
    for plies in (1, 5000, 12_000):
        play(variant, plies=plies, block=2, seed=seed, keep=keep)
    monkeypatch.setitem(AT_ONCE, "cpu", 64)
    assert play(variant, plies=20_000, block=2, seed=seed, keep=keep).playouts == whole


def test_files_without_playouts_are_read(tmp_path: Path) -> None:
    variant = snakeden.new_game("snekagon", side=3).variant
    keep = tmp_path / "sums.json"
    stepped = play(variant, 500, block=64, keep=keep)
    held = json.loads(keep.read_text())
    del held["playouts"]
    keep.write_text(json.dumps(held))
    both = play(variant, 500, 500, block=64, keep=keep)
    assert (both.blocks, both.sums) == (stepped.blocks, stepped.sums)
    assert both.playouts == play(variant, plies=500, block=64).playouts != PlayoutSums()


def test_the_command_prints_figures(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["lab", "random", "snekagon", "--set", "side=3", "--moves", "1000", "--block", "100"]
    assert main([*asked, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["moves"] >= 1000
    assert sum(one["value"] for one in found["points"]) == pytest.approx(1)
    assert main(asked) == 0
    assert f"{found['games']} games" in capsys.readouterr().out
    assert main([*asked, "--plies", "2000", "--json"]) == 0
    both = json.loads(capsys.readouterr().out)
    assert {**both, "playouts": None} == {**found, "playouts": None}
    assert both["playouts"]["plies"] >= 2000
    assert main(["lab", "random", "snakey-dice", "--plies", "2000", "--block", "10"]) == 0
    printed = capsys.readouterr().out
    assert "plies, moves and rolls of dice" in printed
    assert "legal moves" not in printed
    assert main(["lab", "random", "snekagon", "--moves", "0"]) == 2
    assert "--moves 0 is not possible" in capsys.readouterr().err
    assert main(["lab", "random", "snekagon", "--plies", "1e16"]) == 2
    assert "--plies 1e+16 is not possible" in capsys.readouterr().err
