// Runs images through a classifier: captures them, computes the logits and ranks the classes.

import { inputError } from '../base/errors.js';
import { lazyModule } from '../base/lazy_module.js';
import type { ModelInput } from '../base/types.js';
import { checkOptions, isA } from '../base/values.js';
import { checkImages, checkInput, ofImage } from '../images/arguments.js';
import { type Picture, transferableOf } from '../images/image_input.js';
import type { ImageInput, PreparedImage } from '../images/types.js';
import { locate } from '../sources/locate.js';
import type { Reader } from '../sources/types.js';
import { type HostSpec, loadModel } from '../worker/loading.js';
import { ModelHandle } from '../worker/model_handle.js';
import { capture, withPicture } from '../worker/pictures.js';
import type { ClassifierCalls, ClassifierDescription, ClassifierHandle, ClassifierHostOptions } from './calls.js';
import { batchRules, checkClassifierLoadOptions, classifyRules, preparationOf } from './options.js';
import type { Classification, ClassifierLoadOptions, ClassifyBatchOptions, ClassifyOptions } from './types.js';

const host = lazyModule(() => import('./host.js'), 'loadClassifierHost');

const kind: HostSpec<ClassifierCalls, ClassifierDescription, ClassifierHostOptions> = {
  script: 'classifier_worker',
  inThread: async () => (await host()).loadClassifierHost,
};

/** The parts of a model that a classifier reads. */
const reader: Reader = {
  who: 'ImageClassifier',
  kinds: ['safetensors', 'own'],
  own: ['.tinyruntime'],
  describing: ['config.json', 'preprocessor_config.json'],
};

/** Loads a network and checks its labels and preprocessing. */
export async function loadClassifier(source: ModelInput, options: ClassifierLoadOptions = {}): Promise<ClassifyRuns> {
  checkClassifierLoadOptions(options);
  const files = await locate(source, reader, options);
  const { format = '', kind: stored = '', quantize = 'none', labels: names } = options;
  const preparation = preparationOf(options);
  const loaded = await loadModel(kind, files, options, { format, kind: stored, quantize, preparation });
  const { classes, labels: own } = loaded.backend.description;
  const unnamed = () => Array.from({ length: classes }, (_, i) => `class ${i}`);
  const labels = names ? [...names] : own.length > 0 ? own : unnamed();
  if (labels.length !== classes) {
    loaded.backend.close();
    throw inputError('mismatch', `load: the network has ${classes} classes, option 'labels' has ${labels.length}`);
  }
  return new ClassifyRuns(new ModelHandle(loaded), labels);
}

export class ClassifyRuns {
  constructor(
    readonly handle: ClassifierHandle,
    readonly labels: readonly string[],
  ) {}

  async classify(image: ImageInput, options: ClassifyOptions = {}): Promise<Classification[]> {
    checkOptions(options, classifyRules, 'classify');
    const { topK, signal } = options;
    return this.likeliest(await this.logitsOfImage(image, signal), topK);
  }

  async classifyBatch(images: readonly ImageInput[], options: ClassifyBatchOptions = {}): Promise<Classification[][]> {
    checkOptions(options, batchRules, 'classifyBatch');
    const list = checkImages(images);
    const { topK, signal, onProgress } = options;
    return this.handle.queue.run(
      async () => {
        const results = [];
        for (const [i, image] of list.entries()) {
          const logits = await capture(image)
            .then((picture) => this.compute(picture, signal))
            .catch((error) => {
              throw ofImage(i, error);
            });
          results.push(this.likeliest(logits, topK));
          onProgress?.(i + 1, list.length);
        }
        return results;
      },
      { signal },
    );
  }

  async logits(input: ImageInput | Float32Array, shape?: readonly [number, number, number]): Promise<Float32Array> {
    if (!isA(input, 'Float32Array')) return this.logitsOfImage(input as ImageInput, undefined);
    const { values, shape: sizes } = checkInput(input, shape, 'logits');
    return this.handle.call('logitsOfInput', [values, sizes], { transfer: [values.buffer as ArrayBuffer] });
  }

  private logitsOfImage(image: ImageInput, signal: AbortSignal | undefined): Promise<Float32Array> {
    return withPicture(this.handle.queue, image, signal, (picture) => this.compute(picture, signal));
  }

  features(image: ImageInput): Promise<Float32Array> {
    return withPicture(this.handle.queue, image, undefined, (picture) =>
      this.handle.backend.call('featuresOfPicture', [picture], { transfer: transferableOf(picture) }),
    );
  }

  prepare(image: ImageInput): Promise<PreparedImage> {
    return withPicture(this.handle.queue, image, undefined, (picture) =>
      this.handle.backend.call('prepare', [picture], { transfer: transferableOf(picture) }),
    );
  }

  private compute(picture: Picture, signal: AbortSignal | undefined): Promise<Float32Array> {
    const watch = { signal, transfer: transferableOf(picture) };
    return this.handle.backend.call('logitsOfPicture', [picture], watch);
  }

  private likeliest(logits: Float32Array, topK = 5): Classification[] {
    return likeliest(logits, this.labels, topK);
  }
}

/** The `count` most probable classes, best first; ties in the order of the classes. */
export function likeliest(logits: Float32Array, labels: readonly string[], count: number): Classification[] {
  const highest = logits.reduce((highest, logit) => Math.max(highest, logit), -Infinity);
  const weights = Array.from(logits, (logit) => Math.exp(logit - highest));
  const sum = weights.reduce((sum, weight) => sum + weight, 0);
  return [...logits.keys()]
    .sort((a, b) => logits[b]! - logits[a]! || a - b)
    .slice(0, count)
    .map((index) => ({ label: labels[index]!, index, score: weights[index]! / sum }));
}
