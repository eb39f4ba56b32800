// Bytes to lines, in batches as they arrive: a file gives full batches, a person who types gets an
// answer per line.
import { QuintetError } from '../errors.js';

export interface Line {
  text: string;
  /** Counted from 1. */
  number: number;
  /** Of the first byte in the input. */
  offset: number;
}

const LINES_PER_BATCH = 128;
const BYTES_PER_BATCH = 1 << 16;
const LONGEST_LINE = 1 << 26;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

export async function* lineBatches(input: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  const splitter = new LineSplitter();
  for await (const chunk of input) {
    yield* splitter.push(chunk);
    if (splitter.hasLines) yield splitter.take();
  }
  splitter.end();
  if (splitter.hasLines) yield splitter.take();
}

class LineSplitter {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  private batch: Line[] = [];
  private batchBytes = 0;
  /** Pieces of a line whose end has not come yet. */
  private pieces: Uint8Array[] = [];
  private pieceBytes = 0;
  private number = 0;
  private lineOffset = 0;

  get hasLines(): boolean {
    return this.batch.length > 0;
  }

  take(): Line[] {
    const lines = this.batch;
    this.batch = [];
    this.batchBytes = 0;
    return lines;
  }

  /** Gives the batches that are full. */
  *push(chunk: Uint8Array): Generator<Line[]> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.keep(chunk.subarray(start, end));
      this.completeLine(1);
      start = end + 1;
      if (this.isFull()) yield this.take();
    }
    if (start < chunk.length) this.keep(chunk.subarray(start));
  }

  /** The last line needs no newline. */
  end(): void {
    if (this.pieceBytes > 0) this.completeLine(0);
  }

  private isFull(): boolean {
    return this.batch.length >= LINES_PER_BATCH || this.batchBytes >= BYTES_PER_BATCH;
  }

  private keep(piece: Uint8Array): void {
    if (this.pieceBytes + piece.length > LONGEST_LINE) {
      const what = `line ${this.number + 1} is longer than ${LONGEST_LINE} bytes`;
      throw textError('limit', what, this.lineOffset);
    }
    this.pieces.push(piece);
    this.pieceBytes += piece.length;
  }

  private completeLine(newlineBytes: number): void {
    this.number += 1;
    const bytes = this.pieces.length === 1 ? this.pieces[0]! : Buffer.concat(this.pieces);
    this.batch.push({ text: this.decode(bytes), number: this.number, offset: this.lineOffset });
    this.batchBytes += bytes.length;
    this.lineOffset += bytes.length + newlineBytes;
    this.pieces = [];
    this.pieceBytes = 0;
  }

  private decode(bytes: Uint8Array): string {
    const length = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
    try {
      // Drops a byte order mark, which only the first line should have.
      return this.decoder.decode(bytes.subarray(0, length));
    } catch {
      throw textError('invalid_utf8', `line ${this.number} is not UTF-8`, this.lineOffset);
    }
  }
}

function textError(reason: 'limit' | 'invalid_utf8', what: string, offset: number): QuintetError {
  return new QuintetError('INPUT', what, { reason, offset, format: 'text' });
}
