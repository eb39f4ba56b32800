// The worker that holds the texts. It reads, splits, searches and saves them, so the page is never blocked.

import { QuintetError } from 'quintet';

import type { Answer, Call, Failure } from './protocol.js';
import { TextsLibrary } from './texts_library.js';

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<Call>) => void) | null;
  postMessage(message: Answer): void;
};
const library = new TextsLibrary();

scope.onmessage = async ({ data: { id, name, args } }) => {
  try {
    const method = library[name] as (...args: unknown[]) => Promise<unknown>;
    scope.postMessage({ id, value: await method.apply(library, args) });
  } catch (error) {
    scope.postMessage({ id, failure: failureOf(error) });
  }
};

function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof QuintetError) return { kind: 'QuintetError', message, code: error.code, reason: error.reason };
  const isQuota = error instanceof DOMException && error.name === 'QuotaExceededError';
  return { kind: isQuota ? 'QuotaExceededError' : 'Error', message };
}
