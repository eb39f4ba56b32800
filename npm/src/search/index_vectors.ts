// The vectors that an index's model gives to texts: with the index's prompts, else the model's, and in the index's dimension.

import { abortable } from '../base/abort.js';
import { inputError } from '../base/errors.js';
import type { IndexCore } from './index_core.js';
import type { IndexEmbedOptions, IndexPrompts } from './search_options.js';
import { textEmbedder } from './text_embedder.js';

type TextOptions = Pick<IndexEmbedOptions, 'truncate' | 'onTruncate' | 'signal'>;

export const queryVector = async (
  core: IndexCore,
  query: string,
  signal: AbortSignal | undefined,
): Promise<Float32Array> =>
  abortable(
    textEmbedder(core.options.embedder!).embedQuery(query, embedOptions(core, 'query', { ...(signal && { signal }) })),
    signal,
  );

export async function documentVectors(
  core: IndexCore,
  texts: readonly string[],
  options: TextOptions,
): Promise<Float32Array[]> {
  if (texts.length === 0) return [];
  const embedding = textEmbedder(core.options.embedder!).embedDocuments(texts, embedOptions(core, 'document', options));
  const vectors = await abortable(embedding, options.signal);
  if (vectors.length === texts.length) return vectors;
  throw inputError('mismatch', `the embedder returned ${vectors.length} vectors for ${texts.length} texts`);
}

function embedOptions(
  { options, dimension }: IndexCore,
  role: keyof IndexPrompts,
  textOptions: TextOptions,
): IndexEmbedOptions {
  const prompt = options.prompts?.[role];
  return {
    ...(prompt !== undefined && { prompt }),
    ...(dimension < options.embedder!.dimension && { dimensions: dimension }),
    ...textOptions,
  };
}
