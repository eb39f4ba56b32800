// The models that a site is built with, whose vectors are kept for the next build.

import { join } from 'node:path';

import type { ModelInput } from '../../base/types.js';
import { loadPassageModel, loadWordModel } from '../model/load_model.js';
import type { PassageModel } from '../model/passage_model.js';
import type { Transformer } from '../model/transformer.js';
import type { WordModel } from '../model/word_model.js';
import { KeptVectors } from './kept_vectors.js';
import type { SiteIndexOptions } from './options.js';

/** The languages of the models in quintet-models. */
const defaultLanguages = ['en'];

export class SiteModels {
  /** Undefined: pages are found by their words alone. */
  words: WordModel | undefined;
  /** Languages that they support; undefined: all. */
  wordLanguages: readonly string[] | undefined;
  passages: PassageModel | undefined;
  passageLanguages: readonly string[] | undefined;
  /** The files that pages load. */
  transformer: Transformer | undefined;

  private readonly kept: KeptVectors[] = [];

  /** `folder`: where vectors are kept. */
  static async load(
    { model, embedder }: SiteIndexOptions,
    folder: string,
    signal: AbortSignal | undefined,
  ): Promise<SiteModels> {
    const models = new SiteModels();
    try {
      if (embedder) await models.loadPassages(embedder === true ? undefined : embedder, folder, signal);
      if (model !== false) await models.loadModel(model, folder, signal);
      return models;
    } catch (error) {
      models.close();
      throw error;
    }
  }

  /** Keeps the vectors that were used. */
  async commit(): Promise<void> {
    for (const kept of this.kept) await kept.commit();
  }

  close(): void {
    this.words?.close();
    this.passages?.close();
  }

  /** A transformer that is named as the model is the embedder, and words get the default model. */
  private async loadModel(source: SiteIndexOptions['model'], folder: string, signal?: AbortSignal): Promise<void> {
    try {
      await this.loadWords(source, folder, signal);
    } catch (error) {
      if (!source || this.passages) throw error;
      // Anything else is reported as a bad static embedding, the most common kind.
      await this.loadPassages(source, folder, signal).catch(() => Promise.reject(error));
      await this.loadWords(undefined, folder, signal);
    }
  }

  private async loadWords(source: SiteIndexOptions['model'], folder: string, signal?: AbortSignal): Promise<void> {
    const model = await loadWordModel(source || undefined, signal);
    const kept = await KeptVectors.open(model, join(folder, 'words'));
    this.kept.push(kept);
    const { name, fingerprint, dimension, frequentWords } = model;
    const vectorsOf = (words: readonly string[]) => kept.vectorsOf(words);
    this.words = { name, fingerprint, dimension, frequentWords, vectorsOf, close: () => model.close() };
    if (source === undefined) this.wordLanguages = defaultLanguages;
  }

  private async loadPassages(source: ModelInput | undefined, folder: string, signal?: AbortSignal): Promise<void> {
    const model = await loadPassageModel(source, signal);
    const kept = await KeptVectors.open(model, join(folder, 'passages'));
    this.kept.push(kept);
    const { name, fingerprint, dimension } = model;
    const vectorsOf = (texts: readonly string[]) => kept.vectorsOf(texts);
    this.passages = { name, fingerprint, dimension, vectorsOf, close: () => model.close() };
    this.transformer = model;
    if (source === undefined) this.passageLanguages = defaultLanguages;
  }
}
