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

type Numbers = typeof Float64Array | typeof Float32Array | typeof Int32Array | typeof Int8Array | typeof Uint8Array;

class ScalarKernels implements SearchKernels {
  readonly memory = new ScalarMemory();
  readonly score_rows_f32 = this.scoring(Float64Array, Float32Array, Float64Array, times);
  readonly score_rows_i8 = this.scoring(Int8Array, Int8Array, Int32Array, times);
  readonly score_rows_binary = this.scoring(Uint8Array, Uint8Array, Int32Array, differingBits);

  private scoring(Query: Numbers, Rows: Numbers, Scores: Numbers, term: (a: number, b: number) => number) {
    return (query: number, rows: number, count: number, dimension: number, scores: number) => {
      const { buffer } = this.memory;
      const q = new Query(buffer, query, dimension);
      const r = new Rows(buffer, rows, count * dimension);
      const out = new Scores(buffer, scores, count);
      for (let i = 0, at = 0; i < count; ++i) {
        // In the order of the SIMD lanes, so that results are bit-identical.
        const lanes = [0, 0, 0, 0];
        for (let j = 0; j < dimension; ++j) lanes[j & 3]! += term(q[j]!, r[at++]!);
        out[i] = lanes.reduce((sum, lane) => sum + lane);
      }
    };
  }
}

const times = (a: number, b: number) => a * b;

function differingBits(a: number, b: number): number {
  let count = 0;
  for (let bits = a ^ b; bits; bits &= bits - 1) ++count;
  return count;
}
