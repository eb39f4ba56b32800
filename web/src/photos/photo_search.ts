import type { ImageEmbedderLoadOptions, ModelInput, SearchHit } from 'quintet';
import { ImageEmbedder, SearchIndex } from 'quintet';
import { classifier } from 'quintet-models';

/**
 * The model of this page takes 3.9 MB. It finds similar pictures, but does not understand words; CLIP and SigLIP do
 * both.
 */
export const bundled = classifier;

export const loadModel = (source: ModelInput = bundled, options: ImageEmbedderLoadOptions = {}) =>
  ImageEmbedder.load(source, options);

export const knowsWords = (model: ImageEmbedder) => model.towers.includes('text');

export const newIndex = (dimension: number) => new SearchIndex<undefined>({ dimension, keywords: false });

/** The query for words and a picture together. `weight`, 0 to 1, is that of the words. */
export const mixed = (words: Float32Array, picture: Float32Array, weight: number) =>
  words.map((value, i) => weight * value + (1 - weight) * picture[i]!);

/** The most similar pictures, best first. */
export const search = (index: SearchIndex<undefined>, query: Float32Array, k: number): SearchHit<undefined>[] =>
  index.nearest(query, { k });
