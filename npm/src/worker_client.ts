// An embedder in a worker, as the page sees it.

import { threads } from 'quintet-threads';

import { abortable, throwIfAborted } from './abort.js';
import { chunkBytes, isA, type ByteSource } from './byte_source.js';
import type {
  EmbedderBackend,
  EmbedderDescription,
  EmbedResult,
  EmbedSettings,
  HostLoadOptions,
  LoadWatch,
} from './embedder_backend.js';
import { closedError, inputError, QuintetError } from './errors.js';
import type { WorkerEndpoint } from './threads.js';
import { locationOf, openSource } from './source.js';
import type { LoadProgress, ModelSource } from './types.js';
import {
  fromPlain,
  type FromWorker,
  type PortableSource,
  type ToWorker,
  type WorkerRequest,
} from './worker_protocol.js';

interface PendingCall {
  resolve(value: never): void;
  reject(error: unknown): void;
}

class WorkerCalls {
  private readonly pending = new Map<number, PendingCall>();
  private lastCall = 0;
  private failure: unknown;
  onProgress: ((progress: LoadProgress) => void) | undefined;
  onPull: (() => void) | undefined;

  constructor(private readonly worker: WorkerEndpoint) {
    worker.listen((message) => this.receive(message as FromWorker));
    worker.onFailure((reason) =>
      this.fail(new QuintetError('INTERNAL', `the worker failed: ${reason}`, { reason: 'worker' })),
    );
  }

  async request<T>(request: WorkerRequest, signal?: AbortSignal, transfer?: Transferable[]): Promise<T> {
    if (this.failure !== undefined) throw this.failure;
    throwIfAborted(signal);
    const call = ++this.lastCall;
    const abort = () => this.post({ kind: 'abort', call });
    signal?.addEventListener('abort', abort, { once: true });
    this.worker.hold(true);
    try {
      return await new Promise<T>((resolve, reject) => {
        this.pending.set(call, { resolve, reject });
        this.post({ kind: 'call', call, request }, transfer);
      });
    } finally {
      signal?.removeEventListener('abort', abort);
      this.pending.delete(call);
      if (this.pending.size === 0) this.worker.hold(false);
    }
  }

  post(message: ToWorker, transfer?: Transferable[]): void {
    this.worker.post(message, transfer);
  }

  /** Ends the worker and every call. */
  fail(error: unknown): void {
    this.failure ??= error;
    for (const { reject } of this.pending.values()) reject(this.failure);
    this.worker.terminate();
  }

  private receive(message: FromWorker): void {
    switch (message.kind) {
      case 'result':
        this.pending.get(message.call)?.resolve(message.value as never);
        break;
      case 'error':
        this.pending.get(message.call)?.reject(fromPlain(message.error));
        break;
      case 'progress':
        this.guard(() => this.onProgress?.(message.progress));
        break;
      case 'pull':
        this.guard(() => this.onPull?.());
        break;
      case 'ready':
        break;
    }
  }

  /** What a callback of the caller throws ends the load and comes back from it. */
  private guard(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.fail(error);
    }
  }
}

/** Loads a model in a worker, which is ended if that fails. */
export async function loadInWorker(
  worker: WorkerEndpoint,
  source: ModelSource,
  options: HostLoadOptions,
  { signal, onProgress }: LoadWatch,
): Promise<EmbedderBackend> {
  const calls = new WorkerCalls(worker);
  let pulled: ByteSource | undefined;
  try {
    const wasm = await portableWasm(options.wasm);
    let portable = portableSource(source);
    if (!portable) {
      pulled = await openSource(source, { signal });
      const pieces = piecesOf(pulled);
      calls.onPull = () => void pump(pieces, calls);
      portable = { kind: 'pulled', ...(pulled.size === undefined ? {} : { size: pulled.size }) };
    }
    calls.onProgress = onProgress;
    const progress = onProgress !== undefined;
    const loading = calls.request<EmbedderDescription>(
      { kind: 'load', source: portable, options: { ...options, wasm }, progress },
      signal,
    );
    return new WorkerEmbedder(calls, await abortable(loading, signal));
  } catch (error) {
    calls.fail(error);
    throw error;
  } finally {
    await pulled?.close();
  }
}

function portableSource(source: ModelSource): PortableSource | undefined {
  const location = locationOf(source);
  if (location) return { kind: 'location', href: location.href };
  if (threads.sendsBlobs && isA(source, 'Blob', 'File')) return { kind: 'blob', blob: source as Blob };
  return undefined;
}

/** Copies of a source's bytes, so that the caller's buffers stay whole when these are transferred. */
async function* piecesOf(source: ByteSource): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let chunk; (chunk = await source.read()); ) {
    for (let at = 0; at < chunk.length; at += chunkBytes) yield new Uint8Array(chunk.subarray(at, at + chunkBytes));
  }
}

/** Sends the next piece. */
async function pump(pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>, calls: WorkerCalls): Promise<void> {
  try {
    const bytes = (await pieces.next()).value ?? null;
    calls.post({ kind: 'chunk', bytes }, bytes ? [bytes.buffer] : []);
  } catch (error) {
    calls.fail(error);
  }
}

async function portableWasm(wasm: HostLoadOptions['wasm']): Promise<HostLoadOptions['wasm']> {
  if (typeof wasm === 'string' || isA(wasm, 'URL')) return locationOf(wasm as string | URL)!.href;
  if (!isA(wasm, 'Response')) return wasm;
  const response = wasm as Response;
  if (response.bodyUsed) throw inputError('used', 'the body of the WebAssembly response was already read');
  return response.arrayBuffer();
}

class WorkerEmbedder implements EmbedderBackend {
  constructor(
    private readonly calls: WorkerCalls,
    readonly description: EmbedderDescription,
  ) {}

  embed(texts: readonly string[], first: number, settings: EmbedSettings, signal?: AbortSignal): Promise<EmbedResult> {
    return this.calls.request({ kind: 'embed', texts, first, settings }, signal);
  }

  embedIds(ids: Int32Array, settings: EmbedSettings, signal?: AbortSignal): Promise<Float32Array> {
    return this.calls.request({ kind: 'embedIds', ids, settings }, signal);
  }

  tokenize(text: string): Promise<Int32Array> {
    return this.calls.request({ kind: 'tokenize', text });
  }

  countTokens(text: string): Promise<number> {
    return this.calls.request({ kind: 'countTokens', text });
  }

  tokens(ids: Int32Array): Promise<string[]> {
    return this.calls.request({ kind: 'tokens', ids });
  }

  close(): void {
    this.calls.fail(closedError());
  }
}
