// Runs images and texts through an image embedder, with progress and aborts, and compares their vectors.

import { images as platformImages } from '#platform/images';

import { checkIds, checkText, checkTexts } from '../base/arguments.js';
import { inputError, unsupported } from '../base/errors.js';
import { lazyModule } from '../base/lazy_module.js';
import type { ModelInput } from '../base/types.js';
import { checkOptions, typeName } from '../base/values.js';
import { checkImages, checkInput, isOfImage, ofImage } from '../images/arguments.js';
import { type Picture, pixelsOf, transferableOf } from '../images/image_input.js';
import type { Pixels } from '../images/pixels.js';
import type { ImageInput, PreparedImage } from '../images/types.js';
import { locate } from '../sources/locate.js';
import type { Reader } from '../sources/types.js';
import { type HostSpec, loadModel } from '../worker/loading.js';
import { ModelHandle } from '../worker/model_handle.js';
import { capture, withPicture } from '../worker/pictures.js';
import type {
  ImageEmbedderCalls,
  ImageEmbedderDescription,
  ImageEmbedderHandle,
  ImageEmbedderHostOptions,
} from './calls.js';
import { DecodedAhead, type Images } from './decoded_ahead.js';
import { checkImageEmbedderLoadOptions, embedRules, promptsOf, streamRules } from './options.js';
import { bestLabels, similarityOf } from './similarity.js';
import type {
  ImageEmbedderLoadOptions,
  ImageEmbedOptions,
  ImageStreamOptions,
  ScoredLabel,
  ZeroShotOptions,
} from './types.js';

const host = lazyModule(() => import('./host.js'), 'loadImageEmbedderHost');

const kind: HostSpec<ImageEmbedderCalls, ImageEmbedderDescription, ImageEmbedderHostOptions> = {
  script: 'image_embedder_worker',
  inThread: async () => (await host()).loadImageEmbedderHost,
};

/** The parts of a model that an image embedder reads. */
const reader: Reader = {
  who: 'ImageEmbedder',
  kinds: ['safetensors'],
  own: [],
  describing: [
    'config.json',
    'open_clip_config.json',
    'preprocessor_config.json',
    'tokenizer.json',
    'spiece.model',
    'tokenizer_config.json',
    'special_tokens_map.json',
  ],
};

export async function loadImageEmbedder(
  source: ModelInput,
  options: ImageEmbedderLoadOptions = {},
): Promise<ImageEmbedRuns> {
  checkImageEmbedderLoadOptions(options);
  const files = await locate(source, reader, options);
  const { format = '', towers = 'both', quantize = 'none' } = options;
  return new ImageEmbedRuns(new ModelHandle(await loadModel(kind, files, options, { format, towers, quantize })));
}

export class ImageEmbedRuns {
  /** The texts that `classify` got last, and their vectors. */
  private known: { texts: readonly string[]; vectors: Float32Array[] } | undefined;

  constructor(readonly handle: ImageEmbedderHandle) {}

  async embedImage(
    images: ImageInput | readonly ImageInput[],
    options: ImageEmbedOptions = {},
  ): Promise<Float32Array | Float32Array[]> {
    checkOptions(options, embedRules, 'embedImage');
    const { signal, onProgress } = options;
    if (!Array.isArray(images)) {
      const vector = await withPicture(this.handle.queue, images as ImageInput, signal, (picture) =>
        this.ofPicture(picture, signal),
      );
      onProgress?.(1, 1);
      return vector;
    }
    const list = checkImages(images as readonly ImageInput[]);
    return this.handle.queue.run(
      async () => {
        const vectors: Float32Array[] = [];
        for await (const vector of this.vectors(list, { signal }, (job) => job())) {
          vectors.push(vector);
          onProgress?.(vectors.length, list.length);
        }
        return vectors;
      },
      { signal },
    );
  }

  async *embedImageStream(
    images: Images,
    options: ImageStreamOptions = {},
  ): AsyncGenerator<Float32Array, void, undefined> {
    checkOptions(options, streamRules, 'embedImageStream');
    yield* this.vectors(images, options, (job) => this.handle.queue.run(job, { signal: options.signal }));
  }

  async embedText(
    texts: string | readonly string[],
    options: ImageEmbedOptions = {},
  ): Promise<Float32Array | Float32Array[]> {
    checkOptions(options, embedRules, 'embedText');
    const { signal, onProgress } = options;
    const isOne = typeof texts === 'string';
    const list = isOne ? [texts] : checkTexts(texts);
    const vectors = await this.handle.queue.run(() => this.ofTexts(list, signal, onProgress), { signal });
    return isOne ? vectors[0]! : vectors;
  }

  async embedPixels(data: Float32Array, shape: readonly [number, number, number]): Promise<Float32Array> {
    const { values, shape: sizes } = checkInput(data, shape, 'embedPixels');
    return this.handle.call('embedInput', [values, sizes], { transfer: [values.buffer as ArrayBuffer] });
  }

  async embedIds(ids: readonly number[]): Promise<Float32Array> {
    return this.handle.call('embedIds', [checkIds(ids)]);
  }

  async tokenize(text: string): Promise<Int32Array> {
    return this.handle.call('tokenize', [checkText(text)]);
  }

  similarity(image: Float32Array, texts: readonly Float32Array[]): Float32Array {
    this.requireTexts('similarity');
    return similarityOf(image, texts, this.handle.description);
  }

  async classify(image: ImageInput, labels: readonly string[], options: ZeroShotOptions = {}): Promise<ScoredLabel[]> {
    const list = checkLabels(labels);
    const texts = promptsOf(list, options);
    this.requireTexts('classify');
    const { topK = list.length, signal } = options;
    return withPicture(this.handle.queue, image, signal, async (picture) => {
      const ofLabels = await this.knownVectors(texts, signal);
      const scores = similarityOf(await this.ofPicture(picture, signal), ofLabels, this.handle.description);
      return bestLabels(list, scores, topK);
    });
  }

  prepare(image: ImageInput): Promise<PreparedImage> {
    return withPicture(this.handle.queue, image, undefined, (picture) =>
      this.handle.backend.call('prepare', [picture], { transfer: transferableOf(picture) }),
    );
  }

  /** One vector after another, while the next picture is read and decoded. `run`: how each is computed. */
  private async *vectors(
    images: Images,
    { signal, onError }: { [K in keyof ImageStreamOptions]: ImageStreamOptions[K] | undefined },
    run: (job: () => Promise<Float32Array>) => Promise<Float32Array>,
  ): AsyncGenerator<Float32Array, void, undefined> {
    const pictures = new DecodedAhead(images, (image) => this.decoded(image, signal), signal);
    try {
      for (let index = 0; ; ++index) {
        let vector: Float32Array;
        try {
          const picture = await pictures.take();
          if (!picture) return;
          vector = await run(() => this.ofPicture(picture, signal));
        } catch (error) {
          if (error === pictures.failure) throw error;
          if (!onError || !isOfImage(error)) throw ofImage(index, error);
          onError(index, error);
          continue;
        }
        yield vector;
      }
    } finally {
      await pictures.close();
    }
  }

  /** Where decoding would stop the thread that computes, this thread decodes, which may be another. */
  private async decoded(image: ImageInput, signal: AbortSignal | undefined): Promise<Pixels> {
    const picture = await capture(image);
    if (!platformImages.decodesAside || 'channels' in picture) return pixelsOf(picture, platformImages);
    return this.handle.backend.call('decode', [picture], { signal, transfer: transferableOf(picture) });
  }

  private ofPicture(picture: Picture, signal: AbortSignal | undefined): Promise<Float32Array> {
    return this.handle.backend.call('embedPicture', [picture], { signal, transfer: transferableOf(picture) });
  }

  private async ofTexts(
    texts: readonly string[],
    signal: AbortSignal | undefined,
    onProgress?: (done: number, total: number) => void,
  ): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      vectors.push(await this.handle.backend.call('embedText', [text], { signal }));
      onProgress?.(vectors.length, texts.length);
    }
    return vectors;
  }

  private async knownVectors(texts: readonly string[], signal: AbortSignal | undefined): Promise<Float32Array[]> {
    const { known } = this;
    if (known?.texts.length === texts.length && texts.every((text, i) => text === known.texts[i])) return known.vectors;
    const vectors = await this.ofTexts(texts, signal);
    this.known = { texts, vectors };
    return vectors;
  }

  private requireTexts(where: string): void {
    const { towers, info } = this.handle.description;
    if (!towers.includes('text')) throw unsupported(`${where}: no text tower of ${info.architecture} is loaded`);
  }
}

function checkLabels(labels: readonly string[]): string[] {
  if (!Array.isArray(labels)) {
    throw inputError('wrong_type', `classify: labels must be an array of strings, not ${typeName(labels)}`);
  }
  if (labels.length === 0) throw inputError('missing', 'classify: there are no labels');
  return Array.from(labels as readonly unknown[], checkText);
}
