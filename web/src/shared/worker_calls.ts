// Calls of a page to an object that lives in a worker (worker_service.ts), method by method.

import { QuintetError } from 'quintet';

export interface Call {
  id: number;
  name: string;
  args: unknown[];
}

/** An error: messages between threads do not preserve its class. */
export interface Failure {
  kind: 'QuintetError' | 'QuotaExceededError' | 'Error';
  message: string;
  code?: QuintetError['code'];
  reason?: QuintetError['reason'];
}

export type Answer = { id: number; value: unknown } | { id: number; failure: Failure };

/** An object all of whose methods answer later. */
export type Service<Methods> = Record<keyof Methods, (...args: never[]) => Promise<unknown>>;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Returns a function that makes a method from its name; `transfer` returns what of the arguments is handed over. */
export function callsTo<Methods extends Service<Methods>>(worker: Worker) {
  const waiting = new Map<number, Waiting>();
  let failure: Error | undefined;
  let nextId = 0;
  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    const caller = waiting.get(data.id)!;
    waiting.delete(data.id);
    if ('failure' in data) caller.reject(errorOf(data.failure));
    else caller.resolve(data.value);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    failure = new QuintetError('INTERNAL', event.message || 'the worker script could not be loaded', {
      reason: 'worker',
    });
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  };

  return <Name extends keyof Methods & string>(
    name: Name,
    transfer: (...args: Parameters<Methods[Name]>) => Transferable[] = () => [],
  ): Methods[Name] =>
    ((...args: Parameters<Methods[Name]>) =>
      new Promise((resolve, reject) => {
        if (failure) return reject(failure);
        const id = nextId++;
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, name, args } satisfies Call, transfer(...args));
      })) as Methods[Name];
}

function errorOf({ kind, message, code, reason }: Failure): Error {
  if (kind === 'QuintetError') return new QuintetError(code!, message, { reason });
  if (kind === 'QuotaExceededError') return new DOMException(message, kind);
  return new Error(message);
}
