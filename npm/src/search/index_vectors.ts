// The vectors that an index's model gives to texts: with the index's prompts, else the model's, and in the index's
// dimension.

import { abortable } from '../base/abort.js';
import { inputError, unsupported } from '../base/errors.js';
import type { TokenEmbedOptions } from '../embed/options.js';
import type { IndexCore, QueryVector } from './index_core.js';
import type { IndexEmbedOptions, IndexPrompts } from './search_options.js';
import { textEmbedder } from './text_embedder.js';
import type { IndexEntry } from './types.js';

type TextOptions = Pick<IndexEmbedOptions, 'truncate' | 'onTruncate' | 'signal'>;

type EntryVector = Pick<IndexEntry, 'vector' | 'tokens' | 'sparse'>;

export async function queryVector(
  core: IndexCore,
  query: string,
  signal: AbortSignal | undefined,
): Promise<QueryVector> {
  const embedder = textEmbedder(core.options.embedder!);
  const options = { ...(signal && { signal }) };
  if (core.kind === 'dense') return abortable(embedder.embedQuery(query, embedOptions(core, 'query', options)), signal);
  const [vector] = await abortable(severalVectors(core, [query], { role: 'query', ...options }), signal);
  return vector!.tokens ?? vector!.sparse!;
}

export async function documentVectors(
  core: IndexCore,
  texts: readonly string[],
  options: TextOptions,
): Promise<EntryVector[]> {
  if (texts.length === 0) return [];
  const vectors = await abortable(entryVectors(core, texts, options), options.signal);
  if (vectors.length === texts.length) return vectors;
  throw inputError('mismatch', `the embedder returned ${vectors.length} vectors for ${texts.length} texts`);
}

async function entryVectors(core: IndexCore, texts: readonly string[], options: TextOptions): Promise<EntryVector[]> {
  if (core.kind !== 'dense') {
    const { truncate = 'end', ...others } = options;
    if (truncate !== 'end') throw unsupported(`addTexts: truncate '${truncate}' is not for ${core.kind} vectors`);
    return severalVectors(core, texts, { role: 'document', ...others });
  }
  const embedder = textEmbedder(core.options.embedder!);
  const vectors = await embedder.embedDocuments(texts, embedOptions(core, 'document', options));
  return vectors.map((vector) => ({ vector }));
}

/** Vectors of tokens, or sparse ones. */
async function severalVectors(
  { kind, options: { embedder: given } }: IndexCore,
  texts: readonly string[],
  options: TokenEmbedOptions,
): Promise<EntryVector[]> {
  const embedder = textEmbedder(given!);
  if (kind === 'multi' && embedder.embedMulti)
    return (await embedder.embedMulti(texts, options)).map(({ vectors }) => ({ tokens: vectors }));
  if (kind === 'sparse' && embedder.embedSparse)
    return (await embedder.embedSparse(texts, options)).map((sparse) => ({ sparse }));
  throw unsupported(`SearchIndex: the embedder gives no ${kind} vectors`);
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
