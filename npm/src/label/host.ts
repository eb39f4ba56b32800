// The classifier of texts or tokens in the thread of its engine: a worker, or the caller's thread.

import createQuintetEmbedder from 'quintet-embedder-glue';

import { throwIfAborted } from '../base/abort.js';
import { wellFormed } from '../base/arguments.js';
import { yieldIfDue } from '../base/event_loop.js';
import { loadFiles } from '../engine/load/loading.js';
import { parseModelInfo, unwrap } from '../engine/native.js';
import { NativeOwner, withText } from '../engine/native_object.js';
import { type Engine, type EngineChoice, VariantEngines } from '../engine/start/engine.js';
import type { CallContext, Host, LoadHost } from '../worker/calls.js';
import type {
  LabelerCalls,
  LabelerDescription,
  LabelerHostOptions,
  LabelerUsage,
  TextLogits,
  TextPair,
  TokenLogits,
} from './calls.js';
import type { NativeLabeler, NativeLabelerModule } from './native.js';

export const loadLabelerHost: LoadHost<LabelerCalls, LabelerDescription, LabelerHostOptions> = (
  files,
  options,
  watch,
) =>
  loadFiles(files, watch, {
    obtain: (onBytes) => obtainLabelerEngine({ ...options, onBytes }),
    integrity: options.integrity,
    loader: (native) => new native.LabelerLoader(options.format, options.quantize === 'int8', options.perToken),
    hostOf: (engine, model, bytes) => new LabelerHost(engine, model, bytes),
  });

class LabelerHost extends NativeOwner<NativeLabeler> implements Host<LabelerDescription>, LabelerCalls {
  readonly description: LabelerDescription;

  constructor(engine: Engine, native: NativeLabeler, fileBytes: number) {
    super(engine, native);
    this.description = engine.run(() => ({
      info: parseModelInfo(native.info(), fileBytes),
      runtime: engine.runtime,
      usage: JSON.parse(native.usage()) as LabelerUsage,
      maxLength: native.maxLength(),
      maxPositions: native.maxPositions(),
    }));
  }

  async label({ signal }: CallContext, texts: readonly (string | TextPair)[], maxLength: number): Promise<TextLogits> {
    return this.run(async () => {
      const tokens = Int32Array.from(texts, (text) => this.queueText(text, maxLength));
      return { logits: await this.compute(signal), tokens };
    });
  }

  async labelTokens({ signal }: CallContext, text: string, maxLength: number): Promise<TokenLogits> {
    return this.run(async () => {
      this.withText(text, (bytes) => unwrap(this.native.queueWindows(bytes, maxLength)));
      const tokens = this.call(() => this.native.tokens());
      return { logits: await this.compute(signal), tokens };
    });
  }

  async labelIds({ signal }: CallContext, ids: Int32Array, types: Int32Array): Promise<Float32Array> {
    return this.run(async () => {
      this.call(() => unwrap(this.native.queueIds(ids, types)));
      return this.compute(signal);
    });
  }

  private queueText(text: string | TextPair, maxLength: number): number {
    if (typeof text === 'string') {
      return this.withText(text, (bytes) => unwrap(this.native.queueText(bytes, maxLength)));
    }
    const { length } = new TextEncoder().encode(text.text);
    // Each is encoded alone: a surrogate at its end must not join one of the other.
    const both = wellFormed(text.text) + wellFormed(text.pair);
    return this.withText(both, (bytes) => unwrap(this.native.queuePair(bytes, length, maxLength)));
  }

  /** Computes everything in the queue. Yields to the event loop between steps. */
  private async compute(signal: AbortSignal | undefined): Promise<Float32Array> {
    this.call(() => unwrap(this.native.begin()));
    do {
      await yieldIfDue();
      throwIfAborted(signal);
      this.throwIfClosed();
    } while (!this.call(() => unwrap(this.native.step())));
    return this.call(() => this.native.takeLogits());
  }

  private withText<T>(text: string, job: (bytes: number) => T): T {
    return withText(this.engine, this.native, text, job);
  }
}

const engines = new VariantEngines<NativeLabelerModule>({
  glue: createQuintetEmbedder,
  expected: 'LabelerLoader',
  threaded: true,
  // Bundlers look for exactly this form of URL.
  baseline: () => new URL('./quintet-embedder-baseline.wasm', import.meta.url),
  relaxed: () => new URL('./quintet-embedder-relaxed.wasm', import.meta.url),
});

const obtainLabelerEngine = (choice: EngineChoice) => engines.obtain(choice);
