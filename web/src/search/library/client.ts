import { QuintetError } from 'quintet';

import type { Answer, Call, Failure, Library } from './protocol.js';

interface Waiting {
  resolve(value: never): void;
  reject(error: Error): void;
}

/** Starts the worker that holds the texts. */
export function startLibrary(): Library {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'texts' });
  const waiting = new Map<number, Waiting>();
  let failure: Error | undefined;
  let nextId = 0;
  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    const caller = waiting.get(data.id)!;
    waiting.delete(data.id);
    if ('failure' in data) caller.reject(errorOf(data.failure));
    else caller.resolve(data.value as never);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    failure = new QuintetError('INTERNAL', event.message || 'the worker script could not be loaded', {
      reason: 'worker',
    });
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  };

  const call =
    <Name extends keyof Library>(
      name: Name,
      transfer: (...args: Parameters<Library[Name]>) => Transferable[] = () => [],
    ) =>
    (...args: Parameters<Library[Name]>): ReturnType<Library[Name]> =>
      new Promise<never>((resolve, reject) => {
        if (failure) return reject(failure);
        const id = nextId++;
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, name, args } as Call, transfer(...args));
      }) as ReturnType<Library[Name]>;

  return {
    open: call('open'),
    search: call('search'),
    read: call('read'),
    next: call('next'),
    add: call('add', (vectors) => [vectors.buffer]),
    keep: call('keep'),
    discard: call('discard'),
    forget: call('forget'),
  };
}

function errorOf({ kind, message, code, reason }: Failure): Error {
  if (kind === 'QuintetError') return new QuintetError(code!, message, { reason });
  if (kind === 'QuotaExceededError') return new DOMException(message, kind);
  return new Error(message);
}
