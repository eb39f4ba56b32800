// How an index embeds texts with a model of pictures and texts.

import { unsupported } from '../base/errors.js';
import type { IndexEmbedder, IndexEmbedOptions, IndexImageEmbedder } from './search_options.js';

type AnyEmbedder = IndexEmbedder | IndexImageEmbedder;

export const isImageEmbedder = (embedder: AnyEmbedder): embedder is IndexImageEmbedder => !('embedQuery' in embedder);

/** @throws QuintetError UNSUPPORTED for a model, or a loaded part of one, that takes no texts */
export function textEmbedder(embedder: AnyEmbedder): IndexEmbedder {
  if (!isImageEmbedder(embedder)) return embedder;
  const { dimension, towers, info } = embedder;
  if (!towers.includes('text')) {
    throw unsupported("SearchIndex: no text tower of the embedder is loaded: give its 'dimension' instead");
  }
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
