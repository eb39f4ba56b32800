import type { ImageEmbedderLoadOptions, ImageInput, ModelInput } from 'quintet';
import { ImageClassifier, ImageEmbedder, SearchIndex } from 'quintet';
import { classifier } from 'quintet-models';

/** CLIP and SigLIP know pictures and words; DINOv2 knows pictures. */
export const loadEmbedder = (
  source: ModelInput = 'hf:openai/clip-vit-base-patch32',
  options?: ImageEmbedderLoadOptions,
) => ImageEmbedder.load(source, options);

/** A classifier's vectors show which pictures are alike. The bundled one takes 3.9 MB, and knows no words. */
export const loadClassifier = (source: ModelInput = classifier, options?: ImageEmbedderLoadOptions) =>
  ImageClassifier.load(source, options);

/** At length 1, as embedders give vectors: the dot product of two is their cosine. */
export async function featuresOf(model: ImageClassifier, picture: ImageInput): Promise<Float32Array> {
  const vector = await model.features(picture);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

export const newIndex = (dimension: number) => new SearchIndex<undefined>({ dimension, keywords: false });

/** The query for words and a picture together. `weight`, 0 to 1, is that of the words. */
export const mixed = (words: Float32Array, picture: Float32Array, weight: number) =>
  words.map((value, i) => weight * value + (1 - weight) * picture[i]!);
