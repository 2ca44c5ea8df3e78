// node memory.mjs PACKAGE.zip MODULES MEMORY: start Python with the package, let it prepare, and keep its memory.
// Prints the names of the modules that are in it.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { loadPyodide } from "pyodide";

import { instances } from "../../src/snakeden/web/js/programs.js";

const [archive, folder, target] = process.argv.slice(2);
const IMPORTED = "import json, sys; json.dumps(sorted(sys.modules))";
const { games } = JSON.parse(readFileSync(join(folder, "about.json"), "utf8"));
const modules = Object.fromEntries(games.map((game) => [game, new WebAssembly.Module(readFileSync(join(folder, `${game}.wasm`)))]));

const python = await loadPyodide({ _makeSnapshot: true });
const site = python.runPython("import site; site.getsitepackages()[0]");
python.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: site });
const start = python.pyimport("snakeden.site.start");
start.prepare(instances(modules));
start.destroy();
const imported = python.runPython(IMPORTED);
// What is left of JavaScript is a function that was called last; nobody will call it again.
writeFileSync(target, gzipSync(python.makeMemorySnapshot({ serializer: () => null }), { level: 9 }));
console.log(imported);
