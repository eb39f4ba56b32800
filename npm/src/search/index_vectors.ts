// The vectors that an index's model gives to texts: with the index's prompts, else the model's, and in the index's dimension.

import type { IndexCore } from './index_core.js';
import type { IndexEmbedOptions, IndexPrompts } from './search_options.js';

export const queryVector = (core: IndexCore, query: string, signal: AbortSignal | undefined): Promise<Float32Array> =>
  core.options.embedder!.embedQuery(query, embedOptions(core, 'query', signal));

export const documentVectors = (
  core: IndexCore,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> => core.options.embedder!.embedDocuments(texts, embedOptions(core, 'document', signal));

function embedOptions(
  { options, dimension }: IndexCore,
  role: keyof IndexPrompts,
  signal: AbortSignal | undefined,
): IndexEmbedOptions {
  const prompt = options.prompts?.[role];
  return {
    ...(prompt !== undefined && { prompt }),
    ...(dimension < options.embedder!.dimension && { dimensions: dimension }),
    ...(signal && { signal }),
  };
}
