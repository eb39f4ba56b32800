// Loads parts of the package when they are first needed.

import { ioError, messageOf, unsupported } from './errors.js';

/**
 * Returns a function that loads a part. `expected` is one of its exports, to notice if a server sends something else.
 */
export const lazyPart =
  <T extends object>(load: () => Promise<T>, expected: keyof T): (() => Promise<T>) =>
  () =>
    loaded(load, expected);

async function loaded<T extends object>(load: () => Promise<T>, expected: keyof T): Promise<T> {
  try {
    const part = await load().catch(reload<T>);
    if (expected in part) return part;
    throw new Error(`its script has no ${String(expected)}`);
  } catch (error) {
    // import() is not allowed in service workers.
    if ('ServiceWorkerGlobalScope' in globalThis) throw unsupported("in service workers import 'quintet/service-worker'");
    throw ioError('network', `cannot load a part of the package, reload the page: ${messageOf(error)}`, error);
  }
}

/** Firefox never requests a script again that failed to load once, unless the URL differs. */
async function reload<T>(error: unknown): Promise<T> {
  const [url] = /https?:\S+$/.exec(messageOf(error)) ?? [];
  if (!url) throw error;
  return import(/* webpackIgnore: true */ /* @vite-ignore */ `${url}?${Date.now()}`) as Promise<T>;
}
