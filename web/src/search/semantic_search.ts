import { Embedder, SearchIndex } from 'quintet';
import type { EmbedderLoadOptions, ModelSource } from 'quintet';
import { embedder } from 'quintet-models';

export type SearchMode = 'vector' | 'keyword' | 'hybrid'; // by meaning, by words, by both

/** The model runs in a worker of its own, so it never blocks the page. */
export const loadModel = (options?: EmbedderLoadOptions, source: ModelSource = embedder) =>
  Embedder.load(source, options);

/** Long texts are embedded in parts. All vectors come in one array, row after row. */
export async function embedTexts(model: Embedder, texts: string[], signal: AbortSignal) {
  const { vectors } = await model.encode(texts, { truncate: 'chunk', signal });
  return vectors;
}

export const newIndex = (dimension: number) => new SearchIndex({ dimension, storage: 'int8' });

export function addTo(index: SearchIndex, passages: object[], vectors: Float32Array) {
  for (const [i, passage] of passages.entries()) {
    const vector = vectors.subarray(i * index.dimension, (i + 1) * index.dimension);
    index.add(String(index.size), vector, passage);
  }
}

/**
 * The best results first: { id, score, payload }, where payload is the passage. `vector` is
 * `await model.embed(question)`.
 */
export const search = async (
  index: SearchIndex,
  question: string,
  { mode, vector, k }: { mode: SearchMode; vector: Float32Array; k: number },
) => (mode === 'vector' ? index.search(vector, { k }) : index.search(question, { mode, vector, k }));
