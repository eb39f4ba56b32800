// Entries with a vector for each of their tokens, ranked by late interaction (Khattab and Zaharia 2020): the sum, over the
// vectors of the query, of the largest dot product with one of the entry (MaxSim). Vectors are int8; with 'binary', their signs
// choose the entries whose scores are computed.

import { grown } from '../growing.js';
import type { Choose, Offer } from '../top_k.js';
import { quantizeInt8, signBits } from './int8_vector.js';
import { createSearchKernels } from './kernels.js';
import { Arena, padded, scannedRows, VectorTable } from './vector_table.js';

/** No entry. */
const none = 2 ** 32 - 1;

/** Entries whose scores are computed after their signs chose them. */
const candidatesOf = (k: number): number => Math.max(128, 4 * k);

interface Span {
  first: number;
  count: number;
}

export class TokenStorage {
  private readonly arena = new Arena(createSearchKernels());
  private readonly rows: VectorTable;
  private readonly signs: VectorTable | undefined;
  private readonly query: number;
  private readonly scores: number;
  private readonly quantized: Int8Array;
  private scales = new Float32Array();
  /** The slot of each row. */
  private owners = new Uint32Array();
  private spans: (Span | undefined)[] = [];
  private used = 0;

  constructor(
    readonly dimension: number,
    storage: 'f32' | 'int8' | 'binary',
  ) {
    this.rows = new VectorTable(this.arena, padded(dimension));
    if (storage === 'binary') this.signs = new VectorTable(this.arena, padded(Math.ceil(dimension / 8)));
    this.query = this.arena.take(this.rows.rowBytes);
    this.scores = this.arena.take(4 * scannedRows);
    this.quantized = new Int8Array(dimension);
  }

  has(slot: number): boolean {
    return this.spans[slot] !== undefined;
  }

  /** Number of vectors of an entry. */
  countOf(slot: number): number {
    return this.spans[slot]?.count ?? 0;
  }

  /** `vectors`: row-major, whole vectors. */
  set(slot: number, vectors: Float32Array): void {
    const span = this.spanFor(slot, vectors.length / this.dimension);
    for (let i = 0; i < span.count; ++i) {
      const vector = vectors.subarray(i * this.dimension, (i + 1) * this.dimension);
      const scale = quantizeInt8(vector, this.quantized);
      this.setRow(slot, span.first + i, this.quantized, scale);
    }
  }

  /** As `quantized` gives them. */
  setQuantized(slot: number, q: Int8Array, scales: Float32Array): void {
    const span = this.spanFor(slot, scales.length);
    scales.forEach((scale, i) =>
      this.setRow(slot, span.first + i, q.subarray(i * this.dimension, (i + 1) * this.dimension), scale),
    );
  }

  remove(slot: number): void {
    const span = this.spans[slot];
    if (span) this.owners.fill(none, span.first, span.first + span.count);
    this.spans[slot] = undefined;
  }

  /** Copies of an entry's vectors and their scales: value = q * scale. */
  quantizedOf(slot: number): { q: Int8Array; scales: Float32Array } {
    const { first, count } = this.spans[slot] ?? { first: 0, count: 0 };
    const q = new Int8Array(count * this.dimension);
    for (let i = 0; i < count; ++i) q.set(this.row(first + i), i * this.dimension);
    return { q, scales: this.scales.slice(first, first + count) };
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
    if (!this.signs) return this.sums(query, 'score_rows_i8', this.rows, offer);
    const { best, offer: choosing } = choose(candidatesOf(k));
    this.sums(query, 'score_rows_binary', this.signs, choosing);
    for (const { slot } of best.ranked()) offer(slot, this.score(query, slot));
  }

  /** MaxSim of the query and one entry. */
  private score(query: Float32Array, slot: number): number {
    const { first, count } = this.spans[slot]!;
    let sum = 0;
    for (let at = 0; at < query.length; at += this.dimension) {
      const queryScale = this.setQuery(query.subarray(at, at + this.dimension));
      let best = -Infinity;
      this.scoreRows('score_rows_i8', this.rows, first, first + count, (row, dots) => {
        for (let i = 0; i < dots.length; ++i) best = Math.max(best, dots[i]! * this.scales[row + i]!);
      });
      sum += best * queryScale;
    }
    return sum;
  }

  /** Scores all entries. By signs a dot product is minus the number of bits that differ. */
  private sums(
    query: Float32Array,
    kernel: 'score_rows_i8' | 'score_rows_binary',
    table: VectorTable,
    offer: Offer,
  ): void {
    const { owners, scales, spans } = this;
    const isExact = kernel === 'score_rows_i8';
    const sums = new Float64Array(spans.length);
    const best = new Float64Array(spans.length);
    for (let at = 0; at < query.length; at += this.dimension) {
      const queryScale = this.setQuery(query.subarray(at, at + this.dimension));
      if (!isExact) this.toSigns(this.query);
      best.fill(-Infinity);
      this.scoreRows(kernel, table, 0, this.used, (row, scores) => {
        for (let i = 0; i < scores.length; ++i) {
          const slot = owners[row + i]!;
          if (slot === none) continue;
          const score = isExact ? scores[i]! * scales[row + i]! : -scores[i]!;
          if (score > best[slot]!) best[slot] = score;
        }
      });
      for (let slot = 0; slot < best.length; ++slot) sums[slot]! += isExact ? best[slot]! * queryScale : best[slot]!;
    }
    spans.forEach((span, slot) => {
      if (span && span.count > 0) offer(slot, sums[slot]!);
    });
  }

  private scoreRows(
    kernel: 'score_rows_i8' | 'score_rows_binary',
    table: VectorTable,
    begin: number,
    end: number,
    take: (row: number, scores: Int32Array) => void,
  ): void {
    const { arena } = this;
    for (let row = begin, count; row < end; row += count) {
      count = table.adjacent(row, Math.min(scannedRows, end - row));
      arena.kernels[kernel](this.query, table.row(row), count, table.rowBytes, this.scores);
      take(row, new Int32Array(arena.bytes, this.scores, count));
    }
  }

  private setQuery(vector: Float32Array): number {
    return quantizeInt8(vector, new Int8Array(this.arena.bytes, this.query, this.dimension));
  }

  /** Replaces the query by its signs. */
  private toSigns(address: number): void {
    const q = new Int8Array(this.arena.bytes, address, this.dimension).slice();
    new Uint8Array(this.arena.bytes, address, this.rows.rowBytes).fill(0);
    signBits(q, new Uint8Array(this.arena.bytes, address, Math.ceil(q.length / 8)));
  }

  /** Rows for an entry: those that it has, if they are enough, or new ones. */
  private spanFor(slot: number, count: number): Span {
    const present = this.spans[slot];
    this.remove(slot);
    const first = present && present.count >= count ? present.first : this.used;
    this.used = Math.max(this.used, first + count);
    this.owners = grown(this.owners, this.used);
    this.scales = grown(this.scales, this.used);
    while (this.spans.length <= slot) this.spans.push(undefined);
    return (this.spans[slot] = { first, count });
  }

  private setRow(slot: number, row: number, q: Int8Array, scale: number): void {
    this.rows.reserve(row);
    this.row(row).set(q);
    this.scales[row] = scale;
    this.owners[row] = slot;
    if (!this.signs) return;
    this.signs.reserve(row);
    signBits(q, new Uint8Array(this.arena.bytes, this.signs.row(row), Math.ceil(q.length / 8)));
  }

  /** A view, for immediate use. */
  private row(row: number): Int8Array {
    return new Int8Array(this.arena.bytes, this.rows.row(row), this.dimension);
  }
}
