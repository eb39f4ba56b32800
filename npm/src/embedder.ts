/// <reference lib="esnext.disposable" preserve="true" />

import { CallQueue } from './call_queue.js';
import { rememberRuntime } from './capabilities.js';
import { typeName } from './byte_source.js';
import { makeDisposable } from './disposable.js';
import type { EmbedderBackend, EmbedResult, EmbedSettings } from './embedder_backend.js';
import { loadBackend } from './embedder_loading.js';
import { inputError, QuintetError } from './errors.js';
import { checkEmbedOptions } from './options.js';
import { checkText, TextBatches } from './text_batches.js';
import type { EmbedOptions, LoadOptions, ModelInfo, ModelSource, RuntimeInfo } from './types.js';

/** What `encode` gives. */
export interface Encoding {
  /** Row-major: text `i` has the elements from `i * dimension` on. */
  vectors: Float32Array;
  dimension: number;
  /** Tokens of every text before cutting, [CLS] and [SEP] included. */
  tokens: Int32Array;
  /** 1 for every text that was cut. */
  truncated: Uint8Array;
}

// One request to the backend: enough for full batches, little enough for progress and aborts.
const sliceTexts = 256;
const sliceChars = 16384;

/** A sentence embedder: text in, vectors out. Calls queue and run one after another; a failed one leaves it usable. */
export class Embedder {
  /** What the file says, and how it runs. */
  readonly info: ModelInfo;
  /** Elements of a vector. */
  readonly dimension: number;
  /** Default limit of the tokens of one text, [CLS] and [SEP] included. */
  readonly maxLength: number;
  declare readonly [Symbol.dispose]: () => void;
  declare readonly [Symbol.asyncDispose]: () => Promise<void>;

  private readonly queue = new CallQueue();

  private constructor(
    private readonly backend: EmbedderBackend,
    runtime: RuntimeInfo,
  ) {
    const { info, dimension, maxLength } = backend.description;
    this.info = { ...info, runtime };
    this.dimension = dimension;
    this.maxLength = maxLength;
    forgotten.register(this, backend, this);
  }

  /**
   * Loads a model.
   * @throws QuintetError FORMAT for a broken file, IO where the bytes cannot be had; UNSUPPORTED, INPUT, MEMORY,
   *   ABORTED
   */
  static async load(source: ModelSource, options?: LoadOptions): Promise<Embedder> {
    const { backend, runtime } = await loadBackend(source, options);
    rememberRuntime(runtime);
    return new Embedder(backend, runtime);
  }

  /** The vector of a text, or those of several in their order: any number, they are computed in batches. */
  embed(text: string, options?: EmbedOptions): Promise<Float32Array>;
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  async embed(texts: string | readonly string[], options?: EmbedOptions): Promise<Float32Array | Float32Array[]> {
    const rows: Float32Array[] = [];
    const list = typeof texts === 'string' ? [texts] : checkTexts(texts);
    await this.embedAll(list, options, ({ vectors }) => rows.push(...this.rowsOf(vectors)));
    return typeof texts === 'string' ? rows[0]! : rows;
  }

  /** As `embed`, for many texts: all vectors in one array. */
  async encode(texts: readonly string[], options?: EmbedOptions): Promise<Encoding> {
    const list = checkTexts(texts);
    const { dimension } = this;
    const vectors = allocate(list.length * dimension);
    const tokens = new Int32Array(list.length);
    const truncated = new Uint8Array(list.length);
    await this.embedAll(list, options, (result, first, settings) => {
      vectors.set(result.vectors, first * dimension);
      tokens.set(result.tokens, first);
      result.tokens.forEach((count, i) => (truncated[first + i] = Number(isCut(count, settings))));
    });
    return { vectors, dimension, tokens, truncated };
  }

  /**
   * Vectors of texts as they come, in their order. Reads a few texts ahead, and only when the vectors before were
   * taken. `onProgress` gets Infinity as the total where `texts` is not an array.
   */
  async *embedStream(
    texts: Iterable<string> | AsyncIterable<string>,
    options?: EmbedOptions,
  ): AsyncGenerator<Float32Array, void, undefined> {
    const settings = this.settle(options);
    const total = Array.isArray(texts) ? texts.length : Infinity;
    const batches = new TextBatches(texts);
    try {
      for (let first = 0, batch; (batch = await batches.next(options?.signal)).length; first += batch.length) {
        const slice = batch;
        const start = first;
        const { vectors } = await this.queue.run(
          () => this.embedSlice(slice, start, total, settings, options),
          options?.signal,
        );
        yield* this.rowsOf(vectors);
      }
    } finally {
      await batches.close();
    }
  }

  /** The vector of token ids, taken as they are: nothing is added. */
  async embedIds(ids: readonly number[], options?: EmbedOptions): Promise<Float32Array> {
    const settings = this.settle(options);
    const checked = checkIds(ids);
    if (options?.maxLength !== undefined && checked.length > settings.maxLength) {
      throw inputError('too_long', `${checked.length} ids, ${settings.maxLength} are allowed`);
    }
    return this.queue.run(() => this.backend.embedIds(checked, settings, options?.signal), options?.signal);
  }

  /** Token ids of a text with [CLS] and [SEP], not cut. */
  async tokenize(text: string): Promise<Int32Array> {
    checkText(text, 0);
    return this.queue.run(() => this.backend.tokenize(text));
  }

  /** Number of tokens of a text, [CLS] and [SEP] included. */
  async countTokens(text: string): Promise<number> {
    checkText(text, 0);
    return this.queue.run(() => this.backend.countTokens(text));
  }

  /** The vocabulary's texts of token ids; empty for an id outside of it. */
  async tokens(ids: readonly number[]): Promise<string[]> {
    const checked = checkIds(ids);
    return this.queue.run(() => this.backend.tokens(checked));
  }

  /** Frees the model. Calls that still wait, and all later ones, fail with CLOSED. Closing twice is fine. */
  close(): void {
    forgotten.unregister(this);
    this.queue.close();
    this.backend.close();
  }

  private settle(options: EmbedOptions | undefined): EmbedSettings {
    checkEmbedOptions(options, this.backend.description.maxPositions);
    const { pooling = 'mean', normalize = true, maxLength = this.maxLength, truncate = 'end' } = options ?? {};
    return { pooling, normalize, maxLength, truncate };
  }

  /** Runs a list slice by slice; `take` gets each slice's result with the index of its first text. */
  private async embedAll(
    texts: readonly string[],
    options: EmbedOptions | undefined,
    take: (result: EmbedResult, first: number, settings: EmbedSettings) => void,
  ): Promise<void> {
    const settings = this.settle(options);
    await this.queue.run(async () => {
      for (let first = 0; first < texts.length; ) {
        const slice = sliceFrom(texts, first);
        take(await this.embedSlice(slice, first, texts.length, settings, options), first, settings);
        first += slice.length;
      }
    }, options?.signal);
  }

  private async embedSlice(
    slice: readonly string[],
    first: number,
    total: number,
    settings: EmbedSettings,
    options: EmbedOptions | undefined,
  ): Promise<EmbedResult> {
    const result = await this.backend.embed(slice, first, settings, options?.signal);
    result.tokens.forEach((count, i) => {
      if (isCut(count, settings)) options?.onTruncate?.(first + i, count);
    });
    options?.onProgress?.(first + slice.length, total);
    return result;
  }

  /** Copies, so that each vector can be transferred or kept alone. */
  private *rowsOf(vectors: Float32Array): Generator<Float32Array, void> {
    for (let at = 0; at < vectors.length; at += this.dimension) yield vectors.slice(at, at + this.dimension);
  }
}

makeDisposable(Embedder.prototype);

const forgotten = new FinalizationRegistry<EmbedderBackend>((backend) => backend.close());

const isCut = (tokens: number, { truncate, maxLength }: EmbedSettings) => truncate === 'end' && tokens > maxLength;

function sliceFrom(texts: readonly string[], first: number): string[] {
  let end = first;
  for (let chars = 0; end < texts.length && end - first < sliceTexts && chars < sliceChars; ++end) {
    chars += texts[end]!.length;
  }
  return texts.slice(first, end);
}

/** A copy: the caller may change the list while the call waits. */
function checkTexts(texts: readonly string[]): string[] {
  if (!Array.isArray(texts)) {
    throw inputError('wrong_type', `texts must be a string or an array of strings, not ${typeName(texts)}`);
  }
  return Array.from(texts as readonly unknown[], checkText);
}

const maxId = 2 ** 31 - 1;

function checkIds(ids: readonly number[]): Int32Array {
  if (!Array.isArray(ids) && !ArrayBuffer.isView(ids)) {
    throw inputError('wrong_type', `ids must be an array of numbers, not ${typeName(ids)}`);
  }
  return Int32Array.from(ids, (id: unknown, i) => {
    if (Number.isInteger(id) && (id as number) >= 0 && (id as number) <= maxId) return id as number;
    throw inputError('out_of_range', `id ${i} is not a token id but ${String(id)}`);
  });
}

function allocate(elements: number): Float32Array {
  try {
    return new Float32Array(elements);
  } catch (cause) {
    throw new QuintetError('MEMORY', `cannot allocate ${elements} floats`, { reason: 'out_of_memory', cause });
  }
}
