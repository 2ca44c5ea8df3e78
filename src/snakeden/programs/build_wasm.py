"""Builds a game's WebAssembly module: `python -m snakeden.programs.build_wasm [GAME …]`, which `make wasm` calls.

A module holds a program for each kind of variant that the page offers, under names such as `p0_legal`. What the
programs were compiled for, how their tables lie in memory and which functions they have is written beside it.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from snakeden.core.game import Game, variant
from snakeden.core.registry import games
from snakeden.programs.contents import contents
from snakeden.programs.frontend import Translator
from snakeden.programs.sources import source_hash
from snakeden.programs.specification import Specification, specification

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint"
FOLDER = Path(__file__).resolve().parent / "modules"


def specifications(game: Game) -> list[Specification]:
    """The programs that the variants of a game need, each once."""
    found = {}
    for options in game.program_options:
        each = specification(variant(game, options))
        found[each.name] = each
    return list(found.values())


def build(game: Game) -> Path:
    """Build the game's module and its description; where the module is."""
    wanted = specifications(game)
    translator = Translator()
    for k, each in enumerate(wanted):
        translator.add(contents(game, "play"), each.block, each.state, each.constants, f"p{k}_{{}}".format)
    module = translator.module()
    target = FOLDER / f"{game.id}.wasm"
    FOLDER.mkdir(exist_ok=True)
    _link(_emit(module), translator.names, target)
    target.with_suffix(".json").write_text(json.dumps(_description(game, wanted), indent=1) + "\n")
    return target


def _emit(module: Any) -> bytes:
    """The object file of a module that was translated for this machine, as WebAssembly."""
    text = re.sub(r'target triple = ".*"', f'target triple = "{TRIPLE}"', str(module))
    text = re.sub(r'target datalayout = ".*"', "", text)
    text = re.sub(r'"target-(cpu|features)"="[^"]*"', "", text)
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, reloc="static", features=FEATURES)
    moved = llvm.parse_assembly(f'target datalayout = "{machine.target_data}"\n{text}')
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(moved, passes)
    found: bytes = machine.emit_object(moved)
    return found


def _link(code: bytes, exports: list[str], target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "program.o")
        file.write_bytes(code)
        command = [sys.executable, "-m", "ziglang", "wasm-ld", str(file), "-o", str(target), "--no-entry"]
        command += ["--strip-all", "--export=__heap_base", *(f"--export={name}" for name in exports)]
        subprocess.run(command, check=True)


def _description(game: Game, wanted: list[Specification]) -> dict[str, Any]:
    """What callers have to know of the module."""
    signatures = {name: entry.signature for name, entry in contents(game, "play").items()}
    return {
        "programs": [
            {
                "name": each.name,
                "sources": source_hash(each, "play"),
                "constants": each.constants,
                "state": each.state.name,
                "size": each.block.itemsize,
                "tables": {name: _field(each.block, name) for name in each.block.names or ()},
            }
            for each in wanted
        ],
        "entries": {
            name: {
                "tables": signature.has_tables,
                "parameters": [
                    [v.name, v.type, *([list(v.shape)] if v.shape else [])] for v in signature.values
                ],
                "lengths": {name: list(place) for name, place in signature.lengths.items()},
                "returns": list(signature.returns),
            }
            for name, signature in signatures.items()
        },
    }


def _field(block: np.dtype[Any], name: str) -> list[Any]:
    assert block.fields is not None
    kind, offset = block.fields[name][:2]
    return [offset, kind.base.name, *kind.shape]


def main(names: list[str]) -> None:
    if len(names) != 1:
        # Numba translates for one module in a process.
        for name in names or games():
            subprocess.run([sys.executable, "-m", "snakeden.programs.build_wasm", name], check=True)
        return
    target = build(games()[names[0]])
    print(f"{target.name}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
