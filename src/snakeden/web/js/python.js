// Python in a worker, started from the picture of its memory that was taken when the site was built.

import { instances } from "./programs.js";

/**
 * What Python starts from: its WebAssembly, a picture of its memory, which packages there are, and the games' programs.
 * @typedef {{code: WebAssembly.Module, memory: ArrayBuffer, lock: string, programs: {[game: string]: WebAssembly.Module}}} Parts
 */

const HERE = new URL("../python/", import.meta.url).href;

/** @param {string} file */
async function fetched(file) {
  const answer = await fetch(HERE + file);
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  return answer;
}

/** What was packed, unpacked. @param {string} file @param {string} type */
async function unpacked(file, type) {
  const stream = /** @type {ReadableStream} */ ((await fetched(file)).body).pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream, { headers: { "content-type": type } });
}

/** Pyodide fetches its WebAssembly and compiles it: here it gets what was unpacked and compiled already. @param {WebAssembly.Module} code */
function giveToPyodide(code) {
  const plain = self.fetch;
  self.fetch = (asked, how) => (String(asked).endsWith("/pyodide.asm.wasm") ? Promise.resolve(new Response()) : plain(asked, how));
  WebAssembly.instantiateStreaming = async (_, imports) => ({ module: code, instance: await WebAssembly.instantiate(code, imports) });
}

/** @param {string} file @returns {Promise<WebAssembly.Module>} */
const compiled = async (file) => WebAssembly.compile(await (await fetched(file)).arrayBuffer());

/**
 * Python's WebAssembly, with room for a memory of this many bytes.
 * @param {(settings: any) => Promise<any>} create @param {number} bytes
 */
const roomy = (create, bytes) => async (/** @type {any} */ settings) => {
  const module = await create(settings);
  // The memory grows by being asked for. The picture overwrites all of it, also what is taken here.
  if (module.HEAP8.length < bytes) module._malloc(bytes);
  return module;
};

/** Load what Python starts from; it can be passed on to other workers. @returns {Promise<Parts>} */
export async function loadParts() {
  const about = fetched("about.json").then((answer) => answer.json());
  const [code, memory, { lock }, programs] = await Promise.all([
    unpacked("pyodide.bin", "application/wasm").then((answer) => WebAssembly.compileStreaming(answer)),
    unpacked("memory.bin", "application/octet-stream").then((answer) => answer.arrayBuffer()),
    about,
    about.then(({ games }) => Promise.all(games.map(async (/** @type {string} */ game) => [game, await compiled(`${game}.wasm`)]))),
  ]);
  return { code, memory, lock: JSON.stringify(lock), programs: Object.fromEntries(programs) };
}

/** The module `snakeden.site.start`, joined with the games' programs. @param {Parts | Promise<Parts>} parts @returns {Promise<any>} */
export async function startPython(parts) {
  const [loader, script] = [`${HERE}pyodide.mjs`, `${HERE}pyodide.asm.mjs`];
  const [{ loadPyodide }, { default: create }, { code, memory, lock, programs }] = await Promise.all([import(loader), import(script), parts]);
  giveToPyodide(code);
  const python = await loadPyodide({
    indexURL: HERE, lockFileContents: lock, _loadSnapshot: new Uint8Array(memory), _snapshotDeserializer: () => null,
    createPyodideModule: roomy(create, memory.byteLength),
  });
  const start = python.pyimport("snakeden.site.start");
  start.join_programs(instances(programs));
  return start;
}
