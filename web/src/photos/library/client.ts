import { callsTo } from '../../shared/worker_calls.js';
import type { Library } from './protocol.js';

/** Starts the worker that holds the pictures. */
export function startLibrary(): Library {
  const worker = new Worker(new URL('./photo_library.ts', import.meta.url), { type: 'module', name: 'photos' });
  const call = callsTo<Library>(worker);
  return {
    recall: call('recall'),
    use: call('use'),
    missing: call('missing'),
    add: call('add', (_picture, _file, vector) => [vector.buffer]),
    keepOnly: call('keepOnly'),
    search: call('search'),
    newest: call('newest'),
    vectorOf: call('vectorOf'),
    duplicates: call('duplicates'),
    rememberFolder: call('rememberFolder'),
    forget: call('forget'),
  };
}
