import { Pauses } from '../shared/pauses.js';
import { decode } from './decode.js';
import { isHtml, markdownOf } from './html.js';
import { jsonLinesPassages } from './json_lines.js';
import { markdownPassages } from './markdown.js';
import { type LeftOut, type Passage, UnreadableFile } from './passage.js';
import { plainTextPassages } from './plain_text.js';

export const limits = { bytes: 32e6, passages: 50_000 };

export interface ReadTexts {
  passages: Passage[];
  /** One sentence for each file with omitted parts. */
  notes: string[];
}

/** The passages of all files, in order. */
export async function readFiles(files: readonly File[]): Promise<ReadTexts> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > limits.bytes) {
    const megabytes = (value: number) => Math.ceil(value / 1e6);
    throw new UnreadableFile(
      `These files have ${megabytes(bytes)} MB of text. The limit is ${megabytes(limits.bytes)} MB.`,
    );
  }
  const passages: Passage[] = [];
  const notes: string[] = [];
  const pauses = new Pauses(10);
  for (const file of files) {
    const leftOut: LeftOut[] = [];
    for (const passage of passagesOf(file.name, await contentOf(file), leftOut)) {
      passages.push(passage);
      if (passages.length > limits.passages) {
        throw new UnreadableFile(`These files have more than ${limits.passages} passages, which is the limit.`);
      }
      if (pauses.isDue) await pauses.pause();
    }
    if (leftOut.length > 0) notes.push(noteOf(file.name, leftOut));
  }
  if (passages.length === 0) {
    throw new UnreadableFile(
      files.length === 1 ? `${files[0]!.name} contains no text.` : 'These files contain no text.',
    );
  }
  return { passages, notes };
}

function passagesOf(name: string, bytes: Uint8Array, leftOut: LeftOut[]): Generator<Passage> {
  const text = decode(name, bytes);
  if (/\.(md|markdown|mdown)$/i.test(name)) return markdownPassages(name, text);
  if (isHtml(name)) return markdownPassages(name, markdownOf(text), false);
  if (/\.(jsonl|ndjson|json)$/i.test(name)) return jsonLinesPassages(name, text, leftOut);
  return plainTextPassages(name, text);
}

async function contentOf(file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    // It was moved, deleted or changed.
    throw new UnreadableFile(`${file.name} cannot be read.`);
  }
}

const most = 3;

function noteOf(name: string, leftOut: LeftOut[]): string {
  const lines = leftOut.slice(0, most).map(({ line, why }) => `line ${line}: ${why}`);
  const more = leftOut.length > most ? `; and ${leftOut.length - most} more` : '';
  return `Skipped in ${name}: ${lines.join('; ')}${more}.`;
}
