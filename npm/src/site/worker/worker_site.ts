// A site that a worker searches.

import { abortError, throwIfAborted } from '../../base/abort.js';
import { closedError, QuintetError } from '../../base/errors.js';
import { fromPlain } from '../../worker/protocol.js';
import type { EmbedderEntry } from '../format/files.js';
import type { SearchRequest } from '../reader/search_options.js';
import type { SearchedSite } from '../reader/site_reader.js';
import type { SiteHit } from '../types.js';
import type { Asked, Opened, SiteReply } from './calls.js';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export class WorkerSite implements SearchedSite {
  bytes = 0;
  problem: string | undefined;
  embedder: EmbedderEntry | undefined;

  private readonly waiting = new Map<number, Waiting>();
  private calls = 0;
  private isClosed = false;

  private constructor(private readonly worker: Worker) {
    worker.addEventListener('message', ({ data }) => this.take(data as SiteReply));
    worker.addEventListener('error', ({ message }) =>
      this.rejectAll(new QuintetError('INTERNAL', `the worker failed: ${message}`, { reason: 'worker' })),
    );
  }

  static async open(
    worker: Worker,
    location: string,
    lang: string,
    signal: AbortSignal | undefined,
  ): Promise<SearchedSite> {
    const site = new WorkerSite(worker);
    try {
      const { embedder } = (await site.call({ kind: 'open', location, lang }, signal)) as Opened;
      site.embedder = embedder;
      return site;
    } catch (error) {
      site.close();
      throw error;
    }
  }

  search(text: string, { signal, ...options }: SearchRequest = {}): Promise<SiteHit[]> {
    return this.call({ kind: 'search', text, options }, signal) as Promise<SiteHit[]>;
  }

  filters(): Promise<Record<string, Record<string, number>>> {
    return this.call({ kind: 'filters' }) as Promise<Record<string, Record<string, number>>>;
  }

  close(): void {
    this.isClosed = true;
    this.worker.terminate();
    this.rejectAll(closedError());
  }

  private async call(asked: Asked, signal?: AbortSignal): Promise<unknown> {
    if (this.isClosed) throw closedError();
    throwIfAborted(signal);
    const call = ++this.calls;
    const abort = () => {
      this.worker.postMessage({ call, kind: 'abort' });
      this.waiting.get(call)?.reject(abortError(signal!));
      this.waiting.delete(call);
    };
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        this.waiting.set(call, { resolve, reject });
        this.worker.postMessage({ call, ...asked });
      });
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  private take({ call, value, error, bytes, problem }: SiteReply): void {
    const waiting = this.waiting.get(call);
    this.waiting.delete(call);
    this.bytes = Math.max(this.bytes, bytes);
    this.problem = problem;
    if (error) waiting?.reject(fromPlain(error));
    else waiting?.resolve(value);
  }

  private rejectAll(error: QuintetError): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}
