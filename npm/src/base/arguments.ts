// Texts, token ids and required options from callers: checks, and slices of long lists.

import { inputError } from './errors.js';
import { shown, typeName } from './values.js';

export function checkText(text: unknown, index = 0): string {
  if (typeof text === 'string') return text;
  throw inputError('wrong_type', `text ${index} must be a string, not ${typeName(text)}`);
}

/** A copy: the caller may change the list while the call waits. */
export function checkTexts(texts: readonly string[]): string[] {
  if (!Array.isArray(texts)) {
    throw inputError('wrong_type', `texts must be a string or an array of strings, not ${typeName(texts)}`);
  }
  return Array.from(texts as readonly unknown[], checkText);
}

/** Lone surrogates, which UTF-8 and JSON cannot express, become U+FFFD, as in TextEncoder. */
export function wellFormed(text: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text));
}

const maxId = 2 ** 31 - 1;

/** A copy: the caller may change the list while the call waits. */
export function checkIds(ids: readonly number[] | Int32Array): Int32Array {
  if (!Array.isArray(ids) && (!ArrayBuffer.isView(ids) || ids instanceof DataView)) {
    throw inputError('wrong_type', `ids must be an array of numbers, not ${typeName(ids)}`);
  }
  return Int32Array.from(ids, (id: unknown, i) => {
    if (Number.isInteger(id) && (id as number) >= 0 && (id as number) <= maxId) return id as number;
    throw inputError('out_of_range', `id ${i} must be a token id, an integer from 0 to ${maxId}, not ${shown(id)}`);
  });
}

/** The value of a required option. */
export function requireOption<Options, Name extends keyof Options & string>(
  options: Options | undefined,
  name: Name,
  where: string,
): NonNullable<Options[Name]> {
  const value = options?.[name];
  if (value === undefined || value === null) throw inputError('missing', `${where}: option '${name}' is missing`);
  return value;
}

// Limits of one call to a host: enough for full batches, small enough for timely progress and aborts.
const sliceTexts = 256;
const sliceChars = 16384;

/** The next texts of a list, from `first` on: at least one. */
export function sliceFrom(texts: readonly string[], first: number): string[] {
  let end = first;
  for (let chars = 0; end < texts.length && end - first < sliceTexts && chars < sliceChars; ++end) {
    chars += texts[end]!.length;
  }
  return texts.slice(first, end);
}
