import { Embedder, ImageClassifier, type ModelSource } from 'quintet';
import { embedder } from 'quintet-models';

// This code is already in a worker: the models need no other.
export const loadEmbedder = (threads: number) => Embedder.load(embedder, { threads, worker: false });
export const loadClassifier = (source: ModelSource, threads: number) =>
  ImageClassifier.load(source, { threads, worker: false });

// The timed calls.
export const embedTokens = (model: Embedder, ids: number[]) => model.embedIds(ids);
export const embedSentences = (model: Embedder, texts: string[]) => model.embed(texts);
export const classifyPicture = (model: ImageClassifier, picture: Float32Array) => model.logits(picture, [3, 32, 32]);
