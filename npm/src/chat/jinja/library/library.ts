// All filters and tests, by name.

import { type Builtin, bind, type NamedValues, spendOnText } from '../arguments.js';
import { renderError } from '../errors.js';
import { spend } from '../limits.js';
import { Text } from '../text.js';
import type { Value } from '../values.js';
import { choosingFilters } from './choosing_filters.js';
import { listFilters } from './list_filters.js';
import { numberFilters } from './number_filters.js';
import { isRareFilter, rareParts } from './rare_parts.js';
import { valueTests } from './tests.js';
import { textFilters } from './text_filters.js';

const filters: Record<string, Builtin<[Value]>> = { ...textFilters, ...numberFilters, ...listFilters };
const choosing = choosingFilters(applyFilter, applyTest);
const tests: Record<string, Builtin<[Value]>> = {
  ...valueTests,
  filter: ['', (value) => value instanceof Text && hasFilter(value.value)],
  test: ['', (value) => value instanceof Text && hasTest(value.value)],
};

export const hasFilter = (name: string): boolean =>
  Object.hasOwn(filters, name) || Object.hasOwn(choosing, name) || isRareFilter(name);

export function applyFilter(name: string, value: Value, args: readonly Value[], kwargs: NamedValues): Value {
  spend();
  spendOnText(value);
  if (Object.hasOwn(choosing, name)) return choosing[name]!(value, args, kwargs);
  const filter = isRareFilter(name)
    ? rareParts().filters[name]
    : Object.hasOwn(filters, name)
      ? filters[name]
      : undefined;
  if (!filter) throw renderError(`there is no filter '${name}'`);
  const [parameters, run] = filter;
  return run(value, ...bind(`filter '${name}'`, parameters, args, kwargs));
}

export const hasTest = (name: string): boolean => Object.hasOwn(tests, name);

export function applyTest(name: string, value: Value, args: readonly Value[], kwargs: NamedValues): Value {
  if (!hasTest(name)) throw renderError(`there is no test '${name}'`);
  spendOnText(value);
  const [parameters, run] = tests[name]!;
  return run(value, ...bind(`test '${name}'`, parameters, args, kwargs));
}
