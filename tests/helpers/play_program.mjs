/** Plays games and searches with a WebAssembly program, for tests and benchmarks; runs in Node and in browsers. */

/**
 * @param {typeof import("../../src/snakeden/programs/modules/program.js").Program} Program
 * @param {WebAssembly.Module} module
 * @param {any} description
 * @param {{number: number, block: Uint8Array, opening: (number | string)[], seeds: number[], simulations: number, parameters: any}} job
 */
export function play(Program, module, description, job) {
  const program = new Program(module, description, job.number, job.block, 96 << 20);
  const wide = ["int64", "uint64"].includes(program.layout.state);
  const opening = job.opening.map((word) => (wide ? BigInt(word) : Number(word)));
  const s = program.array("state", opening.length);
  const scores = program.array("int64", program.numbers.seats);
  const games = job.seeds.map((seed) => {
    s.values.set(opening);
    const moves = [];
    let [rng, move] = program.call("sample", { s, rng: seed });
    while (move >= 0n) {
      moves.push(Number(move));
      program.call("apply", { s, move });
      [rng, move] = program.call("sample", { s, rng });
    }
    program.call("scores", { s, out: scores });
    return { moves, scores: [...scores.values].map(Number) };
  });
  return { games, search: job.simulations ? search(program, opening, job) : null };
}

function search(program, opening, job) {
  const lengths = { tree_size: 20000, tree_room: 120000, workspace_leaves: 1 };
  const arrays = program.arrays("simulate", lengths);
  arrays.root.values.set(opening);
  const given = { ...arrays, ...lengths, ...job.parameters };
  // The engine compiles what is used much once more, and better: only then it is measured.
  program.call("simulate", { ...given, rng: 99, count: job.simulations });
  for (const area of Object.values(arrays)) if (area !== arrays.root) area.values.fill(area.values instanceof BigInt64Array || area.values instanceof BigUint64Array ? 0n : 0);
  const began = performance.now();
  const [rng, done] = program.call("simulate", { ...given, rng: 12345, count: job.simulations });
  const seconds = (performance.now() - began) / 1000;
  const [first, opened] = [arrays.tree_nodes.values[2], arrays.tree_nodes.values[4]];
  const edges = [];
  for (let edge = first; edge < first + opened; edge += 1) {
    edges.push([arrays.tree_edges.values[3 * edge], arrays.tree_edges.values[3 * edge + 2]]);
  }
  return { rng: String(rng), done: Number(done), seconds, edges };
}
