// Python in a worker, started from the picture of its memory that was taken when the site was built.

import { instances } from "./programs.js";

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

/** Pyodide asks for its WebAssembly by `fetch`, and knows nothing of its being packed. */
function unpackWhatPyodideFetches() {
  const plain = self.fetch;
  self.fetch = (asked, how) => (String(asked).endsWith("/pyodide.asm.wasm") ? unpacked("pyodide.bin", "application/wasm") : plain(asked, how));
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

/** The module `snakeden.site.start`, joined with the games' programs. @returns {Promise<any>} */
export async function startPython() {
  const address = `${HERE}pyodide.mjs`;
  const memory = unpacked("memory.bin", "application/octet-stream").then((answer) => answer.arrayBuffer());
  const about = fetched("about.json").then((answer) => answer.json());
  const programs = about.then(({ games }) => Promise.all(games.map(async (/** @type {string} */ game) => [game, await compiled(`${game}.wasm`)])));
  const code = `${HERE}pyodide.asm.mjs`;
  const [{ loadPyodide }, { default: create }, picture, { lock }, modules] = await Promise.all([import(address), import(code), memory, about, programs]);
  unpackWhatPyodideFetches();
  const python = await loadPyodide({
    indexURL: HERE, lockFileContents: JSON.stringify(lock), _loadSnapshot: new Uint8Array(picture), _snapshotDeserializer: () => null,
    createPyodideModule: roomy(create, picture.byteLength),
  });
  const start = python.pyimport("snakeden.site.start");
  start.join_programs(instances(Object.fromEntries(modules)));
  return start;
}
