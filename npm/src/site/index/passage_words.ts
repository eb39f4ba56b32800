// The words of passages, each once with its weight, until their vectors are known.

/** A passage does not cross pieces. */
const entriesOfPiece = 1 << 16;
/** A word that a passage repeats counts up to this often. */
const maxRepeats = 3;
/** A weight is kept in a byte. */
const maxWeight = 255;

/** Words by their rows in a table of vectors, and how often each counts. */
export interface WeightedWords {
  rows: Uint32Array<ArrayBuffer>;
  weights: Uint8Array<ArrayBuffer>;
}

/** Passages as another thread receives them. */
export interface PassageWordParts {
  pieces: WeightedWords[];
  starts: number[];
  ends: number[];
}

export class PassageWords {
  private pieces: WeightedWords[] = [];
  /** The places of each passage's words: all pieces count. */
  private starts: number[] = [];
  private ends: number[] = [];
  private used = 0;
  private kept = 0;

  /** Passages to read: none can be added. */
  static of(parts: PassageWordParts): PassageWords {
    return Object.assign(new PassageWords(), parts);
  }

  get parts(): PassageWordParts {
    const { pieces, starts, ends } = this;
    return { pieces, starts, ends };
  }

  get size(): number {
    return this.ends.length;
  }

  /** Numbers of words kept. */
  get entries(): number {
    return this.kept;
  }

  /**
   * `titles` count `titleWeight` times. Of a passage that fills a piece, the rest is dropped: it is data, not language.
   */
  push(titles: readonly number[], text: readonly number[], titleWeight: number): void {
    const weights = new Map<number, number>();
    for (const row of text) weights.set(row, Math.min(maxRepeats, (weights.get(row) ?? 0) + 1));
    for (const row of new Set(titles)) weights.set(row, Math.min(maxWeight, (weights.get(row) ?? 0) + titleWeight));
    const count = Math.min(weights.size, entriesOfPiece);
    const end = this.pieces.length * entriesOfPiece;
    // A passage without words has a place too.
    if (this.used + Math.max(1, count) > end) {
      this.pieces.push({ rows: new Uint32Array(entriesOfPiece), weights: new Uint8Array(entriesOfPiece) });
      this.used = end;
    }
    this.starts.push(this.used);
    const { rows, weights: counts } = this.pieces.at(-1)!;
    let at = this.used % entriesOfPiece;
    for (const [row, weight] of weights) {
      if (at === entriesOfPiece) break;
      rows[at] = row;
      counts[at++] = weight;
    }
    this.used += count;
    this.kept += count;
    this.ends.push(this.used);
  }

  of(passage: number): WeightedWords {
    const { rows, weights } = this.pieces[Math.floor(this.starts[passage]! / entriesOfPiece)]!;
    const start = this.starts[passage]! % entriesOfPiece;
    const end = start + this.ends[passage]! - this.starts[passage]!;
    return { rows: rows.subarray(start, end), weights: weights.subarray(start, end) };
  }
}
