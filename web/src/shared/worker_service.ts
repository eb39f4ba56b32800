// The side of the worker: an object whose methods a page calls (worker_calls.ts).

import { QuintetError } from 'quintet';

import type { Answer, Call, Failure, Service } from './worker_calls.js';

/** To be called once, in the worker's own script. */
export function serve<Methods extends Service<Methods>>(service: Methods): void {
  const scope = globalThis as unknown as {
    onmessage: ((event: MessageEvent<Call>) => void) | null;
    postMessage(message: Answer): void;
  };
  scope.onmessage = async ({ data: { id, name, args } }) => {
    try {
      const method = service[name as keyof Methods] as unknown as (...args: unknown[]) => Promise<unknown>;
      scope.postMessage({ id, value: await method.apply(service, args) });
    } catch (error) {
      scope.postMessage({ id, failure: failureOf(error) });
    }
  };
}

function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof QuintetError) return { kind: 'QuintetError', message, code: error.code, reason: error.reason };
  const isQuota = error instanceof DOMException && error.name === 'QuotaExceededError';
  return { kind: isQuota ? 'QuotaExceededError' : 'Error', message };
}
