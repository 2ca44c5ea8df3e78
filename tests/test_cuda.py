"""The kernels run on GPUs: they compile to PTX, and games played in Numba's CUDA simulator are the CPU's, move by move.

The simulator accepts more than a GPU does, lists and exceptions for example; compiling to PTX does not.
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

import cuda_simulation
import numpy as np
import pytest

import gpu_check
import snakeden
from snakeden.adapters import gpu_entries
from snakeden.adapters.rewards import rewards
from snakeden.cli import main
from snakeden.core import planes as planes_of
from snakeden.core.game import Variant
from snakeden.core.game import variant as variant_of
from snakeden.core.learning import KEEP
from snakeden.core.registry import game as find_game
from snakeden.core.rng import stream
from snakeden.core.state import State
from snakeden.games.schlangennest.kernels.layout import DEEDS, TURN
from snakeden.lab.random_play import play
from snakeden.programs import compiled, gpu_launch
from snakeden.programs import cuda as cuda_programs
from snakeden.programs.cuda import CudaMissing, CudaProgram
from snakeden.programs.gpu_kernels import flag_words, known_tables
from snakeden.programs.partial_evaluation import VariantLinker
from snakeden.search.perft import perft

MOST_PLIES = 400
HOPPER = (9, 0)
GAMES: list[tuple[str, dict[str, Any], list[int]]] = [
    ("snekagon", {"side": 3}, [1, 2, 3]),
    ("snekagon", {"side": 6}, [4]),
    ("snekagon", {"side": 7}, [5]),
    # With more moves than 16 bits can number.
    ("snekagon-5g", {}, [1]),
    ("snekagon-5g", {"players": 3, "side": 5, "advanced": True}, [3]),
    ("schlangennest", {}, [1, 2]),
    ("schlangennest", {"snakes": 2}, [3]),
    ("schlangennest", {"border": "frame"}, [4]),
    ("snakey-dice", {}, [1, 2]),
    ("snakey-dice", {"players": 2, "map": "pinwheel"}, [3]),
]


def test_every_game_is_simulated() -> None:
    assert {game for game, _, _ in GAMES} == set(snakeden.games())


@pytest.fixture(scope="module")
def simulated() -> list[dict[str, Any]]:
    jobs = [(game, options, seeds, MOST_PLIES) for game, options, seeds in GAMES]
    done = subprocess.run(
        [sys.executable, str(Path(cuda_simulation.__file__)), json.dumps(jobs)],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def _played_here(start: State, seed: int) -> tuple[list[int], list[int]]:
    """The game of this seed by the CPU's kernels."""
    rules = start.variant.program
    array, scores = start.array(), np.zeros(start.seats, np.int64)
    moves: list[int] = []
    rng, move = rules.sample(array, seed)
    while move >= 0 and len(moves) < MOST_PLIES:
        moves.append(int(move))
        rules.apply(array, move)
        rng, move = rules.sample(array, rng)
    rules.scores(array, scores)
    return moves, scores.tolist()


@pytest.mark.parametrize("number", range(len(GAMES)), ids=[f"{game}-{options}" for game, options, _ in GAMES])
def test_simulated_games_are_the_cpu_games(simulated: list[dict[str, Any]], number: int) -> None:
    game, options, seeds = GAMES[number]
    start = snakeden.new_game(game, **options)
    for index, seed in enumerate(seeds):
        moves, scores = _played_here(start, seed)
        assert [move for move in simulated[number]["moves"][index] if move >= 0] == moves
        assert simulated[number]["scores"][index] == scores


def _random_games(variant: Variant, seed: int, first: int, count: int) -> list[Any]:
    """Fingerprints, plies and scores of random games by the CPU."""
    opening, seats = variant.game.rules.opening(variant.tables), variant.tables.seats
    kinds: list[tuple[Any, Any]] = [(count, np.uint64), (count, np.int32), ((count, seats), np.int32)]
    written = [np.zeros(shape, kind) for shape, kind in kinds]
    scores = np.zeros(seats, np.int64)
    compiled(variant, "batch").play_games(opening, opening.copy(), scores, seed, first, *written)
    return [array.tolist() for array in written]


@pytest.mark.parametrize("game", snakeden.games())
def test_random_games_have_the_lengths_and_scores_of_games_played_move_by_move(game: str) -> None:
    start = snakeden.new_game(game)
    _, plies, results = _random_games(start.variant, 3, 10, 3)
    for k in range(3):
        with np.errstate(over="ignore"):
            rng = stream(np.uint64(3), np.uint64(10 + k))
        state, count = start, 0
        while not state.is_over:
            rng, move = start.variant.program.sample(state.array(), rng)
            state, count = state.play(move), count + 1
        assert (plies[k], results[k]) == (count, list(state.scores()))


@pytest.mark.parametrize("number", range(len(GAMES)), ids=[f"{game}-{options}" for game, options, _ in GAMES])
def test_simulated_programs_play_the_cpu_games(simulated: list[dict[str, Any]], number: int) -> None:
    game, options, seeds = GAMES[number]
    variant = snakeden.new_game(game, **options).variant
    expected = _random_games(variant, seeds[0], cuda_simulation.FIRST_GAME, len(seeds))
    assert simulated[number]["random_games"] == expected


def test_simulated_playouts_add_up_as_on_the_cpu(simulated: list[dict[str, Any]]) -> None:
    """Also over several blocks."""
    game, options, _ = GAMES[cuda_simulation.PLAYED_OUT]
    sums = play(snakeden.new_game(game, **options).variant, plies=cuda_simulation.PLIES, block=2).playouts
    assert sums.games > 2
    assert simulated[cuda_simulation.PLAYED_OUT]["playouts"] == json.loads(json.dumps(asdict(sums)))


@pytest.mark.parametrize("number", range(len(GAMES)), ids=[f"{game}-{options}" for game, options, _ in GAMES])
def test_simulated_batches_are_the_cpu_batches(simulated: list[dict[str, Any]], number: int) -> None:
    game, options, seeds = GAMES[number]
    games = snakeden.batch(game, 2, seeds[0], legal=cuda_simulation.LEGAL[number % 2], **options)
    assert simulated[number]["stepped"] == cuda_simulation.stepped(games, cuda_simulation.STEPS)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("snekagon", {"side": 4}),
        ("snekagon-5g", {"players": 3, "side": 4, "advanced": True}),
        ("schlangennest", {"players": 3}),
        ("snakey-dice", {"players": 2}),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_rules_linked_for_one_variant_are_the_plain_rules(game: str, options: dict[str, Any]) -> None:
    """With the tables evaluated, and with the kernels that a GPU has in place of others."""
    variant = snakeden.new_game(game, **options).variant
    gpu = import_module(f"{variant.game.package}.kernels.gpu")
    linker = VariantLinker(variant.tables, lambda function, inlining: function, gpu.REPLACED)
    rules, t = variant.game.rules, variant.tables
    linked, moves = linker.module(rules), np.zeros((2, t.most_moves), np.int32)
    state, rng = rules.opening(t), np.uint64(7)
    for _ in range(6):
        counts = [each.legal(t, state, out) for each, out in zip((rules, linked), moves, strict=True)]
        assert counts[0] == counts[1]
        assert moves[0, : counts[0]].tolist() == moves[1, : counts[0]].tolist()
        drawn = rules.sample(t, state, rng)
        assert linked.sample(t, state, rng) == drawn
        rng, move = drawn
        if move < 0:
            break
        here = state.copy()
        rules.apply(t, state, move)
        linked.apply(t, here, move)
        assert here.tolist() == state.tolist()


@pytest.mark.parametrize(
    ("options", "seeds"),
    [({}, [0, 449]), ({"border": "frame"}, [0, 12]), ({"snakes": 2}, [0])],
    ids=["floating", "frame", "snakes"],
)
@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_lists_by_places_are_the_plain_lists(options: dict[str, Any], seeds: list[int]) -> None:
    """First cards by place, all other moves as a thread writes them; in the last game of several a ring is opened."""
    variant = snakeden.new_game("schlangennest", **options).variant
    gpu = import_module(f"{variant.game.package}.kernels.gpu")
    replaced = gpu.REPLACED | gpu.UNLISTED
    linker = VariantLinker(known_tables(variant), lambda function, inlining: function, replaced)
    rules, t, program = variant.game.rules, variant.tables, variant.program
    names = (gpu.is_spread, gpu.place_flags, gpu.place_number, rules.legal)
    is_spread, place_flags, place_number, legal = map(linker.function, names)
    moves, seen = np.zeros((2, t.most_moves), np.int32), set()
    for seed in seeds:
        state, rng, move = rules.opening(t), np.uint64(seed), 0
        while move >= 0:
            here = state.copy()
            expected = moves[0, : program.legal(state, moves[0])].tolist()
            written = moves[1, : legal(t, here, moves[1])].tolist()
            if is_spread(t, here):
                seen.add("first cards")
                flags = {place: int(place_flags(t, here, place)) for place in range(gpu.most_places(t))}
                flags = {place: deeds for place, deeds in flags.items() if deeds}
                written = [
                    place_number(t, here, place) + deed
                    for place, deeds in flags.items()
                    for deed in range(deeds.bit_length())
                    if deeds >> deed & 1
                ]
            elif any(each % DEEDS >= TURN for each in expected):
                seen.add("ring")
            assert written == expected
            assert here.tolist() == state.tolist()
            rng, move = program.sample(state, rng)
            if move >= 0:
                program.apply(state, move)
    assert seen == {"first cards", *(["ring"] if len(seeds) > 1 else [])}


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("snekagon-5g", {"players": 3}),
        ("schlangennest", {"snakes": 2}),
        ("schlangennest", {"players": 4}),
        ("schlangennest", {"border": "frame"}),
        ("schlangennest", {"players": 3, "border": "fence"}),
        ("snakey-dice", {"players": 1}),
        ("snakey-dice", {"players": 2}),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_observations_packed_by_parts_are_the_plain_ones(game: str, options: dict[str, Any]) -> None:
    """In every bit, in positions of whole random games."""
    variant = snakeden.new_game(game, **options).variant
    seen = import_module(f"{variant.game.package}.kernels.gpu_observation")
    t = variant.tables
    games = snakeden.batch(game, 2, 5, legal="list", autoreset=False, **options)
    for step in range(200):
        games.step_unchecked(np.where(games.player >= 0, games.sample(), KEEP))
        if step % 16 == 0 or games.over.any():
            seat = step // 16 % games.seats
            for state, bits, values in zip(games._states, *games.observe_packed(seat), strict=True):
                packed, numbers = np.full_like(bits, 7), np.full_like(values, np.nan)
                for part in range(seen.bit_parts(t)):
                    seen.pack_bits(t, state, seat, part, packed)
                for part in range(seen.value_parts(t)):
                    seen.pack_values(t, state, seat, part, numbers)
                assert packed.tolist() == bits.tolist()
                assert numbers.tobytes() == values.tobytes()


@pytest.mark.parametrize("seats", range(1, 7))
def test_rewards_by_a_gpu_are_those_of_the_outcome(seats: int) -> None:
    """In every bit, with all numbers of winners."""
    rng = np.random.default_rng(seats)
    scores = rng.integers(-1, 2, (500, seats)) * rng.integers(1, 300, (500, 1))
    over = rng.integers(0, 2, 500).astype(np.uint8)
    paid = np.full(scores.shape, np.nan, np.float32)
    gpu_entries.pay_rewards(over, scores, gpu_entries.worths(seats), paid, 0, len(scores))
    expected = np.where(over[:, None], rewards(scores), 0).astype(np.float32)
    assert paid.tobytes() == (expected + np.float32(0)).tobytes()


@pytest.mark.parametrize("lanes", [2, 32])
@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_lists_are_made_of_flags(lanes: int) -> None:
    """Of few flags, of none, of all, and not of a game that is kept as it is."""
    rng = np.random.default_rng(lanes)
    is_flagged = np.stack([rng.random(1024) < share for share in (0.5, 0.01, 0, 1, 0.5)])
    is_flagged[1, [0, 511, 512, 1023]] = True
    flags = np.packbits(is_flagged, bitorder="little").view(np.uint64)
    moves = np.full((5, 1024), -1, np.int32)
    actions = np.array([0, 1, 2, 3, KEEP], np.int32)
    gpu_entries.list_flags(flags, actions, moves, 32, lanes, 0, 5 * lanes)
    for row, flagged in zip(moves, is_flagged * (actions != KEEP)[:, None], strict=True):
        expected = np.flatnonzero(flagged).tolist()
        assert row.tolist() == expected + [-1] * (1024 - len(expected))


@pytest.mark.parametrize("lanes", [2, 8, 32])
@pytest.mark.parametrize("actions", [16, 17, 40, 512, 838, 1100])
@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_masks_are_made_of_flags(actions: int, lanes: int) -> None:
    """Of all games but those that are kept as they are; where nothing is legal, everything is flagged."""
    rng = np.random.default_rng(actions)
    for n in (1, 2, 9):
        is_flagged = rng.random((n, flag_words(actions) * 32)) < 0.5
        flags = np.packbits(is_flagged, bitorder="little").view(np.uint32)
        played = np.where(rng.random(n) < 0.7, 0, KEEP).astype(np.int32)
        counts = (rng.random(n) < 0.7).astype(np.int32)
        mask = np.full((n, actions), 7, np.uint8)
        gpu_entries.unpack_flags(flags, played, counts, mask.reshape(-1), actions, lanes, 0, n * lanes)
        expected = is_flagged[:, :actions] | (counts == 0)[:, None]
        np.testing.assert_array_equal(mask, np.where((played == KEEP)[:, None], 7, expected))


@pytest.mark.parametrize(("marked", "constant"), [(1, 3), (3, 4), (2, 0)])
@pytest.mark.parametrize("side", [4, 5, 11, 23])
@pytest.mark.parametrize("kind", [np.uint8, np.float32])
@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_observations_are_written_sixteen_bytes_at_a_time(
    kind: Any, side: int, marked: int, constant: int
) -> None:
    """Also where sixteen belong to two planes or two games, and with single bytes behind the last sixteen."""
    written = gpu_entries.entries(find_game("snekagon"))
    rng, fields, planes = np.random.default_rng(side), side**2, marked + constant
    for n in (1, 4, 5) if kind is np.uint8 else (4,):
        is_marked = rng.random((n, marked, fields)) < 0.5
        padded = np.pad(is_marked, ((0, 0), (0, 0), (0, -fields % 32)))
        bits = np.packbits(padded, axis=2, bitorder="little").view(np.uint32)
        values = (rng.integers(0, 7, (n, constant)) / 6).astype(np.float32)
        seen: Any = planes_of.unpack(bits, values, (side, side))
        out = np.full((n, planes, side, side), 7, kind)
        flat = out.reshape(-1).view(np.uint8)
        pairs, rest = flat[: flat.size // 16 * 16].view(np.uint64), flat[flat.size // 16 * 16 :]
        sizes = planes, marked, bits.shape[2], fields, 2
        threads = max(-(-len(pairs) // (4 * gpu_entries.GROUPS)) * 2, len(rest))
        if kind is np.uint8:
            run, numbers = written["write_byte_planes"].function, values
            seen = np.float32(seen * 255.0 + 0.5).astype(np.uint8)
        else:
            run, numbers = written["write_float_planes"].function, values.view(np.uint32)
        run(bits.reshape(-1), numbers.reshape(-1), pairs, rest, *sizes, 0, threads)
        np.testing.assert_array_equal(out, seen)


def test_arguments_lie_as_the_driver_reads_them() -> None:
    array = (2**47 + 16, (3, 5), 8)
    numbers = [*gpu_launch.array_arguments(*array), -7]
    _, pointers, place = gpu_launch.parameters(numbers)
    read = (ctypes.POINTER(ctypes.c_int64) * len(numbers)).from_address(place)
    assert [each[0] for each in read] == [0, 0, 15, 8, 2**47 + 16, 3, 5, 40, 8, -7]
    assert len(pointers) == len(numbers)


@pytest.mark.parametrize("game", snakeden.games())
def test_fingerprints_tell_games_apart(game: str) -> None:
    variant = snakeden.new_game(game).variant
    fingerprints, plies, results = _random_games(variant, 1, 0, 200)
    assert len(set(fingerprints)) == 200
    assert min(plies) > 0
    assert _random_games(variant, 1, 150, 50) == [fingerprints[150:], plies[150:], results[150:]]
    assert not set(_random_games(variant, 2, 0, 200)[0]) & set(fingerprints)


# ---- compiled for a GPU


def _programs() -> list[Any]:
    """Every program and the names of its kernels."""
    return [
        pytest.param(variant_of(found, options), id=f"{game}-{dict(options)}")
        for game in snakeden.games()
        for found in [find_game(game)]
        for options in found.program_options
    ]


installed = pytest.mark.skipif(
    not cuda_programs.is_installed(), reason="numba-cuda is not installed; `make test-cuda` installs it"
)


@installed
@pytest.mark.slow
@pytest.mark.parametrize("variant", _programs())
def test_every_kernel_compiles_to_ptx(variant: Variant) -> None:
    offered = cuda_programs.entries(variant.game)
    promised = {"turn", "legal", "fault", "apply", "settle", "sample", "weight", "scores", "observe"}
    assert promised <= set(offered)
    loops = cuda_programs.loops(variant.game)
    for name in [*offered, *loops]:
        made = cuda_programs.compile_ptx(variant, name, HOPPER)
        assert ".target sm_90" in made.text, name
        assert made.symbol == name
        kind = ".entry" if name in loops else ".func"
        assert any(kind in line and ".visible" in line for line in made.text.splitlines()), name


@installed
def test_ptx_becomes_machine_code_without_a_gpu() -> None:
    variant = snakeden.new_game("snekagon").variant
    code = cuda_programs.assemble(cuda_programs.compile_ptx(variant, "turn", HOPPER), HOPPER)
    assert code.startswith(b"\x7fELF")


def test_without_the_package_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba_cuda", None)
    variant = snakeden.new_game("snekagon").variant
    with pytest.raises(CudaMissing, match=r"pip install 'snakeden\[cuda\]'"):
        CudaProgram(variant)
    with pytest.raises(CudaMissing, match="numba-cuda"):
        cuda_programs.compile_ptx(variant, "turn", HOPPER)


@pytest.mark.parametrize(
    "command",
    [
        ["perft", "snekagon", "1"],
        ["bench", "batch", "--game", "snekagon"],
        ["lab", "random", "snekagon", "--moves", "10"],
    ],
    ids=lambda command: command[0],
)
def test_commands_on_a_gpu_say_what_is_missing(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "numba_cuda", None)
    assert main([*command, "--device", "cuda"]) == 2
    assert "pip install 'snakeden[cuda]'" in capsys.readouterr().err


def test_only_batches_are_measured_on_a_gpu(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "rules", "--device", "cuda"]) == 2
    assert "only `batch` can be on a GPU" in capsys.readouterr().err


def test_sequences_of_moves_are_counted_in_the_simulator() -> None:
    """Also in portions smaller than a position has moves, and with dice."""
    jobs = [("snekagon", {"side": 2}, 3), ("schlangennest", {}, 2), ("snakey-dice", {}, 2)]
    lines = [
        "import json, sys, snakeden",
        "from snakeden.search.cuda_perft import perft",
        "starts = [(snakeden.new_game(game, **options), depth) for game, options, depth in json.loads(sys.argv[1])]",
        "print(json.dumps([perft(start, depth, 5) for start, depth in starts]))",
    ]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", "\n".join(lines), json.dumps(jobs)],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    expected = [perft(snakeden.new_game(game, **options), depth) for game, options, depth in jobs]
    assert json.loads(done.stdout) == expected


def test_a_batch_on_a_gpu_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba_cuda", None)
    with pytest.raises(CudaMissing, match=r"pip install 'snakeden\[cuda\]'"):
        snakeden.batch("snekagon", 2, device="cuda")
    with pytest.raises(snakeden.BadOption, match="'cpu' or 'cuda'"):
        snakeden.batch("snekagon", 2, device="tpu")  # type: ignore[arg-type]


def _has_gpu() -> bool:
    from numba import cuda

    return cuda_programs.is_installed() and bool(cuda.is_available())


@installed
@pytest.mark.skipif(_has_gpu(), reason="there is a GPU here")
def test_without_a_gpu_the_error_says_so() -> None:
    with pytest.raises(CudaMissing, match="no NVIDIA GPU"):
        CudaProgram(snakeden.new_game("snekagon").variant)


with_gpu = pytest.mark.skipif(not _has_gpu(), reason="there is no GPU here, or numba-cuda is not installed")


@with_gpu
@pytest.mark.parametrize("variant", _programs())
def test_a_gpu_plays_the_cpu_games(variant: Variant) -> None:
    played = CudaProgram(variant).play_games(3, 0, 1000)
    assert [array.tolist() for array in played] == _random_games(variant, 3, 0, 1000)
    on_gpu, on_cpu = (play(variant, plies=20_000, block=100, device=device) for device in ("cuda", "cpu"))
    assert on_gpu == on_cpu


def _held(games: Any) -> dict[str, Any]:
    """What a batch holds, in NumPy."""
    names = ("counts", "player", "over", "rewards", "mask", "moves")
    held = {name: games.to_numpy(getattr(games, name)) for name in names}
    # What lies behind the end of a list does not count.
    held["moves"][np.arange(held["moves"].shape[1]) >= held["counts"][:, None]] = -1
    for dtype in (np.float32, np.uint8):
        held[f"seen in {np.dtype(dtype)}"] = games.to_numpy(games.observe(dtype=dtype))
    return held


@with_gpu
@pytest.mark.parametrize("legal", ["mask", "list"])
@pytest.mark.parametrize("variant", _programs())
def test_a_gpu_steps_as_the_cpu(variant: Variant, legal: Any) -> None:
    on_gpu, on_cpu = (
        snakeden.batch(variant.game.id, 600, 5, legal=legal, device=device, **dict(variant.given))
        for device in ("cuda", "cpu")
    )
    for _ in range(40):
        expected = _held(on_cpu)
        for name, held in _held(on_gpu).items():
            np.testing.assert_array_equal(held, expected[name], err_msg=name)
        on_gpu.step_unchecked(on_gpu.sample())
        on_cpu.step_unchecked(on_cpu.sample())


def test_the_check_of_a_gpu_runs_in_the_simulator() -> None:
    done = subprocess.run(
        [sys.executable, str(Path(__file__).parents[1] / "bench" / "gpu_check.py"), "--games", "2", "--json"],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["variants"]
    assert {row["games"] for row in found} == {2}
    assert [row["different_blocks"] for row in found] == [0] * len(found)
    assert all(row["plies"] > 0 for row in found)


def test_the_check_of_a_gpu_is_for_the_variants_that_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--stored", "--games", "64", "--cpu-only", "--sums", str(tmp_path), "--only"]
    monkeypatch.setattr(sys, "argv", ["gpu_check.py", *asked, "nest=3x3"])
    assert gpu_check.main() == 0
    assert ["nest=3x3" in file.name for file in tmp_path.iterdir()] == [True]
    monkeypatch.setattr(sys, "argv", ["gpu_check.py", *asked, "nest=33"])
    with pytest.raises(SystemExit, match="2"):
        gpu_check.main()
    assert "nest=3x3" in capsys.readouterr().err


def test_different_games_are_counted() -> None:
    fingerprints, plies = np.arange(200, dtype=np.uint64), np.full(200, 9, np.int32)
    expected = gpu_check.sums(fingerprints, plies)
    assert gpu_check.sums(fingerprints.copy(), plies).differences(expected) == 0
    fingerprints[130] += np.uint64(1)
    assert gpu_check.sums(fingerprints, plies).differences(expected) == 1
    plies[0] += 1
    assert gpu_check.sums(fingerprints, plies).differences(expected) == 2
