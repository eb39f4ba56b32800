// The embedder in the thread of its engine: a worker, or the caller's thread.

import createQuintetEmbedder from 'quintet-embedder-glue';

import { throwIfAborted } from '../base/abort.js';
import { inputError } from '../base/errors.js';
import { yieldIfDue } from '../base/event_loop.js';
import { loadFiles } from '../engine/load/loading.js';
import { parseModelInfo, unwrap } from '../engine/native.js';
import { NativeOwner, withText } from '../engine/native_object.js';
import { type Engine, type EngineChoice, VariantEngines } from '../engine/start/engine.js';
import { chunksOf, type TextChunk } from '../text/chunker.js';
import type { CallContext, Host, LoadHost } from '../worker/calls.js';
import type {
  EmbedderCalls,
  EmbedderDescription,
  EmbedderHostOptions,
  EmbedderUsage,
  EmbedResult,
  EmbedSettings,
  TokenResult,
  TokenSettings,
} from './calls.js';
import type { NativeEmbedder, NativeEmbedderModule } from './native.js';
import type { TextRole } from './options.js';

// Maximum number of tokens in a batch: enough to amortize reading the weights and to give every thread work
// (TextEmbedder::begin_batch).
const batchTokens = (threads: number) => Math.max(256, 128 * threads);

export const loadEmbedderHost: LoadHost<EmbedderCalls, EmbedderDescription, EmbedderHostOptions> = (
  files,
  options,
  watch,
) =>
  loadFiles(files, watch, {
    obtain: (onBytes) => obtainEmbedderEngine({ ...options, onBytes }),
    integrity: options.integrity,
    loader: (native) =>
      new native.EmbedderLoader(options.format, options.attentionHeads, options.quantize === 'int8', options.task),
    hostOf: (engine, model, bytes) => new EmbedderHost(engine, model, bytes),
  });

class EmbedderHost extends NativeOwner<NativeEmbedder> implements Host<EmbedderDescription>, EmbedderCalls {
  readonly description: EmbedderDescription;

  constructor(engine: Engine, native: NativeEmbedder, fileBytes: number) {
    super(engine, native);
    this.description = engine.run(() => ({
      info: parseModelInfo(native.info(), fileBytes),
      runtime: engine.runtime,
      usage: JSON.parse(native.usage()) as EmbedderUsage,
      dimension: native.dimension(),
      maxLength: native.maxLength(),
      maxPositions: native.maxPositions(),
    }));
  }

  async embed(
    { signal }: CallContext,
    texts: readonly string[],
    first: number,
    settings: EmbedSettings,
  ): Promise<EmbedResult> {
    const vectors = new Float32Array(texts.length * settings.dimensions);
    const tokens = new Int32Array(texts.length);
    const enough = batchTokens(this.description.runtime.threads);
    await this.run(async () => {
      let done = 0;
      for (let next = 0; next < texts.length; ) {
        tokens[next] = this.queueText(texts[next]!, first + next, settings);
        ++next;
        if (next < texts.length && this.call(() => this.native.queuedTokens()) < enough) continue;
        vectors.set(await this.compute(settings, signal), done * settings.dimensions);
        done = next;
      }
    });
    return { vectors, tokens };
  }

  async embedIds({ signal }: CallContext, ids: Int32Array, settings: EmbedSettings): Promise<Float32Array> {
    return this.run(async () => {
      this.call(() => unwrap(this.native.queueIds(ids)));
      return this.compute(settings, signal);
    });
  }

  async embedTokens(
    { signal }: CallContext,
    texts: readonly string[],
    { role, prompt, maxLength }: TokenSettings,
  ): Promise<TokenResult> {
    return this.run(async () => {
      const tokens = Int32Array.from(texts, (text) =>
        this.withText(prompt + text, (bytes) => unwrap(this.native.queueTokenText(bytes, role === 'query', maxLength))),
      );
      return { ...(await this.computeTokens(signal)), tokens };
    });
  }

  async embedTokenIds({ signal }: CallContext, ids: Int32Array, role: TextRole): Promise<TokenResult> {
    return this.run(async () => {
      this.call(() => unwrap(this.native.queueTokenIds(ids, role === 'query')));
      return { ...(await this.computeTokens(signal)), tokens: Int32Array.of(ids.length) };
    });
  }

  async tokenize(_: CallContext, text: string): Promise<Int32Array> {
    return this.run(async () => this.withText(text, (bytes) => unwrap(this.native.tokenize(bytes))));
  }

  async countTokens(_: CallContext, text: string): Promise<number> {
    return this.run(async () => this.withText(text, (bytes) => unwrap(this.native.countTokens(bytes))));
  }

  async tokenTexts(_: CallContext, ids: Int32Array): Promise<string[]> {
    return this.run(async () => this.call(() => Array.from(ids, (id) => this.native.token(id))));
  }

  async chunk(_: CallContext, text: string, prompt: string, maxTokens: number, overlap: number): Promise<TextChunk[]> {
    return this.run(async () => {
      const count = (part: string) => this.withText(part, (bytes) => unwrap(this.native.countTokens(bytes)));
      const added = count(prompt);
      if (maxTokens <= added) {
        throw inputError(
          'out_of_range',
          `chunk: 'maxTokens' must be more than the ${added} tokens that are added to each text`,
        );
      }
      const around = count('');
      return chunksOf(
        text,
        maxTokens,
        overlap,
        (part) => count(prompt + part),
        (part) => count(part) - around,
      );
    });
  }

  private queueText(text: string, index: number, settings: EmbedSettings): number {
    const { maxLength, prompt, truncate } = settings;
    const promptBytes = prompt === '' ? 0 : new TextEncoder().encode(prompt).length;
    const tokens = this.withText(prompt + text, (bytes) =>
      unwrap(this.native.queueText(bytes, promptBytes, maxLength, truncate === 'chunk')),
    );
    if (truncate === 'error' && tokens > maxLength) {
      throw inputError('too_long', `text ${index} has ${tokens} tokens, ${maxLength} are allowed`);
    }
    return tokens;
  }

  /** Computes everything in the queue. */
  private async compute(settings: EmbedSettings, signal: AbortSignal | undefined): Promise<Float32Array> {
    const { pooling, normalize, dimensions } = settings;
    this.call(() => unwrap(this.native.begin(pooling, normalize, dimensions)));
    await this.steps(signal);
    return this.call(() => this.native.take());
  }

  private async computeTokens(signal: AbortSignal | undefined) {
    this.call(() => unwrap(this.native.beginTokens()));
    await this.steps(signal);
    return this.call(() => this.native.takeTokens());
  }

  /** Yields to the event loop between steps. */
  private async steps(signal: AbortSignal | undefined): Promise<void> {
    do {
      await yieldIfDue();
      throwIfAborted(signal);
      this.throwIfClosed();
    } while (!this.call(() => unwrap(this.native.step())));
  }

  private withText<T>(text: string, job: (bytes: number) => T): T {
    return withText(this.engine, this.native, text, job);
  }
}

const engines = new VariantEngines<NativeEmbedderModule>({
  glue: createQuintetEmbedder,
  expected: 'EmbedderLoader',
  threaded: true,
  // Bundlers look for exactly this form of URL.
  baseline: () => new URL('./quintet-embedder-baseline.wasm', import.meta.url),
  relaxed: () => new URL('./quintet-embedder-relaxed.wasm', import.meta.url),
});

const obtainEmbedderEngine = (choice: EngineChoice) => engines.obtain(choice);
