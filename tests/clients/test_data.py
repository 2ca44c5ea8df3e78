"""An export opened by the libraries that people read data with: pandas, Polars and Hugging Face datasets."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import snakeden
from snakeden.adapters.observations import observe
from snakeden.cli import main
from snakeden.records import read_all, record

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three games of dice for two and one with visits, with observations."""
    folder = tmp_path_factory.mktemp("data")
    texts = []
    for seed in range(3):
        start = state = snakeden.new_game("snakey-dice", players=2)
        generator, moves = random.Random(seed), []
        while not state.is_over:
            chance = state.player == snakeden.CHANCE
            moves.append(state.roll(generator) if chance else generator.choice(state.legal_moves()))
            state = state.play(moves[-1])
        texts.append(record(start, moves, seed=seed).write())
    (folder / "dice.txt").write_text("\n".join(texts), encoding="utf-8")
    run = ["arena", "mcts:sims=30,solver=no", "random", "--set", "side=3", "--games", "2", "--jobs", "1"]
    assert main([*run, "--visits", "--out", str(folder / "searched.jsonl")]) == 0
    sources = [str(folder / "dice.txt"), str(folder / "searched.jsonl")]
    assert main(["export", *sources, "-o", str(folder / "games.parquet"), "--observations"]) == 0
    return folder / "games.parquet"


def check(row: dict[str, Any]) -> None:
    """A row as Python or NumPy values: it is a position, and the action is one of its moves."""
    state = snakeden.restore(row["state"])
    assert list(row["legal"]) == state.codes().tolist()
    assert state.move(int(row["action"])).text == row["move"]
    if state.player != snakeden.CHANCE:
        shape = tuple(int(length) for length in row["observation_shape"])
        planes = np.asarray(row["observation"], np.float32).reshape(shape)
        assert (planes == observe(state)).all()
    assert len(row["rewards"]) == state.seats


def test_pandas(exported: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_parquet(exported)
    for place in range(0, len(frame), 41):
        check(frame.iloc[place].to_dict())
    games = frame.groupby("record")
    assert (games["ply"].max() + 1 == games.size()).all()
    searched = frame[frame["visits"].notna()]
    assert len(searched) > 2
    assert (searched["visits"].map(len) == searched["legal"].map(len)).all()


def test_polars(exported: Path) -> None:
    polars = pytest.importorskip("polars")
    frame = polars.scan_parquet(exported)
    won = frame.filter(polars.col("ply") == 0).select(polars.col("winners").list.len()).collect()
    assert won.height == 5
    for row in frame.filter(polars.col("ply") % 37 == 1).collect().iter_rows(named=True):
        check(row)


def test_hugging_face_datasets(exported: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    found = datasets.load_dataset(
        "parquet", data_files=str(exported), split="train", cache_dir=str(tmp_path / "cache")
    )
    assert set(found["game"]) == {"snakey-dice", "snekagon"}
    for place in range(0, len(found), 53):
        check(found[place])


def test_what_pandas_writes_goes_back_into_records(exported: Path, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_parquet(exported)
    chosen = frame[frame["game"] == "snekagon"].drop(columns=["observation", "observation_shape"])
    chosen.to_parquet(tmp_path / "chosen.parquet")
    assert main(["export", str(tmp_path / "chosen.parquet"), "-o", str(tmp_path / "again.txt")]) == 0
    lines = (exported.parent / "searched.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    kept = [record for line in lines for record in read_all(json.loads(line)["record"])]
    assert read_all((tmp_path / "again.txt").read_text(encoding="utf-8")) == kept
    assert all(any(visits) for visits in (record.visits() for record in kept))
