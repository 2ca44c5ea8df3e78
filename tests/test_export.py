"""Games as tables: every row is a position of the game, and the table makes the records again."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import snakeden
from snakeden.adapters.observations import observe
from snakeden.cli import main
from snakeden.records import read_all, record

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("snekagon", {"side": 3}),
    ("snakey-dice", {"players": 2}),
    ("schlangennest", {"snakes": 2}),
]


def random_record(game: str, seed: int, **options: Any) -> str:
    state, generator, moves = snakeden.new_game(game, **options), random.Random(seed), []
    start = state
    while not state.is_over:
        rolled = state.player == snakeden.CHANCE
        move = state.roll(generator) if rolled else generator.choice(state.legal_moves())
        moves.append(move)
        state = state.play(move)
    names = tuple(f"player {seat}" for seat in range(state.seats))
    return record(start, moves, seed=seed, seats=names, extra={"Place": "Žďár"}).write()


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_a_table_has_a_row_a_position_and_goes_back(
    tmp_path: Path, game: str, options: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    text = "\n".join(random_record(game, seed, **options) for seed in range(3))
    (tmp_path / "games.txt").write_text(text, encoding="utf-8")
    table, again = tmp_path / "games.parquet", tmp_path / "again.txt"
    assert main(["export", str(tmp_path / "games.txt"), "-o", str(table), "--observations", "--json"]) == 0
    found, games = pq.read_table(table).to_pylist(), read_all(text)
    assert json.loads(capsys.readouterr().out)["rows"] == len(found) == sum(len(game.moves) for game in games)
    at = iter(found)
    for number, played in enumerate(games):
        for ply, (state, move) in enumerate(zip(played.states(), played.moves, strict=False)):
            row = next(at)
            assert (row["record"], row["ply"], row["move"]) == (number, ply, move)
            assert snakeden.restore(row["state"]) == state
            assert row["player"] == state.player
            assert row["legal"] == state.codes().tolist()
            assert row["action"] in row["legal"]
            assert state.play(row["action"]) == state.play(move)
            assert played.outcome is not None
            assert tuple(row["scores"]) == played.outcome.scores
            assert row["rewards"] == pytest.approx(played.outcome.rewards)
            if state.player != snakeden.CHANCE:
                assert row["observation"] == observe(state).ravel().tolist()
                assert row["observation_shape"] == list(observe(state).shape)
    assert main(["export", str(table), "-o", str(again)]) == 0
    assert read_all(again.read_text(encoding="utf-8")) == games


def test_visits_of_a_search_are_written_and_go_back(tmp_path: Path) -> None:
    games, table, again = tmp_path / "games.jsonl", tmp_path / "games.parquet", tmp_path / "again.txt"
    run = ["arena", "mcts:sims=40,solver=no", "random", "--set", "side=3", "--games", "2", "--jobs", "1"]
    assert main([*run, "--visits", "--out", str(games)]) == 0
    assert main(["export", str(games), "-o", str(table)]) == 0
    names = [json.loads(line)["seating"] for line in games.read_text(encoding="utf-8").splitlines()[1:]]
    searched = 0
    for row in pq.read_table(table).to_pylist():
        by_search = row["ply"] > 0 and names[row["record"]][row["player"]].startswith("mcts")
        assert (row["visits"] is not None) == by_search
        if by_search:
            searched += 1
            assert len(row["visits"]) == len(row["legal"])
            assert sum(row["visits"]) > 0
            assert row["visits"][row["legal"].index(row["action"])] > 0
    assert searched > 2
    assert main(["export", str(table), "-o", str(again)]) == 0
    kept = [json.loads(line)["record"] for line in games.read_text(encoding="utf-8").splitlines()[1:]]
    assert again.read_text(encoding="utf-8") == "\n".join(kept)


def test_games_without_a_search_have_no_visits(tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    run = ["arena", "greedy", "random", "--set", "side=3", "--games", "2", "--jobs", "1", "--visits"]
    assert main([*run, "--out", str(games)]) == 0
    for line in games.read_text(encoding="utf-8").splitlines()[1:]:
        (kept,) = read_all(json.loads(line)["record"])
        assert "Visits" not in kept.extra
        assert kept.visits() == [{}] * len(kept.moves)


@pytest.mark.parametrize(("visits", "message"), [("1:2; x", "pairs such as"), ("1:2", "1 parts for 2 moves")])
def test_visits_that_cannot_be_read_are_refused(visits: str, message: str) -> None:
    start = snakeden.new_game("snekagon", side=3)
    with pytest.raises(snakeden.BadRecord, match=message):
        record(start, ["c3", "a1-a2"], extra={"Visits": visits}).visits()


def test_a_record_that_does_not_replay_leaves_the_file_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong, table = tmp_path / "wrong.txt", tmp_path / "games.parquet"
    wrong.write_text('[Game "snekagon"]\n[Rules "1"]\n\n1. a1 a1\n')
    table.write_text("before")
    assert main(["export", str(wrong), "-o", str(table)]) == 2
    assert "move 2" in capsys.readouterr().err
    assert table.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".new")] == []
