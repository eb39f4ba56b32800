// Splits a corpus into chunks of lines. A chunk is a range of bytes, so that jobs in Redis contain no texts.
import { createHash } from 'node:crypto';
import { piecesOf } from './file_pieces.mjs';

/**
 * @typedef {object} Chunk
 * @property {number} chunk its number, from 0
 * @property {number} start its first byte
 * @property {number} end one past its last byte
 * @property {number} firstLine number of its first line, from 1
 * @property {number} lines number of lines
 * @property {string} sha256 of its bytes
 */

const NEWLINE = 10;
// Long lines make shorter chunks, which fit a worker's memory.
const mostBytes = 8 << 20;

/**
 * The chunks in order; only a piece of the file is in memory, however long the lines are.
 * @returns {AsyncGenerator<Chunk>}
 */
export async function* chunksOf(path, chunkSize) {
  let open = new OpenChunk({ chunk: -1, end: 0, firstLine: 1, lines: 0 });
  for await (const piece of piecesOf(path)) {
    let from = 0;
    for (let at; (at = piece.indexOf(NEWLINE, from)) >= 0; from = at + 1) {
      open.take(piece.subarray(from, at + 1));
      open.lines += 1;
      if (open.lines < chunkSize && open.bytes < mostBytes) continue;
      const closed = open.close();
      yield closed;
      open = new OpenChunk(closed);
    }
    open.takeUnended(piece.subarray(from));
  }
  const last = open.close();
  if (last.lines > 0) yield last;
}

/** Whether a value is a chunk: data from Redis may come from anywhere. */
export function isChunk(value) {
  const { chunk, start, end, firstLine, lines, sha256 } = value ?? {};
  const numbers = [chunk, start, end, firstLine, lines];
  return numbers.every((n) => Number.isSafeInteger(n) && n >= 0) && start < end && /^[0-9a-f]{64}$/.test(sha256);
}

class OpenChunk {
  lines = 0;
  bytes = 0;
  #hash = createHash('sha256');
  #withinLine = false;

  constructor(previous) {
    this.chunk = previous.chunk + 1;
    this.start = previous.end;
    this.firstLine = previous.firstLine + previous.lines;
  }

  /** Up to the end of a line. */
  take(bytes) {
    this.#hash.update(bytes);
    this.bytes += bytes.length;
    this.#withinLine = false;
  }

  takeUnended(bytes) {
    if (bytes.length === 0) return;
    this.take(bytes);
    this.#withinLine = true;
  }

  /** The last line may lack its newline. */
  close() {
    const { chunk, start, firstLine } = this;
    const lines = this.lines + Number(this.#withinLine);
    return { chunk, start, end: start + this.bytes, firstLine, lines, sha256: this.#hash.digest('hex') };
  }
}
