"""Attack a server on this machine in the ways that could stop it, and see what bystanders notice.

Each attack has a server of its own with its ordinary limits. Quiet phases and attacked ones alternate, so that whatever
else the machine does falls on both alike. The attacker is another process (`attacker.py`), which comes from another
address and gives way to the server; two bystanders, each with an address of its own, go on playing all the time.

Printed are the bystanders' p50 and p99 in both kinds of phases, how late the server's own loop was (p99, from
`/metrics`), how long its main thread waited for a processor, how much its memory grew at most, and what came of the
attack. What makes the loop late without the thread waiting for a processor is the server's doing; the rest is the
machine's.

Each attack is printed as soon as it is measured, with --json as a line of JSON, so that an interrupted run loses
nothing. The exit status is 1 if one failed or made the bystanders' p99 more than 100 ms worse.
Run: python bench/attack.py [NAME …] --seconds 6
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from rich.console import Console
from rich.progress import Progress

from attacking import ALONE, Found, client_from, make
from postgres import Postgres, postgres
from server_process import Fleet, ServerProcess, bearing, new_key
from snakeden.site.contents import ABOUT, sources

BYSTANDERS = ("127.0.0.1", "127.0.0.3")
PAUSE_S = 0.05
"""Between two requests of a bystander."""
ROUND_S = 2.0
"""How long a phase takes, about."""
MOST_MORE_MS = 100.0
"""How much worse an attack may make the bystanders' p99."""
Once = Callable[[], Awaitable[None]]
Bystander = Callable[[httpx2.AsyncClient, str, str], Awaitable[Once]]


# -- bystanders


async def playing(client: httpx2.AsyncClient, key: str, game: str) -> Once:
    """Move, look at the picture, take the move back, look again: one request after the other."""
    game = game or await make(client, key, ALONE)
    path = f"/api/games/{game}"
    entries = 0

    async def once() -> None:
        nonlocal entries
        step = getattr(once, "step", 0)
        once.step = (step + 1) % 4  # type: ignore[attr-defined]
        if step % 2:
            (await client.get(path, headers=bearing(key))).raise_for_status()
            return
        verb, body = ("undo", {}) if step else ("play", {"move": "d4"})
        acted = await client.post(f"{path}/{verb}", json={**body, "seen": entries}, headers=bearing(key))
        entries = acted.raise_for_status().json()["seen"]

    return once


async def against_engine(client: httpx2.AsyncClient, key: str, game: str) -> Once:
    """Begin a game against a beginner's engine, and wait for its first move."""

    async def once() -> None:
        begun = await make(client, key, [{"kind": "me"}, {"kind": "engine", "agent": "level:1"}])
        act = {"move": "d4", "seen": 0}
        await client.post(f"/api/games/{begun}/play", json=act, headers=bearing(key))
        while (await client.get(f"/api/games/{begun}/entries")).json()["seen"] < 2:
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.5)

    return once


async def connecting(client: httpx2.AsyncClient, key: str, game: str) -> Once:
    """Open a connection of one's own and ask for the games there are."""

    async def once() -> None:
        async with httpx2.AsyncClient(base_url=client.base_url, timeout=60) as fresh:
            (await fresh.get("/api/catalogue")).raise_for_status()

    return once


async def forwarded(client: httpx2.AsyncClient, key: str, game: str) -> Once:
    """Play through the proxy from an honest address."""
    client.headers["x-forwarded-for"] = f"198.51.100.{len(key) % 250}"
    return await playing(client, key, game)


# -- how each attack is carried out


@dataclass(frozen=True)
class Plan:
    bystander: Bystander = playing
    options: tuple[str, ...] = ()
    """Of `snakeden serve`."""
    processes: int = 0
    """Servers on one PostgreSQL; none: one with a SQLite file."""
    known: bool = False
    """Whether the attacker knows the game in which the first bystander plays."""
    freezes: bool = False
    """Whether PostgreSQL hangs in the attacked phases."""
    megabytes: int = 0
    """How long a file of the server may get, as if the disk were full then."""
    page_thinks: bool = False
    """Whether the pages of players may think for the engines."""
    attacker: str = ""
    """The attack, if it has another name."""


PLANS: dict[str, Plan] = {
    "stale-moves": Plan(),
    "endless-engines": Plan(against_engine),
    "page-engines": Plan(known=True, page_thinks=True),
    "endless-headers": Plan(connecting),
    "half-open-requests": Plan(connecting),
    "pipelined-requests": Plan(),
    "tiny-pieces": Plan(),
    "not-http": Plan(connecting),
    "connection-flood": Plan(connecting),
    "long-heads": Plan(),
    "unread-answers": Plan(),
    "request-flood": Plan(),
    "many-keys": Plan(),
    "endless-strings": Plan(),
    "large-boards": Plan(),
    "borrowed-turns": Plan(known=True),
    "studying": Plan(),
    "puzzles-and-films": Plan(),
    "qr-codes": Plan(),
    "byte-ranges": Plan(),
    "forwarded-addresses": Plan(forwarded, ("--behind-proxy", "--proxy=127.0.0.0/8")),
    "strangers": Plan(processes=2, known=True),
    "long-inputs": Plan(processes=1),
    "filling-the-disk": Plan(connecting, megabytes=2),
    "hanging-database": Plan(connecting, processes=1, freezes=True, attacker="nothing"),
    "lobby-flood": Plan(),
    "lobby-sweep": Plan(),
    "ids-in-logs": Plan(options=("--log=info",)),
    "deaf-sockets": Plan(),
    "ping-flood": Plan(),
    "message-flood": Plan(),
    "message-burst": Plan(),
}
TOGETHER = "starting-together"
"""Not a matter of time: several servers start at once on an empty PostgreSQL."""


# -- measuring


@dataclass
class Phase:
    """What was seen in all phases of one kind."""

    taken: list[float] = field(default_factory=list)
    lags: dict[float, float] = field(default_factory=dict)
    waited_s: float = 0.0
    seconds: float = 0.0

    def quantile(self, share: float) -> float:
        ordered = sorted(self.taken)
        return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)

    def lag_ms(self, share: float) -> float:
        """The least bound of a bucket that so many of the looks at the loop were below."""
        whole = max(self.lags.values(), default=0.0)
        return 1000 * min((le for le, count in self.lags.items() if count >= share * whole), default=0.0)


async def lags_of(client: httpx2.AsyncClient) -> dict[float, float]:
    """How often the loop was at most so late."""
    text = (await client.get("/metrics")).text
    found = re.findall(r'snakeden_loop_lag_seconds_bucket\{le="([^"]+)"\} (\S+)', text)
    return {float(le): float(count) for le, count in found}


def waited(pid: int) -> float:
    """Seconds that a process's main thread was ready and had no processor; Linux only."""
    return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[1]) / 1e9


@dataclass
class Measuring:
    servers: list[ServerProcess]
    plan: Plan
    attacker: subprocess.Popen[str]
    cluster: Postgres | None
    phases: dict[str, Phase] = field(default_factory=lambda: {"quiet": Phase(), "attacked": Phase()})
    memory: float = 0.0
    found: Found = field(default_factory=dict)

    async def phase(self, kind: str, seconds: float, bystanders: list[Once], client: Any) -> None:
        """One phase; the next begins when the attacker has ended."""
        seen, server = self.phases[kind], self.servers[0]
        before, begun, had = await lags_of(client), time.perf_counter(), waited(server.pid)
        attacking = asyncio.to_thread(self.attack, seconds) if kind == "attacked" else asyncio.sleep(seconds)
        if kind == "attacked" and self.plan.freezes and self.cluster is not None:
            self.cluster.freeze()
        working = asyncio.ensure_future(attacking)
        await asyncio.gather(*(self.measure(once, seen, working) for once in bystanders))
        if kind == "attacked" and self.plan.freezes and self.cluster is not None:
            self.found["/healthz"] = (await client.get("/healthz")).status_code
            self.cluster.thaw()
        seen.waited_s += waited(server.pid) - had
        seen.seconds += time.perf_counter() - begun
        await asyncio.sleep(1.1)  # figures are written once a second
        for le, count in (await lags_of(client)).items():
            seen.lags[le] = seen.lags.get(le, 0.0) + count - before.get(le, 0.0)

    def attack(self, seconds: float) -> None:
        assert self.attacker.stdin is not None
        assert self.attacker.stdout is not None
        self.attacker.stdin.write(f"{seconds}\n")
        self.attacker.stdin.flush()
        line = self.attacker.stdout.readline()
        if not line:
            raise RuntimeError("the attacker has ended")
        self.found.update(json.loads(line))

    async def measure(self, once: Once, seen: Phase, working: asyncio.Future[Any]) -> None:
        while not working.done():
            begun = time.perf_counter()
            await once()
            seen.taken.append(time.perf_counter() - begun)
            self.memory = max(self.memory, sum(server.resident_megabytes() for server in self.servers))
            await asyncio.sleep(max(0.0, PAUSE_S - seen.taken[-1]))
        await working


async def run(name: str, seconds: float, servers: list[ServerProcess], cluster: Postgres | None) -> Found:
    plan = PLANS[name]
    address = servers[0].address.replace("localhost", "127.0.0.1")
    async with client_from(address, BYSTANDERS[0]) as one, client_from(address, BYSTANDERS[1]) as other:
        clients, keys = (one, other), (new_key(), new_key())
        target = await make(one, keys[0], ALONE) if plan.known else ""
        bystanders = [
            await plan.bystander(client, key, target if client is one else "")
            for client, key in zip(clients, keys, strict=True)
        ]
        (await one.get("/api/docs")).raise_for_status()  # the server writes it when it has just started
        for once in bystanders:  # whatever has to be loaded is
            for _ in range(4):
                await once()
        command = [
            sys.executable,
            str(Path(__file__).with_name("attacker.py")),
            plan.attacker or name,
            address,
        ]
        with subprocess.Popen(
            [*command, target], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as attacker:
            measuring = Measuring(servers, plan, attacker, cluster)
            measuring.attack(0.0)  # makes what it needs
            measuring.found.clear()
            before = sum(server.resident_megabytes() for server in servers)
            try:
                rounds = max(1, round(seconds / ROUND_S))
                for _ in range(rounds):
                    await measuring.phase("quiet", seconds / rounds, bystanders, one)
                    await measuring.phase("attacked", seconds / rounds, bystanders, one)
            finally:
                if attacker.stdin is not None:
                    attacker.stdin.close()
                with suppress(subprocess.TimeoutExpired):
                    attacker.wait(10)
                attacker.kill()
    return report(name, measuring, before)


def report(name: str, measuring: Measuring, before: float) -> Found:
    figures: Found = {"attack": name}
    for kind, phase in measuring.phases.items():
        figures |= {f"p{n}_ms_{kind}": phase.quantile(n / 100) for n in (50, 99)}
        figures[f"loop_lag_p99_ms_{kind}"] = phase.lag_ms(0.99)
        figures[f"no_processor_ms_per_s_{kind}"] = round(1000 * phase.waited_s / phase.seconds)
        figures[f"samples_{kind}"] = len(phase.taken)
    figures["p99_more_ms"] = round(figures["p99_ms_attacked"] - figures["p99_ms_quiet"], 1)
    figures["memory_mb_more"] = round(measuring.memory - before)
    return {**figures, "found": measuring.found}


# -- servers


@contextmanager
def server_for(name: str, folder: Path) -> Iterator[tuple[list[ServerProcess], Postgres | None]]:
    plan = PLANS[name]
    with ExitStack() as left:
        if plan.processes:
            cluster = left.enter_context(postgres())
            fleet = Fleet(plan.processes, limited=True)
            left.callback(fleet.stop)
            fleet.start(cluster.url)
            yield fleet.servers, cluster
            return
        log = left.enter_context((folder / "log").open("w"))

        def limit() -> None:
            if plan.megabytes:
                most = plan.megabytes << 20
                resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

        options = list(plan.options)
        if plan.page_thinks:
            (folder / ABOUT).write_text(json.dumps({"sources": sources()}))
            options.append(f"--engine-files={folder}")
        database = f"sqlite:///{folder / 'games.sqlite'}"
        server = ServerProcess(database, limited=True, options=options, stderr=log, preexec_fn=limit)
        left.callback(server.stop)
        yield [server], None


def attacked(name: str, seconds: float) -> Found:
    with tempfile.TemporaryDirectory() as folder, server_for(name, Path(folder)) as (servers, cluster):
        result = asyncio.run(run(name, seconds, servers, cluster))
        game = result["found"].pop("id", None)
        if game is not None:
            result["found"]["ids in the log"] = (Path(folder) / "log").read_text().count(game)
    return result


def started_together(count: int = 3) -> Found:
    """Start servers at once on an empty PostgreSQL: all of them have to run then."""
    with postgres() as cluster, ExitStack() as left:
        begun = time.perf_counter()
        fleet = Fleet(count, limited=True)
        left.callback(fleet.stop)
        running = fleet.start_at_once(cluster.url)
        took = round(time.perf_counter() - begun, 1)
    return {"attack": TOGETHER, "found": {"servers": count, "running": running, "seconds": took}}


def measured(name: str, seconds: float) -> Found:
    """One attack. One that cannot be carried out is reported, and does not end the run."""
    try:
        return started_together() if name == TOGETHER else attacked(name, seconds)
    except Exception as error:
        return {"attack": name, "failed": f"{type(error).__name__}: {error}"}


COLUMNS = (
    f"{'attack':<20} {'p50, ms':>15} {'p99, ms':>17} {'more':>7} {'loop p99, ms':>12} {'memory':>8}  found"
)


def row(one: Found) -> str:
    """An attack in a line: what was measured quiet → attacked."""
    name = f"{one['attack']:<20}"
    if "failed" in one:
        return f"{name} failed: {one['failed']}"
    found = ", ".join(f"{what}: {count}" for what, count in one["found"].items())
    if "p99_more_ms" not in one:
        return f"{name} {'':<63}  {found}"
    p50, p99, lag = (
        f"{one[f'{what}_quiet']:g} → {one[f'{what}_attacked']:g}"
        for what in ("p50_ms", "p99_ms", "loop_lag_p99_ms")
    )
    more, memory = f"{one['p99_more_ms']:+g}", f"{one['memory_mb_more']:+} MB"
    return f"{name} {p50:>15} {p99:>17} {more:>7} {lag:>12} {memory:>8}  {found}"


def within_bound(one: Found) -> bool:
    return "failed" not in one and one.get("p99_more_ms", 0.0) <= MOST_MORE_MS


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [*PLANS, TOGETHER]
    parser.add_argument("attacks", nargs="*", metavar="NAME", help=f"of {', '.join(names)}; default: all")
    parser.add_argument("--seconds", type=float, default=6.0, help="how long each is attacked, in all")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each attack")
    args = parser.parse_args()
    unknown = [name for name in args.attacks if name not in names]
    if unknown:
        parser.error(f"there is no attack {unknown[0]}; attacks are {', '.join(names)}")
    beyond = []
    if not args.json:
        print(COLUMNS, flush=True)
    # Where rows go to a terminal they are printed above the bar; where they go to a file, the bar leaves them alone.
    bar = Progress(console=Console(stderr=True), disable=args.json, redirect_stdout=sys.stdout.isatty())
    with bar:
        for name in bar.track(args.attacks or names, description="attacking"):
            one = measured(name, args.seconds)
            print(json.dumps(one) if args.json else row(one), flush=True)
            if not within_bound(one):
                beyond.append(name)
    if not args.json:
        print(f"failed, or more than {MOST_MORE_MS:g} ms worse: {', '.join(beyond) or 'none'}")
    return 1 if beyond else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("interrupted; what is printed above was measured")
