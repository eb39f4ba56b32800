// A model in a worker, as the page sees it.

import { threads } from 'quintet-threads';

import { abortable, throwIfAborted } from './abort.js';
import type { Backend, CallWatch, Description, HostLoadOptions, LoadWatch } from './backend.js';
import { isA, piecesOf, type ByteSource } from './byte_source.js';
import { closedError, inputError, QuintetError } from './errors.js';
import { helperTeam } from './helper_team.js';
import type { HelperTask } from './helpers.js';
import type { NamedSource } from './model_folder.js';
import type { WorkerEndpoint } from './threads.js';
import { openModelSource, type CacheEntry } from './model_source.js';
import { locationOf } from './source.js';
import type { ModelSource } from './types.js';
import { buffersOf, fromPlain, type FromWorker, type LoadRequest, type PortableSource, type ToWorker } from './worker_protocol.js';

interface PendingCall {
  resolve(value: never): void;
  reject(error: unknown): void;
  watch: CallWatch;
  /** What a callback of the caller threw: the call ends with it once the worker has stopped. */
  thrown?: { error: unknown };
}

/** A message that begins a call, but for its number. */
type Opening<Message = ToWorker> = Message extends { kind: 'load' | 'call' } ? Omit<Message, 'call'> : never;

class WorkerCalls {
  private readonly pending = new Map<number, PendingCall>();
  private lastCall = 0;
  private failure: unknown;
  /** The worker's helpers: it asks for them while it loads. */
  readonly startTeam = helperTeam();
  onPull: ((file: number) => void) | undefined;

  constructor(private readonly worker: WorkerEndpoint) {
    worker.listen((message) => this.receive(message as FromWorker));
    worker.onFailure((reason) =>
      this.fail(new QuintetError('INTERNAL', `the worker failed: ${reason}`, { reason: 'worker' })),
    );
  }

  async request<T>(opening: Opening, watch: CallWatch): Promise<T> {
    const { signal } = watch;
    if (this.failure !== undefined) throw this.failure;
    throwIfAborted(signal);
    const call = ++this.lastCall;
    const abort = () => this.post({ kind: 'abort', call });
    signal?.addEventListener('abort', abort, { once: true });
    this.worker.hold(true);
    try {
      return await new Promise<T>((resolve, reject) => {
        this.pending.set(call, { resolve, reject, watch });
        this.post({ ...opening, call } as ToWorker, watch.transfer);
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

  /** Ends the worker, its helpers and every call. */
  fail(error: unknown): void {
    this.failure ??= error;
    for (const { reject } of this.pending.values()) reject(this.failure);
    void this.startTeam([]);
    this.worker.terminate();
  }

  private receive(message: FromWorker): void {
    switch (message.kind) {
      case 'result':
      case 'error':
        this.settle(message);
        break;
      case 'event':
      case 'question':
        void this.hear(message.kind, message.call, message.value);
        break;
      case 'pull':
        this.onPull?.(message.file);
        break;
      case 'ready':
        break;
    }
  }

  private settle(message: FromWorker & { kind: 'result' | 'error' }): void {
    const pending = this.pending.get(message.call);
    if (pending?.thrown) pending.reject(pending.thrown.error);
    else if (message.kind === 'error') pending?.reject(fromPlain(message.error));
    else pending?.resolve(message.value as never);
  }

  /** What a callback of the caller throws ends its call and comes back from it. */
  private async hear(kind: 'event' | 'question', call: number, value: unknown): Promise<void> {
    const pending = this.pending.get(call);
    if (!pending || pending.thrown) return;
    try {
      if (kind === 'event') {
        pending.watch.onEvent?.(value);
      } else {
        const given = await pending.watch.onQuestion?.(value);
        const answer = pending.watch.lends && given ? new Uint8Array(given as Uint8Array) : given;
        this.post({ kind: 'answer', call, value: answer }, buffersOf(answer));
      }
    } catch (error) {
      pending.thrown = { error };
      this.post({ kind: 'abort', call });
    }
  }
}

/** Loads a model in a worker, which is ended if that fails. */
export async function loadInWorker<Calls, D extends Description>(
  worker: WorkerEndpoint,
  files: readonly NamedSource[],
  options: HostLoadOptions,
  { signal, onProgress }: LoadWatch,
  fallbacks: string[],
): Promise<Backend<Calls, D>> {
  const calls = new WorkerCalls(worker);
  const pulled = new PulledFiles(calls);
  try {
    const wasm = await portableWasm(options.wasm);
    const portable: LoadRequest['files'][number][] = [];
    for (const [name, source, entry] of files) {
      const pull = () => pulled.open(portable.length, openModelSource(source, signal, entry, fallbacks));
      portable.push({ name, source: portableSource(source, entry) ?? (await pull()) });
    }
    const watch = {
      signal,
      onEvent: onProgress as (event: unknown) => void,
      onQuestion: (tasks: unknown) => calls.startTeam(tasks as HelperTask[]),
    };
    const request = { files: portable, options: { ...options, wasm }, progress: onProgress !== undefined };
    const description = await abortable(calls.request<D>({ kind: 'load', request }, watch), signal);
    return {
      description,
      call: (method, args, watch = {}) => calls.request({ kind: 'call', method, args: args as unknown[] }, watch),
      close: () => calls.fail(closedError()),
    };
  } catch (error) {
    calls.fail(error);
    throw error;
  } finally {
    await pulled.close();
  }
}

function portableSource(source: ModelSource, entry: CacheEntry | undefined): PortableSource | undefined {
  const location = locationOf(source);
  if (location) return { kind: 'location', href: location.href, entry };
  if (threads.sendsBlobs && !entry && isA(source, 'Blob', 'File')) return { kind: 'blob', blob: source as Blob };
  return undefined;
}

/** Files that only this side can read: the worker asks for their pieces. */
class PulledFiles {
  private readonly pieces = new Map<number, ReturnType<typeof piecesOf>>();
  private readonly opened: ByteSource[] = [];

  constructor(private readonly calls: WorkerCalls) {
    calls.onPull = (file) => void this.pump(this.pieces.get(file)!);
  }

  async open(file: number, opening: Promise<ByteSource>): Promise<PortableSource> {
    const opened = await opening;
    this.opened.push(opened);
    this.pieces.set(file, piecesOf(opened));
    return { kind: 'pulled', size: opened.size };
  }

  async close(): Promise<void> {
    for (const source of this.opened) await source.close();
  }

  /** Sends a copy of the next piece, so that the caller's buffers stay whole when this is transferred. */
  private async pump(pieces: ReturnType<typeof piecesOf>): Promise<void> {
    try {
      const { value } = await pieces.next();
      const bytes = value ? new Uint8Array(value) : null;
      this.calls.post({ kind: 'chunk', bytes }, bytes ? [bytes.buffer] : []);
    } catch (error) {
      this.calls.fail(error);
    }
  }
}

async function portableWasm(wasm: HostLoadOptions['wasm']): Promise<HostLoadOptions['wasm']> {
  if (typeof wasm === 'string' || isA(wasm, 'URL')) return locationOf(wasm as string | URL)!.href;
  if (!isA(wasm, 'Response')) return wasm;
  const response = wasm as Response;
  if (response.bodyUsed) throw inputError('used', 'the body of the WebAssembly response was already read');
  return response.arrayBuffer();
}
