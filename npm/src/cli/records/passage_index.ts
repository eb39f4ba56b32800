// The index of a corpus: int8 vectors, `dimension` bytes per passage, and the offset of each passage
// in the file; the words of the passages, if they are searched for.
import { QuintetError } from '../../base/errors.js';
import type { SearchIndex, SearchOptions } from '../../index.js';
import type { Corpus } from './corpus.js';
import type { RecordEmbedder } from './record_embedder.js';
import type { BadRecord } from './records.js';

export interface IndexingWatch {
  onProgress(bytes: number): void;
  /** Called for a line that is left out. */
  onBadRecord(record: BadRecord): Promise<void>;
}

/** Entry: id = line number, payload = byte offset of the line. The texts stay in the corpus. */
export async function buildIndex(
  corpus: Corpus,
  embedder: RecordEmbedder,
  hasWords: boolean,
  { onProgress, onBadRecord }: IndexingWatch,
): Promise<SearchIndex<number>> {
  const index = embedder.newIndex<number>({ storage: 'int8', keywords: hasWords, keepTexts: false });
  for await (const batch of corpus.batches()) {
    for (const outcome of await embedder.embed(batch)) {
      if (outcome.fault) {
        await onBadRecord(outcome);
        continue;
      }
      const {
        line: { number, offset },
        text,
      } = outcome.record;
      index.add({ id: number, vector: outcome.vector, text, payload: offset });
      onProgress(offset);
    }
  }
  if (index.size === 0) throw new QuintetError('INPUT', `the corpus ${corpus.path} has no passages`);
  return index;
}

export interface Hit {
  /** The record's own, or its line number. */
  id: string | number;
  score: number;
  title?: string;
  text: string;
  [field: string]: unknown;
}

export async function findPassages(
  index: SearchIndex<number>,
  corpus: Corpus,
  query: string,
  options: SearchOptions<number>,
): Promise<Hit[]> {
  const hits: Hit[] = [];
  for (const { id: line, score, payload } of await index.search(query, options)) {
    const { id, title, text, rest } = await corpus.recordAt({ number: line as number, offset: payload });
    const heading = title === undefined ? {} : { title };
    hits.push({ id: id ?? String(line), score, ...heading, text, ...withoutHitFields(rest) });
  }
  return hits;
}

/** Fields of a record that would overwrite those of the hit. */
export function withoutHitFields(fields: Record<string, unknown>): Record<string, unknown> {
  const { id: _id, score: _score, text: _text, ...others } = fields;
  return others;
}
