// The inner loops of the search index: a small WebAssembly module that is part of the script, so that searching is
// synchronous and needs neither the engine nor a file. If WebAssembly is not available, the same loops in JavaScript.

import bytes from 'quintet-search-kernels';

export interface KernelMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/**
 * All addresses are bytes in `memory`, multiples of 16; vectors are padded with zeros to whole multiples of 16
 * bytes.
 */
export interface SearchKernels {
  readonly memory: KernelMemory;
  /** scores[i] = query . row i as float64; the query is float64, rows are float32. No sum overflows or underflows. */
  score_rows_f32(query: number, rows: number, count: number, dimension: number, scores: number): void;
  /** scores[i] = query . row i as int32, of int8 values; exact. */
  score_rows_i8(query: number, rows: number, count: number, dimension: number, scores: number): void;
  /** scores[i] = number of bits in which query and row i differ, as int32. */
  score_rows_binary(query: number, rows: number, count: number, bytes: number, scores: number): void;
}

/**
 * Makes kernels with their own memory, from the first of `modules` that the engine can compile, once; `inJavaScript`
 * where it can compile none.
 */
export function kernelsOf<Kernels>(modules: readonly string[], inJavaScript: () => Kernels): () => Kernels {
  let compiled: WebAssembly.Module | undefined | null;
  return () => {
    for (const bytes of modules) compiled ??= compile(moduleBytes(bytes));
    return compiled ? (new WebAssembly.Instance(compiled).exports as unknown as Kernels) : inJavaScript();
  };
}

export const createSearchKernels = kernelsOf<SearchKernels>([bytes], () => new ScalarKernels());

function compile(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module | null {
  try {
    return new WebAssembly.Module(bytes);
  } catch {
    return null;
  }
}

/** The bytes of a module that the build has put into a string. */
export const moduleBytes = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0));

const pageBytes = 65536;

/** The memory of kernels in JavaScript. */
export class ScalarMemory implements KernelMemory {
  buffer = new ArrayBuffer(pageBytes);

  grow(pages: number): number {
    const before = this.buffer.byteLength / pageBytes;
    // Growing by less would take quadratic time for copying.
    const bytes = Math.max((before + pages) * pageBytes, 2 * this.buffer.byteLength);
    const larger = new Uint8Array(bytes);
    larger.set(new Uint8Array(this.buffer));
    this.buffer = larger.buffer;
    return before;
  }
}

/** Sums in the order of the SIMD lanes, so that results are bit-identical. */
class ScalarKernels implements SearchKernels {
  readonly memory = new ScalarMemory();

  score_rows_f32(query: number, rows: number, count: number, dimension: number, scores: number): void {
    const q = new Float64Array(this.memory.buffer, query, dimension);
    const r = new Float32Array(this.memory.buffer, rows, count * dimension);
    const out = new Float64Array(this.memory.buffer, scores, count);
    const lanes = new Float64Array(4);
    for (let i = 0, at = 0; i < count; ++i) {
      lanes.fill(0);
      for (let j = 0; j < dimension; ++j) lanes[j & 3]! += q[j]! * r[at++]!;
      out[i] = lanes.reduce((sum, lane) => sum + lane);
    }
  }

  score_rows_i8(query: number, rows: number, count: number, dimension: number, scores: number): void {
    const q = new Int8Array(this.memory.buffer, query, dimension);
    const r = new Int8Array(this.memory.buffer, rows, count * dimension);
    const out = new Int32Array(this.memory.buffer, scores, count);
    for (let i = 0, at = 0; i < count; ++i) {
      let sum = 0;
      for (let j = 0; j < dimension; ++j) sum += q[j]! * r[at++]!;
      out[i] = sum;
    }
  }

  score_rows_binary(query: number, rows: number, count: number, bytes: number, scores: number): void {
    const q = new Uint8Array(this.memory.buffer, query, bytes);
    const r = new Uint8Array(this.memory.buffer, rows, count * bytes);
    const out = new Int32Array(this.memory.buffer, scores, count);
    for (let i = 0, at = 0; i < count; ++i) {
      let differing = 0;
      for (let j = 0; j < bytes; ++j) {
        for (let bits = q[j]! ^ r[at]!; bits; bits &= bits - 1) ++differing;
        ++at;
      }
      out[i] = differing;
    }
  }
}
