/// <reference lib="esnext.disposable" preserve="true" />

import { Disposable } from '../base/disposable.js';
import { lazyModule } from '../base/lazy_module.js';
import type { LoadedModelInfo, ModelInput } from '../base/types.js';
import type { LabelRuns } from './client.js';
import type { Entity, EntityOptions, LabelLoadOptions } from './options.js';

/** Loaded with the first model, so that pages that label nothing do not download it. */
const labeling = lazyModule(() => import('./client.js'), 'loadLabeler');

/**
 * A token classifier: it finds names, places, addresses and the like in a text. Calls are queued and run one at a time,
 * in order. A failed call leaves the classifier usable.
 */
export class TokenClassifier extends Disposable {
  /** The model's description and how it runs. */
  readonly info: LoadedModelInfo;
  /** Names of the labels, in the order of the logits. */
  readonly labels: readonly string[];
  /** Default maximum number of tokens that are read at a time, special tokens included. */
  readonly maxLength: number;

  private constructor(private readonly runs: LabelRuns) {
    super();
    const { handle } = runs;
    this.info = handle.info;
    this.labels = handle.description.usage.labels;
    this.maxLength = handle.description.maxLength;
    handle.ownedBy(this);
  }

  /**
   * Loads a model from a folder of Hugging Face: its files by name or, in Node, also its path.
   * @throws QuintetError FORMAT for a damaged file or without names of labels, IO if it cannot be read; UNSUPPORTED,
   * INPUT, MEMORY, ABORTED
   */
  static async load(source: ModelInput, options?: LabelLoadOptions): Promise<TokenClassifier> {
    return new TokenClassifier(await (await labeling()).loadLabeler(source, options, 'tokens'));
  }

  /**
   * The entities in a text of any length, in their order, with their places. Tokens with the label 'O' belong to none.
   * @throws QuintetError INPUT, ABORTED, CLOSED
   */
  async classify(text: string, options?: EntityOptions): Promise<Entity[]> {
    return this.runs.entities(text, options);
  }

  /**
   * The logits of each token of a text that is given as token ids, used as they are: one row of `labels.length` numbers
   * after another.
   * @throws QuintetError INPUT for an id outside the vocabulary, or too many ids
   */
  async logitsIds(ids: readonly number[]): Promise<Float32Array> {
    return this.runs.logitsIds(ids);
  }

  /** Frees the model. Pending and later calls fail with CLOSED. Closing twice is allowed. */
  close(): void {
    this.runs.handle.close();
  }
}
