// Splits bytes into lines, in batches as they arrive: a file gives full batches, and interactive input
// one line at a time. A line that cannot be read keeps its place among the others.
import { QuintetError } from '../../base/errors.js';
import { LinePieces, LONGEST_LINE } from './line_pieces.js';

export interface LinePlace {
  /** Counted from 1. */
  number: number;
  /** Offset of the line's first byte in the input. */
  offset: number;
}

export interface TextLine extends LinePlace {
  /** As read, without the newline. */
  bytes: Uint8Array;
  text: string;
  fault?: undefined;
}

export interface UnreadableLine extends LinePlace {
  /** For a line beyond the limit, the SHA-256 of its bytes. */
  bytes: Uint8Array;
  text?: undefined;
  fault: QuintetError;
}

export type Line = TextLine | UnreadableLine;

const LINES_PER_BATCH = 128;
const BYTES_PER_BATCH = 1 << 16;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const BYTE_ORDER_MARK = '\ufeff';

/** `start`: the place of the first line in the whole input. */
export async function* lineBatches(
  input: AsyncIterable<Uint8Array>,
  start: LinePlace = { number: 1, offset: 0 },
): AsyncGenerator<Line[]> {
  const splitter = new LineSplitter(start);
  for await (const chunk of input) {
    yield* splitter.push(chunk);
    if (splitter.hasLines) yield splitter.take();
  }
  splitter.end();
  if (splitter.hasLines) yield splitter.take();
}

class LineSplitter {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  private readonly pieces = new LinePieces();
  private batch: Line[] = [];
  private batchBytes = 0;
  private number: number;
  private offset: number;

  constructor({ number, offset }: LinePlace) {
    this.number = number;
    this.offset = offset;
  }

  get hasLines(): boolean {
    return this.batch.length > 0;
  }

  take(): Line[] {
    const lines = this.batch;
    this.batch = [];
    this.batchBytes = 0;
    return lines;
  }

  /** Yields full batches. */
  *push(chunk: Uint8Array): Generator<Line[]> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.pieces.add(chunk.subarray(start, end));
      this.completeLine();
      start = end + 1;
      if (this.isFull()) yield this.take();
    }
    if (start < chunk.length) this.pieces.add(chunk.subarray(start));
  }

  /** The last line may lack its newline. */
  end(): void {
    if (this.pieces.length > 0) this.completeLine();
  }

  private isFull(): boolean {
    return this.batch.length >= LINES_PER_BATCH || this.batchBytes >= BYTES_PER_BATCH;
  }

  private completeLine(): void {
    const { number, offset } = this;
    const { length, isTooLong } = this.pieces;
    const bytes = this.pieces.take();
    const content = isTooLong ? { fault: tooLong({ number, offset }) } : this.decode(bytes);
    this.batch.push({ number, offset, bytes, ...content });
    this.batchBytes += bytes.length;
    this.number += 1;
    this.offset += length + 1;
  }

  private decode(bytes: Uint8Array): { text: string } | { fault: QuintetError } {
    const { number, offset } = this;
    const length = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
    try {
      const text = this.decoder.decode(bytes.subarray(0, length));
      return { text: number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text };
    } catch {
      return { fault: lineError('invalid_utf8', { number, offset }, 'is not UTF-8', 'text') };
    }
  }
}

function tooLong(place: LinePlace): QuintetError {
  return lineError('limit', place, `is longer than ${LONGEST_LINE} bytes`, 'text');
}

export function lineError(
  reason: 'limit' | 'invalid_utf8' | 'malformed',
  { number, offset }: LinePlace,
  what: string,
  format: 'text' | 'jsonl',
): QuintetError {
  return new QuintetError('INPUT', `line ${number} ${what}`, { reason, offset, format });
}
