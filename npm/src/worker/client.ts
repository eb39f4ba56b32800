// A host in a worker, on the page's side: its calls, and the files that they read.

import { threads } from '#platform/threads';

import { abortable, throwIfAborted } from '../base/abort.js';
import { closedError, QuintetError } from '../base/errors.js';
import type { ModelSource } from '../base/types.js';
import { isA } from '../base/values.js';
import type { ComputeTask, StartTeam } from '../engine/threads/compute_task.js';
import type { WorkerEndpoint } from '../platform/threads.js';
import { type ByteSource, piecesOf } from '../sources/bytes/byte_source.js';
import { openModelFile } from '../sources/open_files.js';
import { locationOf } from '../sources/open_source.js';
import type { ModelFile } from '../sources/types.js';
import type { Backend, CallOptions } from './calls.js';
import type { ReadingState } from './items.js';
import {
  buffersOf,
  type FromWorker,
  fromPlain,
  type PortableFile,
  type PortableSource,
  type Range,
  type ToWorker,
} from './protocol.js';

interface PendingCall {
  resolve(value: never): void;
  reject(error: unknown): void;
  options: CallOptions;
  files: PulledFiles;
  /** Whether the worker waits for items to be read. */
  isWaiting?: boolean;
  /** The reading state that was last sent to the worker, and how many were. */
  lastReported: ReadingState;
  reports: number;
  /** Thrown by a callback or source of the caller. The call rejects with it once the worker has stopped. */
  thrown?: { error: unknown };
}

class WorkerCalls {
  private readonly pending = new Map<number, PendingCall>();
  private lastCall = 0;
  private failure: unknown;

  /** `startTeam`: for compute threads of the worker's engine, which asks for them while it starts. */
  constructor(
    private readonly worker: WorkerEndpoint,
    private readonly startTeam: StartTeam,
  ) {
    worker.listen((message) => this.receive(message as FromWorker));
    worker.onFailure((reason) =>
      this.fail(new QuintetError('INTERNAL', `the worker failed: ${reason}`, { reason: 'worker' })),
    );
  }

  async request<T>(method: string, args: readonly unknown[], options: CallOptions): Promise<T> {
    const { signal, items, onEvent, sources, transfer } = options;
    const files = new PulledFiles();
    const call = ++this.lastCall;
    const abort = () => {
      this.post({ kind: 'abort', call });
      this.updateHold();
    };
    try {
      const portable = sources ? await files.portable(options) : [];
      if (this.failure !== undefined) throw this.failure;
      throwIfAborted(signal);
      signal?.addEventListener('abort', abort, { once: true });
      if (items) items.onRead = () => this.reportReading(call);
      return await new Promise<T>((resolve, reject) => {
        const lastReported = { taken: 0, isUnlimited: false, isCancelled: false };
        this.pending.set(call, { resolve, reject, options, files, lastReported, reports: 0 });
        this.updateHold();
        const wants = { events: onEvent !== undefined, ...(items && { ahead: items.ahead }) };
        this.post({ kind: 'call', call, method, args, files: portable, ...wants }, transfer);
        if (items) this.reportReading(call);
      });
    } finally {
      signal?.removeEventListener('abort', abort);
      this.pending.delete(call);
      this.updateHold();
      await files.close();
    }
  }

  /** Ends the worker, its compute threads and every call. */
  fail(error: unknown): void {
    this.failure ??= error;
    for (const { reject } of this.pending.values()) reject(this.failure);
    void this.startTeam([]);
    this.worker.terminate();
  }

  private post(message: ToWorker, transfer?: Transferable[]): void {
    this.worker.post(message, transfer);
  }

  /** Pending calls keep the process alive, unless they wait for a reader, as calls that are ending never do. */
  private updateHold(): void {
    this.worker.hold(
      [...this.pending.values()].some(
        ({ isWaiting, thrown, options }) => !isWaiting || thrown || options.signal?.aborted,
      ),
    );
  }

  private receive(message: FromWorker): void {
    if (message.kind === 'ready') return;
    const pending = this.pending.get(message.call);
    if (!pending) return;
    switch (message.kind) {
      case 'result':
      case 'error':
        settle(pending, message);
        break;
      case 'waiting':
        // Otherwise the worker will soon learn how much was read since, and report again whether it waits.
        if (message.heard !== pending.reports) break;
        pending.isWaiting = true;
        this.updateHold();
        this.reportReading(message.call);
        break;
      default:
        void this.handleMessage(pending, message);
    }
  }

  /** If a callback or source of the caller throws, the call ends and rejects with that. */
  private async handleMessage(
    pending: PendingCall,
    message: Extract<FromWorker, { kind: 'event' } | { kind: 'question' } | { kind: 'items' } | { kind: 'pull' }>,
  ): Promise<void> {
    const { call } = message;
    const { options, files, thrown } = pending;
    if (thrown && message.kind !== 'pull') return;
    try {
      switch (message.kind) {
        case 'event':
          return options.onEvent?.(message.value);
        case 'items':
          return message.values.forEach((value) => options.items?.give(value));
        case 'question': {
          const value = await options.onQuestion?.(message.value);
          return this.post({ kind: 'answer', call, value }, buffersOf(value));
        }
        case 'pull': {
          const bytes = thrown ? null : await files.pull(message.file, message.range);
          return this.post({ kind: 'piece', call, file: message.file, bytes }, bytes ? [bytes.buffer] : []);
        }
      }
    } catch (error) {
      pending.thrown ??= { error };
      this.updateHold();
      this.post({ kind: 'failed', call });
      if (message.kind === 'pull') this.post({ kind: 'piece', call, file: message.file, bytes: null });
    }
  }

  /** Reports reading, but not every item: a message costs more than most tokens of a small model. */
  private reportReading(call: number): void {
    const pending = this.pending.get(call);
    const items = pending?.options.items;
    if (!items) return;
    const { taken, isUnlimited, isCancelled, ahead } = items;
    const { lastReported, isWaiting } = pending;
    const more = taken - lastReported.taken;
    const isEnough = !isUnlimited && (more >= ahead / 2 || (more > 0 && isWaiting));
    if (!isEnough && isUnlimited === lastReported.isUnlimited && isCancelled === lastReported.isCancelled) return;
    pending.lastReported = { taken, isUnlimited, isCancelled };
    ++pending.reports;
    pending.isWaiting = false;
    this.post({ kind: 'read', call, state: pending.lastReported });
    this.updateHold();
  }
}

function settle(pending: PendingCall, message: FromWorker & { kind: 'result' | 'error' }): void {
  if (pending.thrown) pending.reject(pending.thrown.error);
  else if (message.kind === 'error') pending.reject(fromPlain(message.error));
  else pending.resolve(message.value as never);
}

/** Starts a host in a worker. If that fails, the worker is terminated. */
export async function workerBackend<Calls, D>(
  worker: WorkerEndpoint,
  hostOptions: object,
  load: CallOptions,
  startTeam: StartTeam,
): Promise<Backend<Calls, D>> {
  const calls = new WorkerCalls(worker, startTeam);
  try {
    const onQuestion = (tasks: unknown) => startTeam(tasks as ComputeTask[]);
    const loading = calls.request<D>('load', [hostOptions], { ...load, onQuestion });
    const description = await abortable(loading, load.signal);
    return {
      description,
      call: (method, args, options = {}) => calls.request(method, args as unknown[], options),
      close: () => calls.fail(closedError()),
    };
  } catch (error) {
    calls.fail(error);
    throw error;
  }
}

interface PulledFile {
  source: ByteSource;
  pieces: ReturnType<typeof piecesOf>;
}

export class PulledFiles {
  private readonly files: (PulledFile | undefined)[] = [];

  /** Opens the sources that cannot be sent. */
  async portable({ sources = [], signal, fallbacks = [] }: CallOptions): Promise<PortableFile[]> {
    const portable: PortableFile[] = [];
    for (const file of sources) {
      const crossing = crossingSource(file);
      const source = crossing ? undefined : await openModelFile(file, signal, fallbacks);
      this.files.push(source && { source, pieces: piecesOf(source) });
      portable.push({ name: file.name, source: crossing ?? pulledSource(source!) });
    }
    return portable;
  }

  /**
   * The next bytes or a range, as a copy that can be transferred without detaching the caller's buffers. Null at the
   * end.
   */
  async pull(file: number, range: Range | undefined): Promise<Uint8Array<ArrayBuffer> | null> {
    const { source, pieces } = this.files[file]!;
    const bytes = range ? await source.readAt!(range.position, range.length) : (await pieces.next()).value;
    return bytes ? new Uint8Array(bytes) : null;
  }

  async close(): Promise<void> {
    for (const file of this.files) await file?.source.close();
  }
}

const pulledSource = ({ size, readAt }: ByteSource): PortableSource => ({
  kind: 'pulled',
  size,
  inAnyOrder: readAt !== undefined,
});

function crossingSource({ source, entry, hub }: ModelFile): PortableSource | undefined {
  const location = locationOf(source as ModelSource);
  if (location) return { kind: 'location', href: location.href, entry, hub };
  if (threads.sendsBlobs && !entry && isA(source, 'Blob', 'File')) return { kind: 'blob', blob: source as Blob };
  return undefined;
}
