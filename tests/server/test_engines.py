"""Engines in processes: bounded, replaced when they die, and never in the way of the server."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from looping import in_own_thread

from snakeden.core.state import State
from snakeden.programs.folder import FOLDER_VARIABLE, cache_folder
from snakeden.server.actions import check_agent
from snakeden.server.engines import Engines, is_short
from snakeden.server.errors import NotPossible, TooBusy, TooOften
from snakeden.server.openings import opening
from snakeden.server.worker import Kept, sized


@pytest.fixture(scope="module")
def position() -> State:
    return opening("snekagon", {"side": 3})


def run(work: Coroutine[Any, Any, None]) -> None:
    in_own_thread(asyncio.run, work)


def test_a_worker_killed_while_thinking_is_replaced_and_asked_again(position: State) -> None:
    async def play() -> None:
        engines = Engines(workers=1, seconds=1.0, megabytes=4096, queue=4)
        try:
            first = await engines.choose(position, "mcts:time=50ms")
            assert first["move"] in {move.text for move in position.legal_moves()}
            [pid] = engines.pids()
            thinking = asyncio.create_task(engines.choose(opening("snekagon", {}), "mcts:time=1s"))
            while engines.idle:
                await asyncio.sleep(0.01)
            os.kill(pid, signal.SIGKILL)
            answer = await thinking
            assert answer["move"] in {move.text for move in opening("snekagon", {}).legal_moves()}
            assert engines.replaced == 1
            assert engines.pids() != [pid]
        finally:
            await engines.stop()
        assert engines.pids() == []

    run(play())


def test_time_is_bounded_whatever_the_agent_wants(position: State) -> None:
    async def play() -> None:
        engines = Engines(workers=1, seconds=0.3, megabytes=4096, queue=4)
        try:
            answer = await engines.choose(opening("snekagon", {"side": 5}), "mcts:time=50m")
            assert answer["lines"]
        finally:
            await engines.stop()

    run(play())


def test_memory_is_bounded(position: State) -> None:
    async def play() -> None:
        engines = Engines(workers=1, seconds=1.0, megabytes=1, queue=4)
        try:
            with pytest.raises(TooBusy):
                await engines.choose(position, "mcts:time=1s")
        finally:
            await engines.stop()

    run(play())


def test_the_queue_is_bounded(position: State) -> None:
    async def play() -> None:
        engines = Engines(workers=1, seconds=1.0, megabytes=4096, queue=2)
        try:
            asked = [asyncio.create_task(engines.choose(position, "random")) for _ in range(5)]
            answers = await asyncio.gather(*asked, return_exceptions=True)
            refused = [answer for answer in answers if isinstance(answer, TooOften)]
            assert len(refused) == 2, "one is thinking, two wait"
            assert sum(isinstance(answer, dict) for answer in answers) == 3
        finally:
            await engines.stop()

    run(play())


def test_programs_are_compiled_while_engines_play(
    position: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    cache_folder.cache_clear()

    async def play() -> None:
        engines = Engines(workers=1, seconds=1.0, megabytes=4096, queue=4)
        try:
            preparing = asyncio.create_task(engines.prepare(["snakey-dice"]))
            assert (await engines.choose(position, "random"))["move"]
            await preparing
            assert list(tmp_path.glob("snakey_dice-*-play-*.o")), "what was compiled is kept"
        finally:
            await engines.stop()

    try:
        run(play())
    finally:
        cache_folder.cache_clear()


def test_rules_that_could_not_be_loaded_are_loaded_another_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(game: str) -> None:
        raise OSError("no room")

    async def warm() -> None:
        engines = Engines(workers=1, seconds=1.0, megabytes=4096, queue=4)
        try:
            with monkeypatch.context() as trouble:
                trouble.setattr("snakeden.server.engines.play_through", fail)
                with pytest.raises(OSError, match="no room"):
                    await engines.warm("snekagon")
            await engines.warm("snekagon")
        finally:
            await engines.stop()

    run(warm())


def test_a_process_that_cannot_be_started_is_a_refusal(
    position: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        engines = Engines(workers=1, seconds=1.0, megabytes=4096, queue=4)
        try:
            with monkeypatch.context() as trouble:
                trouble.setattr(sys, "executable", "/nowhere/python")
                with pytest.raises(TooBusy):
                    await engines.choose(position, "random")
            assert (await engines.choose(position, "random"))["move"]
        finally:
            await engines.stop()

    run(play())


@pytest.mark.parametrize(
    "name", ["", "deep-blue", "level:99", "mcts:time=1s,threads=2", "mcts:memory=1,sims=1"]
)
def test_agents_a_guest_cannot_have(name: str) -> None:
    with pytest.raises(NotPossible):
        check_agent(name)


def test_an_engine_goes_on_with_what_it_knows_of_a_game(position: State) -> None:
    async def play() -> None:
        engines = Engines(workers=1, seconds=1.0, megabytes=4096, queue=4)
        try:
            first = await engines.choose(position, "mcts:sims=200", keep="game/0")
            assert not first["known"]
            after = position.play(first["move"])
            again = await engines.choose(after, "mcts:sims=200", keep="game/0")
            assert again["known"], "it keeps its tree from move to move"
            assert not (await engines.choose(after, "mcts:sims=200", keep="other/0"))["known"]
            assert not (await engines.choose(after, "mcts:sims=201", keep="game/0"))["known"], (
                "another engine"
            )
            assert not (await engines.choose(after, "mcts:sims=200"))["known"]
        finally:
            await engines.stop()

    run(play())


def test_trees_are_kept_within_a_bound() -> None:
    kept = Kept(megabytes=3 * 64 * 2)
    names = ["one", "two", "three"]
    assert [kept.agent(name, "mcts:sims=1")[1] for name in names] == [False] * 3
    assert [kept.agent(name, "mcts:sims=1")[1] for name in reversed(names)] == [True, True, False]
    assert sized("mcts:sims=12") == "mcts:sims=12,memory=64"
    assert sized("net") == "net:memory=64"
    assert sized("greedy") == "greedy"


def test_short_questions_do_not_wait_for_long_ones(position: State) -> None:
    async def play() -> None:
        engines = Engines(workers=1, seconds=60.0, megabytes=4096, queue=100, per_client=50)
        try:
            await engines.choose(position, "random", client="bystander")
            hours = [
                asyncio.create_task(
                    engines.choose(opening("snekagon", {}), "mcts:time=60m,solver=no", client="crowd")
                )
                for _ in range(40)
            ]
            while engines.idle:
                await asyncio.sleep(0.01)
            for agent in ("random", "greedy"):
                assert (await engines.choose(position, agent, client="bystander"))["move"]
            assert not any(task.done() for task in hours)
            for task in hours:
                task.cancel()
            await asyncio.gather(*hours, return_exceptions=True)
        finally:
            await engines.stop()

    run(play())


@pytest.mark.parametrize(
    ("agent", "short"),
    [
        ("random", True),
        ("greedy:slip=0.25", True),
        ("level:1", True),
        ("level:3", True),
        ("level:4", False),
        ("mcts:sims=100", True),
        ("mcts:sims=101", False),
        ("mcts:sims=20,solver=no", True),
        ("mcts:time=60m", False),
        ("mcts:sims=20,time=60m", False),
    ],
)
def test_which_questions_are_short(agent: str, short: bool) -> None:
    assert is_short(agent) == short
