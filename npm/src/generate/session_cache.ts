// Saving and loading KV cache files on the caller's side. Loaded on first use.

import { throwIfAborted } from '../base/abort.js';
import { checkIds } from '../base/arguments.js';
import { inputError } from '../base/errors.js';
import { boolean } from '../base/rules.js';
import type { ModelSource } from '../base/types.js';
import { checkOptions, oneOf, type Rule, signal } from '../base/values.js';
import type { GeneratorBackend } from './calls.js';
import type { LoadCacheOptions, SaveCacheOptions } from './types.js';

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

/** The session as a file, in pieces. They keep the session alive. */
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
  // Frees the writer at once, even if the stream is not read to its end.
  signal?.addEventListener('abort', end, { signal: over.signal });
  const pieces = {
    async next() {
      try {
        throwIfAborted(signal);
        const value = await orAborted(signal, session.backend.call('nextCachePiece', [session.number, writer]));
        return value.length > 0 ? ({ done: false, value } as const) : end();
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

/** Returns the tokens of the session afterwards. */
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

/** A failure after an abort becomes an ABORTED error with the reason of the signal, which workers do not have. */
function orAborted<T>(signal: AbortSignal | undefined, call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    throwIfAborted(signal);
    throw error;
  });
}

/** The options for native code as JSON. */
function saveSettings(options: SaveCacheOptions, where: string): string {
  checkOptions(options, saveRules, where);
  const { signal: _signal, ...settings } = options;
  const { compression = 'none', layout, groupSize } = settings;
  if (compression === 'none' && (layout ?? groupSize) !== undefined) {
    throw inputError('mismatch', `${where}: options 'layout' and 'groupSize' need compression: 'INT4'`);
  }
  return JSON.stringify(settings);
}
