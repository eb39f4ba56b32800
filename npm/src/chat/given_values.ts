// Converts callers' values to template values.

import { wellFormed } from '../base/arguments.js';
import { readJson } from '../base/json.js';
import { typeName } from '../base/values.js';
import { chatError } from './jinja/errors.js';
import { checkedInteger } from './jinja/operators.js';
import { messageText, text } from './jinja/text.js';
import { Dict, type Value } from './jinja/values.js';

const maxDepth = 100;
const mayBeIllFormed = /[\ud800-\udfff]/;

const textOf = (given: string, trusted: boolean) =>
  (trusted ? text : messageText)(mayBeIllFormed.test(given) ? wellFormed(given) : given);

/** `trusted`: the strings may hold special tokens. `where`: the name of the value, for messages. */
export function toValue(given: unknown, where: string, trusted = false, depth = 0): Value {
  if (depth > maxDepth) throw chatError('limit', `${where} nests more than ${maxDepth} levels`);
  if (given === null || given === undefined) return null;
  if (typeof given === 'string') return textOf(given, trusted);
  if (typeof given === 'boolean' || typeof given === 'bigint') return given;
  // Numbers that JSON.stringify writes as integers.
  if (typeof given === 'number') return Number.isInteger(given) && Math.abs(given) < 1e21 ? BigInt(given) : given;
  if (Array.isArray(given)) return Array.from(given, (each) => toValue(each, where, trusted, depth + 1));
  if (typeof given !== 'object' || typeName(given) !== 'Object') {
    throw chatError(
      'wrong_type',
      `${where}: unsupported value: ${typeName(given)}; expected a text, number, boolean, list or plain object`,
    );
  }
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Dict.from(
    entries.map(([key, value]) => [toValue(key, where, trusted), toValue(value, where, trusted, depth + 1)]),
  );
}

/** The values of a text in JSON, as json.loads() of Python reads it; undefined if it is not JSON. */
export function valueOfJson(source: string): Value | undefined {
  const untrusted = (each: string) => textOf(each, false);
  const number = (each: string) => (/[.e]/i.test(each) ? Number(each) : checkedInteger(BigInt(each)));
  const dict = (members: [string, unknown][]) =>
    Dict.from(members.map(([name, value]) => [untrusted(name), value as Value]));
  try {
    return readJson(source, number, dict, untrusted) as Value;
  } catch {
    return undefined;
  }
}
