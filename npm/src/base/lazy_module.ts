// Loads parts of the package when they are first needed.

import { ioError, messageOf, missingGlobal, QuintetError, requireGlobals, unsupported } from './errors.js';

/**
 * Returns a function that loads a part. `expected` is one of its exports, to notice if a server sends something else;
 * `globals` are those that the part needs and not every environment has.
 */
export const lazyModule =
  <T extends object>(load: () => Promise<T>, expected: keyof T, ...globals: readonly string[]): (() => Promise<T>) =>
  async () => {
    requireGlobals(...globals);
    return loaded(load, expected);
  };

async function loaded<T extends object>(load: () => Promise<T>, expected: keyof T): Promise<T> {
  try {
    const part = await load().catch(reload<T>);
    if (expected in part) return part;
    throw new Error(`its script has no ${String(expected)}`);
  } catch (error) {
    // import() is not allowed in service workers.
    if ('ServiceWorkerGlobalScope' in globalThis)
      throw unsupported("in service workers import 'quintet/service-worker'");
    if (error instanceof QuintetError) throw error;
    const message = messageOf(error);
    if (isNotLoaded(error, message))
      throw ioError('network', `cannot load a part of the package, reload the page: ${message}`, error);
    throw missingGlobal(error) ?? unsupported(`a part of the package does not run here: ${message}`);
  }
}

/**
 * Whether a script failed to arrive intact, rather than failed while it ran. Browsers, Node and bundlers use different
 * words for it: "Failed to fetch dynamically imported module", "Importing a module script failed", "Loading chunk 7
 * failed".
 */
const isNotLoaded = (error: unknown, message: string): boolean =>
  error instanceof SyntaxError || /module|script|chunk|fetch|import|network/i.test(message);

/** Firefox never again requests a script that failed to load, unless the URL differs. */
async function reload<T>(error: unknown): Promise<T> {
  const [url] = /https?:\S+$/.exec(messageOf(error)) ?? [];
  if (!url) throw error;
  return import(/*webpackIgnore:true*/ /* @vite-ignore */ `${url}?${Date.now()}`) as Promise<T>;
}
