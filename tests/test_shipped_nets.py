"""The networks of the package, as agents. Where ONNX Runtime is missing only what is said then is tested."""

from __future__ import annotations

import random
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from snakeden import agents
from snakeden.core.game import CHANCE
from snakeden.core.registry import games
from snakeden.core.state import State, new_game
from snakeden.nets import evaluator, tiles
from snakeden.nets.windows import window_around
from snakeden.search.evaluators import Evaluation, PlayoutEvaluator, RememberingEvaluator
from snakeden.search.thinking import Budget, Search

SHIPPED = [game.id for game in games().values() if evaluator.shipped(game)]


def test_there_are_networks() -> None:
    assert list(games()) == SHIPPED


@pytest.mark.parametrize("game", SHIPPED)
def test_networks_are_small_and_have_cards(game: str) -> None:
    for path, card in evaluator.shipped(new_game(game).variant.game).items():
        assert path.stat().st_size <= 8 << 20
        assert card["game"] == game and card["games"] > 0 and card["commands"] and card["curve"]


@pytest.mark.parametrize(
    ("game", "options"), [*((game, {}) for game in SHIPPED), ("schlangennest", {"players": 3})], ids=str
)
def test_a_network_is_asked(game: str, options: dict[str, Any]) -> None:
    pytest.importorskip("onnxruntime")
    state, generator = new_game(game, **options), random.Random(1)
    while state.player is not None and state.player < 0:
        state = state.play(state.roll(generator))
    choice = agents.make("net:sims=8,solver=no", seed=1).choose(state)
    assert choice.reasons.simulations == 8 and choice.reasons.note is None


def test_a_window_shows_all_that_lies_in_a_grid() -> None:
    generator = np.random.default_rng(4)
    for margin in (0, 2, 20):
        busy = np.zeros((3, 9, 11), np.bool_)
        # The third grid is empty.
        for grid, row, column in ((0, 2, 5), (0, 4, 3), (1, 8, 10)):
            busy[grid, row, column] = True
        window, planes = window_around(busy, margin), generator.random((3, 2, 9, 11))
        assert (window.height, window.width) == (min(9, 3 + 2 * margin), min(11, 3 + 2 * margin))
        assert window.cut(planes).shape == (3, 2, window.height, window.width)
        for grid, cut in enumerate(window.cut(planes)):
            shown = np.zeros((9, 11), np.bool_)
            shown[window.fields(grid)] = True
            assert (cut.ravel() == planes[grid][:, shown].ravel()).all()
            assert shown[busy[grid]].all()


def test_leaving_out_what_is_far_away_changes_little() -> None:
    pytest.importorskip("onnxruntime")
    state, generator, positions = new_game("schlangennest").play("C(0,0)NE"), random.Random(2), []
    while state.player is not None:
        positions.append(state.array())
        state = state.play(generator.choice(state.legal_moves()))
    asked, path = np.array(positions), evaluator.network_for(state.variant)
    assert len(asked) > 5
    near = evaluator.NetEvaluator(state.variant, path)(asked)
    whole = evaluator.NetEvaluator(state.variant, path, margin=None)(asked)
    assert near.priors is not None and whole.priors is not None
    assert not np.array_equal(near.priors, whole.priors)
    assert near.priors.sum(1) == pytest.approx(1, abs=1e-4)
    assert ((near.priors > 0) == (whole.priors > 0)).all()
    moved = np.abs(near.priors - whole.priors).sum(1) / 2
    assert moved.max() < 0.2 and moved.mean() < 0.06
    assert near.values[:, :2] == pytest.approx(whole.values[:, :2], abs=0.1)


def test_positions_are_evaluated_alike_again_and_by_another_thread() -> None:
    pytest.importorskip("onnxruntime")
    state, generator, positions = new_game("schlangennest"), random.Random(3), []
    for _ in range(8):
        positions.append(state.array())
        state = state.play(generator.choice(state.legal_moves()))
    path, asked = evaluator.network_for(state.variant), np.array(positions)
    kept = evaluator.NetEvaluator(state.variant, path)
    first = kept(asked)
    # Others in between, in which more lies: nothing of them may stay.
    kept(asked[::-1].copy())
    with ThreadPoolExecutor(2) as pool:
        for again in (kept(asked), *pool.map(kept, [asked] * 4)):
            assert (again.values == first.values).all()
            assert again.priors is not None and first.priors is not None
            assert (again.priors == first.priors).all()


def some_positions(game: str, **options: Any) -> tuple[State, NDArray[Any]]:
    """The first position of a random game in which a player is to move, and the first eight of them [n, words]."""
    state, generator = new_game(game, **options), random.Random(2)
    found: list[State] = []
    while len(found) < 8:
        if state.player == CHANCE:
            state = state.play(state.roll(generator))
            continue
        found.append(state)
        state = state.play(generator.choice(state.legal_moves()))
    return found[0], np.array([each.array() for each in found])


@pytest.mark.parametrize("game", SHIPPED)
def test_a_network_for_processors_with_tiles_says_the_same(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("onnxruntime")
    state, positions = some_positions(game)
    path, said = evaluator.network_for(state.variant), []
    assert tiles.for_tiles(path.read_bytes()) != path.read_bytes()
    for there in (False, True):
        monkeypatch.setattr(tiles, "are_there", lambda there=there: there)
        evaluator._session.cache_clear()
        said.append(evaluator.NetEvaluator(state.variant, path)(positions))
    evaluator._session.cache_clear()
    # To the last bit, but on processors that cut sums of whole numbers off.
    assert said[1].values == pytest.approx(said[0].values, abs=0.02)
    assert said[1].priors == pytest.approx(said[0].priors, abs=0.02)


class Counted:
    """A network, and how many positions it was asked about. It is asked about one at a time: sums of many are rounded
    otherwise."""

    gives_priors = True

    def __init__(self, net: evaluator.NetEvaluator) -> None:
        self.net, self.asked = net, 0

    def __call__(self, positions: NDArray[Any]) -> Evaluation:
        self.asked += len(positions)
        said = [self.net(position[None]) for position in positions]
        return Evaluation(
            np.concatenate([each.values for each in said]),
            np.concatenate([each.priors for each in said if each.priors is not None]),
        )


def test_a_network_is_not_asked_again_about_a_position_that_is_remembered() -> None:
    pytest.importorskip("onnxruntime")
    state, positions = some_positions("snakey-dice", players=2)
    path = evaluator.network_for(state.variant)
    net = evaluator.NetEvaluator(state.variant, path)
    counted, alone = Counted(net), Counted(net)
    remembering = RememberingEvaluator(state.variant, counted, memory=1 << 20)
    for rows, asked in (([0, 1, 2], 3), ([2, 5, 0, 5, 6], 5), ([6, 5, 1, 0], 5), ([7, 7], 6)):
        found, wanted = remembering(positions[rows]), alone(positions[rows])
        assert np.array_equal(found.values, wanted.values)
        assert found.priors is not None and wanted.priors is not None
        assert np.array_equal(found.priors, wanted.priors)
        assert counted.asked == asked
    # What it forgets it asks again.
    forgetful = RememberingEvaluator(state.variant, counted, memory=0)
    for _ in range(2):
        assert np.array_equal(forgetful(positions).values, alone(positions).values)
    assert counted.asked == 6 + 16


def test_a_search_that_remembers_finds_the_same_and_asks_less() -> None:
    pytest.importorskip("onnxruntime")
    state, _ = some_positions("snakey-dice", players=2)
    path, reports, asked = evaluator.network_for(state.variant), [], []
    for remembers in (False, True):
        counted = Counted(evaluator.NetEvaluator(state.variant, path))
        search = Search(
            state.variant,
            seed=3,
            parameters=evaluator.PARAMETERS,
            evaluator=RememberingEvaluator(state.variant, counted, 8 << 20) if remembers else counted,
            batch=evaluator.BATCH,
        )
        reports.append(search.think(state, Budget(simulations=800)))
        asked.append(counted.asked)
    assert asked[1] < 0.95 * asked[0]
    assert reports[0].lines == reports[1].lines


def test_playouts_have_the_share_that_is_asked_for() -> None:
    pytest.importorskip("onnxruntime")
    state = new_game("schlangennest").play("C(0,0)NE")
    path, position = evaluator.network_for(state.variant), state.array()[None]
    net = evaluator.NetEvaluator(state.variant, path)(position)
    playouts = PlayoutEvaluator(state.variant, seed=5, playouts=evaluator.PLAYOUTS)(position)
    mixed = evaluator.evaluator_of(state.variant, path, mix=0.25, seed=5)(position)
    assert mixed.values == pytest.approx(0.75 * net.values + 0.25 * playouts.values)
    assert mixed.priors is not None and net.priors is not None
    assert np.array_equal(mixed.priors, net.priors)
    # The card of this network asks for none.
    assert np.array_equal(evaluator.evaluator_of(state.variant, path)(position).values, net.values)


def test_an_agent_takes_a_share_of_playouts() -> None:
    pytest.importorskip("onnxruntime")
    state = new_game("schlangennest").play("C(0,0)NE")
    values = {
        name: agents.make(name, seed=1).choose(state).reasons.lines[0].wins
        for name in ("net:sims=32,solver=no", "net:sims=32,solver=no,mix=0", "net:sims=32,solver=no,mix=0.5")
    }
    alone, none, half = values.values()
    assert alone == none != half
    with pytest.raises(agents.BadAgent, match="share from 0 to 1"):
        agents.make("net:mix=2")


@pytest.mark.parametrize("seat", [0, 1])
def test_a_network_beats_greedy(seat: int) -> None:
    pytest.importorskip("onnxruntime")
    state = new_game("snekagon")
    players = {seat: agents.make("net:sims=24,solver=no", seed=1), 1 - seat: agents.make("greedy", seed=1)}
    while state.player is not None:
        choice = players[state.player].choose(state)
        assert choice.reasons.note is None or state.player != seat
        state = state.play(choice.move)
    assert state.scores()[seat] > state.scores()[1 - seat]


def test_the_solver_may_take_as_long_with_a_network_as_without() -> None:
    pytest.importorskip("onnxruntime")
    state, generator = new_game("snekagon"), random.Random(0)
    for _ in range(9):
        state = state.play(generator.choice(state.legal_moves()))
    # A simulation with a network takes as long as many without: eight of these leave no time to solve this.
    assert not agents.make("mcts:sims=8", seed=1).choose(state).reasons.proven
    reasons = agents.make("net:sims=8", seed=1).choose(state).reasons
    assert reasons.proven and reasons.simulations == 0


@pytest.mark.parametrize(
    ("game", "options"),
    [("schlangennest", {"snakes": 2}), ("schlangennest", {"border": "fence"})],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_search_plays_where_there_is_no_network(game: str, options: dict[str, int]) -> None:
    choice = agents.make("net:sims=2,solver=no").choose(new_game(game, **options))
    assert choice.reasons.simulations == 60
    assert "without a network" in str(choice.reasons.note)


@pytest.mark.parametrize(
    ("game", "options", "expected"),
    [
        ("snekagon", {"side": 8, "second_single": True}, True),
        ("snekagon-5g", {"players": 5, "side": 4, "advanced": True}, True),
        ("schlangennest", {"nest": "5x9", "tail_first": True}, True),
        ("schlangennest", {"border": "none"}, True),
        ("schlangennest", {"border": "fence"}, False),
        ("schlangennest", {"border": "frame"}, True),
        ("schlangennest", {"players": 4}, True),
        ("schlangennest", {"snakes": 2}, False),
        ("snakey-dice", {"players": 4, "map": "diy-xl"}, True),
    ],
    ids=str,
)
def test_a_network_serves_the_options_that_the_docs_name(
    game: str, options: dict[str, Any], expected: bool
) -> None:
    assert evaluator.serves(new_game(game, **options).variant) is expected


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({}, "schlangennest"),
        ({"border": "none"}, "schlangennest"),
        ({"players": 4}, "schlangennest-players"),
        ({"border": "frame"}, "schlangennest-players"),
    ],
    ids=str,
)
def test_of_two_networks_the_one_that_learnt_the_options_serves(options: dict[str, Any], name: str) -> None:
    assert evaluator.network_for(new_game("schlangennest", **options).variant).stem == name


def test_the_search_plays_where_onnx_runtime_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    monkeypatch.setattr(evaluator, "is_installed", lambda: False)
    evaluator._session.cache_clear()
    choice = agents.make("net:sims=2").choose(new_game("snekagon", side=4))
    assert "pip install" in str(choice.reasons.note)


@pytest.mark.parametrize(
    ("game", "options", "expected"),
    [
        ("schlangennest", {}, True),
        ("schlangennest", {"nest": "5x9"}, True),
        ("schlangennest", {"nest": "4x4"}, False),
        ("schlangennest", {"border": "none"}, False),
        ("schlangennest", {"nest": "hard"}, True),
        ("schlangennest", {"tail_first": True}, True),
        ("schlangennest", {"players": 3}, True),
        ("schlangennest", {"players": 3, "tail_first": True}, False),
        ("schlangennest", {"players": 4}, False),
        ("schlangennest", {"border": "frame"}, False),
        ("snakey-dice", {}, True),
        ("snakey-dice", {"players": 2}, True),
        ("snakey-dice", {"players": 3}, False),
        ("snekagon-5g", {}, False),
    ],
    ids=str,
)
def test_a_level_uses_a_network_where_one_fits(game: str, options: dict[str, int], expected: bool) -> None:
    """And where it is stronger than the search."""
    pytest.importorskip("onnxruntime")
    variant = new_game(game, **options).variant
    assert agents.uses_net("level:6", variant) is expected
    assert not agents.uses_net("level:5", variant)
    assert agents.uses_net("best:time=2s", variant) is expected
    stands_for = "net:time=2s,threads=2,wait=no" if expected else "mcts:time=2s,threads=2"
    assert agents.resolve("best:time=2s,threads=2", variant) == stands_for


def test_the_best_searches_without_a_network_where_onnx_runtime_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(evaluator, "is_installed", lambda: False)
    assert agents.resolve("best", new_game("snekagon").variant) == "mcts:time=1s"


def test_a_game_whose_highest_level_has_a_network_says_so() -> None:
    said = {game: agents.about_highest(new_game(game).variant, nets=True).key for game in games()}
    assert {game for game, key in said.items() if key == "agent.highest.net"} == set(games()) - {
        "snekagon-5g"
    }
    assert said["snekagon-5g"] == "agent.highest.search"
    # With other options it may search without one.
    three = new_game("snakey-dice", players=3).variant
    assert agents.about_highest(three, nets=True).key == "agent.highest.search"


def test_the_highest_level_is_an_agent_with_a_network() -> None:
    assert agents.make("level:6").name == "level:6"
    with pytest.raises(agents.BadAgent, match="yes or no"):
        agents.make("net:wait=maybe")
