// A file of passages, one per line. It is read line by line, and the passage of a hit is read again by
// its offset, so that the texts are never all in memory.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ioError, QuintetError } from '../../base/errors.js';
import { type LinePlace, lineBatches } from '../output/lines.js';
import { trackTemporary } from '../output/temporary_files.js';
import { detectFormat, type RecordForm, RecordReader } from './record_reader.js';
import type { InputRecord, TextRecord } from './records.js';

/** Enough to read most passages at once. */
const PASSAGE_CHUNK = 4096;

export class Corpus {
  private constructor(
    readonly path: string,
    readonly bytes: number,
    /** The format of its lines is never 'auto'. */
    readonly form: RecordForm,
  ) {}

  static async open(path: string, form: RecordForm): Promise<Corpus> {
    const { size } = await stat(path).catch((error: Error) => {
      throw ioError('read_failed', `cannot read the corpus ${path}: ${error.message}`, error);
    });
    return new Corpus(path, size, form.lines === 'auto' ? { ...form, lines: await firstLineFormat(path) } : form);
  }

  /** Without blank lines. */
  async *batches(): AsyncGenerator<InputRecord[]> {
    const reader = new RecordReader(this.form);
    for await (const records of reader.batches(lineBatches(createReadStream(this.path)))) {
      const passages = records.filter(({ text, fault }) => fault ?? text.trim() !== '');
      if (passages.length > 0) yield passages;
    }
  }

  async recordAt(place: LinePlace): Promise<TextRecord> {
    const input = createReadStream(this.path, { start: place.offset, highWaterMark: PASSAGE_CHUNK });
    const reader = new RecordReader(this.form);
    for await (const [record] of reader.batches(lineBatches(input, place))) {
      if (record === undefined || record.fault) break;
      return record;
    }
    throw new QuintetError('INPUT', 'the corpus changed during the search', { offset: place.offset });
  }
}

async function firstLineFormat(path: string): Promise<'text' | 'jsonl'> {
  for await (const lines of lineBatches(createReadStream(path))) {
    const format = detectFormat(lines);
    if (format) return format;
  }
  return 'text';
}

/** Copies stdin to a file, because the passages of hits are read again. */
export async function spoolStdin(): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'quintet-'));
  trackTemporary(folder);
  const path = join(folder, 'corpus');
  await pipeline(process.stdin, createWriteStream(path));
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}
