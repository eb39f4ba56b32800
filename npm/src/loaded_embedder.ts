// The sentence embedder behind the abstract class Embedder.

import { CallQueue } from './call_queue.js';
import { rememberRuntime } from './capabilities.js';
import { typeName } from './byte_source.js';
import { checkIds, checkText } from './checked_arguments.js';
import { makeDisposable } from './disposable.js';
import type { Backend } from './backend.js';
import type {
  EmbedderCalls,
  EmbedderDescription,
  EmbedderLoadOptions,
  EmbedResult,
  EmbedSettings,
} from './embedder_backend.js';
import { loadBackend } from './backend_loading.js';
import { inputError, QuintetError } from './errors.js';
import type { Embedder, Encoding } from './embedder.js';
import { inThread } from './in_thread_loader.js';
import { checkEmbedderLoadOptions, checkEmbedOptions } from './options.js';
import { TextBatches } from './text_batches.js';
import type { EmbedOptions, LoadedModelInfo, LoadOptions, ModelSource, RuntimeInfo } from './types.js';

type EmbedderBackend = Backend<EmbedderCalls, EmbedderDescription>;

// One request to the backend: enough for full batches, little enough for progress and aborts.
const sliceTexts = 256;
const sliceChars = 16384;

type EmbedderBase = abstract new () => Embedder;

/** `Base` is the class Embedder, which loads this module and so cannot be imported by it. */
export async function loadSentenceEmbedder(
  Base: EmbedderBase,
  source: ModelSource,
  options: LoadOptions = {},
): Promise<Embedder> {
  checkEmbedderLoadOptions(options);
  const { backend, runtime } = await loadBackend<EmbedderCalls, EmbedderDescription, EmbedderLoadOptions>(
    'worker',
    async () => (await inThread()).loadEmbedder,
    [['', source]],
    options,
    { format: options.format ?? '', attentionHeads: options.attentionHeads ?? 0 },
  );
  rememberRuntime(runtime);
  return new (loadedEmbedder ??= classOn(Base))(backend, runtime);
}

type LoadedEmbedder = new (backend: EmbedderBackend, runtime: RuntimeInfo) => Embedder;
let loadedEmbedder: LoadedEmbedder | undefined;

function classOn(Base: EmbedderBase): LoadedEmbedder {
  class Loaded extends Base {
    readonly info: LoadedModelInfo;
    readonly dimension: number;
    readonly maxLength: number;
    private readonly queue = new CallQueue();

    constructor(
      private readonly backend: EmbedderBackend,
      runtime: RuntimeInfo,
    ) {
      super();
      const { info, dimension, maxLength } = backend.description;
      this.info = { ...info, runtime };
      this.dimension = dimension;
      this.maxLength = maxLength;
      forgotten.register(this, backend, this);
    }

    embed(text: string, options?: EmbedOptions): Promise<Float32Array>;
    embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
    async embed(texts: string | readonly string[], options?: EmbedOptions): Promise<Float32Array | Float32Array[]> {
      const rows: Float32Array[] = [];
      const list = typeof texts === 'string' ? [texts] : checkTexts(texts);
      await this.embedAll(list, options, ({ vectors }) => rows.push(...this.rowsOf(vectors)));
      return typeof texts === 'string' ? rows[0]! : rows;
    }

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

    async embedIds(ids: readonly number[], options?: EmbedOptions): Promise<Float32Array> {
      const settings = this.settle(options);
      const checked = checkIds(ids);
      if (options?.maxLength !== undefined && checked.length > settings.maxLength) {
        throw inputError('too_long', `${checked.length} ids, ${settings.maxLength} are allowed`);
      }
      const signal = options?.signal;
      return this.queue.run(() => this.backend.call('embedIds', [checked, settings], { signal }), signal);
    }

    async tokenize(text: string): Promise<Int32Array> {
      checkText(text, 0);
      return this.queue.run(() => this.backend.call('tokenize', [text]));
    }

    async countTokens(text: string): Promise<number> {
      checkText(text, 0);
      return this.queue.run(() => this.backend.call('countTokens', [text]));
    }

    async tokens(ids: readonly number[]): Promise<string[]> {
      const checked = checkIds(ids);
      return this.queue.run(() => this.backend.call('tokens', [checked]));
    }

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
      const result = await this.backend.call('embed', [slice, first, settings], { signal: options?.signal });
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

  makeDisposable(Loaded.prototype);
  return Loaded;
}

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

function allocate(elements: number): Float32Array {
  try {
    return new Float32Array(elements);
  } catch (cause) {
    throw new QuintetError('MEMORY', `cannot allocate ${elements} floats`, { reason: 'out_of_memory', cause });
  }
}
