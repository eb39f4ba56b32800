// Embeds the texts of an index with a model of pictures and texts.

import { unsupported } from '../base/errors.js';
import type { IndexEmbedder, IndexEmbedOptions, IndexImageEmbedder } from './search_options.js';

type AnyEmbedder = IndexEmbedder | IndexImageEmbedder;

/** Whether it accepts texts: a model of pictures may not, or may be loaded without that part. */
export const takesTexts = (embedder: AnyEmbedder): boolean =>
  'embedQuery' in embedder || embedder.towers.includes('text');

/** @throws QuintetError UNSUPPORTED if it does not accept texts */
export function textEmbedder(embedder: AnyEmbedder): IndexEmbedder {
  if ('embedQuery' in embedder) return embedder;
  const { dimension, info } = embedder;
  if (!takesTexts(embedder)) throw unsupported('SearchIndex: no text tower of the embedder is loaded');
  return {
    dimension,
    ...(info && { info }),
    embedQuery: async (text, options = {}) => embedder.embedText(promptOf(options) + text, signalOf(options)),
    async embedDocuments(texts, options = {}) {
      const prompt = promptOf(options);
      return embedder.embedText(
        texts.map((text) => prompt + text),
        signalOf(options),
      );
    },
  };
}

const signalOf = ({ signal }: IndexEmbedOptions) => (signal ? { signal } : {});

function promptOf({ prompt = '', dimensions, truncate = 'end' }: IndexEmbedOptions): string {
  if (dimensions !== undefined) throw unsupported('SearchIndex: vectors of an image embedder cannot be shortened');
  if (truncate !== 'end') throw unsupported(`addTexts: truncate '${truncate}' is not for image embedders`);
  return prompt;
}
