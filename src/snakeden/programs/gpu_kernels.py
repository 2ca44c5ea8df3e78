"""What is compiled for a GPU: the kernels that are started on many threads, linked for one variant."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from types import FunctionType, SimpleNamespace
from typing import Any

import numba
import numpy as np
from numba import cuda, types

from snakeden.core import gpu_operations
from snakeden.core.game import Game, Variant
from snakeden.core.kernel import Inlining, inline
from snakeden.core.learning import observation
from snakeden.core.rng import bits, stream
from snakeden.programs import abi
from snakeden.programs.contents import contents
from snakeden.programs.partial_evaluation import VariantLinker
from snakeden.programs.random_games import make_parts
from snakeden.programs.specification import Specification, specification


def is_simulated() -> bool:
    """Whether Numba runs GPU code as plain Python (NUMBA_ENABLE_CUDASIM=1), which needs neither package nor GPU."""
    return bool(numba.config.ENABLE_CUDASIM)


# A thread costs milliseconds in the simulator.
LANES = 2 if numba.config.ENABLE_CUDASIM else 32
"""How many threads write neighbouring numbers at the same time: a warp."""


def _widened(kind: Any) -> Any:
    plain = types.unliteral(kind)
    return types.int64 if isinstance(plain, types.Integer) and plain.signed else plain


def _device_function(function: FunctionType, inlining: Inlining) -> Any:
    """A kernel for other kernels to call, compiled once for all signed whole numbers, as on the CPU."""
    if is_simulated():
        return function
    made = cuda.jit(device=True, forceinline=inlining is Inlining.ALWAYS)(function)
    template = made.get_call_template

    def widened(arguments: tuple[Any, ...], keywords: Any) -> Any:
        return template(tuple(map(_widened, arguments)), keywords)

    made.get_call_template = widened
    return made


def _array(kind: np.dtype[Any], dimensions: int = 1) -> Any:
    return types.Array(numba.from_dtype(kind), dimensions, "C")


def linker_for(variant: Variant, name: str) -> VariantLinker:
    """The linker of this kernel, one of `loop_entries` or an entry."""
    replaced = _replaced(variant.game)
    if name == "step_unlisted":
        replaced |= gpu_module(variant.game).UNLISTED
    if name == "play_games":
        replaced |= getattr(gpu_module(variant.game), "PLAYED", {})
    return VariantLinker(known_tables(variant), _device_function, replaced)


def known_tables(variant: Variant) -> Any:
    """The tables, and what a game's kernels for GPUs know beside them when they are linked."""
    more = getattr(gpu_module(variant.game), "more_tables", None)
    if more is None:
        return variant.tables
    return SimpleNamespace(**variant.tables._asdict(), **more(variant.tables)._asdict())


def lists_from_flags(variant: Variant) -> bool:
    """Whether `step_lists` is `step_flags`, and `list_flags` after it."""
    module = gpu_module(variant.game)
    return hasattr(module, "lists_from_flags") and module.lists_from_flags(variant.tables)


def lists_by_places(variant: Variant) -> bool:
    """Whether `step_lists` is `step_unlisted`, and lists that take long are made after it by a thread a place."""
    module = gpu_module(variant.game)
    return hasattr(module, "lists_by_places") and module.lists_by_places(variant.tables)


def gpu_module(game: Game, name: str = "gpu") -> Any:
    """What a game has for GPUs alone, if anything: `gpu`, or `gpu_observation` for observations."""
    name = f"{game.package}.kernels.{name}"
    return import_module(name) if find_spec(name) else None


def begins_together(variant: Variant) -> bool:
    """Whether the threads of a warp begin and end their games together: that is best if these are about equally long,
    and each ply takes all threads the same time."""
    is_even = getattr(gpu_module(variant.game), "EVEN", False)
    return is_even and not _plays_by_tries(variant) and _phases(variant) is None


def _replaced(game: Game) -> dict[FunctionType, FunctionType]:
    """The kernels that a GPU's program has others for."""
    found: dict[FunctionType, FunctionType] = {}
    for name in ("gpu", "gpu_observation"):
        found |= getattr(gpu_module(game, name), "REPLACED", {})
    if is_simulated():
        found[gpu_operations.take_number] = _take_in_turn
    else:
        from snakeden.programs import gpu_bits

        found |= gpu_bits.REPLACED
    return found


_ONE_AT_A_TIME = Lock()


@inline
def _take_in_turn(taken):  # type: ignore[no-untyped-def]
    """As `gpu_operations.take_number`, for the threads of the simulator."""
    with _ONE_AT_A_TIME:
        number = taken[0]
        taken[0] = number + 1
    return number


def global_kernel(
    variant: Variant, name: str, linker: VariantLinker
) -> tuple[Callable[..., None], tuple[Any, ...]]:
    """A kernel that is started on many threads, one a game, and the types of its arguments: `play_games`, or one of the
    loops of batches."""
    if name == "play_games":
        return _play_games(variant, linker)
    if name in _FLAGGING and packs_masks(variant.game):
        return _step_with_flags(variant, name, linker)
    return _loop(loop_entries(variant.game)[name], linker, variant)


def _play_games(variant: Variant, linker: VariantLinker) -> tuple[Callable[..., None], tuple[Any, ...]]:
    """The kernel by which threads play random games, and the types of its arguments. A thread whose game is over takes
    the next that nobody has taken; `taken` is int32[1], and 0 at first."""
    wanted = specification(variant)
    _, end = make_parts(variant.game.rules)
    names: dict[str, Any] = {
        "cuda": cuda,
        "np": np,
        "stream": linker.function(stream),
        "end": linker.function(end),
        "words": whole_words(variant),
        "seats": int(variant.tables.seats),
        "state": wanted.state.type,
        "word": types.uint64,
        "score": types.int64,
    }
    phases = _phases(variant)
    if phases is not None:
        names["bits"] = linker.function(bits)
        for name in _PHASES:
            names[name] = linker.function(getattr(phases, name))
        names |= {"kept_words": phases.kept_words(variant.tables), "lanes": _lanes(), "together": _together()}
        names |= {"drawn_together": phases.DRAWN_TOGETHER, "ended_together": phases.ENDED_TOGETHER}
        names |= {"played_together": phases.PLAYED_TOGETHER, "few": phases.FEW, "gives_up": phases.GIVES_UP}
        text = _IN_PHASES
    elif _plays_by_tries(variant):
        module = gpu_module(variant.game)
        names["bits"] = linker.function(bits)
        for name in ("is_over", "prepared", "is_trying", "attempt", "draw_untried"):
            names[name] = linker.function(getattr(module, name))
        text = _TRY_BY_TRY
    else:
        names["play"] = _play(variant, linker)
        text = _SIDE_BY_SIDE if begins_together(variant) else _ONE_AFTER_ANOTHER
    exec(text.replace("READY", _ready(variant.game)), names)
    whole, short = np.dtype(np.uint64), np.dtype(np.int32)
    given = (_array(wanted.block), _array(whole), types.int64, types.int64)
    return names["play_games"], (*given, _array(whole), _array(short), _array(short, 2), _array(short))


def whole_words(variant: Variant) -> int:
    """How many words of 64 bits hold a position."""
    return -(-int(variant.tables.words) * specification(variant).state.itemsize // 8)


# The opening is uint64[words], since copying a few long words takes less time than many short ones.
_SIDE_BY_SIDE = """
def play_games(tables, opening, seed, first, fingerprints, plies, results, taken):
    game = cuda.grid(1)
    if game < fingerprints.shape[0]:
        whole = cuda.local.array(words, word)
        s = whole.view(state)
        scores = cuda.local.array(seats, score)
        for k in range(words):
            whole[k] = opening[k]
        rng = stream(seed, first + game)
        fingerprint, count, is_over = np.uint64(0), 0, False
        while not is_over:
            rng, fingerprint, count, is_over = play(tables[0], s, rng, fingerprint, count)
        fingerprints[game] = end(tables[0], s, scores, fingerprint, results[game])
        plies[game] = count
"""
_ONE_AFTER_ANOTHER = """
def play_games(tables, opening, seed, first, fingerprints, plies, results, taken):
    whole = cuda.local.array(words, word)
    s = whole.view(state)
    scores = cuda.local.array(seats, score)
    for k in range(words):
        whole[k] = opening[k]
    game = cuda.atomic.add(taken, 0, 1)
    rng = stream(seed, first + game)
    fingerprint, count, waited = np.uint64(0), 0, 0
    while game < fingerprints.shape[0]:
        rng, fingerprint, count, is_over = play(tables[0], s, rng, fingerprint, count)
        if is_over:
            waited += 1
            if READY:
                fingerprints[game] = end(tables[0], s, scores, fingerprint, results[game])
                plies[game] = count
                game = cuda.atomic.add(taken, 0, 1)
                for k in range(words):
                    whole[k] = opening[k]
                rng = stream(seed, first + game)
                fingerprint, count, waited = np.uint64(0), 0, 0
"""
_TRY_BY_TRY = """
def play_games(tables, opening, seed, first, fingerprints, plies, results, taken):
    whole = cuda.local.array(words, word)
    s = whole.view(state)
    scores = cuda.local.array(seats, score)
    for k in range(words):
        whole[k] = opening[k]
    game = cuda.atomic.add(taken, 0, 1)
    rng = stream(seed, first + game)
    fingerprint, count, waited, held = np.uint64(0), 0, 0, 0
    while game < fingerprints.shape[0]:
        move = -1
        held = prepared(tables[0], s, held)
        if is_trying(tables[0], s, held):
            rng, move, held = attempt(tables[0], s, rng, held)
        else:
            waited += 1
            if READY:
                waited = 0
                if is_over(s):
                    fingerprints[game] = end(tables[0], s, scores, fingerprint, results[game])
                    plies[game] = count
                    game = cuda.atomic.add(taken, 0, 1)
                    for k in range(words):
                        whole[k] = opening[k]
                    rng = stream(seed, first + game)
                    fingerprint, count, held = np.uint64(0), 0, 0
                else:
                    rng, move, held = draw_untried(tables[0], s, rng, held)
        if move >= 0:
            _, fingerprint = bits(fingerprint ^ np.uint64(move))
            count += 1
"""
_PHASES = (
    *("clear", "forget", "is_over", "is_trying", "begun", "find", "is_legal"),
    *("has_nothing", "draw", "give_up", "put", "pass_on"),
)
_IN_PHASES = """
def play_games(tables, opening, seed, first, fingerprints, plies, results, taken):
    whole = cuda.local.array(words, word)
    s = whole.view(state)
    kept = cuda.local.array(kept_words, word)
    scores = cuda.local.array(seats, score)
    games = fingerprints.shape[0]
    game, count, held = -1, 0, 0
    rng, fingerprint = np.uint64(0), np.uint64(0)
    clear(tables[0], s, kept)
    floor, link, place = 0, 0, -1
    while lanes(game < games) > 0:
        is_new, is_found = False, place >= 0
        if place < 0 and is_trying(held):
            rng, held, floor, link, place = find(tables[0], s, kept, rng, held)
        together()
        if place >= 0 and not is_found and not is_legal(tables[0], s, kept, floor, link, place):
            place = -1
        waits = place < 0 and game < games and not is_trying(held)
        if waits and not is_over(s) and has_nothing(tables[0], s):
            place = gives_up
        draws, ends = place < 0 and waits and not is_over(s), waits and is_over(s)
        trying = lanes(place < 0 and is_trying(held))
        is_drawn = lanes(draws) >= drawn_together or trying <= few
        if is_drawn:
            if draws:
                rng, floor, link, place = draw(tables[0], s, kept, rng)
                place = place if place >= 0 else gives_up
        is_ended = lanes(ends) >= ended_together or trying <= few
        if is_ended:
            if ends:
                if game >= 0:
                    fingerprints[game] = end(tables[0], s, scores, fingerprint, results[game])
                    plies[game] = count
                game = cuda.atomic.add(taken, 0, 1)
                if game < games:
                    for k in range(words):
                        whole[k] = opening[k]
                    forget(tables[0], kept)
                    rng = stream(seed, first + game)
                    fingerprint, count, is_new = np.uint64(0), 0, True
        if lanes(place >= 0) >= played_together or is_drawn or is_ended:
            if place == gives_up:
                give_up(s)
            elif place >= 0:
                move = put(tables[0], s, kept, floor, link, place)
                _, fingerprint = bits(fingerprint ^ np.uint64(move))
                count += 1
            together()
            is_played, place = place >= 0, -1
            if is_played:
                pass_on(tables[0], s)
            if is_played or is_new:
                held = begun(tables[0], s, kept)
"""
TOGETHER, PATIENCE = 4, 8
"""Threads of a warp whose games are over wait until there are so many of them, or for so many plies at most: the other
threads have to wait while they begin anew."""


def _phases(variant: Variant) -> Any:
    """What a game has for threads that play in phases; None if they do not."""
    module = gpu_module(variant.game)
    if not hasattr(module, "plays_in_phases") or not module.plays_in_phases(variant.tables):
        return None
    return gpu_module(variant.game, "gpu_playouts")


def _lanes() -> Any:
    """lanes(holds) -> of how many threads of the warp something holds. In the simulator each is by itself."""
    if is_simulated():
        return int

    @cuda.jit(device=True, forceinline=True)
    def lanes(holds):  # type: ignore[no-untyped-def]
        return cuda.popc(cuda.ballot_sync(0xFFFFFFFF, holds))

    return lanes


def _together() -> Any:
    """together(): the threads of a warp wait for each other."""
    if is_simulated():
        return lambda: None

    @cuda.jit(device=True, forceinline=True)
    def together():  # type: ignore[no-untyped-def]
        cuda.syncwarp(0xFFFFFFFF)

    return together


def _plays_by_tries(variant: Variant) -> bool:
    """Whether threads make one try after another for the next move of their games."""
    module = gpu_module(variant.game)
    return hasattr(module, "plays_by_tries") and module.plays_by_tries(variant.tables)


def _ready(game: Game) -> str:
    """Whether threads that wait go on: whose games are over, or whose next moves are not found by tries. In the
    simulator each is by itself."""
    if is_simulated():
        return "waited > 1"
    module = gpu_module(game)
    together, patience = getattr(module, "TOGETHER", TOGETHER), getattr(module, "PATIENCE", PATIENCE)
    return f"waited > {patience} or cuda.popc(cuda.activemask()) >= {together}"


def _play(variant: Variant, linker: VariantLinker) -> Any:
    """play(t, s, rng, fingerprint, count) -> (rng, fingerprint, count, whether the game is over): one ply or several
    of a random game, `count` of which were played before. Where a game has stages, each is played by all threads whose
    game is in it, one stage after the other."""
    ply, _ = make_parts(variant.game.rules)
    staged = gpu_module(variant.game)
    if not hasattr(staged, "STAGES"):
        names = {"ply": linker.function(ply)}
        lines = [
            "    rng, fingerprint, played = ply(t, s, rng, fingerprint)",
            "    return rng, fingerprint, count + played, not played",
        ]
    else:
        names, lines = {"stage": linker.function(staged.stage)}, []
        for k in staged.STAGES:
            names[f"ply_{k}"] = linker.copy(ply, {staged.STAGE: k})
            lines += [
                f"    if stage(s) == {k}:",
                f"        rng, fingerprint, _ = ply_{k}(t, s, rng, fingerprint)",
                "        count += 1",
            ]
        lines.append(f"    return rng, fingerprint, count, stage(s) == {staged.LAST}")
    exec("\n".join(["def play(t, s, rng, fingerprint, count):", *lines]), names)
    return _device_function(names["play"], Inlining.ALWAYS)


def _loop(
    entry: abi.Entry, linker: VariantLinker, variant: Variant
) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """A kernel whose threads do the work of a loop from `begin` to `end`, each for one game."""
    signature = entry.signature
    values = [value.name for value in signature.values]
    assert values[-2:] == ["begin", "end"], signature.name
    known = _sizes(variant, signature.name)
    tables = ["tables[0]"] * signature.has_tables
    handed = [value for value in values[:-2] if value not in known]
    inside = ", ".join([*tables, *handed, "game", "game + 1"])
    names: dict[str, Any] = {"call": linker.copy(entry.function, known), "cuda": cuda}
    lines = [
        f"def {signature.name}(tables, {', '.join(values)}):",
        "    game = begin + cuda.grid(1)",
        "    if game < end:",
        f"        call({inside})",
    ]
    exec("\n".join(lines), names)
    return names[signature.name], _types(signature, specification(variant))


_FLAGGING = ("step_flags", "step_masks")
_STEP_WITH_FLAGS = """
def NAME(tables, STEP, flags, flat, out, begin, end):
    thread = cuda.grid(1)
    lane, game = thread % warp, begin + thread
    if is_cleared:
        for k in range((game - lane) * groups + lane, min(game - lane + warp, end) * groups, warp):
            store_pair(flags, k, np.uint64(0), np.uint64(0))
        together()
    if game < end:
        step(tables[0], STEP, game, game + 1)
    if has_masks:
        together()
        for k in range(lanes):
            at = (game - lane) * lanes + k * warp + lane
            if at < end * lanes:
                unpack(flat, actions, counts, out, at, at + 1)
"""


def _step_with_flags(
    variant: Variant, name: str, linker: VariantLinker
) -> tuple[Callable[..., None], tuple[Any, ...]]:
    """The kernel by which threads step games, one each, and flag what is legal by bits. By `step_masks` the threads of
    a warp then write the masks of their games to `out`, one game after the other: while some warps write, others look
    for moves. Flags are written to `mask`; `flags` and `flat` are the same memory as words of 64 and of 32 bits. It is
    cleared first if not all of it is written."""
    signature = loop_entries(variant.game)["step_masks"].signature
    values = [value.name for value in signature.values[:-2]]
    actions = int(variant.tables.actions)
    own = loop_entries(variant.game)
    names: dict[str, Any] = {
        "cuda": cuda,
        "np": np,
        "step": linker.function(own["step_masks"].function),
        "unpack": linker.copy(own_loops().unpack_flags, {"per_game": actions, "lanes": mask_lanes(actions)}),
        "store_pair": linker.function(gpu_operations.store_pair),
        "together": _together(),
        "warp": 1 if is_simulated() else LANES,
        "lanes": mask_lanes(actions),
        "groups": flag_words(actions) // 4,
        "is_cleared": not flags_in_pairs(variant),
        "has_masks": name == "step_masks",
    }
    exec(_STEP_WITH_FLAGS.replace("NAME", name).replace("STEP", ", ".join(values)), names)
    word = np.dtype(np.uint64 if flags_in_pairs(variant) else np.uint32)
    kinds = list(_types(signature, specification(variant)))
    kinds[1 + values.index("mask")] = _array(word, 2)
    flat = (_array(np.dtype(kind)) for kind in (np.uint64, np.uint32, np.uint8))
    return names[name], (*kinds[:-2], *flat, *kinds[-2:])


def flag_words(actions: int) -> int:
    """How many words of 32 bits have the flags of a game: whole groups of four, so that each game's begin where sixteen
    bytes can be written at once, and four of these, since `list_flags` looks at so many together."""
    return -(-actions // 512) * 16


def mask_lanes(actions: int) -> int:
    """How many threads write a game's mask side by side: a warp, or fewer if it has fewer groups of sixteen bytes."""
    lanes = LANES
    while lanes > 2 and 16 * lanes > actions:
        lanes //= 2
    return lanes


def flags_in_pairs(variant: Variant) -> bool:
    """Whether flags are written in pairs of 64-bit words, and all of them."""
    module = gpu_module(variant.game)
    return hasattr(module, "flags_in_pairs") and module.flags_in_pairs(variant.tables)


def packs_masks(game: Game) -> bool:
    """Whether what is legal is flagged by a bit an action, of which masks and lists are made."""
    return "step_flags" in loop_entries(game)


def _sizes(variant: Variant, name: str) -> dict[str, int]:
    """What a loop's names for the sizes of observations and masks are known to be: dividing by them is dear."""
    rows, columns = observation(variant.game).grid(variant.tables)
    fields = int(rows) * int(columns)
    if name in ("unpack_floats", "unpack_bytes"):
        return {"lanes": LANES, "fields": fields}
    if name in ("write_float_planes", "write_byte_planes"):
        return {"lanes": LANES, "fields": fields}
    if name == "pack_parts":
        seen = gpu_module(variant.game, "gpu_observation")
        return {
            "bit_parts": seen.bit_parts(variant.tables),
            "value_parts": seen.value_parts(variant.tables),
        }
    if name == "flag_places":
        return {"places": gpu_module(variant.game).most_places(variant.tables)}
    if name == "list_places":
        return {"lanes": LANES, "places": gpu_module(variant.game).most_places(variant.tables)}
    if name == "list_flags":
        return {"lanes": LANES, "words": flag_words(int(variant.tables.actions))}
    return {}


def _types(signature: abi.Signature, wanted: Specification) -> tuple[Any, ...]:
    """What a kernel takes: the tables' block, and what the signature says."""
    kinds = [_array(wanted.block)]
    for value in signature.values:
        kind = wanted.state if value.type == "state" else np.dtype(value.type)
        kinds.append(numba.from_dtype(kind) if value.shape is None else _array(kind, len(value.shape)))
    return tuple(kinds)


def device_entry(
    entry: abi.Entry, linker: VariantLinker, wanted: Specification
) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """A device function that hands the tables' block to an entry, and the types of its arguments."""
    signature = entry.signature
    values = ", ".join(value.name for value in signature.values)
    names: dict[str, Any] = {"call": linker.function(entry.function)}
    exec(f"def {signature.name}(tables, {values}):\n    return call(tables[0], {values})", names)
    return names[signature.name], _types(signature, wanted)


def own_loops() -> Any:
    """The module with the loops that only GPUs have; it stands above this package."""
    return import_module("snakeden.adapters.gpu_entries")


def loop_entries(game: Game) -> dict[str, abi.Entry]:
    """The loops of a game."""
    own: dict[str, abi.Entry] = own_loops().entries(game)
    return contents(game, "batch") | own
