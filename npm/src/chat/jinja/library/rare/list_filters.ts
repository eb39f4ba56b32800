// The rare filters for lists.

import type { Builtin } from '../../arguments.js';
import { compare, equal, iterate } from '../../compare.js';
import { renderError } from '../../errors.js';
import { checkItems } from '../../limits.js';
import { integerArgument } from '../../operators.js';
import { Group, type Value } from '../../values.js';
import { generator, isGiven, sorted } from '../list_filters.js';
import { caseOf, getter } from '../lookups.js';

function groupby(value: Value, attribute: Value, otherwise: Value = null, caseSensitive?: Value): Value {
  const fold = caseOf(isGiven(caseSensitive));
  const read = getter(attribute, undefined, otherwise);
  const items = iterate(value).map((each) => ({ each, name: read(each), key: fold(read(each)) }));
  const groups: { name: Value; key: Value; items: Value[] }[] = [];
  for (const { each, name, key } of sorted(items, (a, b) => compare(a.key, b.key), false)) {
    const last = groups.at(-1);
    if (last && equal(last.key, key)) last.items.push(each);
    else groups.push({ name, key, items: [each] });
  }
  return groups.map(({ name, items }) => new Group(name, items));
}

function batch(value: Value, linecount: Value, fill: Value = null): Value {
  const size = integerArgument(linecount, 'linecount', 1);
  const items = iterate(value);
  if (size < 1) throw renderError('batch: linecount must be at least 1');
  const rows: Value[][] = [];
  for (let at = 0; at < items.length; at += size) rows.push(items.slice(at, at + size));
  const last = rows.at(-1);
  if (fill !== null && last) {
    checkItems(size);
    while (last.length < size) last.push(fill);
  }
  return generator(rows);
}

function columns(value: Value, slices: Value, fill: Value = null): Value {
  const items = iterate(value);
  const count = integerArgument(slices, 'slices', 1);
  if (count < 1) throw renderError('slice: slices must be at least 1');
  checkItems(count);
  const each = Math.floor(items.length / count);
  const longer = items.length % count;
  let at = 0;
  return generator(
    Array.from({ length: count }, (_, i): Value => {
      const part = items.slice(at, (at += each + (i < longer ? 1 : 0)));
      return fill !== null && i >= longer ? [...part, fill] : part;
    }),
  );
}

export const listFilters: Record<'groupby' | 'batch' | 'slice', Builtin<[Value]>> = {
  groupby: ['attribute default? case_sensitive?', groupby],
  batch: ['linecount fill_with?', batch],
  slice: ['slices fill_with?', columns],
};
