// The image classifier behind the abstract class ImageClassifier.

import type { Backend } from './backend.js';
import { loadBackend } from './backend_loading.js';
import { isA, typeName } from './byte_source.js';
import { CallQueue } from './call_queue.js';
import { rememberRuntime } from './capabilities.js';
import { likeliest } from './classification.js';
import type { ClassifierCalls, ClassifierDescription, ClassifierHostOptions, Preparation } from './classifier_backend.js';
import { batchRules, checkClassifierLoadOptions, classifyRules, preparationOf } from './classifier_options.js';
import type { Classification, ClassifierLoadOptions, ClassifyBatchOptions, ClassifyOptions } from './classifier_types.js';
import { makeDisposable } from './disposable.js';
import { inputError, QuintetError } from './errors.js';
import type { ImageClassifier } from './image_classifier.js';
import { pictureOf, transferableOf, type Picture } from './image_input.js';
import { classifierInThread } from './in_thread_loader.js';
import { checkOptions } from './options.js';
import type { ImageInput, LoadedModelInfo, ModelSource, RuntimeInfo } from './types.js';

type ClassifierBackend = Backend<ClassifierCalls, ClassifierDescription>;
type ClassifierBase = abstract new () => ImageClassifier;

/** What the caller has chosen at the load. */
interface Choices {
  preparation: Preparation;
  labels: readonly string[];
  runtime: RuntimeInfo;
}

/** `Base` is the class ImageClassifier, which loads this module and so cannot be imported by it. */
export async function loadImageClassifier(
  Base: ClassifierBase,
  source: ModelSource,
  options: ClassifierLoadOptions = {},
): Promise<ImageClassifier> {
  checkClassifierLoadOptions(options);
  const { format = '', kind = '', labels: names } = options;
  const { backend, runtime } = await loadBackend<ClassifierCalls, ClassifierDescription, ClassifierHostOptions>(
    'classifier_worker',
    async () => (await classifierInThread()).loadClassifier,
    [['', source]],
    options,
    { format, kind },
  );
  const { classes, usualInputSize } = backend.description;
  try {
    const labels = names ? [...names] : Array.from({ length: classes }, (_, i) => `class ${i}`);
    if (labels.length !== classes) {
      throw inputError('mismatch', `load: the network has ${classes} classes, option 'labels' has ${labels.length}`);
    }
    const preparation = preparationOf(options, usualInputSize);
    rememberRuntime(runtime);
    return new (loadedClassifier ??= classOn(Base))(backend, { preparation, labels, runtime });
  } catch (error) {
    backend.close();
    throw error;
  }
}

const forgotten = new FinalizationRegistry<ClassifierBackend>((backend) => backend.close());

type LoadedClassifier = new (backend: ClassifierBackend, choices: Choices) => ImageClassifier;
let loadedClassifier: LoadedClassifier | undefined;

function classOn(Base: ClassifierBase): LoadedClassifier {
  class Loaded extends Base {
    readonly info: LoadedModelInfo;
    readonly labels: readonly string[];
    readonly inputSize: number;
    private readonly preparation: Preparation;
    private readonly queue = new CallQueue();

    constructor(
      private readonly backend: ClassifierBackend,
      { preparation, labels, runtime }: Choices,
    ) {
      super();
      this.info = { ...backend.description.info, runtime };
      this.labels = labels;
      this.inputSize = preparation.size;
      this.preparation = preparation;
      forgotten.register(this, backend, this);
    }

    async classify(image: ImageInput, options: ClassifyOptions = {}): Promise<Classification[]> {
      checkOptions(options, classifyRules, 'classify');
      const { topK, signal } = options;
      return this.likeliest(await this.logitsOfImage(image, signal), topK);
    }

    async classifyBatch(images: readonly ImageInput[], options: ClassifyBatchOptions = {}): Promise<Classification[][]> {
      checkOptions(options, batchRules, 'classifyBatch');
      if (!Array.isArray(images)) throw inputError('wrong_type', `images must be an array, not ${typeName(images)}`);
      const { topK, signal, onProgress } = options;
      // A copy of the list, as of all lists: it may change while the call waits.
      const list = [...images] as readonly ImageInput[];
      return this.queue.run(async () => {
        const results = [];
        for (const [i, image] of list.entries()) {
          const logits = await pictureOf(image)
            .then((picture) => this.compute(picture, signal))
            .catch((error) => {
              throw ofImage(i, error);
            });
          results.push(this.likeliest(logits, topK));
          onProgress?.(i + 1, list.length);
        }
        return results;
      }, signal);
    }

    async logits(input: ImageInput | Float32Array, shape?: readonly [number, number, number]): Promise<Float32Array> {
      if (!isA(input, 'Float32Array')) return this.logitsOfImage(input as ImageInput, undefined);
      const values = new Float32Array(input as Float32Array);
      const sizes = checkShape(shape, values);
      const transfer = [values.buffer];
      return this.queue.run(() => this.backend.call('logitsOfInput', [values, sizes], { transfer }));
    }

    close(): void {
      forgotten.unregister(this);
      this.queue.close();
      this.backend.close();
    }

    /** Queues the call at once, with the picture as it is now. */
    private logitsOfImage(image: ImageInput, signal: AbortSignal | undefined): Promise<Float32Array> {
      const picture = pictureOf(image);
      // What is wrong with it is told when its turn has come.
      picture.catch(() => {});
      return this.queue.run(async () => this.compute(await picture, signal), signal);
    }

    private compute(picture: Picture, signal: AbortSignal | undefined): Promise<Float32Array> {
      const watch = { signal, transfer: transferableOf(picture) };
      return this.backend.call('logitsOfPicture', [picture, this.preparation], watch);
    }

    private likeliest(logits: Float32Array, topK = 5): Classification[] {
      return likeliest(logits, this.labels, topK);
    }
  }

  makeDisposable(Loaded.prototype);
  return Loaded;
}

function checkShape(shape: unknown, values: Float32Array): readonly number[] {
  if (!Array.isArray(shape) || shape.length !== 3 || !shape.every((size) => Number.isInteger(size) && size > 0)) {
    throw inputError('wrong_type', 'logits: an input needs its shape: [channels, height, width]');
  }
  const count = shape.reduce((product, size) => product * size, 1);
  if (count !== values.length) {
    throw inputError('mismatch', `logits: a shape of [${shape.join(', ')}] has ${count} values, not ${values.length}`);
  }
  return [...shape];
}

/** Says which image of a batch it is that is wrong. */
function ofImage(index: number, error: unknown): unknown {
  if (!(error instanceof QuintetError) || !['INPUT', 'FORMAT', 'UNSUPPORTED', 'IO', 'MEMORY'].includes(error.code)) return error;
  const { code, message, reason, cause } = error;
  return new QuintetError(code, `image ${index}: ${message}`, { reason, cause });
}
