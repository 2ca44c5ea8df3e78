"""Engines: agents that speak UGI, and programs of other people at the arena's tables."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from pathlib import Path

import pytest

import snakeden
from snakeden import agents
from snakeden.agents.ugi import Engine
from snakeden.arena import Match, standings
from snakeden.arena.engines import EngineAgent, make
from snakeden.arena.matches import play_one
from snakeden.cli import main
from snakeden.records import read
from snakeden.server.actions import check_agent
from snakeden.server.errors import Refused

ROOT = Path(__file__).parent.parent


def answers(*lines: str, agent: str = "greedy") -> list[str]:
    answered: list[str] = []
    Engine(agent, answered.append).run(lines)
    return answered


# ---- the house's agents as engines


def test_it_introduces_itself_with_the_options_of_the_game() -> None:
    answered = answers("setoption name Game value schlangennest", "ugi", "isready")
    assert answered[0].startswith("id name Snakeden")
    assert "option name players type spin default 2 min 2 max 4" in answered
    assert "option name tail_first type check default false" in answered
    assert answered[-2:] == ["ugiok", "readyok"]


def test_it_plays_a_legal_move_of_the_position_told() -> None:
    state = snakeden.new_game("snekagon", side=3).play("c3")
    for position in ("position startpos moves c3", f"position fen {state.text}"):
        answered = answers("setoption name side value 3", position, "go")
        assert answered[-1].startswith("bestmove ")
        state.move(answered[-1].split()[1])


def test_it_keeps_to_the_moves_that_are_asked_for() -> None:
    lines = ("setoption name side value 3", "position startpos", "go searchmoves e1 e2")
    assert answers(*lines)[-1] in ("bestmove e1", "bestmove e2")


def test_it_says_whose_turn_it_is_and_who_won() -> None:
    state = snakeden.new_game("snakey-dice", players=3)
    first = state.legal_moves()[0].text
    setting = ("setoption name Game value snakey-dice", "setoption name players value 3")
    questions = (
        "query turn",
        "query p1turn",
        "query p2turn",
        "query gameover",
        "query result",
        "query scores",
    )
    answered = answers(*setting, *questions, f"position startpos moves {first}", "query turn", "query moves")
    scores = "response " + " ".join(map(str, state.scores()))
    beginning = ["response 0", "response true", "response false", "response false", "response none", scores]
    assert answered[:6] == beginning
    after = state.play(first)
    assert answered[6] == f"response {after.player}"
    assert answered[7] == "response " + " ".join(move.text for move in after.legal_moves())


def test_dice_are_rolled_by_whoever_leads_the_game() -> None:
    answered = answers("setoption name Game value snakey-dice", "query turn", "go", "quit", "query turn")
    assert answered[0] == "response chance"
    assert "no player is to move" in answered[1]
    assert answered[2:] == ["bestmove none"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("position startpos moves zz", "error"),
        ("position somewhere", "position startpos moves"),
        ("setoption name depth value 3", "options are Game, Agent, side"),
        ("setoption name Game value chess", "there is no game 'chess'"),
        ("setoption name Agent value clever", "there is no agent"),
        ("query weather", "ask p1turn"),
        ("dance", "there is no command 'dance'"),
    ],
)
def test_what_it_does_not_understand_it_says_and_goes_on(line: str, message: str) -> None:
    first, last = answers(line, "query turn")
    assert first.startswith("info string error: ")
    assert message in first
    assert last == "response 0"


def test_stop_ends_a_search() -> None:
    answered: list[str] = []
    engine = Engine("mcts:sims=1000000000", answered.append)
    engine.handle("setoption name side value 3")
    engine.handle("go")
    engine.handle("stop")
    engine.handle("query turn")  # waits for the search
    assert [line.split()[0] for line in answered[-2:]] == ["bestmove", "response"]


# ---- other people's engines


def program(tmp_path: Path, body: str) -> str:
    """An engine in Python whose answer to `go` is `body`, over `moves`, the legal moves."""
    path = tmp_path / "program.py"
    path.write_text(
        "import sys, time, os\n"
        "for line in sys.stdin:\n"
        "    words = line.split()\n"
        "    if words[0] == 'ugi': print('id name Test', 'ugiok', sep='\\n', flush=True)\n"
        "    if words[0] == 'isready': print('readyok', flush=True)\n"
        "    if words[0] == 'quit': break\n"
        "    if words[0] == 'go':\n"
        "        moves = words[words.index('searchmoves') + 1:]\n" + textwrap.indent(body, "        ") + "\n"
    )
    return f"{sys.executable} {path}"


def played(
    *names: str, game: str = "snekagon", **options: object
) -> tuple[Match, list[snakeden.arena.Played]]:
    match = Match(names, game, options, games=2)
    return match, [play_one(match, plan) for plan in match.plan()]


def test_an_engine_plays_whole_games(tmp_path: Path) -> None:
    name = "engine:" + program(tmp_path, "print('bestmove', moves[-1], flush=True)")
    _, games = played("random", name, side=3)
    assert [(game.error, game.forfeits) for game in games] == [("", ()), ("", ())]
    for game in games:
        record = read(game.record)
        record.check()
        engine = game.seating.index(name)
        # One random move opens the game; what the engine played is the last of the moves listed.
        for state, move in list(zip(record.states(), record.moves, strict=False))[1:]:
            if state.player == engine:
                assert move == state.legal_moves()[-1].text


@pytest.mark.parametrize(
    ("body", "reason", "termination"),
    [
        ("sys.exit(3)", "crashed: it ended with status 3", "resignation"),
        ("print('bestmove nonsense', flush=True)", "played an illegal move", "resignation"),
        ("print('bestmove', flush=True)", "played an illegal move", "resignation"),
        ("time.sleep(60)", "took longer than 1.05 s for a move", "time"),
        ("os.close(1); time.sleep(60)", "crashed: it closed its output", "resignation"),
        ("while True: print('info string thinking', flush=True)", "took longer than 1.05 s", "time"),
    ],
)
def test_an_engine_that_fails_has_lost(tmp_path: Path, body: str, reason: str, termination: str) -> None:
    name = "engine:time=50ms," + program(tmp_path, body)
    match, games = played("random", name, side=3)
    for game in games:
        engine = game.seating.index(name)
        assert not game.error
        assert game.winners == (1 - engine,)
        (forfeit,) = game.forfeits
        assert forfeit.startswith(f"seat {engine}: {name}")
        assert reason in forfeit
        outcome = read(game.record).outcome
        assert outcome is not None
        assert outcome.termination == termination
    assert [(table.agent, table.wins) for table in standings(match.agents, games)] == [
        ("random", 2),
        (name, 0),
    ]


def test_an_engine_that_reads_nothing_more_runs_out_of_time(tmp_path: Path) -> None:
    """Its moves to choose from are more than a pipe holds. The program is one that another has started."""
    path = tmp_path / "deaf.py"
    path.write_text("import time\nprint('ugiok', 'readyok', sep='\\n', flush=True)\ntime.sleep(60)\n")
    script = tmp_path / "start.sh"
    script.write_text(f"{sys.executable} {path}\nexit 1\n")
    _, games = played("random", f"engine:time=50ms,sh {script}", game="snekagon-5g", players=2)
    for game in games:
        assert not game.error
        assert "took longer than 1.05 s for a move" in game.forfeits[0]


def test_the_command_tells_of_lost_games_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "engine:" + program(tmp_path, "sys.exit(3)")
    assert main(["arena", "random", name, "--set", "side=3", "--games", "2", "--jobs", "1"]) == 0
    printed = capsys.readouterr()
    assert printed.err.count("crashed: it ended with status 3") == 2
    assert "2 of 2 games were lost by engines" in printed.out


def test_of_three_players_the_others_go_on(tmp_path: Path) -> None:
    name = "engine:" + program(tmp_path, "sys.exit(1)")
    match = Match(("random", "greedy", name), "snekagon-5g", {"players": 3, "side": 4}, games=1)
    game = play_one(match, match.plan()[0])
    assert not game.error
    assert game.seating.index(name) not in game.winners
    assert len(read(game.record).moves) > 10
    read(game.record).check()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("engine:", "give a command"),
        ("engine:./no-such-program", "there is no program './no-such-program'"),
        ("engine:'", "cannot be read"),
        ("engine:time=0s,true", "more than 0"),
    ],
)
def test_what_cannot_be_run_is_refused_in_words(name: str, message: str) -> None:
    with pytest.raises(agents.BadAgent, match=message):
        make(name)


def test_only_the_arena_runs_programs() -> None:
    with pytest.raises(agents.BadAgent):
        agents.make("engine:true")
    with pytest.raises(Refused):
        check_agent("engine:true")


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_example_in_javascript_plays(capsys: pytest.CaptureFixture[str]) -> None:
    name = f"engine:node {ROOT / 'examples' / 'engine.mjs'}"
    arguments = ["arena", "random", name, "--set", "side=3", "--games", "2", "--jobs", "1", "--json"]
    assert main(arguments) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["broken"] == last["forfeited"] == 0
    assert sum(row["games"] for row in last["agents"]) == 4


def test_an_agent_of_the_house_plays_through_the_protocol() -> None:
    agent = EngineAgent(f"engine:time=30s,{sys.executable} -m snakeden engine --agent greedy")
    try:
        state = snakeden.new_game("snekagon", side=3)
        agent.history = []
        for _ in range(3):
            move = agent.choose(state).move
            agent.history.append(move.text)
            state = state.play(move)
    finally:
        agent.close()
    assert len(state.legal_moves()) > 0
