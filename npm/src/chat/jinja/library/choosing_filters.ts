// The filters that apply other filters, or tests, to each item: map, select, reject.

import { bind, type NamedValues } from '../arguments.js';
import { isTrue, iterate } from '../compare.js';
import { renderError } from '../errors.js';
import { str } from '../printing.js';
import { Sequence, type Value } from '../values.js';
import { type Getter, getter } from './lookups.js';

/** Applies a filter or test by its name. */
export type Apply = (name: string, value: Value, args: readonly Value[], kwargs: NamedValues) => Value;
type ChoosingFilter = (value: Value, args: readonly Value[], kwargs: NamedValues) => Value;

export function choosingFilters(filter: Apply, test: Apply): Record<string, ChoosingFilter> {
  const map: ChoosingFilter = (value, args, kwargs) => {
    if (!isTrue(value)) return new Sequence('generator', []);
    const change = args.length === 0 && kwargs.has('attribute') ? attributeOf(kwargs) : filtered(args, kwargs);
    return new Sequence('generator', iterate(value).map(change));
  };
  const attributeOf = (kwargs: NamedValues): Getter => {
    const [attribute, otherwise] = bind('map', 'attribute default?', [], kwargs);
    return getter(attribute, undefined, otherwise);
  };
  const filtered = ([name, ...args]: readonly Value[], kwargs: NamedValues): Getter => {
    if (name === undefined) throw renderError('map needs the name of a filter, or an attribute');
    return (value) => filter(str(name).value, value, args, kwargs);
  };
  const choosing =
    (wanted: boolean, byAttribute: boolean): ChoosingFilter =>
    (value, given, kwargs) => {
      if (!isTrue(value)) return new Sequence('generator', []);
      const [attribute, rest] = byAttribute ? [given[0], given.slice(1)] : [undefined, given];
      if (byAttribute && attribute === undefined)
        throw renderError('selectattr and rejectattr need the name of an attribute');
      const read = getter(attribute);
      const [name, ...args] = rest;
      const passes = (each: Value) =>
        isTrue(name === undefined ? read(each) : test(str(name).value, read(each), args, kwargs));
      return new Sequence(
        'generator',
        iterate(value).filter((each) => passes(each) === wanted),
      );
    };
  return {
    map,
    select: choosing(true, false),
    reject: choosing(false, false),
    selectattr: choosing(true, true),
    rejectattr: choosing(false, true),
  };
}
