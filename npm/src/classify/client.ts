// Runs images through a classifier: captures them, computes the logits and ranks the classes.

import { images as platformImages } from '#platform/images';

import { inputError, QuintetError } from '../base/errors.js';
import { lazyModule } from '../base/lazy_module.js';
import type { ModelInput } from '../base/types.js';
import { checkOptions, isA, typeName } from '../base/values.js';
import { type Picture, pictureOf, transferableOf } from '../images/image_input.js';
import type { ImageInput } from '../images/types.js';
import { locate } from '../sources/locate.js';
import type { Reader } from '../sources/types.js';
import { type HostSpec, loadModel } from '../worker/loading.js';
import { ModelHandle } from '../worker/model_handle.js';
import type { ClassifierCalls, ClassifierDescription, ClassifierHandle, ClassifierHostOptions } from './calls.js';
import { batchRules, checkClassifierLoadOptions, classifyRules, preparationOf } from './options.js';
import type {
  Classification,
  ClassifierLoadOptions,
  ClassifyBatchOptions,
  ClassifyOptions,
  PreparedImage,
} from './types.js';

const host = lazyModule(() => import('./host.js'), 'loadClassifierHost');

const kind: HostSpec<ClassifierCalls, ClassifierDescription, ClassifierHostOptions> = {
  script: 'classifier_worker',
  inThread: async () => (await host()).loadClassifierHost,
};

/** What a classifier reads of a model. */
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
  const { format = '', kind: stored = '', labels: names } = options;
  const preparation = preparationOf(options);
  const loaded = await loadModel(kind, files, options, { format, kind: stored, preparation });
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
    if (!Array.isArray(images)) throw inputError('wrong_type', `images must be an array, not ${typeName(images)}`);
    const { topK, signal, onProgress } = options;
    // A copy: the caller may change the list while the call waits.
    const list = [...images] as readonly ImageInput[];
    return this.handle.queue.run(
      async () => {
        const results = [];
        for (const [i, image] of list.entries()) {
          const logits = await pictureOf(image, platformImages)
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
    const values = new Float32Array(input as Float32Array);
    const sizes = checkShape(shape, values);
    const transfer = [values.buffer];
    return this.handle.call('logitsOfInput', [values, sizes], { transfer });
  }

  private logitsOfImage(image: ImageInput, signal: AbortSignal | undefined): Promise<Float32Array> {
    return this.queued(image, signal, (picture) => this.compute(picture, signal));
  }

  /** Queues the call at once, and captures the image now. */
  private queued<R>(
    image: ImageInput,
    signal: AbortSignal | undefined,
    compute: (picture: Picture) => Promise<R>,
  ): Promise<R> {
    const picture = pictureOf(image, platformImages);
    // Errors of the image are reported when the turn of the call comes.
    picture.catch(() => {});
    return this.handle.queue.run(async () => compute(await picture), { signal });
  }

  features(image: ImageInput): Promise<Float32Array> {
    return this.queued(image, undefined, (picture) =>
      this.handle.backend.call('featuresOfPicture', [picture], { transfer: transferableOf(picture) }),
    );
  }

  prepare(image: ImageInput): Promise<PreparedImage> {
    return this.queued(image, undefined, (picture) =>
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

function checkShape(shape: unknown, values: Float32Array): readonly number[] {
  if (!Array.isArray(shape) || shape.length !== 3 || !shape.every((size) => Number.isInteger(size) && size > 0)) {
    throw inputError('wrong_type', 'logits: a Float32Array needs its shape: [channels, height, width]');
  }
  const count = shape.reduce((product, size) => product * size, 1);
  if (count !== values.length) {
    throw inputError('mismatch', `logits: the shape [${shape.join(', ')}] needs ${count} values, not ${values.length}`);
  }
  return [...shape];
}

/** Adds the index of the image in the batch to an error. */
function ofImage(index: number, error: unknown): unknown {
  const concerned = ['INPUT', 'FORMAT', 'UNSUPPORTED', 'IO', 'MEMORY'];
  if (!(error instanceof QuintetError) || !concerned.includes(error.code)) return error;
  const { code, message, reason, cause } = error;
  return new QuintetError(code, `image ${index}: ${message}`, { reason, cause });
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
