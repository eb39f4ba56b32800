// Many vectors in a byte a value, in pieces that do not move when more come.

const rowsOfPiece = 4096;

interface Piece {
  values: Int8Array<ArrayBuffer>;
  scales: Float32Array<ArrayBuffer>;
}

/** Vectors as another thread receives them. */
export interface VectorParts {
  dimension: number;
  rows: number;
  pieces: Piece[];
}

export class ByteVectors {
  private pieces: Piece[] = [];
  private rows = 0;

  constructor(readonly dimension: number) {}

  static of({ dimension, rows, pieces }: VectorParts): ByteVectors {
    return Object.assign(new ByteVectors(dimension), { rows, pieces });
  }

  get parts(): VectorParts {
    const { dimension, rows, pieces } = this;
    return { dimension, rows, pieces };
  }

  get size(): number {
    return this.rows;
  }

  push(vector: Float32Array): void {
    if (this.rows % rowsOfPiece === 0) {
      this.pieces.push({
        values: new Int8Array(rowsOfPiece * this.dimension),
        scales: new Float32Array(rowsOfPiece),
      });
    }
    const { values, scales } = this.pieces.at(-1)!;
    let largest = 0;
    for (const value of vector) largest = Math.max(largest, Math.abs(value));
    const row = this.rows++ % rowsOfPiece;
    scales[row] = largest / 127;
    if (largest === 0) return;
    for (let i = 0, at = row * vector.length; i < vector.length; ++i, ++at) {
      values[at] = Math.round((127 * vector[i]!) / largest);
    }
  }

  /** Adds a vector, times a factor, to a sum. */
  addTo(sum: Float32Array, row: number, factor: number): void {
    const { values } = this.pieceOf(row);
    const scale = factor * this.scaleOf(row);
    const first = this.startOf(row);
    if (scale !== 0) for (let i = 0; i < sum.length; ++i) sum[i]! += scale * values[first + i]!;
  }

  /**
   * Adds several vectors, each times its factor, to a sum. Four at a time, so that the sum is loaded and stored less
   * often; rounding after each one gives the bits of `addTo`.
   */
  addAllTo(sum: Float32Array, rows: Uint32Array, factors: Uint8Array): void {
    const { fround } = Math;
    const whole = rows.length - (rows.length % 4);
    for (let at = 0; at < whole; at += 4) {
      const a = rows[at]!;
      const b = rows[at + 1]!;
      const c = rows[at + 2]!;
      const d = rows[at + 3]!;
      const first = factors[at]! * this.scaleOf(a);
      const second = factors[at + 1]! * this.scaleOf(b);
      const third = factors[at + 2]! * this.scaleOf(c);
      const fourth = factors[at + 3]! * this.scaleOf(d);
      // A view for each row would be garbage, of millions for a large site.
      const one = this.pieceOf(a).values;
      const two = this.pieceOf(b).values;
      const three = this.pieceOf(c).values;
      const four = this.pieceOf(d).values;
      const [ia, ib, ic, id] = [this.startOf(a), this.startOf(b), this.startOf(c), this.startOf(d)];
      for (let i = 0; i < sum.length; ++i) {
        const half = fround(fround(sum[i]! + first * one[ia + i]!) + second * two[ib + i]!);
        sum[i] = fround(half + third * three[ic + i]!) + fourth * four[id + i]!;
      }
    }
    for (let at = whole; at < rows.length; ++at) this.addTo(sum, rows[at]!, factors[at]!);
  }

  /** The bytes of a vector, which stand for multiples of its scale. */
  valuesOf(row: number): Int8Array {
    const first = this.startOf(row);
    return this.pieceOf(row).values.subarray(first, first + this.dimension);
  }

  scaleOf(row: number): number {
    return this.pieceOf(row).scales[row % rowsOfPiece]!;
  }

  private pieceOf(row: number): Piece {
    return this.pieces[Math.floor(row / rowsOfPiece)]!;
  }

  /** The place of a vector in its piece. */
  private startOf(row: number): number {
    return (row % rowsOfPiece) * this.dimension;
  }

  vector(row: number): Float32Array {
    const vector = new Float32Array(this.dimension);
    this.addTo(vector, row, 1);
    return vector;
  }
}

export function lengthOfVector(vector: ArrayLike<number>): number {
  let square = 0;
  for (let i = 0; i < vector.length; ++i) square += vector[i]! * vector[i]!;
  return Math.sqrt(square);
}

/** Makes a vector's length one; zeros stay. */
export function normalize(vector: Float32Array): Float32Array {
  const length = lengthOfVector(vector);
  if (length > 0) for (let i = 0; i < vector.length; ++i) vector[i]! /= length;
  return vector;
}
