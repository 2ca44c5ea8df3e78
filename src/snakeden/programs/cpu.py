"""Programs for the processor of this machine: compiled once, kept on disk, loaded in milliseconds."""

from __future__ import annotations

import ctypes
import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

from snakeden.core.game import Variant
from snakeden.programs.abi import Signature, Structure
from snakeden.programs.contents import Part, contents
from snakeden.programs.folder import FOLDER_VARIABLE, cache_folder, checks_bounds
from snakeden.programs.sources import source_hash
from snakeden.programs.specification import Specification, block, specification

_TYPES: dict[str, Any] = {"int64": ctypes.c_int64, "uint64": ctypes.c_uint64, "float64": ctypes.c_double}


# ---- where compiled programs are kept


@cache
def _machine() -> str:
    """A hash of the processor that programs are compiled for, and of what compiles them."""
    machine = f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()} llvmlite {llvm.llvm_version_info}"
    return hashlib.sha256(machine.encode()).hexdigest()[:8]


def object_file(wanted: Specification, part: Part) -> Path:
    """Where the compiled program is, or will be."""
    checked = "-checked" * checks_bounds()
    return cache_folder() / f"{wanted.name}-{part}-{source_hash(wanted, part)}-{_machine()}{checked}.o"


def is_compiled(variant: Variant, part: Part = "play") -> bool:
    """Whether the variant's program is there already."""
    return object_file(specification(variant), part).exists()


# ---- compiling, in a process of its own


def compile_command(variant: Variant, part: Part, *, gives_way: bool = False) -> list[str]:
    """The command that compiles the variant's program, with a low priority if it `gives_way` to others."""
    options = [f"{name}={variant.game.option(name).write(value)}" for name, value in variant.given.items()]
    return [
        sys.executable,
        "-m",
        "snakeden.programs.compile",
        *["--gives-way"] * gives_way,
        part,
        variant.game.id,
        *options,
    ]


def compile_environment() -> dict[str, str]:
    """The environment of that command: what it compiles has to be found here."""
    return {**os.environ, FOLDER_VARIABLE: str(cache_folder())}


def compile_here(wanted: Specification, part: Part) -> None:
    """Compile a program, unless another process does or has done. Numba of this process is of no use afterwards."""
    file = object_file(wanted, part)
    with FileLock(file.with_suffix(".lock")):
        if file.exists():
            return
        from snakeden.programs.frontend import Translator

        translator = Translator()
        translator.add(contents(wanted.game, part), wanted.block, wanted.state, wanted.constants)
        module = translator.module()
        machine = target_machine()
        options = llvm.create_pipeline_tuning_options(speed_level=3)
        options.loop_vectorization = options.slp_vectorization = True
        passes = llvm.create_pass_builder(machine, options)
        passes.getModulePassManager().run(module, passes)
        # Whoever looks for the file finds all of it or nothing.
        unfinished = file.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(machine.emit_object(module))
        unfinished.replace(file)
    file.with_suffix(".lock").unlink(missing_ok=True)


def target_machine() -> Any:
    """LLVM's description of this machine's processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        reloc="pic",
        jit=True,
    )


def ensure_compiled(variant: Variant, part: Part) -> None:
    """Compile the variant's program if it is not there, and wait for it."""
    if is_compiled(variant, part):
        return
    print("snakeden: compiling the rules for this machine; this happens once …", file=sys.stderr, flush=True)
    done = subprocess.run(
        compile_command(variant, part), env=compile_environment(), capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(
            f"the rules could not be compiled for this machine (status {done.returncode}):\n{done.stderr}"
        )


# ---- calling


class CpuProgram:
    """A variant's program on this machine's processor: every entry of it is a method, with the tables bound."""

    target = "cpu"
    lanes = 1
    """How many threads write neighbouring numbers at the same time."""

    def __init__(self, variant: Variant, part: Part) -> None:
        ensure_compiled(variant, part)
        self._block = np.array([block(variant)])
        engine = _engine(object_file(specification(variant), part))
        address = self._block.ctypes.data
        for name, entry in contents(variant.game, part).items():
            setattr(self, name, _caller(engine.get_function_address(name), entry.signature, address))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"this program has no entry {name!r}")

    def array(self, shape: tuple[int, ...] | int, dtype: Any) -> NDArray[Any]:
        """An array of zeros that the program reads and writes without copying."""
        return np.zeros(shape, dtype)

    def empty(self, shape: tuple[int, ...] | int, dtype: Any) -> NDArray[Any]:
        """The same with anything in it, which costs no time until it is used."""
        return np.empty(shape, dtype)


@cache
def _engine(file: Path) -> Any:
    """The loaded object file."""
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine())
    engine.add_object_file(llvm.ObjectFileRef.from_path(str(file)))
    engine.finalize_object()
    return engine


def _caller(address: int, signature: Signature, tables: int) -> Callable[..., Any]:
    """A Python function that calls the compiled one."""
    returns, several = signature.returns, len(signature.returns) > 1
    kinds: list[Any] = [ctypes.c_void_p] * signature.has_tables
    kinds += [
        ctypes.c_void_p if value.shape is not None else _TYPES[value.type] for value in signature.values
    ]
    kinds += [ctypes.c_int64] * len(signature.lengths)
    kinds += [ctypes.c_void_p] * (len(returns) if several else 0)
    result = _TYPES[returns[0]] if len(returns) == 1 else None
    names: dict[str, Any] = {"call": ctypes.CFUNCTYPE(result, *kinds)(address), "byref": ctypes.byref}
    taken, inside = [], []
    for parameter in signature.parameters:
        taken.append(parameter.name)
        if isinstance(parameter, Structure):
            inside += [f"{parameter.name}.{field}" for field in parameter.type._fields]
        else:
            inside.append(parameter.name)
    given = [str(tables)] * signature.has_tables
    for text, value in zip(inside, signature.values, strict=True):
        given.append(f"{text}.ctypes.data" if value.shape is not None else text)
    given += [f"{inside[k]}.shape[{axis}]" for k, axis in signature.lengths.values()]
    lines = [f"def {signature.name}({', '.join(taken)}):"]
    if several:
        for k, kind in enumerate(returns):
            names[f"kind_{k}"] = _TYPES[kind]
            lines.append(f"    result_{k} = kind_{k}()")
            given.append(f"byref(result_{k})")
        lines.append(f"    call({', '.join(given)})")
        lines.append(f"    return {', '.join(f'result_{k}.value' for k in range(len(returns)))}")
    else:
        lines.append(f"    return call({', '.join(given)})")
    exec("\n".join(lines), names)
    made: Callable[..., Any] = names[signature.name]
    if not several:
        addresses = ", ".join(given)
        source = f"def prepared({', '.join(taken)}):\n    return partial(call, {addresses})"
        names["partial"] = partial
        exec(source, names)
        made.prepared = _keeping(names["prepared"])  # type: ignore[attr-defined]
    return made


def _keeping(prepared: Callable[..., Any]) -> Callable[..., Any]:
    """Calls with these arguments, whose arrays are looked up once and kept."""

    def keep(*arguments: Any) -> Callable[[], Any]:
        call = prepared(*arguments)

        def again() -> Any:
            return call()

        again.arguments = arguments  # type: ignore[attr-defined]
        return again

    return keep
