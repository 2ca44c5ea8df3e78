// Games' WebAssembly for the Python in this worker: `snakeden.programs.browser` has the other half.

const PAGE = 65536;

/** An instance of a game's module, with a memory that Python reads and writes. */
class Memory {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    /** @type {any} */
    const exports = new WebAssembly.Instance(module, {}).exports;
    this.functions = exports;
    this.heap = Number(exports.__heap_base.value);
    this.look();
  }

  /** See the memory as it is now. */
  look() {
    const buffer = this.functions.memory.buffer;
    this.views = {
      int8: new Int8Array(buffer), uint8: new Uint8Array(buffer), int16: new Int16Array(buffer), int32: new Int32Array(buffer),
      int64: new BigInt64Array(buffer), uint64: new BigUint64Array(buffer), float32: new Float32Array(buffer), float64: new Float64Array(buffer),
    };
    this.size = buffer.byteLength;
  }

  /** @param {number} pages */
  grow(pages) {
    // A little more at once: growing makes new views.
    this.functions.memory.grow(Math.max(pages, Math.ceil(this.size / PAGE / 8)));
    this.look();
  }

  /**
   * A function of the module that takes plain numbers.
   * @param {string} name @param {string} widths per argument `w` if WebAssembly takes it as a whole number of 64 bits @param {string} returns
   */
  bound(name, widths, returns) {
    const plain = this.functions[name];
    const wide = [...widths].map((letter) => letter === "w");
    return (/** @type {any[]} */ ...given) => {
      const result = plain(...given.map((value, k) => (wide[k] ? BigInt(value) : value)));
      return returns === "uint64" ? BigInt.asUintN(64, result) : result;
    };
  }
}

/**
 * What Python needs to make programs of these modules.
 * @param {{[game: string]: WebAssembly.Module}} modules
 */
export const instances = (modules) => (/** @type {string} */ game) => new Memory(modules[game]);
