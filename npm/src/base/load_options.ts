// The options of everything that reads a model, and which class takes which.

import { unsupported } from './errors.js';
import { checkOptions, oneOf, signal, type Rule } from './options.js';
import { boolean, callback, either, integer } from './rules.js';
import type { CommonLoadOptions, ModelFormat, ReadOptions } from './types.js';
import { isA } from './values.js';

const nonEmpty: Rule = ['a string that is not empty', (value) => typeof value === 'string' && value !== ''];

export const readRules: Record<keyof ReadOptions, Rule> = {
  onProgress: callback,
  signal,
  worker: boolean,
  wasm: [
    'a URL, a Response, bytes or a WebAssembly.Module',
    (value) =>
      nonEmpty[1](value) || ArrayBuffer.isView(value) || isA(value, 'URL', 'Response', 'ArrayBuffer', 'WebAssembly.Module'),
  ],
};

const loadRules: Record<keyof CommonLoadOptions, Rule> = {
  ...readRules,
  threads: either(oneOf('auto'), integer(1, 64)),
  variant: oneOf('auto', 'baseline', 'relaxed'),
  cache: either(boolean, nonEmpty),
  integrity: [
    "'sha256-' and a digest in base64",
    (value) => typeof value === 'string' && /^sha256-[A-Za-z0-9+/]{43}=$/.test(value),
  ],
};

interface OwnOption {
  /** Who takes it. */
  takers: string;
  /** Values that ask for nothing: others take them as well. */
  neutral?: readonly unknown[];
}

const models = 'Embedder, TextGenerator and ImageClassifier';

/** Options that not everybody takes who reads a model. */
const ownOptions: Record<string, OwnOption> = {
  format: { takers: `${models}, and Tokenizer` },
  integrity: { takers: `${models}, and Tokenizer` },
  threads: { takers: models, neutral: ['auto', 1] },
  variant: { takers: models, neutral: ['auto'] },
  cache: { takers: models, neutral: [false] },
  attentionHeads: { takers: 'Embedder' },
  memory64: { takers: 'TextGenerator', neutral: ['auto', false] },
  quantize: { takers: 'TextGenerator and convert', neutral: ['none'] },
  contextLength: { takers: 'TextGenerator' },
  kvCache: { takers: 'TextGenerator' },
  kind: { takers: 'ImageClassifier' },
  labels: { takers: 'ImageClassifier' },
  inputSize: { takers: 'ImageClassifier' },
  shorterSide: { takers: 'ImageClassifier' },
  mean: { takers: 'ImageClassifier' },
  std: { takers: 'ImageClassifier' },
};

/** `own`: the rules of what this class takes beside the options of every load. */
export function checkLoadOptions(options: unknown, own: Record<string, Rule>): void {
  checkReadOptions(options, 'load', { ...loadRules, ...own });
}

/** As checkOptions; an option that others take is UNSUPPORTED, and told as theirs. */
export function checkReadOptions(options: unknown, where: string, rules: Record<string, Rule>): void {
  const known = { ...rules };
  for (const [name, value] of Object.entries(isA(options, 'Object') ? (options as object) : {})) {
    const { takers, neutral = [] } = (Object.hasOwn(ownOptions, name) && ownOptions[name]) || {};
    if (value === undefined || takers === undefined || Object.hasOwn(rules, name)) continue;
    if (!neutral.includes(value)) throw unsupported(`${where}: option '${name}' is for ${takers}`);
    known[name] = oneOf(...neutral);
  }
  checkOptions(options, known, where);
}

const formats: readonly ModelFormat[] = ['amb', 'alt', 'weights', 'safetensors', 'tinyruntime', 'gguf'];
/** A format of any kind of model: whether this kind is read from it checkFormat tells. */
export const formatRule = oneOf(...formats);

/** `what` is read from files of `readable` formats only. */
export function checkFormat(format: ModelFormat | undefined, what: string, readable: readonly ModelFormat[]): void {
  if (format === undefined || readable.includes(format)) return;
  throw unsupported(`load: ${what} is not read from '${format}' files, but from ${readable.join(', ')}`);
}
