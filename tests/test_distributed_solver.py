"""The solver on several cores: the same value as alone, whatever interrupts it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import snakeden
from snakeden.cli import main
from snakeden.search.distributed import Standing, opened
from snakeden.search.proof_tree import ProofTree

MEMORY = 1 << 20
FEW = 40
"""Positions a job may look at, so that a small board takes several."""


class Interrupted(Exception):
    pass


def test_a_proof_that_was_interrupted_goes_on_and_finds_the_value(tmp_path: Path) -> None:
    state = snakeden.new_game("snekagon", side=3, second_single=True)

    def interrupt(standing: Standing) -> None:
        if standing.jobs == 3:
            raise Interrupted

    with pytest.raises(Interrupted), opened(state, tmp_path, memory=MEMORY, positions=FEW) as proof:
        proof.solve(jobs=1, progress=interrupt)
    log = tmp_path / "answers.jsonl"
    # Killed in the middle of a line.
    log.write_bytes(log.read_bytes() + b'{"goal": 0, "mov')
    with opened(state, tmp_path, memory=MEMORY, positions=FEW) as proof:
        before = proof.standing()
        done = proof.solve(jobs=2)
    assert before.jobs == 3
    assert before.depths[0] == (1, 0)
    assert sum(asked for asked, _ in done.depths) == done.jobs
    assert (done.low, done.high) == (-1, -1)
    assert done.jobs > 3
    jobs = [json.loads(line) for line in log.read_text().splitlines()[1:]]
    assert sum(job["positions"] for job in jobs) == done.positions
    # Positions were divided, and no job was done twice.
    assert any(job["answer"] is None for job in jobs)
    assert len({(job["goal"], job["moves"]) for job in jobs}) == len(jobs)
    # All is known now: nothing is asked again.
    with opened(state, tmp_path, memory=MEMORY, positions=FEW) as proof:
        assert proof.solve(jobs=1).jobs == done.jobs


def test_a_checkpoint_is_of_one_position_and_for_one_process(tmp_path: Path) -> None:
    state = snakeden.new_game("snekagon", side=3)
    with opened(state, tmp_path, memory=MEMORY), pytest.raises(ValueError, match="in use"):
        opened(state, tmp_path, memory=MEMORY).__enter__()
    with pytest.raises(ValueError, match="another position"):
        opened(snakeden.new_game("snekagon", side=4), tmp_path, memory=MEMORY).__enter__()
    log = tmp_path / "answers.jsonl"
    log.write_text(log.read_text() + '{"goal": 0, "moves": "z9", "answer": true, "positions": 1}\n')
    with pytest.raises(ValueError, match="line 2: this is not a job"):
        opened(state, tmp_path, memory=MEMORY).__enter__()


def test_the_command_answers_one_question_about_every_first_move(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        "solve",
        "--game",
        "snekagon",
        "--set",
        "side=3",
        "--checkpoint",
        str(tmp_path),
        "--memory",
        "1",
    ]
    assert main([*arguments, "--goal", "0", "--jobs", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["solved"], found["high"]) == (True, -1)
    assert main([*arguments, "--jobs", "1"]) == 0
    assert "Solved: seat 0's lead is -1" in capsys.readouterr().out


def test_every_first_move_has_its_value(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--game", "snekagon", "--set", "side=3", "--moves", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    values = {move["move"]: (move["low"], move["high"], move["images"]) for move in found["moves"]}
    assert values == {"c3": (-1, -1, 1), "a1": (-2, -2, 6), "a2": (-2, -2, 6), "b2": (-2, -2, 6)}
    assert main(["solve", "--game", "snekagon", "--goal", "0"]) == 2
    assert "--checkpoint" in capsys.readouterr().err


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), workers=st.integers(1, 4))
def test_a_proof_tree_answers_as_minimax_does(seed: int, workers: int) -> None:
    """Positions are numbers, of which some are reached in several ways; the last are yes or no."""
    generator = random.Random(seed)
    levels = 5
    moves = {
        (level, place): generator.sample(range(6), generator.randint(1, 4))
        for level in range(levels)
        for place in range(6)
    }
    leaves = {place: generator.random() < 0.5 for place in range(6)}
    players = [generator.randint(0, 1) for _ in range(levels)]

    def minimax(level: int, place: int) -> bool:
        if level == levels:
            return leaves[place]
        below = [minimax(level + 1, move) for move in moves[level, place]]
        return any(below) if players[level] == 0 else all(below)

    tree = ProofTree(100.0)
    for _ in range(10_000):
        if tree.root.answer is not None:
            break
        running = [leaf for leaf in (tree.next_leaf() for _ in range(workers)) if leaf is not None]
        assert running
        for leaf in running:
            level, place = len(leaf.moves), leaf.moves[-1] if leaf.moves else 0
            if level == levels or generator.random() < 0.3:
                tree.answered(leaf, minimax(level, place))
            else:
                below = moves[level, place]
                chances = {move: generator.random() for move in below}
                keys = {move: f"{level + 1} {move}".encode() for move in below}
                tree.expand(leaf, 100, players[level], chances, keys)
    assert tree.root.answer == minimax(0, 0)
