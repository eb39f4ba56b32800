import type { EmbedderLoadOptions, ModelSource } from 'quintet';
import { Embedder, SearchIndex } from 'quintet';
import { embedder } from 'quintet-models';

export type SearchMode = 'vector' | 'keyword' | 'hybrid'; // by meaning, by words, by both

/** The model runs in a worker of its own, so it never blocks the page. */
export const loadModel = (options?: EmbedderLoadOptions, source: ModelSource = embedder) =>
  Embedder.load(source, options);

/** With the model's prompt for documents, long texts in parts. All vectors come in one array, row after row. */
export async function embedTexts(model: Embedder, texts: string[], signal: AbortSignal) {
  const { vectors } = await model.encode(texts, { role: 'document', truncate: 'chunk', signal });
  return vectors;
}

export const newIndex = <T>(dimension: number) => new SearchIndex<T>({ dimension, storage: 'int8', keepTexts: false });

export function addTo<T extends { text: string }>(index: SearchIndex<T>, passages: T[], vectors: Float32Array) {
  for (const [i, payload] of passages.entries()) {
    const vector = vectors.subarray(i * index.dimension, (i + 1) * index.dimension);
    index.add({ id: index.size, vector, text: payload.text, payload });
  }
}

/**
 * The best results first: { id, score, payload }, where payload is the passage. `vector` is
 * `await model.embedQuery(question)`.
 */
export const search = <T>(
  index: SearchIndex<T>,
  question: string,
  options: { mode: SearchMode; vector: Float32Array; k: number },
) => index.search(question, options);
