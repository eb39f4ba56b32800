// The three ways in which a search index stores its vectors.

import { grown } from '../growing.js';
import { quantizeInt8, signBits } from './int8_vector.js';
import { createSearchKernels } from './kernels.js';
import type { RowScorer } from './row_scorer.js';
import { Arena, padded, scannedRows, VectorTable } from './vector_table.js';

/** Receives the slots of a scan in order, with their scores. Those below the floor, which rises, may be left out. */
export interface ScanSink {
  readonly floor: number;
  take(slot: number, score: number): void;
}

export interface VectorStorage {
  /** The memory that a scan reads. */
  readonly scanned: Scanned;
  set(slot: number, vector: Float32Array): void;
  /** A copy of a vector as it is stored. */
  vector(slot: number): Float32Array;
  /** Scores slots 0 to `count` against a query. */
  scan(query: Float32Array, count: number, sink: ScanSink): void;
  /**
   * Present if `scan` only estimates scores: keep this many candidates for k results, and score them again with
   * `score`.
   */
  readonly rescoring?: { candidates(k: number): number; score(query: Float32Array, slot: number): number };
}

/** Several threads can take part in scans. */
export interface Scanned {
  readonly arena: Arena;
  /** Scores the rows of a scan; absent if a single thread does. */
  scorer?: RowScorer | undefined;
}

/**
 * Float vectors, each with an int8 sketch. A scan reads the sketches, a quarter of the bytes, and computes exact scores
 * only for the few vectors that the error of the sketches cannot rule out.
 */
export class FloatStorage implements VectorStorage {
  get scanned(): Scanned {
    return this.sketches;
  }

  private readonly arena = new Arena(createSearchKernels());
  private readonly rows: VectorTable;
  private readonly query: number;
  private readonly score: number;
  private readonly sketches: Int8Storage;
  /** Maximum length of a sketch. */
  private longest = 0;
  /** Maximum distance between a sketch and its vector. */
  private furthest = 0;

  constructor(readonly dimension: number) {
    this.rows = new VectorTable(this.arena, padded(4 * dimension));
    this.query = this.arena.take(2 * this.rows.rowBytes);
    this.score = this.arena.take(8);
    this.sketches = new Int8Storage(dimension);
  }

  set(slot: number, vector: Float32Array): void {
    const { q, scale, length, distance } = sketchOf(vector);
    this.rows.reserve(slot);
    this.get(slot).set(vector);
    this.sketches.setQuantized(slot, q, scale);
    this.longest = Math.max(this.longest, length);
    this.furthest = Math.max(this.furthest, distance);
  }

  /** A view, for immediate use. */
  get(slot: number): Float32Array {
    return new Float32Array(this.arena.bytes, this.rows.row(slot), this.dimension);
  }

  vector(slot: number): Float32Array {
    return this.get(slot).slice();
  }

  scan(query: Float32Array, count: number, sink: ScanSink): void {
    new Float64Array(this.arena.bytes, this.query, this.dimension).set(query);
    const margin = this.errorBound(query);
    this.sketches.scan(query, count, {
      get floor() {
        return sink.floor - margin;
      },
      take: (slot) => {
        this.arena.kernels.score_rows_f32(this.query, this.rows.row(slot), 1, this.rows.rowBytes / 4, this.score);
        sink.take(slot, new Float64Array(this.arena.bytes, this.score, 1)[0]!);
      },
    });
  }

  /**
   * Upper bound of the difference between a sketch's score and the exact one: with sketches q' and r', by
   * Cauchy-Schwarz,
   * |q.r - q'.r'| = |q.(r - r') + (q - q').r'| <= |q||r - r'| + |q - q'||r'|, plus the rounding errors of float64 sums.
   */
  private errorBound(query: Float32Array): number {
    const sketch = sketchOf(query);
    const queryLength = sketch.length + sketch.distance;
    const rounding = (this.dimension + 8) * 2 ** -50 * queryLength * (this.longest + this.furthest);
    return queryLength * this.furthest + sketch.distance * this.longest + rounding;
  }
}

function sketchOf(vector: Float32Array): { q: Int8Array; scale: number; length: number; distance: number } {
  const q = new Int8Array(vector.length);
  const scale = quantizeInt8(vector, q);
  let squares = 0;
  let squaredErrors = 0;
  for (let i = 0; i < q.length; ++i) {
    const value = q[i]! * scale;
    squares += value ** 2;
    squaredErrors += (vector[i]! - value) ** 2;
  }
  return { q, scale, length: Math.sqrt(squares), distance: Math.sqrt(squaredErrors) };
}

export class Int8Storage implements VectorStorage, Scanned {
  readonly arena = new Arena(createSearchKernels());
  scorer?: RowScorer | undefined;
  private readonly rows: VectorTable;
  private readonly query: number;
  private readonly scores: number;
  private scales = new Float32Array();
  private largestScale = 0;
  private readonly quantized: Int8Array;

  constructor(readonly dimension: number) {
    this.rows = new VectorTable(this.arena, padded(dimension));
    this.query = this.arena.take(2 * this.rows.rowBytes);
    this.scores = this.arena.take(4 * scannedRows);
    this.quantized = new Int8Array(dimension);
  }

  get scanned(): Scanned {
    return this;
  }

  set(slot: number, vector: Float32Array): void {
    const scale = quantizeInt8(vector, this.quantized);
    this.setQuantized(slot, this.quantized, scale);
  }

  setQuantized(slot: number, q: Int8Array, scale: number): void {
    this.rows.reserve(slot);
    this.get(slot).set(q);
    this.scales = grown(this.scales, slot + 1);
    this.scales[slot] = scale;
    this.largestScale = Math.max(this.largestScale, scale);
  }

  /** A view, for immediate use. */
  get(slot: number): Int8Array {
    return new Int8Array(this.arena.bytes, this.rows.row(slot), this.dimension);
  }

  vector(slot: number): Float32Array {
    return Float32Array.from(this.get(slot), (value) => value * this.scale(slot));
  }

  scale(slot: number): number {
    return this.scales[slot]!;
  }

  scan(query: Float32Array, count: number, sink: ScanSink): void {
    const queryScale = this.setQuery(query);
    const { scales, largestScale } = this;
    // Rules out most rows with a single comparison, unless scales differ widely. Lowered by more than rounding errors.
    const leastDot = (floor: number) => (floor > 0 ? (floor / (largestScale * queryScale)) * (1 - 1e-9) : -Infinity);
    this.scoreRows('score_rows_i8', this.query, this.rows, count, (first, dots) => {
      let { floor } = sink;
      let least = leastDot(floor);
      for (let i = 0; i < dots.length; ++i) {
        if (dots[i]! < least) continue;
        const score = dots[i]! * scales[first + i]! * queryScale;
        if (score < floor) continue;
        sink.take(first + i, score);
        ({ floor } = sink);
        least = leastDot(floor);
      }
    });
  }

  protected scoreRows(...[kernel, query, table, count, take]: Parameters<RowScorer>): void {
    if (this.scorer) return this.scorer(kernel, query, table, count, take);
    const { arena } = this;
    for (let first = 0, rows; first < count; first += rows) {
      rows = table.adjacent(first, Math.min(scannedRows, count - first));
      arena.kernels[kernel](query, table.row(first), rows, table.rowBytes, this.scores);
      take(first, new Int32Array(arena.bytes, this.scores, rows));
    }
  }

  /** Quantizes the query. Returns its scale. */
  protected setQuery(query: Float32Array): number {
    return quantizeInt8(query, new Int8Array(this.arena.bytes, this.query, this.dimension));
  }

  /** The dot product of a row with the query that was set. */
  protected dot(slot: number): number {
    this.arena.kernels.score_rows_i8(this.query, this.rows.row(slot), 1, this.rows.rowBytes, this.scores);
    return new Int32Array(this.arena.bytes, this.scores, 1)[0]!;
  }
}

/** Signs select candidates, int8 vectors rank them. */
export class BinaryStorage extends Int8Storage {
  private readonly signs: VectorTable;
  private readonly querySigns: number;

  constructor(dimension: number) {
    super(dimension);
    this.signs = new VectorTable(this.arena, padded(Math.ceil(dimension / 8)));
    this.querySigns = this.arena.take(this.signs.rowBytes);
  }

  override setQuantized(slot: number, q: Int8Array, scale: number): void {
    super.setQuantized(slot, q, scale);
    this.signs.reserve(slot);
    this.writeSigns(q, this.signs.row(slot));
  }

  override scan(query: Float32Array, count: number, sink: ScanSink): void {
    const q = new Int8Array(this.dimension);
    quantizeInt8(query, q);
    this.writeSigns(q, this.querySigns);
    this.scoreRows('score_rows_binary', this.querySigns, this.signs, count, (first, distances) => {
      const { floor } = sink;
      for (let i = 0; i < distances.length; ++i) if (-distances[i]! >= floor) sink.take(first + i, -distances[i]!);
    });
  }

  readonly rescoring = {
    // The signs of a few hundred values distinguish close vectors only roughly.
    candidates: (k: number): number => Math.max(256, 16 * k),
    score: (query: Float32Array, slot: number): number => {
      const queryScale = this.setQuery(query);
      return this.dot(slot) * this.scale(slot) * queryScale;
    },
  };

  private writeSigns(q: Int8Array, address: number): void {
    signBits(q, new Uint8Array(this.arena.bytes, address, Math.ceil(q.length / 8)));
  }
}
