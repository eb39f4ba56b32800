// An embedder in a worker, as the worker sees it.

import { blobSource, type ByteSource } from './byte_source.js';
import { loadEmbedder, type EmbedderHost } from './embedder_host.js';
import type { Endpoint } from './threads.js';
import { openSource } from './source.js';
import { toPlain, type FromWorker, type PortableSource, type ToWorker, type WorkerRequest } from './worker_protocol.js';

/** Answers what the other side asks, until the worker is ended from there. */
export function serve(endpoint: Endpoint): void {
  new WorkerServer(endpoint).start();
}

class WorkerServer {
  private embedder!: EmbedderHost;
  private readonly aborts = new Map<number, AbortController>();
  /** The reader that waits for a chunk from the other side. */
  private takeChunk: ((bytes: Uint8Array | null) => void) | undefined;

  constructor(private readonly endpoint: Endpoint) {}

  start(): void {
    this.endpoint.listen((message) => this.receive(message as ToWorker));
    this.post({ kind: 'ready' });
  }

  private post(message: FromWorker, transfer?: Transferable[]): void {
    this.endpoint.post(message, transfer);
  }

  private receive(message: ToWorker): void {
    switch (message.kind) {
      case 'call':
        void this.answer(message.call, message.request);
        break;
      case 'abort':
        this.aborts.get(message.call)?.abort();
        break;
      case 'chunk':
        this.takeChunk?.(message.bytes);
        break;
    }
  }

  private async answer(call: number, request: WorkerRequest): Promise<void> {
    const abort = new AbortController();
    this.aborts.set(call, abort);
    try {
      const value = await this.perform(request, abort.signal);
      this.post({ kind: 'result', call, value }, buffersOf(value));
    } catch (error) {
      this.post({ kind: 'error', call, error: toPlain(error) });
    } finally {
      this.aborts.delete(call);
    }
  }

  private async perform(request: WorkerRequest, signal: AbortSignal): Promise<unknown> {
    switch (request.kind) {
      case 'load': {
        const onProgress = request.progress
          ? (progress: Parameters<Report>[0]) => this.post({ kind: 'progress', progress })
          : undefined;
        this.embedder = await loadEmbedder(this.open(request.source, signal), request.options, { signal, onProgress });
        return this.embedder.description;
      }
      case 'embed':
        return this.embedder.embed(request.texts, request.first, request.settings, signal);
      case 'embedIds':
        return this.embedder.embedIds(request.ids, request.settings, signal);
      case 'tokenize':
        return this.embedder.tokenize(request.text);
      case 'countTokens':
        return this.embedder.countTokens(request.text);
      case 'tokens':
        return this.embedder.tokens(request.ids);
    }
  }

  private async open(source: PortableSource, signal: AbortSignal): Promise<ByteSource> {
    switch (source.kind) {
      case 'location':
        return openSource(new URL(source.href), { signal });
      case 'blob':
        return blobSource(source.blob);
      case 'pulled':
        return { ...source, read: () => this.pull(), close: async () => {} };
    }
  }

  /** The next chunk of a source that lies on the other side. */
  private pull(): Promise<Uint8Array | null> {
    return new Promise((resolve) => {
      this.takeChunk = resolve;
      this.post({ kind: 'pull' });
    });
  }
}

type Report = NonNullable<Parameters<typeof loadEmbedder>[2]['onProgress']>;

/** What can be handed over instead of copied. */
function buffersOf(value: unknown): Transferable[] {
  const parts = ArrayBuffer.isView(value) ? [value] : Object.values(value as object);
  return parts.flatMap((part) => (ArrayBuffer.isView(part) ? [part.buffer as ArrayBuffer] : []));
}
