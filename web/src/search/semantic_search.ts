import type { AddTextsOptions, EmbedderLoadOptions, ModelSource } from 'quintet';
import { Embedder, SearchIndex } from 'quintet';
import { embedder } from 'quintet-models';

export type SearchMode = 'hybrid' | 'vector' | 'keyword'; // by meaning and words, by meaning, by words

/** The model runs in a worker, so it never blocks the page. */
export const loadModel = (options?: EmbedderLoadOptions, source: ModelSource = embedder) =>
  Embedder.load(source, options);

export const newIndex = <T>(model: Embedder) =>
  new SearchIndex<T>({ embedder: model, storage: 'int8', keepTexts: false });

/** With the model's prompt for documents, long texts in parts. The index can be searched meanwhile. */
export function addPassages<T extends { heading?: string; text: string }>(
  index: SearchIndex<T>,
  passages: readonly T[],
  options: AddTextsOptions,
) {
  const entries = passages.map((payload, id) => ({ id, text: textOf(payload), payload }));
  return index.addTexts(entries, { truncate: 'chunk', ...options });
}

const textOf = ({ heading, text }: { heading?: string; text: string }) => (heading ? `${heading}. ${text}` : text);

/** The best results first: { id, score, payload }, where payload is the passage. */
export const search = <T>(
  index: SearchIndex<T>,
  question: string,
  options: { mode: SearchMode; vector: Float32Array; k: number }, // vector: await model.embedQuery(question)
) => index.search(question, options);
