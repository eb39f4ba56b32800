// The model of the page: one of pictures and words, or a classifier, whose vectors know no words.

import type { ImageClassifier, ImageEmbedder, ImageInput, LoadedModelInfo, ModelInput, ReadOptions } from 'quintet';
import { QuintetError } from 'quintet';

import { featuresOf, loadClassifier, loadEmbedder } from './photo_search.js';
import { probePicture } from './probe.js';

export interface PhotoModel {
  readonly info: LoadedModelInfo;
  /** The vector of a fixed picture, which tells this model from others. */
  readonly probe: Float32Array;
  vectorOf(picture: ImageInput): Promise<Float32Array>;
  /** Vectors of one picture after another; the first that fails ends them. */
  vectorsOf(pictures: readonly ImageInput[], signal: AbortSignal): AsyncIterable<Float32Array>;
  /** Absent where the model knows no words. */
  vectorOfWords?(words: string): Promise<Float32Array>;
  close(): void;
}

export type LoadOptions = Pick<ReadOptions, 'onProgress'> & { cache: boolean };

/** A model of pictures and words, or else a classifier. */
export async function loadPhotoModel(source: ModelInput, options: LoadOptions): Promise<PhotoModel> {
  try {
    return await withEmbedder(await loadEmbedder(source, options));
  } catch (error) {
    if (!(error instanceof QuintetError) || error.code !== 'UNSUPPORTED') throw error;
    return await loadClassifierModel(source, options).catch(() => {
      throw error;
    });
  }
}

/** Without a source, the bundled classifier. */
export const loadClassifierModel = async (source: ModelInput | undefined, options: LoadOptions): Promise<PhotoModel> =>
  withClassifier(await loadClassifier(source, options));

async function withEmbedder(embedder: ImageEmbedder): Promise<PhotoModel> {
  const vectorOf = (picture: ImageInput) => embedder.embedImage(picture);
  return {
    info: embedder.info,
    probe: await vectorOf(probePicture()),
    vectorOf,
    vectorsOf: (pictures, signal) => embedder.embedImageStream(pictures, { signal }),
    ...(embedder.towers.includes('text') && { vectorOfWords: (words: string) => embedder.embedText(words) }),
    close: () => embedder.close(),
  };
}

async function withClassifier(classifier: ImageClassifier): Promise<PhotoModel> {
  const vectorOf = (picture: ImageInput) => featuresOf(classifier, picture);
  return {
    info: classifier.info,
    probe: await vectorOf(probePicture()),
    vectorOf,
    async *vectorsOf(pictures, signal) {
      for (const picture of pictures) {
        signal.throwIfAborted();
        yield await vectorOf(picture);
      }
    },
    close: () => classifier.close(),
  };
}
