// A file of passages, one per line. It is read line by line; a hit's passage is read again by its
// offset, so that texts are never all in memory.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { QuintetError, ioError } from '../errors.js';
import { lineBatches, type Line } from './lines.js';
import { RecordReader, detectFormat, type LineFormat, type TextRecord } from './records.js';
import { trackTemporary } from './temporary_files.js';

/** Enough for a usual passage in one read. */
const PASSAGE_CHUNK = 4096;

export interface Passage {
  record: TextRecord;
  line: Line;
}

export class Corpus {
  private constructor(
    readonly path: string,
    readonly bytes: number,
    readonly format: Exclude<LineFormat, 'auto'>,
  ) {}

  static async open(path: string, format: LineFormat): Promise<Corpus> {
    const { size } = await stat(path).catch((error: Error) => {
      throw ioError('read_failed', `cannot read the corpus ${path}: ${error.message}`, error);
    });
    return new Corpus(path, size, format === 'auto' ? await firstLineFormat(path) : format);
  }

  /** Blank lines are no passages. */
  async *batches(): AsyncGenerator<Passage[]> {
    const reader = new RecordReader(this.format);
    for await (const lines of lineBatches(createReadStream(this.path))) {
      const batch: Passage[] = [];
      for (const line of lines) {
        const record = reader.read(line);
        if (record !== undefined && record.text.trim() !== '') batch.push({ record, line });
      }
      if (batch.length > 0) yield batch;
    }
  }

  async recordAt(offset: number, number: number): Promise<TextRecord> {
    const input = createReadStream(this.path, { start: offset, highWaterMark: PASSAGE_CHUNK });
    for await (const [line] of lineBatches(input)) {
      if (!line) break;
      const record = new RecordReader(this.format).read({ text: line.text, number, offset });
      if (record) return record;
      break;
    }
    throw new QuintetError('INPUT', 'the corpus changed while it was searched', { offset });
  }
}

async function firstLineFormat(path: string): Promise<Exclude<LineFormat, 'auto'>> {
  for await (const lines of lineBatches(createReadStream(path))) {
    const first = lines.find(({ text }) => text.trim() !== '');
    if (first) return detectFormat(first.text);
  }
  return 'text';
}

/** Keeps what stdin gives in a file, because passages are read again when they are hits. */
export async function spoolStdin(): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'quintet-'));
  trackTemporary(folder);
  const path = join(folder, 'corpus');
  await pipeline(process.stdin, createWriteStream(path));
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}
