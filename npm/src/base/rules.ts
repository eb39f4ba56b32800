// Rules for common kinds of values, and for the options of everything that reads a model.

import { unsupported } from './errors.js';
import type { CommonLoadOptions, ModelFormat, ReadOptions } from './types.js';
import { checkOptions, isA, oneOf, type Rule, signal } from './values.js';

export const integer = (least: number, most: number): Rule => [
  `an integer from ${least} to ${most}`,
  (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
];
export const numberBetween = (least: number, most: number): Rule => [
  `a number from ${least} to ${most}`,
  (value) => typeof value === 'number' && value >= least && value <= most,
];
export const either = (first: Rule, second: Rule): Rule => [
  `${first[0]} or ${second[0]}`,
  (value) => first[1](value) || second[1](value),
];
export const callback: Rule = ['a function', (value) => typeof value === 'function'];
export const boolean: Rule = ['true or false', (value) => typeof value === 'boolean'];

const nonEmpty: Rule = ['a non-empty string', (value) => typeof value === 'string' && value !== ''];

export const readRules: Record<keyof ReadOptions, Rule> = {
  // sources/hub/model.ts checks its properties.
  hub: ['an object', (value) => isA(value, 'Object')],
  onProgress: callback,
  signal,
  worker: boolean,
  wasm: [
    'a URL, a Response, bytes or a WebAssembly.Module',
    (value) =>
      nonEmpty[1](value) ||
      ArrayBuffer.isView(value) ||
      isA(value, 'URL', 'Response', 'ArrayBuffer', 'WebAssembly.Module'),
  ],
};

const loadRules: Record<keyof CommonLoadOptions, Rule> = {
  ...readRules,
  threads: either(oneOf('auto'), integer(1, 64)),
  variant: oneOf('auto', 'baseline', 'relaxed'),
  cache: either(boolean, nonEmpty),
  integrity: [
    "'sha256-' and a base64 digest",
    (value) => typeof value === 'string' && /^sha256-[A-Za-z0-9+/]{43}=$/.test(value),
  ],
};

/** Values without an effect, which every class accepts. */
const neutral: readonly unknown[] = ['auto', 'none', false];

/** `own`: rules for the options of this class, in addition to those of every load. */
export function checkLoadOptions(options: unknown, own: Record<string, Rule>): void {
  checkReadOptions(options, 'load', { ...loadRules, ...own });
}

/** Like checkOptions, but an option of another class is UNSUPPORTED, and the message names that class. */
export function checkReadOptions(options: unknown, where: string, rules: Record<string, Rule>): void {
  const known = { ...rules };
  for (const [name, value] of Object.entries(isA(options, 'Object') ? (options as object) : {})) {
    const [who] = optionOwners.find(([, options]) => options.includes(name)) ?? [];
    if (value === undefined || !who || Object.hasOwn(rules, name)) continue;
    if (!neutral.includes(value)) throw unsupported(`${where}: option '${name}' is for ${who}`);
    known[name] = oneOf(value);
  }
  checkOptions(options, known, where);
}

const formats: readonly ModelFormat[] = ['amb', 'alt', 'weights', 'safetensors', 'tinyruntime', 'gguf'];
/** Any known format. checkFormat then checks whether this kind of model can be read from it. */
export const formatRule = oneOf(...formats);

/** Throws unless `what` can be read from files of this format. */
export function checkFormat(format: ModelFormat | undefined, what: string, readable: readonly ModelFormat[]): void {
  if (format === undefined || readable.includes(format)) return;
  throw unsupported(`load: ${what} cannot be read from '${format}' files, only from ${readable.join(', ')}`);
}
