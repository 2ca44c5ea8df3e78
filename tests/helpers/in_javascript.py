"""Jobs for `play_program.mjs`, and what the compiled programs do with the same jobs."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

import snakeden
from snakeden.core.game import Variant
from snakeden.programs import program
from snakeden.programs.ready_made import module_files
from snakeden.programs.specification import block, specification
from snakeden.programs.wasm import program_number
from snakeden.search.tree import FIRST, MOVE, OPENED, TRIED, new_tree
from snakeden.search.workspace import Parameters, new_workspace
from snakeden.stored import stored_games

HERE = Path(__file__).parent
DATA = HERE.parent / "data"
PLAY_MJS = HERE / "play_program.mjs"
PROGRAM_JS = Path(snakeden.__file__).parent / "programs/modules/program.js"
NODE_SCRIPT = """
import fs from "fs";
const [programJs, playMjs, wasm, description, jobs] = process.argv.slice(-5);
const { Program } = await import(programJs);
const { play } = await import(playMjs);
const module = new WebAssembly.Module(fs.readFileSync(wasm));
const about = JSON.parse(fs.readFileSync(description, "utf8"));
const played = JSON.parse(fs.readFileSync(jobs, "utf8")).map((job) => {
  job.block = Uint8Array.from(Buffer.from(job.block, "base64"));
  return play(Program, module, about, job);
});
process.stdout.write(JSON.stringify(played));
"""


def job(variant: Variant, seeds: list[int], simulations: int) -> dict[str, Any]:
    """What a program in JavaScript has to know to play these games and to search from the first position."""
    opening = variant.game.rules.opening(variant.tables)
    wide = opening.dtype.itemsize == 8
    return {
        "number": program_number(specification(variant)),
        "block": base64.b64encode(np.array([block(variant)]).tobytes()).decode(),
        "opening": [str(word) if wide else int(word) for word in opening],
        "seeds": seeds,
        "simulations": simulations,
        "parameters": {f"parameters_{name}": value for name, value in Parameters()._asdict().items()},
    }


def in_node(game: str, jobs: list[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """What Node does with the jobs of a game."""
    node = shutil.which("node")
    assert node is not None
    wasm, description = module_files(game)
    (folder / "jobs.json").write_text(json.dumps(jobs))
    (folder / "program.mjs").write_text(PROGRAM_JS.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "run.mjs").write_text(NODE_SCRIPT, encoding="utf-8")
    files = [folder / "program.mjs", PLAY_MJS, wasm, description, folder / "jobs.json"]
    done = subprocess.run(
        [node, str(folder / "run.mjs"), *map(str, files)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def compiled(variant: Variant, seeds: list[int], simulations: int) -> dict[str, Any]:
    """What the program compiled for this machine does with the same job."""
    here, games = program(variant, "cpu"), []
    opening, scores = variant.game.rules.opening(variant.tables), np.zeros(variant.tables.seats, np.int64)
    for seed in seeds:
        s, moves = opening.copy(), []
        rng, move = here.sample(s, seed)
        while move >= 0:
            moves.append(move)
            here.apply(s, move)
            rng, move = here.sample(s, rng)
        here.scores(s, scores)
        games.append({"moves": moves, "scores": scores.tolist()})
    search = None
    if simulations:
        tree = new_tree(variant.tables.seats, 20_000)
        workspace = new_workspace(variant.tables, opening.dtype, np.zeros)
        rng, done = here.simulate(tree, workspace, opening, 12345, simulations, Parameters())
        first, opened = int(tree.nodes[0, FIRST]), int(tree.nodes[0, OPENED])
        edges = tree.edges[first : first + opened]
        search = {"rng": str(rng), "done": done, "edges": edges[:, [MOVE, TRIED]].tolist()}
    return {"games": games, "search": search}


def option_sets() -> list[tuple[str, str]]:
    """Every game and set of options that a stored game is played with, as JSON."""
    found = {
        (game, json.dumps(stored["options"], sort_keys=True))
        for game in snakeden.games()
        for _, stored in stored_games(DATA / f"{game}.jsonl")
    }
    return sorted(found)


SEARCHED = 300
"""Simulations of the searches that are compared."""


def variants_of(game: str) -> list[Variant]:
    """The variants of a game that stored games are played with."""
    return [
        snakeden.new_game(game, **json.loads(options)).variant
        for name, options in option_sets()
        if name == game
    ]


def check(played: dict[str, Any], variant: Variant) -> None:
    expected = compiled(variant, [1, 2], SEARCHED)
    assert played["games"] == expected["games"]
    played["search"].pop("seconds")
    assert played["search"] == expected["search"]
