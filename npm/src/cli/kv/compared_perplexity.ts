// `quintet perplexity --compare`: its options, and its report.
import { UsageError } from '../ending.js';
import { inputError } from '../../base/errors.js';
import type { SaveCacheOptions, TextGenerator } from '../../index.js';
import { choiceOption, countOption } from '../options/arguments.js';
import { compareCaches, type CacheComparison } from './cache_comparison.js';
import type { OptionTable, OptionValues } from '../command.js';
import type { Output } from '../output/output.js';
import { ProgressBar } from '../output/progress_bar.js';
import { scoringWindows } from './scoring_windows.js';

/** What a compressed context may add to the perplexity. */
const LIMIT = 0.5;
const USUAL_WINDOW = 512;
/** A context is a token that is saved, and one that is not. */
const LEAST_CONTEXT = 2;

export const COMPARE_OPTIONS = {
  window: { type: 'string' },
  stride: { type: 'string' },
  'group-size': { type: 'string' },
} as const satisfies OptionTable;

export const COMPARE_HELP = `  --compare               what a compressed KV cache costs: windows move over the text, and the
                          tokens at the end of each are foreseen from those before it in the
                          window, once with their cache as it was computed, once saved to a file
                          and loaded. Exit status 1 where the second perplexity is not less than
                          ${LIMIT} above the first
  --kv-cache T            with --compare: how it is saved, int4 (default, packed) or f16
  --group-size N          with int4: 32, 64 or 128 values that share a scale; default as saveCache
  --window N              tokens of a window; default ${USUAL_WINDOW}, or less for a shorter context or text
  --stride N              tokens by which it moves, that count in each; default half of the window
  --json                  {"perplexity", "reference", "delta", "limit", "passed", "tokens",
                          "kvCache", "window", "stride", "group_size", "ratio_to_f16"}:
                          "reference" is that of the cache as it was computed, the ratio that of
                          bytes of keys and values in F16 to those in the file`;

export interface ComparedSettings {
  kvCache: 'int4' | 'f16';
  save: SaveCacheOptions;
  window: number | undefined;
  stride: number | undefined;
}

/** Undefined without `--compare`. */
export function comparedSettings(
  options: OptionValues<typeof COMPARE_OPTIONS> & { compare?: boolean | undefined; 'kv-cache'?: string | undefined },
): ComparedSettings | undefined {
  if (!options.compare) {
    for (const name of ['window', 'stride', 'group-size'] as const) {
      if (options[name] !== undefined) throw new UsageError(`--${name} goes with --compare`);
    }
    return undefined;
  }
  const kvCache = options['kv-cache'] ?? 'int4';
  if (kvCache !== 'int4' && kvCache !== 'f16') {
    throw new UsageError(`with --compare, --kv-cache takes int4 or f16, not '${kvCache}'`);
  }
  const group = choiceOption('group-size', options['group-size'], ['32', '64', '128']);
  if (group !== undefined && kvCache === 'f16') throw new UsageError('--group-size goes with --kv-cache int4');
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
    throw inputError('limit', `a window of ${window} tokens does not fit the context of ${contextLength}`);
  }
  if (context < LEAST_CONTEXT) {
    const what = `${LEAST_CONTEXT} tokens before those that count`;
    throw inputError('limit', `a window of ${window} tokens that moves by ${stride} has no ${what}`);
  }
  if (tokens <= context) {
    const what = `a context of ${context} tokens and one that counts`;
    throw inputError('limit', `the text is too short for ${what}: it has ${tokens}`);
  }
  return { window, stride };
}

export function jsonOf(compared: ComparedPerplexity): Record<string, unknown> {
  const { perplexity, reference, delta, passed, tokens, kvCache, window, stride } = compared;
  const { groupSize: group_size, ratioToF16: ratio_to_f16 } = compared;
  const measured = { perplexity, reference, delta, limit: LIMIT, passed, tokens };
  return { ...measured, kvCache, window, stride, group_size, ratio_to_f16 };
}

export function describeCompared(compared: ComparedPerplexity): string {
  const { perplexity, reference, delta, passed, tokens, kvCache, groupSize, ratioToF16 } = compared;
  const ratio = `${ratioToF16.toFixed(2)} times smaller than f16`;
  return [
    `perplexity ${perplexity.toFixed(4)} over ${tokens} tokens, KV cache ${kvCache}`,
    ...(groupSize === null ? [] : [`groups of ${groupSize}, ${ratio}`]),
    `as computed ${reference.toFixed(4)}: ${delta < 0 ? '' : '+'}${delta.toFixed(4)}`,
    `${passed ? 'passed: ' : 'failed: not '}below ${LIMIT}`,
  ].join('\n');
}
