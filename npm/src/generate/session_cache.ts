// KV cache files as the caller of a session has them, loaded by the first that wants one: options are checked here, files
// are opened here.

import { throwIfAborted } from '../base/abort.js';
import { checkIds } from '../base/arguments.js';
import { inputError } from '../base/errors.js';
import type { LoadCacheOptions, SaveCacheOptions } from './types.js';
import { checkOptions, oneOf, signal, type Rule } from '../base/options.js';
import { boolean } from '../base/rules.js';
import type { GeneratorBackend } from './calls.js';
import type { ModelSource } from '../base/types.js';

const saveRules: Record<keyof SaveCacheOptions, Rule> = {
  dtype: oneOf('F32', 'F16', 'BF16'),
  compression: oneOf('none', 'INT4'),
  layout: oneOf('packed', 'float'),
  groupSize: oneOf(32, 64, 128),
  sampler: boolean,
  signal,
};

const loadRules: Record<keyof LoadCacheOptions, Rule> = {
  tokens: ['an array of token ids', (value) => Array.isArray(value) || ArrayBuffer.isView(value)],
  sampler: boolean,
  signal,
};

interface SessionPlace {
  readonly backend: GeneratorBackend;
  readonly number: number;
}

export function saveCache({ backend, number }: SessionPlace, options: SaveCacheOptions = {}): Promise<Uint8Array> {
  const settings = saveSettings(options, 'saveCache');
  return backend.call('saveCache', [number, settings], { signal: options.signal });
}

const forgotten = new FinalizationRegistry<() => void>((end) => end());
let lastWriter = 0;

/** The pieces of the file of what the session holds now. The session lives as long as they do. */
export async function openCache(
  session: SessionPlace,
  options: SaveCacheOptions = {},
): Promise<AsyncIterator<Uint8Array, undefined>> {
  const settings = saveSettings(options, 'cacheStream');
  const { signal } = options;
  const writer = ++lastWriter;
  const over = new AbortController();
  const end = () => {
    over.abort();
    session.backend.call('closeCache', [session.number, writer]).catch(() => {});
    return { done: true, value: undefined } as const;
  };
  await orAborted(signal, session.backend.call('openCache', [session.number, writer, settings], { signal }));
  // At once, also where nobody reads on.
  signal?.addEventListener('abort', end, { signal: over.signal });
  const pieces = {
    async next() {
      try {
        throwIfAborted(signal);
        const value = await orAborted(signal, session.backend.call('nextCachePiece', [session.number, writer]));
        return value.length > 0 ? { done: false, value } as const : end();
      } catch (error) {
        end();
        throw error;
      }
    },
    return: async () => end(),
  };
  forgotten.register(pieces, end);
  return pieces;
}

/** Gives the tokens that the session then holds. */
export function loadCache(
  { backend, number }: SessionPlace,
  source: ModelSource,
  options: LoadCacheOptions = {},
): Promise<Int32Array> {
  checkOptions(options, loadRules, 'loadCache');
  const { tokens, sampler, signal } = options;
  const settings = JSON.stringify({ tokens: tokens && [...checkIds(tokens)], sampler });
  throwIfAborted(signal);
  const sources = [{ name: '', source }];
  return orAborted(signal, backend.call('loadCache', [number, settings], { signal, sources }));
}

/** What fails after an abort fails because of it; the reason never reached a worker. */
function orAborted<T>(signal: AbortSignal | undefined, call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    throwIfAborted(signal);
    throw error;
  });
}

/** JSON of what native code knows of the options. */
function saveSettings(options: SaveCacheOptions, where: string): string {
  checkOptions(options, saveRules, where);
  const { signal: _signal, ...settings } = options;
  const { compression = 'none', layout, groupSize } = settings;
  if (compression === 'none' && (layout ?? groupSize) !== undefined) {
    throw inputError('mismatch', `${where}: options 'layout' and 'groupSize' go with compression: 'INT4' only`);
  }
  return JSON.stringify(settings);
}
