// A host in this thread.

import type { Fallback } from '../base/fallbacks.js';
import { openModelSource } from '../sources/cache/model_source.js';
import type { CacheableSource } from '../sources/cache/stored_source.js';
import { locationOf } from '../sources/open_source.js';
import type { Backend, CallFile, CallOptions, Host } from './calls.js';

export function inThreadBackend<Calls, D>(host: Host<D> & Calls): Backend<Calls, D> {
  return {
    description: host.description,
    call: (method, args, { sources = [], fallbacks = [], ...watch }: CallOptions = {}) =>
      (host[method] as (...all: unknown[]) => never)({ ...watch, files: filesOf(sources, fallbacks) }, ...(args as unknown[])),
    close: () => host.close(),
  };
}

/** Files to be opened in this thread. Adds the reason to `fallbacks` if a file should be kept but cannot be. */
export function filesOf(sources: readonly CacheableSource[], fallbacks: Fallback[]): CallFile[] {
  return sources.map((file) => ({
    name: file.name,
    isRemote: /^https?:$/.test(locationOf(file.source)?.protocol ?? ''),
    size: file.hub?.size,
    open: (signal, download) => openModelSource(file, signal, fallbacks, download),
  }));
}
