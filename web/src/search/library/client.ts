import { callsTo } from '../../shared/worker_calls.js';
import type { Library } from './protocol.js';

/** Starts the worker that holds the texts. */
export function startLibrary(): Library {
  const worker = new Worker(new URL('./texts_library.ts', import.meta.url), { type: 'module', name: 'texts' });
  const call = callsTo<Library>(worker);
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
