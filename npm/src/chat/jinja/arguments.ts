// Functions of the language: how their arguments are given.

import { renderError } from './errors.js';
import { spend, spendOn } from './limits.js';
import { Text, text } from './text.js';
import { Callable, Dict, Tuple, type Value } from './values.js';

/** The arguments in the order of the parameters; those that are not given are undefined. */
export type Given = (Value | undefined)[];

/**
 * Names of parameters, and what the function does. 'a b? *c **d': b may be left out, c receives further arguments as a
 * tuple, d those with other names as a dict.
 */
export type Builtin<First extends unknown[] = []> = readonly [
  parameters: string,
  run: (...given: [...First, ...any[]]) => Value,
];

export type NamedValues = ReadonlyMap<string, Value>;

/** Counts the work of reading a value that is a string. */
export function spendOnText(value: Value): void {
  if (value instanceof Text) spendOn(value.length);
}

/** Sorts arguments by parameters, as Python does. */
export function bind(name: string, parameters: string, args: readonly Value[], kwargs: NamedValues): Given {
  spend(4);
  for (const each of [...args, ...kwargs.values()]) spendOnText(each);
  const given: Given = [];
  const left = new Map(kwargs);
  let taken = 0;
  for (const parameter of parameters ? parameters.split(' ') : []) {
    if (parameter.startsWith('**')) {
      given.push(Dict.from(Array.from(left, ([key, value]) => [text(key), value])));
      left.clear();
    } else if (parameter.startsWith('*')) {
      given.push(new Tuple(args.slice(taken)));
      taken = Math.max(taken, args.length);
    } else {
      const key = parameter.replace('?', '');
      const isNamed = left.has(key);
      if (isNamed && taken < args.length) throw renderError(`${name}: argument '${key}' is given twice`);
      const value = isNamed ? left.get(key) : args[taken++];
      if (value === undefined && !parameter.endsWith('?')) throw renderError(`${name}: argument '${key}' is missing`);
      left.delete(key);
      given.push(value);
    }
  }
  if (taken < args.length) throw renderError(`${name}: at most ${taken} arguments, not ${args.length}`);
  const [unknown] = left.keys();
  if (unknown !== undefined) throw renderError(`${name}: there is no argument '${unknown}'`);
  return given;
}

/** A function that templates call by name. */
export const callable = (name: string, [parameters, run]: Builtin): Callable =>
  new Callable(name, (args, kwargs) => run(...bind(name, parameters, args, kwargs)));

/** The name in a dict of arguments. */
export function keywordOf(key: Value): string {
  if (key instanceof Text) return key.value;
  throw renderError('the keys of ** must be strings');
}
