// adapter_config.json of PEFT. The same rules as for adapters that a loaded model uses
// (src/formats/huggingface/adapter_config.cc).

import { QuintetError, unsupported } from '../../base/errors.js';
import { isA } from '../../base/values.js';

export const configFile = 'adapter_config.json';

const fixed: Readonly<Record<string, unknown>> = { peft_type: 'LORA', bias: 'none' };

// Read here, or without influence on what a finished adapter computes.
const others = new Set(
  (
    'r lora_alpha use_rslora rank_pattern alpha_pattern auto_mapping base_model_name_or_path corda_config eva_config ' +
    'exclude_modules fan_in_fan_out inference_mode init_lora_weights layers_pattern layers_to_transform ' +
    'loftq_config lora_dropout megatron_core peft_version qalora_group_size revision target_modules task_type'
  ).split(' '),
);

const maxRank = 1 << 16;
const maxAlpha = 1e6;

type Json = Readonly<Record<string, unknown>>;

export interface PeftConfig {
  rankOf(module: string): number;
  /** The factor of B A. */
  scaleOf(module: string): number;
}

export function parsePeftConfig(bytes: Uint8Array): PeftConfig {
  const config = parsed(bytes);
  for (const [key, value] of Object.entries(config)) checkField(key, value);
  const rank = rankIn(config['r'], 'r');
  const alpha = alphaIn(config['lora_alpha'], 'lora_alpha');
  const ranks = patternIn(config, 'rank_pattern', rankIn);
  const alphas = patternIn(config, 'alpha_pattern', alphaIn);
  const rankOf = (module: string) => valueFor(ranks, module) ?? rank;
  const divisor = (rank: number) => (config['use_rslora'] === true ? Math.sqrt(rank) : rank);
  return { rankOf, scaleOf: (module) => (valueFor(alphas, module) ?? alpha) / divisor(rankOf(module)) };
}

function parsed(bytes: Uint8Array): Json {
  try {
    const config: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (isA(config, 'Object')) return config as Json;
  } catch {}
  throw wrong('its content', 'a JSON object');
}

function checkField(key: string, value: unknown): void {
  const isKnown = Object.hasOwn(fixed, key) ? value === null || value === fixed[key] : others.has(key) || isOff(value);
  if (!isKnown) throw unsupported(`${configFile}: ${key} is ${JSON.stringify(value)}, which is not supported`);
}

const isOff = (value: unknown) => !value || (typeof value === 'object' && Object.keys(value as object).length === 0);

function rankIn(value: unknown, key: string): number {
  if (Number.isInteger(value) && 1 <= (value as number) && (value as number) <= maxRank) return value as number;
  throw wrong(key, 'a rank');
}

function alphaIn(value: unknown, key: string): number {
  if (typeof value === 'number' && Math.abs(value) <= maxAlpha) return value;
  throw wrong(key, 'a number');
}

/** PEFT reads the keys as regular expressions. Here they are names, in which a point stands for itself. */
function patternIn(config: Json, key: string, read: (value: unknown, key: string) => number): [string, number][] {
  const pattern = config[key];
  if (isOff(pattern)) return [];
  if (!isA(pattern, 'Object')) throw wrong(key, 'an object');
  return Object.entries(pattern as Json).map(([name, value]) => {
    if (/^[\w.]+$/.test(name)) return [name, read(value, key)];
    throw unsupported(`${configFile}: ${key} has a regular expression, ${name}; only names are supported`);
  });
}

/** The first entry that names a module counts. */
const valueFor = (pattern: readonly [string, number][], module: string) =>
  pattern.find(([name]) => `.${module}`.endsWith(`.${name}`))?.[1];

const wrong = (key: string, expected: string) =>
  new QuintetError('FORMAT', `${configFile}: ${key} is not ${expected}`, { reason: 'malformed' });
