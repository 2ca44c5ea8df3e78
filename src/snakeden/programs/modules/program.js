/**
 * A game's rules and search as WebAssembly: the same kernels that run on a server, in the browser or in Node.
 *
 * The description that lies beside a module says how its functions are called and how the tables of a variant lie in
 * memory; `snakeden.programs.abi` describes what the parts of a description mean.
 */

/**
 * @typedef {[name: string, type: string, shape?: string[]]} Parameter
 * @typedef {{tables: boolean, parameters: Parameter[], lengths: Record<string, number[]>, returns: string[]}} Entry
 * @typedef {{constants: Record<string, number>, state: string, size: number, tables: Record<string, any[]>}} Layout
 * @typedef {{programs: Layout[], entries: Record<string, Entry>}} Description
 * @typedef {{address: number, values: any}} Area  an array in the program's memory
 */

const PAGE = 65536;

/** @type {Record<string, any>} */
const VIEWS = {
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
};

export class Program {
  /**
   * @param {WebAssembly.Module} module
   * @param {Description} description
   * @param {number} number which of the module's programs plays the variant
   * @param {Uint8Array} block the variant's tables
   * @param {number} room bytes to reserve for arrays, so that the memory does not have to move while they are in use
   */
  constructor(module, description, number, block, room) {
    /** @type {any} */
    const exports = new WebAssembly.Instance(module, {}).exports;
    this.description = description;
    this.layout = description.programs[number];
    this._functions = exports;
    this._prefix = `p${number}_`;
    /** @type {WebAssembly.Memory} */
    this._memory = exports.memory;
    this._free = Number(exports.__heap_base.value);
    const missing = this._free + block.length + room + PAGE - this._memory.buffer.byteLength;
    if (missing > 0) this._memory.grow(Math.ceil(missing / PAGE));
    this._tables = this._take(block.length);
    new Uint8Array(this._memory.buffer, this._tables, block.length).set(block);
    /** @type {Record<string, number>} the numbers of the tables */
    this.numbers = {};
    for (const [name, [offset, type, ...shape]] of Object.entries(this.layout.tables)) {
      if (!shape.length) this.numbers[name] = Number(new VIEWS[type](this._memory.buffer, this._tables + offset, 1)[0]);
    }
  }

  /** @param {number} size */
  _take(size) {
    const address = Math.ceil(this._free / 64) * 64;
    this._free = address + size;
    if (this._free > this._memory.buffer.byteLength) throw new RangeError("the program has no room for more arrays");
    return address;
  }

  /**
   * An array of zeros in the program's memory.
   * @param {string} type
   * @param {number} length
   * @returns {Area}
   */
  array(type, length) {
    const view = VIEWS[type === "state" ? this.layout.state : type];
    const address = this._take(view.BYTES_PER_ELEMENT * length);
    return { address, values: new view(this._memory.buffer, address, length) };
  }

  /**
   * Arrays for all that an entry takes, by name.
   * @param {string} name
   * @param {Record<string, number>} lengths those that are read off arrays
   * @returns {Record<string, Area>}
   */
  arrays(name, lengths = {}) {
    const known = { ...this.numbers, ...lengths };
    /** @type {Record<string, Area>} */
    const found = {};
    for (const [parameter, type, shape] of this.description.entries[name].parameters) {
      if (shape) found[parameter] = this.array(type, shape.reduce((size, each) => size * sized(each, known), 1));
    }
    return found;
  }

  /**
   * Calls an entry with arguments by name; what it returns.
   * @param {string} name
   * @param {Record<string, Area | number | bigint>} given
   * @returns {any[]}
   */
  call(name, given) {
    const entry = this.description.entries[name];
    /** @type {any[]} */
    const values = entry.tables ? [this._tables] : [];
    for (const [parameter, type, shape] of entry.parameters) {
      const value = /** @type {any} */ (given[parameter]);
      if (value === undefined) throw new TypeError(`${name} takes ${parameter}`);
      if (shape) values.push(value.address);
      else values.push(type === "float64" ? Number(value) : BigInt(value));
    }
    for (const length of Object.keys(entry.lengths)) values.push(BigInt(/** @type {any} */ (given[length])));
    const free = this._free;
    const several = entry.returns.length > 1 ? entry.returns.map((type) => this.array(type, 1)) : [];
    const returned = this._functions[this._prefix + name](...values, ...several.map((area) => area.address));
    this._free = free;
    if (several.length) return several.map((area) => area.values[0]);
    return entry.returns.length ? [entry.returns[0] === "uint64" ? BigInt.asUintN(64, returned) : returned] : [];
  }
}

/**
 * The value of a dimension such as `2 * seats` or `actions + 1`.
 * @param {string} text
 * @param {Record<string, number>} known
 */
function sized(text, known) {
  return text.split("+").reduce((sum, term) => sum + term.split("*").reduce((product, part) => product * factor(part.trim(), known), 1), 0);
}

/**
 * @param {string} text
 * @param {Record<string, number>} known
 */
function factor(text, known) {
  const name = text.replace("?", "");
  const value = /^\d+$/.test(name) ? Number(name) : known[name];
  if (value === undefined) throw new TypeError(`the length ${name} is needed`);
  return value;
}
