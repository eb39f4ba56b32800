// Parts of the package that are loaded when they are first needed.

import { ioError, messageOf, unsupported } from './errors.js';

/** Loads a part when it is called. `expected`: an export of the part, which tells it from whatever else a server may give. */
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
    // import() always fails there.
    if ('ServiceWorkerGlobalScope' in globalThis) throw unsupported("in service workers import 'quintet/service-worker'");
    throw ioError('network', `cannot load a part of the package, reload the page: ${messageOf(error)}`, error);
  }
}

/** Firefox never asks again for a script that once did not come, unless it has another URL. */
async function reload<T>(error: unknown): Promise<T> {
  const [url] = /https?:\S+$/.exec(messageOf(error)) ?? [];
  if (!url) throw error;
  return import(/* webpackIgnore: true */ /* @vite-ignore */ `${url}?${Date.now()}`) as Promise<T>;
}
