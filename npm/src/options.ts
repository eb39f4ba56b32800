// An option that is unknown or cannot be honoured is an error, never ignored.

import { inputError, unsupported } from './errors.js';
import { isA, typeName } from './byte_source.js';
import { platform } from 'quintet-platform';
import type { EmbedOptions, LoadOptions } from './types.js';

type Check = (value: unknown) => boolean;

/** What a value must be, in words, and the test for it. */
export type Rule = readonly [expected: string, check: Check];

export const oneOf = (...values: unknown[]): Rule => [
  values.map((value) => JSON.stringify(value)).join(', '),
  (value) => values.includes(value),
];
export const integer = (least: number, most: number): Rule => [
  `an integer from ${least} to ${most}`,
  (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
];
export const numberBetween = (least: number, most: number): Rule => [
  `a number from ${least} to ${most}`,
  (value) => typeof value === 'number' && value >= least && value <= most,
];
const either = (first: Rule, second: Rule): Rule => [
  `${first[0]} or ${second[0]}`,
  (value) => first[1](value) || second[1](value),
];
export const callback: Rule = ['a function', (value) => typeof value === 'function'];
export const iterable: Rule = [
  'an iterable',
  (value) => typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value),
];
/** An object literal that can be written as JSON. */
export const plainObject: Rule = ['a plain object', (value) => isA(value, 'Object') && isJson(value)];
export const boolean: Rule = ['true or false', (value) => typeof value === 'boolean'];
const text: Rule = ['a string', (value) => typeof value === 'string'];
const bytes: Rule = ['bytes', (value) => ArrayBuffer.isView(value) || isA(value, 'ArrayBuffer')];
export const signal: Rule = ['an AbortSignal', (value) => isA(value, 'AbortSignal')];

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

/** Every option is known and of the right type; those that are undefined count as left out. */
export function checkOptions(options: unknown, rules: Record<string, Rule>, where: string): void {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null) {
    throw inputError('wrong_type', `${where}: options must be an object, not ${typeName(options)}`);
  }
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule) throw inputError('unknown_option', `${where}: there is no option '${name}'`);
    const [expected, check] = rule;
    if (value === undefined || check(value)) continue;
    const given = ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : typeName(value);
    throw inputError('out_of_range', `${where}: option '${name}' must be ${expected}, not ${given}`);
  }
}

const wasmSource: Rule = [
  'a URL, a Response, bytes or a WebAssembly.Module',
  (value) =>
    (typeof value === 'string' && value !== '') ||
    bytes[1](value) ||
    isA(value, 'URL', 'Response', 'WebAssembly.Module'),
];

const loadRules: Record<keyof LoadOptions, Rule> = {
  format: oneOf('amb', 'alt', 'weights', 'safetensors', 'tinyruntime'),
  onProgress: callback,
  signal,
  threads: either(oneOf('auto'), integer(1, 64)),
  worker: boolean,
  variant: oneOf('auto', 'baseline', 'relaxed'),
  memory64: either(boolean, oneOf('auto')),
  cache: ['true, false or a name', (value) => boolean[1](value) || (text[1](value) && value !== '')],
  quantize: oneOf('none', 'int8', 'int4'),
  integrity: [
    "'sha256-' and a digest in base64",
    (value) => typeof value === 'string' && /^sha256-[A-Za-z0-9+/]{43}=$/.test(value),
  ],
  wasm: wasmSource,
  attentionHeads: integer(1, 65536),
};

/** `more`: options that only this kind of model has. `large`: it may need 64-bit memory. */
export function checkLoadOptions(options: LoadOptions, more: Record<string, Rule> = {}, large = false): void {
  checkOptions(options, { ...loadRules, ...more }, 'load');
  const { memory64, cache } = options;
  if (memory64 === true && !large) throw unsupported('64-bit memory is for text generators only');
  if (cache && !platform.hasCache) throw unsupported("load: 'cache' is for browsers only: here the file system keeps files");
}

export function checkEmbedderLoadOptions(options: LoadOptions): void {
  checkLoadOptions(options);
  const { format = 'weights', quantize = 'none' } = options;
  if (format !== 'weights') throw unsupported(`no embedder is read from '${format}' files yet`);
  if (quantize !== 'none') throw unsupported('an embedder is not quantized while it loads');
}

/** Options of the embedder's calls; `maxPositions` is the most that its position embeddings allow. */
export function checkEmbedOptions(options: EmbedOptions | undefined, maxPositions: number): void {
  const rules: Record<keyof EmbedOptions, Rule> = {
    pooling: oneOf('mean', 'cls', 'max'),
    normalize: boolean,
    maxLength: integer(2, maxPositions),
    truncate: oneOf('end', 'error', 'chunk'),
    onTruncate: callback,
    onProgress: callback,
    signal,
  };
  checkOptions(options, rules, 'embed');
}
