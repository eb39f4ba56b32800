// Reads the lines of a chunk as passages. Passages and bad lines are the same as for `quintet search --corpus`.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/**
 * @typedef {object} Passage
 * @property {number} line its number in the corpus, from 1
 * @property {number} offset of its first byte in the corpus
 * @property {string} text
 *
 * @typedef {{ line: number, offset: number, error: string }} BadLine
 */

const NEWLINE = 10;
const byteOrderMark = Buffer.from('\ufeff');
/** More than a whole book. */
const longestLine = 1 << 24;

/**
 * @param {string} path of the corpus
 * @param {import('./chunks.mjs').Chunk} chunk
 * @returns {Promise<{ passages: Passage[], errors: BadLine[] }>}
 */
export async function readPassages(path, { start, end, firstLine, sha256 }) {
  const hash = createHash('sha256');
  const lines = new PassageLines(firstLine, start);
  for await (const piece of createReadStream(path, { start, end: end - 1 })) {
    hash.update(piece);
    lines.push(piece);
  }
  lines.end();
  if (hash.digest('hex') !== sha256) throw new Error('the corpus has changed since the producer read it');
  return { passages: lines.passages, errors: lines.errors };
}

class PassageLines {
  passages = [];
  errors = [];
  #line;
  #offset;
  /** The start of a line that has not ended yet; empty for one that is too long. */
  #pieces = [];
  #length = 0;

  constructor(firstLine, start) {
    this.#line = firstLine;
    this.#offset = start;
  }

  push(bytes) {
    let from = 0;
    for (let at; (at = bytes.indexOf(NEWLINE, from)) >= 0; from = at + 1) {
      this.#keep(bytes.subarray(from, at));
      this.#complete();
    }
    this.#keep(bytes.subarray(from));
  }

  /** The last line may lack its newline. */
  end() {
    if (this.#length > 0) this.#complete();
  }

  #keep(bytes) {
    this.#length += bytes.length;
    if (this.#length > longestLine) this.#pieces = [];
    else this.#pieces.push(bytes);
  }

  /** Without the byte order mark at the start of a file. */
  #take() {
    const bytes = Buffer.concat(this.#pieces);
    return this.#offset === 0 && bytes.subarray(0, 3).equals(byteOrderMark) ? bytes.subarray(3) : bytes;
  }

  #complete() {
    const place = { line: this.#line, offset: this.#offset };
    const isTooLong = this.#length > longestLine;
    const { text, error } = isTooLong ? { error: `is longer than ${longestLine} bytes` } : textOf(this.#take());
    if (error !== undefined) this.errors.push({ ...place, error });
    else if (text.trim() !== '') this.passages.push({ ...place, text });
    this.#line += 1;
    this.#offset += this.#length + 1;
    this.#pieces = [];
    this.#length = 0;
  }
}

/** The text of a line, '' for a blank one, or an error. */
function textOf(bytes) {
  let json;
  try {
    json = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { error: 'is not UTF-8' };
  }
  if (json.trim() === '') return { text: '' };
  let record;
  try {
    record = JSON.parse(json);
  } catch {
    return { error: 'is not JSON' };
  }
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return { error: 'is not a JSON object' };
  if (!isId(record.id, json)) return { error: 'has an "id" that is neither a string nor an exact number' };
  if (typeof record.text !== 'string') return { error: 'has no "text"' };
  return { text: record.text };
}

/** The id is optional. Numbers in JSON may have more digits than JavaScript's. */
function isId(id, json) {
  if (typeof id !== 'number') return id === undefined || typeof id === 'string';
  return Number.isInteger(id) ? Number.isSafeInteger(id) : json.includes(String(id));
}
