// What callers give, as values of templates.

import { wellFormed } from '../base/arguments.js';
import { typeName } from '../base/values.js';
import { chatError } from './jinja/errors.js';
import { messageText, text } from './jinja/text.js';
import { Dict, type Value } from './jinja/values.js';

const maxDepth = 100;
const mayBeIllFormed = /[\ud800-\udfff]/;

/** `trusted`: the strings may hold special tokens. `where`: what is converted, for messages. */
export function valueOf(given: unknown, where: string, trusted = false, depth = 0): Value {
  if (depth > maxDepth) throw chatError('limit', `${where} nests more than ${maxDepth} levels`);
  if (given === null || given === undefined) return null;
  if (typeof given === 'string') return (trusted ? text : messageText)(mayBeIllFormed.test(given) ? wellFormed(given) : given);
  if (typeof given === 'boolean' || typeof given === 'bigint') return given;
  if (typeof given === 'number') return Number.isSafeInteger(given) ? BigInt(given) : given;
  if (Array.isArray(given)) return Array.from(given, (each) => valueOf(each, where, trusted, depth + 1));
  if (typeof given !== 'object' || typeName(given) !== 'Object') {
    throw chatError('wrong_type', `${where}: a ${typeName(given)} is no text, number, boolean, list or plain object`);
  }
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Dict.from(entries.map(([key, value]) => [valueOf(key, where, trusted), valueOf(value, where, trusted, depth + 1)]));
}
