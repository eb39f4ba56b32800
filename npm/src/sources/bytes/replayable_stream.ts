// A one-time source whose beginning is kept, so that it can be read again from the start.

import type { ByteSource } from './byte_source.js';

// The memory that a model needs is known after its header and vocabulary, which are usually far smaller than this.
const maxKept = 16 << 20;

export class ReplayableStream {
  private kept: Uint8Array[] = [];
  private bytes = 0;

  constructor(private readonly source: ByteSource) {}

  /** Whether everything that was read is still kept. */
  get isWhole(): boolean {
    return this.bytes <= maxKept;
  }

  /** The whole source from the start, as a Response because that has a length. */
  again(): Response {
    const { size } = this.source;
    const chunks = this.chunks();
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    };
    // No reading ahead: a chunk is only valid until the next one is read.
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
