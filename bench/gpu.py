"""Games on a GPU: plies a second, and the share of the card's memory bandwidth that observations and masks reach.

On a machine with an NVIDIA GPU, after `pip install 'snakeden[cuda]'`:

    python bench/gpu.py

Where pgx is installed, its games are measured in the same run.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from gpu_check import VARIANTS, timed, variant_of, versions
from snakeden.core.learning import LIST

PEERS = ("hex", "othello", "go_9x9", "tic_tac_toe")
STEPS = 200
"""Plies that every game of a batch is stepped by."""
FEWEST = 65_536
"""Games side by side, at least; the card is not full with fewer."""
ROOM = 1 << 34
"""Bytes for the lists of legal actions, or for observations, of all games of a batch, at most, unless the batch has the
fewest games."""
KERNELS = (
    "play_games",
    "step_unlisted",
    "queue_games",
    "flag_places",
    "list_places",
    "step_flags",
    "list_flags",
    "draw_actions",
    "pay_rewards",
    "pack_parts",
    "write_float_planes",
    "write_byte_planes",
)
"""Those that are measured, beside a step with lists or with masks."""


def kernels(variant: Any) -> list[str]:
    """Those that a variant's games are measured with."""
    from snakeden.programs.cuda import loops
    from snakeden.programs.gpu_kernels import lists_from_flags

    step = "step_masks" if lists_from_flags(variant) else "step_lists"
    return [name for name in (*KERNELS, step) if name in loops(variant.game)]


@dataclass(frozen=True)
class Row:
    """What was measured of one variant."""

    name: str
    playout_plies: float
    """A second, whole random games in one kernel."""
    stepped_plies: float
    """A second, one random ply a call, with lists of the legal actions."""
    observation_share: float
    """Of the bandwidth that copying reaches, in float32."""
    byte_share: float
    """The same in uint8."""
    mask_share: float | None
    """The same for masks; None where a game changes single flags instead of writing them all."""


def rate_playouts(variant: Any, games: int) -> float:
    """Plies a second of whole random games in one kernel."""
    from snakeden.programs.cuda import CudaProgram, synchronize

    program = CudaProgram(variant)
    _, plies, _ = written = program.room(games)
    seconds = timed(lambda: program.launch(1, 0, *written), synchronize)
    return float(plies.sum()) / seconds


def rate_steps(games: Any, steps: int) -> float:
    """Plies a second of games that are stepped by random actions."""
    from snakeden.programs.cuda import synchronize

    def play() -> None:
        for _ in range(steps):
            games.step_unchecked(games.sample())

    play()
    synchronize()
    start = time.perf_counter()
    play()
    synchronize()
    return float(games.n * steps / (time.perf_counter() - start))


def bandwidth_share(work: Callable[[], Any], written: int, copied: float) -> float:
    """Bytes written a second, as a share of those that copying moves."""
    from snakeden.programs.cuda import synchronize

    return written / timed(work, synchronize) / copied


def copy_rate() -> float:
    """Bytes read and written a second by copying memory on the card."""
    from snakeden.programs.cuda import array_namespace, synchronize

    source = array_namespace().ones(1 << 30, np.uint8)
    target = source.copy()

    def copy() -> None:
        target[:] = source

    return float(2 * source.nbytes / timed(copy, synchronize))


def games_within(asked: int, each: int) -> int:
    """How many games are looked at, of which each takes this many bytes."""
    return min(asked, max(FEWEST, ROOM // each))


def measure(name: str, n: int, playouts: int, steps: int, copied: float) -> Row:
    import snakeden

    game, options = VARIANTS[name]
    n = games_within(n, 4 * int(variant_of(game, options).tables.most_moves))
    # Each batch is given back before the next one is made.
    lists: Any = snakeden.batch(game, n, 1, legal="list", device="cuda", **options)
    stepped = rate_steps(lists, steps)
    looked = lists.clone(np.arange(games_within(n, 4 * int(np.prod(lists.observation_shape)))))
    del lists
    observed, as_bytes = (rate_observations(looked, kind, copied) for kind in (np.float32, np.uint8))
    del looked
    masked = rate_masks(snakeden.batch(game, n, 1, legal="mask", device="cuda", **options), copied)
    played = rate_playouts(variant_of(game, options), playouts)
    return Row(name, played, stepped, observed, as_bytes, masked)


def rate_observations(games: Any, kind: Any, copied: float) -> float:
    """The share of the bandwidth that writing observations of this type reaches."""
    out = games.observe(dtype=kind)
    return bandwidth_share(lambda: games.observe(out), out.nbytes, copied)


def rate_masks(games: Any, copied: float) -> float | None:
    """The same for masks, of games that have just begun; None where single flags are changed instead."""
    if games.moves.shape[1]:
        return None
    look = games.player.astype(np.int32) * 0 + LIST
    return bandwidth_share(lambda: games.step_unchecked(look), games.mask.nbytes, copied)


def rate_pgx(name: str, n: int, steps: int) -> float:
    """Steps a second of pgx's game by random actions, with automatic reset."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step, init = jax.vmap(auto_reset(env.step, env.init)), jax.vmap(env.init)

    @jax.jit  # type: ignore[untyped-decorator]
    def play(state: Any, key: Any) -> Any:
        def one(carry: Any, _: Any) -> Any:
            state, key = carry
            key, first, second = jax.random.split(key, 3)
            logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
            action = jax.random.categorical(first, logits, axis=1)
            return (step(state, action, jax.random.split(second, n)), key), None

        return jax.lax.scan(one, (state, key), None, length=steps)[0]

    carry = init(jax.random.split(jax.random.PRNGKey(0), n)), jax.random.PRNGKey(1)
    jax.block_until_ready(play(*carry))
    start = time.perf_counter()
    jax.block_until_ready(play(*carry))
    return n * steps / (time.perf_counter() - start)


def peers(n: int) -> dict[str, float]:
    """Steps a second of pgx's games; nothing where pgx is not installed."""
    try:
        import pgx  # noqa: F401
    except ImportError:
        print("pgx is not installed: nothing is compared", file=sys.stderr)
        return {}
    return {name: rate_pgx(name, n, STEPS) for name in PEERS}


def print_rows(about: dict[str, Any], rows: list[Row]) -> None:
    for key, value in about.items():
        print(f"{key}: {value}")
    print(
        "\n| variant | playouts, million plies/s | stepped, million plies/s "
        "| observations, float32 | observations, uint8 | masks |"
    )
    print("| --- | --- | --- | --- | --- | --- |")
    for row in rows:
        print(
            f"| {row.name} | {row.playout_plies / 1e6:,.0f} | {row.stepped_plies / 1e6:,.1f} "
            f"| {row.observation_share:.1%} | {row.byte_share:.1%} "
            f"| {'' if row.mask_share is None else f'{row.mask_share:.1%}'} |"
        )
    sys.stdout.flush()


def print_peers(first: Row, others: dict[str, float]) -> None:
    if others:
        print(
            f"\n| pgx | million steps/s | {first.name}, stepped, is so many times as fast |\n| --- | --- | --- |"
        )
    for name, rate in others.items():
        print(f"| {name} | {rate / 1e6:,.1f} | {first.stepped_plies / rate:.2f} |")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--batch", type=int, default=262_144, help="games side by side (%(default)s)")
    parser.add_argument(
        "--playouts", type=int, default=1 << 20, help="games played to their end (%(default)s)"
    )
    parser.add_argument(
        "--steps", type=int, default=STEPS, help="plies of every game of a batch (%(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    args = parser.parse_args()
    from snakeden.programs.cuda import CudaMissing, compile_for_gpu, gpu_name, require_gpu

    try:
        require_gpu()
    except CudaMissing as error:
        parser.exit(2, f"gpu: {error}\n")
    variants = [variant_of(*described) for described in VARIANTS.values()]
    compile_for_gpu([(variant, name) for variant in variants for name in kernels(variant)])
    copied = copy_rate()
    about = {"gpu": gpu_name(), "batch": args.batch, "copying, TB/s": round(copied / 1e12, 2), **versions()}
    rows = [measure(name, args.batch, args.playouts, args.steps, copied) for name in VARIANTS]
    if not args.json:
        # The others take long to compile.
        print_rows(about, rows)
    others = peers(FEWEST)
    if args.json:
        print(json.dumps({**about, "variants": [asdict(row) for row in rows], "pgx": others}))
    else:
        print_peers(rows[0], others)
    return 0


if __name__ == "__main__":
    sys.exit(main())
