// `quintet perplexity --compare`: its options, and its report.
import { inputError } from '../../base/errors.js';
import type { SaveCacheOptions, TextGenerator } from '../../index.js';
import { type OptionValues, section } from '../command.js';
import { UsageError } from '../ending.js';
import { choiceOption, countOption } from '../options/arguments.js';
import type { Output } from '../output/output.js';
import { ProgressBar } from '../output/progress_bar.js';
import { type CacheComparison, compareCaches } from './cache_comparison.js';
import { scoringWindows } from './scoring_windows.js';

/** The perplexity must grow by less than this. */
const LIMIT = 0.5;
const USUAL_WINDOW = 512;
/** A context is at least one token that is saved, and one that is not. */
const LEAST_CONTEXT = 2;

export const COMPARE_OPTIONS = section('Compressed KV cache', {
  compare: {
    type: 'boolean',
    help:
      'measure what a compressed KV cache costs: score the end of each window of the text twice, with the KV cache as ' +
      'computed and after saving and loading it; --kv-cache is the format of the file, `int4` (default) or `f16`; exit ' +
      `status 1 unless the perplexity grows by less than ${LIMIT}`,
  },
  'group-size': {
    type: 'string',
    short: 'g',
    value: 'N',
    help: 'with `int4`: values that share a scale, 32, 64 or 128; default: 64, or whichever fits',
  },
  window: {
    type: 'string',
    value: 'N',
    help: `size of a window in tokens; default ${USUAL_WINDOW}, or less for a shorter context or text`,
  },
  stride: {
    type: 'string',
    value: 'N',
    help: 'tokens by which the window moves, which are scored in each; default: half of the window',
  },
});

export interface ComparedSettings {
  kvCache: 'int4' | 'f16';
  save: SaveCacheOptions;
  window: number | undefined;
  stride: number | undefined;
}

/** Undefined without `--compare`. */
export function comparedSettings(
  options: OptionValues<typeof COMPARE_OPTIONS> & { 'kv-cache'?: string | undefined },
): ComparedSettings | undefined {
  if (!options.compare) {
    for (const name of ['window', 'stride', 'group-size'] as const) {
      if (options[name] !== undefined) throw new UsageError(`--${name} needs --compare`);
    }
    return undefined;
  }
  const kvCache = options['kv-cache'] ?? 'int4';
  if (kvCache !== 'int4' && kvCache !== 'f16') {
    throw new UsageError(`with --compare, --kv-cache takes int4 or f16, not '${kvCache}'`);
  }
  const group = choiceOption('group-size', options['group-size'], ['32', '64', '128']);
  if (group !== undefined && kvCache === 'f16') throw new UsageError('--group-size needs --kv-cache int4');
  const groupSize = group === undefined ? {} : { groupSize: Number(group) as 32 | 64 | 128 };
  return {
    kvCache,
    save: kvCache === 'f16' ? { dtype: 'F16' } : { compression: 'INT4', ...groupSize },
    window: countOption('window', options.window),
    stride: countOption('stride', options.stride),
  };
}

export interface ComparedPerplexity extends CacheComparison {
  delta: number;
  passed: boolean;
  window: number;
  stride: number;
  kvCache: string;
}

export async function comparedPerplexity(
  text: string,
  { kvCache, save, ...wanted }: ComparedSettings,
  generator: TextGenerator,
  stderr: Output,
): Promise<ComparedPerplexity> {
  const ids = [...(await generator.tokenize(text))];
  const { window, stride } = windowOf(ids.length, generator.contextLength, wanted);
  const windows = scoringWindows(ids, window, stride);
  const counted = ids.length - (window - stride);
  const bar = new ProgressBar(stderr, 'scoring');
  const onTokens = (done: number) => bar.update(done, 2 * counted);
  const result = await compareCaches(generator, windows, save, onTokens).finally(() => bar.clear());
  const delta = result.perplexity - result.reference;
  return { ...result, delta, passed: delta < LIMIT, window, stride, kvCache };
}

function windowOf(
  tokens: number,
  contextLength: number,
  wanted: Pick<ComparedSettings, 'window' | 'stride'>,
): { window: number; stride: number } {
  const usual = Math.max(LEAST_CONTEXT + 1, Math.min(USUAL_WINDOW, contextLength, tokens));
  const { window = usual } = wanted;
  const { stride = Math.floor(window / 2) } = wanted;
  const context = window - stride;
  if (window > contextLength) {
    throw inputError('limit', `a window of ${window} tokens does not fit into the context of ${contextLength}`);
  }
  if (context < LEAST_CONTEXT) {
    const what = `at least ${LEAST_CONTEXT} tokens of context`;
    throw inputError('limit', `a window of ${window} tokens with a stride of ${stride} does not leave ${what}`);
  }
  if (tokens <= context) {
    const what = `a context of ${context} tokens and one to score`;
    throw inputError('limit', `the text has ${tokens} ${tokens === 1 ? 'token' : 'tokens'}, too few for ${what}`);
  }
  return { window, stride };
}

export function jsonOf(compared: ComparedPerplexity): Record<string, unknown> {
  const { perplexity, reference, delta, passed, tokens, kvCache, window, stride } = compared;
  const { groupSize, ratioToF16 } = compared;
  const measured = { perplexity, reference, delta, limit: LIMIT, passed, tokens };
  return { ...measured, kvCache, window, stride, groupSize, ratioToF16 };
}

export function describeCompared(compared: ComparedPerplexity): string {
  const { perplexity, reference, delta, passed, tokens, kvCache, groupSize, ratioToF16 } = compared;
  const ratio = `${ratioToF16.toFixed(2)} times smaller than f16`;
  return [
    `perplexity ${perplexity.toFixed(4)} over ${tokens} tokens, KV cache ${kvCache}`,
    ...(groupSize === null ? [] : [`groups of ${groupSize}, ${ratio}`]),
    `uncompressed ${reference.toFixed(4)}, difference ${delta < 0 ? '' : '+'}${delta.toFixed(4)}`,
    `${passed ? 'passed' : 'failed'}: the difference is ${passed ? '' : 'not '}below ${LIMIT}`,
  ].join('\n');
}
