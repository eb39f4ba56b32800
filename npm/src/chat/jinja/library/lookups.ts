// Lookup of attributes in filters: 'address.city', or a position.

import { item } from '../attributes.js';
import { renderError } from '../errors.js';
import { spend } from '../limits.js';
import { Text, text } from '../text.js';
import { typeOf, Undefined, type Value } from '../values.js';

export type Getter = (value: Value) => Value;

/** Strings in lower case, for filters that ignore case. */
export const ignoreCase: Getter = (value) => (value instanceof Text ? value.map((part) => part.toLowerCase()) : value);

const unchanged: Getter = (value) => value;
export const caseOf = (caseSensitive: boolean): Getter => (caseSensitive ? unchanged : ignoreCase);

/** Reads an attribute; without one, the value itself. `otherwise`: for values that do not have it. */
export function getter(attribute: Value | undefined, after: Getter = unchanged, otherwise: Value = null): Getter {
  const parts = attribute === undefined || attribute === null ? [] : partsOf(attribute);
  return (value) => {
    spend();
    for (const part of parts) {
      value = item(value, part);
      if (otherwise !== null && value instanceof Undefined) value = otherwise;
    }
    return after(value);
  };
}

function partsOf(attribute: Value): Value[] {
  if (typeof attribute === 'bigint') return [attribute];
  if (!(attribute instanceof Text))
    throw renderError(`an attribute is a name or a position, not a ${typeOf(attribute)}`);
  return attribute.value.split('.').map((part) => (/^\d+$/.test(part) ? BigInt(part) : text(part)));
}

/** Several attributes: 'age,name'. */
export function getters(attribute: Value | undefined, after: Getter): (value: Value) => Value[] {
  const names = attribute instanceof Text ? attribute.value.split(',').map(text) : [attribute];
  const all = names.map((name) => getter(name, after));
  return (value) => all.map((get) => get(value));
}
