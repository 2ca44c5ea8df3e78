"""Sharing: nobody waits for more than their own."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from looping import in_own_thread

from snakeden.server.errors import TooBusy, TooOften
from snakeden.server.fair import FairPool
from snakeden.server.thinking import Turns


def run(work: Coroutine[Any, Any, None]) -> None:
    in_own_thread(asyncio.run, work)


class Clock:
    """Time that passes only when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


class Queue:
    """A pool of which every turn is one second, ended by hand."""

    def __init__(self, things: int, most_held: int, most_waiting: int = 1000) -> None:
        self.clock = Clock()
        self.pool = FairPool(
            range(things),
            most_held=most_held,
            most_waiting=most_waiting,
            most_waiting_of_all=10_000,
            clock=self.clock,
        )
        self.served: list[str] = []
        self._ends: list[asyncio.Event] = []
        self.tasks: list[asyncio.Task[None]] = []

    def ask(self, client: str, seconds: float = 1.0) -> asyncio.Task[None]:
        async def turn() -> None:
            async with self.pool.turn(client):
                self.served.append(client)
                end = asyncio.Event()
                self._ends.append(end)
                await end.wait()
                self.clock.now += seconds

        task = asyncio.create_task(turn())
        self.tasks.append(task)
        return task

    async def end_one(self) -> None:
        self._ends.pop(0).set()
        await settle()

    async def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


def test_who_comes_late_goes_before_the_rest_of_a_crowd_of_one() -> None:
    async def play() -> None:
        queue = Queue(things=1, most_held=1)
        for _ in range(100):
            queue.ask("crowd")
        await settle()
        queue.ask("ann")
        await settle()
        await queue.end_one()
        assert queue.served == ["crowd", "ann"]
        for _ in range(6):
            queue.ask("ann")
        for _ in range(6):
            await queue.end_one()
        assert queue.served.count("ann") == queue.served.count("crowd"), "then they take turns"
        await queue.close()

    run(play())


def test_time_counts_not_the_number_of_turns() -> None:
    async def play() -> None:
        queue = Queue(things=1, most_held=1)
        for _ in range(20):
            queue.ask("long", seconds=10.0)
            queue.ask("short", seconds=1.0)
        await settle()
        for _ in range(12):
            await queue.end_one()
        assert queue.served.count("short") > 3 * queue.served.count("long")
        await queue.close()

    run(play())


def test_one_client_never_has_all() -> None:
    async def play() -> None:
        queue = Queue(things=2, most_held=1)
        for _ in range(10):
            queue.ask("crowd")
        await settle()
        assert queue.served == ["crowd"]
        assert queue.pool.idle == 1
        queue.ask("ann")
        await settle()
        assert queue.served == ["crowd", "ann"], "at once"
        await queue.close()
        assert queue.pool.idle == 2, "whoever is cancelled gives back"
        assert queue.pool.waiting == 0

    run(play())


def test_waiting_is_bounded_for_each_client_and_in_all() -> None:
    async def play() -> None:
        queue = Queue(things=1, most_held=1, most_waiting=3)
        asked = [queue.ask("crowd") for _ in range(6)]
        await settle()
        assert [isinstance(task.exception(), TooOften) for task in asked[4:]] == [True, True]
        assert not queue.ask("ann").done()
        await queue.close()
        full: FairPool[int] = FairPool([0], most_held=1, most_waiting=5, most_waiting_of_all=0)
        with pytest.raises(TooBusy):
            async with full.turn("ann"):
                pass

    run(play())


def test_the_thing_preferred_is_given_if_it_is_idle() -> None:
    async def play() -> None:
        pool = FairPool([1, 2, 3], most_held=3, most_waiting=9, most_waiting_of_all=9)
        async with pool.turn("ann", prefer=lambda thing: thing == 2) as first:
            assert first == 2
            async with pool.turn("ann", prefer=lambda thing: thing == 2) as second:
                assert second != 2

    run(play())


def test_games_beyond_the_bound_come_after_others_of_the_same_client() -> None:
    turns = Turns(2)
    assert turns.enter("ann", "one")
    assert turns.enter("ann", "two")
    assert not turns.enter("ann", "three")
    assert not turns.enter("ann", "three"), "asking again makes no second place"
    assert not turns.enter("ann", "four")
    assert turns.enter("bob", "five")
    assert turns.leave("ann") == ["three"]
    assert turns.enter("ann", "three")
    assert turns.leave("ann") == ["four"]
    assert turns.leave("bob") == []
