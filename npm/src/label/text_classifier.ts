/// <reference lib="esnext.disposable" preserve="true" />

import { Disposable } from '../base/disposable.js';
import { lazyModule } from '../base/lazy_module.js';
import type { LoadedModelInfo, ModelInput } from '../base/types.js';
import type { LabelRuns } from './client.js';
import type { LabelInput, LabelLoadOptions, LabelOptions, TextLabel } from './options.js';

/** Loaded with the first model, so that pages that label nothing do not download it. */
const labeling = lazyModule(() => import('./client.js'), 'loadLabeler');

/**
 * A text classifier: texts in, labels out, such as moods, topics or languages. Calls are queued and run one at a time,
 * in order. A failed call leaves the classifier usable.
 */
export class TextClassifier extends Disposable {
  /** The model's description and how it runs. */
  readonly info: LoadedModelInfo;
  /** Names of the labels, in the order of the logits. */
  readonly labels: readonly string[];
  /** Default maximum number of tokens per text, special tokens included. */
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
   * Loads a model from a folder of Hugging Face, that is its files by name, in Node also its path, or from a GGUF file
   * or the parts of a split one.
   * @throws QuintetError FORMAT for a damaged file or without names of labels, IO if it cannot be read; UNSUPPORTED,
   * INPUT, MEMORY, ABORTED
   */
  static async load(source: ModelInput, options?: LabelLoadOptions): Promise<TextClassifier> {
    return new TextClassifier(await (await labeling()).loadLabeler(source, options, 'texts'));
  }

  /**
   * The labels of a text, best first, or those of each of a list. With your own `labels`, a model of natural language
   * inference rates how much the text is about each.
   * @throws QuintetError INPUT, UNSUPPORTED for `labels` with another model, ABORTED, CLOSED
   */
  classify(input: LabelInput, options?: LabelOptions): Promise<TextLabel[]>;
  classify(inputs: readonly LabelInput[], options?: LabelOptions): Promise<TextLabel[][]>;
  async classify(
    inputs: LabelInput | readonly LabelInput[],
    options?: LabelOptions,
  ): Promise<TextLabel[] | TextLabel[][]> {
    if (Array.isArray(inputs)) return this.runs.classify(inputs as readonly LabelInput[], options);
    return (await this.runs.classify([inputs as LabelInput], options))[0]!;
  }

  /**
   * The logits, one per label, of a text that is given as token ids, used as they are: no special token is added and
   * nothing is cut. `tokenTypes`: of each token the part of a pair, 0 or 1; default 0.
   * @throws QuintetError INPUT for an id outside the vocabulary, a type that the model does not have, or too many ids
   */
  async logitsIds(ids: readonly number[], tokenTypes?: readonly number[]): Promise<Float32Array> {
    return this.runs.logitsIds(ids, tokenTypes);
  }

  /** Frees the model. Pending and later calls fail with CLOSED. Closing twice is allowed. */
  close(): void {
    this.runs.handle.close();
  }
}
