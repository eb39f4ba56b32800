// A source that can be read once, whose begin can be read again.

import type { ByteSource } from './byte_source.js';

// What a model needs is known when its header and its vocabulary were read. Most are smaller by far.
const mostKept = 16 << 20;

export class KeptStream {
  private kept: Uint8Array[] = [];
  private bytes = 0;

  constructor(private readonly source: ByteSource) {}

  /** Whether all that was read is still there. */
  get isWhole(): boolean {
    return this.bytes <= mostKept;
  }

  /** All of it, from the begin on, in an answer because that tells the length. */
  again(): Response {
    const { size } = this.source;
    const chunks = this.chunks();
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    };
    // Nothing is read before it is asked for: a chunk is the source's own until the next one.
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    return new Response(body, size === undefined ? {} : { headers: { 'content-length': String(size) } });
  }

  close(): Promise<void> {
    return this.source.close();
  }

  private async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    yield* this.kept;
    for (let chunk; (chunk = await this.source.read()); ) {
      this.keep(chunk);
      yield chunk;
    }
  }

  private keep(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    if (this.isWhole) this.kept.push(chunk.slice());
    else this.kept = [];
  }
}
