// A site that a worker searches.

import { abortable } from '../../base/abort.js';
import { closedError, QuintetError } from '../../base/errors.js';
import { fromPlain } from '../../worker/protocol.js';
import type { OpenSiteOptions, Site, SiteHit, SiteSearchOptions } from '../types.js';
import type { CallName, Calls, FromWorker } from './messages.js';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class SiteClient implements Site {
  bytes = 0;

  private readonly waiting = new Map<number, Waiting>();
  private calls = 0;
  private ended: QuintetError | undefined;

  private constructor(private readonly worker: Worker) {
    worker.onmessage = ({ data }) => this.receive(data as FromWorker);
    worker.onerror = (event) => {
      event.preventDefault();
      this.end(new QuintetError('INTERNAL', `the worker failed: ${event.message}`, { reason: 'worker' }));
    };
  }

  static async open(worker: Worker, location: URL, { lang = '', signal }: OpenSiteOptions): Promise<SiteClient> {
    const client = new SiteClient(worker);
    try {
      await client.call('open', [location.href, lang], signal);
      return client;
    } catch (error) {
      client.close();
      throw error;
    }
  }

  async search(text: string, { signal, ...options }: SiteSearchOptions = {}): Promise<SiteHit[]> {
    return this.call('search', [text, options], signal);
  }

  filters(): Promise<Record<string, Record<string, number>>> {
    return this.call('filters', [], undefined);
  }

  close(): void {
    this.end(closedError());
  }

  private async call<Name extends CallName>(
    name: Name,
    args: Calls[Name]['args'],
    signal: AbortSignal | undefined,
  ): Promise<Calls[Name]['value']> {
    if (this.ended) throw this.ended;
    const call = ++this.calls;
    const answer = new Promise<unknown>((resolve, reject) => this.waiting.set(call, { resolve, reject }));
    this.worker.postMessage({ call, name, args });
    const stop = () => this.worker.postMessage({ abort: call });
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return (await abortable(answer, signal)) as Calls[Name]['value'];
    } finally {
      signal?.removeEventListener('abort', stop);
      this.waiting.delete(call);
    }
  }

  private receive(message: FromWorker): void {
    if ('ready' in message) return;
    this.bytes = message.bytes;
    const waiting = this.waiting.get(message.call);
    if ('error' in message) waiting?.reject(fromPlain(message.error));
    else waiting?.resolve(message.value);
  }

  private end(error: QuintetError): void {
    if (this.ended) return;
    this.ended = error;
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(error);
  }
}
