// Runs texts through a classifier of texts or of tokens in batches, with progress, aborts and truncation reports.

import { checkIds, checkText, sliceFrom } from '../base/arguments.js';
import { inputError } from '../base/errors.js';
import { lazyModule } from '../base/lazy_module.js';
import type { ModelInput } from '../base/types.js';
import { typeName } from '../base/values.js';
import { locate } from '../sources/locate.js';
import type { Reader } from '../sources/types.js';
import { type HostSpec, loadModel } from '../worker/loading.js';
import { ModelHandle } from '../worker/model_handle.js';
import type { LabelerCalls, LabelerDescription, LabelerHandle, LabelerHostOptions, TextPair } from './calls.js';
import { entitiesOf } from './entities.js';
import {
  checkEntityOptions,
  checkLabelLoadOptions,
  checkLabelOptions,
  type Entity,
  type EntityOptions,
  hypothesesOf,
  type LabelInput,
  type LabelLoadOptions,
  type LabelOptions,
  type TextLabel,
} from './options.js';
import { bestLabels, entailmentScores, inferenceOf, scoresOf } from './scores.js';

const host = lazyModule(() => import('./host.js'), 'loadLabelerHost');

const kind: HostSpec<LabelerCalls, LabelerDescription, LabelerHostOptions> = {
  script: 'labeler_worker',
  inThread: async () => (await host()).loadLabelerHost,
};

/** `classified`: the unit that gets labels. */
export async function loadLabeler(
  source: ModelInput,
  options: LabelLoadOptions = {},
  classified: 'texts' | 'tokens',
): Promise<LabelRuns> {
  checkLabelLoadOptions(options);
  const perToken = classified === 'tokens';
  /** The parts of a model that are read. */
  const reader: Reader = {
    who: perToken ? 'TokenClassifier' : 'TextClassifier',
    kinds: ['safetensors', 'gguf'],
    own: [],
    hasModules: true,
  };
  const files = await locate(source, reader, options);
  const { format = '', quantize = 'none' } = options;
  return new LabelRuns(new ModelHandle(await loadModel(kind, files, options, { format, quantize, perToken })));
}

const maxType = 255;

export class LabelRuns {
  constructor(readonly handle: LabelerHandle) {}

  /** The labels of each text, best first. */
  async classify(inputs: readonly LabelInput[], options: LabelOptions = {}): Promise<TextLabel[][]> {
    const { usage, maxPositions } = this.handle.description;
    checkLabelOptions(options, maxPositions);
    const texts = checkInputs(inputs);
    if (options.labels) return this.classifyByInference(texts, options.labels, options);
    const logits = await this.logitsOf(texts, 1, options);
    return logits.map((each) => bestLabels(usage.labels, scoresOf(each, usage.scores), options.topK));
  }

  async entities(text: string, options: EntityOptions = {}): Promise<Entity[]> {
    const { usage, maxLength, maxPositions } = this.handle.description;
    checkEntityOptions(options, maxPositions);
    const { aggregation = 'simple', signal } = options;
    const arguments_ = [checkText(text), options.maxLength ?? maxLength] as const;
    return entitiesOf(text, await this.handle.call('labelTokens', [...arguments_], { signal }), usage, aggregation);
  }

  async logitsIds(ids: readonly number[], tokenTypes: readonly number[] = []): Promise<Float32Array> {
    const checked = checkIds(ids);
    const types = checkIds(tokenTypes);
    if (types.length !== 0 && types.length !== checked.length) {
      throw inputError('mismatch', `there are ${types.length} token types for ${checked.length} ids`);
    }
    const wrong = types.find((type) => type > maxType);
    if (wrong !== undefined) throw inputError('out_of_range', `token type ${wrong} is more than ${maxType}`);
    return this.handle.call('labelIds', [checked, types]);
  }

  private async classifyByInference(
    inputs: readonly (string | TextPair)[],
    labels: readonly string[],
    options: LabelOptions,
  ): Promise<TextLabel[][]> {
    const inference = inferenceOf(this.handle.description.usage.labels);
    const hypotheses = hypothesesOf(labels, options.template);
    const pairs = inputs.flatMap((text, i) => {
      if (typeof text !== 'string') throw inputError('wrong_type', `text ${i} has a pair, and so have labels`);
      return hypotheses.map((pair) => ({ text, pair }));
    });
    const names = [...labels];
    const logits = await this.logitsOf(pairs, names.length, options);
    return inputs.map((_, i) => {
      const ofText = logits.slice(i * names.length, (i + 1) * names.length);
      return bestLabels(names, entailmentScores(ofText, inference, options.multiLabel ?? false), options.topK);
    });
  }

  /** The logits of each input. `perText`: how many inputs belong to each of the caller's texts. */
  private logitsOf(
    inputs: readonly (string | TextPair)[],
    perText: number,
    { signal, onTruncate, onProgress, ...options }: LabelOptions,
  ): Promise<Float32Array[]> {
    const { maxLength: usual, usage } = this.handle.description;
    const maxLength = options.maxLength ?? usual;
    const count = usage.labels.length;
    const written = inputs.map((input) => (typeof input === 'string' ? input : input.text + input.pair));
    return this.handle.queue.run(
      async () => {
        const all: Float32Array[] = [];
        for (let first = 0; first < inputs.length; first = all.length) {
          const slice = inputs.slice(first, first + sliceFrom(written, first).length);
          const { logits, tokens } = await this.handle.backend.call('label', [slice, maxLength], { signal });
          tokens.forEach((length, i) => {
            const isFirstOfText = (first + i) % perText === 0;
            if (length > maxLength && isFirstOfText) onTruncate?.((first + i) / perText, length);
            all.push(logits.slice(i * count, (i + 1) * count));
          });
          onProgress?.(Math.floor(all.length / perText), inputs.length / perText);
        }
        return all;
      },
      { signal },
    );
  }
}

/** A copy: the caller may change the list while the call waits. */
function checkInputs(inputs: readonly LabelInput[]): (string | TextPair)[] {
  if (!Array.isArray(inputs)) {
    throw inputError('wrong_type', `texts must be a string, a pair or an array of these, not ${typeName(inputs)}`);
  }
  return Array.from(inputs as readonly unknown[], (input, i) => {
    if (typeof input !== 'object' || input === null) return checkText(input, i);
    const { text, pair } = input as Partial<TextPair>;
    return { text: checkText(text, i), pair: checkText(pair, i) };
  });
}
