// The index of a corpus: int8 vectors, `dimension` bytes a passage, and where each passage stands
// in the file.
import { SearchIndex, type Embedder, type EmbedOptions } from '../node.js';
import { QuintetError } from '../errors.js';
import type { Corpus } from './corpus.js';

/** Entry: id = line number, payload = byte offset of the line. */
export async function buildIndex(
  corpus: Corpus,
  embedder: Embedder,
  options: EmbedOptions,
  onProgress: (bytes: number) => void,
): Promise<{ index: SearchIndex; passages: number }> {
  const { dimension } = embedder;
  const index = new SearchIndex({ dimension, storage: 'int8' });
  let passages = 0;
  for await (const batch of corpus.batches()) {
    const { vectors } = await embedder.encode(batch.map(({ record }) => record.text), options);
    for (const [i, { line }] of batch.entries()) {
      const vector = vectors.subarray(i * dimension, (i + 1) * dimension);
      index.add(String(line.number), vector, line.offset);
      onProgress(line.offset);
    }
    passages += batch.length;
  }
  if (passages === 0) throw new QuintetError('INPUT', `the corpus ${corpus.path} has no passages`);
  return { index, passages };
}

export interface Hit {
  /** The record's own, else the number of its line. */
  id: string | number;
  score: number;
  title?: string;
  text: string;
  [field: string]: unknown;
}

export async function findPassages(
  index: SearchIndex,
  corpus: Corpus,
  query: Float32Array,
  k: number,
): Promise<Hit[]> {
  const hits: Hit[] = [];
  for (const { id: line, score, payload } of index.search(query, { k })) {
    const { id, title, text, rest } = await corpus.recordAt(payload as number, Number(line));
    const heading = title === undefined ? {} : { title };
    hits.push({ id: id ?? line, score, ...heading, text, ...withoutScore(rest) });
  }
  return hits;
}

/** A record's own `score` would hide the hit's. */
function withoutScore({ score: _score, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest;
}
