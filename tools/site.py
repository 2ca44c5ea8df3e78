"""Builds Snakeden as a folder of static files: `python tools/site.py [-o FOLDER]`, which `make site` calls.

Needs Node and npm, which fetch Pyodide: CPython as WebAssembly. Nothing of them is needed to serve the folder.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import babel

from snakeden.core.game import variant
from snakeden.core.registry import games
from snakeden.drawing.shapes import symbols_to_data
from snakeden.drawing.themes import style_sheet
from snakeden.programs import ready_made, wasm
from snakeden.programs.specification import specification
from snakeden.server.catalogue import about_games
from snakeden.site.contents import ABOUT, PACKAGE, package_files, sources
from snakeden.words import catalogue, languages, rules_file

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "tools" / "page"
PYODIDE = PAGE / "node_modules" / "pyodide"
_STYLE_SHEET = re.compile(r'<link rel="stylesheet" href="([\w-]+\.css)">')
MOST_BYTES = 20_000_000

_KEPT_PYTHON = ("pyodide.mjs", "pyodide.asm.mjs")
_UNUSED = (
    "_pyrepl",
    "doctest",
    "imaplib",
    "mailbox",
    "multiprocessing",
    "pdb",
    "pydoc",
    "unittest",
    "wsgiref",
    "xml",
    "xmlrpc",
)
"""Large modules of the standard library that nothing here asks for."""


def build(target: Path, server: str = "") -> int:
    """Build the site into a folder, which must not hold anything else; how many bytes it has."""
    if target.exists() and any(target.iterdir()) and not (target / "sw.js").exists():
        sys.exit(f"{target} holds something that is no site: choose another folder")
    shutil.rmtree(target, ignore_errors=True)
    _page(target, server)
    _python(target / "python")
    files = {_name(file, target): _digest(file) for file in sorted(target.rglob("*")) if file.is_file()}
    worker = (PAGE / "sw.js").read_text(encoding="utf-8")
    version = hashlib.sha256(json.dumps(files).encode()).hexdigest()[:16]
    filled = worker.replace('"VERSION"', json.dumps(version)).replace(
        "[/* FILES */]", json.dumps(["./", *files])
    )
    (target / "sw.js").write_text(filled, encoding="utf-8")
    size = sum(file.stat().st_size for file in target.rglob("*") if file.is_file())
    if size > MOST_BYTES:
        sys.exit(f"the site has {size:,} bytes; {MOST_BYTES:,} is the most that it may have")
    return size


def _name(file: Path, folder: Path) -> str:
    return file.relative_to(folder).as_posix()


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def _page(target: Path, server: str) -> None:
    """The page as a server would send it, with requests that stay in the browser."""
    shutil.copytree(PACKAGE / "web", target)
    (target / "js" / "transport.js").write_text('export * from "./local.js";\n', encoding="utf-8")
    preload = '    <link rel="modulepreload" href="js/transport.js">\n'
    index = (target / "index.html").read_text(encoding="utf-8")
    if preload not in index:
        sys.exit("index.html does not load js/transport.js any more")
    added = "".join(preload.replace("transport", name) for name in ("local", "kept", "positions"))
    added += f'    <meta name="version" content="{sources()}">\n'
    (target / "theme.css").write_text(style_sheet(), encoding="utf-8")
    index = _with_one_style_sheet(target, index.replace(preload, preload + added))
    (target / "index.html").write_text(index, encoding="utf-8")
    _write(target / "symbols.json", symbols_to_data())
    about = about_games(page_thinks=False)
    for game in about["games"]:
        # The site may lie in any folder of its host.
        game["rules"] = game["rules"].lstrip("/")
    _write(target / "api" / "catalogue.json", about)
    _write(target / "site.json", {"server": server})
    _write(target / "words" / "languages.json", languages())
    for language in languages():
        _write(target / "words" / f"{language}.json", dict(catalogue(language)))
        for name in games():
            file = target / "words" / language / "rules" / f"{name}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(rules_file(name, language), file)


def _with_one_style_sheet(target: Path, index: str) -> str:
    """The page with all style sheets in one file: nothing is shown before the last of them has come, and plain hosts
    send file after file."""
    names = _STYLE_SHEET.findall(index)
    joined = "".join((target / name).read_text(encoding="utf-8") for name in names)
    for name in names:
        (target / name).unlink()
    (target / "page.css").write_text(joined, encoding="utf-8")
    first, *others = [f'    <link rel="stylesheet" href="{name}">\n' for name in names]
    for link in others:
        index = index.replace(link, "")
    return index.replace(first, first.replace(names[0], "page.css"))


def _write(file: Path, data: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def _python(target: Path) -> None:
    """Python, the games' modules, and the memory that Python starts with."""
    if not PYODIDE.is_dir():
        subprocess.run(
            ["npm", "--prefix", str(PAGE), "install", "--silent", "--no-audit", "--no-fund"], check=True
        )
    target.mkdir()
    for name in _KEPT_PYTHON:
        shutil.copyfile(PYODIDE / name, target / name)
    _without_maps(target / "pyodide.mjs")
    # Packed by us: not every host does it.
    (target / "pyodide.bin").write_bytes(
        gzip.compress((PYODIDE / "pyodide.asm.wasm").read_bytes(), 9, mtime=0)
    )
    for game in games().values():
        for options in game.program_options:
            if wasm.program_number(specification(variant(game, options))) is None:
                sys.exit(f"the WebAssembly of {game.id} is older than its kernels: run `make wasm` first")
        shutil.copyfile(ready_made.module_files(game.id)[0], target / f"{game.id}.wasm")
    # Of the packages that Pyodide knows none is used.
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text(encoding="utf-8")) | {"packages": {}}
    _write(target / ABOUT, {"games": list(games()), "lock": lock, "sources": sources()})
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder, "package.zip")
        with zipfile.ZipFile(archive, "w") as packed:
            for file, name in _package():
                packed.write(file, name)
        command = ["node", str(PAGE / "memory.mjs"), str(archive), str(target), str(target / "memory.bin")]
        told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    _standard_library(target / "python_stdlib.zip", set(json.loads(told.splitlines()[-1])))


def _standard_library(target: Path, imported: set[str]) -> None:
    """The modules that Python may still ask for; what it has imported is in its memory."""
    with (
        zipfile.ZipFile(PYODIDE / target.name) as whole,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as part,
    ):
        for info in whole.infolist():
            module = info.filename.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            if module.partition(".")[0] not in _UNUSED and module not in imported:
                part.writestr(info, whole.read(info), zipfile.ZIP_DEFLATED, 9)


def _without_maps(file: Path) -> None:
    """Leave out where a module's source map would be: it is not shipped."""
    text = file.read_text(encoding="utf-8")
    file.write_text(re.sub(r"\n//# sourceMappingURL=.*", "", text), encoding="utf-8")


def _package() -> Iterator[tuple[Path, str]]:
    """The files that Python needs of this package, and of Babel for the languages there are."""
    for file, name in package_files():
        yield file, f"snakeden/{name}"
    own = Path(babel.__file__).parent
    wanted = {"global.dat", *(f"locale-data/{name}.dat" for name in ("root", *languages()))}
    for file in sorted(own.rglob("*")):
        name = _name(file, own)
        if name in wanted or (file.suffix == ".py" and not name.startswith("messages/")):
            yield file, f"babel/{name}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Build Snakeden as a folder of static files.")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "build" / "snakeden", help="the folder")
    parser.add_argument("--server", default="", help="a Snakeden server, where to play with others by a link")
    given = parser.parse_args()
    size = build(given.output, given.server)
    print(f"{given.output}: {size:,} bytes. Any web server can serve it, for example")
    print(f"  python3 -m http.server --directory {given.output}")


if __name__ == "__main__":
    main()
