// A source that can be read once, whose begin can be read again.

import type { ByteSource } from './byte_source.js';
import { openSource } from './source.js';
import type { ModelSource } from './types.js';

// What a model needs is known when its header and its vocabulary were read. Most are smaller by far.
const mostKept = 16 << 20;

export class KeptStream implements AsyncIterable<Uint8Array> {
  private kept: Uint8Array[] = [];
  private bytes = 0;

  readonly knownSize?: number;

  private constructor(private readonly source: ByteSource) {
    if (source.size !== undefined) this.knownSize = source.size;
  }

  static async open(source: ModelSource, signal: AbortSignal | undefined): Promise<KeptStream> {
    return new KeptStream(await openSource(source, { signal }));
  }

  /** Whether all that was read is still there. */
  get isWhole(): boolean {
    return this.bytes <= mostKept;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    yield* this.kept;
    for (let chunk; (chunk = await this.source.read()); ) {
      this.keep(chunk);
      yield chunk;
    }
  }

  close(): Promise<void> {
    return this.source.close();
  }

  private keep(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    if (this.isWhole) this.kept.push(chunk.slice());
    else this.kept = [];
  }
}
