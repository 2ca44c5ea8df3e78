"""Training on a CPU, very small, and playing with what came of it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

# PyTorch imports Triton, which asks only then whether kernels are to be interpreted.
os.environ["TRITON_INTERPRET"] = "1"
import torch

from snakeden.agents import BadAgent, make
from snakeden.cli import main
from snakeden.core.game import Variant
from snakeden.core.learning import START, geometry, symmetries
from snakeden.core.state import new_game
from snakeden.nets import checkpoints
from snakeden.nets.evaluator import MIX, TEMPERATURE, NetEvaluator, evaluator_of
from snakeden.nets.export import export
from snakeden.nets.games import Games
from snakeden.nets.inputs import BadNet, joined, layout_for, view_of
from snakeden.nets.learning import (
    Drawn,
    Images,
    LearningSettings,
    policy_loss,
    score_loss,
)
from snakeden.nets.model import Net, Outputs, averaged, folded, looked_at, refold, widened
from snakeden.nets.replay import Replay, Sample
from snakeden.nets.rewards import Scale, expected_of, rewards, scale_alone, victory_shares
from snakeden.nets.search import LOW, Encoder, Found, Inputs, Search, Settings, considered_visits, evaluate
from snakeden.nets.smoke import check_games, check_search
from snakeden.nets.training import Plan, Training, small
from snakeden.search.evaluators import MixedEvaluator

CPU = torch.device("cpu")
# Tests share their cores with others, and threads that wait for each other take longer than one.
torch.set_num_threads(1)
TINY = replace(
    small(
        # The learning rate falls with the clock: so long that it makes no difference how quick the machine is.
        Plan(minutes=600, blocks=1, channels=16, measure_simulations=4, search=Settings(considered=8, kept=8))
    ),
    fill=256,
    learning=LearningSettings(batch=128, average=0.9),
)


def _begun(variant: Variant, net: Net, n: int) -> tuple[Encoder, Games, Any]:
    """An encoder for the network, n games, and their first positions."""
    games = Games(variant, n, CPU, seed=3)
    states = games.opening.repeat(n, 1)
    games.step(states, torch.full((n,), START, dtype=torch.int32))
    return Encoder(view_of(variant, net.layout), len(net.layout.planes), CPU), games, states


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("snekagon", {"side": 3}),
        ("snekagon-5g", {"side": 4, "players": 3}),
        ("schlangennest", {}),
        ("snakey-dice", {"players": 2}),
    ],
)
def test_games_are_those_of_the_rules(game: str, options: dict[str, int]) -> None:
    check_games(new_game(game, **options).variant, CPU)


def test_halving_tries_every_action_and_then_fewer() -> None:
    assert considered_visits(4, 8) == (0, 0, 0, 0, 1, 1, 2, 2)
    assert considered_visits(1, 3) == (0, 1, 2)


def test_the_loss_of_a_policy_with_a_rest_is_that_of_the_classes() -> None:
    logits = torch.tensor([[1.0, 2.0, 0.5, -1e9, 0.0]])
    actions, policy = torch.tensor([[1, 0, -1]]), torch.tensor([[0.6, 0.1, 0.0]])
    p = torch.softmax(logits, 1)[0]
    wanted = -(0.6 * p[1].log() + 0.1 * p[0].log() + 0.3 * (p[2] + p[4]).log())
    assert policy_loss(logits, actions, policy)[0] == pytest.approx(float(wanted), abs=1e-5)


def test_a_network_sees_a_window_that_holds_all_cards_and_moves() -> None:
    variant = new_game("schlangennest").variant
    net = Net(layout_for([variant]), 1, 16)
    encoder, games, states = _begun(variant, net, 32)
    generator = torch.Generator().manual_seed(5)
    for _ in range(20):
        inputs = encoder.inputs(games, states, 2)
        assert inputs.fields is not None and inputs.planes.shape[2:] == encoder.inside.shape[2:] == (13, 13)
        whole, _ = games.observe(states)
        busy = (whole != whole[:, :, :1, :1]).any(1).flatten(1)
        assert torch.equal(busy.gather(1, inputs.fields).sum(1), busy.sum(1))
        policy = torch.ones(32, net.layout.policy_planes * 169 + 1)
        logits = encoder.logits(encoder.put_back(policy, inputs.fields))
        assert (logits[games.mask > 0] == 1).all()
        drawn = torch.rand(games.mask.shape, generator=generator)
        games.step(states, torch.where(games.mask > 0, drawn, -1.0).argmax(1).int(), again=True)


@pytest.mark.parametrize("game", ["snekagon", "schlangennest", "snakey-dice"])
def test_every_position_is_learnt_from_as_an_image_of_its_own(game: str) -> None:
    variant = new_game(game).variant
    found, view = symmetries(variant), view_of(variant, layout_for([variant]))
    images, count = Images(variant, view.featured, CPU), len(found)
    own = len(found[0].planes)
    planes = torch.rand(count, own + view.featured, view.rows, view.columns)
    mask = torch.rand(count, int(variant.tables.actions)) < 0.5
    actions = torch.randint(-1, int(variant.tables.actions), (count, 5))
    which = torch.arange(count)
    turned = images.planes(which, planes)
    for k, symmetry in enumerate(found):
        assert np.array_equal(turned[k, :own], symmetry.observation(planes[k, :own].numpy()))
        featured = np.arange(view.featured) if symmetry.features is None else symmetry.features
        image_of_features = replace(symmetry, planes=featured).observation
        assert np.array_equal(turned[k, own:], image_of_features(planes[k, own:].numpy()))
        assert np.array_equal(images.mask(which, mask)[k], symmetry.policy(mask[k].numpy()))
        wanted = [symmetry.action(int(action)) if action >= 0 else -1 for action in actions[k]]
        assert images.actions(which, actions)[k].tolist() == wanted


def test_the_loss_of_scores_is_least_at_their_mean() -> None:
    """Three games in ten end in a crash."""
    scores = torch.tensor([6.0] * 7 + [-6.0] * 3)[:, None]
    guesses = torch.linspace(-6, 6, 121)
    losses = [float(score_loss(guess.expand(10, 1), scores, Scale(0, 30)).mean()) for guess in guesses]
    assert float(guesses[losses.index(min(losses))]) == pytest.approx(float(scores.mean()), abs=0.06)


def _turn(replay: Replay, games: Games, expected: float, over: Any, scores: list[float]) -> None:
    """A turn of all games, in which the search expects this of seat 0, and which ends some with these scores."""
    n, none = games.n, torch.zeros(games.n, 1)
    shares = torch.tensor([expected, 1 - expected][: games.seats]).expand(n, games.seats)
    found = Found(none[:, 0].int(), none.long(), none + 1, none[:, 0], shares, none > 0)
    replay.add(games.opening.repeat(n, 1), found, torch.ones(n, dtype=torch.bool))
    replay.finish(over, torch.tensor(scores).expand(n, games.seats))


@pytest.mark.parametrize(("game", "won"), [("snekagon", 1.0), ("snakey-dice", 9.0)])
def test_games_that_go_on_are_learnt_from_by_what_is_expected_of_them_now(game: str, won: float) -> None:
    """In half of the places a game ends with the second turn, in the others it goes on."""
    games = Games(new_game(game).variant, 64, CPU)
    replay, ends = Replay(games, 1, 10 * 64), torch.arange(64) % 2 == 0
    for turn, expected in enumerate((0.25, 0.5, 0.75)):
        _turn(replay, games, expected, ends & (turn == 1), [9.0, 4.0][: games.seats])
    replay.look_back()
    sample = replay.sample(4096, torch.Generator().manual_seed(1))
    over = sample.over.bool()
    first = sample.expected[:, 0] < 0.7
    assert bool(over[first].any()) and not bool(over[~first].any())
    assert sample.outcome[over][:, 0].tolist() == [won] * int(over.sum())
    assert sample.outcome[~over][:, 0].tolist() == [0.75] * int((~over).sum())
    assert float(over.float().mean()) == pytest.approx(1 / 3, abs=0.03) and bool(sample.weight.all())


@pytest.mark.parametrize("td_lambda", [1.0, 0.9, 0.0])
def test_what_came_of_a_position_is_a_mean_of_what_came_later(td_lambda: float) -> None:
    """Games of several lengths, in a ring that is written over: compared with the recursion of TD(λ), move by move."""
    n, turns, generator = 16, 12, torch.Generator().manual_seed(3)
    games = Games(new_game("snakey-dice").variant, n, CPU)
    replay, none = Replay(games, 1, turns * n), torch.zeros(n, 1)
    expected, ends, scores = (
        torch.rand(3, 30, n, generator=generator) * torch.tensor([9.0, 1, 50])[:, None, None]
    )
    for turn in range(30):
        found = Found(none[:, 0].int(), none.long(), none + 1, none[:, 0], expected[turn, :, None], none > 0)
        replay.add(games.opening.repeat(n, 1), found, torch.ones(n, dtype=torch.bool))
        replay.finish(ends[turn] < 0.3, scores[turn, :, None])
    replay.look_back(td_lambda)
    wanted = {}
    for place in range(n):
        later = float(expected[29, place])
        for turn in range(29, 29 - turns, -1):
            if ends[turn, place] < 0.3:
                later = float(scores[turn, place])
            elif turn < 29:
                later = (1 - td_lambda) * float(expected[turn + 1, place]) + td_lambda * later
            wanted[round(float(expected[turn, place]), 5)] = later
    sample = replay.sample(2000, generator)
    found_here = {round(float(e), 5): float(o) for e, o in zip(sample.expected, sample.outcome, strict=True)}
    assert found_here == pytest.approx(wanted, abs=1e-4) and len(wanted) == turns * n


@pytest.mark.parametrize("windowed", [True, False])
def test_what_is_drawn_is_cut_into_pieces_row_by_row(windowed: bool) -> None:
    rows = torch.arange(12)
    wide = rows[:, None].expand(12, 3)
    inputs = Inputs(wide[:, :, None, None], wide, wide if windowed else None)
    pieces = Drawn(inputs, Sample(wide, wide, wide, wide, wide, wide, rows, rows), wide).pieces(4)
    for k, piece in enumerate(pieces):
        wanted = [3 * k, 3 * k + 1, 3 * k + 2]
        held = [
            piece.inputs.planes[:, 0, 0, 0],
            piece.inputs.standings[:, 0],
            piece.mask[:, 0],
            piece.sample.weight,
        ]
        held += [each[:, 0] for each in piece.sample[:6]]
        held += [piece.inputs.fields[:, 0]] if piece.inputs.fields is not None else []
        assert all(each.tolist() == wanted for each in held) and len(held) == 10 + windowed
    assert len(pieces) == 4


def test_values_are_learnt_from_outcomes_and_what_searches_expect(tmp_path: Path) -> None:
    variant = new_game("snekagon", side=3).variant
    training = Training([variant], TINY, tmp_path, resume=False, device=CPU, begun=time.time())
    for _ in range(10):
        training.turn()
    data = training.parts[0].data
    drawn = data.draw(2, torch.Generator().manual_seed(1))
    outcome, expected, n = drawn.sample.outcome, drawn.sample.expected, len(drawn.mask)
    silent = torch.zeros(n, training.learner.net.layout.policy_planes * 25 + 1)
    ratios = (0.0, 0.25, 1.0)
    for q_ratio in ratios:
        losses = []
        for other in ratios:
            said = torch.lerp(outcome, expected, other).clamp(min=1e-3).log()
            losses.append(float(data.loss(Outputs(silent, said, torch.zeros(n, 2)), drawn, q_ratio)[1]))
        assert losses.index(min(losses)) == ratios.index(q_ratio), (q_ratio, losses)


def test_what_is_expected_follows_from_the_reward() -> None:
    scale = Scale(20, 30)
    scores, wins = torch.tensor([[30.0, 25.0, 10.0]]), torch.tensor([[0.5, 0.3, 0.2], [0.1, 0.9, 0.0]])
    worth = rewards(wins, scores.expand(2, 3), scale)
    assert torch.allclose(expected_of(wins[:1], worth[1:] - worth[:1], scale), wins[1:], atol=1e-3)
    alone = [rewards(torch.ones(1, 1), torch.tensor([[points]]), scale) for points in (35.0, 50.0)]
    found = expected_of(torch.tensor([[35.0]]), alone[1] - alone[0], scale)
    assert found.tolist() == [[pytest.approx(50.0, abs=1e-3)]]


def test_a_search_expects_how_a_game_ends_where_it_sees_the_end() -> None:
    variant = new_game("snekagon", side=3).variant
    torch.manual_seed(0)
    net = folded(Net(layout_for([variant]), 1, 16))
    encoder, games, states = _begun(variant, net, 64)
    search = Search(games, encoder, Settings(simulations=8, considered=8, kept=8), Scale(0, 1000))
    generator, seen = torch.Generator().manual_seed(5), 0
    for _ in range(12):
        before, found = states.clone(), search.run(net, states, noise=False)
        games.step(states, found.action, again=True)
        last = games.over.bool() & (found.mask.sum(1) == 1)
        wanted = victory_shares(games.scores[last].float())
        assert torch.allclose(found.expected[last], wanted, atol=0.02)
        assert torch.allclose(found.expected.sum(1), torch.ones(64), atol=1e-5)
        seen += int(last.sum())
        games.list_legal(before)
        drawn = torch.rand(games.mask.shape, generator=generator)
        games.step(before, torch.where(games.mask.bool(), drawn, -1.0).argmax(1).int(), again=True)
        states = before
    assert seen > 5


@pytest.mark.parametrize(("game", "options"), [("snekagon", {"side": 3}), ("snekagon-5g", {"side": 4})])
def test_symmetries_move_whole_planes_of_the_policy(game: str, options: dict[str, int]) -> None:
    """Two placements of one shape have images of one shape."""
    variant = new_game(game, **options).variant
    where = geometry(variant)
    fields = where.inside.size
    plane = where.terms[:, 0] // fields
    for symmetry in symmetries(variant):
        images: dict[int, int] = {}
        for action, image in enumerate(symmetry.actions.tolist()):
            assert images.setdefault(int(plane[action]), int(plane[image])) == int(plane[image])


def test_a_folded_net_says_the_same() -> None:
    variant = new_game("snekagon", side=3).variant
    net = Net(layout_for([variant]), 2, 16)
    for module in net.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.normal_(0, 0.1)
            module.running_var.uniform_(0.5, 2)
    inputs = torch.rand(3, len(net.layout.planes), 5, 5), torch.rand(3, 2), torch.ones(1, 1, 5, 5)
    player = folded(Net(net.layout, 2, 16))
    refold(player, net)
    for one, other, third in zip(net.eval()(*inputs), folded(net)(*inputs), player(*inputs), strict=True):
        assert torch.allclose(one, other, atol=1e-4)
        assert torch.equal(other, third)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_net_that_expects_no_gain_says_the_scores_as_they_stand(dtype: Any) -> None:
    variant = new_game("snakey-dice").variant
    net, scale = Net(layout_for([variant]), 1, 16), Scale(0, 100)
    torch.nn.init.zeros_(net.scores.weight)
    encoder, games, states = _begun(variant, net, 8)
    for _ in range(12):
        games.step(states, games.mask.int().argmax(1).int(), again=True)
    with torch.no_grad():
        found = evaluate(folded(net, dtype), encoder, games, states, scale).worth
    wanted = rewards(torch.ones(8, 1), games.standings(states).float(), scale)
    assert torch.allclose(found, wanted, atol=1e-5)


def test_what_lies_before_a_head_decides_how_dice_are_used() -> None:
    """The outputs that belong to no field see the field that the viewer's head faces, wherever that is."""
    variant = new_game("snakey-dice").variant
    net = Net(layout_for([variant]), 1, 16).eval()
    assert len(net.focus) == 4
    features = torch.zeros(1, 16, 13, 13)
    features[0, :, 4, 7] = torch.arange(16.0)
    marked = torch.zeros(1, 4, 13, 13)
    marked[0, 2, 4, 7] = 1
    seen = looked_at(features, marked).view(4, 16)
    assert seen[2].tolist() == list(range(16)) and not seen[[0, 1, 3]].any()


def test_alone_a_search_tells_moves_apart_by_a_few_points() -> None:
    """A network that knows nothing but what is gained: where a search finds a difference, its policy says so."""
    variant = new_game("snakey-dice").variant
    torch.manual_seed(0)
    net = Net(layout_for([variant]), 1, 16)
    encoder, games, states = _begun(variant, net, 64)
    for _ in range(10):
        drawn = torch.rand(games.mask.shape)
        games.step(states, torch.where(games.mask.bool(), drawn, -1.0).argmax(1).int(), again=True)
    settings = Settings(simulations=16, considered=8, kept=8)
    search = Search(games, encoder, settings, scale_alone(-100.0, 25.0))
    found = search.run(folded(net), states, noise=False)
    legal = found.mask.sum(1)
    assert float((found.policy.amax(1) - 1 / legal)[legal > 1].mean()) > 0.2


@pytest.mark.parametrize(
    ("game", "options"), [("snekagon", [{"side": 3}]), ("snakey-dice", [{"players": 1}, {"players": 2}])]
)
def test_an_exported_net_evaluates_as_in_training(
    game: str, options: list[dict[str, int]], tmp_path: Path
) -> None:
    variants = [new_game(game, **each).variant for each in options]
    net = Net(layout_for(variants), 2, 16)
    for parameter in net.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    export(net, tmp_path / "net.onnx", {})
    for variant in variants:
        games = Games(variant, 6, CPU, seed=3)
        states = games.opening.repeat(6, 1)
        games.step(states, torch.full((6,), START, dtype=torch.int32))
        encoder = Encoder(view_of(variant, net.layout), len(net.layout.planes), CPU)
        for _ in range(4):
            with torch.no_grad():
                wanted = evaluate(folded(net), encoder, games, states, Scale())
            found = NetEvaluator(variant, tmp_path / "net.onnx")(
                states.numpy().view(variant.game.rules.DTYPE)
            )
            logits = encoder.logits(wanted.policy).masked_fill(games.mask == 0, LOW)
            assert found.priors == pytest.approx(torch.softmax(logits / TEMPERATURE, 1).numpy(), abs=1e-4)
            wins, scores = torch.from_numpy(found.values).float().chunk(2, 1)
            assert torch.allclose(rewards(wins, scores, Scale()), wanted.worth, atol=1e-3)
            games.step(states, games.mask.int().argmax(1).int(), again=True)


@pytest.mark.parametrize(
    ("game", "options"),
    [("snekagon-5g", {"side": 4, "players": 3}), ("snakey-dice", {"players": 2})],
)
def test_kernels_for_a_gpu_search_as_torch_does(game: str, options: dict[str, int]) -> None:
    """By Triton's interpreter."""
    pytest.importorskip("triton")
    from snakeden.nets import tree_kernels

    variant, n = new_game(game, **options).variant, 2
    torch.manual_seed(1)
    net = Net(layout_for([variant]), 1, 16)
    for parameter in net.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    encoder = Encoder(view_of(variant, net.layout), len(net.layout.planes), CPU)
    found = []
    for kernels in (None, tree_kernels):
        games = Games(variant, n, CPU, seed=3)
        states = games.opening.repeat(n, 1)
        games.step(states, torch.full((n,), START, dtype=torch.int32))
        search = Search(games, encoder, Settings(simulations=12, considered=4, kept=6), Scale())
        search.kernels = kernels
        found.append(search.run(folded(net), states, noise=False))
        # Noise is not the same by other means, but it may not lead to what is not legal.
        check_search(search, folded(net), states)
    wanted, got = found
    assert torch.equal(wanted.action, got.action)
    assert torch.allclose(wanted.value, got.value, atol=1e-5)
    for row in range(n):
        by_action = dict(zip(wanted.actions[row].tolist(), wanted.policy[row].tolist(), strict=True))
        again = dict(zip(got.actions[row].tolist(), got.policy[row].tolist(), strict=True))
        assert again == pytest.approx(by_action, abs=1e-5)


def test_an_agent_plays_with_a_net_and_says_when_it_has_none(tmp_path: Path) -> None:
    state = new_game("snekagon", side=3)
    export(Net(layout_for([state.variant]), 1, 16), tmp_path / "net.onnx", {})
    choice = make(f"net:sims=20,solver=no,file={tmp_path / 'net.onnx'}").choose(state)
    assert choice.reasons.simulations == 20 and choice.reasons.note is None
    other = new_game("schlangennest")
    with pytest.raises(BadNet, match="planes"):
        make(f"net:sims=20,solver=no,file={tmp_path / 'net.onnx'}").choose(other)
    with pytest.raises(BadAgent, match="missing"):
        make("net:file=missing.onnx")


@pytest.mark.parametrize(("players", "mixed"), [(1, False), (2, True)])
def test_a_card_gives_playouts_a_share_but_not_alone(players: int, mixed: bool, tmp_path: Path) -> None:
    variants = [new_game("snakey-dice", players=each).variant for each in (1, 2)]
    export(Net(layout_for(variants), 1, 16), tmp_path / "net.onnx", {MIX: 0.5})
    found = evaluator_of(variants[players - 1], tmp_path / "net.onnx")
    assert isinstance(found, MixedEvaluator) is mixed
    assert not isinstance(evaluator_of(variants[players - 1], tmp_path / "net.onnx", mix=0), MixedEvaluator)


def test_a_net_for_two_does_not_take_three() -> None:
    two, three = (new_game("snekagon-5g", side=4, players=players).variant for players in (2, 3))
    assert len(view_of(two, layout_for([two, three])).slots) < len(layout_for([two, three]).planes)
    with pytest.raises(BadNet, match="3 seats"):
        view_of(three, layout_for([two]))


def test_a_tiny_training_learns_and_goes_on(tmp_path: Path) -> None:
    variant = new_game("snekagon", side=3).variant
    begun = time.time()
    training = Training([variant], TINY, tmp_path, resume=False, device=CPU, begun=begun)
    losses = []
    for steps in (8, 60, 68):
        while training.learner.steps < steps:
            training.turn()
        losses.append(training.learner.figures()["score_loss"])
    assert losses[2] < 0.8 * losses[0]
    check_search(
        training.parts[0].playing.search, folded(training.learner.net), training.parts[0].playing.states
    )
    assert set(training.measure()) >= {"best", "greedy"}
    training.keep()
    kept = tmp_path / "progress.json"
    kept.write_text(json.dumps(json.loads(kept.read_text()) | {"note": "begun elsewhere"}))
    again = Training([variant], TINY, tmp_path, resume=True, device=CPU, begun=begun)
    taken = again.learner.steps
    while again.learner.steps < taken + 4:
        again.turn()
    assert again.progress()["steps"] >= 64 and len(again.curve) == 1
    assert again.progress()["note"] == "begun elsewhere"
    # What has been learnt plays a game.
    export(again.learner.average.net, tmp_path / "net.onnx", again.progress())
    players = [make(f"net:sims=8,solver=no,file={tmp_path / 'net.onnx'}"), make("greedy")]
    state = new_game("snekagon", side=3)
    while state.player is not None:
        choice = players[state.player].choose(state)
        # Without a network the search would say so.
        assert state.player == 1 or choice.reasons.note is None
        state = state.play(choice.move)
    assert min(state.scores()) > 0
    # A run that goes on has games at all their stages from the start,
    fresh = Training([variant], TINY, tmp_path, resume=True, device=CPU, begun=begun).parts[0].playing
    fresh.games.list_legal(fresh.states)
    assert len(fresh.games.counts.unique()) > 4
    # and plays other games than the one before.
    assert not torch.equal(again.parts[0].playing.games.rngs, training.parts[0].playing.games.rngs)


@pytest.mark.parametrize(
    ("game", "options", "more"),
    [
        ("schlangennest", {}, {"players": 3}),
        ("schlangennest", {}, {"border": "frame"}),
        ("snakey-dice", {}, {"players": 2}),
        ("snekagon-5g", {"side": 4}, {"side": 4, "players": 3}),
    ],
)
def test_a_widened_net_says_the_same_of_what_it_knew(
    game: str, options: dict[str, Any], more: dict[str, Any]
) -> None:
    variant, other = (new_game(game, **given).variant for given in (options, more))
    net = Net(layout_for([variant]), 2, 16).eval()
    wide = widened(net, joined(net.layout, layout_for([other]))).eval()
    before, games, states = _begun(variant, net, 4)
    after = Encoder(view_of(variant, wide.layout), len(wide.layout.planes), CPU)
    for _ in range(3):
        games.step(states, games.mask.int().argmax(1).int(), again=True)
    scale = Scale(0, 10)
    with torch.no_grad():
        one = evaluate(net, before, games, states, scale)
        two = evaluate(wide, after, games, states, scale)
    assert torch.allclose(one.worth, two.worth, atol=1e-5)
    assert torch.allclose(before.logits(one.policy), after.logits(two.policy), atol=1e-5)
    view_of(other, wide.layout)


def test_a_mean_of_nets_lies_between_them() -> None:
    two, three = (new_game("schlangennest", players=players).variant for players in (2, 3))
    one, other = Net(layout_for([two]), 1, 16), Net(layout_for([two]), 1, 16)
    wide = widened(other, joined(other.layout, layout_for([three])))
    for first, second in ((one, wide), (wide, one)):
        between = dict(averaged(first, second, 0.25).named_parameters())
        ends = dict(first.named_parameters()), dict(second.named_parameters())
        kept = one.stem.conv.weight.shape[1]
        expected = [each["stem.conv.weight"][:, :kept] for each in ends]
        assert torch.allclose(
            between["stem.conv.weight"][:, :kept], 0.75 * expected[0] + 0.25 * expected[1], atol=1e-6
        )
        # Only one of them knows a third player.
        assert torch.equal(between["wins.weight"][2], wide.wins.weight[2])
    for share, end in ((0.0, one), (1.0, other)):
        for weights, expected in zip(averaged(one, other, share).parameters(), end.parameters(), strict=True):
            assert torch.equal(weights, expected)
    with pytest.raises(BadNet, match="same size"):
        averaged(one, Net(layout_for([two]), 1, 8), 0.5)


def test_a_mean_of_runs_is_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    variant, folders = new_game("snekagon", side=3).variant, [tmp_path / name for name in ("a", "b", "mean")]
    for seed, folder in enumerate(folders[:2]):
        plan = replace(TINY, seed=seed)
        Training([variant], plan, folder, resume=False, device=CPU, begun=time.time()).keep()
    a, b, mean = map(str, folders)
    assert main(["nets", "average", a, b, "--share", "0.5", "--out", mean]) == 0
    again = Training([variant], TINY, folders[2], resume=True, device=CPU, begun=time.time())
    assert again.before["commands"][-1] == f"snakeden nets average {a} {b} --share 0.5 --out {mean}"
    one, other = (checkpoints.read_net(folder / checkpoints.NET) for folder in folders[:2])
    for going_on in (again.learner.net, again.learner.average.net):
        assert all(map(torch.equal, going_on.parameters(), averaged(one, other, 0.5).parameters()))
    assert main(["nets", "average", a, b, "--share", "2", "--out", mean]) == 2
    assert "give one from 0 to 1" in capsys.readouterr().err


def test_a_run_goes_on_with_more_players(tmp_path: Path) -> None:
    two, three = (new_game("schlangennest", players=players).variant for players in (2, 3))
    begun = time.time()
    first = Training([two], TINY, tmp_path, resume=False, device=CPU, begun=begun)
    first.keep()
    more = Training([two, three], TINY, tmp_path, resume=True, device=CPU, begun=begun)
    assert more.learner.average.net.layout.seats == 3
    while more.learner.steps < 2:
        more.turn()
    more.keep()
    assert more.progress()["variants"] == [dict(two.given), {"players": 3}]


def test_random_beginnings_are_as_long_as_the_plan_says(tmp_path: Path) -> None:
    variant = new_game("snekagon", side=3).variant
    lengths = []
    for again in (0.0, 0.75):
        plan = replace(TINY, games=2000, random_first=0.5, random_again=again)
        playing = (
            Training([variant], plan, tmp_path, resume=False, device=CPU, begun=time.time()).parts[0].playing
        )
        lengths.append(playing._draw_random_moves().float())
    # Half of the games have one random move, or four on average.
    assert torch.equal(lengths[0].unique(), torch.tensor([0.0, 1.0]))
    assert abs(lengths[0].mean() - 0.5) < 0.06
    assert abs(lengths[1].mean() - 2.0) < 0.4
    with pytest.raises(ValueError, match="below 1"):
        replace(TINY, random_again=1.0)


def test_the_trials_network_is_written_with_all_it_knew(tmp_path: Path) -> None:
    """Its moves without a search beat greedy almost always; with a plane in the wrong place they would not."""
    pytest.importorskip("onnxruntime")
    file = tmp_path / "trial.onnx"
    tool = Path(__file__).parents[1] / "tools" / "trial_network.py"
    subprocess.run([sys.executable, str(tool), "--full", "-o", str(file)], check=True, capture_output=True)
    net, greedy = make(f"net:sims=1,solver=no,file={file}", seed=1), make("greedy", seed=1)
    generator, won = random.Random(1), 0
    for game in range(6):
        state = new_game("snekagon")
        state = state.play(generator.choice(state.legal_moves()))
        while not state.is_over:
            agent = net if state.player == game % 2 else greedy
            state = state.play(agent.choose(state).move)
        won += state.winners() == (game % 2,)
    assert won >= 5
