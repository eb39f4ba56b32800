// Rows of equal size in the memory of the search kernels, in blocks that never move.

import type { SearchKernels } from './kernels.js';

/** Number of rows that one call of a kernel scores: few enough for their scores to stay in the cache. */
export const blockRows = 256;

const alignment = 16;
const pageBytes = 65536;

export const padded = (bytes: number): number => Math.ceil(bytes / alignment) * alignment;

/** Allocates memory that is never freed: the whole memory is released with the index. */
export class Arena {
  private top: number;

  constructor(readonly kernels: SearchKernels) {
    // The module itself uses the memory below.
    this.top = kernels.memory.buffer.byteLength;
  }

  /** The address of zeroed memory. Throws a RangeError if there is not enough. */
  take(bytes: number): number {
    const address = this.top;
    const end = address + padded(bytes);
    const missing = end - this.kernels.memory.buffer.byteLength;
    if (missing > 0) this.grow(Math.ceil(missing / pageBytes));
    this.top = end;
    return address;
  }

  /** Grows generously: untouched memory costs nothing, but every growth makes a garbage collection more likely. */
  private grow(pages: number): void {
    const { memory } = this.kernels;
    const generous = pages + Math.floor(memory.buffer.byteLength / pageBytes / 4);
    try {
      memory.grow(generous);
    } catch {
      memory.grow(pages);
    }
  }

  get bytes(): ArrayBuffer {
    return this.kernels.memory.buffer;
  }
}

export class VectorTable {
  private readonly blocks: number[] = [];

  /** `rowBytes` is a multiple of 16. */
  constructor(
    private readonly arena: Arena,
    readonly rowBytes: number,
  ) {}

  /** Makes room for the rows up to `slot`. */
  reserve(slot: number): void {
    while (slot >= this.blocks.length * blockRows) this.blocks.push(this.arena.take(blockRows * this.rowBytes));
  }

  /** Address of a row. */
  row(slot: number): number {
    return this.blocks[Math.floor(slot / blockRows)]! + (slot % blockRows) * this.rowBytes;
  }
}
