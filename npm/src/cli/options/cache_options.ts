// The options of a generation that begins with a saved KV cache, or ends with one.
import { readFileSync } from 'node:fs';
import { UsageError } from '../ending.js';

import type { LoadCacheOptions, SaveCacheOptions, Session } from '../../index.js';
import { choiceOption } from './arguments.js';
import { writeAtomically } from '../output/atomic_file.js';
import type { OptionTable, OptionValues } from '../command.js';
import { modelSource } from '../output/sources.js';

export const CACHE_OPTIONS = {
  'load-cache': { type: 'string' },
  'cache-tokens': { type: 'string' },
  'save-cache': { type: 'string' },
  'cache-dtype': { type: 'string' },
  'cache-compression': { type: 'string' },
  'cache-layout': { type: 'string' },
  'cache-group-size': { type: 'string' },
  'cache-sampler': { type: 'boolean' },
} as const satisfies OptionTable;

export const CACHE_HELP = `  --load-cache FILE       go on after a saved KV cache, of which nothing is computed; - for stdin
  --cache-tokens IDS      the token ids of a saved cache that does not tell them: 1,2,3 or @FILE
  --save-cache FILE       write the KV cache of the prompt and the text, as safetensors
  --cache-dtype T         F32 (default), F16 or BF16: what it is saved as
  --cache-compression C   none (default) or int4
  --cache-layout L        with int4: packed (default), or float for programs that know no INT4
  --cache-group-size N    with int4: 32, 64 or 128 values share a scale; default 64, or what fits
  --cache-sampler         save, and load, the state of the random numbers too: the text goes on as
                          it would have`;

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
  if (ids !== undefined && from === undefined) throw new UsageError('--cache-tokens goes with --load-cache');
  const tokens = ids === undefined ? {} : { tokens: cacheTokens(ids) };
  const form = cacheForm(options);
  if (to === '-') throw new UsageError('--save-cache takes a path: stdout is for the text');
  if (to === undefined && form !== undefined) throw new UsageError(`--cache-${form.given} goes with --save-cache`);
  if (sampler && (from ?? to) === undefined) {
    throw new UsageError('--cache-sampler goes with --load-cache or --save-cache');
  }
  return {
    load: from === undefined ? undefined : { path: from, options: { sampler, ...tokens } },
    save: to === undefined ? undefined : { path: to, options: { ...form?.options, sampler } },
  };
}

/** `1,2,3`, or `@FILE` with such a list; the ids in a file may stand on several lines. */
function cacheTokens(given: string): number[] {
  const text = given.startsWith('@') ? readFileSync(given.slice(1), 'utf8') : given;
  const ids = text.trim().split(/\s*,\s*|\s+/);
  const wrong = ids.find((id) => !/^\d+$/.test(id) || Number(id) > 2 ** 31 - 1);
  if (wrong !== undefined) throw new UsageError(`--cache-tokens takes token ids with commas between them, not '${wrong}'`);
  return ids.map(Number);
}

/** How it is saved, and the name of an option that says so; undefined where none does. */
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
    throw new UsageError(`--cache-${first} goes with --cache-compression int4`);
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

/** A generation in a session that begins with a saved cache, and is saved itself. */
export async function generateWithCache(
  { load, save }: CacheFiles,
  session: Session,
  generate: (session: Session) => Promise<void>,
): Promise<void> {
  if (load) await session.loadCache(modelSource(load.path), load.options);
  await generate(session);
  if (save) await writeAtomically(save.path, session.cacheStream(save.options));
}
