"""The lab: studies as files, games played once and alike whoever plays them, and what is concluded from them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import snakeden
from snakeden import records
from snakeden.cli import main
from snakeden.lab import read_study, run
from snakeden.lab.balance import balance
from snakeden.lab.pieces import uses
from snakeden.lab.results import read_rows
from snakeden.lab.statistics import bootstrap, holm, p_of_mean, wilson
from snakeden.lab.study import BadStudy, different_moves, parse

SMALL = """
title = "Small"
question = "Does it work?"
seed = 3

[[settings]]
game = "snekagon"
options = { side = [3, 4], second_single = [false, true] }
agents = ["random", "greedy"]
games = 6

[[settings]]
game = "snakey-dice"
agents = ["random"]
games = 5
"""

LONGER = """
title = "Longer"
seed = 5

[[settings]]
game = "snekagon"
options = { side = [4, 5] }
agents = ["mcts:sims=60,solver=no"]
games = 60
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "study.toml"
    path.write_text(text)
    return path


def test_a_study_plays_every_combination_of_its_alternatives() -> None:
    study = parse(SMALL)
    assert len(study.settings) == 2 * 2 * 2 + 1
    assert study.most_games == 8 * 6 + 5
    first = study.settings[0]
    assert (first.game, first.options, first.seating) == ("snekagon", {"side": 3}, ("random", "random"))
    assert len({setting.key for setting in study.settings}) == 9
    assert study.settings[-1].seating == ("random",)


def test_lists_of_lists_are_alternatives_of_an_option_that_is_a_list() -> None:
    one = 'title = "5G"\n[[settings]]\ngame = "snekagon-5g"\ngames = 1\nagents = ["random"]\n'
    both = parse(one + 'options = { snakes = [["mamba", "cobra"], ["cobra", "mamba"]] }').settings
    assert [setting.options["snakes"] for setting in both] == [("mamba", "cobra"), ("cobra", "mamba")]
    assert len(parse(one + 'options = { snakes = ["mamba", "cobra"] }').settings) == 1


def test_every_order_of_different_agents_can_be_asked_for() -> None:
    text = 'title = "All"\n[[settings]]\ngame = "snekagon"\nagents = ["random", "greedy", "level:1"]\n'
    found = parse(text + 'seating = "all"\ngames = 1').settings
    assert len({setting.seating for setting in found}) == 6
    assert all(len(set(setting.seating)) == 2 for setting in found)


@pytest.mark.parametrize(("side", "count"), [(3, 4), (4, 6), (6, 12)])
def test_first_moves_up_to_symmetry_stand_for_all_first_moves(side: int, count: int) -> None:
    start = snakeden.new_game("snekagon", side=side)
    found = different_moves(start)
    assert len(found) == count
    assert sorted(move for alike in found.values() for move in alike) == sorted(
        move.text for move in start.legal_moves()
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("title =", "not TOML"),
        ("seed = 1", "give a title"),
        ('title = "T"', "nothing is to be played"),
        ('title = "T"\nsede = 1', "has no 'sede'"),
        ('title = "T"\nseed = "x"\n[[settings]]', "give a whole number"),
        ('title = "T"\n[[settings]]\ngames = 3', "name a game"),
        ('title = "T"\n[[settings]]\ngame = "chess"\ngames = 3', "the games are"),
        ('title = "T"\n[[settings]]\ngame = "snekagon"\ngames = 3', "name the agents"),
        ('title = "T"\n[[settings]]\ngame = "snekagon"\nagents = ["random"]', "how many games"),
        ('title = "T"\n[[settings]]\ngame = "snekagon"\nagents = ["random"]\ngames = 0', "from 1 to"),
        ('title = "T"\n[[settings]]\ngame = "snekagon"\nagents = ["x"]\ngames = 1', "there is no agent"),
        ('title = "T"\n[[settings]]\ngame = "snekagon"\nagents = ["engine:x"]\ngames = 1', "no programs"),
        ('title = "T"\n[[settings]]\ngame = "snekagon"\nagents = ["random"]\nwidth = 2', "between 0 and 1"),
        (
            'title = "T"\n[[settings]]\ngame = "snakey-dice"\nagents = ["random"]\nwidth = 0.1',
            "nobody does alone",
        ),
        (
            'title = "T"\n[[settings]]\ngame = "snekagon"\nagents = ["random"]\ngames = 1\noptions = {side = 99}',
            "side",
        ),
        (
            'title = "T"\n[[settings]]\ngame = "snekagon"\nagents = ["random"]\ngames = 1\noptions = {side = [4, 4]}',
            "more than once",
        ),
        (
            'title = "T"\n[[settings]]\ngame = "snekagon"\nagents = ["random"]\ngames = 1\nfirst_moves = ["z9"]',
            "z9",
        ),
    ],
)
def test_mistakes_in_a_study_are_told_in_words(
    text: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lab", "run", str(written(tmp_path, text)), "-o", str(tmp_path / "out")]) == 2
    assert expected in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_results_are_rows_with_records_that_replay(tmp_path: Path) -> None:
    study = read_study(written(tmp_path, SMALL))
    assert run(study, tmp_path / "out", jobs=1) == 0
    rows = read_rows(tmp_path / "out")
    assert len(rows) == study.most_games
    for row in rows:
        record = records.read(row["record"])
        last = record.check()
        outcome = last.outcome()
        assert outcome is not None
        assert (row["scores"], row["points"]) == (list(outcome.scores), list(outcome.shares))
        assert row["plies"] == len(record.moves)
        assert len(row["movers"]) == len(row["legal"]) == len(row["leads"])
        assert min(row["legal"]) >= 1


def test_settings_differ_by_what_they_are_and_not_by_their_dice(tmp_path: Path) -> None:
    text = 'title = "Dice"\n[[settings]]\ngame = "snakey-dice"\nagents = ["random", "greedy"]\ngames = 3'
    run(parse(text), tmp_path, jobs=1)
    first: dict[int, set[str]] = {}
    for row in read_rows(tmp_path):
        first.setdefault(row["number"], set()).add(records.read(row["record"]).moves[0])
    assert all(len(rolls) == 1 for rolls in first.values())


def test_a_study_that_is_extended_keeps_its_games(tmp_path: Path) -> None:
    short = SMALL.replace("games = 6", "games = 2").replace("side = [3, 4]", "side = [3]")
    run(parse(short), tmp_path / "out", jobs=1)
    before = read_rows(tmp_path / "out")
    run(parse(SMALL), tmp_path / "out", jobs=1)
    run(parse(SMALL), tmp_path / "whole", jobs=1)
    table = (tmp_path / "out" / "results.parquet").read_bytes()
    assert table == (tmp_path / "whole" / "results.parquet").read_bytes()
    assert all(row in read_rows(tmp_path / "out") for row in before)
    with pytest.raises(BadStudy, match="another seed"):
        run(parse(SMALL.replace("seed = 3", "seed = 4")), tmp_path / "out")


def test_a_wanted_width_is_reached_in_steps_and_no_further(tmp_path: Path) -> None:
    text = (
        'title = "Width"\n[[settings]]\ngame = "snekagon"\noptions = {side = 3}\nagents = ["random"]\n'
        "width = 0.2\nmost = 500\n"
    )
    run(parse(text), tmp_path, jobs=1)
    rows = read_rows(tmp_path)
    counts = [50 * k for k in range(1, len(rows) // 50 + 1)]
    assert len(rows) == counts[-1]

    def widest(count: int) -> float:
        shares = [sum(row["points"][seat] for row in rows[:count]) / count for seat in range(2)]
        return max(high - low for low, high in (wilson(share, count) for share in shares))

    assert widest(counts[-1]) <= 0.2
    assert all(widest(count) > 0.2 for count in counts[:-1])


def started(study: Path, out: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "snakeden", "lab", "run", str(study), "-o", str(out), "--jobs", "2"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_for_games(out: Path, count: int, process: subprocess.Popen[bytes]) -> None:
    log = out / "running.jsonl"
    while not log.exists() or log.read_bytes().count(b"\n") < count:
        assert process.poll() is None, "the study ended before it could be disturbed"
        time.sleep(0.02)


def children(pid: int) -> list[int]:
    """The processes that play for a process, whose command lines name `spawn_main`."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                if parent == pid and b"spawn_main" in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes in /proc")
def test_a_killed_worker_costs_nothing_but_its_games(tmp_path: Path) -> None:
    study = written(tmp_path, LONGER)
    process = started(study, tmp_path / "out")
    wait_for_games(tmp_path / "out", 10, process)
    os.kill(children(process.pid)[0], signal.SIGKILL)
    assert process.wait(120) == 0
    run(read_study(study), tmp_path / "whole", jobs=1)
    table = (tmp_path / "out" / "results.parquet").read_bytes()
    assert table == (tmp_path / "whole" / "results.parquet").read_bytes()


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    study = written(tmp_path, LONGER)
    process = started(study, tmp_path / "out")
    wait_for_games(tmp_path / "out", 10, process)
    process.kill()
    process.wait()
    log = tmp_path / "out" / "running.jsonl"
    # Killed in the middle of a line.
    log.write_bytes(log.read_bytes() + b'{"setting": "snek')
    kept = log.read_bytes().count(b"\n")
    seen: list[int] = []
    run(read_study(study), tmp_path / "out", jobs=1, progress=lambda done, total: seen.append(done))
    assert seen == list(range(kept, 121))
    run(read_study(study), tmp_path / "whole", jobs=1)
    table = (tmp_path / "out" / "results.parquet").read_bytes()
    assert table == (tmp_path / "whole" / "results.parquet").read_bytes()


def test_the_command_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = written(tmp_path, SMALL)
    assert main(["lab", "run", str(study), "-o", str(tmp_path / "out"), "--jobs", "1", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["games"], printed["played"], printed["lost"]) == (53, 53, 0)
    assert main(["lab", "run", str(study), "-o", str(tmp_path / "out"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["played"] == 0
    assert main(["lab", "run", str(study), "--on", "moon", "-o", str(tmp_path / "new")]) == 2
    assert "local, ray or ray://" in capsys.readouterr().err


@settings(max_examples=50, deadline=None)
@given(wins=st.integers(0, 300), losses=st.integers(0, 300))
def test_the_interval_of_a_share_holds_it_and_narrows(wins: int, losses: int) -> None:
    count = wins + losses
    share = wins / count if count else 0.5
    low, high = wilson(share, count)
    assert 0 <= low <= share <= high <= 1
    if count:
        more = wilson(share, 4 * count)
        assert more[1] - more[0] < high - low


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    import random

    generator = random.Random(1)
    covered = [0, 0]
    for _ in range(400):
        values = [float(generator.random() < 0.3) for _ in range(80)]
        for k, (low, high) in enumerate((wilson(sum(values) / 80, 80), bootstrap(values))):
            covered[k] += low <= 0.3 <= high
    assert all(0.91 <= hits / 400 <= 0.985 for hits in covered), covered


def test_many_comparisons_are_corrected() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []
    fair = [0.0, 1.0] * 50
    assert p_of_mean(fair, 0.5) == pytest.approx(1.0)
    assert p_of_mean([1.0] * 70 + [0.0] * 30, 0.5) < 0.001
    assert p_of_mean([1.0] * 100, 0.5) < 1e-6


@pytest.fixture(scope="module")
def studied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small study of everything that a report shows."""
    folder = tmp_path_factory.mktemp("studied") / "small"
    text = SMALL + (
        '[[settings]]\ngame = "snekagon"\noptions = { side = 3 }\nfirst_moves = "every"\nagents = ["mcts:sims=10"]\n'
        'games = 4\n[[settings]]\ngame = "snekagon"\noptions = { side = 3 }\nagents = ["random", "level:2"]\n'
        'seating = "all"\ngames = 4\n'
    )
    run(parse(text), folder, jobs=1)
    return folder


def test_a_report_is_one_page_with_every_setting(studied: Path, tmp_path: Path) -> None:
    assert main(["lab", "report", str(studied), "-o", str(tmp_path / "report.html")]) == 0
    page = (tmp_path / "report.html").read_text()
    for heading in (
        "Who wins",
        "What differs",
        "First moves",
        "Scores and length",
        "What play is like",
        "What is used",
        "Elo",
    ):
        assert heading in page
    assert "<script" not in page
    assert not re.findall(r"(?:src|href)=\"(?!#)", page), "the page refers to something beside it"
    assert page.count("<svg") >= 6
    assert "snakeden lab run" in page


def test_a_report_in_markdown_has_its_pictures_beside_it(studied: Path, tmp_path: Path) -> None:
    assert main(["lab", "report", str(studied), "-o", str(tmp_path / "report.md")]) == 0
    page = (tmp_path / "report.md").read_text()
    pictures = re.findall(r"\]\((.+?\.svg)\)", page)
    assert pictures
    assert all((tmp_path / picture).exists() for picture in pictures)
    for block in re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE):
        assert len({line.count("|") for line in block.splitlines()}) == 1


def test_a_report_can_be_printed(studied: Path, tmp_path: Path) -> None:
    from pypdf import PdfReader

    assert main(["lab", "report", str(studied), "-o", str(tmp_path / "report.pdf")]) == 0
    pages = PdfReader(tmp_path / "report.pdf").pages
    assert len(pages) >= 2
    assert all(round(float(page.mediabox.width)) == 595 for page in pages)


def test_reports_of_nothing_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "report", str(tmp_path), "-o", str(tmp_path / "report.html")]) == 2
    assert "not the folder of a study" in capsys.readouterr().err
    (tmp_path / "study.toml").write_text(SMALL)
    assert main(["lab", "report", str(tmp_path), "-o", str(tmp_path / "report.html")]) == 2
    assert "no games yet" in capsys.readouterr().err


BALANCE = """
title = "Bonus"
seed = 1

[[settings]]
game = "snekagon"
options = { side = [3, 4] }
agents = ["random"]
games = 1

[balance]
bonuses = [[0, 0], [0, 1], [50, 0], [0, 50]]
first = 20
confirm = 500
fair = 0.15
"""


def test_the_search_for_balance_drops_what_is_unfair_and_measures_anew(tmp_path: Path) -> None:
    result = balance(parse(BALANCE), tmp_path, jobs=1)
    assert len(result.arms) == 8
    assert {arm.bonus for arm in result.confirmed} <= {(0, 0), (0, 1)}
    assert all(arm.points.value in (0, 1) for arm in result.arms if max(arm.bonus) == 50)
    assert all(arm.games == 500 for arm in result.confirmed)
    assert result.found is not None
    assert not result.excluded
    unfair = BALANCE.replace("[[0, 0], [0, 1], [50, 0], [0, 50]]", "[[50, 0], [0, 50]]")
    assert balance(parse(unfair), tmp_path, jobs=1).excluded


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("", r"\[balance\] is missing"),
        ("[balance]\nfair = 3.0", "below 0.5"),
        ("[balance]\nbonuses = [[1]]", "2 whole numbers"),
        ("[balance]\nfirst = 0", "number of games"),
        ("[balance]\nround = 0", "has no 'round'"),
    ],
)
def test_mistakes_in_a_search_are_told_in_words(table: str, expected: str, tmp_path: Path) -> None:
    text = BALANCE.partition("[balance]")[0] + table
    with pytest.raises(BadStudy, match=expected):
        balance(parse(text), tmp_path)


def test_pieces_are_counted_for_who_chose_them() -> None:
    start = snakeden.new_game("snekagon", side=3)
    moves = ["c3", "a1-b1-c1", "c4-d4-e3"]
    played = {
        "game": "snekagon",
        "record": records.record(start, moves).write(),
        "movers": [1, 0],
        "points": [0.0, 1.0],
    }
    found = {use.piece: (use.times, use.won, use.lost) for use in uses([played])}
    # The first move was given, and nobody's choice.
    assert found == {"3S": (0.5, 1.0, 0.0), "3L": (0.5, 0.0, 1.0)}


def test_the_bench_tells_games_a_second_and_their_cost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = written(tmp_path, SMALL)
    assert main(["lab", "bench", str(study), "--workers", "1,2", "--games", "6", "--json"]) == 0
    one, two = json.loads(capsys.readouterr().out)
    assert (one["workers"], one["efficiency"], two["workers"], two["games"]) == (1, 1.0, 2, 6)
    assert two["efficiency"] == pytest.approx(two["games_a_second"] / one["games_a_second"] / 2)
    assert min(one["processor_ms"], one["coordinator_ms"], one["start_s"]) > 0
    assert one["bytes"] > 200
    assert main(["lab", "bench", str(study), "--workers", "1,many"]) == 2
    assert "give numbers" in capsys.readouterr().err


def test_the_page_of_facts_is_what_its_command_makes() -> None:
    root = Path(__file__).parent.parent
    command = [sys.executable, str(root / "tools" / "facts.py")]
    made = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout
    kept = (root / "docs" / "facts.md").read_text(encoding="utf-8")
    assert made == kept, "python tools/facts.py -o docs/facts.md makes it anew"
