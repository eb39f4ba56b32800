// The words of passages, each once with its weight, until their vectors are known.

const entriesOfPiece = 1 << 16;
/** A word that a passage repeats counts up to this often. */
const maxRepeats = 3;
/** A weight is kept in a byte. */
const maxWeight = 255;

export class PassageWords {
  private readonly pieces: { rows: Uint32Array; weights: Uint8Array }[] = [];
  private readonly ends: number[] = [];
  private used = 0;

  get size(): number {
    return this.ends.length;
  }

  /** Numbers of words kept. */
  get entries(): number {
    return this.used;
  }

  /** `titles` count `titleWeight` times. */
  push(titles: readonly number[], text: readonly number[], titleWeight: number): void {
    const weights = new Map<number, number>();
    for (const row of text) weights.set(row, Math.min(maxRepeats, (weights.get(row) ?? 0) + 1));
    for (const row of new Set(titles)) weights.set(row, Math.min(maxWeight, (weights.get(row) ?? 0) + titleWeight));
    for (const [row, weight] of weights) {
      const at = this.used++ % entriesOfPiece;
      if (at === 0)
        this.pieces.push({ rows: new Uint32Array(entriesOfPiece), weights: new Uint8Array(entriesOfPiece) });
      const piece = this.pieces.at(-1)!;
      piece.rows[at] = row;
      piece.weights[at] = weight;
    }
    this.ends.push(this.used);
  }

  /** Calls back with each word of a passage. */
  forEach(passage: number, visit: (row: number, weight: number) => void): void {
    for (let i = this.ends[passage - 1] ?? 0; i < this.ends[passage]!; ++i) {
      const { rows, weights } = this.pieces[Math.floor(i / entriesOfPiece)]!;
      visit(rows[i % entriesOfPiece]!, weights[i % entriesOfPiece]!);
    }
  }
}
