"""Any order of making, joining, playing, undoing, resigning, losing connections and starting anew: what is stored, what
was acknowledged and what everybody saw is the same."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from serving import Player, done, make_client, seats
from starlette.testclient import TestClient, WebSocketTestSession

from snakeden.server.live import replayed
from snakeden.server.store import load_now, open_engine


class Watching:
    """One connection after the other of somebody who keeps what they were sent."""

    def __init__(self, player: Player, game: str) -> None:
        self._player, self._game = player, game
        self.entries: list[dict[str, Any]] = []
        self._connection: WebSocketTestSession | None = None

    def connect(self) -> None:
        self._connection = self._player.watch(self._game, f"?seen={len(self.entries)}")
        self._connection.__enter__()
        self._read_one()

    def lose(self) -> None:
        if self._connection is not None:
            self._connection.__exit__(None, None, None)
            self._connection = None

    def _read_one(self) -> None:
        assert self._connection is not None
        message = self._connection.receive_json()
        assert message["type"] == "entries"
        assert [entry["number"] for entry in message["entries"]] == list(
            range(len(self.entries), message["seen"])
        )
        self.entries += message["entries"]

    def catch_up(self, seen: int) -> None:
        """Read until as many entries are known; if they do not come, this waits for ever and the test hangs."""
        if self._connection is None:
            self.connect()
        while len(self.entries) < seen:
            self._read_one()


class AnyPlay(RuleBasedStateMachine):
    """Ann and Bob play on one server, which now and then is ended and started anew."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = Path(tempfile.mkdtemp(prefix="snakeden-any-"))
        self._stack = contextlib.ExitStack()
        self._server = self._start()
        self.acknowledged: list[tuple[int, str, str]] = []  # entry number, kind, data

    def _start(self) -> TestClient:
        return self._stack.enter_context(make_client(self._folder))

    @initialize(open_to_all=st.booleans())
    def make(self, open_to_all: bool) -> None:
        self.ann, self.bob, self.eve = (Player(self._server) for _ in range(3))
        kind = "open" if open_to_all else "link"
        wanted = {"game": "snekagon", "options": {"side": 3}, "seats": seats("me", kind)}
        made = done(self.ann.post("/api/games", **wanted))
        self.game = made["id"]
        self.code = None if open_to_all else made["invitations"][0]["code"]
        self.joined = False
        self.seen = self.seen_when_started = 0
        self.last: tuple[Player, dict[str, Any]] | None = None
        self.watching = [Watching(player, self.game) for player in (self.ann, self.bob, self.eve)]

    def _facts(self) -> dict[str, Any]:
        return done(self.eve.get(f"/api/games/{self.game}/entries?seen={self.seen}"))

    def _acknowledge(self, answer: dict[str, Any]) -> None:
        self.seen = max(self.seen, answer["seen"])

    @precondition(lambda self: not self.joined)
    @rule()
    def join(self) -> None:
        body = {} if self.code is None else {"code": self.code}
        self.bob.act(self.game, "join", name="Bob", **body)
        self.joined = True
        self.acknowledged.append((0, "join", "Bob"))
        self._acknowledge(self._facts())

    @precondition(lambda self: self.joined)
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        state = self.eve.state(self.game)
        if state["status"] != "running":
            return
        move = data.draw(st.sampled_from(state["targets"]["moves"]))[0]
        player = (self.ann, self.bob)[state["player"]]
        body = {"move": move, "seen": state["seen"]}
        self._acknowledge(player.act(self.game, "play", **body))
        self.acknowledged.append((state["seen"], "move", move))
        self.last = (player, body)

    @precondition(lambda self: self.last is not None)
    @rule()
    def send_again(self) -> None:
        assert self.last is not None
        player, body = self.last
        before = self._facts()
        answer = player.post(f"/api/games/{self.game}/play", **body)
        assert answer.status_code in (200, 409)
        assert self._facts() == before

    @precondition(lambda self: self.joined)
    @rule(who=st.sampled_from("ab"), stale=st.integers(0, 3))
    def play_wrongly(self, who: str, stale: int) -> None:
        """Out of turn, or with something that is no move here."""
        before = self._facts()
        player = self.ann if who == "a" else self.bob
        for move in ("c3", "e9", "nothing"):
            if before["player"] == "ab".index(who) and move == "c3":
                continue
            body = {"move": move, "seen": max(0, before["seen"] - stale)}
            if self.last == (player, body):
                continue
            answer = player.post(f"/api/games/{self.game}/play", **body)
            assert answer.status_code in (200, 409, 422)
        assert self._facts() == before

    @rule(who=st.sampled_from("ab"))
    def ask_undo(self, who: str) -> None:
        player = self.ann if who == "a" else self.bob
        before = self._facts()
        answer = player.post(f"/api/games/{self.game}/undo", seen=before["seen"])
        if answer.status_code == 200:
            self._acknowledge(answer.json())
            assert answer.json()["ply"] == before["ply"], "nothing is taken back before the other agrees"
            if before["undo"] is None:
                asked = answer.json()["undo"]
                self.acknowledged.append((before["seen"], "ask-undo", str(asked["remain"])))
        else:
            assert answer.status_code in (403, 409)

    @rule(who=st.sampled_from("ab"), allow=st.booleans())
    def answer_undo(self, who: str, allow: bool) -> None:
        player = self.ann if who == "a" else self.bob
        before = self._facts()
        answer = player.post(f"/api/games/{self.game}/undo/answer", allow=allow, seen=before["seen"])
        if answer.status_code == 200:
            assert "ab".index(who) in before["undo"]["missing"]
            self._acknowledge(answer.json())
            assert answer.json()["ply"] == (before["undo"]["remain"] if allow else before["ply"])
        else:
            assert answer.status_code in (403, 409)
            assert self._facts() == before

    @precondition(lambda self: self.joined and self.seen > 8)
    @rule(who=st.sampled_from("ab"))
    def resign(self, who: str) -> None:
        player = self.ann if who == "a" else self.bob
        answer = player.post(f"/api/games/{self.game}/resign")
        if answer.status_code == 200:
            self._acknowledge(answer.json())
            assert answer.json()["status"] == "over"

    @rule(number=st.integers(0, 2))
    def lose_connection(self, number: int) -> None:
        self.watching[number].lose()

    @precondition(lambda self: self.seen > self.seen_when_started)
    @rule()
    def start_anew(self) -> None:
        for watching in self.watching:
            watching.lose()
        self._stack.close()
        self._server = self._start()
        self.seen_when_started = self.seen
        for player in (self.ann, self.bob, self.eve):
            player.server = self._server

    @invariant()
    def stored_is_acknowledged_is_seen(self) -> None:
        if not hasattr(self, "game"):
            return
        engine = open_engine(f"sqlite:///{self._folder / 'games.sqlite'}")
        try:
            stored, entries = load_now(engine, self.game)
        finally:
            engine.dispose()
        kept = [entry._asdict() for entry in entries]
        assert len(kept) >= self.seen
        for number, kind, data in self.acknowledged:
            assert (kept[number]["kind"], kept[number]["data"]) == (kind, data)
        facts = done(self.eve.get(f"/api/games/{self.game}/entries"))
        assert (facts.pop("type"), facts.pop("entries")) == ("entries", kept)
        match = replayed(stored, entries)
        assert facts == match.facts()
        assert stored.status == match.status
        for watching in self.watching:
            watching.catch_up(len(kept))
            assert watching.entries == kept

    def teardown(self) -> None:
        for watching in getattr(self, "watching", []):
            watching.lose()
        self._stack.close()
        shutil.rmtree(self._folder, ignore_errors=True)


TestAnyPlay = AnyPlay.TestCase
TestAnyPlay.settings = settings(
    max_examples=12, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
