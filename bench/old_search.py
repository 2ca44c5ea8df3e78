"""Play the search against the one of an earlier commit: `python bench/old_search.py COMMIT --sims 500 --games 400`.

The earlier commit is installed with the packages it asks for, in an environment of its own, and plays as an engine.
Both sides have the same simulations for a move and no solver. All other options go to `snakeden arena`, which plays
the match: `--game`, `--set`, `--seed`, `--jobs`, `--out`, `--json`.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import venv
from pathlib import Path

from platformdirs import user_cache_path
from rich.console import Console

HERE = Path(__file__).resolve().parent
SECONDS = 60
"""What the engine may take for a move; its simulations decide, so this is only for a machine that does much else."""


def installed(commit: str, folder: Path) -> Path:
    """The Python of an environment that has the package of this commit; made once."""
    python = folder / ".venv" / "bin" / "python"
    done = folder / "installed"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(["git", "archive", commit], cwd=HERE.parent, check=True, capture_output=True)
        subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
        venv.create(folder / ".venv", with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", folder], check=True)
        done.touch()
    return python


def compiled(engine: list[str], game: str, options: list[str]) -> None:
    """Let the engine choose one move: early commits compile before that, for longer than an arena waits."""
    asked = [f"setoption name Game value {game}"]
    asked += [
        f"setoption name {name} value {value}" for name, value in (text.split("=", 1) for text in options)
    ]
    asked += ["position startpos moves", "go", "quit"]
    answer = subprocess.run(engine, input="\n".join(asked), text=True, check=True, stdout=subprocess.PIPE)
    if "bestmove" not in answer.stdout:
        sys.exit("the earlier search made no move")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit", help="any name that git has for it")
    parser.add_argument("--sims", type=int, default=500, help="simulations for a move (default 500)")
    parser.add_argument("--game", metavar="ID", default="snekagon")
    parser.add_argument("--set", metavar="OPTION=VALUE", action="append", default=[])
    parser.add_argument("--folder", type=Path, help="where to install it (default: the user's cache)")
    args, rest = parser.parse_known_args()
    found = subprocess.run(
        ["git", "rev-parse", "--short", "--verify", f"{args.commit}^{{commit}}"],
        cwd=HERE.parent, text=True, capture_output=True,
    )  # fmt: skip
    if found.returncode:
        sys.exit(f"git knows no commit {args.commit!r}; a shallow clone lacks the earlier ones")
    commit = found.stdout.strip()
    folder = (args.folder or user_cache_path("snakeden") / "earlier" / commit).resolve()
    agent = f"mcts:sims={args.sims},solver=no"
    with Console(stderr=True).status(f"installing {commit}"):
        python = installed(commit, folder)
    # What the earlier commit compiles is kept with it, away from the caches of this one.
    engine = ["env", f"XDG_CACHE_HOME={folder / 'cache'}", str(python), str(HERE / "old_engine.py"), agent]
    with Console(stderr=True).status(f"compiling {commit}"):
        compiled(engine, args.game, args.set)
    arena = [sys.executable, "-m", "snakeden", "arena", agent, f"engine:time={SECONDS}s,{shlex.join(engine)}"]
    options = [part for text in args.set for part in ("--set", text)]
    return subprocess.run([*arena, "--game", args.game, *options, *rest]).returncode


if __name__ == "__main__":
    sys.exit(main())
