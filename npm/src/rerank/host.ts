// The reranker in the thread of its engine: a worker, or the caller's thread.

import createQuintetEmbedder from 'quintet-embedder-glue';

import { throwIfAborted } from '../base/abort.js';
import { yieldIfDue } from '../base/event_loop.js';
import { loadFiles } from '../engine/load/loading.js';
import { parseModelInfo, unwrap } from '../engine/native.js';
import { NativeOwner, withText } from '../engine/native_object.js';
import { type Engine, type EngineChoice, VariantEngines } from '../engine/start/engine.js';
import type { CallContext, Host, LoadHost } from '../worker/calls.js';
import type { RerankerCalls, RerankerDescription, RerankerHostOptions, ScoreResult } from './calls.js';
import type { NativeReranker, NativeRerankerModule } from './native.js';

export const loadRerankerHost: LoadHost<RerankerCalls, RerankerDescription, RerankerHostOptions> = (
  files,
  options,
  watch,
) =>
  loadFiles(files, watch, {
    obtain: (onBytes) => obtainRerankerEngine({ ...options, onBytes }),
    integrity: options.integrity,
    loader: (native) => new native.RerankerLoader(options.format, options.quantize === 'int8'),
    hostOf: (engine, model, bytes) => new RerankerHost(engine, model, bytes),
  });

class RerankerHost extends NativeOwner<NativeReranker> implements Host<RerankerDescription>, RerankerCalls {
  readonly description: RerankerDescription;

  constructor(engine: Engine, native: NativeReranker, fileBytes: number) {
    super(engine, native);
    this.description = engine.run(() => ({
      info: parseModelInfo(native.info(), fileBytes),
      runtime: engine.runtime,
      maxLength: native.maxLength(),
      maxPositions: native.maxPositions(),
    }));
  }

  async score(
    { signal }: CallContext,
    query: string,
    texts: readonly string[],
    maxLength: number,
  ): Promise<ScoreResult> {
    return this.run(async () => {
      this.withText(query, (bytes) => unwrap(this.native.setQuery(bytes)));
      const tokens = Int32Array.from(texts, (text) =>
        this.withText(text, (bytes) => unwrap(this.native.queueText(bytes, maxLength))),
      );
      await this.compute(signal);
      return { scores: this.call(() => this.native.takeScores()), tokens };
    });
  }

  async scoreIds({ signal }: CallContext, ids: Int32Array, types: Int32Array): Promise<number> {
    return this.run(async () => {
      this.call(() => unwrap(this.native.queueIds(ids, types)));
      await this.compute(signal);
      return this.call(() => this.native.takeLogits())[0]!;
    });
  }

  /** Computes everything in the queue. Yields to the event loop between steps. */
  private async compute(signal: AbortSignal | undefined): Promise<void> {
    this.call(() => unwrap(this.native.begin()));
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

const engines = new VariantEngines<NativeRerankerModule>({
  glue: createQuintetEmbedder,
  expected: 'RerankerLoader',
  threaded: true,
  // Bundlers look for exactly this form of URL.
  baseline: () => new URL('./quintet-embedder-baseline.wasm', import.meta.url),
  relaxed: () => new URL('./quintet-embedder-relaxed.wasm', import.meta.url),
});

const obtainRerankerEngine = (choice: EngineChoice) => engines.obtain(choice);
