// Rows of equal size in the memory of the search kernels, in blocks that never move.

import type { KernelMemory, SearchKernels } from './kernels.js';

/** Number of rows for which memory is taken at a time. */
export const blockRows = 256;
/**
 * Number of rows, whole blocks, that one call of a kernel scores at most: few enough for their scores to stay in the
 * cache, and enough for a long run through memory, which is faster.
 */
export const scannedRows = 32 * blockRows;

const alignment = 16;
const pageBytes = 65536;
/** Memory that the modules themselves use. */
const moduleBytes = pageBytes;

export const padded = (bytes: number): number => Math.ceil(bytes / alignment) * alignment;

/** Allocates memory that is never freed: the whole memory is released with the index. */
export class Arena<Kernels extends { readonly memory: KernelMemory } = SearchKernels> {
  private top: number;

  constructor(private used: Kernels) {
    this.top = moduleBytes;
  }

  get kernels(): Kernels {
    return this.used;
  }

  /** Moves all to the memory of other kernels, at the same addresses. Throws a RangeError if there is not enough. */
  moveTo(kernels: Kernels): void {
    const bytes = new Uint8Array(this.bytes, moduleBytes, this.top - moduleBytes);
    kernels.memory.grow(Math.ceil(bytes.length / pageBytes));
    new Uint8Array(kernels.memory.buffer, moduleBytes).set(bytes);
    this.used = kernels;
  }

  /** The address of zeroed memory. Throws a RangeError if there is not enough. */
  take(bytes: number): number {
    const address = this.top;
    const end = address + padded(bytes);
    const missing = end - this.used.memory.buffer.byteLength;
    if (missing > 0) this.grow(Math.ceil(missing / pageBytes));
    this.top = end;
    return address;
  }

  /** Grows by a little more than necessary: every growth makes a garbage collection more likely. */
  private grow(pages: number): void {
    const { memory } = this.kernels;
    const generous = pages + Math.floor(memory.buffer.byteLength / pageBytes / 64);
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

  /** Kernels need vectors of whole multiples of 16 bytes. */
  constructor(
    private readonly arena: { take(bytes: number): number },
    readonly rowBytes: number,
  ) {}

  /** Makes room for the rows up to `slot`. */
  reserve(slot: number): void {
    while (slot >= this.blocks.length * blockRows) this.blocks.push(this.arena.take(blockRows * this.rowBytes));
  }

  /** The number of rows, of the next `rows`, that are adjacent in memory; `first` is the first row of a block. */
  adjacent(first: number, rows: number): number {
    let count = blockRows;
    while (count < rows && this.row(first + count) === this.row(first) + count * this.rowBytes) count += blockRows;
    return Math.min(count, rows);
  }

  /** Address of a row. */
  row(slot: number): number {
    return this.blocks[Math.floor(slot / blockRows)]! + (slot % blockRows) * this.rowBytes;
  }
}
