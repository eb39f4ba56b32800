// Conversion, where the engine runs.

import { abortable } from './abort.js';
import { chunkBytes, type ByteSource } from './byte_source.js';
import { obtainEngine, type Engine } from './engine.js';
import { feedPiece, totalOf } from './feed.js';
import { breathe } from './event_loop.js';
import { unwrap, type NativeConverter } from './native.js';
import { openSource } from './source.js';
import type { ConvertOptions, ConvertProgress, ModelSource } from './types.js';

/** The bytes of the converted model. */
export async function* convertModel(
  files: readonly [name: string, file: ModelSource][],
  { onProgress, signal, ...options }: ConvertOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const engine = await abortable(obtainEngine({ variant: 'auto' }), signal);
  const converter = engine.run((native) => new native.Converter(JSON.stringify(options)));
  const conversion = new Conversion(engine, converter, signal, onProgress);
  try {
    for (const [name, file] of files) {
      const source = await openSource(file, { signal });
      try {
        yield* conversion.file(name, source);
      } finally {
        await source.close();
      }
    }
    yield* conversion.end();
  } finally {
    if (engine.usable) converter.delete();
  }
}

class Conversion {
  private lastProgress = '';

  constructor(
    private readonly engine: Engine,
    private readonly converter: NativeConverter,
    private readonly signal: AbortSignal | undefined,
    private readonly onProgress: ((progress: ConvertProgress) => void) | undefined,
  ) {}

  async *file(name: string, source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
    this.engine.run(() => unwrap(this.converter.beginFile(name, totalOf(source))));
    for (let chunk; (chunk = await abortable(source.read(), this.signal)); ) {
      for (let at = 0; at < chunk.length; at += chunkBytes) {
        feedPiece(this.engine, this.converter, chunk.subarray(at, at + chunkBytes));
        yield* this.output();
        await abortable(breathe(), this.signal);
      }
    }
    this.engine.run(() => unwrap(this.converter.endFile()));
    yield* this.output();
  }

  async *end(): AsyncGenerator<Uint8Array, void, undefined> {
    this.engine.run(() => unwrap(this.converter.finish()));
    yield* this.output();
  }

  /** What is ready. */
  private *output(): Generator<Uint8Array, void, undefined> {
    for (;;) {
      const bytes = this.engine.run(() => this.converter.take().slice());
      if (bytes.length === 0) break;
      yield bytes;
    }
    this.report();
  }

  private report(): void {
    if (!this.onProgress) return;
    const progress = this.engine.run(() => this.converter.progress());
    if (progress === this.lastProgress) return;
    this.lastProgress = progress;
    this.onProgress(JSON.parse(progress) as ConvertProgress);
  }
}
