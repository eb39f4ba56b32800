// The options of a generation that loads a KV cache first, or saves it at the end.
import { readFileSync } from 'node:fs';
import type { LoadCacheOptions, SaveCacheOptions, Session } from '../../index.js';
import { type OptionValues, section } from '../command.js';
import { UsageError } from '../ending.js';
import { writeAtomically } from '../output/atomic_file.js';
import { modelSource } from '../output/sources.js';
import { choiceOption } from './arguments.js';

export const CACHE_OPTIONS = section('Saved KV cache', {
  'load-cache': {
    type: 'string',
    value: 'FILE',
    help: 'continue after a saved KV cache, without computing it again; - for stdin',
  },
  'cache-tokens': {
    type: 'string',
    value: 'IDS',
    help: 'the token ids of a cache file that does not store them, one per position: `1,2,3` or `@FILE`',
  },
  'save-cache': {
    type: 'string',
    value: 'FILE',
    help: 'save the KV cache of the prompt and the generated text as a safetensors file',
  },
  'cache-dtype': { type: 'string', value: 'T', help: 'type of the saved values: `F32` (default), `F16` or `BF16`' },
  'cache-compression': { type: 'string', value: 'C', help: 'save the cache as INT4: `none` (default) or `int4`' },
  'cache-layout': {
    type: 'string',
    value: 'L',
    help: 'with `int4`: `packed` (default), or `float` for programs that cannot read INT4',
  },
  'cache-group-size': {
    type: 'string',
    value: 'N',
    help: 'with `int4`: values that share a scale, 32, 64 or 128; default: 64, or whichever fits',
  },
  'cache-sampler': {
    type: 'boolean',
    help: 'save and load the state of the random numbers too, so that the text continues as if never interrupted',
  },
});

interface CacheFile<Options> {
  path: string;
  options: Options;
}

export interface CacheFiles {
  load: CacheFile<LoadCacheOptions> | undefined;
  save: CacheFile<SaveCacheOptions> | undefined;
}

export function cacheFiles(options: OptionValues<typeof CACHE_OPTIONS>): CacheFiles {
  const { 'load-cache': from, 'save-cache': to, 'cache-sampler': sampler = false, 'cache-tokens': ids } = options;
  if (ids !== undefined && from === undefined) throw new UsageError('--cache-tokens needs --load-cache');
  const tokens = ids === undefined ? {} : { tokens: cacheTokens(ids) };
  const form = cacheForm(options);
  if (to === '-') throw new UsageError('--save-cache needs a file: stdout is for the text');
  if (to === undefined && form !== undefined) throw new UsageError(`--cache-${form.given} needs --save-cache`);
  if (sampler && (from ?? to) === undefined) {
    throw new UsageError('--cache-sampler needs --load-cache or --save-cache');
  }
  return {
    load: from === undefined ? undefined : { path: from, options: { sampler, ...tokens } },
    save: to === undefined ? undefined : { path: to, options: { ...form?.options, sampler } },
  };
}

/** `1,2,3`, or `@FILE` with such a list, which may span several lines. */
function cacheTokens(given: string): number[] {
  const text = given.startsWith('@') ? readFileSync(given.slice(1), 'utf8') : given;
  const ids = text.trim().split(/\s*,\s*|\s+/);
  const wrong = ids.find((id) => !/^\d+$/.test(id) || Number(id) > 2 ** 31 - 1);
  if (wrong !== undefined) throw new UsageError(`--cache-tokens takes token ids separated by commas, not '${wrong}'`);
  return ids.map(Number);
}

/** The options for saving, and the first option that was given; undefined without such an option. */
function cacheForm(
  options: OptionValues<typeof CACHE_OPTIONS>,
): { options: SaveCacheOptions; given: string } | undefined {
  const dtype = choiceOption('cache-dtype', options['cache-dtype'], ['F32', 'F16', 'BF16']);
  const compression = choiceOption('cache-compression', options['cache-compression'], ['none', 'int4']);
  const layout = choiceOption('cache-layout', options['cache-layout'], ['packed', 'float']);
  const group = choiceOption('cache-group-size', options['cache-group-size'], ['32', '64', '128']);
  const given = Object.entries({ layout, 'group-size': group, dtype, compression }).filter(([, value]) => value);
  const [first] = given.map(([name]) => name);
  if (first === undefined) return undefined;
  if (compression !== 'int4' && (layout ?? group) !== undefined) {
    throw new UsageError(`--cache-${first} needs --cache-compression int4`);
  }
  return {
    given: first,
    options: {
      ...(dtype === undefined ? {} : { dtype }),
      compression: compression === 'int4' ? 'INT4' : 'none',
      ...(layout === undefined ? {} : { layout }),
      ...(group === undefined ? {} : { groupSize: Number(group) as 32 | 64 | 128 }),
    },
  };
}

/** Runs a generation in a session, which is loaded from a saved cache before, or saved afterwards. */
export async function generateWithCache(
  { load, save }: CacheFiles,
  session: Session,
  generate: (session: Session) => Promise<void>,
): Promise<void> {
  if (load) await session.loadCache(modelSource(load.path), load.options);
  await generate(session);
  if (save) await writeAtomically(save.path, session.cacheStream(save.options));
}
