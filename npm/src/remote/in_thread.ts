// A host that runs in this thread.

import { fetchSeekable } from '../bytes/http_ranges.js';
import { openModelSource } from '../model_cache/model_source.js';
import type { CacheableSource } from '../model_cache/stored_source.js';
import { openSource } from '../platform/sources.js';
import type { Backend, CallFile, CallOptions, Host } from './calls.js';

export function inThreadBackend<Calls, D>(host: Host<D> & Calls): Backend<Calls, D> {
  return {
    description: host.description,
    call: (method, args, { sources = [], fallbacks = [], ...watch }: CallOptions = {}) =>
      (host[method] as (...all: unknown[]) => never)({ ...watch, files: filesOf(sources, fallbacks) }, ...(args as unknown[])),
    close: () => host.close(),
  };
}

/** Files that are opened in this thread; `fallbacks` gets the reason where one is not kept although it should be. */
export function filesOf(sources: readonly CacheableSource[], fallbacks: string[]): CallFile[] {
  return sources.map((file) => ({
    name: file.name,
    open: (signal, inAnyOrder = false) =>
      inAnyOrder
        ? openSource(file.source, { signal, download: fetchSeekable })
        : openModelSource(file, signal, fallbacks),
  }));
}
