// Entries with a vector for each of their tokens, ranked by late interaction (Khattab and Zaharia 2020): the sum, over
// the vectors of the query, of the largest dot product with one of the entry (MaxSim). Vectors are int8; with 'binary',
// their signs choose the entries whose scores are computed.

import type { Choose, Offer } from '../top_k.js';
import { quantizeInt8, signBits } from './int8_vector.js';
import { createLateKernels, tileRows } from './late_kernels.js';
import { pooledTokens } from './token_pooling.js';
import { Arena, blockRows, padded, VectorTable } from './vector_table.js';

/** Entries whose scores are computed after their signs chose them. */
const candidatesOf = (k: number): number => Math.max(128, 4 * k);

const floatBytes = 4;
/** The kernels prepare values in this many bytes. */
const preparedBytes = 2;
const maxInt32 = 2 ** 31 - 1;

interface Span {
  first: number;
  count: number;
}

/** The vectors of a query in the memory of the kernels. */
interface Query {
  count: number;
  vectors: number;
  prepared: number;
  signs: number;
  scales: Float64Array;
  /** For each vector the best comparison with an entry: int32 for signs, else float64. */
  best: number;
}

export class TokenStorage {
  private readonly arena = new Arena(createLateKernels());
  private readonly rows: VectorTable;
  private readonly scales = new VectorTable(this.arena, floatBytes);
  private readonly signs: VectorTable | undefined;
  private readonly quantized: Int8Array;
  /** Memory in which the kernels rearrange rows. */
  private readonly tile: number;
  private spans: (Span | undefined)[] = [];
  private used = 0;
  private query: Query = { count: 0, vectors: 0, prepared: 0, signs: 0, scales: new Float64Array(), best: 0 };

  constructor(
    readonly dimension: number,
    storage: 'f32' | 'int8' | 'binary',
    private readonly poolFactor: number,
  ) {
    this.rows = new VectorTable(this.arena, padded(dimension));
    if (storage === 'binary') this.signs = new VectorTable(this.arena, padded(Math.ceil(dimension / 8)));
    this.quantized = new Int8Array(dimension);
    this.tile = this.arena.take(tileRows * this.rows.rowBytes * preparedBytes);
  }

  has(slot: number): boolean {
    return this.spans[slot] !== undefined;
  }

  /** Number of vectors of an entry. */
  countOf(slot: number): number {
    return this.spans[slot]?.count ?? 0;
  }

  /** `given`: row-major, whole vectors, which are pooled. */
  set(slot: number, given: Float32Array): void {
    const vectors = this.poolFactor === 1 ? given : pooledTokens(given, this.dimension, this.poolFactor);
    const span = this.spanFor(slot, vectors.length / this.dimension);
    for (let i = 0; i < span.count; ++i) {
      const vector = vectors.subarray(i * this.dimension, (i + 1) * this.dimension);
      const scale = quantizeInt8(vector, this.quantized);
      this.setRow(span.first + i, this.quantized, scale);
    }
  }

  /** Values and scales from `quantizedOf`. */
  setQuantized(slot: number, q: Int8Array, scales: Float32Array): void {
    const span = this.spanFor(slot, scales.length);
    scales.forEach((scale, i) =>
      this.setRow(span.first + i, q.subarray(i * this.dimension, (i + 1) * this.dimension), scale),
    );
  }

  remove(slot: number): void {
    this.spans[slot] = undefined;
  }

  /** Copies of an entry's vectors and their scales: value = q * scale. */
  quantizedOf(slot: number): { q: Int8Array; scales: Float32Array } {
    const { first, count } = this.spans[slot] ?? { first: 0, count: 0 };
    const q = new Int8Array(count * this.dimension);
    const scales = new Float32Array(count);
    for (let i = 0; i < count; ++i) {
      q.set(this.row(first + i), i * this.dimension);
      scales[i] = this.scale(first + i)[0]!;
    }
    return { q, scales };
  }

  /** A copy of an entry's vectors as they are stored. */
  vectorOf(slot: number): Float32Array | undefined {
    if (!this.has(slot)) return undefined;
    const { q, scales } = this.quantizedOf(slot);
    return Float32Array.from(q, (value, i) => value * scales[Math.floor(i / this.dimension)]!);
  }

  /**
   * Offers entries with their scores to `offer`. `choose` makes a list for the best of some entries, which signs need.
   */
  scan(query: Float32Array, k: number, choose: Choose, offer: Offer): void {
    this.setQuery(query);
    if (!this.signs) return this.forEach((slot, span) => offer(slot, this.score(span)));
    const { best, offer: choosing } = choose(candidatesOf(k));
    this.forEach((slot, span) => choosing(slot, -this.distance(span)));
    for (const { slot } of best.ranked()) offer(slot, this.score(this.spans[slot]!));
  }

  private forEach(take: (slot: number, span: Span) => void): void {
    this.spans.forEach((span, slot) => {
      if (span && span.count > 0) take(slot, span);
    });
  }

  /** MaxSim of the query and an entry. */
  private score(span: Span): number {
    const { arena, query, rows, scales } = this;
    new Float64Array(arena.bytes, query.best, query.count).fill(-Infinity);
    this.forRuns(span, (first, count) =>
      arena.kernels.largest_products(
        query.prepared,
        query.count,
        rows.row(first),
        scales.row(first),
        count,
        rows.rowBytes,
        this.tile,
        query.best,
      ),
    );
    const best = new Float64Array(arena.bytes, query.best, query.count);
    return best.reduce((sum, product, i) => sum + product * query.scales[i]!, 0);
  }

  /** The sum, over the vectors of the query, of the number of bits in which the nearest signs of an entry differ. */
  private distance(span: Span): number {
    const { arena, query } = this;
    const signs = this.signs!;
    const nearest = new Int32Array(arena.bytes, query.best, query.count).fill(maxInt32);
    this.forRuns(span, (first, count) =>
      arena.kernels.nearest_signs(query.signs, query.count, signs.row(first), count, signs.rowBytes, query.best),
    );
    let sum = 0;
    for (let i = 0; i < nearest.length; ++i) sum += nearest[i]!;
    return sum;
  }

  /** Calls `take` with runs of rows that are adjacent in memory. */
  private forRuns({ first, count }: Span, take: (first: number, count: number) => void): void {
    for (let row = first, rows; row < first + count; row += rows) {
      rows = Math.min(first + count - row, blockRows - (row % blockRows));
      take(row, rows);
    }
  }

  private setQuery(vectors: Float32Array): void {
    const { arena, dimension, rows, signs } = this;
    const count = vectors.length / dimension;
    if (count > this.query.scales.length) {
      this.query.vectors = arena.take(count * rows.rowBytes);
      this.query.prepared = arena.take(count * rows.rowBytes * preparedBytes);
      this.query.signs = arena.take(count * (signs?.rowBytes ?? 0));
      this.query.best = arena.take(count * Float64Array.BYTES_PER_ELEMENT);
      this.query.scales = new Float64Array(count);
    }
    this.query.count = count;
    for (let i = 0; i < count; ++i) {
      const q = new Int8Array(arena.bytes, this.query.vectors + i * rows.rowBytes, dimension);
      this.query.scales[i] = quantizeInt8(vectors.subarray(i * dimension, (i + 1) * dimension), q);
      if (signs) this.writeSigns(q, this.query.signs + i * signs.rowBytes);
    }
    arena.kernels.prepare_queries(this.query.vectors, count, rows.rowBytes, this.query.prepared);
  }

  /** Rows for an entry: those that it has, if they are enough, or new ones. */
  private spanFor(slot: number, count: number): Span {
    const present = this.spans[slot];
    const first = present && present.count >= count ? present.first : this.used;
    this.used = Math.max(this.used, first + count);
    while (this.spans.length <= slot) this.spans.push(undefined);
    return (this.spans[slot] = { first, count });
  }

  private setRow(row: number, q: Int8Array, scale: number): void {
    for (const table of [this.rows, this.scales, this.signs]) table?.reserve(row);
    this.row(row).set(q);
    this.scale(row)[0] = scale;
    if (this.signs) this.writeSigns(q, this.signs.row(row));
  }

  private writeSigns(q: Int8Array, address: number): void {
    signBits(q, new Uint8Array(this.arena.bytes, address, Math.ceil(q.length / 8)));
  }

  /** Views, for immediate use. */
  private row(row: number): Int8Array {
    return new Int8Array(this.arena.bytes, this.rows.row(row), this.dimension);
  }
  private scale(row: number): Float32Array {
    return new Float32Array(this.arena.bytes, this.scales.row(row), 1);
  }
}
