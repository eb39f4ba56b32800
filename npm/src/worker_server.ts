// A model in a worker, as the worker sees it.

import type { CallWatch, Host, HostLoadOptions, LoadHost, ModelFile } from './backend.js';
import { blobSource, type ByteSource } from './byte_source.js';
import type { StartTeam } from './helpers.js';
import type { Parent } from './threads.js';
import { openModelSource } from './model_source.js';
import { buffersOf, toPlain, type FromWorker, type LoadRequest, type PortableSource, type ToWorker } from './worker_protocol.js';

/** A host by the names of its methods, as they arrive. */
type AnyHost = Host & Record<string, (watch: CallWatch, ...args: readonly unknown[]) => Promise<unknown>>;
type LoadAnyHost = LoadHost<AnyHost, Host['description'], HostLoadOptions>;

/** Answers what the other side asks, until the worker is ended from there. */
export function serve<Calls, Options extends HostLoadOptions>(
  endpoint: Parent,
  load: LoadHost<Calls, never, Options> | LoadHost<Calls, Host['description'], Options>,
): void {
  new WorkerServer(endpoint, load as unknown as LoadAnyHost).start();
}

interface RunningCall {
  abort: AbortController;
  /** Takes the answer that the call waits for. */
  answer?: (value: unknown) => void;
}

class WorkerServer {
  private host!: AnyHost;
  private readonly running = new Map<number, RunningCall>();
  /** The reader that waits for a chunk from the other side. */
  private takeChunk: ((bytes: Uint8Array | null) => void) | undefined;

  constructor(
    private readonly endpoint: Parent,
    private readonly loadHost: LoadAnyHost,
  ) {}

  start(): void {
    this.endpoint.listen((message) => this.receive(message as ToWorker));
    void this.announce();
  }

  private async announce(): Promise<void> {
    this.post({ kind: 'ready', lock: await this.endpoint.holdLock?.() });
  }

  private post(message: FromWorker, transfer?: Transferable[]): void {
    this.endpoint.post(message, transfer);
  }

  private receive(message: ToWorker): void {
    switch (message.kind) {
      case 'load':
        void this.answer(message.call, (watch) => this.load(message.request, watch));
        break;
      case 'call':
        void this.answer(message.call, (watch) => this.host[message.method]!(watch, ...message.args));
        break;
      case 'abort':
        this.running.get(message.call)?.abort.abort();
        // A question may stay without an answer then.
        this.running.get(message.call)?.answer?.(undefined);
        break;
      case 'answer':
        this.running.get(message.call)?.answer?.(message.value);
        break;
      case 'chunk':
        this.takeChunk?.(message.bytes);
        break;
    }
  }

  private async answer(call: number, perform: (watch: CallWatch) => Promise<unknown>): Promise<void> {
    const running: RunningCall = { abort: new AbortController() };
    this.running.set(call, running);
    try {
      const value = await perform(this.watchOf(call, running));
      this.post({ kind: 'result', call, value }, buffersOf(value));
    } catch (error) {
      this.post({ kind: 'error', call, error: toPlain(error) });
    } finally {
      this.running.delete(call);
    }
  }

  private watchOf(call: number, running: RunningCall): CallWatch {
    return {
      signal: running.abort.signal,
      onEvent: (value) => this.post({ kind: 'event', call, value }),
      onQuestion: (value) =>
        new Promise((resolve) => {
          running.answer = resolve;
          this.post({ kind: 'question', call, value }, buffersOf(value));
        }),
    };
  }

  private async load({ files, options, progress }: LoadRequest, { signal, onEvent, onQuestion }: CallWatch): Promise<unknown> {
    const fallbacks: string[] = [];
    const openable = files.map(({ name, source }, i): ModelFile => ({
      name,
      open: () => this.open(source, i, signal, fallbacks),
    }));
    this.host = await this.loadHost(openable, { ...options, startTeam: onQuestion as StartTeam }, {
      signal,
      onProgress: progress ? onEvent : undefined,
    });
    const { description } = this.host;
    const { runtime } = description;
    return { ...description, runtime: { ...runtime, fallbacks: [...runtime.fallbacks, ...fallbacks] } };
  }

  private async open(source: PortableSource, file: number, signal: CallWatch['signal'], fallbacks: string[]): Promise<ByteSource> {
    switch (source.kind) {
      case 'location':
        return openModelSource(new URL(source.href), signal, source.entry, fallbacks);
      case 'blob':
        return blobSource(source.blob);
      case 'pulled':
        return { ...source, read: () => this.pull(file), close: async () => {} };
    }
  }

  /** The next chunk of a source that lies on the other side. */
  private pull(file: number): Promise<Uint8Array | null> {
    return new Promise((resolve) => {
      this.takeChunk = resolve;
      this.post({ kind: 'pull', file });
    });
  }
}
