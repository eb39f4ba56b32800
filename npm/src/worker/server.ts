// A host in a worker, on the worker's side.

import { abortable } from '../base/abort.js';
import { ioError } from '../base/errors.js';
import type { Fallback } from '../base/fallbacks.js';
import type { StartTeam } from '../engine/threads/compute_task.js';
import type { Parent } from '../platform/threads.js';
import { type ByteSource, blobSource } from '../sources/bytes/byte_source.js';
import { openable } from '../sources/open_files.js';
import type { ModelFile, OpenableFile } from '../sources/types.js';
import type { CallContext, Host, HostLoadOptions, LoadHost, ModelDescription } from './calls.js';
import { RemoteItemSink } from './items.js';
import {
  bufferOf,
  buffersOf,
  type CallRequest,
  type FromWorker,
  type PortableFile,
  type Range,
  type ToWorker,
  toPlain,
} from './protocol.js';

/** A host whose methods are called by name. */
type AnyHost = Host<Partial<ModelDescription>> &
  Record<string, (watch: CallContext, ...args: readonly unknown[]) => Promise<unknown>>;
type LoadAnyHost = LoadHost<AnyHost, AnyHost['description'], HostLoadOptions>;

/** Answers the calls of the page, until it terminates the worker. Does nothing if the script runs again. */
export function serve<Calls, D, Options>(parent: Parent, load: LoadHost<Calls, D, Options>): void {
  if (!parent.isHeard) new WorkerServer(parent, load as unknown as LoadAnyHost).start();
}

interface RunningCall {
  abort: AbortController;
  /** Fires when the caller's side has failed. */
  failing: AbortController;
  /** Receives the answer to the pending question. */
  answer?: (value: unknown) => void;
  /** Receivers of requested bytes, by file. */
  readonly pulls: Map<number, (bytes: Uint8Array | null) => void>;
  items?: RemoteItemSink<unknown>;
}

class WorkerServer {
  private host: AnyHost | undefined;
  private readonly running = new Map<number, RunningCall>();

  constructor(
    private readonly parent: Parent,
    private readonly loadHost: LoadAnyHost,
  ) {}

  start(): void {
    this.parent.listen((message) => this.receive(message as ToWorker));
    void this.announce();
  }

  private async announce(): Promise<void> {
    this.post({ kind: 'ready', lock: await this.parent.holdLock?.() });
  }

  private post(message: FromWorker, transfer?: Transferable[]): void {
    this.parent.post(message, transfer);
  }

  private receive(message: ToWorker): void {
    const running = this.running.get(message.call);
    switch (message.kind) {
      case 'call':
        void this.answer(message);
        break;
      case 'abort':
        running?.abort.abort();
        break;
      case 'failed':
        running?.abort.abort();
        running?.failing.abort();
        break;
      case 'answer':
        running?.answer?.(message.value);
        break;
      case 'read':
        running?.items?.update(message.state);
        break;
      case 'piece':
        running?.pulls.get(message.file)?.(message.bytes);
        break;
    }
  }

  private async answer(message: ToWorker & { kind: 'call' }): Promise<void> {
    const { call } = message;
    const running: RunningCall = { abort: new AbortController(), failing: new AbortController(), pulls: new Map() };
    this.running.set(call, running);
    try {
      const value = await this.perform(call, message, running);
      running.items?.send();
      this.post({ kind: 'result', call, value }, buffersOf(value));
    } catch (error) {
      running.items?.send();
      this.post({ kind: 'error', call, error: toPlain(error) });
    } finally {
      this.running.delete(call);
    }
  }

  private async perform(call: number, request: CallRequest, running: RunningCall): Promise<unknown> {
    const { method, args, files, events, ahead } = request;
    const fallbacks: Fallback[] = [];
    const watch: CallContext = {
      signal: running.abort.signal,
      ...(events && { onEvent: (value: unknown) => this.post({ kind: 'event', call, value }) }),
      onQuestion: (value) => {
        const asking = new Promise((resolve) => {
          running.answer = resolve;
          running.items?.send();
          this.post({ kind: 'question', call, value }, buffersOf(value));
        });
        const answer = abortable(asking, running.failing.signal);
        // Not every question needs an answer.
        answer.catch(() => {});
        return answer;
      },
      files: files.map((file, i) => this.fileOf(file, call, i, running, fallbacks)),
      items: ahead === undefined ? undefined : (running.items = this.itemsOf(call, ahead)),
    };
    if (method === 'load') return this.load(args[0] as HostLoadOptions, watch, fallbacks);
    return this.host![method]!(watch, ...args);
  }

  private async load(
    options: HostLoadOptions,
    { files, signal, onEvent, onQuestion }: CallContext,
    fallbacks: readonly Fallback[],
  ): Promise<unknown> {
    const watch = { signal, onProgress: onEvent };
    this.host = await this.loadHost(files, { ...options, startTeam: onQuestion as StartTeam }, watch);
    const { description } = this.host;
    const { runtime } = description;
    return runtime
      ? { ...description, runtime: { ...runtime, fallbacks: [...runtime.fallbacks, ...fallbacks] } }
      : description;
  }

  private itemsOf(call: number, ahead: number): RemoteItemSink<unknown> {
    return new RemoteItemSink(
      ahead,
      (values) => this.post({ kind: 'items', call, values }, values.flatMap(bufferOf)),
      (heard) => this.post({ kind: 'waiting', call, heard }),
    );
  }

  private fileOf(
    { name, source }: PortableFile,
    call: number,
    file: number,
    running: RunningCall,
    fallbacks: Fallback[],
  ): OpenableFile {
    if (source.kind === 'location') {
      const located: ModelFile = { name, source: new URL(source.href), entry: source.entry, hub: source.hub };
      return openable([located], fallbacks)[0]!;
    }
    if (source.kind === 'blob') return { name, isRemote: false, open: async () => blobSource(source.blob) };
    const pull = (range?: Range) =>
      new Promise<Uint8Array | null>((resolve) => {
        running.pulls.set(file, resolve);
        this.post({ kind: 'pull', call, file, ...(range && { range }) });
      });
    const { size, inAnyOrder } = source;
    const readAt = async (position: number, length: number) => {
      const bytes = await pull({ position, length });
      if (bytes) return bytes;
      throw ioError('read_failed', 'cannot read the source');
    };
    const opened: ByteSource = { size, read: () => pull(), close: async () => {}, ...(inAnyOrder && { readAt }) };
    return { name, isRemote: false, open: async () => opened };
  }
}
