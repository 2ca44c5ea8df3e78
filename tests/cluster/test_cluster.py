"""Studies on a Ray cluster: the same tables as on one machine, whoever dies on the way. Run by `make test-cluster`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from ray.cluster_utils import Cluster

from snakeden.lab import read_study, run

STUDY = """
title = "On a cluster"
seed = 5

[[settings]]
game = "snekagon"
options = { side = [4, 5] }
agents = ["mcts:sims=300,solver=no"]
games = 150
"""
CLIENT_PORT = 10011


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study, and beside it the table of a run that nothing disturbed."""
    path = tmp_path_factory.mktemp("study") / "study.toml"
    path.write_text(STUDY)
    run(read_study(path), path.parent / "whole", jobs=1)
    return path


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """Two nodes of one core each, on this machine."""
    head = {"num_cpus": 1, "include_dashboard": False, "ray_client_server_port": CLIENT_PORT}
    made = Cluster(initialize_head=True, head_node_args=head)
    made.add_node(num_cpus=1)
    made.wait_for_nodes()
    yield made
    made.shutdown()


def started(study: Path, out: Path, cluster: Cluster) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "snakeden", "lab", "run", str(study), "-o", str(out), "--on", "ray"]
    return subprocess.Popen(command, env={**os.environ, "RAY_ADDRESS": cluster.address})


def called(*arguments: str) -> str:
    """What a command prints, which must succeed."""
    for path in (Path(word) for word in arguments if word.endswith(".jsonl")):
        path.parent.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "snakeden", *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=300).stdout


def wait_for_games(out: Path, count: int, process: subprocess.Popen[bytes]) -> None:
    log = out / "running.jsonl"
    while not log.exists() or log.read_bytes().count(b"\n") < count:
        assert process.poll() is None, "the study ended before it could be disturbed"
        time.sleep(0.05)


def players() -> list[int]:
    """The processes in which Ray plays games at this moment."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "cmdline").read_bytes().startswith(b"ray::play"):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def same_table(study: Path, out: Path) -> bool:
    whole = study.parent / "whole" / "results.parquet"
    return (out / "results.parquet").read_bytes() == whole.read_bytes()


def test_a_runtime_of_its_own_gives_the_same_table(study: Path, tmp_path: Path) -> None:
    assert run(read_study(study), tmp_path / "out", on="ray", jobs=2) == 0
    assert same_table(study, tmp_path / "out")


def test_killed_workers_cost_nothing_but_their_games(study: Path, cluster: Cluster, tmp_path: Path) -> None:
    process = started(study, tmp_path / "out", cluster)
    killed = 0
    for games in (20, 60):
        wait_for_games(tmp_path / "out", games, process)
        while not killed:
            assert process.poll() is None, "the study ended before a worker was found"
            for pid in players():
                os.kill(pid, signal.SIGKILL)
                killed += 1
    assert process.wait(300) == 0
    assert killed
    assert same_table(study, tmp_path / "out")


def test_a_machine_that_dies_costs_nothing_but_its_games(
    study: Path, cluster: Cluster, tmp_path: Path
) -> None:
    process = started(study, tmp_path / "out", cluster)
    wait_for_games(tmp_path / "out", 30, process)
    lost = next(node for node in cluster.list_all_nodes() if node is not cluster.head_node)
    cluster.remove_node(lost, allow_graceful=False)
    assert process.wait(300) == 0
    assert same_table(study, tmp_path / "out")


def test_a_cluster_is_reached_by_its_address(study: Path, cluster: Cluster, tmp_path: Path) -> None:
    """Studies, the arena, puzzles and the solver, each from a process that is no part of the cluster."""
    on = ["--on", f"ray://127.0.0.1:{CLIENT_PORT}"]
    small = ["--game", "snekagon", "--set", "side=3"]
    called("lab", "run", str(study), "-o", str(tmp_path / "out"), *on)
    assert same_table(study, tmp_path / "out")
    arena = ("arena", "random", "greedy", *small, "--games", "6", "--json")
    # The last line is the table.
    there, here = called(*arena, *on).splitlines()[:-1], called(*arena, "--jobs", "1").splitlines()[:-1]
    assert sorted(there) == sorted(here)
    puzzles = ("puzzles", "make", "--game", "snekagon", "--set", "side=4", "--count", "2")
    called(*puzzles, "-o", str(tmp_path / "there" / "p.jsonl"), *on)
    called(*puzzles, "-o", str(tmp_path / "here" / "p.jsonl"), "--jobs", "1")
    assert (tmp_path / "there" / "p.jsonl").read_bytes() == (tmp_path / "here" / "p.jsonl").read_bytes()
    solved = called("solve", *small, "--checkpoint", str(tmp_path / "proof"), "--memory", "1", *on)
    assert "seat 0's lead is -1" in solved
