// Attributes, items and slices of values.

import { type Builtin, bind, spendOnText } from './arguments.js';
import { isNumber } from './compare.js';
import { renderError } from './errors.js';
import { dictMethods, listMethods, numberMethods, tupleMethods } from './library/methods.js';
import { isRareMethod, rareParts } from './library/rare_parts.js';
import { textMethods } from './library/text_methods.js';
import { spend } from './limits.js';
import { characters, charactersBetween, countCharacters, join, Text } from './text.js';
import {
  Attributes,
  Callable,
  Dict,
  Group,
  listItems,
  orElse,
  Range,
  Tuple,
  typeOf,
  Undefined,
  undefinedError,
  type Value,
} from './values.js';

/** Methods that change a value: the sandbox of transformers forbids them. */
const changing: Record<string, readonly string[]> = {
  list: ['append', 'clear', 'pop', 'reverse', 'insert', 'sort', 'extend', 'remove'],
  dict: ['clear', 'pop', 'popitem', 'setdefault', 'update'],
};

/** `object.name`: an attribute, or else an item. */
export function attribute(object: Value, name: string): Value {
  if (object instanceof Undefined) throw undefinedError(object);
  const found = method(object, name);
  if (found !== undefined) return found;
  return orElse(object instanceof Dict ? object.named(name) : undefined, () => missing(object, name));
}

/** `object[key]`: an item, or else an attribute. */
export function item(object: Value, key: Value): Value {
  if (object instanceof Undefined) throw undefinedError(object);
  const found = itemAt(object, key);
  if (found !== undefined) return found;
  if (!(key instanceof Text)) return missing(object, undefined);
  return orElse(method(object, key.value), () => missing(object, key.value));
}

function missing(object: Value, name: string | undefined): Undefined {
  spend(3);
  const what =
    object instanceof Dict && name !== undefined
      ? `the dict has no '${name}'`
      : `a ${typeOf(object)} has no ${name === undefined ? 'such item' : `'${name}'`}`;
  return new Undefined(what);
}

function itemAt(object: Value, key: Value): Value | undefined {
  if (object instanceof Dict) {
    const isHashable = !Array.isArray(key) && !(key instanceof Dict);
    return isHashable ? object.get(key) : undefined;
  }
  if (typeof key !== 'bigint' && typeof key !== 'boolean') return undefined;
  const index = Number(key);
  return object instanceof Text ? characterAt(object, index) : listItems(object)?.at(index);
}

export function method(object: Value, name: string): Value | undefined {
  if (object instanceof Attributes) return object.get(name);
  if (object instanceof Callable) return object.attributes[name];
  if (object instanceof Group) return { grouper: object.grouper, list: object.list as Value }[name];
  const methods: Methods | undefined =
    object instanceof Text && isRareMethod(name) ? rareParts().methods : methodsOf(object);
  if (methods && Object.hasOwn(methods, name)) {
    const [parameters, run] = methods[name]!;
    return new Callable(name, (args, kwargs) => {
      spendOnText(object);
      return run(object, ...bind(name, parameters, args, kwargs));
    });
  }
  if (changing[typeOf(object)]?.includes(name))
    return new Undefined(`templates cannot change values: '${name}' of a ${typeOf(object)}`);
  return undefined;
}

type Methods = Record<string, Builtin<[any]>>;

function methodsOf(object: Value): Methods | undefined {
  if (object instanceof Text) return textMethods;
  if (object instanceof Dict) return dictMethods;
  if (Array.isArray(object)) return listMethods;
  if (object instanceof Tuple || object instanceof Range) return tupleMethods;
  return isNumber(object) ? numberMethods : undefined;
}

function characterAt(whole: Text, index: number): Text | undefined {
  const length = countCharacters(whole.value);
  const at = index < 0 ? index + length : index;
  return at >= 0 && at < length ? charactersBetween(whole, at, at + 1) : undefined;
}

/** `object[start:stop:step]` */
export function slice(object: Value, [start, stop, step]: readonly (Value | null)[]): Value {
  if (object instanceof Undefined) throw undefinedError(object);
  const [from, to, by] = [position(start), position(stop), position(step)];
  if (object instanceof Text)
    return by === undefined || by === 1 ? part(object, from, to) : join(sliced(characters(object), from, to, by));
  const items = listItems(object);
  if (!items) throw renderError(`a ${typeOf(object)} cannot be sliced`);
  const chosen = sliced(items, from, to, by);
  if (object instanceof Range) return rangeOf(chosen as bigint[], object.step * BigInt(by ?? 1));
  return Array.isArray(object) ? chosen : new Tuple(chosen);
}

function position(value: Value | null | undefined): number | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value);
  throw renderError(`the positions of a slice must be integers, not ${typeOf(value)}`);
}

/** `numbers` are a range again. */
function rangeOf(numbers: readonly bigint[], step: bigint): Range {
  const [first = 0n] = numbers;
  return new Range(first, first + step * BigInt(numbers.length), step);
}

function part(whole: Text, start = 0, stop?: number): Text {
  const length = countCharacters(whole.value);
  const from = clamped(start, length, 0, length);
  return charactersBetween(whole, from, Math.max(from, stop === undefined ? length : clamped(stop, length, 0, length)));
}

/** A position that may count from the end. */
const clamped = (at: number, length: number, low: number, high: number) =>
  Math.min(Math.max(at < 0 ? at + length : at, low), high);

/** Python's slices. */
function sliced<T>(items: readonly T[], start: number | undefined, stop: number | undefined, step = 1): T[] {
  if (step === 0) throw renderError('the step of a slice cannot be zero');
  const { length } = items;
  spend(length / 8);
  const clamp = (at: number, low: number, high: number) => clamped(at, length, low, high);
  const chosen: T[] = [];
  if (step > 0) {
    const end = stop === undefined ? length : clamp(stop, 0, length);
    for (let i = start === undefined ? 0 : clamp(start, 0, length); i < end; i += step) chosen.push(items[i]!);
  } else {
    const end = stop === undefined ? -1 : clamp(stop, -1, length - 1);
    for (let i = start === undefined ? length - 1 : clamp(start, -1, length - 1); i > end; i += step)
      chosen.push(items[i]!);
  }
  return chosen;
}
